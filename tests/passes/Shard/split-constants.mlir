// Each use of a constant, iota or broadcast of one gets its own.
// RUN: tandem-opt %s -split-input-file -tandem-split-constants | FileCheck %s
// RUN: tandem-opt %s -split-input-file -tandem-split-constants -tandem-split-constants | FileCheck %s

// The broadcast is used twice, its scalar stays shared.
// CHECK-LABEL: @broadcast
// CHECK-COUNT-1: stablehlo.constant
// CHECK-NOT: stablehlo.constant
// CHECK: %[[A:.*]] = stablehlo.broadcast_in_dim
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim
// CHECK-NOT: stablehlo.broadcast_in_dim
sdy.mesh @mesh = <["x"=2]>
func.func @broadcast(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %cst = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<4xf32>
  %2 = stablehlo.multiply %arg0, %0 : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A broadcast of an iota: the clone of the broadcast gets its own iota.
// CHECK-LABEL: @iota
// CHECK-COUNT-2: stablehlo.iota
// CHECK-NOT: stablehlo.iota
sdy.mesh @mesh = <["x"=2]>
func.func @iota() -> (tensor<4x2xi32>, tensor<4x2xi32>) {
  %0 = stablehlo.iota dim = 0 : tensor<4xi32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xi32>) -> tensor<4x2xi32>
  %2 = stablehlo.abs %1 : tensor<4x2xi32>
  return %1, %2 : tensor<4x2xi32>, tensor<4x2xi32>
}

// -----

// Without a mesh nothing is to be split.
// CHECK-LABEL: @no_mesh
// CHECK-COUNT-1: stablehlo.constant
// CHECK-NOT: stablehlo.constant
func.func @no_mesh() -> (tensor<4xf32>, tensor<4xf32>) {
  %cst = stablehlo.constant dense<1.0> : tensor<4xf32>
  return %cst, %cst : tensor<4xf32>, tensor<4xf32>
}
