// Checks that the verifiers of several stablehlo ops share. Each emits one message when it fails:
// what was expected, and what was found.

#ifndef TANDEM_LIB_IR_STABLEHLO_CHECKS_H
#define TANDEM_LIB_IR_STABLEHLO_CHECKS_H

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/StableHLO/TypeInference.h"

namespace mlir::stablehlo {

using Dims = ArrayRef<int64_t>;

/// "[1, 2]"
std::string toString(Dims values);

inline RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }
inline Dims shapeOf(Value value) { return tensorType(value).getShape(); }
inline int64_t rankOf(Value value) { return tensorType(value).getRank(); }
inline Type elementOf(Value value) { return tensorType(value).getElementType(); }

/// `found` entries named `what`, where `expected` belong: "expects 2 strides, found 1".
LogicalResult checkCount(const ErrorReporter &error, StringRef what, int64_t found,
                         int64_t expected);
/// Each value is in [begin, end).
LogicalResult checkRange(const ErrorReporter &error, StringRef what, Dims values, int64_t begin,
                         int64_t end);
LogicalResult checkAtLeast(const ErrorReporter &error, StringRef what, Dims values, int64_t least);
LogicalResult checkUnique(const ErrorReporter &error, StringRef what, Dims values);
LogicalResult checkSorted(const ErrorReporter &error, StringRef what, Dims values);
LogicalResult checkSameShape(const ErrorReporter &error, StringRef what, Dims found, Dims expected);
LogicalResult checkSameElement(const ErrorReporter &error, StringRef what, Type found,
                               Type expected);
/// All values have one shape: that of the first.
LogicalResult checkSameShapes(const ErrorReporter &error, StringRef what, ValueRange values);

/// Whether values of one element type may be accumulated in the other: the same kind (boolean,
/// integer of one signedness, float, complex), and at least as wide.
bool isPromotable(Type from, Type to);
/// Boolean, integer, float or complex alike.
bool isSameKind(Type a, Type b);

/// A region with one block whose arguments and returned values are scalar tensors.
/// `arguments` are the element types that are expected; null for those that the region chooses.
/// Fills `returned` with the element types of the returned values. A region that is still empty
/// (the op is being built) passes, with `returned` empty.
LogicalResult checkScalarRegion(const ErrorReporter &error, StringRef name, Region &region,
                                int64_t numArguments, int64_t numReturned,
                                SmallVectorImpl<Type> &arguments, SmallVectorImpl<Type> &returned);

/// The computation of a reduction over `inputs` (their element types): 2N scalars to N, of types
/// E0, ..., EN-1 to which those of the inputs are promotable. Fills `elements` with the E.
LogicalResult checkReducer(const ErrorReporter &error, StringRef name, Region &region,
                           ArrayRef<Type> inputs, SmallVectorImpl<Type> &elements);

/// A window that slides over dimensions; every list has one entry per dimension, or is missing and
/// then is all ones, or zeros for padding.
struct Window {
  SmallVector<int64_t> dimensions, strides, baseDilations, dilations;
  SmallVector<std::pair<int64_t, int64_t>> padding;

  /// Number of positions along a dimension of the given size.
  int64_t getCount(int64_t dim, int64_t size) const;
};

/// Labels are those of reduce_window and select_and_scatter; convolution's differ.
FailureOr<Window> checkWindow(const ErrorReporter &error, int64_t rank,
                              std::optional<Dims> dimensions, std::optional<Dims> strides,
                              std::optional<Dims> baseDilations, std::optional<Dims> dilations,
                              std::optional<DenseIntElementsAttr> padding);

} // namespace mlir::stablehlo

#endif // TANDEM_LIB_IR_STABLEHLO_CHECKS_H
