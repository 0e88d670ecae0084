// The forms of constants and of data movement: generic in, pretty out, and pretty in again.
// RUN: tandem-opt %s | FileCheck %s
// RUN: tandem-opt %s | tandem-opt | FileCheck %s

// Integers and booleans are %c, all else %cst; hex where decimal would lose bits.
// CHECK-LABEL: @constants
func.func @constants() {
  // CHECK: %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  // CHECK: %c_0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %1 = "stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
  // CHECK: %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  // CHECK: %cst_1 = stablehlo.constant dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f32>>
  %3 = "stablehlo.constant"() <{value = dense<(1.0,-2.0)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
  // CHECK: %c_2 = stablehlo.constant {mhlo.note = "n"} dense<7> : tensor<2x2xui64>
  %4 = stablehlo.constant {mhlo.note = "n"} dense<7> : tensor<2x2xui64>
  // CHECK: %cst_3 = stablehlo.constant dense<> : tensor<0x3xbf16>
  %5 = "stablehlo.constant"() <{value = dense<> : tensor<0x3xbf16>}> : () -> tensor<0x3xbf16>
  // CHECK: %cst_4 = stablehlo.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %6 = "stablehlo.constant"() <{value = dense<"0x0000803F000000400000404000008040"> : tensor<4xf32>}> : () -> tensor<4xf32>
  return
}

// CHECK-LABEL: @movement
func.func @movement(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // CHECK: stablehlo.iota dim = 1 : tensor<2x3xi32>
  %0 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32>
  // CHECK: stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %1 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
  // CHECK: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %2 = "stablehlo.broadcast_in_dim"(%s) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
  // CHECK: stablehlo.broadcast %arg0, sizes = [2] : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %3 = "stablehlo.broadcast"(%x) <{broadcast_sizes = array<i64: 2>}> : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
  // CHECK: stablehlo.reshape %arg0 : (tensor<4x8xf32>) -> tensor<32xf32>
  %4 = "stablehlo.reshape"(%x) : (tensor<4x8xf32>) -> tensor<32xf32>
  // CHECK: stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %5 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK: stablehlo.reverse %arg0, dims = [0, 1] : tensor<4x8xf32>
  %6 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0, 1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %7 = "stablehlo.concatenate"(%x, %x) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  // CHECK: stablehlo.concatenate %arg0, dim = 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = "stablehlo.concatenate"(%x) <{dimension = 0 : i64}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: stablehlo.slice %arg0 [1:3, 0:8:2] : (tensor<4x8xf32>) -> tensor<2x4xf32>
  %9 = "stablehlo.slice"(%x) <{limit_indices = array<i64: 3, 8>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<2x4xf32>
  // CHECK: stablehlo.slice %arg1 [] : (tensor<f32>) -> tensor<f32>
  %10 = stablehlo.slice %s [] : (tensor<f32>) -> tensor<f32>
  // A stride of one may be spelled out.
  // CHECK: stablehlo.slice %arg0 [0:4, 0:8] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %11 = stablehlo.slice %x [0:4:1, 0:8:1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: stablehlo.pad %arg0, %arg1, low = [-1, 0], high = [2, 0], interior = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x15xf32>
  %12 = "stablehlo.pad"(%x, %s) <{edge_padding_high = array<i64: 2, 0>, edge_padding_low = array<i64: -1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x15xf32>
  return
}

// Operations that take a shape as an operand.
// CHECK-LABEL: @dynamic
func.func @dynamic(%x: tensor<4x8xf32>, %s: tensor<f32>, %d: tensor<2xi64>, %n: tensor<i32>) {
  // CHECK: stablehlo.dynamic_broadcast_in_dim %arg0, %arg2, dims = [0, 1] : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<4x8xf32>
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %d) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<4x8xf32>
  // CHECK: stablehlo.dynamic_iota %arg2, dim = 0 : (tensor<2xi64>) -> tensor<4x8xi32>
  %1 = "stablehlo.dynamic_iota"(%d) <{iota_dimension = 0 : i64}> : (tensor<2xi64>) -> tensor<4x8xi32>
  // CHECK: stablehlo.dynamic_reshape %arg0, %arg2 : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<8x4xf32>
  %2 = "stablehlo.dynamic_reshape"(%x, %d) : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<8x4xf32>
  // CHECK: stablehlo.dynamic_pad %arg0, %arg1, %arg2, %arg2, %arg2 : (tensor<4x8xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x4xf32>
  %3 = "stablehlo.dynamic_pad"(%x, %s, %d, %d, %d) : (tensor<4x8xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x4xf32>
  // CHECK: stablehlo.real_dynamic_slice %arg0, %arg2, %arg2, %arg2 : (tensor<4x8xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x4xf32>
  %4 = "stablehlo.real_dynamic_slice"(%x, %d, %d, %d) : (tensor<4x8xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x4xf32>
  // CHECK: stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<4x8xf32>) -> tensor<i32>
  %5 = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<i32>
  // CHECK: stablehlo.set_dimension_size %arg0, %arg3, dim = 1 : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
  %6 = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
  return
}
