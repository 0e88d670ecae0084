// Result types and constraints of products, Fourier transforms, solvers and batch normalisation.
// Convolution is in InferConvolution.cpp.

#include "Checks.h"

using namespace mlir;
using namespace mlir::stablehlo;

static Type tensorOf(Dims shape, Type element) { return RankedTensorType::get(shape, element); }

//===-- dot_general, dot
//------------------------------------------------------------------------===//

/// Operands of a product have one element type; 8-bit floats may be paired with one another, as
/// hardware and JAX do.
static LogicalResult checkProductElements(const ErrorReporter &error, Type lhs, Type rhs) {
  auto isFloat8 = [](Type type) {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
  };
  if (isFloat8(lhs) && isFloat8(rhs))
    return success();
  return checkSameElement(error, "rhs", rhs, lhs);
}

/// A product may be accumulated and returned in another type, of the same kind.
static LogicalResult checkProductResult(Operation *op, Type inferred) {
  auto expected = cast<RankedTensorType>(inferred);
  auto found = cast<RankedTensorType>(op->getResult(0).getType());
  ErrorReporter error(op);
  if (failed(checkSameShape(error, "result", found.getShape(), expected.getShape())))
    return failure();
  Type from = expected.getElementType(), to = found.getElementType();
  bool integers = isa<IntegerType>(from) && isa<IntegerType>(to);
  if (!integers && !isSameKind(from, to))
    return error() << "expects a result of the operands' kind of element type " << from
                   << ", found " << to;
  return success();
}

static LogicalResult checkPrecision(const ErrorReporter &error, std::optional<ArrayAttr> config) {
  if (config && !config->empty())
    return checkCount(error, "entries in precision_config", config->size(), 2);
  return success();
}

LogicalResult DotGeneralOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                       SmallVectorImpl<Type> &types) {
  DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
  Dims lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  Dims lhsBatch = numbers.getLhsBatchingDimensions(), rhsBatch = numbers.getRhsBatchingDimensions();
  Dims lhsContract = numbers.getLhsContractingDimensions();
  Dims rhsContract = numbers.getRhsContractingDimensions();
  // C1
  if (lhsBatch.size() != rhsBatch.size())
    return error() << "expects as many batching dimensions of lhs as of rhs, found "
                   << lhsBatch.size() << " and " << rhsBatch.size();
  // C2
  if (lhsContract.size() != rhsContract.size())
    return error() << "expects as many contracting dimensions of lhs as of rhs, found "
                   << lhsContract.size() << " and " << rhsContract.size();
  SmallVector<int64_t> lhsUsed(lhsBatch), rhsUsed(rhsBatch);
  llvm::append_range(lhsUsed, lhsContract);
  llvm::append_range(rhsUsed, rhsContract);
  // C3
  if (failed(checkUnique(error, "batching and contracting dimensions of lhs", lhsUsed)))
    return failure();
  // C4
  if (failed(checkUnique(error, "batching and contracting dimensions of rhs", rhsUsed)))
    return failure();
  // C5, C6
  if (failed(
          checkRange(error, "batching and contracting dimensions of lhs", lhsUsed, 0, lhs.size())))
    return failure();
  // C7, C8
  if (failed(
          checkRange(error, "batching and contracting dimensions of rhs", rhsUsed, 0, rhs.size())))
    return failure();
  // C9, C10
  for (auto [index, lhsDim, rhsDim] : llvm::enumerate(lhsUsed, rhsUsed))
    if (lhs[lhsDim] != rhs[rhsDim])
      return error() << "expects " << (index < lhsBatch.size() ? "batching" : "contracting")
                     << " dimensions of one size, found " << lhs[lhsDim] << " in dimension "
                     << lhsDim << " of lhs and " << rhs[rhsDim] << " in dimension " << rhsDim
                     << " of rhs";
  // C11
  if (failed(checkPrecision(error, op.getPrecisionConfig())))
    return failure();
  // C13
  if (failed(checkProductElements(error, elementOf(op.getLhs()), elementOf(op.getRhs()))))
    return failure();
  if (std::optional<DotAlgorithmAttr> algorithm = op.getAlgorithm()) {
    // C21
    if (std::optional<ArrayAttr> config = op.getPrecisionConfig())
      for (auto precision : config->getAsRange<PrecisionAttr>())
        if (precision.getValue() != Precision::DEFAULT)
          return error() << "expects precision DEFAULT beside an algorithm, found "
                         << stringifyPrecision(precision.getValue());
    // C22
    if (failed(checkAtLeast(error, "lhs_component_count", {algorithm->getLhsComponentCount()}, 1)))
      return failure();
    // C23
    if (failed(checkAtLeast(error, "rhs_component_count", {algorithm->getRhsComponentCount()}, 1)))
      return failure();
    // C24
    if (failed(checkAtLeast(error, "num_primitive_operations",
                            {algorithm->getNumPrimitiveOperations()}, 1)))
      return failure();
  }
  // C12
  SmallVector<int64_t> shape;
  for (int64_t dim : lhsBatch)
    shape.push_back(lhs[dim]);
  for (auto [dim, size] : llvm::enumerate(lhs))
    if (!llvm::is_contained(lhsUsed, static_cast<int64_t>(dim)))
      shape.push_back(size);
  for (auto [dim, size] : llvm::enumerate(rhs))
    if (!llvm::is_contained(rhsUsed, static_cast<int64_t>(dim)))
      shape.push_back(size);
  types.push_back(tensorOf(shape, elementOf(op.getLhs())));
  return success();
}

LogicalResult DotGeneralOp::verify() {
  SmallVector<Type> types;
  if (failed(inferTypes(ErrorReporter(*this), Adaptor(*this), types)))
    return failure();
  return checkProductResult(*this, types[0]);
}

LogicalResult DotOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                SmallVectorImpl<Type> &types) {
  Dims lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  if (lhs.empty() || lhs.size() > 2 || rhs.empty() || rhs.size() > 2)
    return error() << "expects vectors or matrices, found shapes " << toString(lhs) << " and "
                   << toString(rhs);
  if (lhs.back() != rhs.front())
    return error() << "expects the last dimension of lhs and the first of rhs of one size, found "
                   << lhs.back() << " and " << rhs.front();
  if (failed(checkPrecision(error, op.getPrecisionConfig())) ||
      failed(checkProductElements(error, elementOf(op.getLhs()), elementOf(op.getRhs()))))
    return failure();
  SmallVector<int64_t> shape(lhs.drop_back());
  llvm::append_range(shape, rhs.drop_front());
  types.push_back(tensorOf(shape, elementOf(op.getLhs())));
  return success();
}

LogicalResult DotOp::verify() {
  SmallVector<Type> types;
  if (failed(inferTypes(ErrorReporter(*this), Adaptor(*this), types)))
    return failure();
  return checkProductResult(*this, types[0]);
}

//===-- fft
//-------------------------------------------------------------------------------------===//

LogicalResult FftOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                SmallVectorImpl<Type> &types) {
  Dims operand = shapeOf(op.getOperand()), length = op.getFftLength();
  Type element = elementOf(op.getOperand());
  int64_t rank = operand.size(), transformed = length.size();
  // C3
  if (transformed < 1 || transformed > 3)
    return error() << "expects 1 to 3 entries in fft_length, found " << transformed;
  // C1
  if (transformed > rank)
    return error() << "expects at most " << rank
                   << " entries in fft_length, the rank of the operand, "
                   << "found " << transformed;
  // C2
  FftType type = op.getFftType();
  if (isa<ComplexType>(element) == (type == FftType::RFFT))
    return error() << "expects " << (type == FftType::RFFT ? "a real" : "a complex")
                   << " operand for " << stringifyFftType(type) << ", found " << element;
  if (type == FftType::RFFT && !element.isF32() && !element.isF64())
    return error() << "expects an f32 or f64 operand for RFFT, found " << element;
  SmallVector<int64_t> shape(operand);
  if (type == FftType::RFFT) {
    // C4
    if (failed(checkSameShape(error, "last dimensions", operand.take_back(transformed), length)))
      return failure();
    // C5
    shape.back() = shape.back() == 0 ? 0 : shape.back() / 2 + 1;
    types.push_back(tensorOf(shape, ComplexType::get(element)));
    return success();
  }
  if (type != FftType::IRFFT) {
    types.push_back(op.getOperand().getType());
    return success();
  }
  // C4 of the result, C5
  if (failed(checkSameShape(error, "last dimensions but one",
                            operand.take_back(transformed).drop_back(), length.drop_back())))
    return failure();
  int64_t expected = length.back() == 0 ? 0 : length.back() / 2 + 1;
  if (shape.back() != expected)
    return error() << "expects a last dimension of " << expected << " for IRFFT of length "
                   << length.back() << ", found " << shape.back();
  shape.back() = length.back();
  types.push_back(tensorOf(shape, cast<ComplexType>(element).getElementType()));
  return success();
}

//===-- cholesky, triangular_solve
//--------------------------------------------------------------===//

/// The last two dimensions are a square matrix.
static LogicalResult checkSquare(const ErrorReporter &error, StringRef what, Dims shape) {
  if (shape.size() < 2)
    return error() << "expects " << what << " of rank at least 2, found " << shape.size();
  if (shape.back() != shape[shape.size() - 2])
    return error() << "expects square matrices in " << what << ", found " << shape[shape.size() - 2]
                   << " by " << shape.back();
  return success();
}

LogicalResult CholeskyOp::verify() {
  // C2, C3
  return checkSquare(ErrorReporter(*this), "a", shapeOf(getA()));
}

LogicalResult TriangularSolveOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                            SmallVectorImpl<Type> &types) {
  Dims a = shapeOf(op.getA()), b = shapeOf(op.getB());
  // C1
  if (failed(checkSameElement(error, "b", elementOf(op.getB()), elementOf(op.getA()))))
    return failure();
  // C2
  if (a.size() != b.size())
    return error() << "expects a and b of one rank, found " << a.size() << " and " << b.size();
  // C2, C3
  if (failed(checkSquare(error, "a", a)))
    return failure();
  // C3
  if (failed(checkSameShape(error, "batches of b", b.drop_back(2), a.drop_back(2))))
    return failure();
  int64_t side = op.getLeftSide() ? b[b.size() - 2] : b.back();
  if (side != a.back())
    return error() << "expects " << a.back() << (op.getLeftSide() ? " rows" : " columns")
                   << " in b, as in a, found " << side;
  if (op.getTransposeA() == Transpose::TRANSPOSE_INVALID)
    return error() << "expects transpose_a to be NO_TRANSPOSE, TRANSPOSE or ADJOINT";
  // C4
  types.push_back(op.getB().getType());
  return success();
}

//===-- Batch normalisation
//---------------------------------------------------------------------===//

/// The feature dimension exists, and `perFeature` are vectors over it, of the operand's element
/// type. Returns the type of such a vector.
static FailureOr<Type> checkBatchNorm(const ErrorReporter &error, Value operand, int64_t feature,
                                      ArrayRef<std::pair<StringRef, Value>> perFeature) {
  // C1
  if (failed(checkRange(error, "feature_index", {feature}, 0, rankOf(operand))))
    return failure();
  Dims expected = shapeOf(operand).slice(feature, 1);
  for (auto [name, value] : perFeature) {
    // C2
    if (failed(checkSameElement(error, name, elementOf(value), elementOf(operand))))
      return failure();
    // training and inference C3 to C6, grad C4, C5
    if (failed(checkSameShape(error, name, shapeOf(value), expected)))
      return failure();
  }
  return tensorOf(expected, elementOf(operand));
}

LogicalResult BatchNormTrainingOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                              SmallVectorImpl<Type> &types) {
  FailureOr<Type> vector = checkBatchNorm(error, op.getOperand(), op.getFeatureIndex(),
                                          {{"scale", op.getScale()}, {"offset", op.getOffset()}});
  if (failed(vector))
    return failure();
  // C7
  llvm::append_values(types, op.getOperand().getType(), *vector, *vector);
  return success();
}

LogicalResult BatchNormInferenceOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                               SmallVectorImpl<Type> &types) {
  if (failed(checkBatchNorm(error, op.getOperand(), op.getFeatureIndex(),
                            {{"scale", op.getScale()},
                             {"offset", op.getOffset()},
                             {"mean", op.getMean()},
                             {"variance", op.getVariance()}})))
    return failure();
  // C7
  types.push_back(op.getOperand().getType());
  return success();
}

LogicalResult BatchNormGradOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                          SmallVectorImpl<Type> &types) {
  FailureOr<Type> vector = checkBatchNorm(
      error, op.getOperand(), op.getFeatureIndex(),
      {{"scale", op.getScale()}, {"mean", op.getMean()}, {"variance", op.getVariance()}});
  if (failed(vector))
    return failure();
  // C2, C3
  if (op.getGradOutput().getType() != op.getOperand().getType())
    return error() << "expects grad_output of the operand's type " << op.getOperand().getType()
                   << ", found " << op.getGradOutput().getType();
  llvm::append_values(types, op.getOperand().getType(), *vector, *vector);
  return success();
}
