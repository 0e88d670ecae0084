// Dimensions that do not divide (rule M5): the same as on one device, arguments and results
// included, and no more is sent than where they do. Behind the last elements lie infinities and
// NaN (log of the padding, 0/0), which must not be seen.
// RUN: tandem run %s --unpartitioned --outputs %t.npz
// RUN: tandem run %s --expect %t.npz --steps 2 | FileCheck %s
// CHECK: 8 of 8 results agree
// CHECK-NOT: all-gather
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(
    %a: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %i: tensor<3x1xi32>, %at: tensor<i32>)
    -> (tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
        tensor<5xf32>, tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<3x5xf32>, tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<i32>) {
  %abs = stablehlo.abs %a : tensor<7x5xf32>
  %log = stablehlo.log %abs : tensor<7x5xf32>
  // A contraction and a maximum over a padded dimension.
  %0 = stablehlo.dot_general %log, %b, contracting_dims = [0] x [0] : (tensor<7x5xf32>, tensor<7x3xf32>) -> tensor<5x3xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %neg = stablehlo.negate %log : tensor<7x5xf32>
  %1 = stablehlo.reduce(%neg init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<7x5xf32>, tensor<f32>) -> tensor<5xf32>
  // Sums along it, from the other end.
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reverse %log, dims = [0] : tensor<7x5xf32>
  %2 = "stablehlo.reduce_window"(%r, %zero) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>}> ({
    ^bb0(%l: tensor<f32>, %k: tensor<f32>):
      %s = stablehlo.add %l, %k : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<7x5xf32>, tensor<f32>) -> tensor<7x5xf32>
  // Rows by index, those beyond the end being the last one.
  %3 = "stablehlo.gather"(%log, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<7x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  %4 = "stablehlo.scatter"(%log, %i, %3) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%l: tensor<f32>, %k: tensor<f32>):
      %s = stablehlo.add %l, %k : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<7x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<7x5xf32>
  // Rows to a computed place, all around a loop that ends when a sum over the dimension is large.
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %limit = stablehlo.constant dense<100.0> : tensor<f32>
  %5:2 = stablehlo.while(%n = %c0, %x = %log) : tensor<i32>, tensor<7x5xf32>
    cond {
      %sq = stablehlo.multiply %x, %x : tensor<7x5xf32>
      %sum = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x5xf32>, tensor<f32>) -> tensor<f32>
      %small = stablehlo.compare LT, %sum, %limit, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %few = stablehlo.compare LT, %n, %c3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %go = stablehlo.and %small, %few : tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %next = stablehlo.add %n, %c1 : tensor<i32>
      %y = stablehlo.dynamic_update_slice %x, %3, %at, %c0 : (tensor<7x5xf32>, tensor<3x5xf32>, tensor<i32>, tensor<i32>) -> tensor<7x5xf32>
      stablehlo.return %next, %y : tensor<i32>, tensor<7x5xf32>
    }
  %6 = stablehlo.slice %log [1:7, 0:5] : (tensor<7x5xf32>) -> tensor<6x5xf32>
  return %0, %1, %2, %3, %4, %5#1, %6, %5#0 : tensor<5x3xf32>, tensor<5xf32>, tensor<7x5xf32>, tensor<3x5xf32>, tensor<7x5xf32>, tensor<7x5xf32>, tensor<6x5xf32>, tensor<i32>
}
