// RUN: tandem-opt %s -tandem-assign-streams -tandem-assign-buffers -tandem-verify-schedule | FileCheck %s
// RUN: not tandem-opt %s -tandem-verify-schedule 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not tandem-opt %s -tandem-assign-buffers -tandem-verify-schedule 2>&1 | FileCheck %s --check-prefix=STREAMS

// CHECK: tandem.buffers
// BARE: error: argument 0 has no tandem.buffer
// STREAMS: error: has no tandem.stream (run tandem-assign-streams)
module attributes {tandem.num_devices = 2 : i64} {
  func.func @main(%a: tensor<4xf32>, %b: tensor<1024x1024xf32>) -> (tensor<8xf32>, tensor<1024x1024xf32>) {
    %f = tandem.start(%x = %a : tensor<4xf32>) -> !tandem.future<tensor<8xf32>> {
      %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
      tandem.yield %0 : tensor<8xf32>
    }
    %g = tandem.done %f : !tandem.future<tensor<8xf32>>
    %m = tandem.gemm(%l = %b : tensor<1024x1024xf32>, %r = %b : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
      %0 = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
      tandem.yield %0 : tensor<1024x1024xf32>
    }
    return %g, %m : tensor<8xf32>, tensor<1024x1024xf32>
  }
}
