// The per-device program: local shapes, the collectives each case needs and no other.
// RUN: tandem-opt %s -split-input-file -tandem-propagate-shardings -tandem-partition -tandem-verify-partition -verify-diagnostics | FileCheck %s

// A contraction split on both sides: partial sums, one all-reduce.
// CHECK-LABEL: @main
// CHECK-SAME: %arg0: tensor<2x16xf32> {tandem.global_type = tensor<8x16xf32>, tandem.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}
// CHECK-SAME: -> (tensor<16x4xf32> {tandem.global_type = tensor<16x4xf32>
// CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general {{.*}} -> tensor<16x4xf32>
// CHECK-NEXT: %[[R:.*]] = "stablehlo.all_reduce"(%[[P]])
// CHECK-SAME{LITERAL}: dense<[[0, 1, 2, 3]]>
// CHECK: stablehlo.add
// CHECK: return %[[R]]
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>},
                %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// -----

// The same, with a result that is split anyway: one reduce-scatter.
// CHECK-LABEL: @main
// CHECK: "stablehlo.reduce_scatter"
// CHECK-SAME: scatter_dimension = 1
// CHECK-NOT: all_reduce
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>},
                %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}]>}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// -----

// Weights split like the batch are gathered once, for both users.
// CHECK-LABEL: @main
// CHECK: %[[W:.*]] = "stablehlo.all_gather"(%arg1)
// CHECK: stablehlo.dot_general %arg0, %[[W]]
// CHECK: stablehlo.dot_general %{{.*}}, %[[W]]
// CHECK-NOT: all_gather
// CHECK: return
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>},
                %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0] : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
  return %1 : tensor<64x8xf32>
}

// -----

// Constraints: slice, then all-to-all, then gather.
// CHECK-LABEL: @main
// CHECK-DAG: stablehlo.partition_id
// CHECK: %[[S:.*]] = stablehlo.dynamic_slice %arg0, {{.*}} sizes = [2, 8]
// CHECK: %[[T:.*]] = "stablehlo.all_to_all"(%[[S]])
// CHECK-SAME: concat_dimension = 0
// CHECK-SAME: split_dimension = 1
// CHECK-SAME: -> tensor<8x2xf32>
// CHECK: %[[G:.*]] = "stablehlo.all_gather"(%[[T]]) <{all_gather_dim = 1
// CHECK: return %[[G]] : tensor<8x8xf32>
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"d"}, {}]> : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"d"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// Swapped axes of one size: devices exchange tiles.
// CHECK-LABEL: @main
// CHECK: "stablehlo.collective_permute"(%arg0)
// CHECK-SAME{LITERAL}: dense<[[0, 0], [2, 1], [1, 2], [3, 3]]>
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>}) {
  return %arg0 : tensor<8x8xf32>
}

// -----

// Splat constants shrink, others are sliced by device, iotas get an offset.
// CHECK-LABEL: @main
// CHECK-DAG: stablehlo.constant dense<2.000000e+00> : tensor<2xf32>
// CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<4xf32>
// CHECK-DAG: stablehlo.dynamic_slice %[[C]], {{.*}} sizes = [2]
// CHECK-DAG: %[[I:.*]] = stablehlo.iota dim = 0 : tensor<2xf32>
// CHECK-DAG: stablehlo.add %[[I]], %{{.*}} : tensor<2xf32>
sdy.mesh @mesh = <["d"=2]>
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) {
  %splat = stablehlo.constant dense<2.0> : tensor<4xf32>
  %list = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %iota = stablehlo.iota dim = 0 : tensor<4xf32>
  %0 = stablehlo.add %arg0, %splat : tensor<4xf32>
  %1 = stablehlo.add %0, %list : tensor<4xf32>
  %2 = stablehlo.add %1, %iota : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// An initial value that is not neutral is counted once, after the all-reduce.
// CHECK-LABEL: @main
// CHECK: %[[Z:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[L:.*]] = stablehlo.reduce(%arg0 init: %[[Z]])
// CHECK: %[[R:.*]] = "stablehlo.all_reduce"(%[[L]])
// CHECK: stablehlo.add %[[R]], %arg1
sdy.mesh @mesh = <["d"=2]>
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, %arg1: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A maximum may start from any initial value on every device.
// CHECK-LABEL: @main
// CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.maximum
// CHECK-NOT: stablehlo.maximum
sdy.mesh @mesh = <["d"=2]>
func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, %arg1: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Look-up in a table split by rows: own rows or zero, then a sum.
// CHECK-LABEL: @main
// CHECK: stablehlo.subtract
// CHECK: %[[G:.*]] = "stablehlo.gather"(%arg0
// CHECK: %[[S:.*]] = stablehlo.select %{{.*}}, %[[G]], %{{.*}} : tensor<3x2xi1>, tensor<3x2xf32>
// CHECK: "stablehlo.all_reduce"(%[[S]])
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<64x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg1: tensor<3x1xi32>) -> tensor<3x2xf32> {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<64x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// Scatter-add of split updates: all but one device of a group start from zero.
// CHECK-LABEL: @main
// CHECK: %[[Z:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4x2xf32>
// CHECK: %[[O:.*]] = stablehlo.select %{{.*}}, %arg0, %[[Z]] : tensor<i1>, tensor<4x2xf32>
// CHECK: "stablehlo.scatter"(%[[O]]
// CHECK: "stablehlo.all_reduce"
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %arg1: tensor<64x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>},
                %arg2: tensor<64x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x2xf32>, tensor<64x1xi32>, tensor<64x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// A sort along a split dimension: gathered, computed everywhere, cut again; with a remark.
// CHECK-LABEL: @main
// CHECK: %[[G:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK: %[[S:.*]] = "stablehlo.sort"(%[[G]])
// CHECK: stablehlo.dynamic_slice %[[S]]
sdy.mesh @mesh = <["d"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) {
  // expected-remark @+1 {{operands are gathered because stablehlo.sort needs dimension 0 whole: 16 bytes received by each device}}
  %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A8: one remark for each cause.
// CHECK-LABEL: @main
// CHECK: "stablehlo.all_gather"
// CHECK: stablehlo.custom_call @f(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
sdy.mesh @mesh = <["d"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  // expected-remark @+1 {{operands are gathered because stablehlo.custom_call @f has no sharding rule: 32 bytes received by each device, at 2 places}}
  %0 = stablehlo.custom_call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  // expected-note @+1 {{and here}}
  %1 = stablehlo.custom_call @f(%arg1) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Sums in f32 on request.
// CHECK-LABEL: @main
// CHECK: stablehlo.convert {{.*}} -> tensor<f32>
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<f32>) -> tensor<f32>
// CHECK: stablehlo.convert {{.*}} -> tensor<bf16>
module attributes {tandem.reduction_dtype = "f32"} {
  sdy.mesh @mesh = <["d"=2]>
  func.func @main(%arg0: tensor<8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) -> tensor<bf16> {
    %cst = stablehlo.constant dense<0.0> : tensor<bf16>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8xbf16>, tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
}

// -----

// Device ids of the mesh: groups name them, and coordinates come from a table.
// CHECK-LABEL: @main
// CHECK-DAG: stablehlo.constant dense<[3, 2, 1, 0]> : tensor<4xi32>
// CHECK-DAG: stablehlo.dynamic_slice
// CHECK: "stablehlo.all_gather"
// CHECK-SAME{LITERAL}: dense<[[3, 2], [1, 0]]>
sdy.mesh @mesh = <["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  return %arg0 : tensor<8x8xf32>
}

// -----

// The sum of two sums over devices is summed over devices once (A5).
// CHECK-LABEL: @main
// CHECK: %[[A:.*]] = stablehlo.dot_general
// CHECK: %[[B:.*]] = stablehlo.dot_general
// CHECK: %[[C:.*]] = stablehlo.add %[[A]], %[[B]]
// CHECK: "stablehlo.all_reduce"(%[[C]])
// CHECK-NOT: stablehlo.all_reduce
// CHECK: return
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}]>},
                %arg1: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.tanh %arg0 : tensor<8x16xf32>
  %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.add %0, %2 : tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// -----

// Not when one of them has another user.
// CHECK-LABEL: @main
// CHECK-COUNT-2: "stablehlo.all_reduce"
// CHECK-NOT: stablehlo.all_reduce
// CHECK: return
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}]>},
                %arg1: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.tanh %arg0 : tensor<8x16xf32>
  %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.add %0, %2 : tensor<8x4xf32>
  %4 = stablehlo.multiply %3, %0 : tensor<8x4xf32>
  return %4 : tensor<8x4xf32>
}

// -----

// Shardings and rules inside reducers go as well.
// CHECK-LABEL: @main
// CHECK-NOT: sharding_rule
// CHECK: return
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%arg0, %zero) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b {sdy.sharding_rule = #sdy.op_sharding_rule<([], [])->([])>} : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// F4: of several arrays reduced at once along a split dimension, devices gather their answers.
// CHECK-LABEL: @main
// CHECK: %[[PART:.*]]:2 = stablehlo.reduce({{.*}} across dimensions = [0] : (tensor<16x2xi32>,
// CHECK: "stablehlo.all_gather"({{.*}} : (tensor<1x2xi32>) -> tensor<4x2xi32>
// CHECK: "stablehlo.all_gather"({{.*}} : (tensor<1x2xi32>) -> tensor<4x2xi32>
// CHECK: %[[ALL:.*]]:2 = stablehlo.reduce({{.*}} across dimensions = [0] : (tensor<4x2xi32>,
// CHECK: return %[[ALL]]#0, %[[ALL]]#1
sdy.mesh @mesh = <["d"=4]>
func.func @main(%a: tensor<64x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %b: tensor<64x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>})
    -> (tensor<2xi32>, tensor<2xi32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%a init: %z), (%b init: %z) across dimensions = [0] : (tensor<64x2xi32>, tensor<64x2xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
     reducer(%v: tensor<i32>, %w: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %s = stablehlo.xor %v, %w : tensor<i32>
    %t = stablehlo.maximum %i, %j : tensor<i32>
    stablehlo.return %s, %t : tensor<i32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<2xi32>, tensor<2xi32>
}

// -----

// M5: the border of a manual computation divides evenly.
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<8x3xf32>) -> tensor<8x3xf32> {
  // expected-error @+1 {{in_sharding of operand 0: the size 3 of dimension 1 is not divisible by the 2 parts along axis "y"; pad the array to a multiple of 2, or leave the axis out}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x3xf32>) {
    sdy.return %b : tensor<2x3xf32>
  } : (tensor<8x3xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}
