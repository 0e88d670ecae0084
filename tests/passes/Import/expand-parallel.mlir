// RUN: tandem-opt %s -split-input-file -verify-diagnostics --tandem-expand-parallel | FileCheck %s

// Two replicas of two partitions: the groups of replicas are made once for each partition.
// CHECK: sdy.mesh @processes = <["replica"=2, "partition"=2]>
// CHECK-LABEL: func.func private @f
// CHECK: replica_groups = dense<{{\[}}[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids
// CHECK-LABEL: func.func @main
// CHECK: %[[S:.*]] = stablehlo.concatenate {{.*}}, dim = 0 : {{.*}} -> tensor<4x3xi64>
// CHECK: %[[M:.*]] = sdy.manual_computation(%[[S]]) in_shardings=[<@processes, [{"replica", "partition"}, {}]>] out_shardings=[<@processes, [{"replica", "partition"}, {}]>] manual_axes={"replica", "partition"} (%[[X:.*]]: tensor<1x3xi64>) {
// CHECK:   %[[R:.*]] = stablehlo.reshape %[[X]] : (tensor<1x3xi64>) -> tensor<3xi64>
// CHECK:   %[[C:.*]] = func.call @f(%[[R]])
// CHECK:   stablehlo.reshape %[[C]] : (tensor<3xi64>) -> tensor<1x3xi64>
// CHECK: }
// CHECK: stablehlo.slice %[[M]] [0:1, 0:3]
// CHECK: stablehlo.slice %[[M]] [3:4, 0:3]
func.func private @f(%x: tensor<3xi64>) -> tensor<3xi64> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %1 = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<3xi64>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}
func.func @main(%x: tensor<3xi64>) -> (tensor<3xi64>, tensor<3xi64>) {
  %0:4 = "interpreter.run_parallel"(%x, %x, %x, %x) {programs = [[@f, @f], [@f, @f]]}
    : (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>)
    -> (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>)
  return %0#0, %0#3 : tensor<3xi64>, tensor<3xi64>
}

// -----

// With a channel, reductions join all partitions; permutes name partitions. Ids are worked out.
// CHECK-LABEL: func.func private @g
// CHECK: replica_groups = dense<{{\[}}[0, 2, 1, 3]]> : tensor<1x4xi64>
// CHECK: source_target_pairs = dense<{{\[}}[0, 1], [2, 3]]> : tensor<2x2xi64>
// CHECK: %[[D:.*]] = stablehlo.partition_id
// CHECK: %[[C:.*]] = stablehlo.constant dense<2> : tensor<ui32>
// CHECK: stablehlo.divide %[[D]], %[[C]]
func.func private @g(%x: tensor<3xi64>) -> (tensor<3xi64>, tensor<ui32>) {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %1 = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %1 : tensor<i64>
  }) : (tensor<3xi64>) -> tensor<3xi64>
  %2 = "stablehlo.collective_permute"(%0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<3xi64>) -> tensor<3xi64>
  %3 = stablehlo.replica_id : tensor<ui32>
  return %2, %3 : tensor<3xi64>, tensor<ui32>
}
func.func @main(%x: tensor<3xi64>) -> (tensor<3xi64>, tensor<ui32>) {
  %0:8 = "interpreter.run_parallel"(%x, %x, %x, %x) {programs = [[@g, @g], [@g, @g]]}
    : (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>)
    -> (tensor<3xi64>, tensor<ui32>, tensor<3xi64>, tensor<ui32>, tensor<3xi64>, tensor<ui32>, tensor<3xi64>, tensor<ui32>)
  return %0#0, %0#7 : tensor<3xi64>, tensor<ui32>
}

// -----

func.func private @a() -> tensor<i32>
func.func private @b() -> tensor<i32>
func.func @main() -> tensor<i32> {
  // expected-error @+1 {{expected one function that all processes run}}
  %0:2 = "interpreter.run_parallel"() {programs = [[@a], [@b]]} : () -> (tensor<i32>, tensor<i32>)
  return %0#0 : tensor<i32>
}
