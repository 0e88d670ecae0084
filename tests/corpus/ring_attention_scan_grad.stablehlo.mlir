module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["seq"=4]> {stablehlo.mesh = {axes = [{name = "seq", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<2x32x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"seq"}, {}, {}]>}, %arg1: tensor<2x32x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"seq"}, {}, {}]>}, %arg2: tensor<2x32x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"seq"}, {}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<2x32x2x8xf32> {jax.result_info = "result[1][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"seq"}, {}, {}]>}, tensor<2x32x2x8xf32> {jax.result_info = "result[1][1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"seq"}, {}, {}]>}, tensor<2x32x2x8xf32> {jax.result_info = "result[1][2]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"seq"}, {}, {}]>}) {
    %0:17 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {"seq"}, {}, {}]>, <@mesh, [{}, {"seq"}, {}, {}]>, <@mesh, [{}, {"seq"}, {}, {}]>] out_shardings=[<@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{}, {"seq"}, {}, {}]>] manual_axes={"seq"} (%arg3: tensor<2x8x2x8xf32>, %arg4: tensor<2x8x2x8xf32>, %arg5: tensor<2x8x2x8xf32>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_4 = stablehlo.constant dense<4> : tensor<ui32>
      %10 = stablehlo.partition_id : tensor<ui32>
      %11 = stablehlo.divide %10, %c : tensor<ui32>
      %12 = stablehlo.remainder %11, %c_4 : tensor<ui32>
      %13 = stablehlo.convert %12 : (tensor<ui32>) -> tensor<i32>
      %cst_5 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %16 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x8x2x8xf32>
      %17 = stablehlo.iota dim = 0 : tensor<4xi32>
      %c_8 = stablehlo.constant dense<4> : tensor<i32>
      %18:2 = func.call @remainder(%c_8) : (tensor<i32>) -> (tensor<i32>, tensor<i1>)
      %c_9 = stablehlo.constant dense<8> : tensor<i32>
      %19 = stablehlo.multiply %13, %c_9 : tensor<i32>
      %20 = stablehlo.iota dim = 0 : tensor<8xi32>
      %21 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<i32>) -> tensor<8xi32>
      %22 = stablehlo.add %21, %20 : tensor<8xi32>
      %23 = stablehlo.iota dim = 0 : tensor<8xi32>
      %24 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
      %cst_10 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
      %25:2 = func.call @_where_0(%cst_10) : (tensor<f32>) -> (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>)
      %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %26 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %27 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %28 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %29 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %30 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %31 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %32 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %34 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x2x8x2x8xf32>
      %c_20 = stablehlo.constant dense<false> : tensor<i1>
      %35 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i1>) -> tensor<4x2x2x8x8xi1>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %36 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x2x2x8x8xf32>
      %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %37 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
      %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %38 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
      %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %39 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
      %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %40 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x2x2x8x8xf32>
      %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %41 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
      %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %42 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x2x2x8xf32>
      %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %43 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x2x8x2x1xf32>
      %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %44 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x2x8x2x8xf32>
      %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %45 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x2x8x2x8xf32>
      %c_31 = stablehlo.constant dense<0> : tensor<i32>
      %46:34 = stablehlo.while(%iterArg = %17, %iterArg_33 = %24, %iterArg_34 = %13, %iterArg_35 = %18#0, %iterArg_36 = %18#1, %iterArg_37 = %23, %iterArg_38 = %arg3, %iterArg_39 = %25#1, %iterArg_40 = %27, %iterArg_41 = %26, %iterArg_42 = %29, %iterArg_43 = %28, %iterArg_44 = %31, %iterArg_45 = %30, %iterArg_46 = %33, %iterArg_47 = %32, %iterArg_48 = %c_31, %iterArg_49 = %arg4, %iterArg_50 = %arg5, %iterArg_51 = %14, %iterArg_52 = %15, %iterArg_53 = %16, %iterArg_54 = %34, %iterArg_55 = %35, %iterArg_56 = %36, %iterArg_57 = %37, %iterArg_58 = %38, %iterArg_59 = %39, %iterArg_60 = %40, %iterArg_61 = %41, %iterArg_62 = %42, %iterArg_63 = %43, %iterArg_64 = %44, %iterArg_65 = %45) : tensor<4xi32>, tensor<8x1xi32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<8xi32>, tensor<2x8x2x8xf32>, tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<i32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>, tensor<4x2x8x2x8xf32>, tensor<4x2x2x8x8xi1>, tensor<4x2x2x8x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x8x2x1xf32>, tensor<4x2x8x2x8xf32>, tensor<4x2x8x2x8xf32>
      cond {
        %c_66 = stablehlo.constant dense<4> : tensor<i32>
        %54 = stablehlo.compare LT, %iterArg_48, %c_66, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %54 : tensor<i1>
      } do {
        %54 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_48) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
        %55:17 = func.call @closed_call(%iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_49, %iterArg_50, %iterArg_51, %iterArg_52, %iterArg_53, %54) : (tensor<8x1xi32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<8xi32>, tensor<2x8x2x8xf32>, tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>, tensor<i32>) -> (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x1xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>)
        %56 = func.call @dynamic_update_index_in_dim(%iterArg_54, %55#5, %iterArg_48) : (tensor<4x2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<i32>) -> tensor<4x2x8x2x8xf32>
        %57 = func.call @dynamic_update_index_in_dim_3(%iterArg_55, %55#6, %iterArg_48) : (tensor<4x2x2x8x8xi1>, tensor<2x2x8x8xi1>, tensor<i32>) -> tensor<4x2x2x8x8xi1>
        %58 = func.call @dynamic_update_index_in_dim_4(%iterArg_56, %55#7, %iterArg_48) : (tensor<4x2x2x8x8xf32>, tensor<2x2x8x8xf32>, tensor<i32>) -> tensor<4x2x2x8x8xf32>
        %59 = func.call @dynamic_update_index_in_dim_5(%iterArg_57, %55#8, %iterArg_48) : (tensor<4x2x2x8xf32>, tensor<2x2x8xf32>, tensor<i32>) -> tensor<4x2x2x8xf32>
        %60 = func.call @dynamic_update_index_in_dim_5(%iterArg_58, %55#9, %iterArg_48) : (tensor<4x2x2x8xf32>, tensor<2x2x8xf32>, tensor<i32>) -> tensor<4x2x2x8xf32>
        %61 = func.call @dynamic_update_index_in_dim_5(%iterArg_59, %55#10, %iterArg_48) : (tensor<4x2x2x8xf32>, tensor<2x2x8xf32>, tensor<i32>) -> tensor<4x2x2x8xf32>
        %62 = func.call @dynamic_update_index_in_dim_4(%iterArg_60, %55#11, %iterArg_48) : (tensor<4x2x2x8x8xf32>, tensor<2x2x8x8xf32>, tensor<i32>) -> tensor<4x2x2x8x8xf32>
        %63 = func.call @dynamic_update_index_in_dim_5(%iterArg_61, %55#12, %iterArg_48) : (tensor<4x2x2x8xf32>, tensor<2x2x8xf32>, tensor<i32>) -> tensor<4x2x2x8xf32>
        %64 = func.call @dynamic_update_index_in_dim_5(%iterArg_62, %55#13, %iterArg_48) : (tensor<4x2x2x8xf32>, tensor<2x2x8xf32>, tensor<i32>) -> tensor<4x2x2x8xf32>
        %65 = func.call @dynamic_update_index_in_dim_6(%iterArg_63, %55#14, %iterArg_48) : (tensor<4x2x8x2x1xf32>, tensor<2x8x2x1xf32>, tensor<i32>) -> tensor<4x2x8x2x1xf32>
        %66 = func.call @dynamic_update_index_in_dim(%iterArg_64, %55#15, %iterArg_48) : (tensor<4x2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<i32>) -> tensor<4x2x8x2x8xf32>
        %67 = func.call @dynamic_update_index_in_dim(%iterArg_65, %55#16, %iterArg_48) : (tensor<4x2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<i32>) -> tensor<4x2x8x2x8xf32>
        %c_66 = stablehlo.constant dense<1> : tensor<i32>
        %68 = stablehlo.add %iterArg_48, %c_66 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %68, %55#0, %55#1, %55#2, %55#3, %55#4, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67 : tensor<4xi32>, tensor<8x1xi32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<8xi32>, tensor<2x8x2x8xf32>, tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<i32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>, tensor<4x2x8x2x8xf32>, tensor<4x2x2x8x8xi1>, tensor<4x2x2x8x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x8x2x1xf32>, tensor<4x2x8x2x8xf32>, tensor<4x2x8x2x8xf32>
      }
      %47 = stablehlo.transpose %46#20, dims = [0, 2, 1] : (tensor<2x2x8xf32>) -> tensor<2x8x2xf32>
      %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<2x8x2xf32>) -> tensor<2x8x2x1xf32>
      %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<2x8x2x1xf32>) -> tensor<2x8x2x8xf32>
      %50 = stablehlo.divide %46#21, %49 : tensor<2x8x2x8xf32>
      %51 = stablehlo.multiply %48, %48 : tensor<2x8x2x1xf32>
      %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %52 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x8x2x1xf32>
      %53 = stablehlo.divide %52, %51 : tensor<2x8x2x1xf32>
      sdy.return %25#0, %46#22, %46#23, %46#24, %46#25, %46#26, %46#27, %46#28, %46#29, %46#30, %46#31, %46#32, %46#33, %48, %46#21, %53, %50 : tensor<2x2x8x8xf32>, tensor<4x2x8x2x8xf32>, tensor<4x2x2x8x8xi1>, tensor<4x2x2x8x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x8x2x1xf32>, tensor<4x2x8x2x8xf32>, tensor<4x2x8x2x8xf32>, tensor<2x8x2x1xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x1xf32>, tensor<2x8x2x8xf32>
    } : (tensor<2x32x2x8xf32>, tensor<2x32x2x8xf32>, tensor<2x32x2x8xf32>) -> (tensor<8x2x8x8xf32>, tensor<16x2x8x2x8xf32>, tensor<16x2x2x8x8xi1>, tensor<16x2x2x8x8xf32>, tensor<16x2x2x8xf32>, tensor<16x2x2x8xf32>, tensor<16x2x2x8xf32>, tensor<16x2x2x8x8xf32>, tensor<16x2x2x8xf32>, tensor<16x2x2x8xf32>, tensor<16x2x8x2x1xf32>, tensor<16x2x8x2x8xf32>, tensor<16x2x8x2x8xf32>, tensor<8x8x2x1xf32>, tensor<8x8x2x8xf32>, tensor<8x8x2x1xf32>, tensor<2x32x2x8xf32>)
    %1 = stablehlo.multiply %0#16, %0#16 : tensor<2x32x2x8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x32x2x8xf32>
    %3 = stablehlo.multiply %2, %0#16 : tensor<2x32x2x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x32x2x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %5 = stablehlo.divide %4, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %6 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<2x32x2x8xf32>
    %8 = stablehlo.multiply %7, %3 : tensor<2x32x2x8xf32>
    %9:3 = sdy.manual_computation(%8, %arg0, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#11, %0#12, %0#13, %0#14, %0#15) in_shardings=[<@mesh, [{}, {"seq"}, {}, {}]>, <@mesh, [{}, {"seq"}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>, <@mesh, [{"seq"}, {}, {}, {}]>] out_shardings=[<@mesh, [{}, {"seq"}, {}, {}]>, <@mesh, [{}, {"seq"}, {}, {}]>, <@mesh, [{}, {"seq"}, {}, {}]>] manual_axes={"seq"} (%arg3: tensor<2x8x2x8xf32>, %arg4: tensor<2x8x2x8xf32>, %arg5: tensor<2x2x8x8xf32>, %arg6: tensor<4x2x8x2x8xf32>, %arg7: tensor<4x2x2x8x8xi1>, %arg8: tensor<4x2x2x8x8xf32>, %arg9: tensor<4x2x2x8xf32>, %arg10: tensor<4x2x2x8xf32>, %arg11: tensor<4x2x2x8xf32>, %arg12: tensor<4x2x2x8x8xf32>, %arg13: tensor<4x2x2x8xf32>, %arg14: tensor<4x2x2x8xf32>, %arg15: tensor<4x2x8x2x1xf32>, %arg16: tensor<4x2x8x2x8xf32>, %arg17: tensor<4x2x8x2x8xf32>, %arg18: tensor<2x8x2x1xf32>, %arg19: tensor<2x8x2x8xf32>, %arg20: tensor<2x8x2x1xf32>) {
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x8x2x8xf32>
      %13 = stablehlo.broadcast_in_dim %arg20, dims = [0, 1, 2, 3] : (tensor<2x8x2x1xf32>) -> tensor<2x8x2x8xf32>
      %14 = stablehlo.multiply %arg3, %13 : tensor<2x8x2x8xf32>
      %15 = stablehlo.multiply %14, %arg19 : tensor<2x8x2x8xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %16 = stablehlo.reduce(%15 init: %cst_7) applies stablehlo.add across dimensions = [3] : (tensor<2x8x2x8xf32>, tensor<f32>) -> tensor<2x8x2xf32>
      %17 = stablehlo.reshape %16 : (tensor<2x8x2xf32>) -> tensor<2x8x2x1xf32>
      %18 = stablehlo.negate %17 : tensor<2x8x2x1xf32>
      %19 = stablehlo.broadcast_in_dim %arg18, dims = [0, 1, 2, 3] : (tensor<2x8x2x1xf32>) -> tensor<2x8x2x8xf32>
      %20 = stablehlo.divide %arg3, %19 : tensor<2x8x2x8xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %21 = stablehlo.reduce(%18 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x8x2x1xf32>, tensor<f32>) -> tensor<2x8x2xf32>
      %22 = stablehlo.transpose %21, dims = [0, 2, 1] : (tensor<2x8x2xf32>) -> tensor<2x2x8xf32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x8x2x8xf32>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %24 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x8x2x8xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %25 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x2x8xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %26 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x8x2x8xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %27:21 = stablehlo.while(%iterArg = %arg6, %iterArg_13 = %arg7, %iterArg_14 = %arg8, %iterArg_15 = %arg9, %iterArg_16 = %arg10, %iterArg_17 = %arg11, %iterArg_18 = %arg12, %iterArg_19 = %arg13, %iterArg_20 = %arg14, %iterArg_21 = %arg15, %iterArg_22 = %arg16, %iterArg_23 = %arg17, %iterArg_24 = %arg4, %iterArg_25 = %arg5, %iterArg_26 = %c, %iterArg_27 = %26, %iterArg_28 = %23, %iterArg_29 = %24, %iterArg_30 = %25, %iterArg_31 = %22, %iterArg_32 = %20) : tensor<4x2x8x2x8xf32>, tensor<4x2x2x8x8xi1>, tensor<4x2x2x8x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x8x2x1xf32>, tensor<4x2x8x2x8xf32>, tensor<4x2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8x8xf32>, tensor<i32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>
      cond {
        %c_33 = stablehlo.constant dense<4> : tensor<i32>
        %28 = stablehlo.compare LT, %iterArg_26, %c_33, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %28 : tensor<i1>
      } do {
        %c_33 = stablehlo.constant dense<4> : tensor<i32>
        %28 = stablehlo.subtract %c_33, %iterArg_26 : tensor<i32>
        %c_34 = stablehlo.constant dense<1> : tensor<i32>
        %29 = stablehlo.subtract %28, %c_34 : tensor<i32>
        %30 = func.call @dynamic_index_in_dim_7(%iterArg, %29) : (tensor<4x2x8x2x8xf32>, tensor<i32>) -> tensor<2x8x2x8xf32>
        %31 = func.call @dynamic_index_in_dim_8(%iterArg_13, %29) : (tensor<4x2x2x8x8xi1>, tensor<i32>) -> tensor<2x2x8x8xi1>
        %32 = func.call @dynamic_index_in_dim_9(%iterArg_14, %29) : (tensor<4x2x2x8x8xf32>, tensor<i32>) -> tensor<2x2x8x8xf32>
        %33 = func.call @dynamic_index_in_dim_10(%iterArg_15, %29) : (tensor<4x2x2x8xf32>, tensor<i32>) -> tensor<2x2x8xf32>
        %34 = func.call @dynamic_index_in_dim_10(%iterArg_16, %29) : (tensor<4x2x2x8xf32>, tensor<i32>) -> tensor<2x2x8xf32>
        %35 = func.call @dynamic_index_in_dim_10(%iterArg_17, %29) : (tensor<4x2x2x8xf32>, tensor<i32>) -> tensor<2x2x8xf32>
        %36 = func.call @dynamic_index_in_dim_9(%iterArg_18, %29) : (tensor<4x2x2x8x8xf32>, tensor<i32>) -> tensor<2x2x8x8xf32>
        %37 = func.call @dynamic_index_in_dim_10(%iterArg_19, %29) : (tensor<4x2x2x8xf32>, tensor<i32>) -> tensor<2x2x8xf32>
        %38 = func.call @dynamic_index_in_dim_10(%iterArg_20, %29) : (tensor<4x2x2x8xf32>, tensor<i32>) -> tensor<2x2x8xf32>
        %39 = func.call @dynamic_index_in_dim_11(%iterArg_21, %29) : (tensor<4x2x8x2x1xf32>, tensor<i32>) -> tensor<2x8x2x1xf32>
        %40 = func.call @dynamic_index_in_dim_7(%iterArg_22, %29) : (tensor<4x2x8x2x8xf32>, tensor<i32>) -> tensor<2x8x2x8xf32>
        %41 = func.call @dynamic_index_in_dim_7(%iterArg_23, %29) : (tensor<4x2x8x2x8xf32>, tensor<i32>) -> tensor<2x8x2x8xf32>
        %42:6 = func.call @closed_call_12(%iterArg_24, %iterArg_25, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41) : (tensor<2x8x2x8xf32>, tensor<2x2x8x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x1xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) -> (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>)
        %c_35 = stablehlo.constant dense<1> : tensor<i32>
        %43 = stablehlo.add %iterArg_26, %c_35 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %43, %42#0, %42#1, %42#2, %42#3, %42#4, %42#5 : tensor<4x2x8x2x8xf32>, tensor<4x2x2x8x8xi1>, tensor<4x2x2x8x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x2x8xf32>, tensor<4x2x8x2x1xf32>, tensor<4x2x8x2x8xf32>, tensor<4x2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8x8xf32>, tensor<i32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>
      }
      sdy.return %27#15, %27#16, %27#17 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>
    } : (tensor<2x32x2x8xf32>, tensor<2x32x2x8xf32>, tensor<8x2x8x8xf32>, tensor<16x2x8x2x8xf32>, tensor<16x2x2x8x8xi1>, tensor<16x2x2x8x8xf32>, tensor<16x2x2x8xf32>, tensor<16x2x2x8xf32>, tensor<16x2x2x8xf32>, tensor<16x2x2x8x8xf32>, tensor<16x2x2x8xf32>, tensor<16x2x2x8xf32>, tensor<16x2x8x2x1xf32>, tensor<16x2x8x2x8xf32>, tensor<16x2x8x2x8xf32>, tensor<8x8x2x1xf32>, tensor<8x8x2x8xf32>, tensor<8x8x2x1xf32>) -> (tensor<2x32x2x8xf32>, tensor<2x32x2x8xf32>, tensor<2x32x2x8xf32>)
    return %5, %9#0, %9#1, %9#2 : tensor<f32>, tensor<2x32x2x8xf32>, tensor<2x32x2x8xf32>, tensor<2x32x2x8xf32>
  }
  func.func private @remainder(%arg0: tensor<i32>) -> (tensor<i32>, tensor<i1>) {
    %0 = stablehlo.convert %arg0 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.compare LT, %2, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    return %2, %3 : tensor<i32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<f32>) -> (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) {
    %0 = stablehlo.convert %arg0 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    return %2, %1 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<8x1xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i1>, %arg4: tensor<8xi32>, %arg5: tensor<2x8x2x8xf32>, %arg6: tensor<2x2x8x8xf32>, %arg7: tensor<2x2x8xf32>, %arg8: tensor<2x2x8xf32>, %arg9: tensor<2x2x8xf32>, %arg10: tensor<2x2x8xf32>, %arg11: tensor<2x2x8xf32>, %arg12: tensor<2x2x8xf32>, %arg13: tensor<2x2x8xf32>, %arg14: tensor<2x2x8xf32>, %arg15: tensor<2x8x2x8xf32>, %arg16: tensor<2x8x2x8xf32>, %arg17: tensor<2x2x8xf32>, %arg18: tensor<2x2x8xf32>, %arg19: tensor<2x8x2x8xf32>, %arg20: tensor<i32>) -> (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x1xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg15, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x2x8x8xf32>
    %3 = stablehlo.subtract %arg1, %arg20 : tensor<i32>
    %4 = call @remainder_1(%3, %arg2, %arg3) : (tensor<i32>, tensor<i32>, tensor<i1>) -> tensor<i32>
    %c = stablehlo.constant dense<8> : tensor<i32>
    %5 = stablehlo.multiply %4, %c : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %7 = stablehlo.add %6, %arg4 : tensor<8xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<8xi32>) -> tensor<1x8xi32>
    %9 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %11 = stablehlo.compare GE, %9, %10, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %12:2 = call @_where_2(%11, %2, %arg6) : (tensor<8x8xi1>, tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> (tensor<2x2x8x8xf32>, tensor<2x2x8x8xi1>)
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12#0 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %14 = stablehlo.reshape %13 : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %16 = stablehlo.compare EQ, %12#0, %15, FLOAT : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xi1>
    %17 = stablehlo.convert %16 : (tensor<2x2x8x8xi1>) -> tensor<2x2x8x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %19 = stablehlo.maximum %arg17, %13 : tensor<2x2x8xf32>
    %20 = stablehlo.compare EQ, %arg17, %19, FLOAT : (tensor<2x2x8xf32>, tensor<2x2x8xf32>) -> tensor<2x2x8xi1>
    %21 = stablehlo.select %20, %arg8, %arg7 : tensor<2x2x8xi1>, tensor<2x2x8xf32>
    %22 = stablehlo.compare EQ, %13, %19, FLOAT : (tensor<2x2x8xf32>, tensor<2x2x8xf32>) -> tensor<2x2x8xi1>
    %23 = stablehlo.select %22, %arg10, %arg9 : tensor<2x2x8xi1>, tensor<2x2x8xf32>
    %24 = stablehlo.divide %21, %23 : tensor<2x2x8xf32>
    %25 = stablehlo.compare EQ, %13, %19, FLOAT : (tensor<2x2x8xf32>, tensor<2x2x8xf32>) -> tensor<2x2x8xi1>
    %26 = stablehlo.select %25, %arg12, %arg11 : tensor<2x2x8xi1>, tensor<2x2x8xf32>
    %27 = stablehlo.compare EQ, %arg17, %19, FLOAT : (tensor<2x2x8xf32>, tensor<2x2x8xf32>) -> tensor<2x2x8xi1>
    %28 = stablehlo.select %27, %arg14, %arg13 : tensor<2x2x8xi1>, tensor<2x2x8xf32>
    %29 = stablehlo.divide %26, %28 : tensor<2x2x8xf32>
    %30 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %32 = stablehlo.subtract %12#0, %31 : tensor<2x2x8x8xf32>
    %33 = stablehlo.exponential %32 : tensor<2x2x8x8xf32>
    %34 = stablehlo.subtract %arg17, %19 : tensor<2x2x8xf32>
    %35 = stablehlo.exponential %34 : tensor<2x2x8xf32>
    %36 = stablehlo.multiply %arg18, %35 : tensor<2x2x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%33 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %38 = stablehlo.add %36, %37 : tensor<2x2x8xf32>
    %39 = stablehlo.transpose %35, dims = [0, 2, 1] : (tensor<2x2x8xf32>) -> tensor<2x8x2xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<2x8x2xf32>) -> tensor<2x8x2x1xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<2x8x2x1xf32>) -> tensor<2x8x2x8xf32>
    %42 = stablehlo.multiply %arg19, %41 : tensor<2x8x2x8xf32>
    %43 = stablehlo.dot_general %arg16, %33, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x8x2x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %44 = stablehlo.transpose %43, dims = [0, 3, 1, 2] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %45 = stablehlo.add %42, %44 : tensor<2x8x2x8xf32>
    %46 = "stablehlo.collective_permute"(%arg15) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    %47 = "stablehlo.collective_permute"(%arg16) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    return %46, %47, %19, %38, %45, %arg15, %12#1, %17, %18, %24, %29, %33, %35, %arg18, %40, %arg19, %arg16 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x1xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>
  }
  func.func private @remainder_1(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i1>) -> tensor<i32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare NE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.compare LT, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %2, %arg2, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %4 = stablehlo.and %3, %1 : tensor<i1>
    %5 = stablehlo.add %0, %arg1 : tensor<i32>
    %6 = stablehlo.select %4, %5, %0 : tensor<i1>, tensor<i32>
    return %6 : tensor<i32>
  }
  func.func private @_where_2(%arg0: tensor<8x8xi1>, %arg1: tensor<2x2x8x8xf32>, %arg2: tensor<2x2x8x8xf32>) -> (tensor<2x2x8x8xf32>, tensor<2x2x8x8xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<2x2x8x8xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>
    return %1, %0 : tensor<2x2x8x8xf32>, tensor<2x2x8x8xi1>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x2x8x2x8xf32>, %arg1: tensor<2x8x2x8xf32>, %arg2: tensor<i32>) -> tensor<4x2x8x2x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x8x2x8xf32>) -> tensor<1x2x8x2x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<4x2x8x2x8xf32>, tensor<1x2x8x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x8x2x8xf32>
    return %1 : tensor<4x2x8x2x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<4x2x2x8x8xi1>, %arg1: tensor<2x2x8x8xi1>, %arg2: tensor<i32>) -> tensor<4x2x2x8x8xi1> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x2x8x8xi1>) -> tensor<1x2x2x8x8xi1>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<4x2x2x8x8xi1>, tensor<1x2x2x8x8xi1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x2x8x8xi1>
    return %1 : tensor<4x2x2x8x8xi1>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<4x2x2x8x8xf32>, %arg1: tensor<2x2x8x8xf32>, %arg2: tensor<i32>) -> tensor<4x2x2x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x2x8x8xf32>) -> tensor<1x2x2x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<4x2x2x8x8xf32>, tensor<1x2x2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x2x8x8xf32>
    return %1 : tensor<4x2x2x8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<4x2x2x8xf32>, %arg1: tensor<2x2x8xf32>, %arg2: tensor<i32>) -> tensor<4x2x2x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<4x2x2x8xf32>, tensor<1x2x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x2x8xf32>
    return %1 : tensor<4x2x2x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<4x2x8x2x1xf32>, %arg1: tensor<2x8x2x1xf32>, %arg2: tensor<i32>) -> tensor<4x2x8x2x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<2x8x2x1xf32>) -> tensor<1x2x8x2x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<4x2x8x2x1xf32>, tensor<1x2x8x2x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x2x8x2x1xf32>
    return %1 : tensor<4x2x8x2x1xf32>
  }
  func.func private @dynamic_index_in_dim_7(%arg0: tensor<4x2x8x2x8xf32>, %arg1: tensor<i32>) -> tensor<2x8x2x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 8, 2, 8] : (tensor<4x2x8x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8x2x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    return %1 : tensor<2x8x2x8xf32>
  }
  func.func private @dynamic_index_in_dim_8(%arg0: tensor<4x2x2x8x8xi1>, %arg1: tensor<i32>) -> tensor<2x2x8x8xi1> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 2, 8, 8] : (tensor<4x2x2x8x8xi1>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x8x8xi1>
    %1 = stablehlo.reshape %0 : (tensor<1x2x2x8x8xi1>) -> tensor<2x2x8x8xi1>
    return %1 : tensor<2x2x8x8xi1>
  }
  func.func private @dynamic_index_in_dim_9(%arg0: tensor<4x2x2x8x8xf32>, %arg1: tensor<i32>) -> tensor<2x2x8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 2, 8, 8] : (tensor<4x2x2x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    return %1 : tensor<2x2x8x8xf32>
  }
  func.func private @dynamic_index_in_dim_10(%arg0: tensor<4x2x2x8xf32>, %arg1: tensor<i32>) -> tensor<2x2x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 2, 8] : (tensor<4x2x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x2x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x2x8xf32>) -> tensor<2x2x8xf32>
    return %1 : tensor<2x2x8xf32>
  }
  func.func private @dynamic_index_in_dim_11(%arg0: tensor<4x2x8x2x1xf32>, %arg1: tensor<i32>) -> tensor<2x8x2x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 2, 8, 2, 1] : (tensor<4x2x8x2x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x8x2x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x8x2x1xf32>) -> tensor<2x8x2x1xf32>
    return %1 : tensor<2x8x2x1xf32>
  }
  func.func private @closed_call_12(%arg0: tensor<2x8x2x8xf32>, %arg1: tensor<2x2x8x8xf32>, %arg2: tensor<2x8x2x8xf32>, %arg3: tensor<2x8x2x8xf32>, %arg4: tensor<2x8x2x8xf32>, %arg5: tensor<2x2x8xf32>, %arg6: tensor<2x2x8xf32>, %arg7: tensor<2x8x2x8xf32>, %arg8: tensor<2x8x2x8xf32>, %arg9: tensor<2x2x8x8xi1>, %arg10: tensor<2x2x8x8xf32>, %arg11: tensor<2x2x8xf32>, %arg12: tensor<2x2x8xf32>, %arg13: tensor<2x2x8xf32>, %arg14: tensor<2x2x8x8xf32>, %arg15: tensor<2x2x8xf32>, %arg16: tensor<2x2x8xf32>, %arg17: tensor<2x8x2x1xf32>, %arg18: tensor<2x8x2x8xf32>, %arg19: tensor<2x8x2x8xf32>) -> (tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>) {
    %0 = "stablehlo.collective_permute"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [2, 1], [3, 2], [0, 3]]> : tensor<4x2xi64>}> : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    %1 = "stablehlo.collective_permute"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [2, 1], [3, 2], [0, 3]]> : tensor<4x2xi64>}> : (tensor<2x8x2x8xf32>) -> tensor<2x8x2x8xf32>
    %2 = stablehlo.transpose %arg7, dims = [0, 2, 3, 1] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %3 = stablehlo.dot_general %2, %arg19, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %4 = stablehlo.dot_general %2, %arg14, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %5 = stablehlo.transpose %4, dims = [0, 3, 1, 2] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %6 = stablehlo.add %0, %5 : tensor<2x8x2x8xf32>
    %7 = stablehlo.multiply %arg18, %arg7 : tensor<2x8x2x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x8x2x8xf32>, tensor<f32>) -> tensor<2x8x2xf32>
    %9 = stablehlo.reshape %8 : (tensor<2x8x2xf32>) -> tensor<2x8x2x1xf32>
    %10 = stablehlo.broadcast_in_dim %arg17, dims = [0, 1, 2, 3] : (tensor<2x8x2x1xf32>) -> tensor<2x8x2x8xf32>
    %11 = stablehlo.multiply %arg7, %10 : tensor<2x8x2x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x8x2x1xf32>, tensor<f32>) -> tensor<2x8x2xf32>
    %13 = stablehlo.transpose %12, dims = [0, 2, 1] : (tensor<2x8x2xf32>) -> tensor<2x2x8xf32>
    %14 = stablehlo.broadcast_in_dim %arg6, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x8xf32>
    %15 = stablehlo.add %3, %14 : tensor<2x2x8x8xf32>
    %16 = stablehlo.multiply %arg16, %arg6 : tensor<2x2x8xf32>
    %17 = stablehlo.add %13, %16 : tensor<2x2x8xf32>
    %18 = stablehlo.multiply %arg6, %arg15 : tensor<2x2x8xf32>
    %19 = stablehlo.multiply %17, %arg15 : tensor<2x2x8xf32>
    %20 = stablehlo.negate %19 : tensor<2x2x8xf32>
    %21 = stablehlo.add %arg5, %20 : tensor<2x2x8xf32>
    %22 = stablehlo.multiply %15, %arg14 : tensor<2x2x8x8xf32>
    %23 = stablehlo.negate %22 : tensor<2x2x8x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x1xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %27 = stablehlo.add %21, %26 : tensor<2x2x8xf32>
    %28 = stablehlo.multiply %27, %arg13 : tensor<2x2x8xf32>
    %29 = stablehlo.multiply %27, %arg12 : tensor<2x2x8xf32>
    %30 = stablehlo.add %19, %29 : tensor<2x2x8xf32>
    %31 = stablehlo.divide %28, %arg11 : tensor<2x2x8xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x8xf32>
    %33 = stablehlo.multiply %32, %arg10 : tensor<2x2x8x8xf32>
    %34 = stablehlo.add %22, %33 : tensor<2x2x8x8xf32>
    %35 = call @_where_13(%arg9, %arg1, %34) : (tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %cst_3 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<2x2x8x8xf32>
    %38 = stablehlo.dot_general %37, %arg0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %39 = stablehlo.transpose %38, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %40 = stablehlo.add %1, %39 : tensor<2x8x2x8xf32>
    %41 = stablehlo.dot_general %37, %arg8, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %42 = stablehlo.transpose %41, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %43 = stablehlo.add %arg2, %42 : tensor<2x8x2x8xf32>
    return %43, %40, %6, %30, %18, %11 : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x8x2x8xf32>
  }
  func.func private @_where_13(%arg0: tensor<2x2x8x8xi1>, %arg1: tensor<2x2x8x8xf32>, %arg2: tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>
    return %1 : tensor<2x2x8x8xf32>
  }
}
