// Sums and gathers over devices: one collective, or steps on two link levels (rule A9).
#include "passes/Partition/Spmd.h"

#include "passes/Partition/Slices.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Cause.h"
#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {
using namespace mlir;

Value SpmdBuilder::widen(Value local, Location loc) {
  auto type = cast<RankedTensorType>(local.getType());
  if (!sumInF32 || !isa<FloatType>(type.getElementType()) || type.getElementTypeBitWidth() >= 32)
    return local;
  return stablehlo::ConvertOp::create(
      b, loc, RankedTensorType::get(type.getShape(), b.getF32Type()), local);
}

Value SpmdBuilder::narrow(Value wide, Type element, Location loc) {
  auto type = cast<RankedTensorType>(wide.getType());
  if (type.getElementType() == element)
    return wide;
  return stablehlo::ConvertOp::create(b, loc, RankedTensorType::get(type.getShape(), element),
                                      wide);
}

void SpmdBuilder::fillReducer(Region &region, Type element, Combiner combiner, Location loc) {
  OpBuilder::InsertionGuard guard(b);
  auto scalar = RankedTensorType::get({}, element);
  Block *block = b.createBlock(&region, region.end(), {scalar, scalar}, {loc, loc});
  Value result = combine(loc, block->getArgument(0), block->getArgument(1), combiner);
  stablehlo::ReturnOp::create(b, loc, ValueRange{result});
}

Location SpmdBuilder::getStepLoc(const Reason &reason, StringRef step, AtomsRef atoms,
                                 bool isFast) const {
  return getLoc({reason.source,
                 (reason.rule + ", in steps: " + step + " on the " + (isFast ? "fast" : "slow") +
                  " link level")
                     .str(),
                 reason.array},
                atoms);
}

Value SpmdBuilder::reduceOnce(Value wide, AtomsRef atoms, Combiner combiner, Location loc) {
  auto op = stablehlo::AllReduceOp::create(
      b, loc, TypeRange{wide.getType()}, ValueRange{wide}, mesh.getReplicaGroups(atoms),
      cast<stablehlo::ChannelHandleAttr>(nextChannel()), b.getUnitAttr());
  fillReducer(op.getComputation(), typeOf(wide).getElementType(), combiner, loc);
  return op->getResult(0);
}

Value SpmdBuilder::scatterOnce(Value wide, int64_t dim, AtomsRef atoms, Combiner combiner,
                               Location loc) {
  RankedTensorType type = typeOf(wide);
  auto op = stablehlo::ReduceScatterOp::create(
      b, loc, withSize(type, dim, type.getDimSize(dim) / mesh.getSize(atoms)), wide,
      b.getI64IntegerAttr(dim), mesh.getReplicaGroups(atoms),
      cast<stablehlo::ChannelHandleAttr>(nextChannel()), b.getUnitAttr());
  fillReducer(op.getComputation(), type.getElementType(), combiner, loc);
  return op.getResult();
}

Value SpmdBuilder::gatherOnce(Value local, int64_t dim, AtomsRef atoms, Location loc) {
  RankedTensorType type = typeOf(local);
  auto op = stablehlo::AllGatherOp::create(
      b, loc, TypeRange{withSize(type, dim, type.getDimSize(dim) * mesh.getSize(atoms))},
      ValueRange{local}, b.getI64IntegerAttr(dim), mesh.getReplicaGroups(atoms),
      cast<stablehlo::ChannelHandleAttr>(nextChannel()), b.getUnitAttr());
  return op->getResult(0);
}

Value SpmdBuilder::reorder(Value value, int64_t dim, AtomsRef from, AtomsRef to, Location loc) {
  if (from == to)
    return value;
  RankedTensorType type = typeOf(value);
  // [.., dim, ..] is [.., from.., rest, ..].
  SmallVector<int64_t> split(type.getShape().take_front(dim)), order, turned;
  for (uint16_t atom : from)
    split.push_back(mesh.getAtomSizes()[atom]);
  split.push_back(type.getDimSize(dim) / mesh.getSize(from));
  llvm::append_range(split, type.getShape().drop_front(dim + 1));
  for (int64_t i = 0, e = split.size(); i < e; ++i) {
    int64_t digit = i - dim;
    bool isDigit = digit >= 0 && digit < static_cast<int64_t>(to.size());
    order.push_back(isDigit ? dim + (llvm::find(from, to[digit]) - from.begin()) : i);
    turned.push_back(split[order.back()]);
  }
  auto shaped = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, type.getElementType());
  };
  Value digits = stablehlo::ReshapeOp::create(b, loc, shaped(split), value);
  digits =
      stablehlo::TransposeOp::create(b, loc, shaped(turned), digits, b.getDenseI64ArrayAttr(order));
  return stablehlo::ReshapeOp::create(b, loc, type, digits);
}

Value SpmdBuilder::reduceInLevels(Value wide, Type element, AtomsRef atoms, Combiner combiner,
                                  const Reason &reason) {
  RankedTensorType type = typeOf(wide);
  std::optional<TwoLevels> levels =
      planTwoLevels(CollectiveKind::AllReduce, atoms, getByteSize(type), mesh, target);
  if (!levels)
    return {};
  int64_t parts = mesh.getSize(levels->fast), count = type.getNumElements();
  if (count % parts != 0)
    return {};
  const auto *even =
      llvm::find_if(type.getShape(), [&](int64_t size) { return size % parts == 0; });
  int64_t dim = even == type.getShape().end() ? 0 : even - type.getShape().begin();
  Location loc = getStepLoc(reason, "reduce-scatter", levels->fast, true);
  if (even == type.getShape().end())
    wide = stablehlo::ReshapeOp::create(
        b, loc, RankedTensorType::get({count}, type.getElementType()), wide);
  Value part = scatterOnce(wide, dim, levels->fast, combiner, loc);
  loc = getStepLoc(reason, "all-reduce", levels->slow, false);
  part = narrow(reduceOnce(part, levels->slow, combiner, loc), element, loc);
  loc = getStepLoc(reason, "all-gather", levels->fast, true);
  Value sum = gatherOnce(part, dim, levels->fast, loc);
  if (even == type.getShape().end())
    sum =
        stablehlo::ReshapeOp::create(b, loc, RankedTensorType::get(type.getShape(), element), sum);
  return sum;
}

Value SpmdBuilder::allReduce(Value local, AtomsRef atoms, Combiner combiner, const Reason &reason) {
  Location loc = getLoc(reason, atoms);
  Type element = typeOf(local).getElementType();
  Value wide = combiner == Combiner::Add ? widen(local, loc) : local;
  if (Value sum = reduceInLevels(wide, element, atoms, combiner, reason))
    return sum;
  return narrow(reduceOnce(wide, atoms, combiner, loc), element, loc);
}

Value SpmdBuilder::gather(Value local, int64_t dim, AtomsRef atoms, const Reason &reason) {
  int64_t bytes = getByteSize(typeOf(local)) * mesh.getSize(atoms);
  std::optional<TwoLevels> levels =
      planTwoLevels(CollectiveKind::AllGather, atoms, bytes, mesh, target);
  if (!levels)
    return gatherOnce(local, dim, atoms, getLoc(reason, atoms));
  local =
      gatherOnce(local, dim, levels->slow, getStepLoc(reason, "all-gather", levels->slow, false));
  Location loc = getStepLoc(reason, "all-gather", levels->fast, true);
  return reorder(gatherOnce(local, dim, levels->fast, loc), dim, levels->getOrder(), atoms, loc);
}

Value SpmdBuilder::addBefore(Value local, int64_t dim, AtomsRef atoms, bool isReverse,
                             Combiner combiner, const Reason &reason) {
  Location loc = getLoc(reason, atoms);
  RankedTensorType type = typeOf(local);
  Value edge = createSlice(b, loc, local, dim, isReverse ? 0 : type.getDimSize(dim) - 1, 1);
  Value all = gather(edge, dim, atoms, reason);
  if (combiner == Combiner::Add) {
    all = widen(all, loc);
    local = widen(local, loc);
  }
  RankedTensorType wide = typeOf(all);
  auto positions = RankedTensorType::get(wide.getShape(), b.getI32Type());
  Value tile = stablehlo::IotaOp::create(b, loc, positions, b.getI64IntegerAttr(dim));
  Value own = stablehlo::BroadcastInDimOp::create(b, loc, positions, getCoordinate(atoms),
                                                  b.getDenseI64ArrayAttr({}));
  auto direction =
      isReverse ? stablehlo::ComparisonDirection::GT : stablehlo::ComparisonDirection::LT;
  auto signedness = stablehlo::ComparisonType::SIGNED;
  Value isBefore = stablehlo::CompareOp::create(
      b, loc, RankedTensorType::get(wide.getShape(), b.getI1Type()), tile, own,
      stablehlo::ComparisonDirectionAttr::get(b.getContext(), direction),
      stablehlo::ComparisonTypeAttr::get(b.getContext(), signedness));
  all =
      stablehlo::SelectOp::create(b, loc, wide, isBefore, all, createNeutral(loc, wide, combiner));
  SmallVector<int64_t> shape, dims;
  for (int64_t d = 0; d < wide.getRank(); ++d)
    if (d != dim) {
      shape.push_back(wide.getDimSize(d));
      dims.push_back(d);
    }
  auto scalar = RankedTensorType::get({}, wide.getElementType());
  auto sum = stablehlo::ReduceOp::create(
      b, loc, TypeRange{RankedTensorType::get(shape, wide.getElementType())}, ValueRange{all},
      ValueRange{createNeutral(loc, scalar, combiner)}, b.getDenseI64ArrayAttr({dim}));
  fillReducer(sum.getBody(), wide.getElementType(), combiner, loc);
  Value spread = stablehlo::BroadcastInDimOp::create(b, loc, local.getType(), sum->getResult(0),
                                                     b.getDenseI64ArrayAttr(dims));
  return narrow(combine(loc, local, spread, combiner), type.getElementType(), loc);
}

Value SpmdBuilder::broadcast(Value local, AtomsRef atoms, int64_t owner, const Reason &reason) {
  SmallVector<int64_t> ids; // the owner leads its group
  for (SmallVector<int64_t> group : mesh.getGroups(atoms)) {
    ids.push_back(group[owner]);
    group.erase(group.begin() + owner);
    llvm::append_range(ids, group);
  }
  int64_t size = mesh.getSize(atoms);
  auto type =
      RankedTensorType::get({static_cast<int64_t>(ids.size()) / size, size}, b.getI64Type());
  return stablehlo::CollectiveBroadcastOp::create(
      b, getLoc(reason, atoms), local.getType(), local, DenseIntElementsAttr::get(type, ids),
      cast<stablehlo::ChannelHandleAttr>(nextChannel()));
}

Value SpmdBuilder::stack(Value local, AtomsRef atoms, const Reason &reason) {
  SmallVector<int64_t> shape{1};
  llvm::append_range(shape, typeOf(local).getShape());
  Value row = stablehlo::ReshapeOp::create(
      b, getLoc(reason, atoms), RankedTensorType::get(shape, typeOf(local).getElementType()),
      local);
  return gather(row, 0, atoms, reason);
}

Value SpmdBuilder::reduceScatter(Value local, int64_t dim, AtomsRef atoms, Combiner combiner,
                                 const Reason &reason) {
  Location loc = getLoc(reason, atoms);
  Type element = typeOf(local).getElementType();
  Value wide = combiner == Combiner::Add ? widen(local, loc) : local;
  std::optional<TwoLevels> levels =
      planTwoLevels(CollectiveKind::ReduceScatter, atoms, getByteSize(typeOf(wide)), mesh, target);
  if (!levels)
    return narrow(scatterOnce(wide, dim, atoms, combiner, loc), element, loc);
  Location fast = getStepLoc(reason, "reduce-scatter", levels->fast, true);
  wide = scatterOnce(reorder(wide, dim, atoms, levels->getOrder(), fast), dim, levels->fast,
                     combiner, fast);
  Location slow = getStepLoc(reason, "reduce-scatter", levels->slow, false);
  return narrow(scatterOnce(wide, dim, levels->slow, combiner, slow), element, slow);
}

} // namespace tandem
