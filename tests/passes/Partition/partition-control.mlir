// Loops, branches, barriers and manual computations.
// RUN: tandem-opt %s -split-input-file -tandem-propagate-shardings -tandem-partition -tandem-verify-partition | FileCheck %s

// The carried value stays split; the condition's maximum is over all devices.
// CHECK-LABEL: @main
// CHECK: stablehlo.while(%{{.*}} = %arg0) : tensor<4xf32>
// CHECK: cond {
// CHECK: "stablehlo.all_reduce"
// CHECK: } do {
// CHECK-NOT: all_
// CHECK: stablehlo.return %{{.*}} : tensor<4xf32>
sdy.mesh @mesh = <["d"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.while(%iterArg = %arg0) : tensor<8xf32>
  cond {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.reduce(%iterArg init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.compare GT, %1, %one, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %half = stablehlo.constant dense<0.5> : tensor<8xf32>
    %1 = stablehlo.multiply %iterArg, %half : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// Both branches yield the result's sharding.
// CHECK-LABEL: @main
// CHECK: "stablehlo.case"(%arg2) ({
// CHECK-NEXT: stablehlo.return %arg0 : tensor<4xf32>
// CHECK: }, {
// CHECK: %[[S:.*]] = stablehlo.dynamic_slice %arg1
// CHECK: stablehlo.return %[[S]] : tensor<4xf32>
sdy.mesh @mesh = <["d"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>},
                %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg2: tensor<i32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) {
  %0 = "stablehlo.case"(%arg2) ({
    stablehlo.return %arg0 : tensor<8xf32>
  }, {
    stablehlo.return %arg1 : tensor<8xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"d"}]>]>} : (tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// One axis may split several values of a barrier.
// CHECK-LABEL: @main
// CHECK: stablehlo.optimization_barrier %arg0, %arg1 : tensor<4x8xf32>, tensor<8x4xf32>
sdy.mesh @mesh = <["d"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>},
                %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<8x8xf32>, tensor<8x8xf32>
  return %0#0, %0#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A manual computation is inlined; its operand is brought to the in_sharding, its own
// collective stays.
// CHECK-LABEL: @main
// CHECK: %[[S:.*]] = stablehlo.dynamic_slice %arg0
// CHECK: %[[R:.*]] = "stablehlo.all_reduce"(%[[S]])
// CHECK: return %[[R]] : tensor<4xf32>
sdy.mesh @mesh = <["d"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"d"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"d"} (%arg1: tensor<4xf32>) {
    %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Free axes split the body's values further.
// CHECK-LABEL: @main
// CHECK-NEXT: %[[D:.*]] = stablehlo.dot_general %arg0, %arg0, {{.*}} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: "stablehlo.all_reduce"(%[[D]])
// CHECK-SAME{LITERAL}: dense<[[0, 1], [2, 3]]>
sdy.mesh @mesh = <["m"=2, "f"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m"}, {"f"}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"m"}, {}]>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"m"}, {"f"}]>] out_shardings=[<@mesh, [{"m"}, {}]>] manual_axes={"m"} (%arg1: tensor<4x8xf32>) {
    %1 = stablehlo.dot_general %arg1, %arg1, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
    sdy.return %1 : tensor<4x4xf32>
  } : (tensor<8x8xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// A sum over iterations whose terms are sums over devices: one all-reduce, after the loop (A5). What
// it starts from counts once.
// CHECK-LABEL: @main
// CHECK: %[[INIT:.*]] = stablehlo.select
// CHECK: stablehlo.while({{.*}} = %[[INIT]])
// CHECK-NOT: all_reduce
// CHECK: "stablehlo.all_reduce"
// CHECK-NOT: all_reduce
// CHECK: return
sdy.mesh @mesh = <["d"=4]>
func.func @main(%x: tensor<3x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}, {}]>},
                %start: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %start) : tensor<i32>, tensor<4x4xf32>
    cond {
      %c = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8, 4] : (tensor<3x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
      %m = stablehlo.reshape %s : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
      %p = stablehlo.dot_general %m, %m, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
      %next = stablehlo.add %sum, %p : tensor<4x4xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %next : tensor<i32>, tensor<4x4xf32>
    }
  return %0#1 : tensor<4x4xf32>
}

// -----

// Not when the body reads the sum so far for something else.
// CHECK-LABEL: @main
// CHECK: do {
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.return {{.*}} : tensor<i32>, tensor<4x4xf32>
// CHECK-NOT: all_reduce
sdy.mesh @mesh = <["d"=4]>
func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>},
                %start: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %start) : tensor<i32>, tensor<4x4xf32>
    cond {
      %c = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %t = stablehlo.tanh %sum : tensor<4x4xf32>
      %p = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
      %q = stablehlo.multiply %t, %p : tensor<4x4xf32>
      %next = stablehlo.add %sum, %q : tensor<4x4xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %next : tensor<i32>, tensor<4x4xf32>
    }
  return %0#1 : tensor<4x4xf32>
}
