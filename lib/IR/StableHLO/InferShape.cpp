// Result types and constraints of the ops that move data without arithmetic.

#include "Checks.h"

#include <numeric>

using namespace mlir;
using namespace mlir::stablehlo;

static Type tensorOf(Dims shape, Type element) { return RankedTensorType::get(shape, element); }

static int64_t product(Dims values) {
  return std::accumulate(values.begin(), values.end(), int64_t(1), std::multiplies<int64_t>());
}

//===-- iota, broadcasts, reshape
//---------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  // C1
  return checkRange(ErrorReporter(*this), "iota_dimension", {getIotaDimensionAttr().getInt()}, 0,
                    rankOf(getOutput()));
}

/// C1 to C5 of broadcast_in_dim and dynamic_broadcast_in_dim.
static LogicalResult checkBroadcast(const ErrorReporter &error, Value operand, Dims dims,
                                    Value result) {
  // C1
  if (failed(checkSameElement(error, "result", elementOf(result), elementOf(operand))))
    return failure();
  // C2
  if (failed(checkCount(error, "broadcast_dimensions", dims.size(), rankOf(operand))))
    return failure();
  // C3
  if (failed(checkRange(error, "broadcast_dimensions", dims, 0, rankOf(result))))
    return failure();
  // C4
  if (failed(checkUnique(error, "broadcast_dimensions", dims)))
    return failure();
  // C5
  for (auto [dim, size, resultDim] : llvm::enumerate(shapeOf(operand), dims))
    if (size != 1 && size != shapeOf(result)[resultDim])
      return error() << "expects dimension " << dim << " of the operand to be 1 or "
                     << shapeOf(result)[resultDim] << ", dimension " << resultDim
                     << " of the result, found " << size;
  return success();
}

LogicalResult BroadcastInDimOp::verify() {
  return checkBroadcast(ErrorReporter(*this), getOperand(), getBroadcastDimensions(), getResult());
}

LogicalResult DynamicBroadcastInDimOp::verify() {
  ErrorReporter error(*this);
  if (failed(checkBroadcast(error, getOperand(), getBroadcastDimensions(), getResult())))
    return failure();
  // C7
  if (failed(checkCount(error, "output_dimensions", shapeOf(getOutputDimensions())[0],
                        rankOf(getResult()))))
    return failure();
  // C8
  SmallVector<int64_t> known(getKnownExpandingDimensions().value_or(Dims()));
  llvm::append_range(known, getKnownNonexpandingDimensions().value_or(Dims()));
  if (failed(checkUnique(error, "known expanding and nonexpanding dimensions", known)))
    return failure();
  // C9, C10
  return checkRange(error, "known expanding and nonexpanding dimensions", known, 0,
                    rankOf(getOperand()));
}

LogicalResult BroadcastOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                      SmallVectorImpl<Type> &types) {
  if (failed(checkAtLeast(error, "broadcast_sizes", op.getBroadcastSizes(), 0)))
    return failure();
  SmallVector<int64_t> shape(op.getBroadcastSizes());
  llvm::append_range(shape, shapeOf(op.getOperand()));
  types.push_back(tensorOf(shape, elementOf(op.getOperand())));
  return success();
}

/// C1 and C2 of reshape and dynamic_reshape.
static LogicalResult checkReshape(const ErrorReporter &error, Value operand, Value result) {
  // C1
  if (failed(checkSameElement(error, "result", elementOf(result), elementOf(operand))))
    return failure();
  // C2
  int64_t expected = product(shapeOf(operand)), found = product(shapeOf(result));
  if (expected != found)
    return error() << "expects a result of " << expected << " elements, as in the operand, found "
                   << found;
  return success();
}

LogicalResult ReshapeOp::verify() {
  return checkReshape(ErrorReporter(*this), getOperand(), getResult());
}

LogicalResult DynamicReshapeOp::verify() {
  ErrorReporter error(*this);
  if (failed(checkReshape(error, getOperand(), getResult())))
    return failure();
  // C4
  return checkCount(error, "sizes in output_shape", shapeOf(getOutputShape())[0],
                    rankOf(getResult()));
}

LogicalResult DynamicIotaOp::verify() {
  ErrorReporter error(*this);
  int64_t rank = shapeOf(getOutputShape())[0];
  // C1
  if (failed(checkRange(error, "iota_dimension", {getIotaDimensionAttr().getInt()}, 0, rank)))
    return failure();
  // C2
  return checkCount(error, "result dimensions", rankOf(getResult()), rank);
}

//===-- transpose, reverse, concatenate
//---------------------------------------------------------===//

LogicalResult TransposeOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                      SmallVectorImpl<Type> &types) {
  // C2
  Dims permutation = op.getPermutation(), operand = shapeOf(op.getOperand());
  int64_t rank = operand.size();
  if (failed(checkCount(error, "dimensions in permutation", permutation.size(), rank)) ||
      failed(checkRange(error, "dimensions in permutation", permutation, 0, rank)) ||
      failed(checkUnique(error, "dimensions in permutation", permutation)))
    return failure();
  // C1, C3
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(operand[dim]);
  types.push_back(tensorOf(shape, elementOf(op.getOperand())));
  return success();
}

LogicalResult ReverseOp::verify() {
  ErrorReporter error(*this);
  // C2
  if (failed(checkUnique(error, "dimensions", getDimensions())))
    return failure();
  // C3
  return checkRange(error, "dimensions", getDimensions(), 0, rankOf(getOperand()));
}

LogicalResult ConcatenateOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                        SmallVectorImpl<Type> &types) {
  ValueRange inputs = op.getInputs();
  // C3
  if (inputs.empty())
    return error() << "expects at least one input, found none";
  Type element = elementOf(inputs[0]);
  int64_t rank = rankOf(inputs[0]);
  // C1
  for (Value input : inputs)
    if (failed(checkSameElement(error, "all inputs", elementOf(input), element)))
      return failure();
  // C4
  auto dimension = static_cast<int64_t>(op.getDimension());
  if (failed(checkRange(error, "dimension", {dimension}, 0, rank)))
    return failure();
  // C2
  SmallVector<int64_t> shape(shapeOf(inputs[0]));
  for (auto [index, input] : llvm::enumerate(inputs.drop_front())) {
    SmallVector<int64_t> found(shapeOf(input));
    if (static_cast<int64_t>(found.size()) != rank)
      return error() << "expects inputs of rank " << rank << ", found " << found.size()
                     << " in input " << index + 1;
    int64_t size = found[dimension];
    found[dimension] = shape[dimension];
    if (found != shape)
      return error() << "expects inputs of one shape but for dimension " << dimension << ", found "
                     << toString(shapeOf(inputs[0])) << " and, at " << index + 1 << ", "
                     << toString(shapeOf(input));
    shape[dimension] += size;
  }
  // C5, C6
  types.push_back(tensorOf(shape, element));
  return success();
}

//===-- slice, pad
//------------------------------------------------------------------------------===//

LogicalResult SliceOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                  SmallVectorImpl<Type> &types) {
  Dims operand = shapeOf(op.getOperand());
  Dims starts = op.getStartIndices(), limits = op.getLimitIndices(), strides = op.getStrides();
  int64_t rank = operand.size();
  // C2
  if (failed(checkCount(error, "start_indices", starts.size(), rank)) ||
      failed(checkCount(error, "limit_indices", limits.size(), rank)) ||
      failed(checkCount(error, "strides", strides.size(), rank)))
    return failure();
  // C4
  if (failed(checkAtLeast(error, "strides", strides, 1)))
    return failure();
  // C3
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (starts[dim] < 0 || starts[dim] > limits[dim] || limits[dim] > operand[dim])
      return error() << "expects 0 <= start <= limit <= " << operand[dim] << " in dimension " << dim
                     << ", found start " << starts[dim] << " and limit " << limits[dim];
    shape.push_back(llvm::divideCeil(limits[dim] - starts[dim], strides[dim]));
  }
  // C1, C5
  types.push_back(tensorOf(shape, elementOf(op.getOperand())));
  return success();
}

LogicalResult PadOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                SmallVectorImpl<Type> &types) {
  Dims operand = shapeOf(op.getOperand());
  Dims low = op.getEdgePaddingLow(), high = op.getEdgePaddingHigh();
  Dims interior = op.getInteriorPadding();
  int64_t rank = operand.size();
  // C1
  if (failed(checkSameElement(error, "padding_value", elementOf(op.getPaddingValue()),
                              elementOf(op.getOperand()))))
    return failure();
  if (failed(checkSameShape(error, "padding_value", shapeOf(op.getPaddingValue()), {})))
    return failure();
  // C2
  if (failed(checkCount(error, "amounts in edge_padding_low", low.size(), rank)) ||
      failed(checkCount(error, "amounts in edge_padding_high", high.size(), rank)) ||
      failed(checkCount(error, "amounts in interior_padding", interior.size(), rank)))
    return failure();
  // C3
  if (failed(checkAtLeast(error, "interior_padding", interior, 0)))
    return failure();
  // C4
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t size = operand[dim] + low[dim] + high[dim] +
                   std::max<int64_t>(operand[dim] - 1, 0) * interior[dim];
    if (size < 0)
      return error() << "expects padding that leaves a size of at least 0 in dimension " << dim
                     << ", found " << size;
    shape.push_back(size);
  }
  types.push_back(tensorOf(shape, elementOf(op.getOperand())));
  return success();
}

//===-- Shapes given as operands
//----------------------------------------------------------------===//

LogicalResult DynamicPadOp::verify() {
  ErrorReporter error(*this);
  // C1
  if (failed(checkSameElement(error, "padding_value", elementOf(getPaddingValue()),
                              elementOf(getOperand()))) ||
      failed(checkSameElement(error, "result", elementOf(getResult()), elementOf(getOperand()))))
    return failure();
  // C2
  int64_t rank = rankOf(getOperand());
  if (failed(checkCount(error, "amounts in edge_padding_low", shapeOf(getEdgePaddingLow())[0],
                        rank)) ||
      failed(checkCount(error, "amounts in edge_padding_high", shapeOf(getEdgePaddingHigh())[0],
                        rank)) ||
      failed(
          checkCount(error, "amounts in interior_padding", shapeOf(getInteriorPadding())[0], rank)))
    return failure();
  return checkCount(error, "result dimensions", rankOf(getResult()), rank);
}

LogicalResult RealDynamicSliceOp::verify() {
  ErrorReporter error(*this);
  int64_t rank = rankOf(getOperand());
  if (failed(checkSameElement(error, "result", elementOf(getResult()), elementOf(getOperand()))) ||
      failed(checkCount(error, "start_indices", shapeOf(getStartIndices())[0], rank)) ||
      failed(checkCount(error, "limit_indices", shapeOf(getLimitIndices())[0], rank)) ||
      failed(checkCount(error, "strides", shapeOf(getStrides())[0], rank)))
    return failure();
  return checkCount(error, "result dimensions", rankOf(getResult()), rank);
}

LogicalResult GetDimensionSizeOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                             SmallVectorImpl<Type> &types) {
  // C1
  if (failed(checkRange(error, "dimension", {static_cast<int64_t>(op.getDimension())}, 0,
                        rankOf(op.getOperand()))))
    return failure();
  types.push_back(tensorOf({}, IntegerType::get(op.getOperand().getContext(), 32)));
  return success();
}

LogicalResult SetDimensionSizeOp::verify() {
  return checkRange(ErrorReporter(*this), "dimension", {getDimensionAttr().getInt()}, 0,
                    rankOf(getOperand()));
}
