// The forms of operations with a scalar computation.
// RUN: tandem-opt %s | FileCheck %s
// RUN: tandem-opt %s | tandem-opt | FileCheck %s
// RUN: tandem-opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// RUN: tandem-opt --mlir-print-op-generic %s | tandem-opt | FileCheck %s

// A body that is one commutative operation on both arguments in order.
// CHECK-LABEL: @short
// GENERIC: "func.func"() <{{.*}} sym_name = "short"
func.func @short(%x: tensor<4x8xf32>, %c: tensor<f32>, %p: tensor<4xi1>, %t: tensor<i1>) {
  // CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // GENERIC: "stablehlo.reduce"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 1>}> ({
  // GENERIC-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
  // GENERIC-NEXT: %[[S:.*]] = "stablehlo.add"(%[[A]], %[[B]]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // GENERIC-NEXT: "stablehlo.return"(%[[S]]) : (tensor<f32>) -> ()
  // GENERIC-NEXT: }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0, 1] {mhlo.note = 1 : i32} : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {mhlo.note = 1 : i32} : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.reduce(%arg2 init: %arg3) applies stablehlo.and across dimensions = [] : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
  %3 = stablehlo.reduce(%p init: %t) applies stablehlo.and across dimensions = [] : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
  return
}

// What the short form cannot say: arguments the other way round, an attribute on the body,
// an operation that does not commute, more than one operation.
// CHECK-LABEL: @not_short
func.func @not_short(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // CHECK: stablehlo.reduce(%arg0 init: %arg1) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK-NEXT: reducer(%arg2: tensor<f32>, %arg3: tensor<f32>) {
  // CHECK-NEXT:   stablehlo.add %arg3, %arg2 : tensor<f32>
  %0 = stablehlo.reduce(%x init: %c) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = stablehlo.add %b, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  // CHECK: reducer(%arg2: tensor<f32>, %arg3: tensor<f32>) {
  // CHECK-NEXT:   stablehlo.add %arg2, %arg3 {mhlo.note = 2 : i32} : tensor<f32>
  %1 = stablehlo.reduce(%x init: %c) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = stablehlo.add %a, %b {mhlo.note = 2 : i32} : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  // CHECK: reducer(%arg2: tensor<f32>, %arg3: tensor<f32>) {
  // CHECK-NEXT:   stablehlo.subtract %arg2, %arg3 : tensor<f32>
  %2 = stablehlo.reduce(%x init: %c) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = stablehlo.subtract %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  // CHECK: reducer(%arg2: tensor<f32>, %arg3: tensor<f32>) {
  // CHECK-NEXT:   stablehlo.abs %arg3 : tensor<f32>
  %3 = stablehlo.reduce(%x init: %c) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = stablehlo.abs %b : tensor<f32>
    %m = stablehlo.add %a, %s : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }
  return
}

// Several inputs: left and right argument of each stand in parentheses of their own.
// CHECK-LABEL: @several
func.func @several(%x: tensor<4x8xf32>, %c: tensor<f32>, %y: tensor<4x8xi32>, %d: tensor<i32>) {
  // CHECK: %0:2 = stablehlo.reduce(%arg0 init: %arg1), (%arg2 init: %arg3) across dimensions = [0] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
  // CHECK-NEXT: reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>) {
  // CHECK-NEXT:   stablehlo.maximum %arg4, %arg6 : tensor<f32>
  // CHECK-NEXT:   stablehlo.minimum %arg5, %arg7 : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %c), (%y init: %d) across dimensions = [0] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %s = stablehlo.maximum %a, %b : tensor<f32>
    %m = stablehlo.minimum %i, %j : tensor<i32>
    stablehlo.return %s, %m : tensor<f32>, tensor<i32>
  }
  return
}

// CHECK-LABEL: @windows
func.func @windows(%x: tensor<4x8xf32>, %c: tensor<f32>, %s: tensor<2x4xf32>) {
  // CHECK: "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  // CHECK: }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
  // CHECK: "stablehlo.select_and_scatter"(%arg0, %arg2, %arg1) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  // CHECK: }, {
  // CHECK: }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  %1 = "stablehlo.select_and_scatter"(%x, %s, %c) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: @sort_and_map
func.func @sort_and_map(%x: tensor<4x8xf32>, %y: tensor<4x8xi32>) {
  // CHECK: %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
  // CHECK: }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %m = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  // The last dimension and no stability unless said.
  // CHECK: "stablehlo.sort"(%arg0) ({
  %1 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: "stablehlo.map"(%arg0, %arg0) <{dimensions = array<i64: 0, 1>}> ({
  %2 = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
