module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=4]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> (tensor<8x2xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a", ?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={"a"} (%arg1: tensor<8x8xf32>) {
      %1 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{?}, {"b", ?}]>] out_shardings=[<@mesh, [{?}, {?}]>] manual_axes={"b"} (%arg2: tensor<8x2xf32>) {
        %3 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
        ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
          %4 = stablehlo.add %arg3, %arg4 : tensor<f32>
          stablehlo.return %4 : tensor<f32>
        }) : (tensor<8x2xf32>) -> tensor<8x2xf32>
        sdy.return %3 : tensor<8x2xf32>
      } : (tensor<8x8xf32>) -> tensor<8x2xf32>
      %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %3 = stablehlo.add %arg2, %arg3 : tensor<f32>
        %4 = sdy.sharding_constraint %3 <@mesh, []> : tensor<f32>
        stablehlo.return %4 : tensor<f32>
      }) : (tensor<8x2xf32>) -> tensor<8x2xf32>
      sdy.return %2 : tensor<8x2xf32>
    } : (tensor<16x8xf32>) -> tensor<8x2xf32>
    return %0 : tensor<8x2xf32>
  }
}
