// Arguments that are given up get the first result that fits them and that no other argument has.
// RUN: tandem-opt %s -split-input-file -verify-diagnostics -tandem-pair-donors | FileCheck %s
// RUN: tandem-opt %s -split-input-file -verify-diagnostics -tandem-pair-donors -tandem-pair-donors | FileCheck %s

// CHECK: @main(%arg0: tensor<4xf32> {jax.buffer_donor = true, tf.aliasing_output = 3 : i32}, %arg1: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<2xi32> {jax.buffer_donor = false})
func.func @main(%a: tensor<4xf32> {jax.buffer_donor = true}, %b: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %c: tensor<2xi32> {jax.buffer_donor = false})
    -> (tensor<2xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) {
  %0 = tandem.constant dense<0> : tensor<4xi32>
  return %c, %b, %0, %a : tensor<2xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>
}

// -----

// Another tile of the array is another array.
// CHECK: @main(%arg0: tensor<4xf32> {jax.buffer_donor = true, tandem.global_type = tensor<8xf32>})
// expected-warning @+1 {{argument 0 of type 'tensor<4xf32>' is donated (jax.buffer_donor), but no result of its type and sharding is left to take its bytes}}
func.func @main(%a: tensor<4xf32> {jax.buffer_donor = true, tandem.global_type = tensor<8xf32>})
    -> (tensor<4xf32> {tandem.global_type = tensor<4xf32>}) {
  return %a : tensor<4xf32>
}
