// stablehlo.while becomes tandem.loop.
// RUN: tandem-opt %s -split-input-file -tandem-form-loops -verify-diagnostics | FileCheck %s

// What a scan looks like: a counter, an accumulator, an operand that is passed on unchanged.
// CHECK-LABEL: func.func @scan
func.func @scan(%xs: tensor<10x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<10x4xf32>) {
  // CHECK-DAG: %[[C0:.*]] = stablehlo.constant dense<0> : tensor<i32>
  // CHECK-DAG: %[[Z:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
  // CHECK: %[[BOUND:.*]] = stablehlo.constant dense<10>
  // CHECK: %[[P0:.*]] = stablehlo.compare LT, %[[C0]], %[[BOUND]]
  // CHECK: %[[R:.*]]:2 = tandem.loop %[[P0]] (%[[I:.*]] = %[[C0]] : tensor<i32>, %[[ACC:.*]] = %[[Z]] : tensor<4xf32>) trip_count 10 {
  // CHECK: stablehlo.dynamic_slice %arg0, %[[I]]
  // CHECK: %[[NEXT:.*]] = stablehlo.add %[[I]],
  // CHECK: %[[BOUND2:.*]] = stablehlo.constant dense<10>
  // CHECK: %[[P:.*]] = stablehlo.compare LT, %[[NEXT]], %[[BOUND2]]
  // CHECK: tandem.yield %[[P]], %[[NEXT]], %{{.*}} : tensor<i1>, tensor<i32>, tensor<4xf32>
  // CHECK: return %[[R]]#0, %[[R]]#1, %arg0
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<4xf32>
  %r:3 = stablehlo.while(%i = %c0, %acc = %z, %all = %xs) : tensor<i32>, tensor<4xf32>, tensor<10x4xf32>
  cond {
    %c10 = stablehlo.constant dense<10> : tensor<i32>
    %p = stablehlo.compare LT, %i, %c10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c0_0 = stablehlo.constant dense<0> : tensor<i32>
    %row = stablehlo.dynamic_slice %all, %i, %c0_0, sizes = [1, 4] : (tensor<10x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %x = stablehlo.reshape %row : (tensor<1x4xf32>) -> tensor<4xf32>
    %s = stablehlo.add %acc, %x : tensor<4xf32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %n, %s, %all : tensor<i32>, tensor<4xf32>, tensor<10x4xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<i32>, tensor<4xf32>, tensor<10x4xf32>
}

// -----

// The bound is carried along unchanged, the sides are swapped, and the counter goes down by 3.
// CHECK-LABEL: func.func @down
func.func @down(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: tandem.loop {{.*}} trip_count 4 {
  %c10 = stablehlo.constant dense<10> : tensor<i32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %c10, %b = %c0, %y = %x) : tensor<i32>, tensor<i32>, tensor<4xf32>
  cond {
    %p = stablehlo.compare LT, %b, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c3 = stablehlo.constant dense<3> : tensor<i32>
    %n = stablehlo.subtract %i, %c3 : tensor<i32>
    %z = stablehlo.negate %y : tensor<4xf32>
    stablehlo.return %n, %b, %z : tensor<i32>, tensor<i32>, tensor<4xf32>
  }
  return %r#2 : tensor<4xf32>
}

// -----

// Trip counts by comparison: LE counts its bound, NE must meet it, GE on unsigned never ends.
// CHECK-LABEL: func.func @comparisons
func.func @comparisons() -> (tensor<i32>, tensor<i64>, tensor<i32>, tensor<ui32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  // CHECK: tandem.loop {{.*}} trip_count 6 {
  %le = stablehlo.while(%i = %c0) : tensor<i32>
  cond {
    %c = stablehlo.constant dense<10> : tensor<i32>
    %p = stablehlo.compare LE, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c2 = stablehlo.constant dense<2> : tensor<i32>
    %n = stablehlo.add %c2, %i : tensor<i32>
    stablehlo.return %n : tensor<i32>
  }
  %d0 = stablehlo.constant dense<9> : tensor<i64>
  // CHECK: tandem.loop {{.*}} trip_count 3 {
  %ne = stablehlo.while(%i = %d0) : tensor<i64>
  cond {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %p = stablehlo.compare NE, %i, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c3 = stablehlo.constant dense<-3> : tensor<i64>
    %n = stablehlo.add %i, %c3 : tensor<i64>
    stablehlo.return %n : tensor<i64>
  }
  // CHECK: tandem.loop {{.*}} trip_count 0 {
  %none = stablehlo.while(%i = %c0) : tensor<i32>
  cond {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c3 = stablehlo.constant dense<-3> : tensor<i32>
    %n = stablehlo.add %i, %c3 : tensor<i32>
    stablehlo.return %n : tensor<i32>
  }
  %u = stablehlo.constant dense<7> : tensor<ui32>
  // CHECK: tandem.loop
  // CHECK-NOT: trip_count
  %wraps = stablehlo.while(%i = %u) : tensor<ui32>
  cond {
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %p = stablehlo.compare GE, %i, %c, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c1 = stablehlo.constant dense<1> : tensor<ui32>
    %n = stablehlo.subtract %i, %c1 : tensor<ui32>
    stablehlo.return %n : tensor<ui32>
  }
  return %le, %ne, %none, %wraps : tensor<i32>, tensor<i64>, tensor<i32>, tensor<ui32>
}

// -----

// Nothing is known of the bound; two values are swapped across the back edge.
// CHECK-LABEL: func.func @swap
func.func @swap(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  // CHECK: tandem.loop %{{.*}} (%[[I:.*]] = %{{.*}} : tensor<i32>, %[[A:.*]] = %arg0 : tensor<4xf32>, %[[B:.*]] = %arg1 : tensor<4xf32>) {
  // CHECK: %[[P:.*]] = stablehlo.compare LT, %{{.*}}, %arg2
  // CHECK: tandem.yield %[[P]], %{{.*}}, %[[B]], %[[A]]
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %c0, %a = %x, %b = %y) : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %m = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %m, %b, %a : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// A condition that is more than a comparison, and one that is the carried value itself.
// CHECK-LABEL: func.func @conditions
func.func @conditions(%x: tensor<4xf32>, %p: tensor<i1>) -> (tensor<4xf32>, tensor<i1>) {
  // CHECK: %[[S:.*]] = stablehlo.reduce(%arg0
  // CHECK: %[[P0:.*]] = stablehlo.compare GT, %[[S]]
  // CHECK: tandem.loop %[[P0]] (%[[Y:.*]] = %arg0 : tensor<4xf32>) {
  // CHECK: %[[N:.*]] = stablehlo.negate %[[Y]]
  // CHECK: stablehlo.reduce(%[[N]]
  %r = stablehlo.while(%y = %x) : tensor<4xf32>
  cond {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %q = stablehlo.compare GT, %s, %z, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    %n = stablehlo.negate %y : tensor<4xf32>
    stablehlo.return %n : tensor<4xf32>
  }
  // CHECK: tandem.loop %arg1 (%[[Q:.*]] = %arg1 : tensor<i1>) {
  // CHECK: %[[NQ:.*]] = stablehlo.not %[[Q]]
  // CHECK: tandem.yield %[[NQ]], %[[NQ]] : tensor<i1>, tensor<i1>
  %t = stablehlo.while(%q = %p) : tensor<i1>
  cond {
    stablehlo.return %q : tensor<i1>
  } do {
    %n = stablehlo.not %q : tensor<i1>
    stablehlo.return %n : tensor<i1>
  }
  return %r, %t : tensor<4xf32>, tensor<i1>
}

// -----

// Loops in loops; the inner one's bound is the outer one's capture.
// CHECK-LABEL: func.func @nested
func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: tandem.loop {{.*}} trip_count 3 {
  // CHECK: tandem.loop {{.*}} trip_count 5 {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c5 = stablehlo.constant dense<5> : tensor<i32>
  %r:3 = stablehlo.while(%i = %c0, %m = %c5, %y = %x) : tensor<i32>, tensor<i32>, tensor<4xf32>
  cond {
    %c3 = stablehlo.constant dense<3> : tensor<i32>
    %p = stablehlo.compare LT, %i, %c3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %c0_0 = stablehlo.constant dense<0> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %s:3 = stablehlo.while(%j = %c0_0, %k = %m, %z = %y) : tensor<i32>, tensor<i32>, tensor<4xf32>
    cond {
      %q = stablehlo.compare LT, %j, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %q : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %nj = stablehlo.add %j, %one : tensor<i32>
      %nz = stablehlo.negate %z : tensor<4xf32>
      stablehlo.return %nj, %k, %nz : tensor<i32>, tensor<i32>, tensor<4xf32>
    }
    %n = stablehlo.add %i, %c1 : tensor<i32>
    stablehlo.return %n, %m, %s#2 : tensor<i32>, tensor<i32>, tensor<4xf32>
  }
  return %r#2 : tensor<4xf32>
}

// -----

// Tokens cannot be carried.
func.func @token(%p: tensor<i1>) {
  %t = stablehlo.after_all : !stablehlo.token
  // expected-error@+1 {{expected a loop that carries tensors, found '!stablehlo.token'}}
  %r = stablehlo.while(%u = %t) : !stablehlo.token
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %u : !stablehlo.token
  }
  return
}
