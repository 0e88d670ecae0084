// The constraints of elementwise ops; each case is named after the specification's label.
// RUN: tandem-opt %s -split-input-file -verify-diagnostics

func.func @abs_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = stablehlo.abs %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @abs_c2(%a: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xf32>', found 'tensor<2xf64>'}}
  %0 = stablehlo.abs %a : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}

// -----

func.func @add_c1(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @not_of_floats(%a: tensor<2xf32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.not %a : tensor<2xf32>
  return
}

// -----

func.func @bitcast_convert_c1_same_width(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects result of shape [2], found [3]}}
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @bitcast_convert_c1_narrower(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects result of shape [2, 2], found [2]}}
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2xi16>
  return
}

// -----

func.func @bitcast_convert_c1_wider(%a: tensor<2x3xi16>) {
  // expected-error@+1 {{expects an operand whose last dimension is 2, so that it joins into one 'i32', found shape [2, 3]}}
  %0 = stablehlo.bitcast_convert %a : (tensor<2x3xi16>) -> tensor<2xi32>
  return
}

// -----

func.func @bitcast_convert_c2(%a: tensor<2xf64>) {
  // expected-error@+1 {{expects both or neither element types to be complex}}
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf64>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @clamp_c1(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects min of shape [3], found [2]}}
  %0 = stablehlo.clamp %a, %b, %c : (tensor<2xf32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @clamp_c2(%a: tensor<f32>, %b: tensor<3xf32>, %c: tensor<1xf32>) {
  // expected-error@+1 {{expects max of shape [3], found [1]}}
  %0 = stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @clamp_c3(%a: tensor<f64>, %b: tensor<3xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects min of element type 'f32', found 'f64'}}
  %0 = stablehlo.clamp %a, %b, %c : (tensor<f64>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @clamp_c4(%a: tensor<f32>, %b: tensor<3xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<3xf32>', found 'tensor<4xf32>'}}
  %0 = stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @compare_c1(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error@+1 {{expects rhs of element type 'f32', found 'f64'}}
  %0 = stablehlo.compare EQ, %a, %b : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xi1>
  return
}

// -----

func.func @compare_c2(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{expects rhs of shape [2], found [3]}}
  %0 = stablehlo.compare EQ, %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xi1>
  return
}

// -----

func.func @compare_c2_result(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xi1>', found 'tensor<3xi1>'}}
  %0 = stablehlo.compare EQ, %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @compare_c3_f32(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects compare_type FLOAT or TOTALORDER for 'f32', found SIGNED}}
  %0 = stablehlo.compare EQ, %a, %a, SIGNED : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return
}

// -----

func.func @compare_c3_i32(%a: tensor<2xi32>) {
  // expected-error@+1 {{expects compare_type SIGNED for 'i32', found UNSIGNED}}
  %0 = stablehlo.compare EQ, %a, %a, UNSIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

func.func @compare_c3_ui32(%a: tensor<2xui32>) {
  // expected-error@+1 {{expects compare_type UNSIGNED for 'ui32', found SIGNED}}
  %0 = stablehlo.compare EQ, %a, %a, SIGNED : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xi1>
  return
}

// -----

func.func @compare_c3_i1(%a: tensor<2xi1>) {
  // expected-error@+1 {{expects compare_type UNSIGNED for 'i1', found SIGNED}}
  %0 = stablehlo.compare EQ, %a, %a, SIGNED : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @compare_c3_complex_f32(%a: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{expects compare_type FLOAT for 'complex<f32>', found TOTALORDER}}
  %0 = stablehlo.compare EQ, %a, %a, TOTALORDER : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  return
}

// -----

func.func @complex_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{expects lhs and rhs of one type, found 'tensor<2xf32>' and 'tensor<3xf32>'}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @complex_c2_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xcomplex<f32>>', found 'tensor<2xcomplex<f64>>'}}
  %0 = "stablehlo.complex"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f64>>
  return
}

// -----

func.func @convert_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<3xf64>
  return
}

// -----

func.func @imag_c2(%a: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xf32>', found 'tensor<2xf64>'}}
  %0 = stablehlo.imag %a : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}

// -----

func.func @real_c2(%a: tensor<2xcomplex<f64>>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xf64>', found 'tensor<2xf32>'}}
  %0 = stablehlo.real %a : (tensor<2xcomplex<f64>>) -> tensor<2xf32>
  return
}

// -----

func.func @is_finite_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{requires the same shape for all operands and results}}
  %0 = stablehlo.is_finite %a : (tensor<2xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @reduce_precision_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects exponent_bits of at least 1, found 0}}
  %0 = stablehlo.reduce_precision %a, format = e0m3 : tensor<2xf32>
  return
}

// -----

func.func @reduce_precision_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects mantissa_bits of at least 0, found -1}}
  %0 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 5 : i32, mantissa_bits = -1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @select_c1(%p: tensor<3xi1>, %a: tensor<2xf32>) {
  // expected-error@+1 {{expects pred of shape [2], found [3]}}
  %0 = "stablehlo.select"(%p, %a, %a) : (tensor<3xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @select_c2(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{expects on_true and on_false of one type, found 'tensor<2xf32>' and 'tensor<3xf32>'}}
  %0 = "stablehlo.select"(%p, %a, %b) : (tensor<i1>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @select_c2_result(%p: tensor<i1>, %a: tensor<2xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xf32>', found 'tensor<3xf32>'}}
  %0 = "stablehlo.select"(%p, %a, %a) : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

// Shapes are static.
func.func @dynamic_operand(%a: tensor<?xf32>) {
  // expected-error@+1 {{'stablehlo.abs' op expects static shapes, found 'tensor<?xf32>'; export the program with concrete sizes}}
  %0 = stablehlo.abs %a : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_result(%a: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.reshape' op expects static shapes, found 'tensor<?x2xf32>'; export the program with concrete sizes}}
  %0 = "stablehlo.reshape"(%a) : (tensor<2xf32>) -> tensor<?x2xf32>
  return
}

// -----

func.func @chlo_dynamic(%a: tensor<?xf32>) {
  // expected-error@+1 {{'chlo.erf' op expects static shapes, found 'tensor<?xf32>'}}
  %0 = chlo.erf %a : tensor<?xf32> -> tensor<?xf32>
  return
}

// -----

func.func @chlo_square_type(%a: tensor<2xf32>) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %0 = chlo.square %a : tensor<2xf32> -> tensor<3xf32>
  return
}

// -----

func.func @chlo_top_k_rank(%a: tensor<f32>) {
  // expected-error@+1 {{expects an operand of rank at least 1, found a scalar}}
  %v, %i = chlo.top_k(%a, k = 1) : tensor<f32> -> (tensor<1xf32>, tensor<1xi32>)
  return
}

// -----

func.func @chlo_top_k_range(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects k from 0 to 4, found 5}}
  %v, %i = chlo.top_k(%a, k = 5) : tensor<2x4xf32> -> (tensor<2x5xf32>, tensor<2x5xi32>)
  return
}

// -----

func.func @chlo_top_k_result(%a: tensor<2x4xf32>) {
  // expected-error@+1 {{expects result 1 of type 'tensor<2x3xi32>', found 'tensor<2x3xi64>'}}
  %v, %i = chlo.top_k(%a, k = 3) : tensor<2x4xf32> -> (tensor<2x3xf32>, tensor<2x3xi64>)
  return
}
