// Locations survive the short forms.
// RUN: tandem-opt --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s
// RUN: tandem-opt --mlir-print-debuginfo %s | tandem-opt --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: tandem-opt --mlir-print-debuginfo --mlir-print-op-generic --mlir-print-local-scope %s | FileCheck %s --check-prefix=GENERIC

#before = loc("defined before")

// The operation's location is its body's in the short form, defined before the module or after.
// CHECK-LABEL: @short_reduce
// CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add {{.*}} loc("defined before")
// CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add {{.*}} loc("defined after")
// GENERIC: "stablehlo.reduce"
// GENERIC-NEXT: ^bb0(%{{.*}}: tensor<f32> loc("defined before"), %{{.*}}: tensor<f32> loc("defined before")):
// GENERIC-NEXT: "stablehlo.add"{{.*}} loc("defined before")
// GENERIC-NEXT: "stablehlo.return"{{.*}} loc("defined before")
// GENERIC-NEXT: }) : {{.*}} loc("defined before")
// GENERIC: "stablehlo.reduce"
// GENERIC-NEXT: ^bb0(%{{.*}}: tensor<f32> loc("defined after"), %{{.*}}: tensor<f32> loc("defined after")):
// GENERIC-NEXT: "stablehlo.add"{{.*}} loc("defined after")
func.func @short_reduce(%x: tensor<4xf32>, %c: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc(#before)
  %1 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc(#after)
  return %0, %1 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: @regions
func.func @regions(%x: tensor<4xf32>, %c: tensor<f32>, %p: tensor<i1>) {
  // CHECK: reducer(%arg3: tensor<f32> loc("left"), %arg4: tensor<f32> loc("right"))
  // CHECK: stablehlo.subtract {{.*}} loc("inner")
  // CHECK: } loc("outer")
  %0 = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32> loc("left"), %b: tensor<f32> loc("right")) {
    %s = stablehlo.subtract %a, %b : tensor<f32> loc("inner")
    stablehlo.return %s : tensor<f32>
  } loc("outer")
  // CHECK: stablehlo.while(%iterArg = %arg1) : tensor<f32>
  // CHECK: stablehlo.return %arg2 : tensor<i1> loc("in cond")
  // CHECK: stablehlo.return %iterArg : tensor<f32> loc("in body")
  // CHECK: } loc("loop")
  %1 = stablehlo.while(%i = %c) : tensor<f32> cond {
    stablehlo.return %p : tensor<i1> loc("in cond")
  } do {
    stablehlo.return %i : tensor<f32> loc("in body")
  } loc("loop")
  return
}

#after = loc("defined after")
