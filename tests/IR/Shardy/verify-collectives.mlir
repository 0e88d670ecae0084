// One case per rule of the sdy collectives.
// RUN: tandem-opt %s -split-input-file -verify-diagnostics

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @operand_without_sharding(%arg0: tensor<8x8xf32>) {
  // expected-error@+1 {{'sdy.all_gather' op expects an operand with a sharding}}
  %0 = sdy.all_gather [{}, {"a"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @out_sharding(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error@+1 {{'sdy.all_gather' op unknown axis "c"}}
  %0 = sdy.all_gather [{}, {"a"}] %arg0 out_sharding=<@mesh, [{}, {"c"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
sdy.mesh @other = <["a"=2, "b"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
func.func @meshes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error@+1 {{expects the operand's mesh #sdy.mesh<["a"=2, "b"=4]>, found #sdy.mesh<["a"=2, "b"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>}}
  %0 = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@other, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @axes_rank(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error@+1 {{expects 2 lists of axes, one per dimension, found 1}}
  %0 = sdy.all_gather [{"a"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @axes_twice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error@+1 {{axis "a" is used twice}}
  %0 = sdy.all_gather [{"a"}, {"a"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @gather_not_minor(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  // expected-error@+1 {{expects {"a"} on the minor side of the operand's dimension 0, found {"a", "b"}}}
  %0 = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @gather_major_part(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) {
  // expected-error@+1 {{expects {"b":(1)2} on the minor side of the operand's dimension 0, found {"b"}}}
  %0 = sdy.all_gather [{"b":(1)2}, {}] %arg0 out_sharding=<@mesh, [{"b":(2)2}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @gather_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  // expected-error@+1 {{expects out_sharding {"a", "b":(1)2} in dimension 0, found {"a"}}}
  %0 = sdy.all_gather [{"b":(2)2}, {}] %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @slice_result(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) {
  // expected-error@+1 {{'sdy.all_slice' op expects out_sharding {"b", "a"} in dimension 0, found {"a", "b"}}}
  %0 = sdy.all_slice [{"a"}, {}] %arg0 out_sharding=<@mesh, [{"a", "b"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @reduce_scatter_result(%arg0: tensor<8x8xf32>) {
  // expected-error@+1 {{'sdy.reduce_scatter' op expects out_sharding {"a"} in dimension 1, found {}}}
  %0 = sdy.reduce_scatter [{}, {"a"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @no_moves(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) {
  // expected-error@+1 {{'sdy.all_to_all' op expects at least one move of axes}}
  %0 = sdy.all_to_all [] %arg0 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @move_range(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) {
  // expected-error@+1 {{expects dimensions from 0 to 1, found 2}}
  %0 = sdy.all_to_all [{"b"}: 0->2] %arg0 out_sharding=<@mesh, [{}, {"b"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @move_twice(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}]>}) {
  // expected-error@+1 {{dimension 1 takes part in two moves}}
  %0 = sdy.all_to_all [{"b"}: 0->1, {"a"}: 1->0] %arg0 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @move_order(%arg0: tensor<8x8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"a"}, {}, {}]>}) {
  // expected-error@+1 {{expects moves in order of their source dimension, found 0 after 1}}
  %0 = sdy.all_to_all [{"a"}: 1->2, {"b"}: 0->3] %arg0 out_sharding=<@mesh, [{}, {}, {"a"}, {"b"}]> : tensor<8x8x8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @move_source(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error@+1 {{expects {"b"} on the minor side of the operand's dimension 0, found {"a"}}}
  %0 = sdy.all_to_all [{"b"}: 0->1] %arg0 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @move_other_dims(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}, {"a"}]>}) {
  // expected-error@+1 {{expects out_sharding {"a"} in dimension 2, found {}}}
  %0 = sdy.all_to_all [{"b"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"b"}, {}]> : tensor<8x8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @permute_parts(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error@+1 {{expects 2 parts in dimension 0 as in the operand, found 4}}
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
sdy.mesh @other = <["a"=2]>
func.func @permute_meshes(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error@+1 {{expects the axes of the operand's mesh #sdy.mesh<["a"=2, "b"=4]>, found #sdy.mesh<["a"=2]>}}
  %0 = sdy.collective_permute %arg0 out_sharding=<@other, [{"a"}, {}]> : tensor<8x8xf32>
  return
}

// -----

// Another order of the devices is what a permute may change.
sdy.mesh @mesh = <["a"=2]>
sdy.mesh @other = <["a"=2], device_ids=[1, 0]>
func.func @permute_devices(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  %0 = sdy.collective_permute %arg0 out_sharding=<@other, [{"a"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @reduce_dims(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error@+1 {{'sdy.all_reduce' op expects out_sharding {"a"} in dimension 0, found {}}}
  %0 = sdy.all_reduce {"b"} %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @reduce_split_axis(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2}, {}]>}) {
  // expected-error@+1 {{reduction axis "b" splits or replicates the operand}}
  %0 = sdy.all_reduce {"b"} %arg0 out_sharding=<@mesh, [{"b":(1)2}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @reduce_unreduced(%arg0: tensor<8x8xf32>) {
  // expected-error@+1 {{reduction axis "b" is unreduced in out_sharding}}
  %0 = sdy.all_reduce {"b"} %arg0 out_sharding=<@mesh, [{}, {}], unreduced={"b"}> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @sharded_to_unreduced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  // expected-error@+1 {{expects unreduced axes {"b"} in out_sharding, found {}}}
  %0 = sdy.sharded_to_unreduced [{"b"}, {}] %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @replicated_to_unreduced(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error@+1 {{axis "a" is used twice}}
  %0 = sdy.replicated_to_unreduced {"a"} %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
  return
}
