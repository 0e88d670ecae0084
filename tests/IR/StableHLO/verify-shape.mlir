// The constraints of the ops that move data; each case is named after the specification's label.
// RUN: tandem-opt %s -split-input-file -verify-diagnostics

func.func @iota_c1() {
  // expected-error@+1 {{expects iota_dimension from 0 to 0, found 1}}
  %0 = stablehlo.iota dim = 1 : tensor<4xi32>
  return
}

// -----

func.func @iota_c1_scalar() {
  // expected-error@+1 {{expects no iota_dimension, found 0}}
  %0 = stablehlo.iota dim = 0 : tensor<i32>
  return
}

// -----

func.func @broadcast_in_dim_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects result of element type 'f32', found 'f64'}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf64>
  return
}

// -----

func.func @broadcast_in_dim_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects 1 broadcast_dimensions, found 2}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects broadcast_dimensions from 0 to 1, found 2}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [2] : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c4(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{expects unique broadcast_dimensions, found 0 twice}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 0] : (tensor<2x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c5(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects dimension 0 of the operand to be 1 or 3, dimension 1 of the result, found 2}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_sizes(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects broadcast_sizes of at least 0, found -1}}
  %0 = stablehlo.broadcast %a, sizes = [-1] : (tensor<2xf32>) -> tensor<1x2xf32>
  return
}

// -----

func.func @broadcast_result(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<3x2xf32>', found 'tensor<2x3xf32>'}}
  %0 = stablehlo.broadcast %a, sizes = [3] : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects result of element type 'f32', found 'i32'}}
  %0 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @reshape_c2(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects a result of 6 elements, as in the operand, found 7}}
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<7xf32>
  return
}

// -----

func.func @transpose_c1(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<3x2xf32>', found 'tensor<3x2xf64>'}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf64>
  return
}

// -----

func.func @transpose_c2_count(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects 2 dimensions in permutation, found 1}}
  %0 = stablehlo.transpose %a, dims = [0] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @transpose_c2_range(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects dimensions in permutation from 0 to 1, found 2}}
  %0 = stablehlo.transpose %a, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_c2_unique(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects unique dimensions in permutation, found 1 twice}}
  %0 = stablehlo.transpose %a, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @transpose_c3(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<3x2xf32>', found 'tensor<2x3xf32>'}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reverse_c2(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects unique dimensions, found 0 twice}}
  %0 = stablehlo.reverse %a, dims = [0, 0] : tensor<2x3xf32>
  return
}

// -----

func.func @reverse_c3(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects dimensions from 0 to 1, found 2}}
  %0 = stablehlo.reverse %a, dims = [2] : tensor<2x3xf32>
  return
}

// -----

func.func @concatenate_c1(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error@+1 {{expects all inputs of element type 'f32', found 'f64'}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<2xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @concatenate_c2(%a: tensor<2x3xf32>, %b: tensor<3x3xf32>) {
  // expected-error@+1 {{expects inputs of one shape but for dimension 1, found [2, 3] and, at 1, [3, 3]}}
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @concatenate_c2_rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{expects inputs of rank 2, found 1 in input 1}}
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @concatenate_c3() {
  // expected-error@+1 {{expects at least one input, found none}}
  %0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<0xf32>
  return
}

// -----

func.func @concatenate_c4(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects dimension from 0 to 0, found 1}}
  %0 = stablehlo.concatenate %a, dim = 1 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @concatenate_c5(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xf32>', found 'tensor<2xf64>'}}
  %0 = stablehlo.concatenate %a, dim = 0 : (tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @concatenate_c6(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<4xf32>', found 'tensor<5xf32>'}}
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @slice_c1(%a: tensor<3x8xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<3x8xf32>', found 'tensor<3x8xi32>'}}
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 1>}> : (tensor<3x8xf32>) -> tensor<3x8xi32>
  return
}

// -----

func.func @slice_c2_start(%a: tensor<3x8xf32>) {
  // expected-error@+1 {{expects 2 start_indices, found 1}}
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 1>}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @slice_c2_limit(%a: tensor<3x8xf32>) {
  // expected-error@+1 {{expects 2 limit_indices, found 3}}
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 8, 1>, strides = array<i64: 1, 1>}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @slice_c2_strides(%a: tensor<3x8xf32>) {
  // expected-error@+1 {{expects 2 strides, found 1}}
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1>}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @slice_c3_start(%a: tensor<3x8xf32>) {
  // expected-error@+1 {{expects 0 <= start <= limit <= 3 in dimension 0, found start -1 and limit 3}}
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: -1, 0>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 1>}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @slice_c3_order(%a: tensor<3x8xf32>) {
  // expected-error@+1 {{expects 0 <= start <= limit <= 8 in dimension 1, found start 5 and limit 4}}
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 5>, limit_indices = array<i64: 3, 4>, strides = array<i64: 1, 1>}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @slice_c3_limit(%a: tensor<3x8xf32>) {
  // expected-error@+1 {{expects 0 <= start <= limit <= 8 in dimension 1, found start 0 and limit 9}}
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 9>, strides = array<i64: 1, 1>}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @slice_c4(%a: tensor<3x8xf32>) {
  // expected-error@+1 {{expects strides of at least 1, found 0}}
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 0>}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @slice_c5(%a: tensor<3x8xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<3x4xf32>', found 'tensor<3x3xf32>'}}
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 1>, limit_indices = array<i64: 3, 8>, strides = array<i64: 1, 2>}> : (tensor<3x8xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @pad_c1(%a: tensor<2x3xf32>, %b: tensor<f64>) {
  // expected-error@+1 {{expects padding_value of element type 'f32', found 'f64'}}
  %0 = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<2x3xf32>, tensor<f64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_scalar(%a: tensor<2x3xf32>, %b: tensor<1xf32>) {
  // expected-error@+1 {{expects padding_value of shape [], found [1]}}
  %0 = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c2_low(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{expects 2 amounts in edge_padding_low, found 1}}
  %0 = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c2_high(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{expects 2 amounts in edge_padding_high, found 1}}
  %0 = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0, 0>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c2_interior(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{expects 2 amounts in interior_padding, found 1}}
  %0 = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c3(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{expects interior_padding of at least 0, found -1}}
  %0 = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, -1>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c4(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<5x4xf32>', found 'tensor<5x5xf32>'}}
  %0 = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 2, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x5xf32>
  return
}

// -----

func.func @pad_c4_negative(%a: tensor<2x3xf32>, %b: tensor<f32>) {
  // expected-error@+1 {{expects padding that leaves a size of at least 0 in dimension 0, found -1}}
  %0 = "stablehlo.pad"(%a, %b) <{edge_padding_low = array<i64: -1, 0>, edge_padding_high = array<i64: -2, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<0x3xf32>
  return
}

// -----

func.func @get_dimension_size_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects dimension from 0 to 0, found 1}}
  %0 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2xf32>) -> tensor<i32>
  return
}

// -----

func.func @set_dimension_size_c1(%a: tensor<2xf32>, %s: tensor<i32>) {
  // expected-error@+1 {{expects dimension from 0 to 0, found 1}}
  %0 = stablehlo.set_dimension_size %a, %s, dim = 1 : (tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c5(%a: tensor<2xf32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{expects dimension 0 of the operand to be 1 or 3, dimension 1 of the result, found 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c7(%a: tensor<3xf32>, %s: tensor<3xi64>) {
  // expected-error@+1 {{expects 2 output_dimensions, found 3}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<3xf32>, tensor<3xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c8(%a: tensor<3xf32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{expects unique known expanding and nonexpanding dimensions, found 0 twice}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) <{broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>}> : (tensor<3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c9(%a: tensor<3xf32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{expects known expanding and nonexpanding dimensions from 0 to 0, found 1}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) <{broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 1>}> : (tensor<3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_reshape_c2(%a: tensor<3xf32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{expects a result of 3 elements, as in the operand, found 6}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_reshape_c4(%a: tensor<6xf32>, %s: tensor<3xi64>) {
  // expected-error@+1 {{expects 2 sizes in output_shape, found 3}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<6xf32>, tensor<3xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_iota_c1(%s: tensor<1xi64>) {
  // expected-error@+1 {{expects iota_dimension from 0 to 0, found 1}}
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<1xi64>) -> tensor<3xi32>
  return
}

// -----

func.func @dynamic_iota_c2(%s: tensor<1xi64>) {
  // expected-error@+1 {{expects 1 result dimensions, found 2}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<3x3xi32>
  return
}

// -----

func.func @dynamic_pad_c1(%a: tensor<2xf32>, %b: tensor<f64>, %s: tensor<1xi64>) {
  // expected-error@+1 {{expects padding_value of element type 'f32', found 'f64'}}
  %0 = stablehlo.dynamic_pad %a, %b, %s, %s, %s : (tensor<2xf32>, tensor<f64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @dynamic_pad_c2(%a: tensor<2xf32>, %b: tensor<f32>, %s: tensor<1xi64>, %t: tensor<2xi64>) {
  // expected-error@+1 {{expects 1 amounts in edge_padding_high, found 2}}
  %0 = stablehlo.dynamic_pad %a, %b, %s, %t, %s : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<2xi64>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @real_dynamic_slice_counts(%a: tensor<2xf32>, %s: tensor<1xi64>, %t: tensor<2xi64>) {
  // expected-error@+1 {{expects 1 limit_indices, found 2}}
  %0 = stablehlo.real_dynamic_slice %a, %s, %t, %s : (tensor<2xf32>, tensor<1xi64>, tensor<2xi64>, tensor<1xi64>) -> tensor<2xf32>
  return
}
