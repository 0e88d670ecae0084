// Passes that decide which values share bytes, and where bytes live.
#ifndef TANDEM_PASSES_MEMORY_PASSES
#define TANDEM_PASSES_MEMORY_PASSES

include "mlir/Pass/PassBase.td"

def PairDonorsPass : Pass<"tandem-pair-donors", "mlir::ModuleOp"> {
  let summary = "find results for the arguments that are given up";
  let description = [{
    An argument with `jax.buffer_donor` may be overwritten by whatever result fits it.

    Requires: the state after phase 5.
    Ensures: each such argument has the `tf.aliasing_output` of the first result of its local
      type, global type and sharding that no other argument has; a warning where there is none.
    Does not: change the result that an argument names already.

    Example: `%arg1: tensor<4xf32> {jax.buffer_donor = true}` in a function that returns
    `(tensor<i32>, tensor<4xf32>)` gets `tf.aliasing_output = 1`.

    Cost: donated arguments times results.
  }];
  let statistics = [Statistic<"numPaired", "paired", "arguments that got a result">];
}

def RebuildValuesPass : Pass<"tandem-rebuild-values", "mlir::ModuleOp"> {
  let summary = "compute kernels again where keeping their results takes more than it is worth";
  let description = [{
    Requires: the state after phase 5.

    Ensures: in the order that the program has, a value that is alive at the peak without being
    used there, and that a kernel can compute again from what is alive later anyway, is computed
    again just before its next use, if that makes the bytes at the peak times the step
    smaller, the added time counted three times; RebuildPlan.h describes the choice. Less than a
    MiB is not worth a kernel. If the module has a
    `tandem.memory_limit`, bytes above it come first, however few; if the passes that follow,
    tried on a copy of the module, then need more than the limit, plans are made for up to
    10 % fewer bytes (`tandem.memory_margin`). New kernels carry a cause.

    Does not: compute library products, calls or collectives again; change the order of what
    is there; merge anything.

    Example: an activation `max(h, 0)` that the next layer's product reads and that, in the
    backward pass, another product reads again, while `h` is kept for the derivative: the
    second product gets a `max(h, 0)` of its own.

    Cost: ops times values computed again, bounded; with a limit, up to six times the passes
    up to tandem-assign-buffers.
  }];
  let dependentDialects = ["tandem::TandemDialect"];
  let statistics = [
    Statistic<"numRebuilt", "rebuilt", "kernels computed again">
  ];
}

def PairInPlacePass : Pass<"tandem-pair-in-place", "mlir::ModuleOp"> {
  let summary = "let kernels write their results over the operands whose bytes they must end up in";
  let description = [{
    Requires: the state after phase 5.

    Ensures: a kernel's result that must end up in the bytes of one of the kernel's
    operands (a donated argument, loop state) is paired with that operand in `in_place`,
    where the kernel's body allows it; an operand that another result was paired with is
    taken from it, which gets another one if there is one that nothing else reads.

    Does not: insert copies, or decide that bytes are shared: `in_place` is a permission.

    Example: an optimiser's `p - lr * g`, returned in the place of the donated `p`, is
    written over `p`, not over the gradient, though nothing else reads the latter.

    Cost: linear in the operands of kernels and their readers.
  }];
  let statistics = [
    Statistic<"numChanged", "changed", "kernels whose pairs were changed">
  ];
}

def InsertCopiesPass : Pass<"tandem-insert-copies", "mlir::ModuleOp"> {
  let summary = "insert a copy wherever values that must share bytes could be live together";
  let description = [{
    Requires: the state after phase 5 (every op of a function, loop or case body is a
    `tandem` op).

    Ensures: for every set of values that must share bytes (AliasOpInterface: a loop's
    init, argument, yielded value and result; a case's yielded values and result; a
    call's aliased operand and result; a donated argument and its result), there is an
    order of the ops in which no two different values of the set are live together. The
    reasons for a copy are numbered at the head of InsertCopies.cpp. Running it again
    inserts nothing.

    Does not: look at `in_place` of kernels, which is a permission that
    tandem-assign-buffers uses or not once the order is known; choose an order; elide a
    copy. Copies are candidates: one whose two sides can share bytes in the final order
    costs nothing. The copy of a constant that is one value everywhere is a kernel that
    writes that value.

    Example:
    ```mlir
    // before: %x is needed after the loop that overwrites it
    %r = tandem.loop %p (%a = %x : tensor<4xf32>) { ... }
    %s = tandem.kernel(%u = %x : tensor<4xf32>, %v = %r : tensor<4xf32>) ...
    // after
    %c = tandem.copy %x : tensor<4xf32>
    %r = tandem.loop %p (%a = %c : tensor<4xf32>) { ... }
    ```

    Cost: one backward search per carried value; searches stop at 20,000 ops (and then a
    copy is inserted).
  }];
  let dependentDialects = ["tandem::TandemDialect", "mlir::stablehlo::StablehloDialect"];
  let statistics = [
    Statistic<"numInitCopies", "init-copies", "copies of loop inits and call operands">,
    Statistic<"numYieldCopies", "yield-copies", "copies of yielded values">,
    Statistic<"numResultCopies", "result-copies", "copies of function results">
  ];
}

def VerifyMemoryPass : Pass<"tandem-verify-memory", "mlir::ModuleOp"> {
  let summary = "check that values which must share bytes can";
  let description = [{
    Requires: the state after tandem-insert-copies.

    Ensures: no reason of tandem-insert-copies is left; otherwise an error names the op
    and the reason.

    Does not: change the module.

    Example: a loop whose init is used after the loop is an error, "is used again after
    the loop that overwrites it".

    Cost: as tandem-insert-copies.
  }];
}

def RotateLoopStatePass : Pass<"tandem-rotate-loop-state", "mlir::ModuleOp"> {
  let summary = "let loop state rotate over two slots instead of being copied each trip";
  let description = [{
    Requires: the final order of ops; tandem-insert-copies.

    Ensures: a copy of a loop's next value that this order needs (the present value is still
    read when the next is written) is gone where the state can rotate instead: the loop's
    attribute `tandem.rotating` lists the number of the carried value, which gets two slots
    (Analysis/Rotation.h). One copy before the loop and one after it may take its place,
    when the state comes from, or has to end in, bytes that do not rotate.

    Does not: anything under the module attribute `tandem.memory_limit`, as a second slot
    takes bytes through the whole loop, or with a `tandem.copy_region_analysis` other than
    `after-schedule`. It does not change the order.

    Example:
    ```mlir
    // before: %a is read by the kernel that makes %n
    %r = tandem.loop %p (%a = %x : tensor<4xf32>) { ... %c = tandem.copy %n ... tandem.yield %q, %c }
    // after
    %r = tandem.loop %p (%a = %x : tensor<4xf32>) attributes {tandem.rotating = array<i64: 0>} {
      ... tandem.yield %q, %n }
    ```

    Cost: as tandem-assign-buffers.
  }];
  let dependentDialects = ["tandem::TandemDialect"];
  let statistics = [
    Statistic<"numRotating", "rotating", "carried values that rotate">
  ];
}

def AssignBuffersPass : Pass<"tandem-assign-buffers", "mlir::ModuleOp"> {
  let summary = "give every value an address from its live range";
  let description = [{
    Requires: the final order of ops (block order is issue order); tandem-insert-copies.

    Ensures: `tandem.buffers`, `tandem.arg_buffers` and `tandem.buffer` on everything
    that defines a tensor; offsets are multiples of 64 bytes. Values that must share bytes
    do; a copy or an `in_place` pair shares bytes when the live ranges allow it. An
    argument that is donated to a result is overwritten only once it is dead, any other
    argument never. A value that a start reads or writes keeps its bytes until the done.
    Results live in the result arena or in the argument they are donated; constants of
    the same content once in the constant arena; the rest in bytes of a result or of a donated
    argument that hold nothing meanwhile (Analysis/Bins.h), else in the temp arena, by the
    best of several placements (Analysis/Placement.h). Futures carried by a loop, and what
    their starts read, rotate over two slots. Module attributes `tandem.temp_bytes`,
    `tandem.constant_bytes` and `tandem.peak_bytes` (arguments + own results + temp,
    per device) are set.

    Does not: change the order or insert copies. If the order does not allow values to
    share that must, it is an error. So are more peak bytes than the module attribute
    `tandem.memory_limit`; the error lists the largest values alive at the peak.

    Example:
    ```mlir
    %0 = tandem.kernel(...) -> tensor<4xf32> attributes {tandem.buffers = [#tandem.buffer<temp, 0, 16>]} {...}
    ```

    Cost: n log n in ops plus the overlaps found.
  }];
  let dependentDialects = ["tandem::TandemDialect"];
  let statistics = [
    Statistic<"numInPlace", "in-place", "kernel results written over an operand">,
    Statistic<"numInIdleBytes", "in-idle-bytes", "temporaries in results and donated arguments">,
    Statistic<"numElidedCopies", "free-copies", "copies whose two sides share bytes">,
    Statistic<"peakBytes", "peak-bytes", "arguments, own results and temporaries of one device">,
    Statistic<"tempBytes", "temp-bytes", "size of the temp arena">,
    Statistic<"fragmentedBytes", "fragmented-bytes", "of it, more than are alive at one time">
  ];
}

#endif // TANDEM_PASSES_MEMORY_PASSES
