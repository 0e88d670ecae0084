// The forms of elementwise operations: generic in, pretty out, and pretty in again.
// RUN: tandem-opt %s | FileCheck %s
// RUN: tandem-opt %s | tandem-opt | FileCheck %s

// One operand, one type: the type is printed once.
// CHECK-LABEL: @unary
func.func @unary(%f: tensor<2xf32>, %i: tensor<2xi32>, %u: tensor<2xui8>, %p: tensor<2xi1>) {
  // CHECK: stablehlo.abs %arg0 : tensor<2xf32>
  %0 = "stablehlo.abs"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.cbrt %arg0 : tensor<2xf32>
  %1 = "stablehlo.cbrt"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.ceil %arg0 : tensor<2xf32>
  %2 = "stablehlo.ceil"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.count_leading_zeros %arg2 : tensor<2xui8>
  %3 = "stablehlo.count_leading_zeros"(%u) : (tensor<2xui8>) -> tensor<2xui8>
  // CHECK: stablehlo.cosine %arg0 : tensor<2xf32>
  %4 = "stablehlo.cosine"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.exponential %arg0 : tensor<2xf32>
  %5 = "stablehlo.exponential"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.exponential_minus_one %arg0 : tensor<2xf32>
  %6 = "stablehlo.exponential_minus_one"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.floor %arg0 : tensor<2xf32>
  %7 = "stablehlo.floor"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.log %arg0 : tensor<2xf32>
  %8 = "stablehlo.log"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.log_plus_one %arg0 : tensor<2xf32>
  %9 = "stablehlo.log_plus_one"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.logistic %arg0 : tensor<2xf32>
  %10 = "stablehlo.logistic"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.negate %arg1 : tensor<2xi32>
  %11 = "stablehlo.negate"(%i) : (tensor<2xi32>) -> tensor<2xi32>
  // CHECK: stablehlo.not %arg3 : tensor<2xi1>
  %12 = "stablehlo.not"(%p) : (tensor<2xi1>) -> tensor<2xi1>
  // CHECK: stablehlo.popcnt %arg1 : tensor<2xi32>
  %13 = "stablehlo.popcnt"(%i) : (tensor<2xi32>) -> tensor<2xi32>
  // CHECK: stablehlo.round_nearest_afz %arg0 : tensor<2xf32>
  %14 = "stablehlo.round_nearest_afz"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.round_nearest_even %arg0 : tensor<2xf32>
  %15 = "stablehlo.round_nearest_even"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.rsqrt %arg0 : tensor<2xf32>
  %16 = "stablehlo.rsqrt"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.sign %arg1 : tensor<2xi32>
  %17 = "stablehlo.sign"(%i) : (tensor<2xi32>) -> tensor<2xi32>
  // CHECK: stablehlo.sine %arg0 : tensor<2xf32>
  %18 = "stablehlo.sine"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.sqrt %arg0 : tensor<2xf32>
  %19 = "stablehlo.sqrt"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.tan %arg0 : tensor<2xf32>
  %20 = "stablehlo.tan"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.tanh %arg0 : tensor<2xf32>
  %21 = "stablehlo.tanh"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// Another element type in the result: the whole function type, unless it is the same.
// CHECK-LABEL: @unary_other_type
func.func @unary_other_type(%f: tensor<2xf32>, %z: tensor<2xcomplex<f32>>, %v: tensor<4xf8E4M3FN>) {
  // CHECK: stablehlo.abs %arg1 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %0 = "stablehlo.abs"(%z) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: stablehlo.real %arg1 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = "stablehlo.real"(%z) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: stablehlo.imag %arg0 : tensor<2xf32>
  %2 = "stablehlo.imag"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.is_finite %arg0 : (tensor<2xf32>) -> tensor<2xi1>
  %3 = "stablehlo.is_finite"(%f) : (tensor<2xf32>) -> tensor<2xi1>
  // CHECK: stablehlo.convert %arg2 : (tensor<4xf8E4M3FN>) -> tensor<4xbf16>
  %4 = "stablehlo.convert"(%v) : (tensor<4xf8E4M3FN>) -> tensor<4xbf16>
  // CHECK: stablehlo.convert %arg0 : tensor<2xf32>
  %5 = "stablehlo.convert"(%f) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.bitcast_convert %arg0 : (tensor<2xf32>) -> tensor<2x4xi8>
  %6 = "stablehlo.bitcast_convert"(%f) : (tensor<2xf32>) -> tensor<2x4xi8>
  // CHECK: stablehlo.reduce_precision %arg0, format = e5m10 : tensor<2xf32>
  %7 = "stablehlo.reduce_precision"(%f) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: @binary
func.func @binary(%f: tensor<2xf32>, %i: tensor<2xi32>, %p: tensor<2xi1>) {
  // CHECK: stablehlo.add %arg2, %arg2 : tensor<2xi1>
  %0 = "stablehlo.add"(%p, %p) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  // CHECK: stablehlo.and %arg1, %arg1 : tensor<2xi32>
  %1 = "stablehlo.and"(%i, %i) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // CHECK: stablehlo.atan2 %arg0, %arg0 : tensor<2xf32>
  %2 = "stablehlo.atan2"(%f, %f) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.divide %arg0, %arg0 : tensor<2xf32>
  %3 = "stablehlo.divide"(%f, %f) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.maximum %arg0, %arg0 : tensor<2xf32>
  %4 = "stablehlo.maximum"(%f, %f) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.minimum %arg0, %arg0 : tensor<2xf32>
  %5 = "stablehlo.minimum"(%f, %f) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.multiply %arg0, %arg0 : tensor<2xf32>
  %6 = "stablehlo.multiply"(%f, %f) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.or %arg2, %arg2 : tensor<2xi1>
  %7 = "stablehlo.or"(%p, %p) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  // CHECK: stablehlo.power %arg0, %arg0 : tensor<2xf32>
  %8 = "stablehlo.power"(%f, %f) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.remainder %arg1, %arg1 : tensor<2xi32>
  %9 = "stablehlo.remainder"(%i, %i) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // CHECK: stablehlo.shift_left %arg1, %arg1 : tensor<2xi32>
  %10 = "stablehlo.shift_left"(%i, %i) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // CHECK: stablehlo.shift_right_arithmetic %arg1, %arg1 : tensor<2xi32>
  %11 = "stablehlo.shift_right_arithmetic"(%i, %i) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // CHECK: stablehlo.shift_right_logical %arg1, %arg1 : tensor<2xi32>
  %12 = "stablehlo.shift_right_logical"(%i, %i) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // CHECK: stablehlo.subtract %arg0, %arg0 : tensor<2xf32>
  %13 = "stablehlo.subtract"(%f, %f) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.xor %arg1, %arg1 : tensor<2xi32>
  %14 = "stablehlo.xor"(%i, %i) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  // CHECK: stablehlo.complex %arg0, %arg0 : tensor<2xcomplex<f32>>
  %15 = "stablehlo.complex"(%f, %f) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return
}

// The comparison's type may be left out.
// CHECK-LABEL: @compare
func.func @compare(%f: tensor<2xf32>, %i: tensor<2xi32>) {
  // CHECK: stablehlo.compare EQ, %arg0, %arg0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %0 = "stablehlo.compare"(%f, %f) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  // CHECK: stablehlo.compare LE, %arg0, %arg0, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %1 = "stablehlo.compare"(%f, %f) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  // CHECK: stablehlo.compare GT, %arg1, %arg1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %2 = stablehlo.compare  GT, %i, %i,  SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// Three operands: scalars force the long form.
// CHECK-LABEL: @ternary
func.func @ternary(%f: tensor<2xf32>, %s: tensor<f32>, %p: tensor<2xi1>, %b: tensor<i1>) {
  // CHECK: stablehlo.clamp %arg0, %arg0, %arg0 : tensor<2xf32>
  %0 = "stablehlo.clamp"(%f, %f, %f) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.clamp %arg1, %arg0, %arg1 : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = "stablehlo.clamp"(%s, %f, %s) : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: stablehlo.select %arg2, %arg0, %arg0 : tensor<2xi1>, tensor<2xf32>
  %2 = "stablehlo.select"(%p, %f, %f) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.select %arg3, %arg0, %arg0 : tensor<i1>, tensor<2xf32>
  %3 = stablehlo.select %b, %f, %f : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// Accuracy: fields that are zero are not printed.
// CHECK-LABEL: @accuracy
func.func @accuracy(%f: tensor<2xf32>) {
  // CHECK: stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
  %0 = "stablehlo.exponential"(%f) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-05, rtol = 0.0, ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  %1 = stablehlo.tanh %f {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  return
}

// Attributes that no one here knows stay.
// CHECK-LABEL: @discardable
func.func @discardable(%f: tensor<2xf32>) {
  // CHECK: stablehlo.add %arg0, %arg0 {mhlo.note = {a = 1 : i32}} : tensor<2xf32>
  %0 = stablehlo.add %f, %f {mhlo.note = {a = 1 : i32}} : tensor<2xf32>
  return
}
