// What generic passes may do with each kind of operation.
// RUN: tandem-opt --cse --split-input-file %s | FileCheck %s --check-prefix=CSE
// RUN: tandem-opt --loop-invariant-code-motion --canonicalize --split-input-file %s | FileCheck %s --check-prefix=CANON

// Pure operations are merged, also with operands of a commutative one swapped; regions count.
// CSE-LABEL: @merged
// CSE-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<f32>)
// CSE-NEXT: %[[A:.*]] = stablehlo.add %[[X]], %[[Y]]
// CSE-NEXT: %[[R:.*]] = stablehlo.reduce(%[[X]] init: %[[C]]) applies stablehlo.add
// CSE-NEXT: %[[M:.*]] = stablehlo.reduce(%[[X]] init: %[[C]]) applies stablehlo.maximum
// CSE-NEXT: return %[[A]], %[[A]], %[[R]], %[[R]], %[[M]]
func.func @merged(%x: tensor<4xf32>, %y: tensor<4xf32>, %c: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = stablehlo.add %x, %y : tensor<4xf32>
  %1 = stablehlo.add %y, %x : tensor<4xf32>
  %2 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// Equal collectives are merged and unused ones dropped: all devices run one program.
// CSE-LABEL: @collectives
// CSE: "stablehlo.all_gather"
// CSE-NOT: "stablehlo.all_gather"
// CSE-NOT: "stablehlo.collective_permute"
// CSE: return
func.func @collectives(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
  %2 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Draws from the runtime's state, and calls with side effects, are neither merged nor dropped;
// a call without is both.
// CSE-LABEL: @impure
// CSE-COUNT-2: stablehlo.rng
// CSE-COUNT-2: stablehlo.custom_call @effect
// CSE-NOT: stablehlo.custom_call
// CSE: return
func.func @impure(%a: tensor<f32>, %d: tensor<1xi64>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.rng %a, %a, %d, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %1 = stablehlo.rng %a, %a, %d, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @effect(%a) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
  %3 = stablehlo.custom_call @effect(%a) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
  %4 = stablehlo.custom_call @function(%a) : (tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Values on both sides of a barrier stay apart.
// CSE-LABEL: @barrier
// CSE: stablehlo.exponential
// CSE: stablehlo.optimization_barrier
// CSE: stablehlo.exponential
func.func @barrier(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.optimization_barrier %x : tensor<4xf32>
  %2 = stablehlo.exponential %1 : tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Constants are merged and go to the right of a commutative operation; equal types differ by
// nothing else.
// CANON-LABEL: @constants
// CANON-NEXT: %[[C:.*]] = stablehlo.constant dense<2.000000e+00>
// CANON-NEXT: %[[A:.*]] = stablehlo.multiply %arg0, %[[C]]
// CANON-NEXT: stablehlo.add %[[A]], %[[C]]
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<4xf32>
  %0 = stablehlo.multiply %c, %x : tensor<4xf32>
  %d = stablehlo.constant dense<2.0> : tensor<4xf32>
  %1 = stablehlo.add %0, %d : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Unused loops and branches go if what they hold is pure.
// CANON-LABEL: @unused
// CANON-NEXT: stablehlo.while
// CANON: stablehlo.custom_call @effect
// CANON-NOT: "stablehlo.if"
// CANON-NOT: stablehlo.while
// CANON: return
func.func @unused(%p: tensor<i1>, %x: tensor<i32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  %1 = stablehlo.while(%i = %x) : tensor<i32> cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.custom_call @effect(%i) {has_side_effect = true} : (tensor<i32>) -> ()
    stablehlo.return %i : tensor<i32>
  }
  %2 = stablehlo.while(%i = %x) : tensor<i32> cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return
}
