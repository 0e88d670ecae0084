// What phase 4 must not leave behind.
// RUN: tandem-opt %s -split-input-file -tandem-verify-overlap -verify-diagnostics

func.func @collective(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected it in a tandem.start (run tandem-make-collectives-async)}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @while(%p: tensor<i1>) -> tensor<i1> {
  // expected-error@+1 {{expected a tandem.loop (run tandem-form-loops)}}
  %0 = stablehlo.while(%c = %p) : tensor<i1>
  cond {
    stablehlo.return %c : tensor<i1>
  } do {
    stablehlo.return %c : tensor<i1>
  }
  return %0 : tensor<i1>
}

// -----

func.func @if(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected a tandem.case (run tandem-form-cases)}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @transfer(%x: tensor<4xf32>) {
  %t = stablehlo.after_all : !stablehlo.token
  // expected-error@+1 {{transfers to the host or on a channel are not supported}}
  %0 = "stablehlo.outfeed"(%x, %t) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

// In a start, a collective is where it belongs.
func.func @good(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %d = tandem.done %f : !tandem.future<tensor<4xf32>>
  return %d : tensor<4xf32>
}
