// Ops that read or write ranges of a split dimension: the same as on one device, and what is sent
// are the neighbours' elements, never whole arrays (all but the slice and the pad move one tile at
// most: 16x6 f32 in 4 tiles of 96 bytes).
// RUN: tandem run %s --unpartitioned --outputs %t.npz
// RUN: tandem run %s --expect %t.npz | FileCheck %s
// CHECK: 9 of 9 results agree
// CHECK: 1 all-reduce of f32, 36 wire bytes per device
// CHECK-NEXT: collective-permute of f32, {{[0-9]+}}
// CHECK-NOT: all-gather
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(
    %a: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<i32>,
    %u: tensor<5x6xf32>,
    %image: tensor<2x16x8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>},
    %k: tensor<3x3x3x5xf32>)
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<20x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<1x6xf32>,
        tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<2x16x8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>},
        tensor<2x8x4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>},
        tensor<2x16x8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>}) {
  %0 = stablehlo.slice %a [3:11, 0:6] : (tensor<16x6xf32>) -> tensor<8x6xf32>
  %z = stablehlo.constant dense<7.0> : tensor<f32>
  %1 = stablehlo.pad %a, %z, low = [1, 0], high = [3, 0], interior = [0, 0] : (tensor<16x6xf32>, tensor<f32>) -> tensor<20x6xf32>
  %2 = stablehlo.reverse %a, dims = [0] : tensor<16x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = "stablehlo.reduce_window"(%a, %zero) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<16x6xf32>, tensor<f32>) -> tensor<16x6xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %4 = stablehlo.dynamic_slice %a, %i, %c, sizes = [1, 6] : (tensor<16x6xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
  %5 = stablehlo.dynamic_update_slice %a, %u, %i, %c : (tensor<16x6xf32>, tensor<5x6xf32>, tensor<i32>, tensor<i32>) -> tensor<16x6xf32>
  %6 = stablehlo.convolution(%image, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<2x16x8x5xf32>
  %7 = stablehlo.convolution(%image, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<2x8x4x5xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %8 = "stablehlo.reduce_window"(%image, %low) <{padding = dense<[[0, 0], [2, 0], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 2, 1>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.maximum %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x16x8x3xf32>, tensor<f32>) -> tensor<2x16x8x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<8x6xf32>, tensor<20x6xf32>, tensor<16x6xf32>, tensor<16x6xf32>, tensor<1x6xf32>, tensor<16x6xf32>, tensor<2x16x8x5xf32>, tensor<2x8x4x5xf32>, tensor<2x16x8x3xf32>
}
