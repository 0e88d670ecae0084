// The forms of chlo: `T -> T` rather than a function type.
// RUN: tandem-opt %s | FileCheck %s
// RUN: tandem-opt %s | tandem-opt | FileCheck %s

// CHECK-LABEL: @unary
func.func @unary(%f: tensor<2xf32>, %z: tensor<2xcomplex<f32>>) {
  // CHECK: chlo.acos %arg0 : tensor<2xf32> -> tensor<2xf32>
  %0 = "chlo.acos"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.acosh %arg0 : tensor<2xf32> -> tensor<2xf32>
  %1 = "chlo.acosh"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.asin %arg1 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %2 = "chlo.asin"(%z) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  // CHECK: chlo.asinh %arg0 : tensor<2xf32> -> tensor<2xf32>
  %3 = "chlo.asinh"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.atan %arg0 : tensor<2xf32> -> tensor<2xf32>
  %4 = "chlo.atan"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.atanh %arg0 : tensor<2xf32> -> tensor<2xf32>
  %5 = "chlo.atanh"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.bessel_i1e %arg0 : tensor<2xf32> -> tensor<2xf32>
  %6 = "chlo.bessel_i1e"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.conj %arg1 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %7 = "chlo.conj"(%z) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  // CHECK: chlo.cosh %arg0 : tensor<2xf32> -> tensor<2xf32>
  %8 = "chlo.cosh"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.digamma %arg0 : tensor<2xf32> -> tensor<2xf32>
  %9 = "chlo.digamma"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.erf_inv %arg0 : tensor<2xf32> -> tensor<2xf32>
  %10 = "chlo.erf_inv"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.erf %arg0 : tensor<2xf32> -> tensor<2xf32>
  %11 = "chlo.erf"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.erfc %arg0 : tensor<2xf32> -> tensor<2xf32>
  %12 = "chlo.erfc"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.lgamma %arg0 : tensor<2xf32> -> tensor<2xf32>
  %13 = "chlo.lgamma"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.sinh %arg0 : tensor<2xf32> -> tensor<2xf32>
  %14 = "chlo.sinh"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.square %arg0 {mhlo.note = 1 : i32} : tensor<2xf32> -> tensor<2xf32>
  %15 = "chlo.square"(%f) {mhlo.note = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.tan %arg0 : tensor<2xf32> -> tensor<2xf32>
  %16 = "chlo.tan"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: chlo.is_inf %arg0 : tensor<2xf32> -> tensor<2xi1>
  %17 = "chlo.is_inf"(%f) : (tensor<2xf32>) -> tensor<2xi1>
  // CHECK: chlo.is_neg_inf %arg0 : tensor<2xf32> -> tensor<2xi1>
  %18 = "chlo.is_neg_inf"(%f) : (tensor<2xf32>) -> tensor<2xi1>
  // CHECK: chlo.is_pos_inf %arg0 : tensor<2xf32> -> tensor<2xi1>
  %19 = "chlo.is_pos_inf"(%f) : (tensor<2xf32>) -> tensor<2xi1>
  return
}

// CHECK-LABEL: @others
func.func @others(%f: tensor<4x8xf32>) {
  // CHECK: chlo.next_after %arg0, %arg0 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %0 = "chlo.next_after"(%f, %f) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: chlo.polygamma %arg0, %arg0 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = "chlo.polygamma"(%f, %f) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: chlo.zeta %arg0, %arg0 : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = "chlo.zeta"(%f, %f) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: %values, %indices = chlo.top_k(%arg0, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %3:2 = "chlo.top_k"(%f) <{k = 3 : i64}> : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return
}
