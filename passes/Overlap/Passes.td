// Passes of phase 4: loops and branches in the tandem dialect, collectives in flight.
#ifndef TANDEM_PASSES_OVERLAP_PASSES
#define TANDEM_PASSES_OVERLAP_PASSES

include "mlir/Pass/PassBase.td"

def FormLoopsPass : Pass<"tandem-form-loops", "mlir::ModuleOp"> {
  let summary = "turn stablehlo.while into tandem.loop";
  let description = [{
    Requires: the per-device program after phase 3.

    Ensures: no `stablehlo.while` is left. The condition is cloned before the loop, on
    the inits, and at the body's end, on the yielded values. Carried values that the body
    passes on unchanged are captured instead. `trip_count` is set where it is proved:
    the condition compares a carried integer with a constant, its init is a constant and
    the body adds a constant to it (or subtracts one).

    Does not: unroll, peel, or make anything asynchronous.

    Example:
    ```mlir
    // before
    %r:2 = stablehlo.while(%i = %c0, %x = %x0) : tensor<i32>, tensor<4xf32>
      cond { %p = stablehlo.compare LT, %i, %c10 ...; stablehlo.return %p : tensor<i1> }
      do { %n = stablehlo.add %i, %c1 : tensor<i32> ...; stablehlo.return %n, %y ... }
    // after
    %p0 = stablehlo.compare LT, %c0, %c10 ...
    %r:2 = tandem.loop %p0 (%i = %c0 : tensor<i32>, %x = %x0 : tensor<4xf32>) trip_count 10 {
      %n = stablehlo.add %i, %c1 : tensor<i32>
      ...
      %p = stablehlo.compare LT, %n, %c10 ...
      tandem.yield %p, %n, %y : tensor<i1>, tensor<i32>, tensor<4xf32>
    }
    ```

    Cost: linear; a condition is copied once more.
  }];
  let dependentDialects = ["tandem::TandemDialect"];
  let statistics = [
    Statistic<"numLoops", "loops", "while loops turned into tandem.loop">,
    Statistic<"numTripCounts", "trip-counts", "of those, with a proved trip count">,
    Statistic<"numInvariants", "invariants", "carried values that became captures">
  ];
}

def FormCasesPass : Pass<"tandem-form-cases", "mlir::ModuleOp"> {
  let summary = "turn stablehlo.if and stablehlo.case into tandem.case";
  let description = [{
    Requires: the per-device program after phase 3.

    Ensures: no `stablehlo.if` or `stablehlo.case` is left. The predicate of an `if`
    becomes the index: 0 runs the false branch, 1 the true branch.

    Does not: fold branches or predicates.

    Example:
    ```mlir
    // before
    %r = "stablehlo.if"(%p) ({ stablehlo.return %x : ... }, { stablehlo.return %y : ... })
    // after
    %i = stablehlo.convert %p : (tensor<i1>) -> tensor<i32>
    %r = tandem.case %i -> tensor<4xf32> { tandem.yield %y : ... }, { tandem.yield %x : ... }
    ```

    Cost: linear.
  }];
  let dependentDialects = ["tandem::TandemDialect", "mlir::stablehlo::StablehloDialect"];
  let statistics = [Statistic<"numCases", "cases", "if and case ops turned into tandem.case">];
}

def MakeCollectivesAsyncPass : Pass<"tandem-make-collectives-async", "mlir::ModuleOp"> {
  let summary = "put every collective into a tandem.start with its tandem.done";
  let description = [{
    Requires: the per-device program after phase 3. Reducers of collectives capture at
    most constants.

    Ensures: every collective is in a `tandem.start`, whose `tandem.done` follows at
    once. Both have the collective's location, so its cause.

    Does not: move or combine anything; that is the scheduler's.

    Example:
    ```mlir
    // before
    %g = "stablehlo.all_gather"(%x) <{...}> : (tensor<4xf32>) -> tensor<8xf32>
    // after
    %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<8xf32>> {
      %0 = "stablehlo.all_gather"(%a) <{...}> : (tensor<4xf32>) -> tensor<8xf32>
      tandem.yield %0 : tensor<8xf32>
    }
    %g = tandem.done %f : !tandem.future<tensor<8xf32>>
    ```

    Cost: linear.
  }];
  let dependentDialects = ["tandem::TandemDialect"];
  let statistics = [Statistic<"numStarts", "starts", "collectives made asynchronous">];
}

def CheckUniformityPass : Pass<"tandem-check-uniformity", "mlir::ModuleOp"> {
  let summary = "refuse collectives that only a part of their group would reach";
  let description = [{
    Requires: loops and cases in the tandem dialect; `tandem.num_devices` or a mesh.

    Ensures: for every loop and case that contains a collective, the predicate (or index)
    is the same on all devices of each of its groups, as far as it can be told: values
    that differ for sure are an error, a predicate about which nothing is proved gets a
    remark (the runtime checks the order of collectives).

    Does not: change the module.

    Example:
    ```
    error: 'stablehlo.all_reduce' runs under a predicate that differs within its group:
           false on device 0, true on device 1
    ```

    Cost: an abstract execution of the program for all devices together, loops to their
    fixpoint: O(ops x devices) times the depth of the loops.
  }];
  let statistics = [
    Statistic<"numProved", "proved", "predicates of collectives proved uniform">,
    Statistic<"numUnproved", "unproved", "predicates of collectives not proved uniform">
  ];
}

def VerifyOverlapPass : Pass<"tandem-verify-overlap", "mlir::ModuleOp"> {
  let summary = "check the state after phase 4";
  let description = [{
    Requires: nothing.

    Ensures: every collective sits in a `tandem.start`, and no `stablehlo.while`, `if`,
    `case`, send, recv, infeed or outfeed is left; otherwise an error on the op.

    Does not: change the module.

    Example: a `stablehlo.while` is an error, "expected a tandem.loop (run
    tandem-form-loops)".

    Cost: linear.
  }];
}

#endif // TANDEM_PASSES_OVERLAP_PASSES
