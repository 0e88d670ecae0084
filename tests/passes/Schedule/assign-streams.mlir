// Collectives go to the communication stream of their link level, all else to compute.
// RUN: tandem-opt %s -tandem-assign-streams | FileCheck %s

// CHECK: tandem.start{{.*}}tandem.stream = #tandem.stream<communication 0>
// CHECK: tandem.done{{.*}}tandem.stream = #tandem.stream<compute>
// CHECK: tandem.gemm{{.*}}tandem.stream = #tandem.stream<compute>
// CHECK: return {tandem.stream = #tandem.stream<compute>}
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
