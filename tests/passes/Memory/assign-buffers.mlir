// RUN: tandem-opt %s -split-input-file -tandem-assign-streams -tandem-assign-buffers -tandem-verify-schedule | FileCheck %s

// Three values of a chain that may not work in place, each alive with its neighbours. The first is
// gone before the result is made, and is in the result's place.
// CHECK-LABEL: module @chain
// CHECK-SAME: tandem.peak_bytes = 256 : i64, tandem.temp_bytes = 128 : i64
// CHECK: tandem.kernel{{.*}}tandem.buffers = [#tandem.buffer<result 0, 0, 64>]
// CHECK: tandem.kernel{{.*}}tandem.buffers = [#tandem.buffer<temp, 0, 64>]
// CHECK: tandem.kernel{{.*}}tandem.buffers = [#tandem.buffer<temp, 64, 64>]
// CHECK: tandem.kernel{{.*}}tandem.buffers = [#tandem.buffer<result 0, 0, 64>]
module @chain {
  func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
    %0 = tandem.kernel(%u = %a : tensor<16xf32>) -> tensor<16xf32> {
      %r = stablehlo.reverse %u, dims = [0] : tensor<16xf32>
      tandem.yield %r : tensor<16xf32>
    }
    %1 = tandem.kernel(%u = %0 : tensor<16xf32>) -> tensor<16xf32> {
      %r = stablehlo.reverse %u, dims = [0] : tensor<16xf32>
      tandem.yield %r : tensor<16xf32>
    }
    %2 = tandem.kernel(%u = %1 : tensor<16xf32>) -> tensor<16xf32> {
      %r = stablehlo.reverse %u, dims = [0] : tensor<16xf32>
      tandem.yield %r : tensor<16xf32>
    }
    %3 = tandem.kernel(%u = %2 : tensor<16xf32>) -> tensor<16xf32> {
      %r = stablehlo.reverse %u, dims = [0] : tensor<16xf32>
      tandem.yield %r : tensor<16xf32>
    }
    return %3 : tensor<16xf32>
  }
}

// -----

// A donated argument is overwritten by the result it is donated to, through a kernel that may
// work in place.
// CHECK-LABEL: module @donated
// CHECK: tandem.kernel{{.*}}tandem.buffers = [#tandem.buffer<argument 0, 0, 64>]
module @donated {
  func.func @main(%a: tensor<16xf32> {tf.aliasing_output = 0 : i32}) -> tensor<16xf32> {
    %0 = tandem.kernel(%u = %a : tensor<16xf32>) -> tensor<16xf32> attributes {in_place = array<i64: 0, 0>} {
      %r = stablehlo.negate %u : tensor<16xf32>
      tandem.yield %r : tensor<16xf32>
    }
    return %0 : tensor<16xf32>
  }
}

// -----

// What was given away and is not read is free from the start: the first op may write there.
// CHECK-LABEL: module @donated_unread
// CHECK: tandem.kernel{{.*}}tandem.buffers = [#tandem.buffer<argument 0, 0, 64>]
module @donated_unread {
  func.func @main(%a: tensor<16xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<16xf32>) -> tensor<16xf32> {
    %0 = tandem.kernel(%u = %b : tensor<16xf32>) -> tensor<16xf32> {
      %r = stablehlo.reverse %u, dims = [0] : tensor<16xf32>
      tandem.yield %r : tensor<16xf32>
    }
    return %0 : tensor<16xf32>
  }
}
