// RUN: tandem-opt %s -tandem-share-kernels -tandem-verify-lower | FileCheck %s

// Equal bodies share a symbol; another op, or another shape, does not.
// CHECK: tandem.kernel{{.*}}symbol = "k0_negate"
// CHECK: tandem.kernel{{.*}}symbol = "k0_negate"
// CHECK: tandem.kernel{{.*}}symbol = "k1_abs"
// CHECK: tandem.kernel{{.*}}symbol = "k2_negate"
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %0 = tandem.kernel(%u = %a : tensor<4xf32>) -> tensor<4xf32> {
    %r = stablehlo.negate %u : tensor<4xf32>
    tandem.yield %r : tensor<4xf32>
  }
  %1 = tandem.kernel(%v = %b : tensor<4xf32>) -> tensor<4xf32> {
    %r = stablehlo.negate %v : tensor<4xf32>
    tandem.yield %r : tensor<4xf32>
  }
  %2 = tandem.kernel(%u = %b : tensor<4xf32>) -> tensor<4xf32> {
    %r = stablehlo.abs %u : tensor<4xf32>
    tandem.yield %r : tensor<4xf32>
  }
  %3 = tandem.kernel(%u = %c : tensor<8xf32>) -> tensor<8xf32> {
    %r = stablehlo.negate %u : tensor<8xf32>
    tandem.yield %r : tensor<8xf32>
  }
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}
