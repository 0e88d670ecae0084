// RUN: tandem-opt %s -split-input-file -tandem-pair-in-place | FileCheck %s
// Running it twice gives the same.
// RUN: tandem-opt %s -split-input-file -tandem-pair-in-place -tandem-pair-in-place | FileCheck %s

// The result goes to the parameter's place, so it is written over the parameter, not the gradient.
// CHECK-LABEL: @optimiser
// CHECK: in_place = array<i64: 0, 0>
func.func @optimiser(%p: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<4xf32>) -> tensor<4xf32> {
  %n = tandem.kernel(%x = %g : tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %r = tandem.kernel(%x = %p : tensor<4xf32>, %y = %n : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, 1>} {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Two results, and the second wants what the first has: the first gets the value that nothing else reads.
// CHECK-LABEL: @two
// CHECK: in_place = array<i64: 0, 1, 1, 0>
func.func @two(%p: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %n = tandem.kernel(%x = %g : tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %r:2 = tandem.kernel(%x = %p : tensor<4xf32>, %y = %n : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {in_place = array<i64: 0, 0>} {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    %1 = stablehlo.subtract %x, %y : tensor<4xf32>
    tandem.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The parameter is read at another index than the one written: its place cannot be worked in.
// CHECK-LABEL: @reversed
// CHECK: in_place = array<i64: 0, 1>
func.func @reversed(%p: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<4xf32>) -> tensor<4xf32> {
  %n = tandem.kernel(%x = %g : tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %x : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %r = tandem.kernel(%x = %p : tensor<4xf32>, %y = %n : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, 1>} {
    %0 = stablehlo.reverse %x, dims = [0] : tensor<4xf32>
    %1 = stablehlo.add %0, %y : tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
