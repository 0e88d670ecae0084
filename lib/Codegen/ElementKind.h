//===- ElementKind.h - How elements are held in registers and memory -------*- C++ -*-===//
//
// A kernel's memory is dense, row-major bytes: i1 and the other sub-byte integers take one
// byte each, bf16, f16 and the 8-bit floats are raw bits. In registers:
//
//   integers       signless iN of the same width; signedness is asked of the tensor's type
//   f32, f64       themselves
//   f16, bf16, f8  f32, holding a value that the narrow type can represent: ops compute in f32
//                  and round each result (ScalarEmitter::round)
//   complex        complex<f32>, complex<f64>; never vectorised
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_LIB_CODEGEN_ELEMENTKIND_H
#define TANDEM_LIB_CODEGEN_ELEMENTKIND_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Value.h"

namespace tandem::codegen {

struct ElementKind {
  /// As the tensor has it: ui32, bf16, i1, ...
  mlir::Type element;
  /// In registers: i32, f32, i1, ...
  mlir::Type reg;
  /// In memory: an integer, f32 or f64 (a complex number's parts).
  mlir::Type memory;
  /// In memory, of the whole element.
  int64_t bytes = 0;

  bool isInteger() const { return mlir::isa<mlir::IntegerType>(element); }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(element); }
  bool isComplex() const { return mlir::isa<mlir::ComplexType>(element); }
  bool isBool() const { return element.isInteger(1); }
  /// Bools count as unsigned.
  bool isUnsigned() const { return element.isUnsignedInteger() || isBool(); }
  /// A float that is computed in f32.
  bool isNarrowFloat() const { return isFloat() && element != reg; }
  unsigned width() const { return element.getIntOrFloatBitWidth(); }
};

/// Of an element type for which isKernelElementType holds.
ElementKind elementKind(mlir::Type element);

/// Of the elements of a tensor value.
inline ElementKind elementKind(mlir::Value tensor) {
  return elementKind(mlir::getElementTypeOrSelf(tensor.getType()));
}

} // namespace tandem::codegen

#endif // TANDEM_LIB_CODEGEN_ELEMENTKIND_H
