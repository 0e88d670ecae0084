// One function per reason of InsertCopies.cpp, and what must not get a copy.
// RUN: tandem-opt %s -split-input-file -tandem-insert-copies -tandem-verify-memory | FileCheck %s
// Running it twice gives the same.
// RUN: tandem-opt %s -split-input-file -tandem-insert-copies -tandem-insert-copies | FileCheck %s

// 1: the loop overwrites what the kernel after it still reads. The kernel's other operand tells
// that it comes later; the loop's result does not need a copy.
// CHECK-LABEL: @init_read_later
// CHECK: %[[X:[0-9a-z]+]] = tandem.kernel
// CHECK: %[[C:.*]] = tandem.copy %[[X]]
// CHECK: tandem.loop %{{.*}} (%{{.*}} = %[[C]] :
// CHECK-NOT: tandem.copy
// CHECK: return
func.func @init_read_later(%p: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %x = tandem.kernel(%u = %a : tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %u : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %r = tandem.loop %p (%c = %x : tensor<4xf32>) {
    %n:2 = tandem.kernel(%u = %c : tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>) attributes {in_place = array<i64: 1, 0>} {
      %0 = stablehlo.constant dense<false> : tensor<i1>
      %1 = stablehlo.negate %u : tensor<4xf32>
      tandem.yield %0, %1 : tensor<i1>, tensor<4xf32>
    }
    tandem.yield %n#0, %n#1 : tensor<i1>, tensor<4xf32>
  }
  %s = tandem.kernel(%u = %x : tensor<4xf32>, %v = %r : tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %u, %v : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

// -----

// 1: a call that works in place, of a value returned as well.
// CHECK-LABEL: @call_in_place
// CHECK: %[[C:.*]] = tandem.copy
// CHECK: tandem.call "f"(%[[C]])
func.func @call_in_place(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %x = tandem.kernel(%u = %a : tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %u : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %r = tandem.call "f"(%x) {operand_aliases = array<i64: 0, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return %x, %r : tensor<4xf32>, tensor<4xf32>
}

// -----

// 2: inits that are an argument, or a constant. The constant is given twice, each its own copy.
// CHECK-LABEL: @not_owned
// CHECK-DAG: tandem.copy %arg1
// CHECK-DAG: tandem.copy %[[K:.*]] :
// CHECK-DAG: tandem.copy %[[K]] :
// CHECK: tandem.loop
func.func @not_owned(%p: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %k = tandem.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r:3 = tandem.loop %p (%b = %a : tensor<4xf32>, %c = %k : tensor<4xf32>, %d = %k : tensor<4xf32>) {
    %n:2 = tandem.kernel(%u = %c : tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>) attributes {in_place = array<i64: 1, 0>} {
      %0 = stablehlo.constant dense<false> : tensor<i1>
      %1 = stablehlo.negate %u : tensor<4xf32>
      tandem.yield %0, %1 : tensor<i1>, tensor<4xf32>
    }
    tandem.yield %n#0, %b, %n#1, %d : tensor<i1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// 3: a loop yields a value from outside its body; 8 follows from returning nothing of it.
// CHECK-LABEL: @captured
// CHECK: tandem.loop
// CHECK: %[[C:.*]] = tandem.copy %[[Z:.*]] :
// CHECK-NEXT: tandem.yield %{{.*}}, %[[C]]
// CHECK: %[[I:.*]] = tandem.case
// CHECK: tandem.copy %[[Z]]
// CHECK: return
func.func @captured(%p: tensor<i1>, %i: tensor<i32>, %a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %x, %z = tandem.kernel(%u = %a : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.negate %u : tensor<4xf32>
    %1 = stablehlo.abs %u : tensor<4xf32>
    tandem.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
  %r = tandem.loop %p (%c = %x : tensor<4xf32>) {
    %n = tandem.kernel(%u = %c : tensor<4xf32>) -> tensor<i1> {
      %0 = stablehlo.constant dense<false> : tensor<i1>
      tandem.yield %0 : tensor<i1>
    }
    tandem.yield %n, %z : tensor<i1>, tensor<4xf32>
  }
  %s = tandem.case %i -> tensor<4xf32> {
    tandem.yield %z : tensor<4xf32>
  }, {
    %n = tandem.kernel(%u = %z : tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.negate %u : tensor<4xf32>
      tandem.yield %0 : tensor<4xf32>
    }
    tandem.yield %n : tensor<4xf32>
  }
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// -----

// 4: one value yielded and returned twice.
// CHECK-LABEL: @twice
// CHECK: tandem.loop
// CHECK: %[[N:[0-9a-z]+]]:2 = tandem.kernel
// CHECK: %[[C:.*]] = tandem.copy %[[N]]#1
// CHECK-NEXT: tandem.yield %[[N]]#0, %[[N]]#1, %[[C]]
// CHECK: %[[D:.*]] = tandem.copy %[[R:.*]]#0
// CHECK-NEXT: return %[[R]]#0, %[[D]]
func.func @twice(%p: tensor<i1>, %a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %x, %y = tandem.kernel(%u = %a : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.negate %u : tensor<4xf32>
    %1 = stablehlo.abs %u : tensor<4xf32>
    tandem.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
  %r:2 = tandem.loop %p (%c = %x : tensor<4xf32>, %d = %y : tensor<4xf32>) {
    %n:2 = tandem.kernel(%u = %c : tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>) attributes {in_place = array<i64: 1, 0>} {
      %0 = stablehlo.constant dense<false> : tensor<i1>
      %1 = stablehlo.negate %u : tensor<4xf32>
      tandem.yield %0, %1 : tensor<i1>, tensor<4xf32>
    }
    tandem.yield %n#0, %n#1, %n#1 : tensor<i1>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#0 : tensor<4xf32>, tensor<4xf32>
}

// -----

// 5: the inner loop works on a carried value, but the outer one carries another one on.
// CHECK-LABEL: @carried_elsewhere
// CHECK: tandem.loop %{{.*}} (%[[O:.*]] = %{{.*}} :
// CHECK: %[[C:.*]] = tandem.copy %[[O]]
// CHECK: tandem.loop %{{.*}} (%{{.*}} = %[[C]] :
func.func @carried_elsewhere(%p: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %x = tandem.kernel(%u = %a : tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %u : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %r = tandem.loop %p (%o = %x : tensor<4xf32>) {
    %s = tandem.loop %p (%c = %o : tensor<4xf32>) {
      %n:2 = tandem.kernel(%u = %c : tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>) attributes {in_place = array<i64: 1, 0>} {
        %0 = stablehlo.constant dense<false> : tensor<i1>
        %1 = stablehlo.negate %u : tensor<4xf32>
        tandem.yield %0, %1 : tensor<i1>, tensor<4xf32>
      }
      tandem.yield %n#0, %n#1 : tensor<i1>, tensor<4xf32>
    }
    %n:2 = tandem.kernel(%u = %s : tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>) {
      %0 = stablehlo.constant dense<false> : tensor<i1>
      %1 = stablehlo.negate %u : tensor<4xf32>
      tandem.yield %0, %1 : tensor<i1>, tensor<4xf32>
    }
    tandem.yield %n#0, %n#1 : tensor<i1>, tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// 6: two carried values change places: both are read before either place is overwritten.
// CHECK-LABEL: @permuted
// CHECK: tandem.loop %{{.*}} (%[[A:.*]] = %{{.*}} : tensor<4xf32>, %[[B:.*]] = %{{.*}} :
// CHECK: %[[TB:.*]] = tandem.copy %[[B]]
// CHECK-NEXT: %[[TA:.*]] = tandem.copy %[[A]]
// CHECK-NEXT: %[[NA:.*]] = tandem.copy %[[TB]]
// CHECK-NEXT: %[[NB:.*]] = tandem.copy %[[TA]]
// CHECK-NEXT: tandem.yield %{{.*}}, %[[NA]], %[[NB]]
func.func @permuted(%p: tensor<i1>, %a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %x, %y = tandem.kernel(%u = %a : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.negate %u : tensor<4xf32>
    %1 = stablehlo.abs %u : tensor<4xf32>
    tandem.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
  %r:2 = tandem.loop %p (%c = %x : tensor<4xf32>, %d = %y : tensor<4xf32>) {
    %n = tandem.kernel(%u = %c : tensor<4xf32>) -> tensor<i1> {
      %0 = stablehlo.constant dense<false> : tensor<i1>
      tandem.yield %0 : tensor<i1>
    }
    tandem.yield %n, %d, %c : tensor<i1>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// 7: the next value is written while the kernel may still read the carried one.
// CHECK-LABEL: @argument_still_read
// CHECK: tandem.loop
// CHECK: %[[N:[0-9a-z]+]] = tandem.kernel
// CHECK: %[[P:[0-9a-z]+]] = tandem.kernel
// CHECK: %[[C:.*]] = tandem.copy %[[N]]
// CHECK-NEXT: tandem.yield %[[P]], %[[C]]
func.func @argument_still_read(%p: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %x = tandem.kernel(%u = %a : tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %u : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %r = tandem.loop %p (%c = %x : tensor<4xf32>) {
    %n = tandem.kernel(%u = %c : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, 0>} {
      %1 = stablehlo.negate %u : tensor<4xf32>
      tandem.yield %1 : tensor<4xf32>
    }
    %q = tandem.kernel(%u = %c : tensor<4xf32>, %v = %n : tensor<4xf32>) -> tensor<i1> {
      %0 = stablehlo.constant dense<false> : tensor<i1>
      tandem.yield %0 : tensor<i1>
    }
    tandem.yield %q, %n : tensor<i1>, tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// 7: a donated argument that a collective in flight may read. 8: an argument and a constant.
// CHECK-LABEL: @results
// CHECK: %[[N:[0-9a-z]+]] = tandem.kernel
// CHECK: tandem.done
// CHECK-DAG: %[[A:.*]] = tandem.copy %arg1
// CHECK-DAG: %[[K:.*]] = tandem.copy %{{.*}} : tensor<2xf32>
// CHECK: %[[C:.*]] = tandem.copy %[[N]]
// CHECK-NEXT: return %[[C]], %{{.*}}, %[[A]], %[[K]]
func.func @results(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<2xf32>) {
  %k = tandem.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %f = tandem.start(%u = %a : tensor<4xf32>) -> !tandem.future<tensor<8xf32>> {
    %0 = "stablehlo.all_gather"(%u) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
    tandem.yield %0 : tensor<8xf32>
  }
  %n = tandem.kernel(%u = %a : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, 0>} {
    %1 = stablehlo.negate %u : tensor<4xf32>
    tandem.yield %1 : tensor<4xf32>
  }
  %g = tandem.done %f : !tandem.future<tensor<8xf32>>
  return %n, %g, %b, %k : tensor<4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<2xf32>
}

// -----

// No copy: the donated argument dies at the op that makes its result, after a loop has read it;
// the loop's init has no other use, its next value is made from the last use of the carried one.
// CHECK-LABEL: @none
// CHECK-NOT: tandem.copy
func.func @none(%p: tensor<i1>, %a: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<4xf32>, tensor<4xf32>) {
  %x = tandem.kernel(%u = %a : tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.negate %u : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  %r = tandem.loop %p (%c = %x : tensor<4xf32>) {
    %m = tandem.kernel(%u = %c : tensor<4xf32>, %v = %a : tensor<4xf32>) -> tensor<4xf32> {
      %1 = stablehlo.add %u, %v : tensor<4xf32>
      tandem.yield %1 : tensor<4xf32>
    }
    %n:2 = tandem.kernel(%u = %m : tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>) {
      %0 = stablehlo.constant dense<false> : tensor<i1>
      %1 = stablehlo.negate %u : tensor<4xf32>
      tandem.yield %0, %1 : tensor<i1>, tensor<4xf32>
    }
    tandem.yield %n#0, %n#1 : tensor<i1>, tensor<4xf32>
  }
  %s = tandem.kernel(%u = %a : tensor<4xf32>, %v = %r : tensor<4xf32>) -> tensor<4xf32> attributes {in_place = array<i64: 0, 0>} {
    %0 = stablehlo.add %u, %v : tensor<4xf32>
    tandem.yield %0 : tensor<4xf32>
  }
  return %s, %r : tensor<4xf32>, tensor<4xf32>
}
