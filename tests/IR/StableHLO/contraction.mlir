// The forms of products, convolutions, transforms and solvers.
// RUN: tandem-opt %s | FileCheck %s
// RUN: tandem-opt %s | tandem-opt | FileCheck %s

// Batching dimensions, precision and algorithm are printed where there are any.
// CHECK-LABEL: @dot_general
func.func @dot_general(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %c: tensor<4x8xf32>, %d: tensor<8x6xf32>) {
  // CHECK: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.dot_general"(%c, %d) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]}> : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  // CHECK: stablehlo.dot_general %arg2, %arg3, contracting_dims = [] x [] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x8x8x6xf32>
  %2 = stablehlo.dot_general %c, %d, contracting_dims = [] x [] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x8x8x6xf32>
  // CHECK: contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>
  %3 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  // CHECK: contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, {{.*}}, allow_imprecise_accumulation = true> {mhlo.note = 1 : i32} :
  %4 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 3, rhs_component_count = 3, num_primitive_operations = 6, allow_imprecise_accumulation = true> {mhlo.note = 1 : i32} : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return
}

// CHECK-LABEL: @older_products
func.func @older_products(%a: tensor<3x4xi64>, %b: tensor<4x3xi64>) {
  // CHECK: stablehlo.dot %arg0, %arg1 : (tensor<3x4xi64>, tensor<4x3xi64>) -> tensor<3x3xi64>
  %0 = "stablehlo.dot"(%a, %b) : (tensor<3x4xi64>, tensor<4x3xi64>) -> tensor<3x3xi64>
  // CHECK: stablehlo.dot %arg0, %arg1, precision = [] : (tensor<3x4xi64>, tensor<4x3xi64>) -> tensor<3x3xi64>
  %1 = "stablehlo.dot"(%a, %b) <{precision_config = []}> : (tensor<3x4xi64>, tensor<4x3xi64>) -> tensor<3x3xi64>
  // CHECK: stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<3x4xi64>, tensor<4x3xi64>) -> tensor<3x3xi64>
  %2 = "stablehlo.einsum"(%a, %b) <{einsum_config = "ab,bc->ac"}> : (tensor<3x4xi64>, tensor<4x3xi64>) -> tensor<3x3xi64>
  // CHECK: stablehlo.unary_einsum %arg0, config = "ab->a" : (tensor<3x4xi64>) -> tensor<3xi64>
  %3 = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->a"}> : (tensor<3x4xi64>) -> tensor<3xi64>
  return
}

// CHECK-LABEL: @convolution
func.func @convolution(%x: tensor<4x28x28x1xf32>, %k: tensor<3x3x1x8xf32>, %y: tensor<1x4xf32>, %m: tensor<4x2xf32>, %p: tensor<2x2xi64>) {
  // CHECK: stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, f, 0, 1], window = {stride = [1, 2], pad = {{\[\[}}1, 1], [0, 2]], lhs_dilate = [1, 1], rhs_dilate = [2, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x28x28x1xf32>, tensor<3x3x1x8xf32>) -> tensor<4x8x26x14xf32>
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, f, 0, 1]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 2, 1>, window_reversal = array<i1: false, true>, window_strides = array<i64: 1, 2>}> : (tensor<4x28x28x1xf32>, tensor<3x3x1x8xf32>) -> tensor<4x8x26x14xf32>
  // Defaults are left out; so is the whole window of a convolution without spatial dimensions.
  // CHECK: stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  %1 = "stablehlo.convolution"(%y, %m) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 1 : i64}> : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  // Dimension numbers by name.
  // CHECK: "stablehlo.dynamic_conv"(%arg0, %arg1, %arg4) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x28x28x1xf32>, tensor<3x3x1x8xf32>, tensor<2x2xi64>) -> tensor<4x26x26x8xf32>
  %2 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>,
      feature_group_count = 1 : i64}> : (tensor<4x28x28x1xf32>, tensor<3x3x1x8xf32>, tensor<2x2xi64>) -> tensor<4x26x26x8xf32>
  return
}

// CHECK-LABEL: @transforms_and_solvers
func.func @transforms_and_solvers(%z: tensor<16xcomplex<f32>>, %r: tensor<16xf32>, %a: tensor<3x3xf32>) {
  // CHECK: stablehlo.fft %arg0, type = FFT, length = [16] : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  %0 = "stablehlo.fft"(%z) <{fft_length = array<i64: 16>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
  // CHECK: stablehlo.fft %arg1, type = RFFT, length = [16] : (tensor<16xf32>) -> tensor<9xcomplex<f32>>
  %1 = "stablehlo.fft"(%r) <{fft_length = array<i64: 16>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<16xf32>) -> tensor<9xcomplex<f32>>
  // CHECK: stablehlo.cholesky %arg2, lower = true : tensor<3x3xf32>
  %2 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  // CHECK: stablehlo.cholesky %arg2 : tensor<3x3xf32>
  %3 = "stablehlo.cholesky"(%a) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  // CHECK: "stablehlo.triangular_solve"(%arg2, %arg2) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %4 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// CHECK-LABEL: @batch_norm
func.func @batch_norm(%x: tensor<4x8xf32>, %s: tensor<8xf32>) {
  // CHECK: %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
  // CHECK: "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}>
  %1 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  // CHECK: %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg1, %arg1, %arg0) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}>
  %2:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %x) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}
