// Shardings reach every value; what the user closed is kept; conflicts stop at the common
// prefix.
// RUN: tandem-opt %s -split-input-file -tandem-propagate-shardings -tandem-pad-uneven -tandem-verify-shard -verify-diagnostics | FileCheck %s

// Forwards through a contraction's free dimension and an elementwise op, to the result.
// CHECK-LABEL: @main
// CHECK-SAME: -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>})
// CHECK: dot_general {{.*}}[{"d"}, {}]
// CHECK: tanh {{.*}}[{"d"}, {}]
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>},
                %arg1: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.tanh %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

// Backwards from a result to an argument that the user left free.
// CHECK-LABEL: @main
// CHECK-SAME: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}) {
  %0 = stablehlo.abs %arg0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Two operands agree on "a" only, as the major part.
// CHECK-LABEL: @main
// CHECK: add {{.*}}[{"a"}]
sdy.mesh @mesh = <["a"=2, "b"=2, "c"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}]>},
                %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "c"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// One axis cannot split two dimensions: neither side wins.
// CHECK-LABEL: @main
// CHECK: dot_general {{.*}}<@mesh, [{}, {}]>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %arg1: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Open dimensions of a constraint are split further, closed ones are not.
// CHECK-LABEL: @main
// CHECK: sharding_constraint %arg0 <@mesh, [{"x"}, {}]>
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{?}, {}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A reshape splits an axis into its parts.
// CHECK-LABEL: @main
// CHECK: reshape {{.*}}[{"x":(1)2}, {"x":(2)4}]
sdy.mesh @mesh = <["x"=8]>
func.func @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2x8xf32> {
  %0 = stablehlo.reshape %arg0 : (tensor<16xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// What flows around a loop has one sharding: from the init to body and result.
// CHECK-LABEL: @main
// CHECK: stablehlo.while{{.*}} attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, []>]>}
// CHECK: stablehlo.tanh {{.*}}[{"x"}]
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<i32>) -> tensor<8xf32> {
  %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1) : tensor<8xf32>, tensor<i32>
  cond {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %iterArg_0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.tanh %iterArg : tensor<8xf32>
    stablehlo.return %1, %iterArg_0 : tensor<8xf32>, tensor<i32>
  }
  return %0#0 : tensor<8xf32>
}

// -----

// Members of a group are sharded alike.
// CHECK-LABEL: @main
// CHECK-SAME: %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %arg0 group_id=0 : tensor<8xf32>
  sdy.sharding_group %arg1 group_id=0 : tensor<8xf32>
  return %arg1 : tensor<8xf32>
}

// -----

// A manual computation's boundary is given; inside, its axes are not seen.
// CHECK-LABEL: @main
// CHECK-SAME: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}
// CHECK: stablehlo.abs {{.*}}<@mesh, [{}]>
// CHECK: stablehlo.tanh {{.*}}<@mesh, [{"x"}]>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4xf32>) {
    %2 = stablehlo.abs %arg1 : tensor<4xf32>
    sdy.return %2 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// M5: a dimension that does not divide is split all the same, as long as no element is; where it
// cannot be, it is split as far as it can, and the user is told.
// CHECK-LABEL: @main
// CHECK: sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<8xf32>
// CHECK: sharding_constraint %arg1 <@mesh, [{"x":(1)2}]> : tensor<2xf32>
sdy.mesh @mesh = <["x"=4]>
func.func @main(%arg0: tensor<6xf32>, %arg1: tensor<2xf32>) -> (tensor<6xf32>, tensor<2xf32>) {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}]> : tensor<6xf32>
  // expected-remark @+1 {{has more tiles than elements in 'tensor<2xf32>'}}
  %1 = sdy.sharding_constraint %arg1 <@mesh, [{"x"}]> : tensor<2xf32>
  return %0, %1 : tensor<6xf32>, tensor<2xf32>
}

// -----

// expected-error @+1 {{unreduced axes are not supported on program values}}
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}
sdy.mesh @mesh = <["x"=4]>

// -----

// Of two shardings in conflict, the one with the lower priority number propagates (P1).
// CHECK-LABEL: @main
// CHECK: stablehlo.add {{.*}}[{}, {"d"}]
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}p1, {}]>},
                %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"d"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.abs %arg0 : tensor<8x8xf32>
  %1 = stablehlo.add %0, %arg1 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// A result without a sharding takes that of the argument it overwrites (P6).
// CHECK-LABEL: @main
// CHECK-SAME: -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>})
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>, tf.aliasing_output = 0 : i32}) -> tensor<8xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Data leads parameters where that is cheaper (P8): the batch stays split through both products,
// rather than the features that the parameters would split.
// CHECK-LABEL: @main
// CHECK: dot_general {{.*}}[{"d"}, {}]
// CHECK: dot_general {{.*}}[{"d"}, {}]
sdy.mesh @mesh = <["d"=4]>
func.func @main(%arg0: tensor<256x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>},
                %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>, tf.aliasing_output = 0 : i32},
                %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}]>, tf.aliasing_output = 1 : i32}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}]>}, tensor<256x8xf32>) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<256x8xf32>, tensor<8x8xf32>) -> tensor<256x8xf32>
  %1 = stablehlo.dot_general %0, %arg2, contracting_dims = [1] x [0] : (tensor<256x8xf32>, tensor<8x8xf32>) -> tensor<256x8xf32>
  return %arg1, %arg2, %1 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<256x8xf32>
}

// -----

// P6: values of a group have one shape.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %arg0 group_id=3 : tensor<8x4xf32>
  // expected-error @+1 {{sharding group 3 has values of types 'tensor<8x4xf32>' and 'tensor<8xf32>'; give values of another shape a group_id of their own}}
  sdy.sharding_group %arg1 group_id=3 : tensor<8xf32>
  return %arg1 : tensor<8xf32>
}
