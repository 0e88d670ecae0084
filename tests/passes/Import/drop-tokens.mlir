// Values keep their order without tokens, and the numbers of what is left are its own.
// RUN: tandem-opt %s -split-input-file -verify-diagnostics --tandem-drop-tokens | FileCheck %s
// RUN: tandem-opt %s -split-input-file -verify-diagnostics --tandem-drop-tokens --tandem-drop-tokens | FileCheck %s

// Arguments, results, what is donated; a call that a token orders has an effect.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<4xf32> {jax.result_info = "y"}) {
// CHECK-NEXT: stablehlo.custom_call @log(%[[X]]) {has_side_effect = true} : (tensor<4xf32>) -> ()
// CHECK-NEXT: %[[Y:.*]] = stablehlo.custom_call @step(%[[X]]) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[Y]] : tensor<4xf32>
func.func @main(%t: !stablehlo.token {jax.token = true}, %x: tensor<4xf32> {tf.aliasing_output = 1 : i32})
    -> (!stablehlo.token {jax.token = true}, tensor<4xf32> {jax.result_info = "y"}) {
  %0 = stablehlo.custom_call @log(%t, %x) : (!stablehlo.token, tensor<4xf32>) -> !stablehlo.token
  %1:2 = stablehlo.custom_call @step(%0, %x) {has_side_effect = true} : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>)
  return %1#0, %1#1 : !stablehlo.token, tensor<4xf32>
}

// -----

// Loop state, branches, barriers.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: token
// CHECK: %[[B:.*]] = stablehlo.optimization_barrier %arg1 : tensor<i32>
// CHECK-NOT: optimization_barrier
// CHECK: stablehlo.while(%[[I:.*]] = %[[B]]) : tensor<i32>
// CHECK: stablehlo.custom_call @log(%[[I]]) {has_side_effect = true} : (tensor<i32>) -> ()
// CHECK: stablehlo.return %{{.*}} : tensor<i32>
// CHECK: "stablehlo.if"(%arg0) ({
// CHECK-NEXT: stablehlo.custom_call @rare() {has_side_effect = true} : () -> ()
// CHECK-NEXT: stablehlo.return
// CHECK-NEXT: }, {
// CHECK-NEXT: stablehlo.return
// CHECK: (tensor<i1>) -> ()
func.func @main(%p: tensor<i1>, %n: tensor<i32>) -> tensor<i32> {
  %t = stablehlo.create_token : !stablehlo.token
  %t0 = stablehlo.after_all %t, %t : !stablehlo.token
  %b:2 = stablehlo.optimization_barrier %n, %t0 : tensor<i32>, !stablehlo.token
  %only = stablehlo.optimization_barrier %b#1 : !stablehlo.token
  %w:2 = stablehlo.while(%u = %only, %i = %b#0) : !stablehlo.token, tensor<i32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %c = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %v = stablehlo.custom_call @log(%u, %i) : (!stablehlo.token, tensor<i32>) -> !stablehlo.token
    %j = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %v, %j : !stablehlo.token, tensor<i32>
  }
  %r = "stablehlo.if"(%p) ({
    %v = stablehlo.custom_call @rare(%w#0) : (!stablehlo.token) -> !stablehlo.token
    stablehlo.return %v : !stablehlo.token
  }, {
    stablehlo.return %w#0 : !stablehlo.token
  }) : (tensor<i1>) -> !stablehlo.token
  return %w#1 : tensor<i32>
}

// -----

// Layouts, aliases and shardings of calls count the tensors.
// CHECK-LABEL: func.func @main(
// CHECK: stablehlo.custom_call @f(%arg0)
// CHECK-SAME: operand_layouts = [dense<[0, 1]> : tensor<2xindex>]
// CHECK-SAME: output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]
// CHECK-SAME: result_layouts = [dense<[1, 0]> : tensor<2xindex>]
// CHECK-SAME: sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>
sdy.mesh @mesh = <["a"=2]>
func.func @main(%t: !stablehlo.token, %x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0:2 = stablehlo.custom_call @f(%t, %x) {
    operand_layouts = [dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>],
    result_layouts = [dense<> : tensor<0xindex>, dense<[1, 0]> : tensor<2xindex>],
    output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>],
    sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"a"}, {}]>]>
  } : (!stablehlo.token, tensor<2x2xf32>) -> (!stablehlo.token, tensor<2x2xf32>)
  return %0#1 : tensor<2x2xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) {
  %t = stablehlo.create_token : !stablehlo.token
  // expected-error @+1 {{'stablehlo.outfeed' moves values to or from the host while the program runs, which is not supported; expected arguments, results, or a custom call}}
  %0 = "stablehlo.outfeed"(%x, %t) {outfeed_config = ""} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
