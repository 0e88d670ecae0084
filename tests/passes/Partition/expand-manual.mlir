// The whole program on one device: shards as clones, collectives among them.
// RUN: tandem-opt %s -split-input-file -tandem-expand-manual -tandem-remove-identities -tandem-verify-partition | FileCheck %s

// Sums are folded in group order; both shards share the total.
// CHECK-LABEL: @main
// CHECK-SAME: %arg0: tensor<4xf32> {tandem.global_type = tensor<4xf32>}
// CHECK-NEXT: %[[A:.*]] = stablehlo.slice %arg0 [0:2]
// CHECK-NEXT: %[[B:.*]] = stablehlo.slice %arg0 [2:4]
// CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[A]], %[[B]] : tensor<2xf32>
// CHECK-NEXT: %[[X:.*]] = stablehlo.subtract %[[A]], %[[S]]
// CHECK-NEXT: %[[Y:.*]] = stablehlo.subtract %[[B]], %[[S]]
// CHECK-NEXT: %[[R:.*]] = stablehlo.concatenate %[[X]], %[[Y]], dim = 0
// CHECK-NEXT: return %[[R]]
module attributes {tandem.unpartitioned} {
  sdy.mesh @mesh = <["d"=2]>
  func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) -> tensor<4xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"d"}]>] out_shardings=[<@mesh, [{"d"}]>] manual_axes={"d"} (%arg1: tensor<2xf32>) {
      %1 = "stablehlo.all_reduce"(%arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %3 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %3 : tensor<f32>
      }) : (tensor<2xf32>) -> tensor<2xf32>
      %2 = stablehlo.subtract %arg1, %1 : tensor<2xf32>
      sdy.return %2 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// Each shard is told who it is; a permute hands values on, zero where nothing comes.
// CHECK-LABEL: @main
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<ui32>
// CHECK: %[[R:.*]] = stablehlo.reshape %[[ONE]]
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<1xui32>
// CHECK: stablehlo.concatenate %[[R]], %[[ZERO]], dim = 0
module attributes {tandem.unpartitioned} {
  sdy.mesh @mesh = <["d"=2]>
  func.func @main() -> tensor<2xui32> {
    %0 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{"d"}]>] manual_axes={"d"} () {
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.reshape %1 : (tensor<ui32>) -> tensor<1xui32>
      %3 = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<1xui32>) -> tensor<1xui32>
      sdy.return %3 : tensor<1xui32>
    } : () -> tensor<2xui32>
    return %0 : tensor<2xui32>
  }
}

// -----

// Gather, scatter and exchange over the columns of a 2x2 mesh.
// CHECK-LABEL: @main
// CHECK-NOT: stablehlo.all_
// CHECK-NOT: stablehlo.reduce_scatter
// CHECK: stablehlo.concatenate
// CHECK: return
module attributes {tandem.unpartitioned} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {"b"}]>] out_shardings=[<@mesh, [{"a"}, {"b"}]>] manual_axes={"a", "b"} (%arg1: tensor<4x2xf32>) {
      %1 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<4x2xf32>) -> tensor<8x2xf32>
      %2 = "stablehlo.reduce_scatter"(%1) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %4 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }) : (tensor<8x2xf32>) -> tensor<4x2xf32>
      %3 = "stablehlo.all_to_all"(%2) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
      sdy.return %3 : tensor<4x2xf32>
    } : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}

// -----

// A loop with a collective is one loop over the state of both shards.
// CHECK-LABEL: @main
// CHECK: %{{.*}}:2 = stablehlo.while(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) : tensor<2xf32>, tensor<2xf32>
// CHECK: cond {
// CHECK: stablehlo.maximum
// CHECK: } do {
// CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<2xf32>, tensor<2xf32>
// CHECK: stablehlo.concatenate
module attributes {tandem.unpartitioned} {
  sdy.mesh @mesh = <["d"=2]>
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"d"}]>] out_shardings=[<@mesh, [{"d"}]>] manual_axes={"d"} (%arg1: tensor<2xf32>) {
      %1 = stablehlo.while(%iterArg = %arg1) : tensor<2xf32>
      cond {
        %one = stablehlo.constant dense<1.0> : tensor<f32>
        %2 = "stablehlo.all_reduce"(%iterArg) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %5 = stablehlo.maximum %a, %b : tensor<f32>
          stablehlo.return %5 : tensor<f32>
        }) : (tensor<2xf32>) -> tensor<2xf32>
        %3 = stablehlo.reduce(%2 init: %one) applies stablehlo.maximum across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
        %4 = stablehlo.compare GT, %3, %one, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %4 : tensor<i1>
      } do {
        %half = stablehlo.constant dense<0.5> : tensor<2xf32>
        %2 = stablehlo.multiply %iterArg, %half : tensor<2xf32>
        stablehlo.return %2 : tensor<2xf32>
      }
      sdy.return %1 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// Sums of narrow floats are formed in f32 and rounded once, as a collective does; a maximum is not.
// CHECK-LABEL: @main
// CHECK: %[[A:.*]] = stablehlo.convert %{{.*}} : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK: %[[B:.*]] = stablehlo.convert %{{.*}} : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK: %[[SUM:.*]] = stablehlo.add %[[A]], %[[B]] : tensor<2xf32>
// CHECK: stablehlo.convert %[[SUM]] : (tensor<2xf32>) -> tensor<2xbf16>
// CHECK: stablehlo.maximum {{.*}} : tensor<2xbf16>
module attributes {tandem.unpartitioned} {
  sdy.mesh @mesh = <["d"=2]>
  func.func @main(%arg0: tensor<4xbf16>) -> tensor<4xbf16> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"d"}]>] out_shardings=[<@mesh, [{"d"}]>] manual_axes={"d"} (%arg1: tensor<2xbf16>) {
      %1 = "stablehlo.all_reduce"(%arg1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
      ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
        %3 = stablehlo.add %a, %b : tensor<bf16>
        stablehlo.return %3 : tensor<bf16>
      }) : (tensor<2xbf16>) -> tensor<2xbf16>
      %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
      ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
        %3 = stablehlo.maximum %a, %b : tensor<bf16>
        stablehlo.return %3 : tensor<bf16>
      }) : (tensor<2xbf16>) -> tensor<2xbf16>
      sdy.return %2 : tensor<2xbf16>
    } : (tensor<4xbf16>) -> tensor<4xbf16>
    return %0 : tensor<4xbf16>
  }
}

// -----

// A module with no mesh, or one device, goes the same way.
// CHECK: module attributes {tandem.num_devices = 1 : i64}
// CHECK-NOT: sdy
// CHECK: return %arg0
sdy.mesh @mesh = <["d"=1]>
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) -> tensor<4xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"d"}]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
