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

// -----

// What is not row-major in memory is transposed; an alias between two layouts is none.
// CHECK-LABEL: func.func @layouts
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>, %[[Y:.*]]: tensor<4x3xf32>)
func.func @layouts(%x: tensor<2x3x4xf32>, %y: tensor<4x3xf32>) -> (tensor<2x3x4xf32>, tensor<4x3xf32>) {
  // CHECK: %[[T:.*]] = stablehlo.transpose %[[X]], dims = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  // CHECK: %[[R:.*]]:2 = tandem.call "f"(%[[T]], %[[Y]]) {operand_aliases = array<i64: 0, 0>} : (tensor<2x4x3xf32>, tensor<4x3xf32>) -> (tensor<2x4x3xf32>, tensor<3x4xf32>)
  // CHECK-DAG: %[[A:.*]] = stablehlo.transpose %[[R]]#0, dims = [0, 2, 1] : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  // CHECK-DAG: %[[B:.*]] = stablehlo.transpose %[[R]]#1, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  // CHECK: return %[[A]], %[[B]]
  %0:2 = stablehlo.custom_call @f(%x, %y) {operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2x3x4xf32>, tensor<4x3xf32>) -> (tensor<2x3x4xf32>, tensor<4x3xf32>)
  return %0#0, %0#1 : tensor<2x3x4xf32>, tensor<4x3xf32>
}

// -----

// A cycle of three dimensions comes back by its inverse.
// CHECK-LABEL: func.func @cycle
func.func @cycle(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [2, 0, 1] : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [dense<[0, 2, 1]> : tensor<3xindex>], result_layouts = [dense<[0, 2, 1]> : tensor<3xindex>]} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// Calls of kernels that come with the runtime, in f32 where there is nothing narrower.
// CHECK-LABEL: func.func @library
func.func @library(%a: tensor<3x4x4xf32>, %b: tensor<3x4x2xf32>, %h: tensor<4x4xbf16>, %x: tensor<3x8xf32>) -> (tensor<3x4x4xf32>, tensor<3x4x2xf32>, tensor<4x4xbf16>, tensor<3x5xcomplex<f32>>) {
  // CHECK: tandem.call "tandem.cholesky"(%{{.*}}) {config = {lower = true}} : (tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x4x4xf32>
  // CHECK: tandem.call "tandem.triangular_solve"(%{{.*}}, %{{.*}}) {config = {left_side = true, lower = true, transpose = "ADJOINT", unit_diagonal = false}} : (tensor<3x4x4xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
  %1 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<3x4x4xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<4x4xbf16>) -> tensor<4x4xf32>
  // CHECK: tandem.call "tandem.cholesky"(%{{.*}}) {config = {lower = false}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<4x4xf32>) -> tensor<4x4xbf16>
  %2 = stablehlo.cholesky %h, lower = false : tensor<4x4xbf16>
  // CHECK: tandem.call "tandem.fft"(%{{.*}}) {config = {length = [8], type = "RFFT"}} : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  %3 = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<3x4x4xf32>, tensor<3x4x2xf32>, tensor<4x4xbf16>, tensor<3x5xcomplex<f32>>
}

// -----

// A kernel gets no computations; the function that the call names goes.
// CHECK-LABEL: module
// CHECK-NOT: @compare
// CHECK: func.func @main
// CHECK: tandem.call "mine"
// CHECK-NOT: @compare
func.func private @compare(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @mine(%x) {called_computations = [@compare]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Host memory is device memory on a CPU.
// CHECK-LABEL: func.func @placement
// CHECK: return %arg0
func.func @placement(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @annotate_device_placement(%x) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
