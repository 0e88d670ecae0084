module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=4]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) -> (tensor<16x8xf32> {jax.result_info = "result[0]"}, tensor<8x8xf32> {jax.result_info = "result[1]"}) {
    %0:3 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"a"}, {"b"}]>, <@mesh, [{"b"}, {}]>] out_shardings=[<@mesh, [{"a", "b"}, {}]>, <@mesh, [{"a", "b"}, {}]>, <@mesh, [{"a"}, {}]>] manual_axes={"a", "b"} (%arg2: tensor<8x2xf32>, %arg3: tensor<2x8xf32>) {
      %4 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
      %5 = stablehlo.sine %4 : tensor<8x8xf32>
      %6 = stablehlo.cosine %4 : tensor<8x8xf32>
      %7 = "stablehlo.all_reduce"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %8 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %8 : tensor<f32>
      }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      sdy.return %arg3, %6, %7 : tensor<2x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
    } : (tensor<16x8xf32>, tensor<8x8xf32>) -> (tensor<16x8xf32>, tensor<64x8xf32>, tensor<16x8xf32>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0#2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %3:2 = sdy.manual_computation(%2, %0#0, %arg0, %0#1) in_shardings=[<@mesh, [{"a"}, {}]>, <@mesh, [{"a", "b"}, {}]>, <@mesh, [{"a"}, {"b"}]>, <@mesh, [{"a", "b"}, {}]>] out_shardings=[<@mesh, [{"a"}, {"b"}]>, <@mesh, [{"b"}, {}]>] manual_axes={"a", "b"} (%arg2: tensor<8x8xf32>, %arg3: tensor<2x8xf32>, %arg4: tensor<8x2xf32>, %arg5: tensor<8x8xf32>) {
      %4 = stablehlo.multiply %arg2, %arg5 : tensor<8x8xf32>
      %5 = stablehlo.dot_general %4, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
      %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
      %7 = stablehlo.dot_general %4, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<2x8xf32>) -> tensor<8x2xf32>
      %8 = "stablehlo.all_reduce"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %9 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %9 : tensor<f32>
      }) : (tensor<2x8xf32>) -> tensor<2x8xf32>
      sdy.return %7, %8 : tensor<8x2xf32>, tensor<2x8xf32>
    } : (tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<64x8xf32>) -> (tensor<16x8xf32>, tensor<8x8xf32>)
    return %3#0, %3#1 : tensor<16x8xf32>, tensor<8x8xf32>
  }
}
