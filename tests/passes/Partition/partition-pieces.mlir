// What the per-device program does where an op works along a split dimension: no array is gathered.
// RUN: tandem-opt %s -split-input-file -tandem-propagate-shardings -tandem-partition -tandem-verify-partition -verify-diagnostics | FileCheck %s

// F18: two arrays are joined; each device gets what it has not got of its tile, in two rounds.
// CHECK-LABEL: @main
// CHECK-NOT: all_gather
// CHECK: %[[MINE:.*]] = stablehlo.concatenate %arg0, %arg1, dim = 0
// CHECK-COUNT-2: "stablehlo.collective_permute"
// CHECK-NOT: collective_permute
// CHECK: return {{.*}} : tensor<16x3xf32>
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<32x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg1: tensor<32x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<64x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) {
  %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<32x3xf32>, tensor<32x3xf32>) -> tensor<64x3xf32>
  return %0 : tensor<64x3xf32>
}

// -----

// F16: a row that one device owns, which leads its group.
// CHECK-LABEL: @main
// CHECK: %[[ROW:.*]] = stablehlo.slice %arg0 [1:2, 0:64] : (tensor<2x64xf32>) -> tensor<1x64xf32>
// CHECK: "stablehlo.collective_broadcast"(%[[ROW]])
// CHECK-SAME{LITERAL}: dense<[[2, 0, 1, 3]]>
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<1x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.slice %arg0 [5:6, 0:64] : (tensor<8x64xf32>) -> tensor<1x64xf32>
  return %0 : tensor<1x64xf32>
}

// -----

// F17: the first two of each part, then the first two of these. What is equal keeps its order.
// CHECK-LABEL: @main
// CHECK: %[[PART:.*]]:2 = "stablehlo.sort"(%arg0, {{.*}}is_stable = true
// CHECK: %[[FIRST:.*]] = stablehlo.slice %[[PART]]#0 [0:4, 0:2]
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%[[FIRST]]) <{all_gather_dim = 1
// CHECK: (tensor<4x2xf32>) -> tensor<4x8xf32>
// CHECK: "stablehlo.all_gather"
// CHECK: %[[SORTED:.*]]:2 = "stablehlo.sort"(%[[ALL]], {{.*}}is_stable = true
// CHECK: stablehlo.slice %[[SORTED]]#1 [0:4, 0:2]
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}]>}) -> (tensor<4x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %i = stablehlo.iota dim = 1 : tensor<4x64xi32>
  %0:2 = "stablehlo.sort"(%arg0, %i) <{dimension = 1 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4x64xf32>, tensor<4x64xi32>) -> (tensor<4x64xf32>, tensor<4x64xi32>)
  %2 = stablehlo.slice %0#1 [0:4, 0:2] : (tensor<4x64xi32>) -> tensor<4x2xi32>
  return %2 : tensor<4x2xi32>
}

// -----

// A10: the split moves to a dimension that is not sorted, and back.
// CHECK-LABEL: @main
// CHECK-NOT: all_gather
// CHECK: %[[T:.*]] = "stablehlo.all_to_all"(%arg0)
// CHECK: %[[S:.*]] = "stablehlo.sort"(%[[T]])
// CHECK: (tensor<64x4xf32>) -> tensor<64x4xf32>
// CHECK: "stablehlo.all_to_all"(%[[S]])
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) {
  %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<64x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

// F8: an index vector is a device's own if both its components are.
// CHECK-LABEL: @main
// CHECK-NOT: all_gather
// CHECK: stablehlo.and
// CHECK: "stablehlo.gather"(%arg0
// CHECK: "stablehlo.all_reduce"
// CHECK-SAME{LITERAL}: dense<[[0, 1, 2, 3]]>
sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%arg0: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, %arg1: tensor<3x2xi32>) -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<64x64xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// F3: each device has whole groups of features.
// CHECK-LABEL: @main
// CHECK-NOT: all_gather
// CHECK: stablehlo.convolution
// CHECK-SAME: feature_group_count = 2
// CHECK-SAME: -> tensor<2x6x4xf32>
sdy.mesh @mesh = <["d"=2]>
func.func @main(%arg0: tensor<2x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"d"}]>}, %arg1: tensor<3x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"d"}]>}) -> (tensor<2x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"d"}]>}) {
  %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x8x16xf32>, tensor<3x4x8xf32>) -> tensor<2x6x8xf32>
  return %0 : tensor<2x6x8xf32>
}

// -----

// F11: windows that lie side by side stay where they are.
// CHECK-LABEL: @main
// CHECK-NOT: all_gather
// CHECK: "stablehlo.select_and_scatter"
// CHECK: (tensor<4x3xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x3xf32>
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg1: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %z) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = stablehlo.compare GE, %l, %r, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16x3xf32>, tensor<8x3xf32>, tensor<f32>) -> tensor<16x3xf32>
  return %0 : tensor<16x3xf32>
}

// -----

// F19: a cumulative sum of each part; of the other parts one row.
// CHECK-LABEL: @main
// CHECK-NOT: collective_permute
// CHECK: %[[SUMS:.*]] = "stablehlo.reduce_window"(%arg0, {{.*}}padding = dense<{{\[\[}}255, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 256, 1>
// CHECK: %[[ROW:.*]] = stablehlo.slice %[[SUMS]] [255:256, 0:8]
// CHECK: %[[ROWS:.*]] = "stablehlo.all_gather"(%[[ROW]])
// CHECK: stablehlo.compare LT
// CHECK: stablehlo.select {{.*}}, %[[ROWS]]
// CHECK: stablehlo.reduce
// CHECK: stablehlo.add %[[SUMS]]
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<1024x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<1024x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%arg0, %z) <{padding = dense<[[1023, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1024, 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1024x8xf32>, tensor<f32>) -> tensor<1024x8xf32>
  return %0 : tensor<1024x8xf32>
}
