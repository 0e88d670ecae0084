// Causes are location metadata; they nest and survive printing.
// RUN: tandem-opt %s -mlir-print-debuginfo -mlir-print-local-scope -verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @cause
func.func @cause(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: tandem.copy %arg0 : tensor<4xf32> loc(fused<#tandem.cause<rule "reduction of partial sums", for "params['w1']", axes ["data", "model"]>>["step.py":7:3])
  %0 = tandem.copy %x : tensor<4xf32> loc(fused<#tandem.cause<rule "reduction of partial sums", for "params['w1']", axes ["data", "model"]>>["step.py":7:3])
  // CHECK: loc(fused<#tandem.cause<rule "outer", for "", axes []>>[fused<#tandem.cause<rule "inner", for "x", axes ["data"]>>["step.py":8:1]])
  %1 = tandem.copy %0 : tensor<4xf32> loc(fused<#tandem.cause<rule "outer", for "", axes []>>[fused<#tandem.cause<rule "inner", for "x", axes ["data"]>>["step.py":8:1]])
  return %1 : tensor<4xf32>
}
