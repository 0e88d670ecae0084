// argmax along a split dimension, even and uneven, as JAX writes it: the first of equal elements,
// the first NaN if there is any. Devices send their own answers, not the array.
// RUN: tandem run %s --unpartitioned --outputs %t.npz
// RUN: tandem run %s --expect %t.npz | FileCheck %s
// CHECK: 4 of 4 results agree
// CHECK: 2 all-gather of {{[fi]}}32, 72 wire bytes per device
// CHECK-NEXT: 2 all-gather of {{[fi]}}32, 72 wire bytes per device
sdy.mesh @mesh = <["x"=4]>
func.func private @argmax(%v: tensor<f32>, %i: tensor<i32>, %w: tensor<f32>, %j: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %gt = stablehlo.compare GT, %v, %w, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %nan = stablehlo.compare NE, %v, %v, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %first = stablehlo.or %gt, %nan : tensor<i1>
  %eq = stablehlo.compare EQ, %v, %w, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %lt = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %tie = stablehlo.and %eq, %lt : tensor<i1>
  %index = stablehlo.or %first, %tie : tensor<i1>
  %value = stablehlo.select %first, %v, %w : tensor<i1>, tensor<f32>
  %at = stablehlo.select %index, %i, %j : tensor<i1>, tensor<i32>
  return %value, %at : tensor<f32>, tensor<i32>
}
func.func public @main(%x: tensor<32x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<3xf32>, tensor<3xi32>, tensor<3xf32>, tensor<3xi32>) {
  // The first column has ties, the second two NaN.
  %rows = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [3.0, 9.0, 0.0], [0.0, 0x7FC00000, 0.0], [3.0, 0.0, 0.0], [3.0, 0x7FC00000, 0.0], [0.0, 99.0, 0.0], [3.0, 0.0, 0.0]]> : tensor<8x3xf32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %c = stablehlo.pad %rows, %none, low = [10, 0], high = [14, 0], interior = [0, 0] : (tensor<8x3xf32>, tensor<f32>) -> tensor<32x3xf32>
  %y = stablehlo.sine %x : tensor<32x3xf32>
  %zeros = stablehlo.subtract %y, %y : tensor<32x3xf32>
  %a = stablehlo.add %zeros, %c : tensor<32x3xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %at = stablehlo.iota dim = 0 : tensor<32x3xi32>
  %0:2 = stablehlo.reduce(%a init: %low), (%at init: %zero) across dimensions = [0] : (tensor<32x3xf32>, tensor<32x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%v: tensor<f32>, %w: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %r:2 = func.call @argmax(%v, %i, %w, %j) : (tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    stablehlo.return %r#0, %r#1 : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %0#1, dense<[12, 13, 0]> : tensor<3xi32>
  // 31 rows in four tiles.
  %b = stablehlo.slice %a [1:32, 0:3] : (tensor<32x3xf32>) -> tensor<31x3xf32>
  %bt = stablehlo.iota dim = 0 : tensor<31x3xi32>
  %1:2 = stablehlo.reduce(%b init: %low), (%bt init: %zero) across dimensions = [0] : (tensor<31x3xf32>, tensor<31x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%v: tensor<f32>, %w: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %r:2 = func.call @argmax(%v, %i, %w, %j) : (tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    stablehlo.return %r#0, %r#1 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1, %1#0, %1#1 : tensor<3xf32>, tensor<3xi32>, tensor<3xf32>, tensor<3xi32>
}
