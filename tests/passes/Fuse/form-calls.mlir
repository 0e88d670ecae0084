// Custom calls and device ids become tandem ops.
// RUN: tandem-opt %s -split-input-file -tandem-form-calls -verify-diagnostics | FileCheck %s

// A typed call as JAX writes it: configuration and aliases.
// CHECK-LABEL: func.func @potrf
func.func @potrf(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>) {
  // CHECK: %[[R:.*]]:2 = tandem.call "lapack_spotrf_ffi"(%arg0) {config = {uplo = 76 : ui8}, note = 1 : i64, operand_aliases = array<i64: 0, 0>} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  // CHECK: return %[[R]]#0, %[[R]]#1
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, note = 1 : i64, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<i32>
}

// -----

// A side effect keeps a call that nobody uses; a configuration may be a string.
// CHECK-LABEL: func.func @effect
func.func @effect(%x: tensor<4xf32>) {
  // CHECK: tandem.call "log"(%arg0) {config = {backend_config = "verbose"}, has_side_effect} : (tensor<4xf32>) -> ()
  stablehlo.custom_call @log(%x) {backend_config = "verbose", has_side_effect = true} : (tensor<4xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @ids
func.func @ids() -> (tensor<ui32>, tensor<ui32>) {
  // CHECK-COUNT-2: tandem.device_id : tensor<ui32>
  %0 = stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.replica_id : tensor<ui32>
  return %0, %1 : tensor<ui32>, tensor<ui32>
}

// -----

func.func @token() {
  %t = stablehlo.after_all : !stablehlo.token
  // expected-error@+1 {{expected a custom call on tensors}}
  %0 = stablehlo.custom_call @f(%t) : (!stablehlo.token) -> tensor<4xf32>
  return
}
