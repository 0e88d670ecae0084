// Every collective is put into a tandem.start, followed by its tandem.done.
// RUN: tandem-opt %s -split-input-file -tandem-make-collectives-async -verify-diagnostics | FileCheck %s
// RUN: tandem-opt %s -split-input-file -tandem-make-collectives-async -tandem-make-collectives-async -verify-diagnostics | FileCheck %s

// An all-gather; what uses it uses the done.
// CHECK-LABEL: func.func @all_gather
func.func @all_gather(%x: tensor<4xf32>) -> tensor<8xf32> {
  // CHECK: %[[F:.*]] = tandem.start(%[[A:.*]] = %arg0 : tensor<4xf32>) -> !tandem.future<tensor<8xf32>> {
  // CHECK-NEXT: %[[G:.*]] = "stablehlo.all_gather"(%[[A]])
  // CHECK-NEXT: tandem.yield %[[G]] : tensor<8xf32>
  // CHECK: %[[D:.*]] = tandem.done %[[F]] : !tandem.future<tensor<8xf32>>
  // CHECK: stablehlo.negate %[[D]]
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// One operand given twice is one input; the future has an element per result.
// CHECK-LABEL: func.func @variadic
func.func @variadic(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: tandem.start(%[[A:.*]] = %arg0 : tensor<4xf32>) -> !tandem.future<tensor<4xf32>, tensor<4xf32>> {
  // CHECK: "stablehlo.all_reduce"(%[[A]], %[[A]])
  // CHECK: %[[D:.*]]:2 = tandem.done
  // CHECK: return %[[D]]#0, %[[D]]#1
  %0:2 = "stablehlo.all_reduce"(%x, %x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A constant that the reducer captures goes with it.
// CHECK-LABEL: func.func @captured_constant
func.func @captured_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: tandem.start
  // CHECK: "stablehlo.all_reduce"
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: stablehlo.constant dense<2.000000e+00>
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.minimum %1, %c : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Anything else that it captures cannot.
func.func @captured_value(%x: tensor<4xf32>, %c: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{the reducer uses a value from outside that is not a constant}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.minimum %a, %c : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// In a loop's condition too.
// CHECK-LABEL: func.func @in_condition
func.func @in_condition(%p: tensor<i1>) -> tensor<i1> {
  // CHECK: stablehlo.while
  // CHECK: cond
  // CHECK: tandem.start
  // CHECK: tandem.done
  // CHECK: do
  %0 = stablehlo.while(%c = %p) : tensor<i1>
  cond {
    %1 = "stablehlo.collective_permute"(%c) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<i1>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    stablehlo.return %c : tensor<i1>
  }
  return %0 : tensor<i1>
}
