// top_k becomes a stable descending sort of (value, index) and two slices.
// RUN: tandem-opt %s -split-input-file -tandem-decompose-chlo | FileCheck %s

// Floats are ordered totally, so that NaNs come first as in top_k.
// CHECK-LABEL: @floats
// CHECK: %[[I:.*]] = stablehlo.iota dim = 1 : tensor<2x8xi32>
// CHECK: %[[S:.*]]:2 = "stablehlo.sort"(%arg0, %[[I]]) <{dimension = 1 : i64, is_stable = true}>
// CHECK: stablehlo.compare GT, %{{.*}}, %{{.*}}, TOTALORDER
// CHECK: %[[V:.*]] = stablehlo.slice %[[S]]#0 [0:2, 0:3] : (tensor<2x8xf32>) -> tensor<2x3xf32>
// CHECK: %[[K:.*]] = stablehlo.slice %[[S]]#1 [0:2, 0:3] : (tensor<2x8xi32>) -> tensor<2x3xi32>
// CHECK: return %[[V]], %[[K]]
func.func @floats(%arg0: tensor<2x8xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %values, %indices = chlo.top_k(%arg0, k = 3) : tensor<2x8xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %values, %indices : tensor<2x3xf32>, tensor<2x3xi32>
}

// -----

// CHECK-LABEL: @integers
// CHECK: stablehlo.compare GT, %{{.*}}, %{{.*}}, SIGNED
func.func @integers(%arg0: tensor<8xi32>) -> (tensor<1xi32>, tensor<1xi32>) {
  %values, %indices = chlo.top_k(%arg0, k = 1) : tensor<8xi32> -> (tensor<1xi32>, tensor<1xi32>)
  return %values, %indices : tensor<1xi32>, tensor<1xi32>
}

// -----

// Elementwise chlo ops stay.
// CHECK-LABEL: @elementwise
// CHECK: chlo.square
func.func @elementwise(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = chlo.square %arg0 : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
