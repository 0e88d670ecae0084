// Calls of @ApproxTopK that cannot be read.
// RUN: tandem-opt %s -split-input-file -tandem-decompose-chlo -verify-diagnostics

func.func @main(%x: tensor<4xf32>, %n: tensor<f32>) -> tensor<2xf32> {
  // expected-error@+1 {{expected @ApproxTopK of arrays and as many initial values, with one called computation and 'reduction_dim' in its backend_config}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %n) : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func private @greater(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @main(%x: tensor<4xf32>, %n: tensor<f32>) -> tensor<5xf32> {
  // expected-error@+1 {{expected results no longer than the arrays along dimension 0, found 'tensor<5xf32>' of 'tensor<4xf32>'}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %n) {called_computations = [@greater], mhlo.backend_config = {reduction_dim = 0 : i64}} : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
