//===- ScalarEmitter.h - Elementwise stablehlo and chlo ops ---------*- C++ -*-===//
//
// One element (or one vector of them) of each elementwise op, with StableHLO's semantics at the
// edges: integer division by zero gives all ones (the remainder its dividend), the quotient
// of the least integer by -1 wraps; shifts by the width or more give zero or the sign; floats
// convert to integers towards zero, saturating, NaN to zero; maximum and minimum give NaN if
// either is one. Narrow floats are computed in f32 and rounded after each op.
//
// f32's exp, log, log1p, expm1, tanh, sinh, cosh, erf, erfc, erf_inv, sin, cos, tan, logistic are
// polynomials and rational functions, exact at their special values and within a few units in the
// last place; sin and cos of more than 1e5 and everything else come from the C library, as does
// f64.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_LIB_CODEGEN_SCALAREMITTER_H
#define TANDEM_LIB_CODEGEN_SCALAREMITTER_H

#include "ScalarOps.h"

namespace tandem::codegen {

class ScalarEmitter : public ScalarOps {
public:
  using ScalarOps::ScalarOps;

  /// The result of an elementwise op (KernelOps.h). Operands are registers, scalars and vectors
  /// mixed; the result is a vector if one of them is.
  Value emit(mlir::Operation *op, llvm::ArrayRef<Value> operands);

  /// Registers to and from what lies in memory (ElementKind::memory). Not for complex numbers.
  Value fromMemory(Value bits, const ElementKind &kind);
  Value toMemory(Value value, const ElementKind &kind);
  /// To the nearest value that the narrow float `kind` represents; others unchanged.
  Value round(Value value, const ElementKind &kind);
  /// stablehlo.convert.
  Value convert(Value value, const ElementKind &from, const ElementKind &to);
  /// stablehlo.bitcast_convert between types of one width.
  Value bitcastConvert(Value value, const ElementKind &from, const ElementKind &to);

  /// A register of `kind` holding an attribute's value.
  Value literal(mlir::Attribute element, const ElementKind &kind);
  Value zero(const ElementKind &kind);

  Value addAny(Value a, Value b, const ElementKind &kind);
  Value mulAny(Value a, Value b, const ElementKind &kind);
  Value maxAny(Value a, Value b, const ElementKind &kind);
  Value minAny(Value a, Value b, const ElementKind &kind);

private:
  // ScalarEmitter.cpp: dispatch and arithmetic.
  Value emitFloat(mlir::Operation *op, llvm::ArrayRef<Value> v, const ElementKind &kind);
  Value emitInteger(mlir::Operation *op, llvm::ArrayRef<Value> v, const ElementKind &kind);
  Value compare(mlir::Operation *op, Value a, Value b, const ElementKind &kind);
  Value shift(mlir::Operation *op, Value a, Value b);
  Value divideInt(Value a, Value b, bool isUnsigned, bool remainder);
  /// The greater or smaller one: NaN if one is, and -0 is smaller than 0.
  Value extremeFloat(Value a, Value b, bool isMax);
  Value powerInt(Value a, Value b, bool isUnsigned);

  // ScalarComplex.cpp.
  Value complexFunction(llvm::StringRef name, llvm::ArrayRef<Value> operands);
  Value complexLog1p(Value z);
  Value squareComplex(Value z);
  Value extremeComplex(Value a, Value b, bool isMax);
  Value emitComplex(mlir::Operation *op, llvm::ArrayRef<Value> v, const ElementKind &kind);

  // ScalarConvert.cpp.
  /// f64 to f32, inexact values to the neighbour whose last bit is one: rounding that once more, to
  /// a narrow float, gives what rounding f64 once gives.
  Value roundToOdd(Value value);
  /// An integer in f32, to be rounded to a narrow float, in the same sense.
  Value intToNarrow(Value value, bool isUnsigned);
  Value floatToInt(Value value, unsigned width, bool isUnsigned);
  Value encodeFloat8(Value value, mlir::FloatType type);
  Value decodeFloat8(Value bits, mlir::FloatType type);
  Value reducePrecision(Value value, unsigned exponentBits, unsigned mantissaBits);

  // ScalarMath.cpp: functions, of f32 or f64 registers.
  /// x times 2 to the whole numbers n, rounded once; only where the target has an instruction.
  Value scaleByPower(Value x, Value n);
  /// extremeFloat of sixteen floats; only where the target has an instruction.
  Value extremeInOne(Value a, Value b, bool isMax);
  /// a / scalar of f32, bit for bit as the division rounds it, in a third of the time.
  Value divideByOne(Value a, Value scalar);
  Value function(mlir::Operation *op, llvm::ArrayRef<Value> v);
  Value exp(Value x);
  Value expm1(Value x);
  Value log(Value x);
  Value log1p(Value x);
  Value tanh(Value x);
  Value erf(Value x);
  Value erfc(Value x);
  Value erfInv(Value x);
  Value digamma(Value x);
  Value power(Value x, Value y);
  Value roundAwayFromZero(Value x);
  enum class Circular { Sine, Cosine, Tangent };
  Value circular(Value x, Circular which);
  Value nextAfter(Value x, Value y, const ElementKind &kind);
  /// 2^n for n between -126 and 127, of integers that lie in f32's bits.
  Value exp2i(Value n);

  // ScalarSpecial.cpp.
  Value hyperbolic(Value x, bool isSine);
  Value chebyshev(Value x, llvm::ArrayRef<double> coefficients);
  Value besselI1e(Value x);
  Value zeta(Value x, Value q);
  Value polygamma(Value n, Value x);
};

} // namespace tandem::codegen

#endif // TANDEM_LIB_CODEGEN_SCALAREMITTER_H
