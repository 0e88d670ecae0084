// The forms of reads and writes at computed positions.
// RUN: tandem-opt %s | FileCheck %s
// RUN: tandem-opt %s | tandem-opt | FileCheck %s

// CHECK-LABEL: @slices
func.func @slices(%x: tensor<4x8xf32>, %u: tensor<1x8xf32>, %i: tensor<i32>, %s: tensor<f32>) {
  // CHECK: stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  %0 = "stablehlo.dynamic_slice"(%x, %i, %i) <{slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  // A scalar has no start index.
  // CHECK: stablehlo.dynamic_slice %arg3, sizes = [] : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.dynamic_slice"(%s) <{slice_sizes = array<i64>}> : (tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg2 : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %2 = "stablehlo.dynamic_update_slice"(%x, %u, %i, %i) : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  // CHECK: stablehlo.dynamic_update_slice %arg3, %arg3 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %3 = "stablehlo.dynamic_update_slice"(%s, %s) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// Dimension numbers print neither empty lists nor zero, and accept any order.
// CHECK-LABEL: @gather
func.func @gather(%x: tensor<8x16xf32>, %i: tensor<8x1x1xi32>, %j: tensor<3x1xi32>, %k: tensor<1x3xi32>, %d: tensor<2xi64>) {
  // CHECK: "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x16xf32>, tensor<8x1x1xi32>) -> tensor<8x1xf32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<index_vector_dim = 2, collapsed_slice_dims = [1], offset_dims = [], operand_batching_dims = [0], start_index_map = [1], start_indices_batching_dims = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x16xf32>, tensor<8x1x1xi32>) -> tensor<8x1xf32>
  // CHECK: "stablehlo.gather"(%arg0, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<8x16xf32>, tensor<3x1xi32>) -> tensor<3x16xf32>
  %1 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<8x16xf32>, tensor<3x1xi32>) -> tensor<3x16xf32>
  // CHECK: "stablehlo.gather"(%arg0, %arg3) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 16>}> : (tensor<8x16xf32>, tensor<1x3xi32>) -> tensor<3x16xf32>
  %2 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 16>}> : (tensor<8x16xf32>, tensor<1x3xi32>) -> tensor<3x16xf32>
  // CHECK: "stablehlo.dynamic_gather"(%arg0, %arg2, %arg4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<8x16xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x16xf32>
  %3 = "stablehlo.dynamic_gather"(%x, %j, %d) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<8x16xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x16xf32>
  // CHECK: "stablehlo.torch_index_select"(%arg0, %arg2) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<8x16xf32>, tensor<3x1xi32>) -> tensor<3x1x16xf32>
  %4 = "stablehlo.torch_index_select"(%x, %j) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<8x16xf32>, tensor<3x1xi32>) -> tensor<3x1x16xf32>
  return
}

// CHECK-LABEL: @scatter
func.func @scatter(%x: tensor<8x16xf32>, %i: tensor<3x1xi32>, %u: tensor<3x16xf32>) {
  // CHECK: "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  // CHECK: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
  // CHECK:   stablehlo.return %arg4 : tensor<f32>
  // CHECK: }) : (tensor<8x16xf32>, tensor<3x1xi32>, tensor<3x16xf32>) -> tensor<8x16xf32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<3x1xi32>, tensor<3x16xf32>) -> tensor<8x16xf32>
  // Several inputs with as many updates.
  // CHECK: %{{.*}}:2 = "stablehlo.scatter"(%arg0, %arg0, %arg1, %arg2, %arg2)
  %1:2 = "stablehlo.scatter"(%x, %x, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %c, %d : tensor<f32>, tensor<f32>
  }) : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<3x1xi32>, tensor<3x16xf32>, tensor<3x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
  return
}
