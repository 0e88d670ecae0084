// Result type and constraints of convolution and dynamic_conv.

#include "Checks.h"

using namespace mlir;
using namespace mlir::stablehlo;

namespace {
/// The role of each dimension of one tensor.
struct Roles {
  StringRef name;
  int64_t first, second; // batch and feature, or input and output feature
  Dims spatial;

  SmallVector<int64_t> all() const {
    SmallVector<int64_t> dims{first, second};
    llvm::append_range(dims, spatial);
    return dims;
  }
};
} // namespace

/// The dimensions have one role each.
static LogicalResult checkRoles(const ErrorReporter &error, const Roles &roles, int64_t rank) {
  // C12, C17, C19
  if (failed(checkCount(error, (roles.name + " spatial dimensions").str(), roles.spatial.size(),
                        rank - 2)))
    return failure();
  // C13, C18, C20
  std::string what = (roles.name + " dimensions").str();
  if (failed(checkUnique(error, what, roles.all())))
    return failure();
  return checkRange(error, what, roles.all(), 0, rank);
}

/// All constraints but that on padding; the window has no padding yet.
template <typename AdaptorT>
static FailureOr<Window> checkConvolution(const ErrorReporter &error, AdaptorT op) {
  Dims lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  int64_t rank = lhs.size(), spatial = rank - 2;
  // C1
  if (lhs.size() != rhs.size() || rank < 2)
    return error() << "expects lhs and rhs of one rank of at least 2, found " << lhs.size()
                   << " and " << rhs.size();
  // C12, C13, C17 to C20
  Roles input{"input", numbers.getInputBatchDimension(), numbers.getInputFeatureDimension(),
              numbers.getInputSpatialDimensions()};
  Roles kernel{"kernel", numbers.getKernelInputFeatureDimension(),
               numbers.getKernelOutputFeatureDimension(), numbers.getKernelSpatialDimensions()};
  Roles output{"output", numbers.getOutputBatchDimension(), numbers.getOutputFeatureDimension(),
               numbers.getOutputSpatialDimensions()};
  for (const Roles &roles : {input, kernel, output})
    if (failed(checkRoles(error, roles, rank)))
      return failure();
  // C2, C3, C5 to C8
  SmallVector<int64_t> window;
  for (int64_t dim : kernel.spatial)
    window.push_back(rhs[dim]);
  auto checkList = [&](StringRef what, std::optional<Dims> values) -> LogicalResult {
    if (!values)
      return success();
    if (failed(checkCount(error, what, values->size(), spatial)))
      return failure();
    return checkAtLeast(error, what, *values, 1);
  };
  if (failed(checkList("window_strides", op.getWindowStrides())) ||
      failed(checkList("lhs_dilation", op.getLhsDilation())) ||
      failed(checkList("rhs_dilation", op.getRhsDilation())))
    return failure();
  // C9
  if (std::optional<ArrayRef<bool>> reversal = op.getWindowReversal();
      reversal &&
      failed(checkCount(error, "entries in window_reversal", reversal->size(), spatial)))
    return failure();
  // C21
  auto featureGroups = static_cast<int64_t>(op.getFeatureGroupCount());
  if (failed(checkAtLeast(error, "feature_group_count", {featureGroups}, 1)))
    return failure();
  // C22
  auto batchGroups = static_cast<int64_t>(op.getBatchGroupCount());
  if (failed(checkAtLeast(error, "batch_group_count", {batchGroups}, 1)))
    return failure();
  // C23
  if (featureGroups != 1 && batchGroups != 1)
    return error() << "expects feature_group_count or batch_group_count to be 1, found "
                   << featureGroups << " and " << batchGroups;
  auto checkDivides = [&](StringRef what, int64_t size, StringRef groupName,
                          int64_t groups) -> LogicalResult {
    if (size % groups == 0)
      return success();
    return error() << "expects " << what << " divisible by " << groupName << " " << groups
                   << ", found " << size;
  };
  // C10
  if (failed(checkDivides("a batch", lhs[input.first], "batch_group_count", batchGroups)))
    return failure();
  // C11
  if (failed(
          checkDivides("input features", lhs[input.second], "feature_group_count", featureGroups)))
    return failure();
  // C14
  if (rhs[kernel.first] != lhs[input.second] / featureGroups)
    return error() << "expects " << lhs[input.second] / featureGroups
                   << " input features in the kernel, found " << rhs[kernel.first];
  // C15
  if (failed(checkDivides("output features", rhs[kernel.second], "batch_group_count", batchGroups)))
    return failure();
  // C16
  if (failed(checkDivides("output features", rhs[kernel.second], "feature_group_count",
                          featureGroups)))
    return failure();
  // C24
  if (std::optional<ArrayAttr> config = op.getPrecisionConfig();
      config && !config->empty() &&
      failed(checkCount(error, "entries in precision_config", config->size(), 2)))
    return failure();
  // C27
  if (failed(checkSameElement(error, "rhs", elementOf(op.getRhs()), elementOf(op.getLhs()))))
    return failure();

  Window result;
  auto orOnes = [&](std::optional<Dims> values) {
    return values ? SmallVector<int64_t>(*values) : SmallVector<int64_t>(spatial, 1);
  };
  result.dimensions = window;
  result.strides = orOnes(op.getWindowStrides());
  result.baseDilations = orOnes(op.getLhsDilation());
  result.dilations = orOnes(op.getRhsDilation());
  result.padding.assign(spatial, {0, 0});
  return result;
}

LogicalResult ConvolutionOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                        SmallVectorImpl<Type> &types) {
  FailureOr<Window> window = checkConvolution(error, op);
  if (failed(window))
    return failure();
  Dims lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  int64_t spatial = lhs.size() - 2;
  // C4
  if (std::optional<DenseIntElementsAttr> padding = op.getPadding()) {
    Dims shape = padding->getType().getShape();
    if (shape != Dims{spatial, 2})
      return error() << "expects padding of shape " << toString({spatial, 2}) << ", found "
                     << toString(shape);
    SmallVector<int64_t> values(padding->getValues<int64_t>());
    for (int64_t dim = 0; dim < spatial; ++dim)
      window->padding[dim] = {values[2 * dim], values[2 * dim + 1]};
  }
  // C25, C26
  ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  SmallVector<int64_t> shape(lhs.size());
  shape[numbers.getOutputBatchDimension()] =
      lhs[numbers.getInputBatchDimension()] / static_cast<int64_t>(op.getBatchGroupCount());
  shape[numbers.getOutputFeatureDimension()] = rhs[numbers.getKernelOutputFeatureDimension()];
  for (auto [index, outputDim, inputDim] :
       llvm::enumerate(numbers.getOutputSpatialDimensions(), numbers.getInputSpatialDimensions()))
    shape[outputDim] = window->getCount(index, lhs[inputDim]);
  types.push_back(RankedTensorType::get(shape, elementOf(op.getLhs())));
  return success();
}

LogicalResult ConvolutionOp::verify() {
  ErrorReporter error(*this);
  SmallVector<Type> types;
  if (failed(inferTypes(error, Adaptor(*this), types)))
    return failure();
  auto expected = cast<RankedTensorType>(types[0]);
  // C25, C26
  if (failed(checkSameShape(error, "result", shapeOf(getResult()), expected.getShape())))
    return failure();
  // C27, and results accumulated in a wider type of the same kind
  Type from = expected.getElementType(), to = elementOf(getResult());
  bool integers = isa<IntegerType>(from) && isa<IntegerType>(to);
  if (!integers && !isSameKind(from, to))
    return error() << "expects a result of the operands' kind of element type " << from
                   << ", found " << to;
  return success();
}

LogicalResult DynamicConvOp::verify() {
  ErrorReporter error(*this);
  if (failed(checkConvolution(error, Adaptor(*this))))
    return failure();
  // C4
  if (failed(checkSameShape(error, "padding", shapeOf(getPadding()), {rankOf(getLhs()) - 2, 2})))
    return failure();
  // C26
  return checkCount(error, "result dimensions", rankOf(getResult()), rankOf(getLhs()));
}
