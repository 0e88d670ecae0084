// One case per rule of an op sharding rule.
// RUN: tandem-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

func.func @kind(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{'test.op' op expects 'sdy.sharding_rule' to be a #sdy.op_sharding_rule<...>, found 1 : i32}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @operand_count(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: expects 1 operand mappings, found 2}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [i])->([i]) {i=4}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @result_count(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: expects 1 result mappings, found 0}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->() {i=4}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_operand() {
  // expected-error@+1 {{sharding rule: expects an op with at least one operand}}
  %0 = "test.op"() {sdy.sharding_rule = #sdy.op_sharding_rule<()->([i]) {i=4}>} : () -> tensor<4xf32>
  return
}

// -----

func.func @static_shape(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{sharding rule: operand 0: expects a tensor of static shape, found 'tensor<?xf32>'}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}>} : (tensor<?xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @rank(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: result 0: expects 1 dimensions in the mapping, found 2}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i, j]) {i=4, j=1}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_factor(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: operand 0: expects at least one factor for dimension 0}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([*])->([i]) {i=4}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unsized_factor(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: operand 0: factor j of dimension 0 has no size}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([j])->([i]) {i=4}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @factor_twice(%arg0: tensor<4x4xf32>) {
  // expected-error@+1 {{sharding rule: operand 0: factor i occurs twice}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, i])->([i]) {i=4}>} : (tensor<4x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @size_one(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: operand 0: factor j of size 1 is to be left out of dimension 0, which has other factors}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([ij])->([i]) {i=4, j=1}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unused_factor(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: factor j occurs in no operand or result}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4, j=2}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @negative_size(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: expects a size of at least 0 for factor i, found -4}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=-4}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @special_order(%arg0: tensor<4x4xf32>) {
  // expected-error@+1 {{sharding rule: expects reduction factors in order and once each, found i after j}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([]) {i=4, j=4} reduction={j, i}>} : (tensor<4x4xf32>) -> tensor<f32>
  return
}

// -----

func.func @special_twice(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: expects permutation factors in order and once each, found i after i}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4} permutation={i, i}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @special_unsized(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: need_replication factor k has no size}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4} need_replication={k}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @special_kinds(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: factor i is both a reduction and a permutation factor}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([]) {i=4} reduction={i} permutation={i}>} : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @blocked_unsized(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: blocked_propagation factor j has no size}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4} blocked_propagation={j}>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @custom(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{sharding rule: only stablehlo.custom_call may have a custom rule}}
  %0 = "test.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
