// stablehlo.if and stablehlo.case become tandem.case.
// RUN: tandem-opt %s -split-input-file -tandem-form-cases | FileCheck %s

// Of an if, branch 0 is the false one.
// CHECK-LABEL: func.func @if
func.func @if(%p: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[I:.*]] = stablehlo.convert %arg0 : (tensor<i1>) -> tensor<i32>
  // CHECK: %[[R:.*]]:2 = tandem.case %[[I]] -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: tandem.yield %arg1, %arg1 : tensor<4xf32>, tensor<4xf32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: %[[N:.*]] = stablehlo.negate %arg1
  // CHECK-NEXT: tandem.yield %[[N]], %arg1
  // CHECK: return %[[R]]#0, %[[R]]#1
  %r:2 = "stablehlo.if"(%p) ({
    %n = stablehlo.negate %x : tensor<4xf32>
    stablehlo.return %n, %x : tensor<4xf32>, tensor<4xf32>
  }, {
    stablehlo.return %x, %x : tensor<4xf32>, tensor<4xf32>
  }) : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A case in a case keeps the order of its branches.
// CHECK-LABEL: func.func @case
func.func @case(%i: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: tandem.case %arg0 -> tensor<4xf32> {
  // CHECK-NEXT: stablehlo.negate
  // CHECK: }, {
  // CHECK-NEXT: tandem.case %arg0 -> tensor<4xf32> {
  // CHECK-NEXT: stablehlo.abs
  // CHECK: }, {
  // CHECK-NEXT: stablehlo.sine
  %r = "stablehlo.case"(%i) ({
    %n = stablehlo.negate %x : tensor<4xf32>
    stablehlo.return %n : tensor<4xf32>
  }, {
    %s = "stablehlo.case"(%i) ({
      %n = stablehlo.abs %x : tensor<4xf32>
      stablehlo.return %n : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    stablehlo.return %s : tensor<4xf32>
  }, {
    %n = stablehlo.sine %x : tensor<4xf32>
    stablehlo.return %n : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
