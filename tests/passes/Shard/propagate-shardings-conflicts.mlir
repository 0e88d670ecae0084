// Who wins where shardings meet: priorities, closed and replicated axes, sub-axes, kinds of ops.
// RUN: tandem-opt %s -split-input-file -tandem-propagate-shardings -tandem-pad-uneven -tandem-verify-shard | FileCheck %s

// P2: elementwise ops come before contractions, whatever the order in the text. %1 takes "x" on its
// second dimension from %arg2, not on its first from the contraction.
// CHECK-LABEL: @main
// CHECK: stablehlo.dot_general {{.*}}<@mesh, [{}, {"x"}]>
// CHECK: stablehlo.add {{.*}}<@mesh, [{}, {"x"}]>
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %0, %arg2 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// M4: an axis listed as replicated is not used.
// CHECK-LABEL: @main
// CHECK: sharding_constraint %{{.*}} <@mesh, [{}, {"y"}], replicated={"x"}>
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.abs %arg0 : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {?}], replicated={"x"}> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// M1: a part of an axis, and what is left of it for another dimension.
// CHECK-LABEL: @main
// CHECK: stablehlo.add {{.*}}[{"x":(1)2}, {"x":(2)2}]
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {?}]>},
                %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x":(2)2}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// P1: a dimension of a lower priority is extended by one of a higher: "y" comes first, then "x"
// finds its place taken on %0 and keeps to its argument.
// CHECK-LABEL: @main
// CHECK: stablehlo.add {{.*}}[{"y"}, {}]
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p2, {}]>},
                %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}p1, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// F12: a custom call's own rule.
// CHECK-LABEL: @main
// CHECK: custom_call @f{{.*}}<@mesh, [{}, {"x"}]>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=4}, custom>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// P6: a group ties a value inside a loop to one outside.
// CHECK-LABEL: @main
// CHECK-SAME: %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>, %arg2: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>) {
  sdy.sharding_group %arg1 group_id=3 : tensor<8xf32>
  %0 = stablehlo.while(%a = %arg0) : tensor<8xf32>
    cond {
      stablehlo.return %arg2 : tensor<i1>
    } do {
      %b = stablehlo.tanh %a : tensor<8xf32>
      sdy.sharding_group %b group_id=3 : tensor<8xf32>
      stablehlo.return %b : tensor<8xf32>
    }
  return %0, %arg1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// F14: a shifted slice is split like its operand, unevenly too (M5), but not into nothing.
// CHECK-LABEL: @main
// CHECK: stablehlo.slice {{.*}}[{"x"}]
// CHECK: stablehlo.slice {{.*}}[{"x"}]
// CHECK: stablehlo.slice {{.*}}<@mesh, [{}]>
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>, tensor<7xf32>, tensor<2xf32>) {
  %0 = stablehlo.slice %arg0 [3:11] : (tensor<16xf32>) -> tensor<8xf32>
  %1 = stablehlo.slice %arg0 [3:10] : (tensor<16xf32>) -> tensor<7xf32>
  %2 = stablehlo.slice %arg0 [3:5] : (tensor<16xf32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<7xf32>, tensor<2xf32>
}

// -----

// P6: an argument that is given up goes to the first result of its type that is left.
// CHECK-LABEL: @main
// CHECK-SAME: -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, jax.buffer_donor = true},
                %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>, tf.aliasing_output = 0 : i32}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  %1 = stablehlo.constant dense<2.0> : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
