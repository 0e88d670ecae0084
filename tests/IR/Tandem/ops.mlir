// Every op, type and attribute of the tandem dialect prints as it is written, and the printed
// text parses to the same module, in the pretty and the generic form.
// RUN: tandem-opt %s -split-input-file -verify-roundtrip | FileCheck %s
// RUN: tandem-opt %s -split-input-file -mlir-print-op-generic | tandem-opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @start_done
func.func @start_done(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  // CHECK: %[[F:.*]], %[[T:.*]] = tandem.start(%[[A:.*]] = %arg0 : tensor<4xf32>) -> (!tandem.future<tensor<8xf32>>, !tandem.token) {
  // CHECK-NEXT: %[[G:.*]] = "stablehlo.all_gather"(%[[A]])
  // CHECK: tandem.yield %[[G]] : tensor<8xf32>
  %f, %t = tandem.start(%a = %x : tensor<4xf32>) -> (!tandem.future<tensor<8xf32>>, !tandem.token) {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    tandem.yield %0 : tensor<8xf32>
  }
  // CHECK: %[[C:.*]] = tandem.start(%{{.*}} = %arg0 : tensor<4xf32>) after(%[[T]]) -> !tandem.future<tensor<4xf32>> {
  // CHECK-NEXT: tandem.copy
  %c = tandem.start(%a = %x : tensor<4xf32>) after(%t) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  // CHECK: %{{.*}}, %[[T2:.*]] = tandem.done %[[F]] after(%[[T]]) : !tandem.future<tensor<8xf32>> -> !tandem.token
  %g, %t2 = tandem.done %f after(%t) : !tandem.future<tensor<8xf32>> -> !tandem.token
  // CHECK: tandem.done %[[C]] after(%[[T2]], %[[T]]) {note} : !tandem.future<tensor<4xf32>>
  %d = tandem.done %c after(%t2, %t) {note} : !tandem.future<tensor<4xf32>>
  return %g, %d : tensor<8xf32>, tensor<4xf32>
}

// -----

// Two collectives in one start; their future has two elements.
// CHECK-LABEL: func.func @combined
func.func @combined(%x: tensor<4xf32>, %y: tensor<2xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  // CHECK: tandem.start(%{{.*}} = %arg0 : tensor<4xf32>, %{{.*}} = %arg1 : tensor<2xf32>) -> !tandem.future<tensor<8xf32>, tensor<4xf32>>
  %f = tandem.start(%a = %x : tensor<4xf32>, %b = %y : tensor<2xf32>) -> !tandem.future<tensor<8xf32>, tensor<4xf32>> {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    tandem.yield %0, %1 : tensor<8xf32>, tensor<4xf32>
  }
  // CHECK: %{{.*}}:2 = tandem.done
  %r:2 = tandem.done %f : !tandem.future<tensor<8xf32>, tensor<4xf32>>
  return %r#0, %r#1 : tensor<8xf32>, tensor<4xf32>
}

// -----

// A loop that carries a tensor and a future: the next gather is issued before this one is used.
// CHECK-LABEL: func.func @loop
func.func @loop(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  // CHECK: tandem.loop %arg0 (%[[C:.*]] = %arg1 : tensor<4xf32>, %[[L:.*]] = %{{.*}} : !tandem.future<tensor<4xf32>>) trip_count 7 attributes {tandem.stream = #tandem.stream<compute>} {
  %r:2 = tandem.loop %p (%c = %x : tensor<4xf32>, %l = %f : !tandem.future<tensor<4xf32>>) trip_count 7 attributes {tandem.stream = #tandem.stream<compute>} {
    %next = tandem.start(%a = %c : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
      %0 = tandem.copy %a : tensor<4xf32>
      tandem.yield %0 : tensor<4xf32>
    }
    %now = tandem.done %l : !tandem.future<tensor<4xf32>>
    // CHECK: tandem.yield %arg0, %{{.*}}, %{{.*}} : tensor<i1>, tensor<4xf32>, !tandem.future<tensor<4xf32>>
    tandem.yield %p, %now, %next : tensor<i1>, tensor<4xf32>, !tandem.future<tensor<4xf32>>
  }
  %last = tandem.done %r#1 : !tandem.future<tensor<4xf32>>
  // CHECK: tandem.loop %arg0 () after(%{{.*}}) -> !tandem.token {
  %k, %t = tandem.copy %last : tensor<4xf32> -> !tandem.token
  %t2 = tandem.loop %p () after(%t) -> !tandem.token {
    tandem.yield %p : tensor<i1>
  }
  return %k : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @case
func.func @case(%i: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[R:.*]]:2 = tandem.case %arg0 -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: tandem.yield %arg1, %arg2 : tensor<4xf32>, tensor<4xf32>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: tandem.yield %arg2, %arg1
  %r:2 = tandem.case %i -> (tensor<4xf32>, tensor<4xf32>) {
    tandem.yield %x, %y : tensor<4xf32>, tensor<4xf32>
  }, {
    tandem.yield %y, %x : tensor<4xf32>, tensor<4xf32>
  }
  // CHECK: tandem.case %arg0 {
  // CHECK-NEXT: tandem.yield{{$}}
  tandem.case %i {
    tandem.yield
  }
  return %r#0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @units
func.func @units(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[K:.*]]:2 = tandem.kernel(%[[A:.*]] = %arg0 : tensor<4x4xf32>, %[[B:.*]] = %arg1 : tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) attributes {in_place = array<i64: 0, 1>, symbol = "k0"} {
  // CHECK-NEXT: stablehlo.add
  %k:2 = tandem.kernel(%a = %x : tensor<4x4xf32>, %b = %y : tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) attributes {in_place = array<i64: 0, 1>, symbol = "k0"} {
    %0 = "stablehlo.add"(%a, %b) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = "stablehlo.negate"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    tandem.yield %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
  }
  // CHECK: tandem.gemm(%{{.*}} = %[[K]]#0 : tensor<4x4xf32>, %{{.*}} = %[[K]]#1 : tensor<4x4xf32>) -> tensor<4x4xf32> {
  %g = tandem.gemm(%a = %k#0 : tensor<4x4xf32>, %b = %k#1 : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    tandem.yield %0 : tensor<4x4xf32>
  }
  // CHECK: tandem.remat(%{{.*}} = %{{.*}} : tensor<4x4xf32>) -> tensor<4x4xf32> attributes {policy = #tandem.policy<names ["a", "b\22c"]>} {
  %r = tandem.remat(%a = %g : tensor<4x4xf32>) -> tensor<4x4xf32> attributes {policy = #tandem.policy<names ["a", "b\22c"]>} {
    %0 = "stablehlo.negate"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    tandem.yield %0 : tensor<4x4xf32>
  }
  // CHECK: tandem.device_id : tensor<ui32>
  %d = tandem.device_id : tensor<ui32>
  // CHECK: tandem.constant dense<1.000000e+00> : tensor<4x4xf32>
  %c = tandem.constant dense<1.0> : tensor<4x4xf32>
  // CHECK: %{{.*}}, %[[T:.*]] = tandem.call "potrf"(%{{.*}}, %{{.*}}) {config = {uplo = 76 : ui8}, has_side_effect, operand_aliases = array<i64: 0, 0>} : (tensor<4x4xf32>, tensor<ui32>) -> (tensor<4x4xf32>, !tandem.token)
  %l, %t = tandem.call "potrf"(%r, %d) {config = {uplo = 76 : ui8}, has_side_effect, operand_aliases = array<i64: 0, 0>} : (tensor<4x4xf32>, tensor<ui32>) -> (tensor<4x4xf32>, !tandem.token)
  // CHECK: tandem.call "sum"(%{{.*}}) after(%[[T]]) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = tandem.call "sum"(%l) after(%t) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %m : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @convolution
func.func @convolution(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x5xf32>) -> tensor<1x6x6x5xf32> {
  // CHECK: tandem.conv(%{{.*}} = %arg0 : tensor<1x8x8x3xf32>, %{{.*}} = %arg1 : tensor<3x3x3x5xf32>) -> tensor<1x6x6x5xf32> {
  %0 = tandem.conv(%a = %x : tensor<1x8x8x3xf32>, %b = %w : tensor<3x3x3x5xf32>) -> tensor<1x6x6x5xf32> {
    %1 = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<1x6x6x5xf32>
    tandem.yield %1 : tensor<1x6x6x5xf32>
  }
  return %0 : tensor<1x6x6x5xf32>
}

// -----

// Buffers: one per tensor, the elements of a future one by one, none for a token.
// CHECK-LABEL: func.func @buffers
// CHECK-SAME: tandem.buffer = #tandem.buffer<argument 2, 0, 16>
func.func @buffers(%x: tensor<4xf32> {tandem.buffer = #tandem.buffer<argument 2, 0, 16>}, %p: tensor<i1>) -> tensor<4xf32> {
  // CHECK: tandem.buffers = [#tandem.buffer<temp, 64, 16>]
  %f, %t = tandem.start(%a = %x : tensor<4xf32>) -> (!tandem.future<tensor<4xf32>>, !tandem.token) attributes {tandem.buffers = [#tandem.buffer<temp, 64, 16>], tandem.stream = #tandem.stream<communication 1>} {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %d = tandem.done %f {tandem.buffers = [#tandem.buffer<temp, 64, 16>]} : !tandem.future<tensor<4xf32>>
  // CHECK: tandem.arg_buffers = [#tandem.buffer<temp, 64, 32, 2, 64>], tandem.buffers = [#tandem.buffer<result 1, 0, 16>]
  %r = tandem.loop %p (%c = %d : tensor<4xf32>) attributes {tandem.arg_buffers = [#tandem.buffer<temp, 64, 32, 2, 64>], tandem.buffers = [#tandem.buffer<result 1, 0, 16>]} {
    tandem.yield %p, %c : tensor<i1>, tensor<4xf32>
  }
  // CHECK: tandem.buffers = [#tandem.buffer<constant, 0, 4>], tandem.stream = #tandem.stream<copy>
  %i = tandem.constant {tandem.buffers = [#tandem.buffer<constant, 0, 4>], tandem.stream = #tandem.stream<copy>} dense<1> : tensor<i32>
  return %r : tensor<4xf32>
}
