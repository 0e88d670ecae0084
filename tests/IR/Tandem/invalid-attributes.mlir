// Attributes that are refused: buffers, streams, policies, and where they may stand.
// RUN: tandem-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected an offset that is a non-negative multiple of 64, found 4}}
func.func private @f() attributes {b = #tandem.buffer<temp, 4, 16>}

// -----

// expected-error@+1 {{expected an offset that is a non-negative multiple of 64, found -64}}
func.func private @f() attributes {b = #tandem.buffer<temp, -64, 16>}

// -----

// expected-error@+1 {{expected a non-negative number of bytes, found -1}}
func.func private @f() attributes {b = #tandem.buffer<temp, 0, -1>}

// -----

// expected-error@+1 {{expected at least one slot, found 0}}
func.func private @f() attributes {b = #tandem.buffer<temp, 0, 16, 0, 0>}

// -----

// expected-error@+1 {{a buffer of one slot has no stride, found 64}}
func.func private @f() attributes {b = #tandem.buffer<temp, 0, 16, 1, 64>}

// -----

// expected-error@+1 {{expected a stride of at least 128 bytes (one slot) and a multiple of 64, found 64}}
func.func private @f() attributes {b = #tandem.buffer<temp, 0, 128, 2, 64>}

// -----

// expected-error@+1 {{expected a stride of at least 16 bytes (one slot) and a multiple of 64, found 20}}
func.func private @f() attributes {b = #tandem.buffer<temp, 0, 16, 2, 20>}

// -----

// expected-error@+1 {{unknown arena 'stack'}}
func.func private @f() attributes {b = #tandem.buffer<stack, 0, 16>}

// -----

// expected-error@+1 {{unknown stream 'default'}}
func.func private @f() attributes {b = #tandem.stream<default>}

// -----

// expected-error@+1 {{unknown policy 'everything'}}
func.func private @f() attributes {b = #tandem.policy<everything>}

// -----

// Too small for the value.
func.func @small(%x: tensor<4xf32>) {
  // expected-error@+1 {{tandem.buffers: a 'tensor<4xf32>' needs 16 bytes, found a buffer of 8}}
  %0 = tandem.copy %x {tandem.buffers = [#tandem.buffer<temp, 0, 8>]} : tensor<4xf32>
  return
}

// -----

// One i1 takes a byte, one complex<f32> eight.
func.func @sizes(%x: tensor<9xi1>, %y: tensor<2xcomplex<f32>>) {
  %0 = tandem.copy %x {tandem.buffers = [#tandem.buffer<temp, 0, 9>]} : tensor<9xi1>
  // expected-error@+1 {{tandem.buffers: a 'tensor<2xcomplex<f32>>' needs 16 bytes, found a buffer of 15}}
  %1 = tandem.copy %y {tandem.buffers = [#tandem.buffer<temp, 0, 15>]} : tensor<2xcomplex<f32>>
  return
}

// -----

// A buffer per element of a future.
func.func @count(%x: tensor<4xf32>) {
  // expected-error@+1 {{tandem.buffers: expected 2 buffers, one per tensor (futures flattened), found 1}}
  %f = tandem.start(%a = %x : tensor<4xf32>) -> !tandem.future<tensor<4xf32>, tensor<4xf32>> attributes {tandem.buffers = [#tandem.buffer<temp, 0, 16>]} {
    %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    tandem.yield %0, %0 : tensor<4xf32>, tensor<4xf32>
  }
  %d:2 = tandem.done %f : !tandem.future<tensor<4xf32>, tensor<4xf32>>
  return
}

// -----

func.func @not_buffers(%x: tensor<4xf32>) {
  // expected-error@+1 {{tandem.buffers: expected a #tandem.buffer, found 1}}
  %0 = tandem.copy %x {tandem.buffers = [1]} : tensor<4xf32>
  return
}

// -----

func.func @not_an_array(%x: tensor<4xf32>) {
  // expected-error@+1 {{tandem.buffers: expected an array of #tandem.buffer, found 1}}
  %0 = tandem.copy %x {tandem.buffers = 1} : tensor<4xf32>
  return
}

// -----

func.func @arg_buffers(%x: tensor<4xf32>) {
  // expected-error@+1 {{tandem.arg_buffers belongs on a tandem.loop}}
  %0 = tandem.copy %x {tandem.arg_buffers = []} : tensor<4xf32>
  return
}

// -----

func.func @buffer_on_op(%x: tensor<4xf32>) {
  // expected-error@+1 {{tandem.buffer belongs on function arguments; ops have tandem.buffers}}
  %0 = tandem.copy %x {tandem.buffer = #tandem.buffer<temp, 0, 16>} : tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{tandem.buffer: a 'tensor<4xf32>' needs 16 bytes, found a buffer of 4}}
func.func @small_argument(%x: tensor<4xf32> {tandem.buffer = #tandem.buffer<argument 0, 0, 4>}) {
  return
}

// -----

func.func @stream(%x: tensor<4xf32>) {
  // expected-error@+1 {{tandem.stream: expected a #tandem.stream, found "compute"}}
  %0 = tandem.copy %x {tandem.stream = "compute"} : tensor<4xf32>
  return
}
