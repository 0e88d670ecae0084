// What later phases cannot take is refused with a reason.
// RUN: tandem-opt %s -split-input-file -tandem-verify-import -verify-diagnostics

func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %arg0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{dynamic shapes are not supported: found 'tensor<?xf32>'}}
func.func public @main(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{dynamic shapes are not supported}}
  return %arg0 : tensor<?xf32>
}

// -----

// expected-error @+1 {{expected a function @main with one block}}
module {
  func.func @f() {
    return
  }
}

// -----

func.func public @main() {
  return
}
// expected-error @+1 {{only @main may be left after import}}
func.func private @f() {
  return
}

// -----

func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{belongs to the GSPMD lowering}}
  %0 = stablehlo.custom_call @Sharding(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{element type 'i7' is not supported}}
func.func public @main(%arg0: tensor<4xi7>) {
  return
}

// -----

// expected-error @+1 {{element type 'complex<f16>' is not supported}}
func.func public @main(%arg0: tensor<4xcomplex<f16>>) {
  return
}

// -----

// expected-error @+1 {{is larger than any address space}}
func.func public @main(%arg0: tensor<99999999999x99999999999xf32>) {
  return
}

// -----

// expected-error @+1 {{argument 0: tf.aliasing_output is 1 : i32, expected the number of one of the 1 results}}
func.func public @main(%arg0: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{arguments 0 and 1 both have tf.aliasing_output 0, expected one at most}}
func.func public @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}

// -----

func.func public @main(%arg0: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{names device 1 of a program without a mesh, which runs on device 0; expected an sdy.mesh}}
  %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{names device 1 of a program without a mesh, which runs on device 0; expected an sdy.mesh}}
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=4]>
func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{names device 7 of a program on mesh @mesh with 4 devices; expected ids in source_target_pairs from 0 to 3}}
  %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<[[0, 1], [7, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{names device 4 of a program on mesh @mesh with 4 devices; expected ids in replica_groups from 0 to 3}}
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4]]> : tensor<1x5xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<20xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{expected a function @main with one block}}
func.func private @main(tensor<4xf32>) -> tensor<4xf32>

// -----

// expected-error @+1 {{argument 0 of type 'tensor<4xf32>', 16 bytes, has tf.aliasing_output 1, which is of type 'tensor<8xf32>', 32 bytes; expected a result of as many bytes}}
func.func public @main(%arg0: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %arg1: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  return %arg0, %arg1 : tensor<4xf32>, tensor<8xf32>
}

// -----

// Of as many bytes, but not the same: XLA takes it, and so does this.
// expected-warning @+1 {{argument 0 of type 'tensor<4xf32>' has tf.aliasing_output 0, which is of type 'tensor<4xi32>': the result is not written over it; expected a result of its type}}
func.func public @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xi32> {
  %0 = stablehlo.bitcast_convert %arg0 : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
