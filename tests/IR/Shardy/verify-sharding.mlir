// One case per rule of a sharding, on a value of each kind.
// RUN: tandem-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

// expected-error@+1 {{'func.func' op argument 0: unknown mesh @other; define it: sdy.mesh @other = <[...]>}}
func.func @unknown_mesh(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@other, [{"a"}]>}) {
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
// expected-error@+1 {{'func.func' op argument 1: unknown axis "c" in mesh #sdy.mesh<["a"=2, "b"=4]>, found in dimension 0; use an axis that the mesh has, or add this one to it}}
func.func @unknown_axis(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}]>}) {
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
// expected-error@+1 {{'func.func' op result 0: axis "a" is used twice, found in dimension 1; an axis can be used once, so remove one of the two}}
func.func private @used_twice() -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"a"}]>})

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @used_twice_as_replicated(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.sharding_constraint' op axis "a" is used twice, found in the replicated axes; an axis can be used once, so remove one of the two}}
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}], replicated={"a"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @used_twice_as_unreduced(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{'sdy.reshard' op axis "b" overlaps "b":(1)2, found in the unreduced axes;}}
  %0 = sdy.reshard %arg0 <@mesh, [{"b":(1)2}], unreduced={"b"}> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=8]>
func.func @overlapping_parts(%arg0: tensor<8x8xf32>) {
  // expected-error@+1 {{axis "a":(2)4 overlaps "a":(1)4, found in dimension 1;}}
  %0 = sdy.reshard %arg0 <@mesh, [{"a":(1)4}, {"a":(2)4}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=8]>
func.func @part_does_not_divide(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expects pre-size times size of sub-axis "a":(2)8 to divide the size 8 of the axis, found 16}}
  %0 = sdy.reshard %arg0 <@mesh, [{"a":(2)8}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=6]>
func.func @part_does_not_divide(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expects pre-size times size of sub-axis "a":(1)4 to divide the size 6 of the axis, found 4}}
  %0 = sdy.reshard %arg0 <@mesh, [{"a":(1)4}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=8]>
func.func @part_is_full_axis(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{sub-axis "a":(1)8 is the full axis; write "a"}}
  %0 = sdy.reshard %arg0 <@mesh, [{"a":(1)8}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=8]>
func.func @neighbouring_parts(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{sub-axes "a":(1)2, "a":(2)4 are to be written as one, "a"}}
  %0 = sdy.reshard %arg0 <@mesh, [{"a":(1)2, "a":(2)4}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @rank(%arg0: tensor<8x8xf32>) {
  // expected-error@+1 {{expects 2 dimension shardings for 'tensor<8x8xf32>', found 1; give each dimension one, {} where it is not split}}
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @unranked(%arg0: tensor<*xf32>) {
  // expected-error@+1 {{only a ranked tensor can have a sharding, found 'tensor<*xf32>'}}
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}]> : tensor<*xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
// expected-error@+1 {{'test.op' op result 0: only a tensor can be split by a sharding, found 'i32'}}
%0 = "test.op"() {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : () -> i32

// -----

// Dimensions may be split unevenly, and then are padded.
sdy.mesh @mesh = <["a"=2]>
func.func @uneven(%arg0: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) {
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @replicated_order(%arg0: tensor<f32>) {
  // expected-error@+1 {{expects replicated axes in the order of the mesh #sdy.mesh<["a"=2, "b"=2]>}}
  %0 = sdy.sharding_constraint %arg0 <@mesh, [], replicated={"b", "a"}> : tensor<f32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=8]>
func.func @unreduced_order(%arg0: tensor<f32>) {
  // expected-error@+1 {{expects unreduced axes in the order of the mesh}}
  %0 = sdy.sharding_constraint %arg0 <@mesh, [], unreduced={"b":(4)2, "b":(1)2}> : tensor<f32>
  return
}

// -----

sdy.mesh @maximal = <[], device_ids=[1]>
func.func @maximal(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{a sharding on a maximal mesh has neither dimensions nor axes, found #sdy.sharding<@maximal, [{}]>}}
  %0 = sdy.sharding_constraint %arg0 <@maximal, [{}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
// expected-error@+1 {{'test.op' op expects 2 result shardings, found 1}}
%0:2 = "test.op"() {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : () -> (tensor<8xf32>, tensor<8xf32>)

// -----

sdy.mesh @mesh = <["a"=2]>
// expected-error@+1 {{'test.op' op result 1: unknown axis "b"}}
%0:2 = "test.op"() {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, [{"b"}]>]>} : () -> (tensor<8xf32>, tensor<8xf32>)

// -----

// expected-error@+1 {{'test.op' op expects 'sdy.sharding' to be a #sdy.sharding_per_value<[...]>, found #sdy.sharding<@mesh, [{}]>}}
%0 = "test.op"() {sdy.sharding = #sdy.sharding<@mesh, [{}]>} : () -> tensor<8xf32>

// -----

// expected-error@+1 {{'func.func' op argument 0: expects 'sdy.sharding' to be a #sdy.sharding<...>, found "a"}}
func.func private @kind(tensor<8xf32> {sdy.sharding = "a"})

// -----

func.func @barrier(%arg0: tensor<8xf32>) {
  // expected-error@+1 {{expects FORWARD, BACKWARD or NONE as allowed_direction, found BOTH, which blocks nothing}}
  %0 = sdy.propagation_barrier %arg0 allowed_direction=BOTH : tensor<8xf32>
  return
}

// -----

func.func @edge_dynamic(%arg0: tensor<?xf32>) {
  // expected-error@+1 {{'sdy.data_flow_edge' op expects a static shape, found 'tensor<?xf32>'}}
  %0 = sdy.data_flow_edge %arg0 : tensor<?xf32>
  return
}

// -----

func.func @edge_uses(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expects to be the only user of its input}}
  %0 = sdy.data_flow_edge %arg0 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// -----

func.func @edge_of_sdy_op() {
  %0 = sdy.constant dense<1.0> : tensor<8xf32>
  // expected-error@+1 {{expects an input that no sdy op but named_computation defines, found sdy.constant}}
  %1 = sdy.data_flow_edge %0 : tensor<8xf32>
  return
}
