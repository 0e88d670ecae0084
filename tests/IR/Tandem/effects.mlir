// Generic passes neither merge nor drop what is in flight, and still clean up the rest.
// RUN: tandem-opt %s -split-input-file -cse -canonicalize -cse | FileCheck %s

// Equal starts and copies stay apart; a start whose result nobody uses still runs.
// CHECK-LABEL: func.func @not_merged
// CHECK-COUNT-2: tandem.start
// CHECK-COUNT-2: tandem.done
// CHECK-COUNT-2: = tandem.copy
// CHECK: return
func.func @not_merged(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<8xf32>> {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    tandem.yield %0 : tensor<8xf32>
  }
  %g = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<8xf32>> {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    tandem.yield %0 : tensor<8xf32>
  }
  %0 = tandem.done %f : !tandem.future<tensor<8xf32>>
  %1 = tandem.done %g : !tandem.future<tensor<8xf32>>
  %2 = tandem.copy %x : tensor<4xf32>
  %3 = tandem.copy %x : tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Kernels and constants are values: equal ones merge, unused ones go.
// CHECK-LABEL: func.func @merged
// CHECK-COUNT-1: tandem.kernel
// CHECK-NOT: tandem.kernel
// CHECK-NOT: tandem.constant
// CHECK: return %[[K:.*]], %[[K]]
func.func @merged(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tandem.kernel(%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %3 = "stablehlo.negate"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %3 : tensor<4xf32>
  }
  %1 = tandem.kernel(%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %3 = "stablehlo.negate"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %3 : tensor<4xf32>
  }
  %2 = tandem.constant dense<1.0> : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A loop that communicates stays although its result is unused; a call with side effects too.
// CHECK-LABEL: func.func @kept
// CHECK: tandem.loop
// CHECK: tandem.start
// CHECK: tandem.done
// CHECK: tandem.call "log"
// CHECK-NOT: tandem.call "pure"
func.func @kept(%p: tensor<i1>, %x: tensor<4xf32>) {
  %r = tandem.loop %p (%c = %x : tensor<4xf32>) {
    %f = tandem.start(%a = %c : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
      %0 = tandem.copy %a : tensor<4xf32>
      tandem.yield %0 : tensor<4xf32>
    }
    %d = tandem.done %f : !tandem.future<tensor<4xf32>>
    tandem.yield %p, %d : tensor<i1>, tensor<4xf32>
  }
  tandem.call "log"(%x) {has_side_effect} : (tensor<4xf32>) -> ()
  %q = tandem.call "pure"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
