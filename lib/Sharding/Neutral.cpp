// Splat constants of any element type.
#include "tandem/Sharding/Neutral.h"

#include <complex>

namespace tandem {
using namespace mlir;

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
