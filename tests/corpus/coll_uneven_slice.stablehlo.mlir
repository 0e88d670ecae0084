module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=4]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}, %arg1: tensor<16x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<13x12xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:13, 0:8] : (tensor<16x8xf32>) -> tensor<13x8xf32>
    %1 = stablehlo.slice %arg1 [0:8, 0:12] : (tensor<16x12xf32>) -> tensor<8x12xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<13x8xf32>, tensor<8x12xf32>) -> tensor<13x12xf32>
    %3 = stablehlo.tanh %2 : tensor<13x12xf32>
    return %3 : tensor<13x12xf32>
  }
}
