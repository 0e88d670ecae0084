// Sums and gathers on two link levels (rule A9): the same as on one device, and on the slow level
// only a share is sent. Nodes of four and of two devices; one level sends them as one.
// RUN: tandem run %s --unpartitioned --outputs %t.npz
// RUN: tandem run %s --expect %t.npz --target %S/two-levels.target.json
// RUN: tandem run %s --expect %t.npz --target %S/two-levels-pairs.target.json
// RUN: tandem run %s --expect %t.npz --target %S/two-levels.target.json --mesh node=2,gpu=2
// RUN: tandem run %s --expect %t.npz --target %S/two-levels-pairs.target.json --mesh node=2,gpu=2
// RUN: tandem run %s --expect %t.npz --target %S/two-levels.target.json --mesh node=1,gpu=1

// RUN: tandem explain --comm %s --target %S/two-levels.target.json | FileCheck %s
// CHECK-DAG: reduce-scatter f32 {{.*}} of 4 gpu all-reduce of partial results, in steps: reduce-scatter on the fast link level
// CHECK-DAG: all-reduce f32 {{.*}} of 2 node all-reduce of partial results, in steps: all-reduce on the slow link level
// CHECK-DAG: all-gather f32 {{.*}} of 4 gpu all-reduce of partial results, in steps: all-gather on the fast link level
// CHECK-DAG: all-gather f32 {{.*}} of 2 node all-gather of a value to the sharding a user needs, in steps: all-gather on the slow link level
// CHECK-DAG: reduce-scatter f32 {{.*}} of 2 node reduce-scatter of partial results, in steps: reduce-scatter on the slow link level
// RUN: tandem explain --comm --json %s --target %S/two-levels.target.json > %t.two
// RUN: tandem explain --comm --json %s > %t.one
// The bytes a device sends are the same.
// RUN: %python -c "import json, sys; a, b = (sum(r['wire_bytes'] * r['runs'] for r in json.load(open(f))['collectives']) for f in sys.argv[1:]); print(a, b); sys.exit(a != b)" %t.two %t.one
sdy.mesh @mesh = <["node"=2, "gpu"=4]>
func.func @main(
    %x: tensor<512x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"node", "gpu"}, {}]>},
    %y: tensor<512x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"node", "gpu"}, {}]>},
    %z: tensor<64x3x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"gpu", "node"}, {}, {}]>},
    %i: tensor<64x32xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"node", "gpu"}, {}]>})
    -> (tensor<128x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<128x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"node", "gpu"}, {}]>},
        tensor<128x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"gpu", "node"}]>},
        tensor<512x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<64x3x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>},
        tensor<3x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<32xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %dot = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x96xf32>) -> tensor<128x96xf32>
  %0 = stablehlo.tanh %dot : tensor<128x96xf32>
  %e = stablehlo.exponential %x : tensor<512x128xf32>
  %dot1 = stablehlo.dot_general %e, %y, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x96xf32>) -> tensor<128x96xf32>
  %s = stablehlo.sine %x : tensor<512x128xf32>
  %dot2 = stablehlo.dot_general %s, %y, contracting_dims = [0] x [0] : (tensor<512x128xf32>, tensor<512x96xf32>) -> tensor<128x96xf32>
  %3 = stablehlo.cosine %x : tensor<512x128xf32>
  %4 = stablehlo.cosine %z : tensor<64x3x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %5 = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
  %low = stablehlo.constant dense<-2147483648> : tensor<i32>
  %6 = stablehlo.reduce(%i init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<64x32xi32>, tensor<i32>) -> tensor<32xi32>
  return %0, %dot1, %dot2, %3, %4, %5, %6 : tensor<128x96xf32>, tensor<128x96xf32>, tensor<128x96xf32>, tensor<512x128xf32>, tensor<64x3x5xf32>, tensor<3x5xf32>, tensor<32xi32>
}
