// Types that an operation does not take, and those that its definition ties together.
// RUN: tandem-opt --split-input-file --verify-diagnostics %s

func.func @not_of_float(%x: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.not' op operand #0 must be ranked tensor of boolean or signless or unsigned integer values, but got 'tensor<2xf32>'}}
  %0 = "stablehlo.not"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @exponential_of_integer(%x: tensor<2xi32>) {
  // expected-error@+1 {{'stablehlo.exponential' op operand #0 must be ranked tensor of floating point or complex of f32 or f64 values, but got 'tensor<2xi32>'}}
  %0 = "stablehlo.exponential"(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error@+1 {{'stablehlo.abs' op operand #0 must be ranked tensor}}
  %0 = "stablehlo.abs"(%x) : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @operands_of_two_types(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{'stablehlo.add' op requires the same type for all operands and results}}
  %0 = "stablehlo.add"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @result_of_compare(%x: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.compare' op expects result 0 of type 'tensor<2xi1>', found 'tensor<3xi1>'}}
  %0 = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @result_of_constant() {
  // expected-error@+2 {{'stablehlo.constant' op failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<2xi32>'}}
  %0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xi32>
  return
}

// -----

func.func @attribute_missing(%x: tensor<2xf32>) {
  // expected-error@+1 {{'stablehlo.transpose' op requires attribute 'permutation'}}
  %0 = "stablehlo.transpose"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @index_of_dynamic_slice(%x: tensor<2xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{'stablehlo.dynamic_slice' op operand #1 must be variadic of 0D tensor of signless or unsigned integer values, but got 'tensor<1xi32>'}}
  %0 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 1>}> : (tensor<2xf32>, tensor<1xi32>) -> tensor<1xf32>
  return
}

// -----

func.func @top_k_of_too_many(%x: tensor<2xf32>) {
  // expected-error@+1 {{'chlo.top_k' op expects k from 0 to 2, found 3}}
  %0:2 = "chlo.top_k"(%x) <{k = 3 : i64}> : (tensor<2xf32>) -> (tensor<3xf32>, tensor<3xi32>)
  return
}

// -----

func.func @composite_without_decomposition(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected the decomposition 'missing' to be a function of this module}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @missing} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @other(tensor<3xf32>) -> tensor<2xf32>
func.func @composite_of_other_types(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected the types of the decomposition 'other', found operands ('tensor<2xf32>') and results ('tensor<2xf32>')}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @other} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
