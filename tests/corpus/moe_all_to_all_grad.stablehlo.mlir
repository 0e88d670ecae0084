module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["expert"=4]> {stablehlo.mesh = {axes = [{name = "expert", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}]>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<8x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg3: tensor<8x32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<16x8xf32> {jax.result_info = "result[1][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<8x16x32xf32> {jax.result_info = "result[1][1]", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<8x32x16xf32> {jax.result_info = "result[1][2]", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}) {
    %0:13 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3) in_shardings=[<@mesh, [{"expert"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>] out_shardings=[<@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}]>, <@mesh, [{"expert"}, {}, {}, {}]>, <@mesh, [{"expert"}, {}, {}, {}]>, <@mesh, [{"expert"}, {}, {}, {}]>, <@mesh, [{"expert"}, {}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>] manual_axes={"expert"} (%arg4: tensor<16x16xf32>, %arg5: tensor<16x8xf32>, %arg6: tensor<2x16x32xf32>, %arg7: tensor<2x32x16xf32>) {
      %10 = stablehlo.dot_general %arg4, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %11 = stablehlo.reduce(%10 init: %cst_4) applies stablehlo.maximum across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %12 = stablehlo.reshape %11 : (tensor<16xf32>) -> tensor<16x1xf32>
      %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %14 = stablehlo.compare EQ, %10, %13, FLOAT : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
      %15 = stablehlo.convert %14 : (tensor<16x8xi1>) -> tensor<16x8xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %16 = stablehlo.reduce(%15 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %18 = stablehlo.maximum %17, %11 : tensor<16xf32>
      %19 = stablehlo.compare EQ, %11, %18, FLOAT : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1>
      %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %20 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %21 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %22 = stablehlo.select %19, %20, %21 : tensor<16xi1>, tensor<16xf32>
      %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %24 = stablehlo.compare EQ, %23, %18, FLOAT : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1>
      %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %25 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %26 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %27 = stablehlo.select %24, %25, %26 : tensor<16xi1>, tensor<16xf32>
      %28 = stablehlo.divide %22, %27 : tensor<16xf32>
      %29 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
      %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %31 = stablehlo.subtract %10, %30 : tensor<16x8xf32>
      %32 = stablehlo.exponential %31 : tensor<16x8xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %33 = stablehlo.reduce(%32 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %34 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
      %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %36 = stablehlo.divide %32, %35 : tensor<16x8xf32>
      %37 = stablehlo.multiply %34, %34 : tensor<16x1xf32>
      %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %38 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
      %39 = stablehlo.divide %38, %37 : tensor<16x1xf32>
      %40 = func.call @argmax(%36) : (tensor<16x8xf32>) -> tensor<16xi32>
      %cst_14 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %41 = stablehlo.reduce(%36 init: %cst_14) applies stablehlo.maximum across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %42 = stablehlo.reshape %41 : (tensor<16xf32>) -> tensor<16x1xf32>
      %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %44 = stablehlo.compare EQ, %36, %43, FLOAT : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
      %45 = stablehlo.convert %44 : (tensor<16x8xi1>) -> tensor<16x8xf32>
      %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %46 = stablehlo.reduce(%45 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %47 = func.call @_one_hot(%40) : (tensor<16xi32>) -> tensor<16x8xi32>
      %48 = func.call @cumsum(%47) : (tensor<16x8xi32>) -> tensor<16x8xi32>
      %49 = stablehlo.multiply %48, %47 : tensor<16x8xi32>
      %c = stablehlo.constant dense<1> : tensor<i32>
      %50 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x8xi32>
      %51 = stablehlo.subtract %49, %50 : tensor<16x8xi32>
      %c_16 = stablehlo.constant dense<-2147483648> : tensor<i32>
      %52 = stablehlo.reduce(%51 init: %c_16) applies stablehlo.maximum across dimensions = [1] : (tensor<16x8xi32>, tensor<i32>) -> tensor<16xi32>
      %53 = func.call @_one_hot_1(%52) : (tensor<16xi32>) -> tensor<16x4xf32>
      %54 = stablehlo.broadcast_in_dim %53, dims = [0, 2] : (tensor<16x4xf32>) -> tensor<16x1x4xf32>
      %55 = stablehlo.convert %47 : (tensor<16x8xi32>) -> tensor<16x8xf32>
      %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<16x8xf32>) -> tensor<16x8x1xf32>
      %57 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<16x1x4xf32>) -> tensor<16x8x4xf32>
      %58 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<16x8x1xf32>) -> tensor<16x8x4xf32>
      %59 = stablehlo.multiply %57, %58 : tensor<16x8x4xf32>
      %60 = stablehlo.dot_general %59, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8x4xf32>, tensor<16x16xf32>) -> tensor<8x4x16xf32>
      %61 = stablehlo.reshape %60 : (tensor<8x4x16xf32>) -> tensor<4x2x4x16xf32>
      %62 = "stablehlo.all_to_all"(%61) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x4x16xf32>) -> tensor<4x2x4x16xf32>
      %63 = stablehlo.dot_general %arg6, %62, batching_dims = [0] x [1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x16x32xf32>, tensor<4x2x4x16xf32>) -> tensor<2x32x4x4xf32>
      %64 = stablehlo.transpose %63, dims = [2, 0, 3, 1] : (tensor<2x32x4x4xf32>) -> tensor<4x2x4x32xf32>
      %65 = func.call @relu(%64) : (tensor<4x2x4x32xf32>) -> tensor<4x2x4x32xf32>
      %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %66 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x2x4x32xf32>
      %67 = stablehlo.compare GT, %64, %66, FLOAT : (tensor<4x2x4x32xf32>, tensor<4x2x4x32xf32>) -> tensor<4x2x4x32xi1>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %68 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x2x4x32xf32>
      %69 = stablehlo.dot_general %arg7, %65, batching_dims = [0] x [1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x32x16xf32>, tensor<4x2x4x32xf32>) -> tensor<2x16x4x4xf32>
      %70 = stablehlo.transpose %69, dims = [2, 0, 3, 1] : (tensor<2x16x4x4xf32>) -> tensor<4x2x4x16xf32>
      %71 = "stablehlo.all_to_all"(%70) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x4x16xf32>) -> tensor<4x2x4x16xf32>
      %72 = stablehlo.reshape %71 : (tensor<4x2x4x16xf32>) -> tensor<8x4x16xf32>
      %73 = stablehlo.dot_general %59, %72, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x8x4xf32>, tensor<8x4x16xf32>) -> tensor<16x16xf32>
      %74 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
      %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x16xf32>
      %76 = stablehlo.multiply %73, %75 : tensor<16x16xf32>
      sdy.return %32, %34, %39, %45, %46, %62, %67, %68, %65, %59, %74, %73, %76 : tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>, tensor<16x8xf32>, tensor<16xf32>, tensor<4x2x4x16xf32>, tensor<4x2x4x32xi1>, tensor<4x2x4x32xf32>, tensor<4x2x4x32xf32>, tensor<16x8x4xf32>, tensor<16x1xf32>, tensor<16x16xf32>, tensor<16x16xf32>
    } : (tensor<64x16xf32>, tensor<16x8xf32>, tensor<8x16x32xf32>, tensor<8x32x16xf32>) -> (tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x8xf32>, tensor<64xf32>, tensor<16x2x4x16xf32>, tensor<16x2x4x32xi1>, tensor<16x2x4x32xf32>, tensor<16x2x4x32xf32>, tensor<64x8x4xf32>, tensor<64x1xf32>, tensor<64x16xf32>, tensor<64x16xf32>)
    %1 = stablehlo.multiply %0#12, %0#12 : tensor<64x16xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %3 = stablehlo.multiply %2, %0#12 : tensor<64x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %5 = stablehlo.divide %4, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %6 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %8 = stablehlo.multiply %7, %3 : tensor<64x16xf32>
    %9:3 = sdy.manual_computation(%8, %arg0, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %arg3, %0#9, %0#10, %0#11) in_shardings=[<@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}]>, <@mesh, [{"expert"}, {}, {}, {}]>, <@mesh, [{"expert"}, {}, {}, {}]>, <@mesh, [{"expert"}, {}, {}, {}]>, <@mesh, [{"expert"}, {}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>] manual_axes={"expert"} (%arg4: tensor<16x16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<16x8xf32>, %arg7: tensor<16x1xf32>, %arg8: tensor<16x1xf32>, %arg9: tensor<16x8xf32>, %arg10: tensor<16xf32>, %arg11: tensor<4x2x4x16xf32>, %arg12: tensor<4x2x4x32xi1>, %arg13: tensor<4x2x4x32xf32>, %arg14: tensor<4x2x4x32xf32>, %arg15: tensor<2x32x16xf32>, %arg16: tensor<16x8x4xf32>, %arg17: tensor<16x1xf32>, %arg18: tensor<16x16xf32>) {
      %10 = stablehlo.multiply %arg18, %arg4 : tensor<16x16xf32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.reduce(%10 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
      %12 = stablehlo.reshape %11 : (tensor<16xf32>) -> tensor<16x1xf32>
      %13 = stablehlo.broadcast_in_dim %arg17, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x16xf32>
      %14 = stablehlo.multiply %arg4, %13 : tensor<16x16xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %15 = stablehlo.reduce(%12 init: %cst_5) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %16 = stablehlo.dot_general %14, %arg16, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16xf32>, tensor<16x8x4xf32>) -> tensor<16x8x4xf32>
      %17 = stablehlo.transpose %16, dims = [1, 2, 0] : (tensor<16x8x4xf32>) -> tensor<8x4x16xf32>
      %18 = stablehlo.reshape %17 : (tensor<8x4x16xf32>) -> tensor<4x2x4x16xf32>
      %19 = "stablehlo.all_to_all"(%18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x4x16xf32>) -> tensor<4x2x4x16xf32>
      %20 = stablehlo.transpose %19, dims = [1, 3, 0, 2] : (tensor<4x2x4x16xf32>) -> tensor<2x16x4x4xf32>
      %21 = stablehlo.dot_general %20, %arg15, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x4xf32>, tensor<2x32x16xf32>) -> tensor<2x4x4x32xf32>
      %22 = stablehlo.transpose %21, dims = [1, 0, 2, 3] : (tensor<2x4x4x32xf32>) -> tensor<4x2x4x32xf32>
      %23 = stablehlo.dot_general %20, %arg14, batching_dims = [0] x [1], contracting_dims = [2, 3] x [0, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4x4xf32>, tensor<4x2x4x32xf32>) -> tensor<2x16x32xf32>
      %24 = stablehlo.transpose %23, dims = [0, 2, 1] : (tensor<2x16x32xf32>) -> tensor<2x32x16xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x2x4x32xf32>
      %26 = stablehlo.select %arg12, %22, %25 : tensor<4x2x4x32xi1>, tensor<4x2x4x32xf32>
      %27 = stablehlo.transpose %26, dims = [1, 3, 0, 2] : (tensor<4x2x4x32xf32>) -> tensor<2x32x4x4xf32>
      %28 = stablehlo.dot_general %27, %arg11, batching_dims = [0] x [1], contracting_dims = [2, 3] x [0, 2], precision = [DEFAULT, DEFAULT] : (tensor<2x32x4x4xf32>, tensor<4x2x4x16xf32>) -> tensor<2x32x16xf32>
      %29 = stablehlo.transpose %28, dims = [0, 2, 1] : (tensor<2x32x16xf32>) -> tensor<2x16x32xf32>
      %30 = stablehlo.divide %15, %arg10 : tensor<16xf32>
      %31 = stablehlo.broadcast_in_dim %30, dims = [0] : (tensor<16xf32>) -> tensor<16x8xf32>
      %32 = stablehlo.multiply %31, %arg9 : tensor<16x8xf32>
      %33 = stablehlo.broadcast_in_dim %arg8, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %34 = stablehlo.multiply %32, %33 : tensor<16x8xf32>
      %35 = stablehlo.multiply %34, %arg6 : tensor<16x8xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %36 = stablehlo.reduce(%35 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
      %37 = stablehlo.reshape %36 : (tensor<16xf32>) -> tensor<16x1xf32>
      %38 = stablehlo.negate %37 : tensor<16x1xf32>
      %39 = stablehlo.broadcast_in_dim %arg7, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x8xf32>
      %40 = stablehlo.divide %32, %39 : tensor<16x8xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %41 = stablehlo.reduce(%38 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<16x1xf32>, tensor<f32>) -> tensor<16xf32>
      %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<16xf32>) -> tensor<16x8xf32>
      %43 = stablehlo.add %40, %42 : tensor<16x8xf32>
      %44 = stablehlo.multiply %43, %arg6 : tensor<16x8xf32>
      %45 = stablehlo.dot_general %44, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %46 = stablehlo.transpose %45, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
      %47 = "stablehlo.all_reduce"(%46) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
        %48 = stablehlo.add %arg19, %arg20 : tensor<f32>
        stablehlo.return %48 : tensor<f32>
      }) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      sdy.return %47, %29, %24 : tensor<16x8xf32>, tensor<2x16x32xf32>, tensor<2x32x16xf32>
    } : (tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x8xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x8xf32>, tensor<64xf32>, tensor<16x2x4x16xf32>, tensor<16x2x4x32xi1>, tensor<16x2x4x32xf32>, tensor<16x2x4x32xf32>, tensor<8x32x16xf32>, tensor<64x8x4xf32>, tensor<64x1xf32>, tensor<64x16xf32>) -> (tensor<16x8xf32>, tensor<8x16x32xf32>, tensor<8x32x16xf32>)
    return %5, %9#0, %9#1, %9#2 : tensor<f32>, tensor<16x8xf32>, tensor<8x16x32xf32>, tensor<8x32x16xf32>
  }
  func.func private @argmax(%arg0: tensor<16x8xf32>) -> tensor<16xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<16x8xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<16x8xf32>, tensor<16x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<16xf32>, tensor<16xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<16xi32>
  }
  func.func private @_one_hot(%arg0: tensor<16xi32>) -> tensor<16x8xi32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x8xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x8xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<16x8xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
    %5 = stablehlo.convert %4 : (tensor<16x8xi1>) -> tensor<16x8xi32>
    return %5 : tensor<16x8xi32>
  }
  func.func private @cumsum(%arg0: tensor<16x8xi32>) -> tensor<16x8xi32> {
    %0 = call @cumsum_0(%arg0) : (tensor<16x8xi32>) -> tensor<16x8xi32>
    return %0 : tensor<16x8xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<16x8xi32>) -> tensor<16x8xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[15, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 16, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<16x8xi32>, tensor<i32>) -> tensor<16x8xi32>
    return %1 : tensor<16x8xi32>
  }
  func.func private @_one_hot_1(%arg0: tensor<16xi32>) -> tensor<16x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<16x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<16x4xi32>, tensor<16x4xi32>) -> tensor<16x4xi1>
    %5 = stablehlo.convert %4 : (tensor<16x4xi1>) -> tensor<16x4xf32>
    return %5 : tensor<16x4xf32>
  }
  func.func private @relu(%arg0: tensor<4x2x4x32xf32>) -> tensor<4x2x4x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x4x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x2x4x32xf32>
    return %1 : tensor<4x2x4x32xf32>
  }
}
