// A gather that an op forces is told with the op and the reason (rule A8).
// RUN: tandem explain --comm %s | FileCheck %s
// CHECK: all-gather because stablehlo.sort needs dimension 0 whole for argument 0 ({{.*}}gather-causes.mlir:[[@LINE+8]]:8)
// RUN: tandem compile %s -o %t.program --remarks %t.yaml
// RUN: FileCheck %s --check-prefix=REMARK --input-file %t.yaml
// REMARK: place: {{.*}}gather-causes.mlir:[[@LINE+5]]:8
// REMARK-NEXT: operands are gathered because stablehlo.sort needs dimension 0 whole: 12288 bytes received by each device
// REMARK-NOT: Remark
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = stablehlo.compare LT, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4096xf32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}
