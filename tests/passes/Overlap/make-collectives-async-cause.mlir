// Start and done keep the collective's cause.
// RUN: tandem-opt %s -tandem-make-collectives-async -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s

// CHECK: tandem.start
// CHECK: "stablehlo.collective_permute"{{.*}} loc(fused<#tandem.cause<rule "shift", for "x", axes ["data"]>>["a.py":1:2])
// CHECK: } loc(fused<#tandem.cause<rule "shift", for "x", axes ["data"]>>["a.py":1:2])
// CHECK: tandem.done {{.*}} loc(fused<#tandem.cause<rule "shift", for "x", axes ["data"]>>["a.py":1:2])
func.func @cause(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32> loc(fused<#tandem.cause<rule "shift", for "x", axes ["data"]>>["a.py":1:2])
  return %0 : tensor<4xf32>
}
