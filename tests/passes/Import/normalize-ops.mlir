// RUN: tandem-opt %s -split-input-file -verify-diagnostics --tandem-normalize-ops | FileCheck %s

// A map's computation on whole arrays; constants and values from outside are broadcast.
// CHECK-LABEL: func.func @map(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[S:.*]]: tensor<f32>)
// CHECK: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[CB:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[M:.*]] = stablehlo.multiply %[[X]], %[[CB]] : tensor<2x3xf32>
// CHECK: %[[SB:.*]] = stablehlo.broadcast_in_dim %[[S]]
// CHECK: %[[L:.*]] = stablehlo.compare LT, %[[M]], %[[SB]]{{.*}} -> tensor<2x3xi1>
// CHECK: return %[[L]]
func.func @map(%x: tensor<2x3xf32>, %s: tensor<f32>) -> tensor<2x3xi1> {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>):
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %1 = stablehlo.multiply %a, %c : tensor<f32>
    %2 = stablehlo.compare LT, %1, %s : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// -----

// What the types say needs no operand.
// CHECK-LABEL: func.func @shapes(
// CHECK: stablehlo.iota dim = 1 : tensor<2x3xi32>
// CHECK: stablehlo.reshape %arg0 : (tensor<6xi32>) -> tensor<2x3xi32>
// CHECK: stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<6xi32>) -> tensor<2x6xi32>
// CHECK: stablehlo.constant dense<6> : tensor<i32>
func.func @shapes(%x: tensor<6xi32>, %shape: tensor<2xi64>)
    -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x6xi32>, tensor<i32>) {
  %0 = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi64>) -> tensor<2x3xi32>
  %1 = stablehlo.dynamic_reshape %x, %shape : (tensor<6xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  %2 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [1] : (tensor<6xi32>, tensor<2xi64>) -> tensor<2x6xi32>
  %3 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<6xi32>) -> tensor<i32>
  return %0, %1, %2, %3 : tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x6xi32>, tensor<i32>
}

// -----

// CHECK-LABEL: func.func @constants(
// CHECK: stablehlo.pad %arg0, %arg1, low = [1], high = [0], interior = [0] : (tensor<6xi32>, tensor<i32>) -> tensor<7xi32>
// CHECK: stablehlo.slice %arg0 [1:5:2] : (tensor<6xi32>) -> tensor<2xi32>
// CHECK: "stablehlo.gather"(%arg0, %arg2){{.*}}slice_sizes = array<i64: 1>
func.func @constants(%x: tensor<6xi32>, %p: tensor<i32>, %i: tensor<2x1xi32>)
    -> (tensor<7xi32>, tensor<2xi32>, tensor<2xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<1xi64>
  %one = stablehlo.constant dense<1> : tensor<1xi64>
  %two = stablehlo.constant dense<2> : tensor<1xi64>
  %five = stablehlo.constant dense<5> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %x, %p, %one, %zero, %zero : (tensor<6xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<7xi32>
  %1 = stablehlo.real_dynamic_slice %x, %one, %five, %two : (tensor<6xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi32>
  %2 = "stablehlo.dynamic_gather"(%x, %i, %one) {
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  } : (tensor<6xi32>, tensor<2x1xi32>, tensor<1xi64>) -> tensor<2xi32>
  return %0, %1, %2 : tensor<7xi32>, tensor<2xi32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @convolution(
// CHECK: stablehlo.convolution(%arg0, %arg1) {{.*}}pad = {{\[}}[1, 2]]
func.func @convolution(%x: tensor<1x4x1xf32>, %w: tensor<3x1x1xf32>) -> tensor<1x5x1xf32> {
  %padding = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %w, %padding) {
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<1x4x1xf32>, tensor<3x1x1xf32>, tensor<1x2xi64>) -> tensor<1x5x1xf32>
  return %0 : tensor<1x5x1xf32>
}

// -----

// CHECK-LABEL: func.func @tuples(
// CHECK-NEXT: return %arg0, %arg1
func.func @tuples(%x: tensor<2xf32>, %y: tensor<i32>) -> (tensor<2xf32>, tensor<i32>) {
  %inner = stablehlo.tuple %y : tuple<tensor<i32>>
  %outer = stablehlo.tuple %x, %inner : tuple<tensor<2xf32>, tuple<tensor<i32>>>
  %0 = stablehlo.get_tuple_element %outer[0] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tensor<2xf32>
  %1 = stablehlo.get_tuple_element %outer[1] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<i32>>) -> tensor<i32>
  return %0, %2 : tensor<2xf32>, tensor<i32>
}

// -----

// Amounts that only a run knows.
func.func @unknown(%x: tensor<6xi32>, %p: tensor<i32>, %low: tensor<1xi64>) -> tensor<7xi32> {
  %zero = stablehlo.constant dense<0> : tensor<1xi64>
  // expected-error @+1 {{expected a constant for 'edge_padding_low' of 'stablehlo.dynamic_pad'}}
  %0 = stablehlo.dynamic_pad %x, %p, %low, %zero, %zero : (tensor<6xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<7xi32>
  return %0 : tensor<7xi32>
}
