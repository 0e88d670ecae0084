// Results put together of pieces of all devices' parts, as on one device: joins along a split
// dimension (F18), the first elements of a sort with their ties (F17), what one device owns (F16),
// sorts whose split moves to another dimension (A10), index vectors of several components (F8, F9),
// groups of a convolution (F3), windows side by side (F11), cumulative sums (F19). No array is gathered but the candidates
// of the top_k.
// RUN: tandem run %s --unpartitioned --outputs %t.npz
// RUN: tandem run %s --expect %t.npz | FileCheck %s
// CHECK: 18 of 18 results agree
// RUN: tandem explain --comm %s | FileCheck %s --check-prefix=COMM
// COMM-DAG: all-gather of the first elements of each part of a sort
// COMM-DAG: all-gather of what each part of a cumulative reduction adds
// COMM-NOT: all-gather of a value
// RUN: tandem run %s --expect %t.npz --mesh x=2,y=2
// RUN: tandem run %s --expect %t.npz --mesh x=1,y=2
// RUN: tandem run %s --expect %t.npz --mesh x=8,y=1
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(
    %a: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %row: tensor<1x6xf32>,
    %k: tensor<2x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
    %s: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %u: tensor<13x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %t: tensor<16x8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>},
    %i: tensor<5x2xi32>,
    %image: tensor<4x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>},
    %kernel: tensor<3x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>})
    -> (tensor<24x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<32x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<17x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<2x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
        tensor<2x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
        tensor<2x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
        tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<1x8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>},
        tensor<1x1x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>},
        tensor<5x3xf32>,
        tensor<16x8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>},
        tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>},
        tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<13x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // Two arrays of different sizes, two of the same, the end in front of the beginning, a row in front.
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<16x6xf32>, tensor<8x6xf32>) -> tensor<24x6xf32>
  %1 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<32x6xf32>
  %end = stablehlo.slice %a [15:16, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
  %start = stablehlo.slice %a [0:15, 0:6] : (tensor<16x6xf32>) -> tensor<15x6xf32>
  %2 = stablehlo.concatenate %end, %start, dim = 0 : (tensor<1x6xf32>, tensor<15x6xf32>) -> tensor<16x6xf32>
  %3 = stablehlo.concatenate %row, %a, dim = 0 : (tensor<1x6xf32>, tensor<16x6xf32>) -> tensor<17x6xf32>
  // Of remainders by three, many are equal; k more than a device has.
  %three = stablehlo.constant dense<3> : tensor<2x16xi32>
  %ties = stablehlo.remainder %k, %three : tensor<2x16xi32>
  %4, %5 = chlo.top_k(%ties, k = 3) : tensor<2x16xi32> -> (tensor<2x3xi32>, tensor<2x3xi32>)
  %v, %6 = chlo.top_k(%k, k = 6) : tensor<2x16xi32> -> (tensor<2x6xi32>, tensor<2x6xi32>)
  // A sort along the split dimension.
  %7 = "stablehlo.sort"(%s) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %c = stablehlo.compare LT, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) : (tensor<16x8xf32>) -> tensor<16x8xf32>
  // One row, of one device; a part of one device of both dimensions.
  %8 = stablehlo.slice %t [9:10, 0:8, 0:3] : (tensor<16x8x3xf32>) -> tensor<1x8x3xf32>
  %9 = stablehlo.slice %t [6:7, 5:6, 0:3] : (tensor<16x8x3xf32>) -> tensor<1x1x3xf32>
  // Points of two split dimensions, some out of range.
  %ten = stablehlo.constant dense<19> : tensor<5x2xi32>
  %at = stablehlo.remainder %i, %ten : tensor<5x2xi32>
  %10 = "stablehlo.gather"(%t, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<16x8x3xf32>, tensor<5x2xi32>) -> tensor<5x3xf32>
  %11 = "stablehlo.scatter"(%t, %at, %10) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %sum = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<16x8x3xf32>, tensor<5x2xi32>, tensor<5x3xf32>) -> tensor<16x8x3xf32>
  %12 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<4x8x16xf32>, tensor<3x4x8xf32>) -> tensor<4x6x8xf32>
  %grads = stablehlo.slice %s [0:8, 0:4] : (tensor<16x8xf32>) -> tensor<8x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %13 = "stablehlo.select_and_scatter"(%s, %grads, %zero) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %c = stablehlo.compare GE, %l, %r, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }, {
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %sum = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<16x8xf32>, tensor<8x4xf32>, tensor<f32>) -> tensor<16x8xf32>
  // Sums of all rows up to each and from each on, along both dimensions, where rows do not divide,
  // and the largest.
  %14 = "stablehlo.reduce_window"(%s, %zero) <{padding = dense<[[15, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 16, 1>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %sum = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  %15 = "stablehlo.reduce_window"(%s, %zero) <{padding = dense<[[0, 15], [7, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 16, 8>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %sum = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  %16 = "stablehlo.reduce_window"(%u, %zero) <{padding = dense<[[0, 12], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 13, 1>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %sum = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<13x8xf32>, tensor<f32>) -> tensor<13x8xf32>
  %17 = "stablehlo.reduce_window"(%s, %zero) <{padding = dense<[[15, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 16, 1>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %most = stablehlo.maximum %l, %r : tensor<f32>
      stablehlo.return %most : tensor<f32>
    }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16x8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17 : tensor<24x6xf32>, tensor<32x6xf32>, tensor<16x6xf32>, tensor<17x6xf32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x6xi32>, tensor<16x8xf32>, tensor<1x8x3xf32>, tensor<1x1x3xf32>, tensor<5x3xf32>, tensor<16x8x3xf32>, tensor<4x6x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<13x8xf32>, tensor<16x8xf32>
}
