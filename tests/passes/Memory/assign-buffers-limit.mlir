// A program that does not fit says what is alive when most bytes are.
// RUN: tandem-opt %s -tandem-assign-streams -tandem-assign-buffers -verify-diagnostics

module attributes {tandem.memory_limit = 255 : i64} {
  // expected-error @+3 {{needs 320 bytes per device (arguments 64, results 64, temporaries 192), expected at most the 255 of the memory limit}}
  // expected-note @+2 {{no order was found that needs less: raise the limit to 320 bytes, donate arguments, or shard these values over more devices}}
  // expected-note @+1 {{alive at the peak: 64 bytes of argument 0 of func.func, needed until tandem.kernel}}
  func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
    // expected-note @+1 {{alive at the peak: 64 bytes of the result of tandem.kernel, needed until tandem.kernel}}
    %0 = tandem.kernel(%u = %a : tensor<16xf32>) -> tensor<16xf32> {
      %r = stablehlo.reverse %u, dims = [0] : tensor<16xf32>
      tandem.yield %r : tensor<16xf32>
    }
    // expected-note @+1 {{alive at the peak: 64 bytes}}
    %1 = tandem.kernel(%u = %0 : tensor<16xf32>) -> tensor<16xf32> {
      %r = stablehlo.reverse %u, dims = [0] : tensor<16xf32>
      tandem.yield %r : tensor<16xf32>
    }
    // expected-note @+1 {{alive at the peak: 64 bytes}}
    %2 = tandem.kernel(%u = %1 : tensor<16xf32>) -> tensor<16xf32> {
      %r = stablehlo.reverse %u, dims = [0] : tensor<16xf32>
      tandem.yield %r : tensor<16xf32>
    }
    // expected-note @+1 {{alive at the peak: 64 bytes of the result of tandem.kernel, needed until func.return}}
    %3 = tandem.kernel(%u = %0 : tensor<16xf32>, %v = %1 : tensor<16xf32>, %w = %2 : tensor<16xf32>) -> tensor<16xf32> {
      %s = stablehlo.add %u, %v : tensor<16xf32>
      %t = stablehlo.reverse %s, dims = [0] : tensor<16xf32>
      %x = stablehlo.add %t, %w : tensor<16xf32>
      %r = stablehlo.reverse %x, dims = [0] : tensor<16xf32>
      tandem.yield %r : tensor<16xf32>
    }
    return %3 : tensor<16xf32>
  }
}
