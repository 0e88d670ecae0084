// out0 = arg0 + arg1 on a mesh of four devices.
module @add {
  sdy.mesh @mesh = <["data"=4]>
  func.func public @main(
      %arg0: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
      %arg1: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
      -> (tensor<8x3xf32> {jax.result_info = "sum", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
}
