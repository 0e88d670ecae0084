// Every op and attribute of the dialect, printed as it was written.
// RUN: tandem-opt %s -allow-unregistered-dialect | FileCheck %s --match-full-lines --strict-whitespace
// RUN: tandem-opt %s -allow-unregistered-dialect -mlir-print-op-generic | tandem-opt -allow-unregistered-dialect | FileCheck %s --match-full-lines --strict-whitespace

//      CHECK:module {
// Meshes: with a discardable attribute, sizes of 1, an order of devices, maximal, empty; an order
// of 0, 1, 2, ... is dropped.
// CHECK-NEXT:  sdy.mesh @mesh = <["a"=2, "b"=4]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}
sdy.mesh @mesh = <["a"=2, "b"=4]> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}]}}
// CHECK-NEXT:  sdy.mesh @ordered = <["a"=2, "b"=2], device_ids=[0, 2, 1, 3]>
sdy.mesh @ordered = <["a"=2, "b"=2], device_ids=[0, 2, 1, 3]>
// CHECK-NEXT:  sdy.mesh @in_order = <["a"=2, "b"=1]>
sdy.mesh @in_order = <["a"=2, "b"=1], device_ids=[0, 1]>
// CHECK-NEXT:  sdy.mesh @maximal = <[], device_ids=[3]>
sdy.mesh @maximal = <[], device_ids=[3]>
// CHECK-NEXT:  sdy.mesh @empty = <[]>
sdy.mesh @empty = <[]>

// Shardings of arguments and results: open, priorities, parts of axes, replicated and unreduced
// axes, a mesh in place, rank 0.
// CHECK-NEXT:  func.func @values(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}p0, {"b":(1)2, ?}p1], replicated={"b":(2)2}>}, %arg1: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [], replicated={"a"}, unreduced={"b"}>}, %arg2: tensor<?x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(2)2, "a", "b":(1)2}, {?}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2], device_ids=[1, 0]>, [{}, {}], unreduced={"x"}>}) {
func.func @values(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}p0, {"b":(1)2, ?}p1], replicated={"b":(2)2}>}, %arg1: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [], replicated={"a"}, unreduced={"b"}>}, %arg2: tensor<?x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(2)2, "a", "b":(1)2}, {?}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2], device_ids=[1, 0]>, [{}, {}], unreduced={"x"}>}) {
// CHECK-NEXT:    %0:2 = "test.two"() {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", "b"}]>, <mesh<["a"=2]>, [{"a", ?}]>]>} : () -> (tensor<8xf32>, tensor<8xf32>)
  %0:2 = "test.two"() {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", "b"}]>, <mesh<["a"=2]>, [{"a", ?}]>]>} : () -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT:    "test.none"() {sdy.sharding = #sdy.sharding_per_value<[<@maximal, []>]>} : () -> ()
  "test.none"() {sdy.sharding = #sdy.sharding_per_value<[<@maximal, []>]>} : () -> ()
// CHECK-NEXT:    "test.none"() {sdy.sharding = #sdy.sharding_per_value<[]>} : () -> ()
  "test.none"() {sdy.sharding = #sdy.sharding_per_value<[]>} : () -> ()
// CHECK-NEXT:    %1 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {?}]> : tensor<8x8xf32>
// CHECK-NEXT:    %2 = sdy.reshard %1 <@mesh, [{"b"}, {}]> {note} : tensor<8x8xf32>
  %2 = sdy.reshard %1 <@mesh, [{"b"}, {}]> {note} : tensor<8x8xf32>
// CHECK-NEXT:    sdy.sharding_group %2 group_id=7 : tensor<8x8xf32>
  sdy.sharding_group %2 group_id=7 : tensor<8x8xf32>
// CHECK-NEXT:    %3 = sdy.propagation_barrier %2 allowed_direction=FORWARD : tensor<8x8xf32>
  %3 = sdy.propagation_barrier %2 allowed_direction=FORWARD : tensor<8x8xf32>
// CHECK-NEXT:    %4 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} dense<1.000000e+00> : tensor<8x8xf32>
  %4 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} dense<1.000000e+00> : tensor<8x8xf32>
// CHECK-NEXT:    %5 = sdy.constant dense<[1, 2]> : tensor<2xi32>
  %5 = sdy.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT:    %6 = sdy.data_flow_edge %0#0 : tensor<8xf32>
  %6 = sdy.data_flow_edge %0#0 : tensor<8xf32>
// CHECK-NEXT:    %7 = sdy.data_flow_edge %0#1 sharding=<@mesh, [{"a"}]> : tensor<8xf32>
  %7 = sdy.data_flow_edge %0#1 sharding=<@mesh, [{"a"}]> : tensor<8xf32>
// CHECK-NEXT:    return %arg0 : tensor<8x8xf32>
  return %arg0 : tensor<8x8xf32>
// CHECK-NEXT:  }
}

// Bodies: nested, without operands or results, two results, an attribute after the body.
// CHECK-NEXT:  func.func @bodies(%arg0: tensor<16x32xf32>) {
func.func @bodies(%arg0: tensor<16x32xf32>) {
// CHECK-NEXT:    sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
// CHECK-NEXT:      sdy.return
    sdy.return
// CHECK-NEXT:    } : () -> ()
  } : () -> ()
// CHECK-NEXT:    %0:2 = sdy.manual_computation(%arg0, %arg0) in_shardings=[<@mesh, [{"a", "b"}, {}]>, <@mesh, [{?}, {?}], replicated={"a"}>] out_shardings=[<@mesh, [{"a", ?}, {}]>, <@mesh, [{}, {}]>] manual_axes={"a"} (%arg1: tensor<8x32xf32>, %arg2: tensor<16x32xf32>) {
  %0:2 = sdy.manual_computation(%arg0, %arg0) in_shardings=[<@mesh, [{"a", "b"}, {}]>, <@mesh, [{?}, {?}], replicated={"a"}>] out_shardings=[<@mesh, [{"a", ?}, {}]>, <@mesh, [{}, {}]>] manual_axes={"a"} (%arg1: tensor<8x32xf32>, %arg2: tensor<16x32xf32>) {
// CHECK-NEXT:      %2 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{"b"}, {}]>] out_shardings=[<@mesh, [{"b"}, {}]>] manual_axes={"b"} (%arg3: tensor<2x32xf32>) {
    %2 = sdy.manual_computation(%arg1) in_shardings=[<@mesh, [{"b"}, {}]>] out_shardings=[<@mesh, [{"b"}, {}]>] manual_axes={"b"} (%arg3: tensor<2x32xf32>) {
// CHECK-NEXT:        sdy.return %arg3 : tensor<2x32xf32>
      sdy.return %arg3 : tensor<2x32xf32>
// CHECK-NEXT:      } {inner} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    } {inner} : (tensor<8x32xf32>) -> tensor<8x32xf32>
// CHECK-NEXT:      sdy.return %2, %arg2 : tensor<8x32xf32>, tensor<16x32xf32>
    sdy.return %2, %arg2 : tensor<8x32xf32>, tensor<16x32xf32>
// CHECK-NEXT:    } : (tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<16x32xf32>)
  } : (tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<16x32xf32>)
// CHECK-NEXT:    %1 = sdy.named_computation<"block">(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"b"}, {}]>] (%arg1: tensor<16x32xf32>) {
  %1 = sdy.named_computation<"block">(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"b"}, {}]>] (%arg1: tensor<16x32xf32>) {
// CHECK-NEXT:      sdy.named_computation<"nothing">() () {
    sdy.named_computation<"nothing">() () {
// CHECK-NEXT:        sdy.return
// CHECK-NEXT:      } : () -> ()
    } : () -> ()
// CHECK-NEXT:      sdy.return %arg1 : tensor<16x32xf32>
    sdy.return %arg1 : tensor<16x32xf32>
// CHECK-NEXT:    } : (tensor<16x32xf32>) -> tensor<16x32xf32>
  } : (tensor<16x32xf32>) -> tensor<16x32xf32>
// CHECK-NEXT:    return
  return
// CHECK-NEXT:  }
}

// Collectives; a part of an axis joins its neighbour.
// CHECK-NEXT:  func.func @collectives(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b":(1)2}, {}]>}) {
func.func @collectives(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b":(1)2}, {}]>}) {
// CHECK-NEXT:    %0 = sdy.all_gather [{"b":(1)2}, {}] %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<16x16xf32>
  %0 = sdy.all_gather [{"b":(1)2}, {}] %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<16x16xf32>
// CHECK-NEXT:    %1 = sdy.all_slice [{"b":(2)2}, {}] %arg0 out_sharding=<@mesh, [{"a", "b"}, {}]> : tensor<16x16xf32>
  %1 = sdy.all_slice [{"b":(2)2}, {}] %arg0 out_sharding=<@mesh, [{"a", "b"}, {}]> : tensor<16x16xf32>
// CHECK-NEXT:    %2 = sdy.all_to_all [{"b":(2)2}: 0->1] %1 out_sharding=<@mesh, [{"a", "b":(1)2}, {"b":(2)2}]> : tensor<16x16xf32>
  %2 = sdy.all_to_all [{"b":(2)2}: 0->1] %1 out_sharding=<@mesh, [{"a", "b":(1)2}, {"b":(2)2}]> : tensor<16x16xf32>
// CHECK-NEXT:    %3 = sdy.collective_permute %0 out_sharding=<@mesh, [{"b":(1)2}, {}]> : tensor<16x16xf32>
  %3 = sdy.collective_permute %0 out_sharding=<@mesh, [{"b":(1)2}, {}]> : tensor<16x16xf32>
// CHECK-NEXT:    %4 = sdy.replicated_to_unreduced {"b"} %0 out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<16x16xf32>
  %4 = sdy.replicated_to_unreduced {"b"} %0 out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<16x16xf32>
// CHECK-NEXT:    %5 = sdy.all_reduce {"b"} %4 out_sharding=<@mesh, [{"a"}, {}]> : tensor<16x16xf32>
  %5 = sdy.all_reduce {"b"} %4 out_sharding=<@mesh, [{"a"}, {}]> : tensor<16x16xf32>
// CHECK-NEXT:    %6 = sdy.reduce_scatter [{}, {"b"}] %4 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<16x16xf32>
  %6 = sdy.reduce_scatter [{}, {"b"}] %4 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<16x16xf32>
// CHECK-NEXT:    %7 = sdy.sharded_to_unreduced [{}, {"b"}] %6 out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<16x16xf32>
  %7 = sdy.sharded_to_unreduced [{}, {"b"}] %6 out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<16x16xf32>
// CHECK-NEXT:    %8 = sdy.all_reduce {} %5 out_sharding=<@mesh, [{"a"}, {}], replicated={"b"}> : tensor<16x16xf32>
  %8 = sdy.all_reduce {} %5 out_sharding=<@mesh, [{"a"}, {}], replicated={"b"}> : tensor<16x16xf32>
// CHECK-NEXT:    return
  return
// CHECK-NEXT:  }
}

// Sharding rules: scalars, several factors in a dimension, factors past z, special factors.
// CHECK-NEXT:  func.func @rules(%arg0: tensor<f32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32>) {
func.func @rules(%arg0: tensor<f32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32>) {
// CHECK-NEXT:    %0 = "test.op"(%arg0, %arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([], [])->([])>} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %0 = "test.op"(%arg0, %arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([], [])->([])>} : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT:    %1 = "test.op"(%arg1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij]) {i=2, j=4} reduction={i} need_replication={j} blocked_propagation={i, j}>} : (tensor<2x4xf32>) -> tensor<8xf32>
  %1 = "test.op"(%arg1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([ij]) {i=2, j=4} reduction={i} need_replication={j} blocked_propagation={i, j}>} : (tensor<2x4xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %2 = "test.op"(%arg1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=2, j=4} permutation={i, j}>} : (tensor<2x4xf32>) -> tensor<2xf32>
  %2 = "test.op"(%arg1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=2, j=4} permutation={i, j}>} : (tensor<2x4xf32>) -> tensor<2xf32>
// CHECK-NEXT:    %3 = "test.op"(%arg2) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, z_1])->([zz_1i]) {i=2, j=2, k=2, l=2, m=2, n=2, o=2, p=2, q=2, r=2, s=2, t=2, u=2, v=2, w=2, x=2, y=2, z=2, z_1=2}>} : (tensor<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32>) -> tensor<8xf32>
  %3 = "test.op"(%arg2) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, z_1])->([zz_1i]) {i=2, j=2, k=2, l=2, m=2, n=2, o=2, p=2, q=2, r=2, s=2, t=2, u=2, v=2, w=2, x=2, y=2, z=2, z_1=2}>} : (tensor<2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2xf32>) -> tensor<8xf32>
// CHECK-NEXT:    return
  return
// CHECK-NEXT:  }
}
