module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xcomplex<f32>>) -> (tensor<4x8xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<4x8xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<4x5xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<4x8xf32> {jax.result_info = "result[3]"}, tensor<4x8xcomplex<f32>> {jax.result_info = "result[4]"}, tensor<4x8xcomplex<f32>> {jax.result_info = "result[5]"}, tensor<4x8xf32> {jax.result_info = "result[6]"}, tensor<4x8xf32> {jax.result_info = "result[7]"}, tensor<4x8xcomplex<f32>> {jax.result_info = "result[8]"}, tensor<4x8xf32> {jax.result_info = "result[9]"}, tensor<4x8xcomplex<f32>> {jax.result_info = "result[10]"}, tensor<4x8xf32> {jax.result_info = "result[11]"}) {
    %0 = call @fft(%arg1) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %1 = call @fft_0(%arg1) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %2 = call @fft_1(%arg0) : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
    %3 = call @fft_1(%arg0) : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
    %4 = call @fft_2(%3) : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
    %5 = call @fft_3(%arg1) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %6 = stablehlo.real %arg1 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %7 = stablehlo.imag %arg1 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %8 = stablehlo.negate %7 : tensor<4x8xf32>
    %9 = stablehlo.complex %6, %8 : tensor<4x8xcomplex<f32>>
    %10 = stablehlo.multiply %arg1, %9 : tensor<4x8xcomplex<f32>>
    %11 = stablehlo.real %arg1 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %12 = stablehlo.imag %arg1 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %13 = stablehlo.complex %arg0, %arg0 : tensor<4x8xcomplex<f32>>
    %14 = stablehlo.abs %arg1 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %15 = stablehlo.convert %arg0 : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
    %cst = stablehlo.constant dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>
    %16 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<4x8xcomplex<f32>>
    %17 = stablehlo.multiply %16, %15 : tensor<4x8xcomplex<f32>>
    %18 = stablehlo.exponential %17 : tensor<4x8xcomplex<f32>>
    %19 = call @angle(%arg1) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    return %0, %1, %2, %4, %5, %10, %11, %12, %13, %14, %18, %19 : tensor<4x8xcomplex<f32>>, tensor<4x8xcomplex<f32>>, tensor<4x5xcomplex<f32>>, tensor<4x8xf32>, tensor<4x8xcomplex<f32>>, tensor<4x8xcomplex<f32>>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xcomplex<f32>>, tensor<4x8xf32>, tensor<4x8xcomplex<f32>>, tensor<4x8xf32>
  }
  func.func private @fft(%arg0: tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [8] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    return %0 : tensor<4x8xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [8] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    return %0 : tensor<4x8xcomplex<f32>>
  }
  func.func private @fft_1(%arg0: tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [8] : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
    return %0 : tensor<4x5xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [8] : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
  func.func private @fft_3(%arg0: tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [4, 8] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    return %0 : tensor<4x8xcomplex<f32>>
  }
  func.func private @angle(%arg0: tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32> {
    %0 = stablehlo.real %arg0 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %1 = stablehlo.imag %arg0 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %2 = stablehlo.atan2 %1, %0 : tensor<4x8xf32>
    return %2 : tensor<4x8xf32>
  }
}
