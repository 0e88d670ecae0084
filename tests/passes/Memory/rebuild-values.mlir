// RUN: tandem-opt %s -split-input-file -tandem-rebuild-values | FileCheck %s
// Running it twice gives the same.
// RUN: tandem-opt %s -split-input-file -tandem-rebuild-values -tandem-rebuild-values | FileCheck %s
// RUN: tandem-opt %s -split-input-file -tandem-rebuild-values -mlir-print-debuginfo | FileCheck %s --check-prefix=CAUSE

// What the second product makes and reads is the peak; the value that waits there is computed again from an argument.
// CHECK-LABEL: @again
// CHECK: %[[R:.*]] = tandem.kernel(%{{.*}} = %arg0
// CHECK: tandem.gemm(%{{.*}} = %[[R]]
// CHECK-NOT: tandem.kernel
// CHECK: %[[D:.*]] = tandem.gemm
// CHECK: %[[D:.*]] = tandem.gemm
// CHECK: %[[R2:.*]] = tandem.kernel(%{{.*}} = %arg0
// CHECK-NEXT: stablehlo.negate
// CHECK: tandem.kernel(%{{.*}} = %[[R2]] : tensor<1024x1024xf32>, %{{.*}} = %[[D]]
// CAUSE: "computed again, not kept"
func.func @again(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %r = tandem.kernel(%x = %a : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.negate %x : tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %b = tandem.gemm(%x = %r : tensor<1024x1024xf32>, %y = %r : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %c = tandem.gemm(%x = %b : tensor<1024x1024xf32>, %y = %b : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %d = tandem.gemm(%x = %c : tensor<1024x1024xf32>, %y = %c : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %e = tandem.kernel(%x = %r : tensor<1024x1024xf32>, %y = %d : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> attributes {in_place = array<i64: 0, 1>} {
    %0 = stablehlo.add %x, %y : tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  return %e : tensor<1024x1024xf32>
}

// -----

// What it is made of would have to be kept instead.
// CHECK-LABEL: @no_gain
// CHECK-COUNT-2: tandem.kernel
// CHECK-NOT: tandem.kernel
func.func @no_gain(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %z = tandem.gemm(%x = %a : tensor<1024x1024xf32>, %y = %a : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %r = tandem.kernel(%x = %z : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.negate %x : tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %b = tandem.gemm(%x = %r : tensor<1024x1024xf32>, %y = %r : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %c = tandem.gemm(%x = %b : tensor<1024x1024xf32>, %y = %b : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %d = tandem.gemm(%x = %c : tensor<1024x1024xf32>, %y = %c : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %e = tandem.kernel(%x = %r : tensor<1024x1024xf32>, %y = %d : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> attributes {in_place = array<i64: 0, 1>} {
    %0 = stablehlo.add %x, %y : tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  return %e : tensor<1024x1024xf32>
}

// -----

// Few bytes are not worth a kernel.
// CHECK-LABEL: @small
// CHECK-COUNT-2: tandem.kernel
// CHECK-NOT: tandem.kernel
func.func @small(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = tandem.kernel(%x = %a : tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.negate %x : tensor<64x64xf32>
    tandem.yield %0 : tensor<64x64xf32>
  }
  %b = tandem.gemm(%x = %r : tensor<64x64xf32>, %y = %r : tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    tandem.yield %0 : tensor<64x64xf32>
  }
  %c = tandem.gemm(%x = %b : tensor<64x64xf32>, %y = %b : tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    tandem.yield %0 : tensor<64x64xf32>
  }
  %d = tandem.gemm(%x = %c : tensor<64x64xf32>, %y = %c : tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    tandem.yield %0 : tensor<64x64xf32>
  }
  %e = tandem.kernel(%x = %r : tensor<64x64xf32>, %y = %d : tensor<64x64xf32>) -> tensor<64x64xf32> attributes {in_place = array<i64: 0, 1>} {
    %0 = stablehlo.add %x, %y : tensor<64x64xf32>
    tandem.yield %0 : tensor<64x64xf32>
  }
  return %e : tensor<64x64xf32>
}

// -----

// They are where the limit says so: 16,384 for the argument, three values as large for the rest.
// CHECK-LABEL: @limited
// CHECK-COUNT-3: tandem.kernel
module attributes {tandem.memory_limit = 49152 : i64} {
func.func @limited(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = tandem.kernel(%x = %a : tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.negate %x : tensor<64x64xf32>
    tandem.yield %0 : tensor<64x64xf32>
  }
  %b = tandem.gemm(%x = %r : tensor<64x64xf32>, %y = %r : tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    tandem.yield %0 : tensor<64x64xf32>
  }
  %c = tandem.gemm(%x = %b : tensor<64x64xf32>, %y = %b : tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    tandem.yield %0 : tensor<64x64xf32>
  }
  %d = tandem.gemm(%x = %c : tensor<64x64xf32>, %y = %c : tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    tandem.yield %0 : tensor<64x64xf32>
  }
  %e = tandem.kernel(%x = %r : tensor<64x64xf32>, %y = %d : tensor<64x64xf32>) -> tensor<64x64xf32> attributes {in_place = array<i64: 0, 1>} {
    %0 = stablehlo.add %x, %y : tensor<64x64xf32>
    tandem.yield %0 : tensor<64x64xf32>
  }
  return %e : tensor<64x64xf32>
}
}

// -----

// Of two results only the one that waits is computed again, and not the first time any more than what is used.
// CHECK-LABEL: @part
// CHECK: tandem.kernel
// CHECK-COUNT-3: tandem.gemm
// CHECK: tandem.kernel(%{{.*}} = %arg0 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
// CHECK-NEXT: stablehlo.negate
// CHECK-NEXT: tandem.yield
func.func @part(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %k:2 = tandem.kernel(%x = %a : tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<1024x1024xf32>) {
    %0 = stablehlo.abs %x : tensor<1024x1024xf32>
    %1 = stablehlo.negate %x : tensor<1024x1024xf32>
    tandem.yield %0, %1 : tensor<1024x1024xf32>, tensor<1024x1024xf32>
  }
  %b = tandem.gemm(%x = %k#0 : tensor<1024x1024xf32>, %y = %k#0 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %c = tandem.gemm(%x = %b : tensor<1024x1024xf32>, %y = %b : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %d = tandem.gemm(%x = %c : tensor<1024x1024xf32>, %y = %c : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  %e = tandem.kernel(%x = %k#1 : tensor<1024x1024xf32>, %y = %d : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> attributes {in_place = array<i64: 0, 1>} {
    %0 = stablehlo.add %x, %y : tensor<1024x1024xf32>
    tandem.yield %0 : tensor<1024x1024xf32>
  }
  return %e : tensor<1024x1024xf32>
}
