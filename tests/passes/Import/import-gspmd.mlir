// Shardings as strings and custom calls become sdy.
// RUN: tandem-opt %s -split-input-file -tandem-import-gspmd -verify-diagnostics | FileCheck %s

// Arguments, results and constraints; the mesh has every boundary the strings need.
// CHECK: sdy.mesh @mesh = <["axis_0"=2, "axis_1"=4]>
// CHECK-LABEL: @main
// CHECK-SAME: {sdy.sharding = #sdy.sharding<@mesh, [{"axis_0"}, {"axis_1"}]>}
// CHECK-SAME: {sdy.sharding = #sdy.sharding<@mesh, [{}, {"axis_1"}]>}
// CHECK: sdy.sharding_constraint %arg0 <@mesh, [{"axis_0", "axis_1"}, {}]>
// CHECK: sdy.sharding_constraint %arg1 <@mesh, [{?}, {"axis_1"}]>
// CHECK-NOT: custom_call
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}, %arg1: tensor<16x8xf32> {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}) -> tensor<16x8xf32> {
    %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %1 = stablehlo.custom_call @Sharding(%arg1) {backend_config = "unspecified_dims=[0]", mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<16x8xf32>
    return %2 : tensor<16x8xf32>
  }
}

// -----

// The call of a function written per device becomes a manual computation.
// CHECK-LABEL: @main
// CHECK: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"axis_0"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"axis_0"}
// CHECK: func.call @shmap_body
// CHECK-NOT: custom_call
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> tensor<2xf32> {
    %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<2xf32>
    %2 = call @shmap_body(%1) : (tensor<2xf32>) -> tensor<2xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
    return %4 : tensor<2xf32>
  }
  func.func private @shmap_body(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    return %arg0 : tensor<2xf32>
  }
}

// -----

// Values to be sharded alike form a group.
// CHECK: sdy.sharding_group %arg0 group_id=3
// CHECK: sdy.sharding_group %arg1 group_id=3
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func public @main(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{unknown shard_as 3}"} : (tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.custom_call @Sharding(%arg1) {mhlo.sharding = "{unknown shard_as 3}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}

// -----

// A string for another number of devices.
module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error @+1 {{is over 8 devices; the module has 4}}
  func.func public @main(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[8]<=[8]}"}) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}

// -----

// A string that cannot be read.
module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error @+1 {{cannot read the sharding "{devices=[4}": expected a tile such as [2,4]}}
  func.func public @main(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[4}"}) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}

// -----

// A transposition that is none.
module attributes {mhlo.num_partitions = 4 : i32} {
  // expected-error @+1 {{transposes by something that is not a permutation of 2 axes}}
  func.func public @main(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[2,2]T(0,0)}"}) -> tensor<8xf32> {
    return %arg0 : tensor<8xf32>
  }
}
