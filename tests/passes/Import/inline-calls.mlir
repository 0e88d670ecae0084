// Calls and composites are replaced by their bodies; only @main is left.
// RUN: tandem-opt %s -split-input-file -tandem-inline-calls -verify-diagnostics | FileCheck %s

// A call inside a loop's region, of a function that calls another one.
// CHECK-LABEL: @main
// CHECK: stablehlo.while
// CHECK: do {
// CHECK: %[[A:.*]] = stablehlo.abs %{{.*}} : tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.negate %[[A]]
// CHECK-NEXT: stablehlo.return %[[B]]
// CHECK-NOT: func.func private
func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<i1>) -> tensor<4xf32> {
  %0 = stablehlo.while(%iterArg = %arg0) : tensor<4xf32>
  cond {
    stablehlo.return %arg1 : tensor<i1>
  } do {
    %1 = func.call @outer(%iterArg) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
func.func private @outer(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Two calls of one function give two clones; nothing is merged.
// CHECK-LABEL: @main
// CHECK-COUNT-2: stablehlo.abs
// CHECK-NOT: stablehlo.abs
func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A composite is its decomposition.
// CHECK-LABEL: @main
// CHECK: stablehlo.tanh
// CHECK-NOT: composite
func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.op" %arg0 {decomposition = @impl} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @impl(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A callee may return its argument, and the same value twice.
// CHECK-LABEL: @main
// CHECK-NEXT: return %arg0, %arg0
func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = call @same(%arg0) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @same(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %arg0, %arg0 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A constraint inside a scalar reducer is dropped.
// CHECK-LABEL: @main
// CHECK-NOT: sharding_constraint
sdy.mesh @mesh = <["x"=2]>
func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
    %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
    %2 = sdy.sharding_constraint %1 <@mesh, []> : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @+1 {{function @f is recursive}}
func.func private @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{no function @main}}
module {
  func.func @other() {
    return
  }
}
