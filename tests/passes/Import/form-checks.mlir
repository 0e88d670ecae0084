// RUN: tandem-opt %s -split-input-file --tandem-inline-calls --tandem-form-checks | FileCheck %s

// Every op of the dialect; a program's only public function is its entry.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: custom_call @check.expect_eq(%arg0, %arg1) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]>
// CHECK-NEXT: custom_call @check.expect_eq(%arg0, %[[C]])
// CHECK-NEXT: custom_call @check.expect_almost_eq(%arg0, %arg1) {{.*}}mhlo.backend_config = {tolerance = 1.000000e-04 : f64}
// CHECK-NEXT: %[[D:.*]] = stablehlo.constant dense<3.000000e+00>
// CHECK-NEXT: custom_call @check.expect_almost_eq(%arg0, %[[D]]) {{.*}}mhlo.backend_config = {tolerance = 1.000000e-01 : f64}
// CHECK-NEXT: custom_call @check.expect_close(%arg0, %arg1) {{.*}}mhlo.backend_config = {max_ulp_difference = 3 : i64, min_ulp_difference = 0 : i64}
// CHECK-NEXT: return
func.func @checks(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  check.expect_eq %x, %y : tensor<2xf32>
  check.expect_eq_const %x, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_almost_eq %x, %y : tensor<2xf32>
  check.expect_almost_eq_const %x, dense<3.0> : tensor<2xf32> {tolerance = 0.1 : f64}
  check.expect_close %x, %y, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  return
}

// -----

// Helpers are no entries.
// CHECK-LABEL: func.func public @main()
// CHECK: custom_call @check.expect_close({{.*}}min_ulp_difference = 1 : i64
// CHECK-NOT: func.func
func.func private @helper() -> tensor<f64> {
  %0 = stablehlo.constant dense<1.0> : tensor<f64>
  return %0 : tensor<f64>
}
func.func public @entry() {
  %0 = call @helper() : () -> tensor<f64>
  check.expect_close %0, %0, max_ulp_difference = 2, min_ulp_difference = 1 : tensor<f64>, tensor<f64>
  return
}
