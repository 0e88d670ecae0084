// Attributes on their own: what is empty, zero or out of order comes back the same.
// RUN: tandem-opt %s | FileCheck %s
// RUN: tandem-opt %s | tandem-opt | FileCheck %s
// RUN: tandem-opt %s --emit-bytecode | tandem-opt | FileCheck %s

// CHECK-LABEL: @structs
// CHECK-SAME: a = #stablehlo.gather<>
// CHECK-SAME: b = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [2], index_vector_dim = 1>
// CHECK-SAME: c = #stablehlo.scatter<>
// CHECK-SAME: d = #stablehlo.scatter<update_window_dims = [1], index_vector_dim = 3>
// CHECK-SAME: e = #stablehlo.dot<>
// CHECK-SAME: f = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_contracting_dimensions = [1]>
// CHECK-SAME: g = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>
// CHECK-SAME: h = #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 2, operand_tuple_indices = [3]>
// CHECK-SAME: i = #stablehlo.channel_handle<handle = 3, type = 0>
// CHECK-SAME: j = #stablehlo.bounds<4, ?>
// CHECK-SAME: k = #stablehlo.bounds<>
func.func private @structs() attributes {
  a = #stablehlo.gather<>,
  b = #stablehlo.gather<index_vector_dim = 1, start_index_map = [2], offset_dims = [0, 1], collapsed_slice_dims = []>,
  c = #stablehlo.scatter<index_vector_dim = 0>,
  d = #stablehlo.scatter<index_vector_dim = 3, update_window_dims = [1]>,
  e = #stablehlo.dot<>,
  f = #stablehlo.dot<rhs_contracting_dimensions = [1], lhs_batching_dimensions = [0]>,
  g = #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>,
  h = #stablehlo.output_operand_alias<operand_index = 2, operand_tuple_indices = [3], output_tuple_indices = [1]>,
  i = #stablehlo.channel_handle<type = 0, handle = 3>,
  j = #stablehlo.bounds<4, ?>,
  k = #stablehlo.bounds<>}

// The letters of a convolution, by name where they would not say it all.
// CHECK-LABEL: @conv
// CHECK-SAME: a = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>
// CHECK-SAME: b = #stablehlo.conv<[f, b]x[i, o]->[0, f, b]>
// CHECK-SAME: c = #stablehlo.conv<[1, b, 0, f]x[i, 0, o, 1]->[b, 1, f, 0]>
// CHECK-SAME: d = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = [], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 1, kernel_spatial_dimensions = [], output_batch_dimension = 0, output_feature_dimension = 9, output_spatial_dimensions = [1]>
func.func private @conv() attributes {
  a = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>,
  b = #stablehlo.conv<[f, b]x[i, o]->[0, f, b]>,
  c = #stablehlo.conv<raw input_batch_dimension = 1, input_feature_dimension = 3, input_spatial_dimensions = [2, 0],
    kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [1, 3],
    output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [3, 1]>,
  d = #stablehlo.conv<raw kernel_output_feature_dimension = 1, output_feature_dimension = 9, output_spatial_dimensions = [1]>}

// CHECK-LABEL: @enums
// CHECK-SAME: a = #stablehlo<comparison_direction LT>
// CHECK-SAME: b = #stablehlo<comparison_type NOTYPE>
// CHECK-SAME: c = #stablehlo<precision PACKED_NIBBLE>
// CHECK-SAME: d = #stablehlo<fft_type IRFFT>
// CHECK-SAME: e = #stablehlo<transpose NO_TRANSPOSE>
// CHECK-SAME: f = #stablehlo<rng_distribution NORMAL>
// CHECK-SAME: g = #stablehlo<rng_algorithm PHILOX>
// CHECK-SAME: h = #stablehlo.result_accuracy_mode<HIGHEST>
func.func private @enums() attributes {
  a = #stablehlo<comparison_direction LT>, b = #stablehlo<comparison_type NOTYPE>,
  c = #stablehlo<precision PACKED_NIBBLE>, d = #stablehlo<fft_type IRFFT>,
  e = #stablehlo<transpose NO_TRANSPOSE>, f = #stablehlo<rng_distribution NORMAL>,
  g = #stablehlo<rng_algorithm PHILOX>, h = #stablehlo.result_accuracy_mode<HIGHEST>}
