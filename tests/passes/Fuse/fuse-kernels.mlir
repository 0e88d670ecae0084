// Ops become kernels, by the rules of passes/Fuse/FusionPlan.h; each result is also verified.
// RUN: tandem-opt %s -split-input-file -tandem-fuse-kernels -tandem-form-constants -tandem-verify-fuse | FileCheck %s

// Rules 2 and 3: a chain is one kernel, with its constant inside; it may run in place.
// CHECK-LABEL: func.func @chain
func.func @chain(%x: tensor<64x8xf32>, %b: tensor<64x8xf32>) -> tensor<64x8xf32> {
  // CHECK: tandem.kernel({{.*}}) -> tensor<64x8xf32> attributes {in_place = array<i64: 0, 0>} {
  // CHECK: stablehlo.constant
  // CHECK: stablehlo.maximum
  // CHECK-NOT: tandem.kernel
  // CHECK-NOT: tandem.constant
  %z = stablehlo.constant dense<0.0> : tensor<64x8xf32>
  %0 = stablehlo.add %x, %b : tensor<64x8xf32>
  %1 = stablehlo.maximum %0, %z : tensor<64x8xf32>
  return %1 : tensor<64x8xf32>
}

// -----

// Rule 5: a value that is returned too is a second result of its user's kernel.
// CHECK-LABEL: func.func @two_results
func.func @two_results(%x: tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  // CHECK: tandem.kernel({{.*}}) -> (tensor<64x8xf32>, tensor<64x8xf32>)
  // CHECK-NOT: tandem.kernel
  // CHECK: return
  %0 = stablehlo.exponential %x : tensor<64x8xf32>
  %1 = stablehlo.negate %0 : tensor<64x8xf32>
  return %0, %1 : tensor<64x8xf32>, tensor<64x8xf32>
}

// -----

// Rule 1: a reduce takes its producers along, and its result starts another kernel where all rows
// need it.
// CHECK-LABEL: func.func @reduce
func.func @reduce(%x: tensor<64x8xf32>) -> tensor<64x8xf32> {
  // CHECK: tandem.kernel
  // CHECK: chlo.square
  // CHECK: stablehlo.reduce
  // CHECK: tandem.yield %{{.*}} : tensor<8xf32>
  // CHECK: tandem.kernel
  // CHECK: stablehlo.broadcast_in_dim
  // CHECK: stablehlo.multiply
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = chlo.square %x : tensor<64x8xf32> -> tensor<64x8xf32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64x8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<8xf32>) -> tensor<64x8xf32>
  %3 = stablehlo.multiply %x, %2 : tensor<64x8xf32>
  return %3 : tensor<64x8xf32>
}

// -----

// Rule 1: reduces of the rows that the kernel writes join it: softmax is one kernel.
// CHECK-LABEL: func.func @softmax
// CHECK-COUNT-1: tandem.kernel
// CHECK-NOT: tandem.kernel
func.func @softmax(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<64xf32>
  %column = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
  %0 = stablehlo.broadcast_in_dim %column, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x32xf32>
  %1 = stablehlo.subtract %x, %0 : tensor<64x32xf32>
  %2 = stablehlo.exponential %1 : tensor<64x32xf32>
  %sum = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<64xf32>) -> tensor<64x32xf32>
  %4 = stablehlo.divide %2, %3 : tensor<64x32xf32>
  return %4 : tensor<64x32xf32>
}

// -----

// Two futures whose values nothing needs together are two kernels.
// CHECK-LABEL: func.func @two_dones
// CHECK-COUNT-2: tandem.kernel
func.func @two_dones(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %g = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %d = tandem.done %f : !tandem.future<tensor<4xf32>>
  %e = tandem.done %g : !tandem.future<tensor<4xf32>>
  %0 = stablehlo.negate %d : tensor<4xf32>
  %1 = stablehlo.add %0, %e : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A barrier is a fence, and goes.
// CHECK-LABEL: func.func @barrier
// CHECK-COUNT-2: tandem.kernel
// CHECK-NOT: optimization_barrier
func.func @barrier(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.negate %x : tensor<64xf32>
  %1 = stablehlo.optimization_barrier %0 : tensor<64xf32>
  %2 = stablehlo.abs %1 : tensor<64xf32>
  return %2 : tensor<64xf32>
}

// -----

// Behind a barrier of several values, each waits for its own: one kernel of both results would
// keep the first waiting for the second done.
// CHECK-LABEL: func.func @wide_barrier
// CHECK: %[[D:.*]] = tandem.done
// CHECK: %[[E:.*]] = tandem.done
// CHECK: tandem.kernel(%{{.*}} = %[[D]] : tensor<4xf32>) -> tensor<4xf32>
// CHECK: tandem.kernel({{.*}}) -> tensor<4xf32>
// CHECK-NOT: optimization_barrier
func.func @wide_barrier(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %g = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>> {
    %0 = tandem.copy %a : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %d = tandem.done %f : !tandem.future<tensor<4xf32>>
  %e = tandem.done %g : !tandem.future<tensor<4xf32>>
  %b:2 = stablehlo.optimization_barrier %d, %e : tensor<4xf32>, tensor<4xf32>
  %0 = stablehlo.negate %b#0 : tensor<4xf32>
  %1 = stablehlo.add %0, %b#1 : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Expressions from outside a loop that share a part are rebuilt inside in their order.
// CHECK-LABEL: func.func @shared_roots
// CHECK: tandem.loop
// CHECK: tandem.kernel
func.func @shared_roots(%p: tensor<i1>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %a = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %s = stablehlo.add %c, %two : tensor<i32>
  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %r = tandem.loop %p (%y = %x : tensor<4xi32>) {
    %0 = stablehlo.multiply %y, %a : tensor<4xi32>
    %1 = stablehlo.add %0, %b : tensor<4xi32>
    tandem.yield %p, %1 : tensor<i1>, tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

// -----

// Momentum and parameter are updated together, each where it was.
// CHECK-LABEL: func.func @momentum
func.func @momentum(%p: tensor<8x4xf32>, %m: tensor<8x4xf32>, %g: tensor<8x4xbf16>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK: tandem.kernel(%{{.*}} = %arg1 : tensor<8x4xf32>, %{{.*}} = %arg2 : tensor<8x4xbf16>, %{{.*}} = %arg0 : tensor<8x4xf32>){{.*}} attributes {in_place = array<i64: 0, 0, 1, 2>}
  %c = stablehlo.constant dense<0.5> : tensor<8x4xf32>
  %0 = stablehlo.multiply %c, %m : tensor<8x4xf32>
  %1 = stablehlo.convert %g : (tensor<8x4xbf16>) -> tensor<8x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x4xf32>
  %3 = stablehlo.multiply %c, %2 : tensor<8x4xf32>
  %4 = stablehlo.subtract %p, %3 : tensor<8x4xf32>
  return %2, %4 : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// A loop writes its stack in place; the counter and the predicate are one kernel; the constant
// from outside is rebuilt inside.
// CHECK-LABEL: func.func @stack
func.func @stack(%s: tensor<10x4xf32>, %x: tensor<1x4xf32>, %p: tensor<i1>, %i: tensor<i32>) -> tensor<10x4xf32> {
  // CHECK: tandem.loop
  // CHECK-DAG: tandem.kernel({{.*}}) -> tensor<10x4xf32> attributes {in_place = array<i64: 0, 0>}
  // CHECK-DAG: tandem.kernel({{.*}}) -> (tensor<i32>, tensor<i1>)
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c10 = stablehlo.constant dense<10> : tensor<i32>
  %r:2 = tandem.loop %p (%j = %i : tensor<i32>, %t = %s : tensor<10x4xf32>) {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %u = stablehlo.dynamic_update_slice %t, %x, %j, %c0 : (tensor<10x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<10x4xf32>
    %n = stablehlo.add %j, %c1 : tensor<i32>
    %q = stablehlo.compare LT, %n, %c10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tandem.yield %q, %n, %u : tensor<i1>, tensor<i32>, tensor<10x4xf32>
  }
  return %r#1 : tensor<10x4xf32>
}

// -----

// A constant whose elements differ stays in memory.
// CHECK-LABEL: func.func @table
// CHECK: tandem.constant
// CHECK: tandem.kernel
func.func @table(%x: tensor<20xi32>) -> tensor<20xi32> {
  %t = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]> : tensor<20xi32>
  %0 = stablehlo.add %x, %t : tensor<20xi32>
  return %0 : tensor<20xi32>
}

// -----

// The slice and the update compute their index each for itself: once that is one value, the kernel is
// seen to read what it writes over only where it writes. Of what is broadcast only a dimension is new.
// CHECK-LABEL: @update_at_equal_indices
// CHECK: tandem.kernel{{.*}}in_place = array<i64: 0, {{[0-9]}}>
// CHECK: %[[I:.*]] = stablehlo.select
// CHECK: stablehlo.dynamic_slice %{{.*}}, %[[I]], %[[Z:.*]], sizes
// CHECK-NOT: stablehlo.select
// CHECK: stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %[[I]], %[[Z]] :
func.func @update_at_equal_indices(%buffer: tensor<4x8xf32>, %row: tensor<8xf32>, %i: tensor<i32>) -> tensor<4x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.compare LT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = stablehlo.add %i, %four : tensor<i32>
  %2 = stablehlo.select %0, %1, %i : tensor<i1>, tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %old = stablehlo.dynamic_slice %buffer, %2, %z, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
  %flat = stablehlo.reshape %old : (tensor<1x8xf32>) -> tensor<8xf32>
  %sum = stablehlo.add %flat, %row : tensor<8xf32>
  %new = stablehlo.broadcast_in_dim %sum, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
  %zero2 = stablehlo.constant dense<0> : tensor<i32>
  %four2 = stablehlo.constant dense<4> : tensor<i32>
  %3 = stablehlo.compare LT, %i, %zero2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %4 = stablehlo.add %i, %four2 : tensor<i32>
  %5 = stablehlo.select %3, %4, %i : tensor<i1>, tensor<i32>
  %z2 = stablehlo.constant dense<0> : tensor<i32>
  %6 = stablehlo.dynamic_update_slice %buffer, %new, %5, %z2 : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return %6 : tensor<4x8xf32>
}

// -----

// An array seen in another shape may stay where it is; a scatter's updates, which have as many
// elements as its input here, may not be written over.
// CHECK-LABEL: func.func @in_place_of_another_shape
func.func @in_place_of_another_shape(%x: tensor<6x4xf32>, %i: tensor<24x1xi32>, %u: tensor<24xf32>) -> (tensor<24xf32>, tensor<24xf32>) {
  // CHECK: tandem.kernel(%{{.*}} = %arg0 : tensor<6x4xf32>) -> tensor<24xf32> attributes {in_place = array<i64: 0, 0>}
  %0 = stablehlo.reshape %x : (tensor<6x4xf32>) -> tensor<24xf32>
  // CHECK: tandem.kernel(%{{.*}} = %arg1 : tensor<24x1xi32>, %{{.*}} = %arg2 : tensor<24xf32>) -> tensor<24xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<24xf32>
  %1 = "stablehlo.scatter"(%z, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<24xf32>, tensor<24x1xi32>, tensor<24xf32>) -> tensor<24xf32>
  return %0, %1 : tensor<24xf32>, tensor<24xf32>
}

// -----

// The product may lie where either operand is; %p is read for the other result too.
// CHECK-LABEL: func.func @in_place_of_what_others_do_not_read
func.func @in_place_of_what_others_do_not_read(%p: tensor<64xf32>, %m: tensor<64xf32>) -> (tensor<64xf16>, tensor<64xf32>) {
  // CHECK: tandem.kernel(%{{.*}} = %arg0 : tensor<64xf32>, %{{.*}} = %arg1 : tensor<64xf32>) -> (tensor<64xf16>, tensor<64xf32>) attributes {in_place = array<i64: 1, 1>}
  %0 = stablehlo.convert %p : (tensor<64xf32>) -> tensor<64xf16>
  %1 = stablehlo.convert %0 : (tensor<64xf16>) -> tensor<64xf32>
  %2 = stablehlo.multiply %1, %m : tensor<64xf32>
  return %0, %2 : tensor<64xf16>, tensor<64xf32>
}
