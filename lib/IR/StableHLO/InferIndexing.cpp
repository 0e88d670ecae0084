// Result types and constraints of gather, scatter, dynamic slices and their kin.

#include "Checks.h"

using namespace mlir;
using namespace mlir::stablehlo;

static Type tensorOf(Dims shape, Type element) { return RankedTensorType::get(shape, element); }

static SmallVector<int64_t> joined(Dims a, Dims b) {
  SmallVector<int64_t> result(a);
  llvm::append_range(result, b);
  return result;
}

//===-- gather
//----------------------------------------------------------------------------------===//

namespace {
/// What gather and scatter have in common: dimensions of the operand that a slice lacks, and how
/// the components of an index, and batches of indices, address the operand. The names are those of
/// the op's attributes.
struct Indexing {
  StringRef droppedName, operandBatchName, indicesName, indicesBatchName, mapName;
  Dims dropped, operandBatch, indicesBatch, map;
  int64_t indexVectorDim;
  Dims operand, indices;
};
} // namespace

/// Gather C2, C3, C6 to C8, C10, C11, C13 to C19; scatter C9 to C22 but for the windows.
static LogicalResult checkIndexing(const ErrorReporter &error, const Indexing &x) {
  int64_t rank = x.operand.size(), indicesRank = x.indices.size();
  // gather C2, scatter C22
  if (failed(checkRange(error, "index_vector_dim", {x.indexVectorDim}, 0, indicesRank + 1)))
    return failure();
  // gather C3, scatter C19
  int64_t components = x.indexVectorDim < indicesRank ? x.indices[x.indexVectorDim] : 1;
  if (failed(checkCount(error, x.mapName, x.map.size(), components)))
    return failure();
  // gather C6, scatter C9
  if (failed(checkUnique(error, (x.droppedName + " and " + x.operandBatchName).str(),
                         joined(x.dropped, x.operandBatch))))
    return failure();
  // gather C7, scatter C10
  if (failed(checkSorted(error, x.droppedName, x.dropped)))
    return failure();
  // gather C8, scatter C11
  if (failed(checkRange(error, x.droppedName, x.dropped, 0, rank)))
    return failure();
  // gather C10, scatter C12
  if (failed(checkSorted(error, x.operandBatchName, x.operandBatch)))
    return failure();
  // gather C11, scatter C13
  if (failed(checkRange(error, x.operandBatchName, x.operandBatch, 0, rank)))
    return failure();
  // gather C13, scatter C14
  if (failed(checkUnique(error, x.indicesBatchName, x.indicesBatch)))
    return failure();
  // gather C14, scatter C15
  if (failed(checkRange(error, x.indicesBatchName, x.indicesBatch, 0, indicesRank)))
    return failure();
  // gather C15, scatter C16
  if (llvm::is_contained(x.indicesBatch, x.indexVectorDim))
    return error() << "expects " << x.indicesBatchName << " without index_vector_dim "
                   << x.indexVectorDim << ", found " << toString(x.indicesBatch);
  // gather C16, scatter C17
  if (x.operandBatch.size() != x.indicesBatch.size())
    return error() << "expects as many " << x.indicesBatchName << " as " << x.operandBatchName
                   << ", found " << x.indicesBatch.size() << " and " << x.operandBatch.size();
  // gather C17, scatter C18
  for (auto [operandDim, indicesDim] : llvm::zip_equal(x.operandBatch, x.indicesBatch))
    if (x.operand[operandDim] != x.indices[indicesDim])
      return error() << "expects batching dimensions of one size, found " << x.operand[operandDim]
                     << " in dimension " << operandDim << " of the operand and "
                     << x.indices[indicesDim] << " in dimension " << indicesDim << " of "
                     << x.indicesName;
  // gather C18, scatter C20
  if (failed(checkUnique(error, (x.mapName + " and " + x.operandBatchName).str(),
                         joined(x.map, x.operandBatch))))
    return failure();
  // gather C19, scatter C21
  return checkRange(error, x.mapName, x.map, 0, rank);
}

/// The sizes of the batch dimensions: those of the indices but for index_vector_dim.
static SmallVector<int64_t> batchSizes(const Indexing &x) {
  SmallVector<int64_t> sizes(x.indices);
  if (x.indexVectorDim < static_cast<int64_t>(sizes.size()))
    sizes.erase(sizes.begin() + x.indexVectorDim);
  return sizes;
}

/// A shape with `windowSizes` at `windowDims` and `batchSizes` at the other dimensions.
static SmallVector<int64_t> combine(Dims batchSizes, Dims windowSizes, Dims windowDims) {
  SmallVector<int64_t> shape;
  const int64_t *batch = batchSizes.begin(), *window = windowSizes.begin();
  int64_t rank = batchSizes.size() + windowSizes.size();
  for (int64_t dim = 0; dim < rank; ++dim)
    shape.push_back(llvm::is_contained(windowDims, dim) ? *window++ : *batch++);
  return shape;
}

static Indexing getIndexing(GatherDimensionNumbersAttr numbers, Dims operand, Dims indices) {
  return {"collapsed_slice_dims",
          "operand_batching_dims",
          "start_indices",
          "start_indices_batching_dims",
          "start_index_map",
          numbers.getCollapsedSliceDims(),
          numbers.getOperandBatchingDims(),
          numbers.getStartIndicesBatchingDims(),
          numbers.getStartIndexMap(),
          numbers.getIndexVectorDim(),
          operand,
          indices};
}

/// The dimensions of the operand that a slice or window keeps.
static SmallVector<int64_t> keptDims(const Indexing &x) {
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < static_cast<int64_t>(x.operand.size()); ++dim)
    if (!llvm::is_contained(x.dropped, dim) && !llvm::is_contained(x.operandBatch, dim))
      kept.push_back(dim);
  return kept;
}

/// C1 to C7, C10, C11, C13 to C19 of gather.
static LogicalResult checkGatherDims(const ErrorReporter &error, GatherDimensionNumbersAttr numbers,
                                     const Indexing &x) {
  Dims offsets = numbers.getOffsetDims();
  int64_t rank = x.operand.size();
  // C1
  int64_t dims = offsets.size() + x.dropped.size() + x.operandBatch.size();
  if (dims != rank)
    return error() << "expects offset_dims, collapsed_slice_dims and operand_batching_dims to be "
                   << rank << " in all, the rank of the operand, found " << dims;
  if (failed(checkIndexing(error, x)))
    return failure();
  // C4
  if (failed(checkUnique(error, "offset_dims", offsets)) ||
      failed(checkSorted(error, "offset_dims", offsets)))
    return failure();
  // C5
  int64_t resultRank = batchSizes(x).size() + offsets.size();
  return checkRange(error, "offset_dims", offsets, 0, resultRank);
}

LogicalResult GatherOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                   SmallVectorImpl<Type> &types) {
  GatherDimensionNumbersAttr numbers = op.getDimensionNumbers();
  Dims operand = shapeOf(op.getOperand()), sizes = op.getSliceSizes();
  Indexing x = getIndexing(numbers, operand, shapeOf(op.getStartIndices()));
  if (failed(checkGatherDims(error, numbers, x)))
    return failure();
  // C20
  if (failed(checkCount(error, "slice_sizes", sizes.size(), operand.size())))
    return failure();
  // C21
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (size < 0 || size > operand[dim])
      return error() << "expects slice_sizes from 0 to " << operand[dim] << " in dimension " << dim
                     << ", found " << size;
  // C9, C12
  for (int64_t dim : joined(x.dropped, x.operandBatch))
    if (sizes[dim] > 1)
      return error() << "expects slice_sizes of at most 1 in dimension " << dim
                     << ", which the slice drops, found " << sizes[dim];
  // C22, C23
  SmallVector<int64_t> offsetSizes;
  for (int64_t dim : keptDims(x))
    offsetSizes.push_back(sizes[dim]);
  types.push_back(tensorOf(combine(batchSizes(x), offsetSizes, numbers.getOffsetDims()),
                           elementOf(op.getOperand())));
  return success();
}

LogicalResult DynamicGatherOp::verify() {
  ErrorReporter error(*this);
  GatherDimensionNumbersAttr numbers = getDimensionNumbers();
  Indexing x = getIndexing(numbers, shapeOf(getOperand()), shapeOf(getStartIndices()));
  if (failed(checkGatherDims(error, numbers, x)))
    return failure();
  // C11
  if (failed(checkCount(error, "slice_sizes", shapeOf(getSliceSizes())[0], rankOf(getOperand()))))
    return failure();
  // C13, as far as known
  if (failed(checkCount(error, "result dimensions", rankOf(getResult()),
                        batchSizes(x).size() + numbers.getOffsetDims().size())))
    return failure();
  // C14
  return checkSameElement(error, "result", elementOf(getResult()), elementOf(getOperand()));
}

//===-- scatter
//---------------------------------------------------------------------------------===//

LogicalResult ScatterOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                    SmallVectorImpl<Type> &types) {
  ValueRange inputs = op.getInputs(), updates = op.getUpdates();
  ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  // C5
  if (inputs.empty() || inputs.size() != updates.size())
    return error() << "expects as many updates as inputs, at least one, found " << updates.size()
                   << " and " << inputs.size();
  // C1
  if (failed(checkSameShapes(error, "inputs", inputs)))
    return failure();
  // C3
  if (failed(checkSameShapes(error, "updates", updates)))
    return failure();
  // C6
  for (auto [input, update] : llvm::zip_equal(inputs, updates))
    if (failed(checkSameElement(error, "updates", elementOf(update), elementOf(input))))
      return failure();

  Indexing x{"inserted_window_dims",
             "input_batching_dims",
             "scatter_indices",
             "scatter_indices_batching_dims",
             "scatter_dims_to_operand_dims",
             numbers.getInsertedWindowDims(),
             numbers.getInputBatchingDims(),
             numbers.getScatterIndicesBatchingDims(),
             numbers.getScatterDimsToOperandDims(),
             numbers.getIndexVectorDim(),
             shapeOf(inputs[0]),
             shapeOf(op.getScatterIndices())};
  Dims windowDims = numbers.getUpdateWindowDims(), update = shapeOf(updates[0]);
  int64_t rank = x.operand.size();
  // C2
  int64_t dims = windowDims.size() + x.dropped.size() + x.operandBatch.size();
  if (dims != rank)
    return error() << "expects update_window_dims, inserted_window_dims and input_batching_dims to "
                   << "be " << rank << " in all, the rank of the inputs, found " << dims;
  if (failed(checkIndexing(error, x)))
    return failure();
  // C7
  if (failed(checkUnique(error, "update_window_dims", windowDims)) ||
      failed(checkSorted(error, "update_window_dims", windowDims)))
    return failure();
  // C8
  if (failed(checkRange(error, "update_window_dims", windowDims, 0, update.size())))
    return failure();
  // C4
  SmallVector<int64_t> windowSizes;
  for (auto [windowDim, dim] : llvm::zip_equal(windowDims, keptDims(x))) {
    windowSizes.push_back(update[windowDim]);
    if (update[windowDim] > x.operand[dim])
      return error() << "expects at most " << x.operand[dim] << " in dimension " << windowDim
                     << " of the updates, the size of dimension " << dim << " of the inputs, found "
                     << update[windowDim];
  }
  if (failed(checkSameShape(error, "updates", update,
                            combine(batchSizes(x), windowSizes, windowDims))))
    return failure();
  // C23
  SmallVector<Type> inputElements, elements;
  for (Value input : inputs)
    inputElements.push_back(elementOf(input));
  if (failed(checkReducer(error, "update_computation", op.getUpdateComputation(), inputElements,
                          elements)))
    return failure();
  // C24, C25
  for (auto [input, element] : llvm::zip_equal(inputs, elements))
    types.push_back(tensorOf(shapeOf(input), element));
  return success();
}

//===-- dynamic slices
//--------------------------------------------------------------------------===//

/// All start indices are of one type, one per dimension.
static LogicalResult checkStarts(const ErrorReporter &error, ValueRange starts, int64_t rank) {
  // dynamic_slice C2, dynamic_update_slice C4
  if (failed(checkCount(error, "start_indices", starts.size(), rank)))
    return failure();
  // dynamic_slice C3, dynamic_update_slice C5
  for (Value start : starts)
    if (start.getType() != starts[0].getType())
      return error() << "expects start_indices of one type, found " << starts[0].getType()
                     << " and " << start.getType();
  return success();
}

LogicalResult DynamicSliceOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                         SmallVectorImpl<Type> &types) {
  Dims operand = shapeOf(op.getOperand()), sizes = op.getSliceSizes();
  // C2
  if (failed(checkCount(error, "slice_sizes", sizes.size(), operand.size())))
    return failure();
  // C2, C3
  if (failed(checkStarts(error, op.getStartIndices(), operand.size())))
    return failure();
  // C4
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (size < 0 || size > operand[dim])
      return error() << "expects slice_sizes from 0 to " << operand[dim] << " in dimension " << dim
                     << ", found " << size;
  // C1, C5
  types.push_back(tensorOf(sizes, elementOf(op.getOperand())));
  return success();
}

LogicalResult DynamicUpdateSliceOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                               SmallVectorImpl<Type> &types) {
  Dims operand = shapeOf(op.getOperand()), update = shapeOf(op.getUpdate());
  // C2
  if (failed(
          checkSameElement(error, "update", elementOf(op.getUpdate()), elementOf(op.getOperand()))))
    return failure();
  // C3
  if (failed(checkCount(error, "dimensions in update", update.size(), operand.size())))
    return failure();
  // C4, C5
  if (failed(checkStarts(error, op.getStartIndices(), operand.size())))
    return failure();
  // C6
  for (auto [dim, size] : llvm::enumerate(update))
    if (size > operand[dim])
      return error() << "expects an update of at most " << operand[dim] << " in dimension " << dim
                     << ", found " << size;
  // C1
  types.push_back(op.getOperand().getType());
  return success();
}

LogicalResult TorchIndexSelectOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                             SmallVectorImpl<Type> &types) {
  Dims operand = shapeOf(op.getOperand()), index = shapeOf(op.getIndex());
  auto dim = static_cast<int64_t>(op.getDim()), batch = static_cast<int64_t>(op.getBatchDims());
  if (failed(checkRange(error, "dim", {dim}, 0, operand.size())) ||
      failed(checkRange(error, "batch_dims", {batch}, 0, std::min<int64_t>(dim, index.size()) + 1)))
    return failure();
  if (failed(checkSameShape(error, "batch dimensions of the index", index.take_front(batch),
                            operand.take_front(batch))))
    return failure();
  SmallVector<int64_t> shape(operand.take_front(dim));
  llvm::append_range(shape, index.drop_front(batch));
  llvm::append_range(shape, operand.drop_front(dim + 1));
  types.push_back(tensorOf(shape, elementOf(op.getOperand())));
  return success();
}
