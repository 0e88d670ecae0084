// 64 devices on two threads, with a collective in a loop condition: a device that waits for the
// others must not hold a thread. The trip count depends on the data.
// RUN: tandem run %s --threads 2 --seed 5 --outputs %t.npz | FileCheck %s
// RUN: tandem run %s --threads 2 --seed 5 --unpartitioned --expect %t.npz
// CHECK: devices 64 (a=8,b=8)
// CHECK: collectives {{[2-9][0-9]*}} all-reduce of f32
module {
  sdy.mesh @mesh = <["a"=8, "b"=8]>
  func.func public @main(%arg0: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> (tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {"b"}]>] out_shardings=[<@mesh, [{"a"}, {"b"}]>] manual_axes={"a", "b"} (%arg1: tensor<8x2xf32>) {
      %1 = stablehlo.abs %arg1 : tensor<8x2xf32>
      %2 = stablehlo.while(%iterArg = %1) : tensor<8x2xf32>
      cond {
        %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
        %3 = stablehlo.reduce(%iterArg init: %cst) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
        %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]]> : tensor<1x64xi64>, use_global_device_ids}> ({
        ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
          %6 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
          stablehlo.return %6 : tensor<f32>
        }) : (tensor<f32>) -> tensor<f32>
        %cst_0 = stablehlo.constant dense<1.000000e-02> : tensor<f32>
        %5 = stablehlo.compare GT, %4, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %5 : tensor<i1>
      } do {
        %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
        %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
        %4 = stablehlo.multiply %iterArg, %3 : tensor<8x2xf32>
        stablehlo.return %4 : tensor<8x2xf32>
      }
      sdy.return %2 : tensor<8x2xf32>
    } : (tensor<64x16xf32>) -> tensor<64x16xf32>
    return %0 : tensor<64x16xf32>
  }
}
