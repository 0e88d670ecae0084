// Loop state over two slots: the copy falls away, and the schedule verifier finds every value where
// it is read. With a memory limit, or classic copies, nothing rotates.
// RUN: tandem-opt %s -split-input-file -tandem-rotate-loop-state | FileCheck %s
// RUN: tandem-opt %s -split-input-file -tandem-rotate-loop-state -tandem-assign-streams -tandem-assign-buffers -tandem-verify-schedule | FileCheck %s --check-prefix=PLACED

// The next value is made before the last read of the present one.
// CHECK-LABEL: module @state
// CHECK: tandem.loop {{.*}} trip_count 5 attributes {tandem.rotating = array<i64: 1>}
// CHECK-NOT: tandem.copy
// PLACED-LABEL: module @state
// PLACED: tandem.arg_buffers = [{{[^>]*}}, 4>, #tandem.buffer<temp, [[AT:[0-9]+]], 512, 2, 512>, #tandem.buffer<temp, {{[0-9]+}}, 512>]
module @state {
  func.func @main(%a: tensor<128xf32>) -> tensor<128xf32> {
    %start:4 = tandem.kernel(%u = %a : tensor<128xf32>) -> (tensor<i1>, tensor<i32>, tensor<128xf32>, tensor<128xf32>) {
      %0 = stablehlo.constant dense<true> : tensor<i1>
      %1 = stablehlo.constant dense<0> : tensor<i32>
      %2 = stablehlo.negate %u : tensor<128xf32>
      %3 = stablehlo.abs %u : tensor<128xf32>
      tandem.yield %0, %1, %2, %3 : tensor<i1>, tensor<i32>, tensor<128xf32>, tensor<128xf32>
    }
    %r:3 = tandem.loop %start#0 (%i = %start#1 : tensor<i32>, %x = %start#2 : tensor<128xf32>, %sum = %start#3 : tensor<128xf32>) trip_count 5 {
      %next = tandem.kernel(%u = %x : tensor<128xf32>) -> tensor<128xf32> {
        %0 = stablehlo.tanh %u : tensor<128xf32>
        tandem.yield %0 : tensor<128xf32>
      }
      %more = tandem.kernel(%u = %sum : tensor<128xf32>, %v = %x : tensor<128xf32>, %w = %next : tensor<128xf32>) -> tensor<128xf32> attributes {in_place = array<i64: 0, 0>} {
        %0 = stablehlo.multiply %v, %w : tensor<128xf32>
        %1 = stablehlo.add %u, %0 : tensor<128xf32>
        tandem.yield %1 : tensor<128xf32>
      }
      %n:2 = tandem.kernel(%u = %i : tensor<i32>) -> (tensor<i1>, tensor<i32>) attributes {in_place = array<i64: 1, 0>} {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %five = stablehlo.constant dense<5> : tensor<i32>
        %0 = stablehlo.add %u, %one : tensor<i32>
        %1 = stablehlo.compare LT, %0, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
        tandem.yield %1, %0 : tensor<i1>, tensor<i32>
      }
      %c = tandem.copy %next : tensor<128xf32>
      tandem.yield %n#0, %n#1, %c, %more : tensor<i1>, tensor<i32>, tensor<128xf32>, tensor<128xf32>
    }
    %both = tandem.kernel(%u = %r#1 : tensor<128xf32>, %v = %r#2 : tensor<128xf32>) -> tensor<128xf32> {
      %0 = stablehlo.add %u, %v : tensor<128xf32>
      tandem.yield %0 : tensor<128xf32>
    }
    return %both : tensor<128xf32>
  }
}

// -----

// What leaves the loop is a result, which has its own place: one copy after the loop, not one a trip.
// CHECK-LABEL: module @returned
// CHECK: tandem.loop {{.*}} attributes {tandem.rotating = array<i64: 0>}
// CHECK-NOT: tandem.copy
// CHECK: tandem.yield {{.*}} : tensor<i1>, tensor<128xf32>
// CHECK: %[[C:.*]] = tandem.copy
// CHECK: return %[[C]]
// PLACED-LABEL: module @returned
// PLACED: tandem.copy %{{.*}} {tandem.buffers = [#tandem.buffer<result 0, 0, 512>]
module @returned {
  func.func @main(%a: tensor<128xf32>, %p: tensor<i1>) -> tensor<128xf32> {
    %init = tandem.kernel(%u = %a : tensor<128xf32>) -> tensor<128xf32> {
      %0 = stablehlo.negate %u : tensor<128xf32>
      tandem.yield %0 : tensor<128xf32>
    }
    %r = tandem.loop %p (%x = %init : tensor<128xf32>) {
      %next = tandem.kernel(%u = %x : tensor<128xf32>) -> tensor<128xf32> {
        %0 = stablehlo.tanh %u : tensor<128xf32>
        tandem.yield %0 : tensor<128xf32>
      }
      %q = tandem.kernel(%u = %x : tensor<128xf32>, %v = %next : tensor<128xf32>) -> tensor<i1> {
        %0 = stablehlo.slice %u [0:1] : (tensor<128xf32>) -> tensor<1xf32>
        %1 = stablehlo.slice %v [0:1] : (tensor<128xf32>) -> tensor<1xf32>
        %2 = stablehlo.compare LT, %0, %1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
        %3 = stablehlo.reshape %2 : (tensor<1xi1>) -> tensor<i1>
        tandem.yield %3 : tensor<i1>
      }
      %c = tandem.copy %next : tensor<128xf32>
      tandem.yield %q, %c : tensor<i1>, tensor<128xf32>
    }
    return %r : tensor<128xf32>
  }
}

// -----

// The same under a limit.
// CHECK-LABEL: module @limited
// CHECK-NOT: tandem.rotating
// CHECK: tandem.copy
// PLACED-LABEL: module @limited
module @limited attributes {tandem.memory_limit = 100000 : i64} {
  func.func @main(%a: tensor<128xf32>, %p: tensor<i1>) -> tensor<128xf32> {
    %init = tandem.kernel(%u = %a : tensor<128xf32>) -> tensor<128xf32> {
      %0 = stablehlo.negate %u : tensor<128xf32>
      tandem.yield %0 : tensor<128xf32>
    }
    %r = tandem.loop %p (%x = %init : tensor<128xf32>) {
      %next = tandem.kernel(%u = %x : tensor<128xf32>) -> tensor<128xf32> {
        %0 = stablehlo.tanh %u : tensor<128xf32>
        tandem.yield %0 : tensor<128xf32>
      }
      %q = tandem.kernel(%u = %x : tensor<128xf32>, %v = %next : tensor<128xf32>) -> tensor<i1> {
        %0 = stablehlo.slice %u [0:1] : (tensor<128xf32>) -> tensor<1xf32>
        %1 = stablehlo.slice %v [0:1] : (tensor<128xf32>) -> tensor<1xf32>
        %2 = stablehlo.compare LT, %0, %1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
        %3 = stablehlo.reshape %2 : (tensor<1xi1>) -> tensor<i1>
        tandem.yield %3 : tensor<i1>
      }
      %c = tandem.copy %next : tensor<128xf32>
      tandem.yield %q, %c : tensor<i1>, tensor<128xf32>
    }
    return %r : tensor<128xf32>
  }
}
