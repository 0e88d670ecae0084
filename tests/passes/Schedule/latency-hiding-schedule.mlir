// RUN: tandem-opt %s -split-input-file -tandem-latency-hiding-schedule | FileCheck %s
// Running it twice gives the same.
// RUN: tandem-opt %s -split-input-file -tandem-latency-hiding-schedule -tandem-latency-hiding-schedule | FileCheck %s

// The gather does not depend on the product, so it flies over it.
// CHECK-LABEL: module @independent
// CHECK: tandem.start
// CHECK: tandem.gemm
// CHECK: tandem.done
// CHECK: return
module @independent attributes {tandem.emulated_link = "latency=100us,bandwidth=1GB/s", tandem.num_devices = 2 : i64} {
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

// -----

// The product needs the gathered value: nothing can be hidden, the order stays.
// CHECK-LABEL: module @dependent
// CHECK: tandem.start
// CHECK: tandem.done
// CHECK: tandem.gemm
module @dependent attributes {tandem.emulated_link = "latency=100us,bandwidth=1GB/s", tandem.num_devices = 2 : i64} {
  func.func @main(%a: tensor<4xf32>, %b: tensor<8x8xf32>) -> tensor<8xf32> {
    %f = tandem.start(%x = %a : tensor<4xf32>) -> !tandem.future<tensor<8xf32>> {
      %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
      tandem.yield %0 : tensor<8xf32>
    }
    %g = tandem.done %f : !tandem.future<tensor<8xf32>>
    %m = tandem.gemm(%l = %b : tensor<8x8xf32>, %r = %g : tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
      tandem.yield %0 : tensor<8xf32>
    }
    return %m : tensor<8xf32>
  }
}

// -----

// Two gathers, the second of what the first gave, and two products that need neither. The wire
// is the bottleneck, so any order in which it never waits takes as long; the one kept lets each
// gather fly over a product, which still hides it when the products take longer than predicted.
// CHECK-LABEL: module @chain
// CHECK: tandem.start
// CHECK: tandem.gemm
// CHECK: tandem.done
// CHECK: tandem.start
// CHECK: tandem.gemm
// CHECK: tandem.done
// CHECK: return
module @chain attributes {tandem.emulated_link = "latency=25ms,bandwidth=1GB/s", tandem.num_devices = 2 : i64} {
  func.func @main(%a: tensor<4xf32>, %b: tensor<1024x1024xf32>) -> (tensor<8xf32>, tensor<1024x1024xf32>) {
    %m = tandem.gemm(%l = %b : tensor<1024x1024xf32>, %r = %b : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
      %0 = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
      tandem.yield %0 : tensor<1024x1024xf32>
    }
    %n = tandem.gemm(%l = %m : tensor<1024x1024xf32>, %r = %b : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
      %0 = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
      tandem.yield %0 : tensor<1024x1024xf32>
    }
    %f = tandem.start(%x = %a : tensor<4xf32>) -> !tandem.future<tensor<8xf32>> {
      %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
      tandem.yield %0 : tensor<8xf32>
    }
    %g = tandem.done %f : !tandem.future<tensor<8xf32>>
    %s = tandem.kernel(%x = %g : tensor<8xf32>) -> tensor<4xf32> {
      %0 = stablehlo.slice %x [4:8] : (tensor<8xf32>) -> tensor<4xf32>
      tandem.yield %0 : tensor<4xf32>
    }
    %h = tandem.start(%x = %s : tensor<4xf32>) -> !tandem.future<tensor<8xf32>> {
      %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
      tandem.yield %0 : tensor<8xf32>
    }
    %i = tandem.done %h : !tandem.future<tensor<8xf32>>
    return %i, %n : tensor<8xf32>, tensor<1024x1024xf32>
  }
}
