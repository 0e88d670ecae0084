// Products that a library does become tandem.gemm, read as the operands lie where possible.
// RUN: tandem-opt %s -split-input-file -tandem-form-gemms | FileCheck %s
// RUN: tandem-opt %s -split-input-file -tandem-form-gemms -tandem-form-gemms | FileCheck %s

// CHECK-LABEL: func.func @plain
func.func @plain(%x: tensor<64x16xf32>, %w: tensor<16x8xf32>) -> tensor<64x8xf32> {
  // CHECK: %[[G:.*]] = tandem.gemm(%[[A:.*]] = %arg0 : tensor<64x16xf32>, %[[B:.*]] = %arg1 : tensor<16x8xf32>) -> tensor<64x8xf32> {
  // CHECK-NEXT: %[[D:.*]] = stablehlo.dot_general %[[A]], %[[B]], contracting_dims = [1] x [0]
  // CHECK-NEXT: tandem.yield %[[D]]
  // CHECK: return %[[G]]
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// -----

// A transpose of the weights is read through, one that swaps batch and rows too.
// CHECK-LABEL: func.func @folded
func.func @folded(%x: tensor<64x16xf32>, %w: tensor<8x16xf32>, %q: tensor<32x4x16xf32>, %k: tensor<4x32x16xf32>) -> (tensor<64x8xf32>, tensor<4x32x32xf32>) {
  // CHECK-NOT: stablehlo.transpose
  // CHECK: tandem.gemm(%{{.*}} = %arg0 : tensor<64x16xf32>, %{{.*}} = %arg1 : tensor<8x16xf32>)
  // CHECK: contracting_dims = [1] x [1]
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  %0 = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x8xf32>) -> tensor<64x8xf32>
  // CHECK: tandem.gemm(%{{.*}} = %arg2 : tensor<32x4x16xf32>, %{{.*}} = %arg3 : tensor<4x32x16xf32>)
  // CHECK: batching_dims = [1] x [0], contracting_dims = [2] x [2]
  %u = stablehlo.transpose %q, dims = [1, 0, 2] : (tensor<32x4x16xf32>) -> tensor<4x32x16xf32>
  %1 = stablehlo.dot_general %u, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x32x16xf32>, tensor<4x32x16xf32>) -> tensor<4x32x32xf32>
  return %0, %1 : tensor<64x8xf32>, tensor<4x32x32xf32>
}

// -----

// A transpose that changes the order of the rows stays: the result's dimensions follow it.
// CHECK-LABEL: func.func @order
func.func @order(%x: tensor<8x64x16xf32>, %w: tensor<16x8xf32>) -> tensor<64x8x8xf32> {
  // CHECK: stablehlo.transpose
  // CHECK: tandem.gemm
  %t = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<8x64x16xf32>) -> tensor<64x8x16xf32>
  %0 = stablehlo.dot_general %t, %w, contracting_dims = [2] x [0] : (tensor<64x8x16xf32>, tensor<16x8xf32>) -> tensor<64x8x8xf32>
  return %0 : tensor<64x8x8xf32>
}

// -----

// Rows that do not collapse around the contracted dimension: a transpose in front of that side only.
// CHECK-LABEL: func.func @inserted
func.func @inserted(%x: tensor<8x16x8xf32>, %w: tensor<16x64xf32>) -> tensor<8x8x64xf32> {
  // CHECK: %[[T:.*]] = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<8x16x8xf32>) -> tensor<8x8x16xf32>
  // CHECK: tandem.gemm(%{{.*}} = %[[T]] : tensor<8x8x16xf32>, %{{.*}} = %arg1 : tensor<16x64xf32>)
  // CHECK: contracting_dims = [2] x [0]
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16x8xf32>, tensor<16x64xf32>) -> tensor<8x8x64xf32>
  return %0 : tensor<8x8x64xf32>
}

// -----

// Two contracted dimensions, in another order on the right: that side is transposed.
// CHECK-LABEL: func.func @contracted_order
func.func @contracted_order(%x: tensor<32x4x8xf32>, %w: tensor<8x4x32xf32>) -> tensor<32x32xf32> {
  // CHECK: stablehlo.transpose
  // CHECK: tandem.gemm
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1, 2] x [1, 0] : (tensor<32x4x8xf32>, tensor<8x4x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}

// -----

// A transpose of the result that exchanges rows and columns, as gradients of weights have it: the
// operands are exchanged, with their precisions.
// CHECK-LABEL: func.func @exchanged
func.func @exchanged(%x: tensor<64x16xf32>, %y: tensor<64x8xf32>, %p: tensor<4x32x16xf32>, %q: tensor<4x16x2x8xf32>) -> (tensor<16x8xf32>, tensor<4x2x8x32xf32>) {
  // CHECK-NOT: stablehlo.transpose
  // CHECK: tandem.gemm(%{{.*}} = %arg0 : tensor<64x16xf32>, %{{.*}} = %arg1 : tensor<64x8xf32>) -> tensor<16x8xf32>
  // CHECK: contracting_dims = [0] x [0], precision = [DEFAULT, HIGHEST]
  %0 = stablehlo.dot_general %y, %x, contracting_dims = [0] x [0], precision = [HIGHEST, DEFAULT] : (tensor<64x8xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  // CHECK: tandem.gemm(%{{.*}} = %arg3 : tensor<4x16x2x8xf32>, %{{.*}} = %arg2 : tensor<4x32x16xf32>) -> tensor<4x2x8x32xf32>
  // CHECK: batching_dims = [0] x [0], contracting_dims = [1] x [2]
  %2 = stablehlo.dot_general %p, %q, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x32x16xf32>, tensor<4x16x2x8xf32>) -> tensor<4x32x2x8xf32>
  %3 = stablehlo.transpose %2, dims = [0, 2, 3, 1] : (tensor<4x32x2x8xf32>) -> tensor<4x2x8x32xf32>
  return %1, %3 : tensor<16x8xf32>, tensor<4x2x8x32xf32>
}

// -----

// A transpose of one side's rows stays, and one of a product that something else reads too.
// CHECK-LABEL: func.func @not_exchanged
func.func @not_exchanged(%x: tensor<64x16xf32>, %y: tensor<64x8x4xf32>, %z: tensor<64x32xf32>) -> (tensor<16x4x8xf32>, tensor<16x32xf32>, tensor<32x16xf32>) {
  // CHECK-COUNT-2: stablehlo.transpose
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<64x16xf32>, tensor<64x8x4xf32>) -> tensor<16x8x4xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<16x8x4xf32>) -> tensor<16x4x8xf32>
  %2 = stablehlo.dot_general %x, %z, contracting_dims = [0] x [0] : (tensor<64x16xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
  return %1, %2, %3 : tensor<16x4x8xf32>, tensor<16x32xf32>, tensor<32x16xf32>
}

// -----

// Small, integer and complex products stay for kernels.
// CHECK-LABEL: func.func @kernels
// CHECK-NOT: tandem.gemm
func.func @kernels(%x: tensor<8x8xf32>, %i: tensor<64x64xi32>, %c: tensor<64x64xcomplex<f32>>) -> (tensor<8x8xf32>, tensor<64x64xi32>, tensor<64x64xcomplex<f32>>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot_general %i, %i, contracting_dims = [1] x [0] : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi32>
  %2 = stablehlo.dot_general %c, %c, contracting_dims = [1] x [0] : (tensor<64x64xcomplex<f32>>, tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<64x64xi32>, tensor<64x64xcomplex<f32>>
}

// -----

// bf16 with an f32 result, f64, and the older stablehlo.dot.
// CHECK-LABEL: func.func @types
func.func @types(%b: tensor<64x64xbf16>, %d: tensor<64x64xf64>, %v: tensor<4096xf32>, %m: tensor<4096x2xf32>) -> (tensor<64x64xf32>, tensor<64x64xf64>, tensor<2xf32>) {
  // CHECK-COUNT-3: tandem.gemm
  %0 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %d, %d, contracting_dims = [1] x [0] : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>
  %2 = stablehlo.dot %v, %m : (tensor<4096xf32>, tensor<4096x2xf32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<64x64xf32>, tensor<64x64xf64>, tensor<2xf32>
}
