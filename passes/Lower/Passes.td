// Passes that make the module ready for becoming a Program.
#ifndef TANDEM_PASSES_LOWER_PASSES
#define TANDEM_PASSES_LOWER_PASSES

include "mlir/Pass/PassBase.td"

def ShareKernelsPass : Pass<"tandem-share-kernels", "mlir::ModuleOp"> {
  let summary = "name structurally equal kernels alike";
  let description = [{
    Requires: the state after phase 6.

    Ensures: every `tandem.kernel` has a `symbol`; two have the same one exactly if they
    are structurally equal (tandem/Codegen/Kernels.h), so each is compiled once. Symbols
    are `k<N>_<first op>` in program order.

    Does not: change the order, buffers or streams.

    Example: the 24 identical activation kernels of an unrolled model all get
    `symbol = "k3_tanh"`.

    Cost: one hash per kernel, a comparison within equal hashes.
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "kernel ops">,
    Statistic<"numUnique", "unique-kernels", "kernels to compile">
  ];
}

def VerifyLowerPass : Pass<"tandem-verify-lower", "mlir::ModuleOp"> {
  let summary = "check that the module can become a Program";
  let description = [{
    Requires: the state after tandem-share-kernels.

    Ensures: one public function @main, every kernel has a symbol, every element type has
    a form in the Program, calls name a target.

    Does not: change the module.

    Example: a kernel without a symbol is an error.

    Cost: linear.
  }];
}

#endif // TANDEM_PASSES_LOWER_PASSES
