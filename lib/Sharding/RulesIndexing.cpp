// Rules of ops that read or write at computed indices.
//
// Indexed dimensions may be split where each device can tell from an index whether it is
// its own: a gather then yields partial results (others contribute zero), a scatter simply
// drops what is out of its range. The partitioner shifts the indices (Factor::indexed).
#include "mlir/IR/BuiltinTypes.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Sharding/Rule.h"

namespace tandem {
using namespace mlir;

namespace {

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Dimensions of start indices without the index vector, in order.
SmallVector<int64_t> indexBatchDims(int64_t rank, int64_t indexVectorDim) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != indexVectorDim)
      dims.push_back(dim);
  return dims;
}

/// Position of `value` in `list`, or -1.
int64_t find(ArrayRef<int64_t> list, int64_t value) {
  auto it = llvm::find(list, value);
  return it == list.end() ? -1 : it - list.begin();
}

void addGather(stablehlo::GatherOp op, RuleBuilder &b) {
  auto dn = op.getDimensionNumbers();
  ArrayRef<int64_t> in = shapeOf(op.getOperand()), indices = shapeOf(op.getStartIndices()),
                    out = shapeOf(op.getResult());
  SmallVector<int64_t> batch = indexBatchDims(indices.size(), dn.getIndexVectorDim());
  unsigned nextBatch = 0;
  for (int64_t dim = 0; dim < static_cast<int64_t>(out.size()); ++dim) {
    if (llvm::is_contained(dn.getOffsetDims(), dim))
      continue;
    int64_t indexDim = batch[nextBatch++];
    int64_t pair = find(dn.getStartIndicesBatchingDims(), indexDim);
    int64_t inDim = pair >= 0 ? dn.getOperandBatchingDims()[pair] : -1;
    b.add({inDim, indexDim}, {dim}, out[dim]);
  }
  unsigned nextOffset = 0;
  for (int64_t dim = 0; dim < static_cast<int64_t>(in.size()); ++dim) {
    if (llvm::is_contained(dn.getOperandBatchingDims(), dim))
      continue;
    bool indexed = llvm::is_contained(dn.getStartIndexMap(), dim);
    if (llvm::is_contained(dn.getCollapsedSliceDims(), dim)) {
      // Parts of i1 have no sum.
      if (indexed &&
          !cast<RankedTensorType>(op.getOperand().getType()).getElementType().isInteger(1)) {
        unsigned factor = b.add({dim, -1}, {-1}, in[dim], FactorKind::Reduction);
        b.getFactor(factor).indexed = true;
      }
      continue;
    }
    int64_t outDim = dn.getOffsetDims()[nextOffset++];
    if (op.getSliceSizes()[dim] == in[dim])
      b.add({dim, -1}, {outDim}, in[dim]);
  }
  b.setCombiner(Combiner::Add);
}

void addScatter(stablehlo::ScatterOp op, RuleBuilder &b) {
  auto dn = op.getScatterDimensionNumbers();
  unsigned n = op->getNumResults();
  ArrayRef<int64_t> in = shapeOf(op.getInputs()[0]), indices = shapeOf(op.getScatterIndices()),
                    updates = shapeOf(op.getUpdates()[0]);
  Combiner combiner = n == 1 ? getCombiner(op.getUpdateComputation()) : Combiner::None;
  SmallVector<int64_t> batch = indexBatchDims(indices.size(), dn.getIndexVectorDim());
  auto add = [&](int64_t inDim, int64_t indexDim, int64_t updateDim, int64_t size,
                 FactorKind kind) {
    SmallVector<int64_t> operands(n, inDim);
    operands.push_back(indexDim);
    operands.append(n, updateDim);
    return b.add(operands, SmallVector<int64_t>(n, inDim), size, kind);
  };
  unsigned nextBatch = 0;
  for (int64_t dim = 0; dim < static_cast<int64_t>(updates.size()); ++dim) {
    if (llvm::is_contained(dn.getUpdateWindowDims(), dim))
      continue;
    int64_t indexDim = batch[nextBatch++];
    int64_t pair = find(dn.getScatterIndicesBatchingDims(), indexDim);
    if (pair >= 0)
      add(dn.getInputBatchingDims()[pair], indexDim, dim, updates[dim], FactorKind::PassThrough);
    else
      add(-1, indexDim, dim, updates[dim],
          combiner != Combiner::None ? FactorKind::Reduction : FactorKind::NeedReplication);
  }
  unsigned nextWindow = 0;
  for (int64_t dim = 0; dim < static_cast<int64_t>(in.size()); ++dim) {
    if (llvm::is_contained(dn.getInputBatchingDims(), dim))
      continue;
    bool indexed = llvm::is_contained(dn.getScatterDimsToOperandDims(), dim);
    if (llvm::is_contained(dn.getInsertedWindowDims(), dim)) {
      if (indexed)
        b.getFactor(add(dim, -1, -1, in[dim], FactorKind::PassThrough)).indexed = true;
      continue;
    }
    int64_t updateDim = dn.getUpdateWindowDims()[nextWindow++];
    if (updates[updateDim] == in[dim])
      add(dim, -1, updateDim, in[dim], FactorKind::PassThrough);
  }
  b.setCombiner(combiner);
}

} // namespace

bool addIndexingRule(Operation *op, RuleBuilder &b) {
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op)) {
    addGather(gather, b);
    return true;
  }
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
    addScatter(scatter, b);
    return true;
  }
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op)) {
    ArrayRef<int64_t> in = shapeOf(slice.getOperand());
    for (auto [dim, size] : llvm::enumerate(slice.getSliceSizes())) {
      SmallVector<int64_t> operands(op->getNumOperands(), -1);
      operands[0] = dim;
      if (size == in[dim])
        b.add(operands, {static_cast<int64_t>(dim)}, size);
      else if (!cast<RankedTensorType>(slice.getType()).getElementType().isInteger(1))
        b.getFactor(b.add(operands, {-1}, in[dim], FactorKind::Reduction)).indexed = true;
    }
    b.setCombiner(Combiner::Add);
    return true;
  }
  if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op)) {
    ArrayRef<int64_t> in = shapeOf(update.getOperand()), part = shapeOf(update.getUpdate());
    for (auto [dim, size] : llvm::enumerate(part)) {
      SmallVector<int64_t> operands(op->getNumOperands(), -1);
      operands[0] = dim;
      bool whole = size == in[dim];
      if (whole)
        operands[1] = dim;
      unsigned factor = b.add(operands, {static_cast<int64_t>(dim)}, in[dim],
                              whole ? FactorKind::PassThrough : FactorKind::Permutation);
      b.getFactor(factor).halo = !whole;
    }
    return true;
  }
  return false;
}

} // namespace tandem
