#loc3 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":3:26)
#loc9 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":10:12)
#loc10 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":10:32)
#loc14 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":15:12)
#loc15 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":15:32)
#loc19 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":20:12)
#loc20 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":20:33)
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32, tandem.constant_bytes = 0 : i64, tandem.num_devices = 8 : i64, tandem.peak_bytes = 320 : i64, tandem.target = "host", tandem.temp_bytes = 96 : i64} {
  sdy.mesh @mesh = <["a"=2, "b"=4]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 4 : i64}]}} loc(#loc1)
  func.func public @main(%arg0: tensor<8x2xf32> {tandem.buffer = #tandem.buffer<argument 0, 0, 64>, tandem.global_type = tensor<16x8xf32>, tandem.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>} loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":3:26)) -> (tensor<8x2xf32> {jax.result_info = "result[0]", tandem.global_type = tensor<16x2xf32>, tandem.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, tensor<8x2xf32> {jax.result_info = "result[1]", tandem.global_type = tensor<16x2xf32>, tandem.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}, tensor<8x2xbf16> {jax.result_info = "result[2]", tandem.global_type = tensor<16x2xbf16>, tandem.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
    %0 = tandem.kernel(%arg1 = %arg0 : tensor<8x2xf32>) -> tensor<8x2xf32> attributes {in_place = array<i64: 0, 0>, tandem.buffers = [#tandem.buffer<temp, 0, 64>], tandem.stream = #tandem.stream<compute>} {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32> loc(#loc5)
      %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2xf32> loc(#loc6)
      %6 = stablehlo.multiply %arg1, %5 : tensor<8x2xf32> loc(#loc4)
      tandem.yield %6 : tensor<8x2xf32> loc(#loc4)
    } loc(#loc4)
    %1 = tandem.kernel(%arg1 = %arg0 : tensor<8x2xf32>) -> tensor<8x2xbf16> attributes {tandem.buffers = [#tandem.buffer<temp, 64, 32>], tandem.stream = #tandem.stream<compute>} {
      %5 = stablehlo.convert %arg1 : (tensor<8x2xf32>) -> tensor<8x2xbf16> loc(#loc7)
      tandem.yield %5 : tensor<8x2xbf16> loc(#loc7)
    } loc(#loc7)
    %future = tandem.start(%arg1 = %arg0 : tensor<8x2xf32>) -> !tandem.future<tensor<8x2xf32>> attributes {tandem.buffers = [#tandem.buffer<result 0, 0, 64>], tandem.stream = #tandem.stream<communication 0>} {
      %5 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32> loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":10:12), %arg3: tensor<f32> loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":10:32)):
        %6 = stablehlo.add %arg2, %arg3 : tensor<f32> loc(#loc11)
        stablehlo.return %6 : tensor<f32> loc(#loc12)
      }) : (tensor<8x2xf32>) -> tensor<8x2xf32> loc(#loc8)
      tandem.yield %5 : tensor<8x2xf32> loc(#loc8)
    } loc(#loc8)
    %2 = tandem.done %future {tandem.buffers = [#tandem.buffer<result 0, 0, 64>], tandem.stream = #tandem.stream<compute>} : !tandem.future<tensor<8x2xf32>> loc(#loc8)
    %future_0 = tandem.start(%arg1 = %0 : tensor<8x2xf32>) -> !tandem.future<tensor<8x2xf32>> attributes {tandem.buffers = [#tandem.buffer<result 1, 0, 64>], tandem.stream = #tandem.stream<communication 0>} {
      %5 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32> loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":15:12), %arg3: tensor<f32> loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":15:32)):
        %6 = stablehlo.add %arg2, %arg3 : tensor<f32> loc(#loc16)
        stablehlo.return %6 : tensor<f32> loc(#loc17)
      }) : (tensor<8x2xf32>) -> tensor<8x2xf32> loc(#loc13)
      tandem.yield %5 : tensor<8x2xf32> loc(#loc13)
    } loc(#loc13)
    %3 = tandem.done %future_0 {tandem.buffers = [#tandem.buffer<result 1, 0, 64>], tandem.stream = #tandem.stream<compute>} : !tandem.future<tensor<8x2xf32>> loc(#loc13)
    %future_1 = tandem.start(%arg1 = %1 : tensor<8x2xbf16>) -> !tandem.future<tensor<8x2xbf16>> attributes {tandem.buffers = [#tandem.buffer<result 2, 0, 32>], tandem.stream = #tandem.stream<communication 0>} {
      %5 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<bf16> loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":20:12), %arg3: tensor<bf16> loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":20:33)):
        %6 = stablehlo.add %arg2, %arg3 : tensor<bf16> loc(#loc21)
        stablehlo.return %6 : tensor<bf16> loc(#loc22)
      }) : (tensor<8x2xbf16>) -> tensor<8x2xbf16> loc(#loc18)
      tandem.yield %5 : tensor<8x2xbf16> loc(#loc18)
    } loc(#loc18)
    %4 = tandem.done %future_1 {tandem.buffers = [#tandem.buffer<result 2, 0, 32>], tandem.stream = #tandem.stream<compute>} : !tandem.future<tensor<8x2xbf16>> loc(#loc18)
    return {tandem.stream = #tandem.stream<compute>} %2, %3, %4 : tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xbf16> loc(#loc23)
  } loc(#loc2)
} loc(#loc)
#loc = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":1:1)
#loc1 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":2:3)
#loc2 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":3:3)
#loc4 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":7:12)
#loc5 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":5:14)
#loc6 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":6:12)
#loc7 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":8:12)
#loc8 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":9:12)
#loc11 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":11:14)
#loc12 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":12:9)
#loc13 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":14:12)
#loc16 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":16:14)
#loc17 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":17:9)
#loc18 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":19:12)
#loc21 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":21:14)
#loc22 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":22:9)
#loc23 = loc("tests/corpus/coll_psum_tuple.stablehlo.mlir":26:5)

