// Gathers and scatters whose indexed dimensions are split: indices become local ones (F8, F9).
#include "passes/Partition/Partitioner.h"

namespace tandem {
using namespace mlir;

namespace {

Value broadcastScalar(OpBuilder &b, Location loc, RankedTensorType type, Value scalar) {
  return stablehlo::BroadcastInDimOp::create(b, loc, type, scalar, b.getDenseI64ArrayAttr({}));
}

Value compare(OpBuilder &b, Location loc, Value x, Value y,
              stablehlo::ComparisonDirection direction) {
  auto type = cast<RankedTensorType>(x.getType());
  return stablehlo::CompareOp::create(
      b, loc, RankedTensorType::get(type.getShape(), b.getI1Type()), x, y,
      stablehlo::ComparisonDirectionAttr::get(b.getContext(), direction),
      stablehlo::ComparisonTypeAttr::get(b.getContext(), type.getElementType().isUnsignedInteger()
                                                             ? stablehlo::ComparisonType::UNSIGNED
                                                             : stablehlo::ComparisonType::SIGNED));
}

/// One component of index vectors, [.., 1, ..]; the indices themselves where they have no vectors.
Value getComponent(OpBuilder &b, Location loc, Value indices, int64_t vectorDim,
                   int64_t component) {
  return vectorDim == typeOf(indices).getRank()
             ? indices
             : createSlice(b, loc, indices, vectorDim, component, 1);
}

} // namespace

/// The index of the first element of the device's tiles of `size`, spread over `type`.
Value Partitioner::spreadOffset(RankedTensorType type, AtomsRef atoms, int64_t size, Location loc) {
  OpBuilder &b = spmd->getBuilder();
  Value offset = spmd->getOffset(atoms, size);
  auto scalar = RankedTensorType::get({}, type.getElementType());
  if (offset.getType() != scalar)
    offset = stablehlo::ConvertOp::create(b, loc, scalar, offset);
  return broadcastScalar(b, loc, type, offset);
}

/// Components of split dimensions become local. As the global gather would, they are clamped first;
/// then a device's own index vectors are those whose components all fall into its part. The others
/// read some element of the part and count as zero.
Value Partitioner::emitShiftedGather(stablehlo::GatherOp op, SmallVector<Value> operands,
                                     const Assignment &assignment, AtomsRef atoms) {
  OpBuilder &b = spmd->getBuilder();
  Location loc = spmd->getLoc(
      {op.getLoc(), "gather from a split dimension", describeArray(op.getOperand())}, atoms);
  auto dn = op.getDimensionNumbers();
  auto indexType = cast<RankedTensorType>(operands[1].getType());
  int64_t vectorDim = dn.getIndexVectorDim();
  SmallVector<Value> components;
  Value own;
  for (auto [component, dim] : llvm::enumerate(dn.getStartIndexMap())) {
    Value index = getComponent(b, loc, operands[1], vectorDim, component);
    auto type = cast<RankedTensorType>(index.getType());
    const Atoms &split = assignment.operands[0].dims[dim];
    // A window that is all of the dimension starts at 0, split or not.
    if (split.empty() || !llvm::is_contained(dn.getCollapsedSliceDims(), dim)) {
      components.push_back(index);
      continue;
    }
    int64_t globalSize = cast<RankedTensorType>(op.getOperand().getType()).getDimSize(dim);
    int64_t localSize = cast<RankedTensorType>(operands[0].getType()).getDimSize(dim);
    Value low = spmd->createSplat(loc, type, 0);
    Value high = spmd->createSplat(loc, type, globalSize - 1);
    index = stablehlo::MinOp::create(b, loc, type, index, high);
    index = stablehlo::MaxOp::create(b, loc, type, index, low);
    Value first = spreadOffset(type, split, localSize, loc);
    Value local = stablehlo::SubtractOp::create(b, loc, type, index, first);
    Value size = spmd->createSplat(loc, type, localSize);
    // Both sides of the range; for unsigned indices the difference wraps, so the first test
    // is on the index itself.
    Value notBelow = compare(b, loc, index, first, stablehlo::ComparisonDirection::GE);
    Value notAbove = compare(b, loc, local, size, stablehlo::ComparisonDirection::LT);
    Value here = stablehlo::AndOp::create(b, loc, notBelow.getType(), notBelow, notAbove);
    own = own ? stablehlo::AndOp::create(b, loc, own.getType(), own, here).getResult() : here;
    components.push_back(local);
  }
  operands[1] = createConcat(b, loc, components, vectorDim);
  Value gathered = createLocal(op, operands, assignment)->getResult(0);
  auto type = cast<RankedTensorType>(gathered.getType());

  // The mask without the index vector's dimension, along the result's batch dimensions.
  SmallVector<int64_t> shape, dims;
  for (int64_t d = 0; d < indexType.getRank(); ++d)
    if (d != vectorDim)
      shape.push_back(indexType.getDimSize(d));
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(dn.getOffsetDims(), d))
      dims.push_back(d);
  auto maskType = RankedTensorType::get(shape, b.getI1Type());
  if (own.getType() != maskType)
    own = stablehlo::ReshapeOp::create(b, loc, maskType, own);
  own = stablehlo::BroadcastInDimOp::create(b, loc,
                                            RankedTensorType::get(type.getShape(), b.getI1Type()),
                                            own, b.getDenseI64ArrayAttr(dims));
  Value zero = spmd->createSplat(loc, type, 0);
  return stablehlo::SelectOp::create(b, loc, type, own, gathered, zero);
}

/// A scatter drops what is out of range, so moving the indices is all there is to do.
void Partitioner::shiftScatterIndices(stablehlo::ScatterOp op, SmallVectorImpl<Value> &operands,
                                      const Assignment &assignment, AtomsRef atoms) {
  OpBuilder &b = spmd->getBuilder();
  Location loc = spmd->getLoc(
      {op.getLoc(), "scatter into a split dimension", describeArray(op.getResult(0))}, atoms);
  auto dn = op.getScatterDimensionNumbers();
  unsigned position = op.getInputs().size();
  int64_t vectorDim = dn.getIndexVectorDim();
  SmallVector<Value> components;
  for (auto [component, dim] : llvm::enumerate(dn.getScatterDimsToOperandDims())) {
    Value index = getComponent(b, loc, operands[position], vectorDim, component);
    auto type = cast<RankedTensorType>(index.getType());
    const Atoms &split = assignment.operands[0].dims[dim];
    if (!split.empty() && llvm::is_contained(dn.getInsertedWindowDims(), dim))
      index = stablehlo::SubtractOp::create(
          b, loc, type, index,
          spreadOffset(type, split, cast<RankedTensorType>(operands[0].getType()).getDimSize(dim),
                       loc));
    components.push_back(index);
  }
  operands[position] = createConcat(b, loc, components, vectorDim);
}

} // namespace tandem
