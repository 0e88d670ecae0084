// Conversions between element types, and between registers and memory.

#include "ScalarEmitter.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using IPred = mlir::arith::CmpIPredicate;
using FPred = mlir::arith::CmpFPredicate;

namespace tandem::codegen {

//===--- Registers and memory ---===//

Value ScalarEmitter::fromMemory(Value bits, const ElementKind &kind) {
  if (kind.isInteger()) {
    if (kind.isBool())
      return cmp(IPred::ne, bits, 0);
    return resizeInt(bits, kind.width(), kind.isUnsigned());
  }
  if (!kind.isNarrowFloat())
    return bits;
  if (kind.element.isBF16())
    return bitcast(shl(resizeInt(bits, 32, /*isUnsigned=*/true), 16), kind.reg);
  if (kind.element.isF16())
    return k.make<arith::ExtFOp>(like(bits, kind.reg), bitcast(bits, kind.element));
  return decodeFloat8(bits, cast<FloatType>(kind.element));
}

Value ScalarEmitter::toMemory(Value value, const ElementKind &kind) {
  if (kind.isInteger())
    return resizeInt(value, kind.memory.getIntOrFloatBitWidth(), kind.isUnsigned());
  if (!kind.isNarrowFloat())
    return value;
  // The value is exact in the narrow type already.
  if (kind.element.isBF16())
    return resizeInt(lshr(bitsOf(value), 16), 16, /*isUnsigned=*/true);
  if (kind.element.isF16())
    return bitcast(k.make<arith::TruncFOp>(like(value, kind.element), value), kind.memory);
  return encodeFloat8(value, cast<FloatType>(kind.element));
}

Value ScalarEmitter::round(Value value, const ElementKind &kind) {
  if (!kind.isNarrowFloat())
    return value;
  if (kind.element.isBF16()) {
    // To nearest, ties to even, on the bits; a NaN stays one.
    Value bits = bitsOf(value);
    Value isOdd = andi(lshr(bits, 16), 1);
    Value rounded = addi(addi(bits, 0x7fff), isOdd);
    Value quiet = ori(bits, 0x400000);
    Value kept = andi(select(isNan(value), quiet, rounded), 0xffff0000);
    return bitcast(kept, kind.reg);
  }
  if (kind.element.isF16())
    return k.make<arith::ExtFOp>(value.getType(),
                                 k.make<arith::TruncFOp>(like(value, kind.element), value));
  auto type = cast<FloatType>(kind.element);
  return decodeFloat8(encodeFloat8(value, type), type);
}

//===--- 8-bit floats ---===//

Value ScalarEmitter::decodeFloat8(Value bits, FloatType type) {
  // A table of all 256 values.
  std::string name;
  llvm::raw_string_ostream(name) << "decode_" << type;
  auto module = k.raw().getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto pointer = LLVM::LLVMPointerType::get(k.context());
  Type f32 = Float32Type::get(k.context());
  if (!module.lookupSymbol(name)) {
    llvm::SmallVector<float> values;
    for (unsigned code = 0; code < 256; ++code) {
      llvm::APFloat value(type.getFloatSemantics(), llvm::APInt(8, code));
      bool losesInfo;
      value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      values.push_back(value.convertToFloat());
    }
    OpBuilder::InsertionGuard guard(k.raw());
    k.raw().setInsertionPointToStart(module.getBody());
    k.put<LLVM::GlobalOp>(
        LLVM::LLVMArrayType::get(f32, 256), /*isConstant=*/true, LLVM::Linkage::Internal, name,
        DenseElementsAttr::get(RankedTensorType::get({256}, f32), llvm::ArrayRef<float>(values)));
  }
  return mapLanes({bits}, f32, [&](ArrayRef<Value> lane) {
    Value table = k.make<LLVM::AddressOfOp>(pointer, name);
    Value offset = resizeInt(lane[0], 64, /*isUnsigned=*/true);
    return k.load({table, offset, f32}, /*invariant=*/true);
  });
}

Value ScalarEmitter::encodeFloat8(Value value, FloatType type) {
  const llvm::fltSemantics &format = type.getFloatSemantics();
  // Of the format: mantissa bits, the least normal exponent, the code of the largest finite
  // value, and what stands for NaN and for too large values.
  int mantissa = llvm::APFloat::semanticsPrecision(format) - 1;
  int minExponent = llvm::APFloat::semanticsMinExponent(format);
  auto codeOf = [](const llvm::APFloat &f) {
    return int64_t(f.bitcastToAPInt().getZExtValue() & 0x7f);
  };
  int64_t largest = codeOf(llvm::APFloat::getLargest(format));
  bool hasInf = llvm::APFloat::semanticsHasInf(format);
  bool hasNegativeZero = llvm::APFloat::getZero(format, true).isNegative();
  int64_t nan = int64_t(llvm::APFloat::getNaN(format).bitcastToAPInt().getZExtValue());
  int64_t overflow = hasInf ? codeOf(llvm::APFloat::getInf(format)) : nan;

  Value bits = bitsOf(value);
  Value sign = andi(lshr(bits, 24), 0x80);
  Value magnitude = andi(bits, 0x7fffffff);
  // Normal results: round the mantissa to nearest even, and move the exponent's bias.
  int drop = 23 - mantissa;
  Value isOdd = andi(lshr(magnitude, drop), 1);
  Value rounded = addi(addi(magnitude, (int64_t(1) << (drop - 1)) - 1), isOdd);
  Value normal = addi(lshr(rounded, drop), -(int64_t(127 - 1 + minExponent) << mantissa));
  // Subnormal results: adding a number whose last place is the format's rounds to it.
  double aligner = std::ldexp(1.0, minExponent - mantissa + 23);
  Value asFloat = bitcast(magnitude, scalarType(value));
  Value aligned = bitsOf(add(asFloat, aligner));
  Value subnormal = subi(aligned, bitsOf(f(value, aligner)));
  Value isSubnormal = cmp(FPred::OLT, asFloat, std::ldexp(1.0, minExponent));
  Value code = select(isSubnormal, subnormal, normal);
  Value isTooLarge = cmp(IPred::sgt, code, largest);
  code = select(isTooLarge, i(code, overflow), code);
  if (hasNegativeZero) {
    code = ori(select(isNan(value), i(code, nan), code), sign);
  } else {
    // The code of -0 is NaN's: neither has a sign.
    Value isSigned = cmp(IPred::ne, andi(code, 0x7f), 0);
    code = select(isSigned, ori(code, sign), code);
    code = select(isNan(value), i(code, nan), code);
  }
  return resizeInt(code, 8, /*isUnsigned=*/true);
}

//===--- Between element types ---===//

Value ScalarEmitter::roundToOdd(Value value) {
  Type f32 = Float32Type::get(k.context());
  Value nearest = k.make<arith::TruncFOp>(like(value, f32), value);
  Value back = k.make<arith::ExtFOp>(value.getType(), nearest);
  Value bits = bitsOf(nearest);
  // Of the two neighbours of an inexact value one is odd: this or the one beyond the value.
  Value isShort = cmp(FPred::OLT, absf(back), absf(value));
  Value other = addi(bits, select(isShort, i(bits, 1), i(bits, -1)));
  Value isEven = cmp(IPred::eq, andi(bits, 1), 0);
  Value isInexact = cmp(FPred::ONE, back, value);
  return bitcast(select(andi(isInexact, isEven), other, bits), f32);
}

Value ScalarEmitter::intToNarrow(Value value, bool isUnsigned) {
  // Up to here every integer is a float.
  constexpr unsigned kExactF32 = 24, kExactF64 = 53;
  unsigned width = widthOf(value);
  Type f32 = Float32Type::get(k.context()), f64 = Float64Type::get(k.context());
  auto toFloat = [&](Value v, Type type) -> Value {
    return isUnsigned ? k.make<arith::UIToFPOp>(like(v, type), v)
                      : k.make<arith::SIToFPOp>(like(v, type), v);
  };
  if (width <= kExactF32)
    return toFloat(value, f32);
  if (width > kExactF64) {
    // Bits far below the narrow type's last one only tell that the value is not a tie: one bit
    // stands for all of them.
    constexpr int64_t kBelow = 0xfff;
    Value below = andi(value, kBelow);
    Value mark = select(cmp(IPred::ne, below, 0), i(value, (kBelow + 1) / 2), i(value, 0));
    Value marked = ori(andi(value, ~kBelow), mark);
    Value high = isUnsigned ? lshr(value, kExactF64) : ashr(value, kExactF64 - 1);
    Value isSmall = cmp(IPred::eq, high, 0);
    if (!isUnsigned)
      isSmall = ori(isSmall, cmp(IPred::eq, high, -1));
    value = select(isSmall, value, marked);
  }
  return roundToOdd(toFloat(value, f64));
}

Value ScalarEmitter::floatToInt(Value value, unsigned width, bool isUnsigned) {
  if (width == 1)
    return cmp(FPred::UNE, value, 0.0);
  // Saturating, NaN to zero. Bounds are powers of two, exact in every float type.
  double low = isUnsigned ? 0 : -std::ldexp(1.0, width - 1);
  double high = std::ldexp(1.0, isUnsigned ? width : width - 1);
  llvm::APInt least =
      isUnsigned ? llvm::APInt::getZero(width) : llvm::APInt::getSignedMinValue(width);
  llvm::APInt most =
      isUnsigned ? llvm::APInt::getMaxValue(width) : llvm::APInt::getSignedMaxValue(width);
  Type to = like(value, intType(width));
  Value isLow = cmp(FPred::OLT, value, low);
  Value isInside = k.make<arith::AndIOp>(cmp(FPred::OGE, value, low), cmp(FPred::OLT, value, high));
  Value inside = select(isInside, value, f(value, 0));
  Value converted =
      isUnsigned ? k.make<arith::FPToUIOp>(to, inside) : k.make<arith::FPToSIOp>(to, inside);
  Value outside = select(isLow, i(to, least.getSExtValue()), i(to, most.getSExtValue()));
  outside = select(isNan(value), i(to, 0), outside);
  return select(isInside, converted, outside);
}

Value ScalarEmitter::convert(Value value, const ElementKind &from, const ElementKind &to) {
  if (from.element == to.element)
    return value;
  if (to.isComplex()) {
    ElementKind part = elementKind(to.memory);
    Value re = value, im;
    if (from.isComplex()) {
      ElementKind fromPart = elementKind(from.memory);
      re = convert(k.make<complex::ReOp>(value), fromPart, part);
      im = convert(k.make<complex::ImOp>(value), fromPart, part);
    } else {
      re = convert(value, from, part);
      im = f(re, 0);
    }
    return k.make<complex::CreateOp>(to.reg, re, im);
  }
  if (from.isComplex())
    return convert(k.make<complex::ReOp>(value), elementKind(from.memory), to);
  if (from.isInteger() && to.isInteger()) {
    if (to.isBool())
      return cmp(IPred::ne, value, 0);
    return resizeInt(value, to.width(), from.isUnsigned());
  }
  if (from.isInteger()) {
    if (to.isNarrowFloat())
      return round(intToNarrow(value, from.isUnsigned()), to);
    Type reg = like(value, to.reg);
    return from.isUnsigned() ? k.make<arith::UIToFPOp>(reg, value)
                             : k.make<arith::SIToFPOp>(reg, value);
  }
  if (to.isInteger())
    return floatToInt(value, to.width(), to.isUnsigned());
  unsigned fromWidth = from.reg.getIntOrFloatBitWidth(), toWidth = to.reg.getIntOrFloatBitWidth();
  if (fromWidth < toWidth)
    value = k.make<arith::ExtFOp>(like(value, to.reg), value);
  else if (fromWidth > toWidth)
    value = to.isNarrowFloat() ? roundToOdd(value)
                               : k.make<arith::TruncFOp>(like(value, to.reg), value);
  return round(value, to);
}

Value ScalarEmitter::bitcastConvert(Value value, const ElementKind &from, const ElementKind &to) {
  if (from.element == to.element)
    return value;
  if (from.isInteger() && to.isInteger())
    return value;
  // Narrow floats lie in wider registers: through memory's form.
  return fromMemory(bitcast(toMemory(value, from), to.memory), to);
}

Value ScalarEmitter::reducePrecision(Value value, unsigned exponentBits, unsigned mantissaBits) {
  Type type = scalarType(value);
  unsigned width = widthOf(value);
  unsigned mantissa = cast<FloatType>(type).getFPMantissaWidth() - 1;
  unsigned exponent = width - 1 - mantissa;
  Value bits = bitsOf(value);
  Value rounded = bits;
  if (mantissaBits < mantissa) {
    unsigned drop = mantissa - mantissaBits;
    Value isOdd = andi(lshr(bits, drop), 1);
    rounded = addi(addi(bits, (int64_t(1) << (drop - 1)) - 1), isOdd);
    rounded = andi(rounded, -(int64_t(1) << drop));
  }
  if (exponentBits < exponent) {
    // Too large: infinity. Too small to be normal: zero.
    int64_t bias = (int64_t(1) << (exponent - 1)) - 1;
    int64_t reducedBias = (int64_t(1) << (exponentBits - 1)) - 1;
    int64_t magnitudeMask = int64_t(~uint64_t(0) >> (65 - width));
    Value sign = andi(bits, ~magnitudeMask);
    Value exponentField = andi(lshr(rounded, mantissa), (int64_t(1) << exponent) - 1);
    int64_t infinity = ((int64_t(1) << exponent) - 1) << mantissa;
    Value isLarge = cmp(IPred::ugt, exponentField, bias + reducedBias);
    Value isSmall = cmp(IPred::ule, exponentField, bias - reducedBias);
    rounded = select(isLarge, ori(sign, infinity), rounded);
    rounded = select(isSmall, sign, rounded);
  }
  // Without a mantissa there is no NaN.
  Value notANumber =
      mantissaBits ? value : copySign(f(value, std::numeric_limits<double>::infinity()), value);
  return select(isNan(value), notANumber, bitcast(rounded, type));
}

} // namespace tandem::codegen
