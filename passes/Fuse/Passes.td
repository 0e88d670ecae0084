// Passes of phase 5: kernels, library products and calls.
#ifndef TANDEM_PASSES_FUSE_PASSES
#define TANDEM_PASSES_FUSE_PASSES

include "mlir/Pass/PassBase.td"

def FormCallsPass : Pass<"tandem-form-calls", "mlir::ModuleOp"> {
  let summary = "turn custom calls, factorisations, FFTs and device ids into tandem ops";
  let description = [{
    Requires: the state after phase 4.

    Ensures: no `stablehlo.custom_call`, `partition_id` or `replica_id` is left. A custom
    call's backend configuration (a dictionary, or a string under the key
    `backend_config`) becomes `config`; its output-operand aliases become
    `operand_aliases`; discardable attributes stay. Where it asks for a layout that is not
    row-major, the array is transposed to the order in which its dimensions lie in memory.
    `cholesky`, `triangular_solve` and `fft` become calls of kernels that come with the
    runtime. Functions that only calls named as their computations go, and so do
    annotations of host or device memory, which are one on a CPU.

    Does not: know any custom call, or check that its kernel is registered.

    Example:
    ```mlir
    // before
    %0 = stablehlo.custom_call @f(%x) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4xf32>) -> tensor<4xf32>
    // after
    %0 = tandem.call "f"(%x) {config = {uplo = 76 : ui8}} : (tensor<4xf32>) -> tensor<4xf32>
    ```

    Cost: linear.
  }];
  let dependentDialects = ["tandem::TandemDialect", "mlir::stablehlo::StablehloDialect"];
  let statistics = [
    Statistic<"numCalls", "calls", "custom calls">,
    Statistic<"numLibraryCalls", "library-calls", "factorisations, solves and FFTs">
  ];
}

def FormGemmsPass : Pass<"tandem-form-gemms", "mlir::ModuleOp"> {
  let summary = "turn products that a library does into tandem.gemm";
  let description = [{
    Requires: the state after phase 4.

    Ensures: every `dot_general` of float types that a library knows (GemmShape.h) and of
    more than kSmallProduct multiplies is in a `tandem.gemm`, in a form that the library
    reads in place. Operands that are transposes are read through where that form allows;
    where an operand's dimensions do not collapse, a `stablehlo.transpose` is put in front
    of it. A transpose of the result that only exchanges rows and columns goes: the operands
    are exchanged instead. `stablehlo.dot` becomes `dot_general`.

    Does not: touch integer, complex and small products, which kernels hold.

    Example:
    ```mlir
    // before
    %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %0 = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x8xf32>) -> tensor<64x8xf32>
    // after: %w is read as it lies
    %0 = tandem.gemm(%a = %x : tensor<64x16xf32>, %b = %w : tensor<8x16xf32>) -> tensor<64x8xf32> {
      %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : ...
      tandem.yield %1 : tensor<64x8xf32>
    }
    ```

    Cost: linear.
  }];
  let dependentDialects = ["tandem::TandemDialect", "mlir::stablehlo::StablehloDialect"];
  let statistics = [
    Statistic<"numGemms", "gemms", "products done by the library">,
    Statistic<"numFolded", "folded-transposes", "transposes that a product reads through or writes at once">,
    Statistic<"numInserted", "inserted-transposes", "transposes put in front of a product">
  ];
}

def FuseKernelsPass : Pass<"tandem-fuse-kernels", "mlir::ModuleOp"> {
  let summary = "group ops into kernels";
  let description = [{
    Requires: tandem-form-calls and tandem-form-gemms have run; no stablehlo control flow.

    Ensures: every op that a kernel can hold (KernelOps.h) and that lies directly in a
    function, loop or branch is in a `tandem.kernel`, constants apart that something else
    than a kernel uses. Elemental ops go where they are used; what is used in several
    kernels is rebuilt if that reads no more bytes than it saves, else written once, by
    the kernel of one of its users if that computes the same shape. `in_place` lists the
    operands that results may be written over. An `optimization_barrier` is a fence: no
    kernel spans it, no op is rebuilt across it; then it is dropped. The rules are
    numbered in FusionPlan.h, the limits are in FusionLimits.h.

    Does not: merge kernels that share only operands; join values whose producers wait
    for different futures, library calls or loops, unless one op needs both; reorder ops
    with side effects.

    Example:
    ```mlir
    // before
    %0 = stablehlo.add %x, %b : tensor<64x8xf32>
    %1 = stablehlo.maximum %0, %zeros : tensor<64x8xf32>
    // after
    %1 = tandem.kernel(%a = %x : tensor<64x8xf32>, %c = %b : tensor<64x8xf32>) -> tensor<64x8xf32>
        attributes {in_place = array<i64: 0, 0>} {
      %z = stablehlo.constant dense<0.0> : tensor<64x8xf32>
      %2 = stablehlo.add %a, %c : tensor<64x8xf32>
      %3 = stablehlo.maximum %2, %z : tensor<64x8xf32>
      tandem.yield %3 : tensor<64x8xf32>
    }
    ```

    Cost: linear in ops and uses, plus a search of at most kMaxSearch ops for each value
    that is written by a user's kernel.
  }];
  let dependentDialects = ["tandem::TandemDialect"];
  let statistics = [
    Statistic<"numKernels", "kernels", "kernels formed">,
    Statistic<"numFused", "fused", "ops in kernels">,
    Statistic<"numRebuilt", "rebuilt", "copies of ops beyond the first">,
    Statistic<"numInPlace", "in-place", "results that may be written over an operand">
  ];
}

def FormConstantsPass : Pass<"tandem-form-constants", "mlir::ModuleOp"> {
  let summary = "turn the remaining constants into tandem.constant";
  let description = [{
    Requires: tandem-fuse-kernels has run.

    Ensures: no `stablehlo.constant` is left outside of kernels and other regions.

    Does not: merge equal constants.

    Example: `stablehlo.constant dense<[1, 2]> : tensor<2xi32>` becomes
    `tandem.constant dense<[1, 2]> : tensor<2xi32>`.

    Cost: linear.
  }];
  let dependentDialects = ["tandem::TandemDialect"];
  let statistics = [Statistic<"numConstants", "constants", "constants in memory">];
}

def VerifyFusePass : Pass<"tandem-verify-fuse", "mlir::ModuleOp"> {
  let summary = "check the state after phase 5";
  let description = [{
    Requires: nothing.

    Ensures: every op directly in a function, loop or branch is a tandem op or
    `func.return`, kernels hold only what the kernel compiler knows, gemms only what the
    library reads; and of a kernel with several results, each waits for the same futures,
    loops, branches and library calls as all of them together, so that nothing waits for
    more than it needs. Otherwise an error on the op.

    Does not: change the module.

    Example: a kernel with results f(%done1) and g(%done2) is an error, "result 0 waits
    for what only result 1 needs".

    Cost: O(ops x events / 64) time and space per block.
  }];
}

#endif // TANDEM_PASSES_FUSE_PASSES
