// Texts that do not parse, and what is said about them.
// RUN: tandem-opt --split-input-file --verify-diagnostics %s

func.func @function_type_of_a_unary(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected 1 operand type and one result type, found '(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>'}}
  %0 = stablehlo.convert %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
}

// -----

func.func @no_such_direction(%x: tensor<2xf32>) {
  // expected-error@+2 {{to be one of: EQ, NE, GE, GT, LE, LT}}
  // expected-error@+1 {{failed to parse}}
  %0 = stablehlo.compare UP, %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
}

// -----

func.func @types_of_select(%p: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error@+1 {{expected the predicate's and the values' type}}
  %0 = stablehlo.select %p, %x, %x : tensor<2xf32>
}

// -----

func.func @complex_of_real(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a tensor of complex type, found 'tensor<2xf32>'}}
  %0 = stablehlo.complex %x, %x : tensor<2xf32>
}

// -----

func.func @precision_format(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a format such as e5m10, found 'e5x10'}}
  %0 = stablehlo.reduce_precision %x, format = e5x10 : tensor<2xf32>
}

// -----

func.func @slice_without_limit(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected ':'}}
  %0 = stablehlo.slice %x [0] : (tensor<2xf32>) -> tensor<2xf32>
}

// -----

func.func @tuple_of_tensor(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a tuple type, found 'tensor<2xf32>'}}
  %0 = stablehlo.tuple %x : tensor<2xf32>
}

// -----

func.func @no_such_precision(%x: tensor<2x2xf32>) {
  // expected-error@+1 {{expected DEFAULT, HIGH, HIGHEST or PACKED_NIBBLE, found 'LOW'}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], precision = [LOW] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
}

// -----

func.func @contracting_of_one_side(%x: tensor<2x2xf32>) {
  // expected-error@+1 {{expected 'x'}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
}

// -----

func.func @neither_precision_nor_algorithm(%x: tensor<2x2xf32>) {
  // expected-error@+1 {{expected 'algorithm' or 'precision'}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], accuracy = [HIGH] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
}

// -----

func.func @conv_label(%x: tensor<1x4x4x1xf32>, %k: tensor<3x3x1x1xf32>) {
  // expected-error@+1 {{expected 'b', 'f' or a spatial dimension, found 'c'}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, c]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
}

// -----

func.func @conv_label_twice(%x: tensor<1x4x4x1xf32>, %k: tensor<3x3x1x1xf32>) {
  // expected-error@+1 {{'b' is given twice}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, b]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
}

// -----

func.func @conv_label_missing(%x: tensor<1x4x4x1xf32>, %k: tensor<3x3x1x1xf32>) {
  // expected-error@+1 {{dimension 'o' is missing}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
}

// -----

func.func @conv_spatial_gap(%x: tensor<1x4x4x1xf32>, %k: tensor<3x3x1x1xf32>) {
  // expected-error@+1 {{expected each spatial dimension from 0 to 1 once}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 2, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
}

// -----

func.func @conv_padding_pair(%x: tensor<1x4x4x1xf32>, %k: tensor<3x3x1x1xf32>) {
  // expected-error@+1 {{expected a pair of low and high padding}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
}

// -----

func.func @conv_window_twice(%x: tensor<1x4x4x1xf32>, %k: tensor<3x3x1x1xf32>) {
  // expected-error@+1 {{'stride' is given twice}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
}

// -----

func.func @conv_window_trailing_comma(%x: tensor<1x4x4x1xf32>, %k: tensor<3x3x1x1xf32>) {
  // expected-error@+1 {{expected stride, pad, lhs_dilate, rhs_dilate or reverse}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], size = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
}

// -----

func.func @reduce_applies_what_does_not_commute(%x: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expected a commutative stablehlo operation, found 'stablehlo.subtract'; write others as a reducer region}}
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.subtract across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
}

// -----

func.func @reduce_applies_to_two(%x: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{'applies' takes one input; write a reducer region}}
  %0:2 = stablehlo.reduce(%x init: %c), (%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
}

// -----

func.func @reduce_operands(%x: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{number of operands and types do not match: got 2 operands and 1 types}}
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>) -> tensor<f32>
}

// -----

func.func @while_types(%x: tensor<i32>) {
  // expected-error@+1 {{number of operands and types do not match: got 1 operands and 2 types}}
  %0 = stablehlo.while(%i = %x) : tensor<i32>, tensor<i32> cond {
  } do {
  }
}

// -----

func.func @while_without_body(%x: tensor<i32>, %p: tensor<i1>) {
  %0 = stablehlo.while(%i = %x) : tensor<i32> cond {
    stablehlo.return %p : tensor<i1>
  }
  // expected-error@+1 {{expected 'do'}}
  return
}

// -----

// expected-error@+1 {{unknown field 'offset_dimensions', expected one of offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims, start_index_map, index_vector_dim}}
func.func private @f() attributes {a = #stablehlo.gather<offset_dimensions = [1]>}

// -----

// expected-error@+1 {{field 'index_vector_dim' is given twice}}
func.func private @f() attributes {a = #stablehlo.scatter<index_vector_dim = 1, index_vector_dim = 1>}

// -----

// expected-error@+1 {{field 'mode' is missing}}
func.func private @f() attributes {a = #stablehlo.result_accuracy<ulps = 1>}

// -----

// expected-error@+1 {{expected integer value}}
func.func private @f() attributes {a = #stablehlo.dot<lhs_batching_dimensions = [a]>}

// -----

// expected-error@+1 {{unknown attribute `no_such_attribute` in dialect `stablehlo`}}
func.func private @f() attributes {a = #stablehlo.no_such_attribute<1>}

// -----

// expected-error@+1 {{unknown  type `no_such_type` in dialect `stablehlo`}}
func.func private @f(!stablehlo.no_such_type)
