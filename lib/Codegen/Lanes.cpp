// Which elements can be computed as vectors.

#include "Elements.h"

#include "tandem/Codegen/KernelOps.h"
#include "tandem/IR/StableHLO/ChloOps.h"

using namespace mlir;
namespace hlo = mlir::stablehlo;

namespace tandem::codegen {
namespace {

bool isInRegion(Value value) { return shapeOf(value).empty() && !isa<OpResult>(value); }

/// True if the non-unit dimensions of both shapes are the same ones in the same order.
bool movesOnlyUnitDims(ArrayRef<int64_t> shape, ArrayRef<int64_t> movedTo) {
  // movedTo[d] is the place of dimension d.
  int64_t last = -1;
  for (auto [size, to] : llvm::zip(shape, movedTo)) {
    if (size == 1)
      continue;
    if (to < last)
      return false;
    last = to;
  }
  return true;
}

/// True if a window of `sizes` is one stretch of memory.
bool isContiguousWindow(ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes) {
  unsigned d = 0;
  while (d < shape.size() && sizes[d] == 1)
    ++d;
  for (++d; d < shape.size(); ++d)
    if (sizes[d] != shape[d])
      return false;
  return true;
}

bool isCostly(Operation *op) {
  return !isa<hlo::AddOp, hlo::SubtractOp, hlo::MulOp, hlo::MaxOp, hlo::MinOp, hlo::AndOp,
              hlo::OrOp, hlo::XorOp, hlo::NotOp, hlo::NegOp, hlo::AbsOp, hlo::SelectOp,
              hlo::CompareOp, hlo::ConvertOp, hlo::DivOp, hlo::SqrtOp, hlo::RsqrtOp, chlo::SquareOp,
              hlo::ClampOp, hlo::ShiftLeftOp, hlo::ShiftRightLogicalOp, hlo::SignOp,
              hlo::IsFiniteOp, hlo::FloorOp, hlo::CeilOp>(op);
}

} // namespace

bool isPureMove(Operation *op) {
  return isa<hlo::BroadcastInDimOp, hlo::BroadcastOp, hlo::ReshapeOp, hlo::TransposeOp,
             hlo::SliceOp, hlo::ReverseOp, hlo::DynamicSliceOp, hlo::GatherOp>(op);
}

bool Elements::supportsLanes(Value value, Lane lane, bool mayGather) {
  ElementKind kind = elementKind(value);
  if (!lane || shapeOf(value).empty())
    return true;
  if (kind.isComplex())
    return false;
  auto buffer = memory.find(value);
  if (buffer != memory.end())
    return mayGather || stridesOf(buffer->second.shape)[lane.dim] * lane.stride == 1;
  auto key = std::make_tuple(value, lane.dim, lane.stride, int(mayGather));
  auto known = laneAnswers.find(key);
  if (known != laneAnswers.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  auto allOperands = [&](bool gather) {
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      if (shapeOf(operand).empty())
        continue;
      // Start indices are read as scalars; operandLane has refused lanes that walk over them.
      if (isa<hlo::GatherOp>(op) && number > 0)
        continue;
      std::optional<Lane> operandLaneOf = operandLane(op, number, lane);
      if (!operandLaneOf || !supportsLanes(operand, *operandLaneOf, gather))
        return false;
    }
    return true;
  };
  bool answer = false;
  if (isa<hlo::ConstantOp>(op))
    answer = cast<DenseElementsAttr>(cast<hlo::ConstantOp>(op).getValue()).isSplat() || mayGather ||
             stridesOf(shapeOf(value))[lane.dim] * lane.stride == 1;
  else if (isa<hlo::IotaOp>(op))
    answer = true;
  else if (isa<hlo::BitcastConvertOp>(op))
    answer = shapeOf(op->getOperand(0)) == shapeOf(value) && allOperands(mayGather);
  else if (isElemental(op))
    answer = allOperands(mayGather);
  else if (isa<hlo::ReduceOp, hlo::ReduceWindowOp, hlo::DotGeneralOp, hlo::ConvolutionOp>(op))
    // One vector at a time beats gathering only if each step of the loop reads one vector.
    answer = allOperands(/*gather=*/false);
  laneAnswers[key] = answer;
  return answer;
}

bool Elements::supportsLinear(Value value) {
  if (memory.contains(value) || isInRegion(value))
    return true;
  auto known = linearAnswers.find(value);
  if (known != linearAnswers.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  ArrayRef<int64_t> shape = shapeOf(value);
  auto operandIsLinear = [&] { return supportsLinear(op->getOperand(0)); };
  bool answer = false;
  if (shape.empty()) {
    answer = true;
  } else if (isa<hlo::ConstantOp>(op)) {
    answer = true;
  } else if (auto iota = dyn_cast<hlo::IotaOp>(op)) {
    answer = shape[iota.getIotaDimension()] == elementsOf(shape);
  } else if (isa<hlo::ReshapeOp>(op)) {
    answer = operandIsLinear();
  } else if (auto broadcast = dyn_cast<hlo::BroadcastInDimOp>(op)) {
    ArrayRef<int64_t> from = shapeOf(broadcast.getOperand());
    answer = from.empty() ||
             (elementsOf(from) == elementsOf(shape) &&
              movesOnlyUnitDims(from, broadcast.getBroadcastDimensions()) && operandIsLinear());
  } else if (isa<hlo::BroadcastOp>(op)) {
    ArrayRef<int64_t> from = shapeOf(op->getOperand(0));
    answer = from.empty() || (elementsOf(from) == elementsOf(shape) && operandIsLinear());
  } else if (auto transpose = dyn_cast<hlo::TransposeOp>(op)) {
    // permutation[d] is where result dimension d comes from.
    answer = movesOnlyUnitDims(shape, transpose.getPermutation()) && operandIsLinear();
  } else if (auto slice = dyn_cast<hlo::SliceOp>(op)) {
    answer = llvm::all_of(slice.getStrides(), [](int64_t s) { return s == 1; }) &&
             isContiguousWindow(shapeOf(slice.getOperand()), shape) && operandIsLinear();
  } else if (auto slice = dyn_cast<hlo::DynamicSliceOp>(op)) {
    answer = isContiguousWindow(shapeOf(slice.getOperand()), shape) && operandIsLinear();
  } else if (isElementwise(op)) {
    answer = llvm::all_of(op->getOperands(), [&](Value operand) {
      return shapeOf(operand).empty() || supportsLinear(operand);
    });
  } else if (isa<hlo::BitcastConvertOp>(op)) {
    answer = shapeOf(op->getOperand(0)) == shape && operandIsLinear();
  }
  linearAnswers[value] = answer;
  return answer;
}

bool Elements::usesComplex(Value value) {
  if (elementKind(value).isComplex())
    return true;
  if (memory.contains(value) || !value.getDefiningOp())
    return false;
  auto [known, isNew] = complexAnswers.try_emplace(value, false);
  if (!isNew)
    return known->second;
  bool answer = llvm::any_of(value.getDefiningOp()->getOperands(), [&](Value operand) {
    return !shapeOf(operand).empty() && usesComplex(operand);
  });
  return complexAnswers[value] = answer;
}

int64_t Elements::weightOf(Value value) {
  if (memory.contains(value) || !value.getDefiningOp())
    return 0;
  auto known = weights.find(value);
  if (known != weights.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  int64_t weight = isElementwise(op) ? (isCostly(op) ? 15 : 1) : isElemental(op) ? 0 : 100;
  for (Value operand : op->getOperands())
    weight = std::min<int64_t>(1000, weight + weightOf(operand));
  return weights[value] = weight;
}

int64_t Elements::weightAlong(Value value, Lane lane) {
  if (memory.contains(value) || !value.getDefiningOp())
    return 0;
  Operation *op = value.getDefiningOp();
  if (isPureMove(op) && operandLane(op, 0, lane) == Lane())
    return 0;
  if (!isElementwise(op))
    return weightOf(value);
  int64_t weight = isCostly(op) ? 15 : 1;
  for (Value operand : op->getOperands())
    if (!shapeOf(operand).empty())
      weight = std::min<int64_t>(1000, weight + weightAlong(operand, lane));
  return weight;
}

Value Elements::maskOf(int64_t count) {
  llvm::SmallVector<bool> bits(lanes(), false);
  std::fill_n(bits.begin(), count, true);
  return k.make<arith::ConstantOp>(k.raw().getBoolVectorAttr(bits));
}

Operation *combinerOf(Region &region) {
  Block &block = region.front();
  if (!llvm::hasNItems(block, 2) || block.getNumArguments() != 2)
    return nullptr;
  Operation *op = &block.front();
  bool combines =
      isa<hlo::AddOp, hlo::MulOp, hlo::MaxOp, hlo::MinOp, hlo::AndOp, hlo::OrOp, hlo::XorOp>(op);
  Value a = block.getArgument(0), b = block.getArgument(1);
  bool takesBoth = combines && ((op->getOperand(0) == a && op->getOperand(1) == b) ||
                                (op->getOperand(0) == b && op->getOperand(1) == a));
  return takesBoth && block.getTerminator()->getOperand(0) == op->getResult(0) ? op : nullptr;
}

} // namespace tandem::codegen
