// Every program of the corpus, as JAX and Shardy printed it, parses, verifies, and comes out
// as it went in: pretty, generic, with locations, and by way of the generic form.
// RUN: %python %S/round-trip-corpus.py %corpus | FileCheck %s
// CHECK-NOT: stablehlo.mlir:
// CHECK: files (stablehlo {{[0-9]+}}, gspmd {{[0-9]+}}, sdy_propagated {{[0-9]+}}, generic {{[0-9]+}}, debuginfo {{[0-9]+}}), 0 differ

// The comparison sees a program that prints otherwise, and one that does not parse.
// RUN: not %python %S/round-trip-corpus.py %S/Inputs/other-form.stablehlo.mlir | FileCheck %s --check-prefix=OTHER
// OTHER: other-form.stablehlo.mlir: printed otherwise
// OTHER: 1 files (stablehlo 1), 1 differ
// RUN: not %python %S/round-trip-corpus.py %S/Inputs/no-such-op.stablehlo.mlir | FileCheck %s --check-prefix=REJECTED
// REJECTED: no-such-op.stablehlo.mlir: rejected
// REJECTED: unregistered operation 'stablehlo.frobnicate'
