// Factorisations and transforms of matrices that lie on several devices, or of which the rows do.
// RUN: tandem run %s --seed 3 --outputs %t.npz | FileCheck %s
// RUN: tandem run %s --seed 3 --unpartitioned --expect %t.npz
// CHECK: devices 4 (d=4)
module {
  sdy.mesh @mesh = <["d"=4]>
  func.func public @main(%arg0: tensor<8x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}, {}]>}, %arg1: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}]>}) -> (tensor<8x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}, {}]>}, tensor<8x6x6xf32>, tensor<8x12xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg0, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x6x6xf32>, tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
    %i = stablehlo.iota dim = 1 : tensor<8x6x6xi32>
    %j = stablehlo.iota dim = 2 : tensor<8x6x6xi32>
    %e = stablehlo.compare EQ, %i, %j : (tensor<8x6x6xi32>, tensor<8x6x6xi32>) -> tensor<8x6x6xi1>
    %u = stablehlo.convert %e : (tensor<8x6x6xi1>) -> tensor<8x6x6xf32>
    %1 = stablehlo.add %0, %u : tensor<8x6x6xf32>
    %2 = stablehlo.cholesky %1, lower = true : tensor<8x6x6xf32>
    %3 = "stablehlo.triangular_solve"(%2, %arg0) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<8x6x6xf32>, tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
    %4 = stablehlo.complex %arg1, %arg1 : tensor<8x12xcomplex<f32>>
    %5 = stablehlo.fft %4, type = FFT, length = [12] : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xcomplex<f32>>
    return %2, %3, %5 : tensor<8x6x6xf32>, tensor<8x6x6xf32>, tensor<8x12xcomplex<f32>>
  }
}
