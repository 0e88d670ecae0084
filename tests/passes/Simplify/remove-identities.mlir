// Identities and unused ops go; everything else stays where it is.
// RUN: tandem-opt %s -split-input-file -tandem-remove-identities | FileCheck %s
// RUN: tandem-opt %s -split-input-file -tandem-remove-identities -tandem-remove-identities | FileCheck %s

// CHECK-LABEL: @identities
// CHECK-NEXT: %[[R:.*]] = stablehlo.add %arg0, %arg0
// CHECK-NEXT: return %[[R]]
func.func @identities(%arg0: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.convert %arg0 : tensor<4x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %3 = stablehlo.transpose %2, dims = [0, 1] : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %4 = stablehlo.add %3, %3 : tensor<4x2xf32>
  return %4 : tensor<4x2xf32>
}

// -----

// Same type, but not the same elements.
// CHECK-LABEL: @not_identities
// CHECK: stablehlo.transpose
// CHECK: stablehlo.broadcast_in_dim
func.func @not_identities(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// -----

// A chain of unused ops goes at once, also inside a loop; equal ops are not merged and
// nothing moves across the barrier.
// CHECK-LABEL: @dead
// CHECK-NOT: stablehlo.tanh
// CHECK: stablehlo.abs
// CHECK-NEXT: stablehlo.optimization_barrier
// CHECK-NEXT: stablehlo.abs
// CHECK: do {
// CHECK-NEXT: stablehlo.return
func.func @dead(%arg0: tensor<4xf32>, %arg1: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.tanh %arg0 : tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  %2 = stablehlo.abs %arg0 : tensor<4xf32>
  %3 = stablehlo.optimization_barrier %2 : tensor<4xf32>
  %4 = stablehlo.abs %3 : tensor<4xf32>
  %5 = stablehlo.while(%iterArg = %4) : tensor<4xf32>
  cond {
    stablehlo.return %arg1 : tensor<i1>
  } do {
    %6 = stablehlo.tanh %iterArg : tensor<4xf32>
    stablehlo.return %iterArg : tensor<4xf32>
  }
  return %2, %5 : tensor<4xf32>, tensor<4xf32>
}
