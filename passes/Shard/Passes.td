// Phase 2: a sharding for every value.
#ifndef TANDEM_PASSES_SHARD
#define TANDEM_PASSES_SHARD

include "mlir/Pass/PassBase.td"

def SplitConstantsPass : Pass<"tandem-split-constants", "mlir::ModuleOp"> {
  let summary = "give each use of a constant its own, so that shardings do not leak through it";
  let description = [{
    A constant, an iota, or a broadcast of one is cheaper to make again than to reshard. If
    two users share one, propagation would tie their shardings together.

    Requires: nothing. Does nothing without a mesh or with `tandem.unpartitioned`.
    Ensures: constants, iotas and broadcasts of them, of rank one or more, have one use.
    Does not: touch scalars; hoist; change values.

    Example: before
      %z = stablehlo.broadcast_in_dim %zero, dims = []      // two uses
      %0 = stablehlo.add %a, %z
      %1 = stablehlo.add %b, %z
    after
      %z = ... ; %z1 = ...
      %0 = stablehlo.add %a, %z
      %1 = stablehlo.add %b, %z1

    Cost: linear in the number of uses.
  }];
  let statistics = [Statistic<"numClones", "clones", "constant ops cloned">];
}

def PropagateShardingsPass : Pass<"tandem-propagate-shardings", "mlir::ModuleOp"> {
  let summary = "propagate shardings to every value";
  let description = [{
    Factor rules per op, applied to a fixpoint in three stages (see
    tandem/Sharding/Propagation.h). What the user gave is kept: closed dimensions exactly,
    open ones may be split further. Arguments and results without a sharding take what
    propagation gives them, or are replicated; an argument and the result that overwrites it
    (`tf.aliasing_output`) are sharded alike. Priorities are obeyed. When arguments are donated,
    a second propagation lets the others lead; it is taken if its estimated cost in bytes sent
    is at least 5 % lower.

    Requires: phase 1. Does nothing without a mesh of several devices or with
      `tandem.unpartitioned`.
    Ensures: every value outside reducer bodies has an `sdy.sharding`, closed. The borders of
      manual computations are divided evenly, others have no tile of less than one element; a
      remark names every given sharding that had to be cut down for this.
    Does not: change ops; insert reshards; resolve conflicts by cost (the partitioner does).

    Example: before
      func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {} ]>})
      %0 = stablehlo.tanh %x : tensor<8x4xf32>
    after
      %0 = stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"d"}, {} ]>]>}

    Cost: sweeps times ops; sweeps are the longest chain a sharding travels backwards.
  }];
  let statistics = [
    Statistic<"numSweeps", "sweeps", "sweeps over the function">,
    Statistic<"numDataFirst", "data-first", "functions in which data led parameters">,
    Statistic<"numSharded", "sharded", "values that are split">
  ];
}

def PadUnevenPass : Pass<"tandem-pad-uneven", "mlir::ModuleOp"> {
  let summary = "pad values to the size that their sharding divides";
  let description = [{
    A dimension of 7 that is split in 4 becomes one of 8. What lies behind a dimension's elements
    is undefined. Ops that would read it (sums, windows, indices) mask or clamp; ops that must see
    the true size (a sorted or joined dimension, a reshape that splits it) read the value cut to
    it (see passes/Shard/UnevenPadder.h).

    Requires: `tandem-propagate-shardings`. Does nothing without a mesh of several devices, with
      `tandem.unpartitioned`, or where every sharding divides.
    Ensures: every sharding divides its value evenly. Arguments and results of @main that are padded
      have their own type in `tandem.global_type`.
    Does not: change shardings, other than of ops that must see the true size.

    Example: before, with "d"=4
      %0 = stablehlo.tanh %x {split} : tensor<7xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
    after
      %0 = stablehlo.tanh %x {split} : tensor<8xf32>
      %m = select(iota < 7, %0, 0)
      %1 = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0]

    Cost: linear.
  }];
  let statistics = [
    Statistic<"numPadded", "padded", "values padded">,
    Statistic<"numCut", "cut", "operands cut to their true size">
  ];
}

def VerifyShardPass : Pass<"tandem-verify-shard", "mlir::ModuleOp"> {
  let summary = "check what phase 2 promises";
  let description = [{
    Requires: nothing.
    Ensures: in a module with a mesh of several devices (and without
      `tandem.unpartitioned`), every value outside reducer bodies has a closed sharding that
      divides it evenly.
    Does not: change the module.
    Example: an op without `sdy.sharding` gives "result has no sharding after phase shard".
    Cost: linear.
  }];
}

#endif  // TANDEM_PASSES_SHARD
