// The constraints of control flow, tuples, calls outside and random numbers; each case is named after
// the specification's label.
// RUN: tandem-opt %s -split-input-file -verify-diagnostics

func.func @if_predicate(%p: tensor<1xi1>, %a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{expects pred of shape [], found [1]}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<1xi1>) -> tensor<2xf32>
  return
}

// -----

func.func @if_c1(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{expects true_branch to take no arguments, found 1}}
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @if_c2(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{expects false_branch to return 'tensor<2xf32>' as value 0, found 'tensor<3xf32>'}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %b : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @if_c3(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{expects 1 values returned by true_branch, found 0}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @case_c1(%i: tensor<i32>) {
  // expected-error@+1 {{expects at least one branch, found none}}
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}

// -----

func.func @case_c2(%i: tensor<i32>) {
  // expected-error@+1 {{expects branch 0 to take no arguments, found 1}}
  "stablehlo.case"(%i) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return
  }) : (tensor<i32>) -> ()
  return
}

// -----

func.func @case_c3(%i: tensor<i32>, %a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{expects branch 1 to return 'tensor<2xf32>' as value 0, found 'tensor<3xf32>'}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %b : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @case_c4(%i: tensor<i32>, %a: tensor<2xf32>) {
  // expected-error@+1 {{expects branch 0 to return 'tensor<3xf32>' as value 0, found 'tensor<2xf32>'}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @while_c1_arguments(%a: tensor<2xf32>, %n: tensor<3xf32>) {
  // expected-error@+1 {{expects cond to take 1 arguments, one per operand, found 0}}
  %0 = "stablehlo.while"(%a) ({
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @while_c1_type(%a: tensor<2xf32>, %n: tensor<3xf32>) {
  // expected-error@+1 {{expects argument 0 of cond of type 'tensor<2xf32>', found 'tensor<f32>'}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<f32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @while_c1_result(%a: tensor<2xf32>, %n: tensor<3xf32>) {
  // expected-error@+1 {{expects cond to return one tensor<i1>, found 'tensor<2xf32>'}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @while_c1_results(%a: tensor<2xf32>, %n: tensor<3xf32>) {
  // expected-error@+1 {{expects cond to return one tensor<i1>, found 0 values}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @while_c2_type(%a: tensor<2xf32>, %n: tensor<3xf32>) {
  // expected-error@+1 {{expects argument 0 of body of type 'tensor<2xf32>', found 'tensor<3xf32>'}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<3xf32>):
    stablehlo.return %x : tensor<3xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @while_c2_count(%a: tensor<2xf32>, %n: tensor<3xf32>) {
  // expected-error@+1 {{expects 1 values returned by body, found 2}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x, %x : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @while_c2_result(%a: tensor<2xf32>, %n: tensor<3xf32>) {
  // expected-error@+1 {{expects body to return 'tensor<2xf32>' as value 0, found 'tensor<3xf32>'}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %n : tensor<3xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @while_c3(%a: tensor<2xf32>, %n: tensor<3xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xf32>', found 'tensor<3xf32>'}}
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @optimization_barrier_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xf32>', found 'tensor<3xf32>'}}
  %0 = "stablehlo.optimization_barrier"(%a) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @tuple_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects result 0 of type 'tuple<tensor<2xf32>>', found 'tuple<tensor<3xf32>>'}}
  %0 = "stablehlo.tuple"(%a) : (tensor<2xf32>) -> tuple<tensor<3xf32>>
  return
}

// -----

func.func @get_tuple_element_c1(%a: tuple<tensor<2xf32>>) {
  // expected-error@+1 {{expects index from 0 to 0, found 1}}
  %0 = stablehlo.get_tuple_element %a[1] : (tuple<tensor<2xf32>>) -> tensor<2xf32>
  return
}

// -----

func.func @get_tuple_element_c2(%a: tuple<tensor<2xf32>>) {
  // expected-error@+1 {{expects result 0 of type 'tensor<2xf32>', found 'tensor<3xf32>'}}
  %0 = stablehlo.get_tuple_element %a[0] : (tuple<tensor<2xf32>>) -> tensor<3xf32>
  return
}

// -----

func.func @custom_call_layouts_both(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects operand_layouts and result_layouts both or neither}}
  %0 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_count(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects 1 operand_layouts, found 2}}
  %0 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_layouts_permutation(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects entry 0 of result_layouts to order the 2 dimensions of 'tensor<2x3xf32>', found [1, 1]}}
  %0 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_alias_operand(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects operand_index from 0 to 0, found 1}}
  %0 = stablehlo.custom_call @f(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_alias_operand_tuple(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects operand_tuple_indices into 'tensor<2x3xf32>', found [0]}}
  %0 = stablehlo.custom_call @f(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = [0]>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_alias_output(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects output_tuple_indices into 'tensor<2x3xf32>', found [0]}}
  %0 = stablehlo.custom_call @f(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @custom_call_alias_type(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{expects an alias between values of one type, found operand 'tensor<2x3xf32>' and output 'tensor<6xf32>'}}
  %0 = stablehlo.custom_call @f(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<6xf32>
  return
}

// -----

func.func private @d(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
func.func @composite_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{expects a name of the form "namespace.op", found "gelu"}}
  %0 = stablehlo.composite "gelu" %a {decomposition = @d} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @rng_bit_generator_c1(%s: tensor<2xui64>) {
  // expected-error@+1 {{expects output_state of initial_state's type 'tensor<2xui64>', found 'tensor<3xui64>'}}
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<3xui64>, tensor<8xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_rank(%s: tensor<1x2xui64>) {
  // expected-error@+1 {{expects initial_state of rank 1, found 2}}
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<1x2xui64>) -> (tensor<1x2xui64>, tensor<8xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_threefry(%s: tensor<3xui64>) {
  // expected-error@+1 {{expects 2 elements of initial_state for THREE_FRY, found 3}}
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui32>)
  return
}

// -----

func.func @rng_bit_generator_c2_philox(%s: tensor<4xui64>) {
  // expected-error@+1 {{expects 2 or 3 elements of initial_state for PHILOX, found 4}}
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<4xui64>) -> (tensor<4xui64>, tensor<8xui32>)
  return
}

// -----

func.func @rng_c1(%a: tensor<f32>, %b: tensor<f64>, %s: tensor<2xi64>) {
  // expected-error@+1 {{expects b of element type 'f32', found 'f64'}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @rng_c1_scalar(%a: tensor<1xf32>, %b: tensor<f32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{expects a of shape [], found [1]}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<1xf32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @rng_c2(%a: tensor<i32>, %b: tensor<i32>, %s: tensor<2xi64>) {
  // expected-error@+1 {{expects a float element type for NORMAL, found 'i32'}}
  %0 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  return
}

// -----

func.func @rng_c3(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<3xi64>) {
  // expected-error@+1 {{expects 3 result dimensions, found 2}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<3xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @rng_c3_sizes(%a: tensor<f32>, %b: tensor<f32>) {
  %c = stablehlo.constant dense<[2, 4]> : tensor<2xi64>
  // expected-error@+1 {{expects result of shape [2, 4], found [2, 3]}}
  %0 = stablehlo.rng %a, %b, %c, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}
