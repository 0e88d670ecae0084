// Clean-ups used by several phases. They never merge or hoist: merging would undo
// checkpoints, hoisting would lengthen live ranges.
#ifndef TANDEM_PASSES_SIMPLIFY
#define TANDEM_PASSES_SIMPLIFY

include "mlir/Pass/PassBase.td"

def RemoveIdentitiesPass : Pass<"tandem-remove-identities", "mlir::ModuleOp"> {
  let summary = "drop ops that return their operand, and ops nobody needs";
  let description = [{
    Front ends write conversions to the same type, reshapes to the same shape and helper
    results nobody reads.

    Requires: nothing.
    Ensures: no convert, reshape, broadcast_in_dim or transpose that is an identity; no
      unused op without side effects; loops and branches keep their results.
    Does not: fold constants, merge equal ops, move anything, or touch an
      optimization_barrier and what it fences.

    Example: before
      %1 = stablehlo.convert %0 : tensor<4xf32>
      %2 = stablehlo.add %1, %1 : tensor<4xf32>
    after
      %2 = stablehlo.add %0, %0 : tensor<4xf32>

    Cost: linear.
  }];
  let statistics = [
    Statistic<"numIdentities", "identities", "identity ops removed">,
    Statistic<"numDead", "dead", "unused ops removed">
  ];
}

#endif  // TANDEM_PASSES_SIMPLIFY
