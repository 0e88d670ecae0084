// Ops that read or write ranges of a split dimension: neighbours' elements are fetched, or the
// device takes part only as far as the range is its own (rules F7, F10, F11, F14, F15).
#include "passes/Partition/Partitioner.h"
#include "tandem/Sharding/Halo.h"

namespace tandem {
using namespace mlir;

namespace {

Value padBoth(OpBuilder &b, Location loc, Value value, Value zero, ArrayRef<int64_t> amounts) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape(type.getShape()), none(type.getRank(), 0);
  for (auto [size, amount] : llvm::zip_equal(shape, amounts))
    size += 2 * amount;
  return stablehlo::PadOp::create(b, loc, RankedTensorType::get(shape, type.getElementType()),
                                  value, zero, b.getDenseI64ArrayAttr(amounts),
                                  b.getDenseI64ArrayAttr(amounts), b.getDenseI64ArrayAttr(none));
}

Value dynamicSlice(OpBuilder &b, Location loc, Value value, ArrayRef<Value> starts,
                   ArrayRef<int64_t> sizes) {
  return stablehlo::DynamicSliceOp::create(
      b, loc, RankedTensorType::get(sizes, typeOf(value).getElementType()), value, starts,
      b.getDenseI64ArrayAttr(sizes));
}

} // namespace

Value Partitioner::fetchHalo(Value local, int64_t dim, AtomsRef atoms, const HaloPlan &plan,
                             Value fill, const Reason &reason) {
  OpBuilder &b = spmd->getBuilder();
  Location loc = spmd->getLoc(reason, atoms);
  SmallVector<SmallVector<int64_t>> groups = mesh.getGroups(atoms);
  SmallVector<Value> pieces;
  for (const HaloPlan::Piece &piece : plan.pieces) {
    Value own = createSlice(b, loc, local, dim, piece.begin, piece.end - piece.begin);
    RankedTensorType type = typeOf(own);
    Value value;
    auto choose = [&](Value candidate, ArrayRef<bool> devices) {
      if (llvm::all_of(devices, [](bool on) { return on; })) {
        value = candidate;
        return;
      }
      if (!value)
        value = stablehlo::BroadcastInDimOp::create(b, loc, type, fill, b.getDenseI64ArrayAttr({}));
      value = stablehlo::SelectOp::create(b, loc, type, spmd->lookup(atoms, devices, loc),
                                          candidate, value);
    };
    if (llvm::is_contained(piece.own, true))
      choose(own, piece.own);
    for (const auto &round : piece.rounds) {
      SmallVector<int64_t> pairs;
      SmallVector<bool> receives(plan.offsets.size(), false);
      for (const auto &[tile, device] : round)
        receives[device] = true;
      for (const auto &group : groups)
        for (const auto &[tile, device] : round) {
          pairs.push_back(group[tile]);
          pairs.push_back(group[device]);
        }
      choose(spmd->permute(own, pairs, atoms, reason), receives);
    }
    if (!value)
      value = stablehlo::BroadcastInDimOp::create(b, loc, type, fill, b.getDenseI64ArrayAttr({}));
    pieces.push_back(value);
  }
  Value joined = pieces.front();
  if (pieces.size() > 1) {
    int64_t size = 0;
    for (Value piece : pieces)
      size += typeOf(piece).getDimSize(dim);
    joined = stablehlo::ConcatenateOp::create(b, loc, withSize(typeOf(joined), dim, size), pieces,
                                              b.getI64IntegerAttr(dim));
  }
  if (plan.isUniform())
    return createSlice(b, loc, joined, dim, plan.offsets.front(), plan.length);
  RankedTensorType type = typeOf(joined);
  SmallVector<Value> starts(type.getRank(),
                            spmd->createSplat(loc, RankedTensorType::get({}, b.getI32Type()), 0));
  starts[dim] = spmd->lookup(atoms, plan.offsets, loc);
  SmallVector<int64_t> sizes(type.getShape());
  sizes[dim] = plan.length;
  return dynamicSlice(b, loc, joined, starts, sizes);
}

void Partitioner::fetchHalos(Operation *op, SmallVectorImpl<Value> &operands,
                             const ShardingRule &rule, const Assignment &assignment) {
  auto window = dyn_cast<stablehlo::ReduceWindowOp>(op);
  unsigned inputs = window ? window.getInputs().size() : 1;
  for (auto [dim, factors] : llvm::enumerate(rule.operands.front())) {
    unsigned factor = factors.front();
    const Atoms &atoms = assignment.atoms[factor];
    if (!rule.factors[factor].halo || atoms.empty() || assignment.hidden[factor] ||
        rule.factors[factor].cumulative)
      continue;
    std::optional<HaloRanges> ranges = getHaloRanges(op, dim, mesh.getSize(atoms));
    assert(ranges && "assigned a split that the op cannot have");
    for (unsigned i = 0; i < inputs; ++i) {
      Reason reason{op->getLoc(), "neighbours' elements of a split dimension",
                    describeArray(op->getOperand(i))};
      RankedTensorType type = typeOf(operands[i]);
      auto scalar = RankedTensorType::get({}, type.getElementType());
      Location loc = spmd->getLoc(reason, atoms);
      Value fill;
      if (isa<stablehlo::PadOp>(op))
        fill = operands[1];
      else if (window && getCombiner(window.getBody()) != Combiner::None)
        fill = spmd->createNeutral(loc, scalar, getCombiner(window.getBody()));
      else
        fill = spmd->createSplat(loc, scalar, 0);
      operands[i] =
          fetchHalo(operands[i], dim, atoms, planHalo(*ranges, type.getDimSize(dim)), fill, reason);
    }
  }
}

/// Start indices as i32, clamped as the whole op would clamp them.
SmallVector<Value> Partitioner::clampStarts(ValueRange starts, RankedTensorType global,
                                            ArrayRef<int64_t> sizes, Location loc) {
  OpBuilder &b = spmd->getBuilder();
  SmallVector<Value> result;
  for (auto [dim, start] : llvm::enumerate(starts)) {
    Value index = start;
    auto i32 = RankedTensorType::get({}, b.getI32Type());
    // The bound must fit the type that is compared in, the index the type it becomes.
    if (typeOf(index).getElementTypeBitWidth() < 32)
      index = stablehlo::ConvertOp::create(b, loc, i32, index);
    RankedTensorType type = typeOf(index);
    Value low = spmd->createSplat(loc, type, 0);
    Value high = spmd->createSplat(loc, type, global.getDimSize(dim) - sizes[dim]);
    index = stablehlo::MinOp::create(b, loc, type, index, high);
    index = stablehlo::MaxOp::create(b, loc, type, index, low);
    if (type != i32)
      index = stablehlo::ConvertOp::create(b, loc, i32, index);
    result.push_back(index);
  }
  return result;
}

/// A range of `size` that starts at `start` of the whole dimension, seen from the device's tile of
/// `tile` elements: `start` becomes that of the `width` elements of the tile nearest to it;
/// returns how many elements before the range these begin.
Value Partitioner::moveIntoTile(Value &start, AtomsRef atoms, int64_t tile, int64_t width,
                                Location loc) {
  OpBuilder &b = spmd->getBuilder();
  Type i32 = start.getType();
  Value local = stablehlo::SubtractOp::create(b, loc, i32, start, spmd->getOffset(atoms, tile));
  Value high = spmd->createSplat(loc, cast<RankedTensorType>(i32), tile - width);
  Value zero = spmd->createSplat(loc, cast<RankedTensorType>(i32), 0);
  start = stablehlo::MinOp::create(b, loc, i32, local, high);
  start = stablehlo::MaxOp::create(b, loc, i32, start, zero);
  return stablehlo::SubtractOp::create(b, loc, i32, start, local);
}

/// Each device gives what of the range is its own, zeros elsewhere; the parts add up.
Value Partitioner::emitSharedSlice(stablehlo::DynamicSliceOp op, ArrayRef<Value> operands,
                                   const ShardingRule &rule, const Assignment &assignment) {
  OpBuilder &b = spmd->getBuilder();
  Location loc =
      spmd->getLoc({op.getLoc(), "device's part of a slice", describeArray(op.getOperand())},
                   assignment.reduced);
  auto global = cast<RankedTensorType>(op.getOperand().getType());
  SmallVector<Value> starts = clampStarts(operands.drop_front(), global, op.getSliceSizes(), loc);
  RankedTensorType type = typeOf(operands.front());
  auto i32 = RankedTensorType::get({}, b.getI32Type());
  SmallVector<int64_t> sizes, padding, wanted;
  SmallVector<Value> shifts;
  for (auto [dim, size] : llvm::enumerate(op.getSliceSizes())) {
    unsigned factor = rule.operands.front()[dim].front();
    const Atoms &atoms = assignment.atoms[factor];
    int64_t tile = type.getDimSize(dim);
    if (!rule.factors[factor].indexed || atoms.empty()) {
      // Whole dimensions, split or not, and ranges of dimensions that are not split.
      sizes.push_back(std::min(size, tile));
      padding.push_back(0);
      wanted.push_back(sizes.back());
      shifts.push_back(spmd->createSplat(loc, i32, 0));
      continue;
    }
    int64_t width = std::min(size, tile);
    Value before = moveIntoTile(starts[dim], atoms, tile, width, loc);
    sizes.push_back(width);
    padding.push_back(size);
    wanted.push_back(size);
    shifts.push_back(
        stablehlo::SubtractOp::create(b, loc, i32, spmd->createSplat(loc, i32, size), before));
  }
  Value part = dynamicSlice(b, loc, operands.front(), starts, sizes);
  Value zero = spmd->createSplat(loc, RankedTensorType::get({}, type.getElementType()), 0);
  return dynamicSlice(b, loc, padBoth(b, loc, part, zero, padding), shifts, wanted);
}

/// Each device writes what of the range is its own.
Value Partitioner::emitSharedUpdate(stablehlo::DynamicUpdateSliceOp op, ArrayRef<Value> operands,
                                    const ShardingRule &rule, const Assignment &assignment) {
  OpBuilder &b = spmd->getBuilder();
  auto global = cast<RankedTensorType>(op.getOperand().getType());
  auto update = cast<RankedTensorType>(op.getUpdate().getType());
  Location loc =
      spmd->getLoc({op.getLoc(), "device's part of an update", describeArray(op.getOperand())}, {});
  SmallVector<Value> starts = clampStarts(operands.drop_front(2), global, update.getShape(), loc);
  RankedTensorType type = typeOf(operands[0]), localUpdate = typeOf(operands[1]);
  auto i32 = RankedTensorType::get({}, b.getI32Type());
  SmallVector<int64_t> sizes(localUpdate.getShape()), padding(type.getRank(), 0);
  SmallVector<Value> shifts(type.getRank(), spmd->createSplat(loc, i32, 0));
  SmallVector<std::pair<int64_t, Value>> split; // dimension, elements before the range
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    unsigned factor = rule.operands.front()[dim].front();
    const Atoms &atoms = assignment.atoms[factor];
    if (!rule.factors[factor].halo || atoms.empty())
      continue;
    int64_t tile = type.getDimSize(dim);
    sizes[dim] = std::min(update.getDimSize(dim), tile);
    padding[dim] = sizes[dim];
    Value before = moveIntoTile(starts[dim], atoms, tile, sizes[dim], loc);
    shifts[dim] =
        stablehlo::AddOp::create(b, loc, i32, before, spmd->createSplat(loc, i32, sizes[dim]));
    split.push_back({dim, before});
  }
  Value zero = spmd->createSplat(loc, RankedTensorType::get({}, type.getElementType()), 0);
  Value fresh = dynamicSlice(b, loc, padBoth(b, loc, operands[1], zero, padding), shifts, sizes);
  Value old = dynamicSlice(b, loc, operands[0], starts, sizes);
  auto positions = RankedTensorType::get(sizes, b.getI32Type());
  auto mask = RankedTensorType::get(sizes, b.getI1Type());
  Value inside;
  for (const auto &[dim, before] : split) {
    Value index = stablehlo::IotaOp::create(b, loc, positions, b.getI64IntegerAttr(dim));
    Value offset =
        stablehlo::BroadcastInDimOp::create(b, loc, positions, before, b.getDenseI64ArrayAttr({}));
    index = stablehlo::AddOp::create(b, loc, positions, index, offset);
    auto compare = [&](int64_t bound, stablehlo::ComparisonDirection direction) -> Value {
      return stablehlo::CompareOp::create(
          b, loc, mask, index, spmd->createSplat(loc, positions, bound),
          stablehlo::ComparisonDirectionAttr::get(b.getContext(), direction),
          stablehlo::ComparisonTypeAttr::get(b.getContext(), stablehlo::ComparisonType::SIGNED));
    };
    Value here = stablehlo::AndOp::create(
        b, loc, mask, compare(0, stablehlo::ComparisonDirection::GE),
        compare(update.getDimSize(dim), stablehlo::ComparisonDirection::LT));
    inside = inside ? stablehlo::AndOp::create(b, loc, mask, inside, here).getResult() : here;
  }
  Value merged = stablehlo::SelectOp::create(b, loc, fresh.getType(), inside, fresh, old);
  return stablehlo::DynamicUpdateSliceOp::create(b, loc, type, operands[0], merged, starts);
}

} // namespace tandem
