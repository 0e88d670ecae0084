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

// -----

// An approximate top-k is the exact one, by the order of its own comparator, which goes.
// CHECK-LABEL: module
// CHECK-NOT: @greater
// CHECK: func.func @main(%[[X:.*]]: tensor<4x16xf32>)
// CHECK: %[[I:.*]] = stablehlo.iota dim = 1
// CHECK: %[[S:.*]]:2 = "stablehlo.sort"(%[[X]], %[[I]]) <{dimension = 1 : i64, is_stable = true}>
// CHECK: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>):
// CHECK: stablehlo.compare{{ +}}GT, %[[A]], %[[B]]
// CHECK: %[[V:.*]] = stablehlo.slice %[[S]]#0 [0:4, 0:2]
// CHECK: %[[J:.*]] = stablehlo.slice %[[S]]#1 [0:4, 0:2]
// CHECK: return %[[V]], %[[J]]
func.func @greater(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func @main(%x: tensor<4x16xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<4x16xi32>
  %c = stablehlo.constant dense<-1> : tensor<i32>
  %n = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %n, %c) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 1 : i64, top_k = 2 : i64}} : (tensor<4x16xf32>, tensor<4x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %0#0, %0#1 : tensor<4x2xf32>, tensor<4x2xi32>
}

// -----

// A typed call has its configuration in its own attribute.
// CHECK-LABEL: @typed
// CHECK: "stablehlo.sort"
func.func @greater(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
func.func @typed(%x: tensor<16xf32>) -> tensor<2xf32> {
  %n = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.custom_call @ApproxTopK(%x, %n) {api_version = 4 : i32, backend_config = {aggregate_to_topk = true, reduction_dim = 0 : i64, top_k = 2 : i64}, called_computations = [@greater]} : (tensor<16xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
