// Elementwise stablehlo and chlo ops: dispatch, arithmetic, comparison.

#include "ScalarEmitter.h"

#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using IPred = mlir::arith::CmpIPredicate;
using FPred = mlir::arith::CmpFPredicate;

namespace tandem::codegen {

Value ScalarEmitter::emit(Operation *op, ArrayRef<Value> operands) {
  Values v(operands);
  unify(v);
  ElementKind result = elementKind(op->getResult(0));
  ElementKind operand = elementKind(op->getOperand(op->getNumOperands() > 2 ? 1 : 0));
  // Ops whose result has another kind of element than their operands, or of any kind.
  if (isa<stablehlo::SelectOp>(op))
    return select(v[0], v[1], v[2]);
  if (isa<stablehlo::ConvertOp>(op))
    return convert(v[0], operand, result);
  if (isa<stablehlo::CompareOp>(op))
    return compare(op, v[0], v[1], operand);
  if (isa<stablehlo::ClampOp>(op)) {
    // min(max(x, low), high); of floats, NaN if any of them is.
    return minAny(maxAny(v[1], v[0], result), v[2], result);
  }
  if (operand.isComplex() || result.isComplex())
    return emitComplex(op, v, operand);
  if (isa<stablehlo::RealOp, chlo::ConjOp>(op))
    return v[0];
  if (isa<stablehlo::ImagOp>(op))
    return f(v[0], 0);
  if (operand.isFloat())
    return round(emitFloat(op, v, operand), result);
  return emitInteger(op, v, operand);
}

Value ScalarEmitter::addAny(Value a, Value b, const ElementKind &kind) {
  if (kind.isBool())
    return ori(a, b);
  return kind.isInteger() ? addi(a, b) : add(a, b);
}

Value ScalarEmitter::mulAny(Value a, Value b, const ElementKind &kind) {
  if (kind.isBool())
    return andi(a, b);
  return kind.isInteger() ? muli(a, b) : mul(a, b);
}

Value ScalarEmitter::extremeFloat(Value a, Value b, bool isMax) {
  auto isConstant = [](Value value) { return matchPattern(value, m_Constant()); };
  // With a constant, most of what the general case takes falls away by itself.
  if (k.target().ordersZeros &&
      a.getType() == VectorType::get({16}, Float32Type::get(k.context())) && !isConstant(a) &&
      !isConstant(b))
    return extremeInOne(a, b, isMax);
  return isMax ? k.make<arith::MaximumFOp>(a, b) : k.make<arith::MinimumFOp>(a, b);
}

Value ScalarEmitter::maxAny(Value a, Value b, const ElementKind &kind) {
  if (kind.isComplex())
    return extremeComplex(a, b, /*isMax=*/true);
  if (kind.isFloat())
    return extremeFloat(a, b, /*isMax=*/true);
  return kind.isUnsigned() ? k.make<arith::MaxUIOp>(a, b) : k.make<arith::MaxSIOp>(a, b);
}

Value ScalarEmitter::minAny(Value a, Value b, const ElementKind &kind) {
  if (kind.isComplex())
    return extremeComplex(a, b, /*isMax=*/false);
  if (kind.isFloat())
    return extremeFloat(a, b, /*isMax=*/false);
  return kind.isUnsigned() ? k.make<arith::MinUIOp>(a, b) : k.make<arith::MinSIOp>(a, b);
}

Value ScalarEmitter::compare(Operation *op, Value a, Value b, const ElementKind &kind) {
  using Direction = stablehlo::ComparisonDirection;
  auto compareOp = cast<stablehlo::CompareOp>(op);
  Direction direction = compareOp.getComparisonDirection();
  bool isTotalOrder = compareOp.getCompareType() &&
                      *compareOp.getCompareType() == stablehlo::ComparisonType::TOTALORDER;
  if (kind.isComplex())
    return emitComplex(op, {a, b}, kind);
  if (kind.isFloat() && !isTotalOrder) {
    static const llvm::SmallDenseMap<int, FPred> predicates = {
        {int(Direction::EQ), FPred::OEQ}, {int(Direction::NE), FPred::UNE},
        {int(Direction::GE), FPred::OGE}, {int(Direction::GT), FPred::OGT},
        {int(Direction::LE), FPred::OLE}, {int(Direction::LT), FPred::OLT}};
    return cmp(predicates.lookup(int(direction)), a, b);
  }
  bool isUnsigned = kind.isUnsigned();
  if (kind.isFloat()) {
    // -NaN < -inf < ... < -0 < 0 < ... < inf < NaN: flip the magnitude bits of the negatives.
    auto ordered = [&](Value x) {
      Value bits = bitsOf(x);
      return xori(bits, lshr(ashr(bits, widthOf(bits) - 1), 1));
    };
    a = ordered(a);
    b = ordered(b);
    isUnsigned = false;
  }
  switch (direction) {
  case Direction::EQ:
    return cmp(IPred::eq, a, b);
  case Direction::NE:
    return cmp(IPred::ne, a, b);
  case Direction::GE:
    return cmp(isUnsigned ? IPred::uge : IPred::sge, a, b);
  case Direction::GT:
    return cmp(isUnsigned ? IPred::ugt : IPred::sgt, a, b);
  case Direction::LE:
    return cmp(isUnsigned ? IPred::ule : IPred::sle, a, b);
  case Direction::LT:
    return cmp(isUnsigned ? IPred::ult : IPred::slt, a, b);
  }
  llvm_unreachable("unknown comparison");
}

//===--- Floats ---===//

Value ScalarEmitter::emitFloat(Operation *op, ArrayRef<Value> v, const ElementKind &kind) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<stablehlo::AddOp>([&](auto) { return add(v[0], v[1]); })
      .Case<stablehlo::SubtractOp>([&](auto) { return sub(v[0], v[1]); })
      .Case<stablehlo::MulOp>([&](auto) { return mul(v[0], v[1]); })
      .Case<stablehlo::DivOp>([&](auto) {
        // One divisor for a loop's elements.
        auto splat = v[1].getDefiningOp<vector::BroadcastOp>();
        Value scalar = splat ? splat.getSource() : Value();
        bool isKnownOutside =
            scalar && scalar.getType().isF32() && k.placeOf(scalar).depth < k.depth();
        return isKnownOutside && k.target().vectorBytes >= 32 ? divideByOne(v[0], scalar)
                                                              : div(v[0], v[1]);
      })
      .Case<stablehlo::RemOp>([&](auto) { return libm("fmod", v); })
      .Case<stablehlo::MaxOp>([&](auto) { return maxAny(v[0], v[1], kind); })
      .Case<stablehlo::MinOp>([&](auto) { return minAny(v[0], v[1], kind); })
      .Case<chlo::SquareOp>([&](auto) { return mul(v[0], v[0]); })
      .Case<stablehlo::NegOp>([&](auto) { return neg(v[0]); })
      .Case<stablehlo::AbsOp>([&](auto) { return absf(v[0]); })
      .Case<stablehlo::SignOp>([&](auto) {
        // NaN and both zeros are their own sign.
        Value isOrdinary = cmp(FPred::ONE, v[0], 0.0);
        return select(isOrdinary, copySign(f(v[0], 1), v[0]), v[0]);
      })
      .Case<stablehlo::IsFiniteOp>([&](auto) {
        return cmp(FPred::OLT, absf(v[0]), std::numeric_limits<double>::infinity());
      })
      .Case<chlo::IsInfOp>([&](auto) {
        return cmp(FPred::OEQ, absf(v[0]), std::numeric_limits<double>::infinity());
      })
      .Case<chlo::IsPosInfOp>(
          [&](auto) { return cmp(FPred::OEQ, v[0], std::numeric_limits<double>::infinity()); })
      .Case<chlo::IsNegInfOp>(
          [&](auto) { return cmp(FPred::OEQ, v[0], -std::numeric_limits<double>::infinity()); })
      .Case<stablehlo::CeilOp>([&](auto) { return k.make<math::CeilOp>(v[0]); })
      .Case<stablehlo::FloorOp>([&](auto) { return k.make<math::FloorOp>(v[0]); })
      .Case<stablehlo::RoundNearestEvenOp>([&](auto) { return k.make<math::RoundEvenOp>(v[0]); })
      .Case<stablehlo::RoundOp>([&](auto) { return roundAwayFromZero(v[0]); })
      .Case<stablehlo::ReducePrecisionOp>([&](auto reduce) {
        return reducePrecision(v[0], reduce.getExponentBits(), reduce.getMantissaBits());
      })
      .Case<chlo::NextAfterOp>([&](auto) { return nextAfter(v[0], v[1], kind); })
      .Default([&](Operation *) { return function(op, v); });
}

//===--- Integers ---===//

Value ScalarEmitter::emitInteger(Operation *op, ArrayRef<Value> v, const ElementKind &kind) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<stablehlo::AddOp>([&](auto) { return addAny(v[0], v[1], kind); })
      .Case<stablehlo::SubtractOp>([&](auto) { return subi(v[0], v[1]); })
      .Case<stablehlo::MulOp>([&](auto) { return mulAny(v[0], v[1], kind); })
      .Case<chlo::SquareOp>([&](auto) { return mulAny(v[0], v[0], kind); })
      .Case<stablehlo::DivOp>(
          [&](auto) { return divideInt(v[0], v[1], kind.isUnsigned(), /*remainder=*/false); })
      .Case<stablehlo::RemOp>(
          [&](auto) { return divideInt(v[0], v[1], kind.isUnsigned(), /*remainder=*/true); })
      .Case<stablehlo::PowOp>([&](auto) { return powerInt(v[0], v[1], kind.isUnsigned()); })
      .Case<stablehlo::MaxOp>([&](auto) { return maxAny(v[0], v[1], kind); })
      .Case<stablehlo::MinOp>([&](auto) { return minAny(v[0], v[1], kind); })
      .Case<stablehlo::AndOp>([&](auto) { return andi(v[0], v[1]); })
      .Case<stablehlo::OrOp>([&](auto) { return ori(v[0], v[1]); })
      .Case<stablehlo::XorOp>([&](auto) { return xori(v[0], v[1]); })
      .Case<stablehlo::NotOp>([&](auto) { return noti(v[0]); })
      .Case<stablehlo::NegOp>([&](auto) { return subi(i(v[0], 0), v[0]); })
      .Case<stablehlo::AbsOp>([&](auto) {
        if (kind.isUnsigned())
          return v[0];
        return k.make<arith::MaxSIOp>(v[0], subi(i(v[0], 0), v[0]));
      })
      .Case<stablehlo::SignOp>([&](auto) {
        Value isZero = cmp(IPred::eq, v[0], 0);
        if (kind.isUnsigned())
          return select(isZero, v[0], i(v[0], 1));
        return select(isZero, v[0], ori(ashr(v[0], widthOf(v[0]) - 1), 1));
      })
      .Case<stablehlo::ClzOp>([&](auto) { return k.make<math::CountLeadingZerosOp>(v[0]); })
      .Case<stablehlo::PopulationCountOp>([&](auto) { return k.make<math::CtPopOp>(v[0]); })
      .Case<stablehlo::ShiftLeftOp, stablehlo::ShiftRightLogicalOp,
            stablehlo::ShiftRightArithmeticOp>([&](auto) { return shift(op, v[0], v[1]); })
      .Default([&](Operation *) -> Value { return nullptr; });
}

Value ScalarEmitter::shift(Operation *op, Value a, Value b) {
  int64_t width = widthOf(a);
  // Shifting by the width or more is undefined further down: shift by less, then correct.
  Value isInside = width == 1 ? cmp(IPred::eq, b, 0) : cmp(IPred::ult, b, width);
  Value amount = select(isInside, b, i(b, 0));
  if (isa<stablehlo::ShiftLeftOp>(op))
    return select(isInside, k.make<arith::ShLIOp>(a, amount), i(a, 0));
  if (isa<stablehlo::ShiftRightLogicalOp>(op))
    return select(isInside, k.make<arith::ShRUIOp>(a, amount), i(a, 0));
  return select(isInside, k.make<arith::ShRSIOp>(a, amount), ashr(a, width - 1));
}

Value ScalarEmitter::divideInt(Value a, Value b, bool isUnsigned, bool remainder) {
  Value isZero = cmp(IPred::eq, b, 0);
  if (isUnsigned) {
    Value divisor = select(isZero, i(b, 1), b);
    if (remainder)
      return select(isZero, a, k.make<arith::RemUIOp>(a, divisor));
    return select(isZero, i(a, -1), k.make<arith::DivUIOp>(a, divisor));
  }
  // Division by -1 overflows for the least integer: negate instead.
  Value isMinusOne = cmp(IPred::eq, b, -1);
  Value divisor = select(ori(isZero, isMinusOne), i(b, 1), b);
  if (remainder) {
    Value rest = select(isMinusOne, i(a, 0), k.make<arith::RemSIOp>(a, divisor));
    return select(isZero, a, rest);
  }
  Value quotient = k.make<arith::DivSIOp>(a, divisor);
  return select(isZero, i(a, -1), select(isMinusOne, subi(i(a, 0), a), quotient));
}

Value ScalarEmitter::powerInt(Value a, Value b, bool isUnsigned) {
  Value result;
  k.atDepth(k.depthOf({a, b}), [&] {
    // By squaring, one bit of the exponent a time.
    Values squared =
        k.loop(0, widthOf(a), 1, ValueRange{i(a, 1), a, b}, [&](Value, ValueRange carried) {
          Value isOdd = cmp(IPred::ne, andi(carried[2], 1), 0);
          Value product = select(isOdd, muli(carried[0], carried[1]), carried[0]);
          return Values{product, muli(carried[1], carried[1]), lshr(carried[2], 1)};
        });
    result = squared[0];
  });
  if (isUnsigned || widthOf(a) == 1)
    return result;
  // Negative exponents: only the powers of 1 and -1 are not zero.
  Value isOne = cmp(IPred::eq, a, 1), isMinusOne = cmp(IPred::eq, a, -1);
  Value ofMinusOne = select(cmp(IPred::ne, andi(b, 1), 0), i(a, -1), i(a, 1));
  Value inverse = select(isOne, i(a, 1), select(isMinusOne, ofMinusOne, i(a, 0)));
  return select(cmp(IPred::slt, b, 0), inverse, result);
}

//===--- Literals ---===//

Value ScalarEmitter::literal(Attribute element, const ElementKind &kind) {
  if (auto complex = dyn_cast<ArrayAttr>(element))
    return k.make<complex::ConstantOp>(kind.reg, complex);
  if (auto floating = dyn_cast<FloatAttr>(element)) {
    llvm::APFloat value = floating.getValue();
    bool losesInfo;
    value.convert(cast<FloatType>(kind.reg).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return k.make<arith::ConstantOp>(FloatAttr::get(kind.reg, value));
  }
  return k.make<arith::ConstantOp>(
      IntegerAttr::get(kind.reg, cast<IntegerAttr>(element).getValue()));
}

Value ScalarEmitter::zero(const ElementKind &kind) {
  if (kind.isComplex()) {
    Attribute part = k.raw().getZeroAttr(kind.memory);
    return k.make<complex::ConstantOp>(kind.reg, k.raw().getArrayAttr({part, part}));
  }
  return k.make<arith::ConstantOp>(k.raw().getZeroAttr(kind.reg));
}

} // namespace tandem::codegen
