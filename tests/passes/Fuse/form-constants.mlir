// Constants outside of kernels become tandem.constant; those in regions of units stay.
// RUN: tandem-opt %s -tandem-form-constants | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants(%p: tensor<i1>) -> (tensor<2xi32>, tensor<f32>, tensor<f32>) {
  // CHECK-NOT: stablehlo.constant
  // CHECK: tandem.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %unused = stablehlo.constant dense<7.0> : tensor<f32>
  // CHECK: tandem.kernel
  // CHECK-NEXT: stablehlo.constant dense<1.000000e+00>
  %1 = tandem.kernel() -> tensor<f32> {
    %3 = stablehlo.constant dense<1.0> : tensor<f32>
    tandem.yield %3 : tensor<f32>
  }
  // CHECK: tandem.loop
  // CHECK-NEXT: tandem.constant dense<2.000000e+00>
  %2 = tandem.loop %p (%c = %1 : tensor<f32>) {
    %3 = stablehlo.constant dense<2.0> : tensor<f32>
    tandem.yield %p, %3 : tensor<i1>, tensor<f32>
  }
  return %0, %1, %2 : tensor<2xi32>, tensor<f32>, tensor<f32>
}
