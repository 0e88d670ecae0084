// Gathers and scatters whose indexed dimension is split: indices become local ones.
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

} // namespace

/// The index vector has one component, of a dimension that `atoms` split. As the global
/// gather would, indices are clamped first; then a device's own ones are those that fall
/// into its part. The others read some element of the part and count as zero.
Value Partitioner::emitShiftedGather(stablehlo::GatherOp op, SmallVector<Value> operands,
                                     const Assignment &assignment, AtomsRef atoms) {
  OpBuilder &b = spmd->getBuilder();
  Location loc = spmd->getLoc(
      {op.getLoc(), "gather from a split dimension", describeArray(op.getOperand())}, atoms);
  auto dn = op.getDimensionNumbers();
  int64_t dim = dn.getStartIndexMap()[0];
  int64_t globalSize = cast<RankedTensorType>(op.getOperand().getType()).getDimSize(dim);
  int64_t localSize = cast<RankedTensorType>(operands[0].getType()).getDimSize(dim);
  auto indexType = cast<RankedTensorType>(operands[1].getType());
  Value low = spmd->createSplat(loc, indexType, 0);
  Value high = spmd->createSplat(loc, indexType, globalSize - 1);
  Value index = stablehlo::MinOp::create(b, loc, indexType, operands[1], high);
  index = stablehlo::MaxOp::create(b, loc, indexType, index, low);
  Value offset = spmd->getOffset(atoms, localSize);
  auto scalar = RankedTensorType::get({}, indexType.getElementType());
  if (offset.getType() != scalar)
    offset = stablehlo::ConvertOp::create(b, loc, scalar, offset);
  Value first = broadcastScalar(b, loc, indexType, offset);
  Value local = stablehlo::SubtractOp::create(b, loc, indexType, index, first);
  Value size = spmd->createSplat(loc, indexType, localSize);
  // Both sides of the range; for unsigned indices the difference wraps, so the first test
  // is on the index itself.
  Value notBelow = compare(b, loc, index, first, stablehlo::ComparisonDirection::GE);
  Value notAbove = compare(b, loc, local, size, stablehlo::ComparisonDirection::LT);
  Value own = stablehlo::AndOp::create(b, loc, notBelow.getType(), notBelow, notAbove);
  operands[1] = local;
  Value gathered = createLocal(op, operands, assignment)->getResult(0);
  auto type = cast<RankedTensorType>(gathered.getType());

  // The mask without the index vector's dimension, along the result's batch dimensions.
  SmallVector<int64_t> shape, dims;
  for (int64_t d = 0; d < indexType.getRank(); ++d)
    if (d != dn.getIndexVectorDim())
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
  unsigned position = op.getInputs().size();
  int64_t dim = op.getScatterDimensionNumbers().getScatterDimsToOperandDims()[0];
  int64_t localSize = cast<RankedTensorType>(operands[0].getType()).getDimSize(dim);
  auto indexType = cast<RankedTensorType>(operands[position].getType());
  Value offset = spmd->getOffset(atoms, localSize);
  auto scalar = RankedTensorType::get({}, indexType.getElementType());
  if (offset.getType() != scalar)
    offset = stablehlo::ConvertOp::create(b, loc, scalar, offset);
  operands[position] = stablehlo::SubtractOp::create(b, loc, indexType, operands[position],
                                                     broadcastScalar(b, loc, indexType, offset));
}

} // namespace tandem
