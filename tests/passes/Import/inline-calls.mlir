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
  func.func @another() {
    return
  }
}

// -----

// Each function calls the next twice: a few lines for more ops than memory holds.
func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @f0(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @f0(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f1(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f1(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f1(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f2(%a) : (tensor<f32>) -> tensor<f32>
  // expected-error @+1 {{the program has more than 2000000 ops with its calls inlined}}
  %1 = call @f2(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f2(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f3(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f3(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f3(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f4(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f4(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f4(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f5(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f5(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f5(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f6(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f6(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f6(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f7(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f7(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f7(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f8(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f8(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f8(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f9(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f9(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f9(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f10(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f10(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f10(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f11(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f11(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f11(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f12(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f12(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f12(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f13(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f13(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f13(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f14(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f14(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f14(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f15(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f15(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f15(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f16(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f16(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f16(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f17(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f17(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f17(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f18(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f18(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f18(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f19(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f19(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f19(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f20(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f20(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f20(%a: tensor<f32>) -> tensor<f32> {
  %0 = call @f21(%a) : (tensor<f32>) -> tensor<f32>
  %1 = call @f21(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @f21(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %a : tensor<f32>
  return %0 : tensor<f32>
}
