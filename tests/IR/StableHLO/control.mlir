// The forms of control flow, tuples, tokens and calls outside.
// RUN: tandem-opt %s | FileCheck %s
// RUN: tandem-opt %s | tandem-opt | FileCheck %s

// Both regions of a loop are printed under the body's names; inside, func is no longer the
// default dialect.
// CHECK-LABEL: @while
func.func @while(%x: tensor<i32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<i32>, tensor<2xf32>
  // CHECK-NEXT: {{^}} cond {
  // CHECK-NEXT:   %c = stablehlo.constant dense<4> : tensor<i32>
  // CHECK-NEXT:   %1 = stablehlo.compare LT, %iterArg, %c, SIGNED
  // CHECK-NEXT:   stablehlo.return %1 : tensor<i1>
  // CHECK-NEXT: } do {
  // CHECK-NEXT:   %1 = func.call @step(%iterArg) : (tensor<i32>) -> tensor<i32>
  // CHECK-NEXT:   stablehlo.return %1, %iterArg_0 : tensor<i32>, tensor<2xf32>
  // CHECK-NEXT: }
  %0:2 = "stablehlo.while"(%x, %y) ({
  ^bb0(%i: tensor<i32>, %v: tensor<2xf32>):
    %c = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<2xf32>):
    %n = func.call @step(%i) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %n, %v : tensor<i32>, tensor<2xf32>
  }) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)
  return %0#1 : tensor<2xf32>
}

// CHECK-LABEL: @while_attributes
func.func @while_attributes(%x: tensor<i32>) {
  // CHECK: stablehlo.while(%iterArg = %arg0) : tensor<i32> attributes {mhlo.note = "n"}
  %0 = stablehlo.while(%i = %x) : tensor<i32> attributes {mhlo.note = "n"}
    cond {
    %p = stablehlo.compare LT, %i, %x, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  // Nothing carried: no types.
  // CHECK: stablehlo.while()
  // CHECK-NEXT: cond {
  stablehlo.while() cond {
    %p = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return
  }
  return
}

func.func private @step(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}

// CHECK-LABEL: @branches
func.func @branches(%p: tensor<i1>, %i: tensor<i32>, %x: tensor<2xf32>) {
  // CHECK: "stablehlo.if"(%arg0) ({
  // CHECK: }, {
  // CHECK: }) : (tensor<i1>) -> tensor<2xf32>
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    %n = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %n : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  // CHECK: %{{.*}}:2 = "stablehlo.case"(%arg1) ({
  // CHECK: }, {
  // CHECK: }, {
  // CHECK: }) : (tensor<i32>) -> (tensor<2xf32>, tensor<2xf32>)
  %1:2 = "stablehlo.case"(%i) ({
    stablehlo.return %x, %x : tensor<2xf32>, tensor<2xf32>
  }, {
    stablehlo.return %0, %x : tensor<2xf32>, tensor<2xf32>
  }, {
    stablehlo.return %x, %0 : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<i32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// CHECK-LABEL: @barrier
func.func @barrier(%x: tensor<2xf32>, %t: !stablehlo.token) {
  // CHECK: stablehlo.optimization_barrier()
  "stablehlo.optimization_barrier"() : () -> ()
  // CHECK: stablehlo.optimization_barrier %arg0 : tensor<2xf32>
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: %{{.*}}:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<2xf32>, !stablehlo.token
  %1:2 = "stablehlo.optimization_barrier"(%x, %t) : (tensor<2xf32>, !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// CHECK-LABEL: @tuples_and_tokens
func.func @tuples_and_tokens(%x: tensor<i32>, %t: !stablehlo.token) {
  // CHECK: %0 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<i32>, !stablehlo.token>
  %0 = "stablehlo.tuple"(%x, %t) : (tensor<i32>, !stablehlo.token) -> tuple<tensor<i32>, !stablehlo.token>
  // CHECK: stablehlo.tuple : tuple<>
  %1 = "stablehlo.tuple"() : () -> tuple<>
  // CHECK: stablehlo.tuple %0 : tuple<tuple<tensor<i32>, !stablehlo.token>>
  %2 = "stablehlo.tuple"(%0) : (tuple<tensor<i32>, !stablehlo.token>) -> tuple<tuple<tensor<i32>, !stablehlo.token>>
  // CHECK: stablehlo.get_tuple_element %0[0] : (tuple<tensor<i32>, !stablehlo.token>) -> tensor<i32>
  %3 = "stablehlo.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<tensor<i32>, !stablehlo.token>) -> tensor<i32>
  // CHECK: stablehlo.after_all %arg1, %arg1 : !stablehlo.token
  %4 = "stablehlo.after_all"(%t, %t) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  // CHECK: stablehlo.after_all : !stablehlo.token
  %5 = "stablehlo.after_all"() : () -> !stablehlo.token
  // CHECK: stablehlo.create_token : !stablehlo.token
  %6 = "stablehlo.create_token"() : () -> !stablehlo.token
  // CHECK: stablehlo.trace %arg0, "here" : tensor<i32>
  "stablehlo.trace"(%x) <{tag = "here"}> : (tensor<i32>) -> ()
  return
}

// What has its default value is not printed.
// CHECK-LABEL: @custom_call
func.func @custom_call(%x: tensor<4x4xf32>) {
  // CHECK: stablehlo.custom_call @foo(%arg0, %arg0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
  %0 = "stablehlo.custom_call"(%x, %x) <{api_version = 1 : i32, call_target_name = "foo", called_computations = [], has_side_effect = false, output_operand_aliases = []}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
  // CHECK: stablehlo.custom_call @"not-an.id entifier"() {api_version = 4 : i32, backend_config = {a = 1 : i64}, has_side_effect = true} : () -> ()
  "stablehlo.custom_call"() <{api_version = 4 : i32, call_target_name = "not-an.id entifier", backend_config = {a = 1 : i64}, has_side_effect = true}> : () -> ()
  // CHECK: %{{.*}}:2 = stablehlo.custom_call @lapack(%arg0) {backend_config = "", called_computations = [@body], mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  %1:2 = "stablehlo.custom_call"(%x) <{backend_config = "", call_target_name = "lapack", called_computations = [@body], operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<operand_index = 0, output_tuple_indices = [0]>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]}> {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  return
}

func.func private @body(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %x : tensor<4x4xf32>
}

// CHECK-LABEL: @composite
func.func @composite(%x: tensor<4x4xf32>) {
  // CHECK: stablehlo.composite "my.op" %arg0, %arg0 {composite_attributes = {k = 2.000000e+00 : f64}, decomposition = @body, version = 3 : i32} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = "stablehlo.composite"(%x, %x) <{composite_attributes = {k = 2.0 : f64}, decomposition = @body, name = "my.op", version = 3 : i32}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
