// RUN: tandem-opt %s -split-input-file -verify-diagnostics -tandem-verify-memory

// An argument that is not donated cannot be the result.
func.func @argument_returned(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a tandem.copy (run tandem-insert-copies)}}
  return %a : tensor<4xf32>
}

// -----

func.func @copied(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tandem.copy %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
