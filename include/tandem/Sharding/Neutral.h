// Constants that combining leaves alone: what fills the elements of a reduction that are not there.
#ifndef TANDEM_SHARDING_NEUTRAL_H
#define TANDEM_SHARDING_NEUTRAL_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "tandem/Sharding/Rule.h"

namespace tandem {

/// Every element is `value`; the type's elements are integers, floats or complex numbers.
mlir::ElementsAttr getSplatAttr(mlir::RankedTensorType type, int64_t value);
/// Every element changes nothing when combined. The combiner is not None.
mlir::ElementsAttr getNeutralAttr(mlir::RankedTensorType type, Combiner combiner);

/// Combining a value with itself gives the value.
bool isIdempotent(Combiner combiner);
/// Whether adding or multiplying by the value changes nothing, seen from the program text.
bool isNeutral(mlir::Value value, Combiner combiner);

} // namespace tandem

#endif // TANDEM_SHARDING_NEUTRAL_H
