// RUN: tandem-opt %s -split-input-file -verify-diagnostics -tandem-verify-lower

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{has no symbol, expected one (run tandem-share-kernels)}}
  %0 = tandem.kernel(%u = %a : tensor<4xf32>) -> tensor<4xf32> {
    %r = stablehlo.negate %u : tensor<4xf32>
    tandem.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{expected a function @main with one block}}
module {
  func.func @other() {
    return
  }
}
