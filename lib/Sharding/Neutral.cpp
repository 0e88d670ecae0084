// Splat constants of any element type.
#include "tandem/Sharding/Neutral.h"

#include <complex>

#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

namespace tandem {
using namespace mlir;

namespace {

/// The one element of a splat constant, looked for through broadcasts.
Attribute getSplat(Value value) {
  while (auto broadcast = value.getDefiningOp<stablehlo::BroadcastInDimOp>())
    value = broadcast.getOperand();
  DenseElementsAttr attr;
  if (auto constant = value.getDefiningOp<stablehlo::ConstantOp>())
    attr = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (auto constant = value.getDefiningOp<sdy::ConstantOp>())
    attr = dyn_cast<DenseElementsAttr>(constant.getValue());
  return attr && attr.isSplat() ? attr.getSplatValue<Attribute>() : Attribute();
}

bool isNumber(Attribute value, int64_t wanted) {
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return number.getValueAsDouble() == static_cast<double>(wanted);
  if (auto number = dyn_cast_or_null<IntegerAttr>(value))
    return number.getValue() == static_cast<uint64_t>(wanted);
  auto parts = dyn_cast_or_null<ArrayAttr>(value); // of a complex number
  return parts && parts.size() == 2 && isNumber(parts[0], wanted) && isNumber(parts[1], 0);
}

} // namespace

bool isIdempotent(Combiner combiner) {
  return combiner != Combiner::Add && combiner != Combiner::Mul;
}

bool isNeutral(Value value, Combiner combiner) {
  return isNumber(getSplat(value), combiner == Combiner::Mul ? 1 : 0);
}

ElementsAttr getSplatAttr(RankedTensorType type, int64_t value) {
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element)) {
    auto part = cast<FloatType>(complex.getElementType());
    std::complex<APFloat> number(APFloat(part.getFloatSemantics(), value),
                                 APFloat::getZero(part.getFloatSemantics()));
    return DenseElementsAttr::get(type, ArrayRef(number));
  }
  if (auto real = dyn_cast<FloatType>(element)) {
    APFloat number(static_cast<double>(value));
    bool lost = false;
    number.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
    return DenseElementsAttr::get(type, number);
  }
  return DenseElementsAttr::get(
      type, APInt(element.getIntOrFloatBitWidth(), value, true, /*implicitTrunc=*/true));
}

ElementsAttr getNeutralAttr(RankedTensorType type, Combiner combiner) {
  Type element = type.getElementType();
  bool lowest = combiner == Combiner::Max;
  if (combiner == Combiner::Add || combiner == Combiner::Or)
    return getSplatAttr(type, 0);
  if (combiner == Combiner::Mul)
    return getSplatAttr(type, 1);
  if (combiner == Combiner::And)
    return getSplatAttr(type, -1);
  if (auto real = dyn_cast<FloatType>(element))
    return DenseElementsAttr::get(type,
                                  APFloat::getInf(real.getFloatSemantics(), /*Negative=*/lowest));
  unsigned width = element.getIntOrFloatBitWidth();
  bool isUnsigned = element.isUnsignedInteger() || width == 1;
  APInt number = lowest
                     ? (isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width))
                     : (isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width));
  return DenseElementsAttr::get(type, number);
}

} // namespace tandem
