// What phase 5 must not leave behind.
// RUN: tandem-opt %s -split-input-file -tandem-verify-fuse -verify-diagnostics

func.func @op(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected it in a tandem.kernel (run tandem-fuse-kernels)}}
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @in_loop(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %r = tandem.loop %p (%c = %x : tensor<4xf32>) {
    // expected-error@+1 {{expected it in a tandem.kernel (run tandem-fuse-kernels)}}
    %0 = stablehlo.negate %c : tensor<4xf32>
    tandem.yield %p, %0 : tensor<i1>, tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @unknown(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{cannot be compiled: neither a kernel nor a library call holds it}}
  %0 = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @unknown_in_kernel(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tandem.kernel(%a = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error@+1 {{cannot be compiled as part of a kernel}}
    %1 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
    tandem.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @gemm(%x: tensor<8x16x8xf32>, %w: tensor<16x8xf32>) -> tensor<8x8x8xf32> {
  // expected-error@+1 {{holds a product that no library reads in place}}
  %0 = tandem.gemm(%a = %x : tensor<8x16x8xf32>, %b = %w : tensor<16x8xf32>) -> tensor<8x8x8xf32> {
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16x8xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
    tandem.yield %1 : tensor<8x8x8xf32>
  }
  return %0 : tensor<8x8x8xf32>
}

// -----

// Two futures that could be awaited one after the other.
func.func @joined(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %g = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %d = tandem.done %f : !tandem.future<tensor<4xf32>>
  %e = tandem.done %g : !tandem.future<tensor<4xf32>>
  // expected-error@+1 {{result 0 waits for what only another result needs: split the kernel}}
  %k:2 = tandem.kernel(%a = %d : tensor<4xf32>, %b = %e : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.negate %a : tensor<4xf32>
    %1 = stablehlo.abs %b : tensor<4xf32>
    tandem.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
  // One op that needs both may join them.
  %l:2 = tandem.kernel(%a = %d : tensor<4xf32>, %b = %e : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.add %a, %b : tensor<4xf32>
    %1 = stablehlo.abs %0 : tensor<4xf32>
    tandem.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
  return %k#0, %l#1 : tensor<4xf32>, tensor<4xf32>
}
