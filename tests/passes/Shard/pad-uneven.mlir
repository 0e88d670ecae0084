// Rule M5: dimensions that do not divide are padded; what lies behind them is never read.
// RUN: tandem-opt %s -split-input-file -tandem-pad-uneven -tandem-verify-shard | FileCheck %s
// Twice is once.
// RUN: tandem-opt %s -split-input-file -tandem-pad-uneven -tandem-pad-uneven | FileCheck %s

// Arguments and results are padded, and keep their own type. Elementwise ops need nothing, a sum
// over the dimension a mask.
// CHECK-LABEL: @main
// CHECK-SAME: tensor<8x3xf32> {{{.*}}tandem.global_type = tensor<7x3xf32>}) -> (tensor<3xf32>
// CHECK-SAME: tensor<8x3xf32> {{{.*}}tandem.global_type = tensor<7x3xf32>})
// CHECK: %[[Y:.*]] = stablehlo.tanh {{.*}} : tensor<8x3xf32>
// CHECK: iota dim = 0 {{.*}} : tensor<8x3xi32>
// CHECK: constant {{.*}}dense<7>
// CHECK: %[[MASKED:.*]] = stablehlo.select {{.*}} : tensor<8x3xi1>, tensor<8x3xf32>
// CHECK: stablehlo.reduce(%[[MASKED]]
// CHECK: return {{.*}}, %[[Y]]
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<7x3xf32>
  %z = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<7x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %1, %0 : tensor<3xf32>, tensor<7x3xf32>
}

// -----

// Both sides of a contraction: undefined elements may be NaN. A free dimension needs nothing.
// CHECK-LABEL: @main
// CHECK: %[[L:.*]] = stablehlo.select {{.*}} : tensor<8x8xi1>
// CHECK: %[[R:.*]] = stablehlo.select {{.*}} : tensor<8x2xi1>
// CHECK: stablehlo.dot_general %[[L]], %[[R]], {{.*}} -> tensor<8x2xf32>
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
                %b: tensor<5x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<7x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<7x5xf32>, tensor<5x2xf32>) -> tensor<7x2xf32>
  return %0 : tensor<7x2xf32>
}

// -----

// A shifted slice is one pad, which may read beyond the end; a strided one reads true elements.
// CHECK-LABEL: @main
// CHECK: stablehlo.pad {{.*}} low = [-1], high = [1], {{.*}} -> tensor<8xf32>
// CHECK: stablehlo.slice {{.*}} [1:8:2] {{.*}} -> tensor<4xf32>
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.slice %a [1:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<7xf32>
  %1 = stablehlo.slice %a [1:8:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<7xf32>, tensor<4xf32>
}

// -----

// Indices are clamped to the true size, which a padded operand does not show.
// CHECK-LABEL: @main
// CHECK: constant {{.*}}dense<4> : tensor<i32>
// CHECK: %[[I:.*]] = stablehlo.clamp
// CHECK: stablehlo.dynamic_slice {{.*}}, %[[I]], sizes = [3]
// CHECK: constant {{.*}}dense<6> : tensor<i32>
// CHECK: %[[J:.*]] = stablehlo.clamp {{.*}} tensor<2x1xi32>
// CHECK: "stablehlo.gather"({{.*}}, %[[J]])
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %i: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>},
                %j: tensor<2x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<7xf32>, tensor<i32>) -> tensor<3xf32>
  %1 = "stablehlo.gather"(%a, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<7xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  return %0, %1 : tensor<3xf32>, tensor<2xf32>
}

// -----

// Around a loop the value keeps its padded type. An op that must see the true size (a sorted
// dimension) reads it cut, and its result is padded again.
// CHECK-LABEL: @main
// CHECK: stablehlo.while({{.*}}) {{.*}}: tensor<i32>, tensor<4xf32>
// CHECK: %[[CUT:.*]] = stablehlo.pad {{.*}} high = [-1], {{.*}} -> tensor<3xf32>
// CHECK: %[[SORTED:.*]] = "stablehlo.sort"(%[[CUT]])
// CHECK: stablehlo.pad %[[SORTED]], {{.*}} high = [1], {{.*}} -> tensor<4xf32>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %n: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>})
    -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, tensor<3xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}]>]>}
  cond {
    %z = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %i, %z, SIGNED {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} dense<1> : tensor<i32>
    %k = stablehlo.subtract %i, %one {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>]>} : tensor<i32>
    %y = stablehlo.tanh %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<3xf32>
    stablehlo.return %k, %y : tensor<i32>, tensor<3xf32>
  }
  %s = "stablehlo.sort"(%0#1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = stablehlo.compare LT, %l, %r, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<3xf32>) -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// -----

// What divides is left alone.
// CHECK-LABEL: @main
// CHECK-NOT: pad
// CHECK: return
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
