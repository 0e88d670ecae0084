// Phase 3: from one global program to what each device runs.
#ifndef TANDEM_PASSES_PARTITION
#define TANDEM_PASSES_PARTITION

include "mlir/Pass/PassBase.td"

def ExpandManualPass : Pass<"tandem-expand-manual", "mlir::ModuleOp"> {
  let summary = "make a module that runs whole on one device";
  let description = [{
    The oracle of every partitioned run: with `tandem.unpartitioned`, or without a mesh of
    several devices, shardings are dropped and each manual computation is cloned once per
    shard, collectives becoming local ops over the clones: all_reduce folds in group order,
    all_gather concatenates, and so on. A loop or branch that holds collectives becomes one
    over the state of all shards, in lock-step, its condition that of shard 0.

    Requires: phase 2 (which does nothing in this case).
    Ensures: no sdy op or attribute, no collective, no partition_id; arguments and results
      carry `tandem.global_type`; `tandem.num_devices` is 1.
    Does not: anything in a module that is to be partitioned.

    Example: before
      %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{"d"} ]>] out_shardings=[<@m, []>]
           manual_axes={"d"} (%a: tensor<4xf32>) { sum, "stablehlo.all_reduce" }
    after (d = 2)
      %a0 = slice %x [0:4], %a1 = slice %x [4:8], sums, add

    Cost: the number of shards times the bodies.
  }];
  let dependentDialects = ["mlir::stablehlo::StablehloDialect"];
  let statistics = [
    Statistic<"numManual", "manual", "manual computations expanded">,
    Statistic<"numCollectives", "collectives", "collectives made local">
  ];
}

def PartitionPass : Pass<"tandem-partition", "mlir::ModuleOp"> {
  let summary = "rewrite @main into the per-device program";
  let description = [{
    For each op the cheapest assignment of mesh axes to its factors is chosen
    (tandem/Sharding/Assignment.h); operands are resharded to it, the op is rewritten to
    local shapes, partial results are combined.

    Requires: phase 2: a sharding for every value.
    Ensures: all shapes local; the only sdy ops are meshes; collectives are stablehlo ops with
      explicit groups of device ids; every op it makes has a cause; arguments and results
      carry `tandem.global_type` and `tandem.sharding`. An op computed on every device for
      lack of a usable rule gets a remark with its cost.
    Does not: overlap, combine or reorder; pad dimensions that do not divide.

    Example (data=8): before
      %0 = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0]
           : (tensor<64x16xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>   // 0 is split
    after
      %0 = stablehlo.dot_general ... : (tensor<8x16xf32>, tensor<8x32xf32>) -> tensor<16x32xf32>
      %1 = "stablehlo.all_reduce"(%0) ...

    Cost: linear in ops; quadratic in the number of operands of one op.
  }];
  let dependentDialects = ["mlir::stablehlo::StablehloDialect", "tandem::TandemDialect"];
  let statistics = [
    Statistic<"numCollectives", "collectives", "collectives inserted">,
    Statistic<"numReplicated", "replicated", "places where operands are gathered for lack of a rule">
  ];
}

def VerifyPartitionPass : Pass<"tandem-verify-partition", "mlir::ModuleOp"> {
  let summary = "check what phase 3 promises";
  let description = [{
    Requires: nothing.
    Ensures: no sdy op but meshes, no sdy attribute on ops or arguments; arguments and
      results have `tandem.global_type`, their local types following from
      `tandem.sharding`; groups of collectives name existing devices, each at most once.
    Does not: change the module.
    Example: a left-over sdy.sharding_constraint gives "sdy ops must be gone after phase
      partition".
    Cost: linear.
  }];
}

#endif  // TANDEM_PASSES_PARTITION
