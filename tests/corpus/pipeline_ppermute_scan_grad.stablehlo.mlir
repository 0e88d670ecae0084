module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["stage"=4]> {stablehlo.mesh = {axes = [{name = "stage", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"stage"}, {}, {}]>}, %arg1: tensor<6x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<4x16x16xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"stage"}, {}, {}]>}) {
    %0:12 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"stage"}, {}, {}]>, <@mesh, [{}, {}, {}]>] out_shardings=[<@mesh, [{"stage"}]>, <@mesh, [{"stage"}, {}]>, <@mesh, [{"stage"}, {}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{}, {}, {}]>] manual_axes={"stage"} (%arg2: tensor<1x16x16xf32>, %arg3: tensor<6x4x16xf32>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_5 = stablehlo.constant dense<4> : tensor<ui32>
      %12 = stablehlo.partition_id : tensor<ui32>
      %13 = stablehlo.divide %12, %c : tensor<ui32>
      %14 = stablehlo.remainder %13, %c_5 : tensor<ui32>
      %15 = stablehlo.convert %14 : (tensor<ui32>) -> tensor<i32>
      %16 = stablehlo.reshape %arg2 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %18 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
      %19 = stablehlo.iota dim = 0 : tensor<9xi32>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %20 = stablehlo.compare EQ, %15, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      func.call @dynamic_index_in_dim(%arg3) : (tensor<6x4x16xf32>) -> ()
      %21 = func.call @_where(%20) : (tensor<i1>) -> tensor<4x16xf32>
      %c_9 = stablehlo.constant dense<3> : tensor<i32>
      %22 = stablehlo.compare EQ, %15, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      func.call @dynamic_index_in_dim_0() : () -> ()
      func.call @_where_1(%22) : (tensor<i1>) -> ()
      func.call @dynamic_update_index_in_dim() : () -> ()
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<9x4x16xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %24 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<9x4x16xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %25 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<9x4x16xf32>
      %c_13 = stablehlo.constant dense<0> : tensor<i32>
      %26 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %27 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<9xi32>
      %c_15 = stablehlo.constant dense<0> : tensor<i32>
      %28:13 = stablehlo.while(%iterArg = %19, %iterArg_18 = %arg3, %iterArg_19 = %20, %iterArg_20 = %16, %iterArg_21 = %22, %iterArg_22 = %c_15, %iterArg_23 = %17, %iterArg_24 = %18, %iterArg_25 = %23, %iterArg_26 = %24, %iterArg_27 = %25, %iterArg_28 = %26, %iterArg_29 = %27) : tensor<9xi32>, tensor<6x4x16xf32>, tensor<i1>, tensor<16x16xf32>, tensor<i1>, tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<9x4x16xf32>, tensor<9x4x16xf32>, tensor<9x4x16xf32>, tensor<9xi32>, tensor<9xi32>
      cond {
        %c_30 = stablehlo.constant dense<9> : tensor<i32>
        %35 = stablehlo.compare LT, %iterArg_22, %c_30, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %35 : tensor<i1>
      } do {
        %35 = func.call @dynamic_index_in_dim_2(%iterArg, %iterArg_22) : (tensor<9xi32>, tensor<i32>) -> tensor<i32>
        %36:7 = func.call @closed_call(%iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_23, %iterArg_24, %35) : (tensor<6x4x16xf32>, tensor<i1>, tensor<16x16xf32>, tensor<i1>, tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<i32>) -> (tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<i32>, tensor<i32>)
        %37 = func.call @dynamic_update_index_in_dim_8(%iterArg_25, %36#2, %iterArg_22) : (tensor<9x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<9x4x16xf32>
        %38 = func.call @dynamic_update_index_in_dim_8(%iterArg_26, %36#3, %iterArg_22) : (tensor<9x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<9x4x16xf32>
        %39 = func.call @dynamic_update_index_in_dim_8(%iterArg_27, %36#4, %iterArg_22) : (tensor<9x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<9x4x16xf32>
        %40 = func.call @dynamic_update_index_in_dim_9(%iterArg_28, %36#5, %iterArg_22) : (tensor<9xi32>, tensor<i32>, tensor<i32>) -> tensor<9xi32>
        %41 = func.call @dynamic_update_index_in_dim_9(%iterArg_29, %36#6, %iterArg_22) : (tensor<9xi32>, tensor<i32>, tensor<i32>) -> tensor<9xi32>
        %c_30 = stablehlo.constant dense<1> : tensor<i32>
        %42 = stablehlo.add %iterArg_22, %c_30 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %42, %36#0, %36#1, %37, %38, %39, %40, %41 : tensor<9xi32>, tensor<6x4x16xf32>, tensor<i1>, tensor<16x16xf32>, tensor<i1>, tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<9x4x16xf32>, tensor<9x4x16xf32>, tensor<9x4x16xf32>, tensor<9xi32>, tensor<9xi32>
      }
      %c_16 = stablehlo.constant dense<3> : tensor<i32>
      %29 = stablehlo.compare EQ, %15, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_17 = stablehlo.constant dense<0> : tensor<i32>
      %30:2 = func.call @_where_10(%29, %28#7, %c_17) : (tensor<i1>, tensor<6x4x16xf32>, tensor<i32>) -> (tensor<6x4x16xf32>, tensor<6x4x16xf32>)
      %31 = "stablehlo.all_reduce"(%30#0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %35 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %35 : tensor<f32>
      }) : (tensor<6x4x16xf32>) -> tensor<6x4x16xf32>
      %32 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<i1>) -> tensor<1xi1>
      %33 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<i1>) -> tensor<1xi1>
      %34 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<i1>) -> tensor<1xi1>
      sdy.return %32, %21, %16, %33, %28#8, %28#9, %28#10, %28#11, %28#12, %34, %30#1, %31 : tensor<1xi1>, tensor<4x16xf32>, tensor<16x16xf32>, tensor<1xi1>, tensor<9x4x16xf32>, tensor<9x4x16xf32>, tensor<9x4x16xf32>, tensor<9xi32>, tensor<9xi32>, tensor<1xi1>, tensor<6x4x16xf32>, tensor<6x4x16xf32>
    } : (tensor<4x16x16xf32>, tensor<6x4x16xf32>) -> (tensor<4xi1>, tensor<16x16xf32>, tensor<64x16xf32>, tensor<4xi1>, tensor<36x4x16xf32>, tensor<36x4x16xf32>, tensor<36x4x16xf32>, tensor<36xi32>, tensor<36xi32>, tensor<4xi1>, tensor<24x4x16xf32>, tensor<6x4x16xf32>)
    %1 = stablehlo.multiply %0#11, %0#11 : tensor<6x4x16xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %3 = stablehlo.multiply %2, %0#11 : tensor<6x4x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<6x4x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<3.840000e+02> : tensor<f32>
    %5 = stablehlo.divide %4, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<3.840000e+02> : tensor<f32>
    %6 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %8 = stablehlo.multiply %7, %3 : tensor<6x4x16xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %10 = stablehlo.divide %8, %9 : tensor<6x4x16xf32>
    %11 = sdy.manual_computation(%10, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10) in_shardings=[<@mesh, [{}, {}, {}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}, {}]>, <@mesh, [{"stage"}, {}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}, {}, {}]>] out_shardings=[<@mesh, [{"stage"}, {}, {}]>] manual_axes={"stage"} (%arg2: tensor<6x4x16xf32>, %arg3: tensor<1xi1>, %arg4: tensor<4x16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<1xi1>, %arg7: tensor<9x4x16xf32>, %arg8: tensor<9x4x16xf32>, %arg9: tensor<9x4x16xf32>, %arg10: tensor<9xi32>, %arg11: tensor<9xi32>, %arg12: tensor<1xi1>, %arg13: tensor<6x4x16xf32>) {
      %12 = stablehlo.reshape %arg3 : (tensor<1xi1>) -> tensor<i1>
      %13 = stablehlo.reshape %arg6 : (tensor<1xi1>) -> tensor<i1>
      %14 = stablehlo.reshape %arg12 : (tensor<1xi1>) -> tensor<i1>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
      %17 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %23 = stablehlo.add %arg14, %arg15 : tensor<f32>
        stablehlo.return %23 : tensor<f32>
      }) : (tensor<6x4x16xf32>) -> tensor<6x4x16xf32>
      %18 = func.call @_where_11(%14, %arg13, %17) : (tensor<i1>, tensor<6x4x16xf32>, tensor<6x4x16xf32>) -> tensor<6x4x16xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %19 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %21:13 = stablehlo.while(%iterArg = %arg7, %iterArg_9 = %arg8, %iterArg_10 = %arg9, %iterArg_11 = %arg10, %iterArg_12 = %arg11, %iterArg_13 = %12, %iterArg_14 = %arg4, %iterArg_15 = %arg5, %iterArg_16 = %13, %iterArg_17 = %c, %iterArg_18 = %20, %iterArg_19 = %19, %iterArg_20 = %18) : tensor<9x4x16xf32>, tensor<9x4x16xf32>, tensor<9x4x16xf32>, tensor<9xi32>, tensor<9xi32>, tensor<i1>, tensor<4x16xf32>, tensor<16x16xf32>, tensor<i1>, tensor<i32>, tensor<16x16xf32>, tensor<4x16xf32>, tensor<6x4x16xf32>
      cond {
        %c_21 = stablehlo.constant dense<9> : tensor<i32>
        %23 = stablehlo.compare LT, %iterArg_17, %c_21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %23 : tensor<i1>
      } do {
        %c_21 = stablehlo.constant dense<9> : tensor<i32>
        %23 = stablehlo.subtract %c_21, %iterArg_17 : tensor<i32>
        %c_22 = stablehlo.constant dense<1> : tensor<i32>
        %24 = stablehlo.subtract %23, %c_22 : tensor<i32>
        %25 = func.call @dynamic_index_in_dim_12(%iterArg, %24) : (tensor<9x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
        %26 = func.call @dynamic_index_in_dim_12(%iterArg_9, %24) : (tensor<9x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
        %27 = func.call @dynamic_index_in_dim_12(%iterArg_10, %24) : (tensor<9x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>
        %28 = func.call @dynamic_index_in_dim_2(%iterArg_11, %24) : (tensor<9xi32>, tensor<i32>) -> tensor<i32>
        %29 = func.call @dynamic_index_in_dim_2(%iterArg_12, %24) : (tensor<9xi32>, tensor<i32>) -> tensor<i32>
        %30:3 = func.call @closed_call_13(%iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %iterArg_18, %iterArg_19, %iterArg_20, %25, %26, %27, %28, %29) : (tensor<i1>, tensor<4x16xf32>, tensor<16x16xf32>, tensor<i1>, tensor<16x16xf32>, tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<i32>, tensor<i32>) -> (tensor<16x16xf32>, tensor<4x16xf32>, tensor<6x4x16xf32>)
        %c_23 = stablehlo.constant dense<1> : tensor<i32>
        %31 = stablehlo.add %iterArg_17, %c_23 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %31, %30#0, %30#1, %30#2 : tensor<9x4x16xf32>, tensor<9x4x16xf32>, tensor<9x4x16xf32>, tensor<9xi32>, tensor<9xi32>, tensor<i1>, tensor<4x16xf32>, tensor<16x16xf32>, tensor<i1>, tensor<i32>, tensor<16x16xf32>, tensor<4x16xf32>, tensor<6x4x16xf32>
      }
      %22 = stablehlo.broadcast_in_dim %21#10, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
      sdy.return %22 : tensor<1x16x16xf32>
    } : (tensor<6x4x16xf32>, tensor<4xi1>, tensor<16x16xf32>, tensor<64x16xf32>, tensor<4xi1>, tensor<36x4x16xf32>, tensor<36x4x16xf32>, tensor<36x4x16xf32>, tensor<36xi32>, tensor<36xi32>, tensor<4xi1>, tensor<24x4x16xf32>) -> tensor<4x16x16xf32>
    return %5, %11 : tensor<f32>, tensor<4x16x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x4x16xf32>) {
    return
  }
  func.func private @_where(%arg0: tensor<i1>) -> tensor<4x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
  func.func private @dynamic_index_in_dim_0() {
    return
  }
  func.func private @_where_1(%arg0: tensor<i1>) {
    return
  }
  func.func private @dynamic_update_index_in_dim() {
    return
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<9xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<9xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<6x4x16xf32>, %arg1: tensor<i1>, %arg2: tensor<16x16xf32>, %arg3: tensor<i1>, %arg4: tensor<4x16xf32>, %arg5: tensor<6x4x16xf32>, %arg6: tensor<i32>) -> (tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<i32>, tensor<i32>) {
    %c = stablehlo.constant dense<5> : tensor<i32>
    %0 = stablehlo.minimum %arg6, %c : tensor<i32>
    %1 = call @dynamic_index_in_dim_3(%0, %arg0) : (tensor<i32>, tensor<6x4x16xf32>) -> tensor<4x16xf32>
    %2 = call @_where_4(%1, %arg4, %arg1) : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<i1>) -> tensor<4x16xf32>
    %3 = stablehlo.dot_general %2, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
    %4 = stablehlo.tanh %3 : tensor<4x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<4x16xf32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %7 = stablehlo.subtract %arg6, %c_0 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.maximum %7, %c_1 : tensor<i32>
    %9:2 = call @dynamic_index_in_dim_5(%arg5, %8) : (tensor<6x4x16xf32>, tensor<i32>) -> (tensor<4x16xf32>, tensor<i32>)
    %10 = call @_where_6(%4, %9#0, %arg3) : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<i1>) -> tensor<4x16xf32>
    %11:2 = call @dynamic_update_index_in_dim_7(%arg5, %10, %8) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> (tensor<6x4x16xf32>, tensor<i32>)
    %12 = "stablehlo.collective_permute"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<4x16xf32>) -> tensor<4x16xf32>
    return %12, %11#0, %2, %4, %6, %9#1, %11#1 : tensor<4x16xf32>, tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<i32>, tensor<i32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<i32>, %arg1: tensor<6x4x16xf32>) -> tensor<4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %1 = stablehlo.add %arg0, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg0 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %arg1, %2, %c_1, %c_2, sizes = [1, 4, 16] : (tensor<6x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    return %4 : tensor<4x16xf32>
  }
  func.func private @_where_4(%arg0: tensor<4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<i1>) -> tensor<4x16xf32> {
    %0 = stablehlo.select %arg2, %arg0, %arg1 : tensor<i1>, tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<6x4x16xf32>, %arg1: tensor<i32>) -> (tensor<4x16xf32>, tensor<i32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %arg0, %2, %c_1, %c_2, sizes = [1, 4, 16] : (tensor<6x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    return %4, %2 : tensor<4x16xf32>, tensor<i32>
  }
  func.func private @_where_6(%arg0: tensor<4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<i1>) -> tensor<4x16xf32> {
    %0 = stablehlo.select %arg2, %arg0, %arg1 : tensor<i1>, tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_7(%arg0: tensor<6x4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<i32>) -> (tensor<6x4x16xf32>, tensor<i32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x16xf32>) -> tensor<1x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %2 = stablehlo.add %arg2, %c_0 : tensor<i32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.dynamic_update_slice %arg0, %0, %3, %c_1, %c_2 : (tensor<6x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x16xf32>
    return %4, %3 : tensor<6x4x16xf32>, tensor<i32>
  }
  func.func private @dynamic_update_index_in_dim_8(%arg0: tensor<9x4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<i32>) -> tensor<9x4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x16xf32>) -> tensor<1x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<9x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x4x16xf32>
    return %1 : tensor<9x4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_9(%arg0: tensor<9xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<9xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<9xi32>, tensor<1xi32>, tensor<i32>) -> tensor<9xi32>
    return %1 : tensor<9xi32>
  }
  func.func private @_where_10(%arg0: tensor<i1>, %arg1: tensor<6x4x16xf32>, %arg2: tensor<i32>) -> (tensor<6x4x16xf32>, tensor<6x4x16xf32>) {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<6x4x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    return %2, %3 : tensor<6x4x16xf32>, tensor<6x4x16xf32>
  }
  func.func private @_where_11(%arg0: tensor<i1>, %arg1: tensor<6x4x16xf32>, %arg2: tensor<6x4x16xf32>) -> tensor<6x4x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<i1>, tensor<6x4x16xf32>
    return %1 : tensor<6x4x16xf32>
  }
  func.func private @dynamic_index_in_dim_12(%arg0: tensor<9x4x16xf32>, %arg1: tensor<i32>) -> tensor<4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 16] : (tensor<9x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
  func.func private @closed_call_13(%arg0: tensor<i1>, %arg1: tensor<4x16xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<i1>, %arg4: tensor<16x16xf32>, %arg5: tensor<4x16xf32>, %arg6: tensor<6x4x16xf32>, %arg7: tensor<4x16xf32>, %arg8: tensor<4x16xf32>, %arg9: tensor<4x16xf32>, %arg10: tensor<i32>, %arg11: tensor<i32>) -> (tensor<16x16xf32>, tensor<4x16xf32>, tensor<6x4x16xf32>) {
    %0 = "stablehlo.collective_permute"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [2, 1], [3, 2], [0, 3]]> : tensor<4x2xi64>}> : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %1:2 = call @dynamic_update_index_in_dim_14(%arg11, %arg6) : (tensor<i32>, tensor<6x4x16xf32>) -> (tensor<6x4x16xf32>, tensor<4x16xf32>)
    %2:2 = call @_where_15(%arg3, %1#1) : (tensor<i1>, tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
    %3 = stablehlo.add %0, %2#0 : tensor<4x16xf32>
    %4 = call @dynamic_index_in_dim_16(%arg10, %2#1) : (tensor<i32>, tensor<4x16xf32>) -> tensor<6x4x16xf32>
    %5 = stablehlo.add %1#0, %4 : tensor<6x4x16xf32>
    %6 = stablehlo.multiply %3, %arg9 : tensor<4x16xf32>
    %7 = stablehlo.multiply %6, %arg8 : tensor<4x16xf32>
    %8 = stablehlo.add %6, %7 : tensor<4x16xf32>
    %9 = stablehlo.dot_general %8, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<16x16xf32>
    %10 = stablehlo.transpose %9, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %11 = stablehlo.add %arg4, %10 : tensor<16x16xf32>
    %12 = stablehlo.dot_general %8, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
    %13 = call @_where_17(%arg0, %arg1, %12) : (tensor<i1>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    return %11, %13, %5 : tensor<16x16xf32>, tensor<4x16xf32>, tensor<6x4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_14(%arg0: tensor<i32>, %arg1: tensor<6x4x16xf32>) -> (tensor<6x4x16xf32>, tensor<4x16xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg1, %0, %arg0, %c, %c_0 : (tensor<6x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x16xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_slice %arg1, %arg0, %c_1, %c_2, sizes = [1, 4, 16] : (tensor<6x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<1x4x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    return %1, %3 : tensor<6x4x16xf32>, tensor<4x16xf32>
  }
  func.func private @_where_15(%arg0: tensor<i1>, %arg1: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<i1>, tensor<4x16xf32>
    %2 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<4x16xf32>
    return %2, %1 : tensor<4x16xf32>, tensor<4x16xf32>
  }
  func.func private @dynamic_index_in_dim_16(%arg0: tensor<i32>, %arg1: tensor<4x16xf32>) -> tensor<6x4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x16xf32>) -> tensor<1x4x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %1, %0, %arg0, %c, %c_0 : (tensor<6x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x16xf32>
    return %2 : tensor<6x4x16xf32>
  }
  func.func private @_where_17(%arg0: tensor<i1>, %arg1: tensor<4x16xf32>, %arg2: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<i1>, tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
}
