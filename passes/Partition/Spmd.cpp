// Collectives and device arithmetic for the partitioner.
#include "passes/Partition/Spmd.h"

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Cause.h"
#include "tandem/Sharding/Neutral.h"

namespace tandem {
using namespace mlir;

namespace {

std::vector<uint16_t> key(AtomsRef atoms) { return {atoms.begin(), atoms.end()}; }

} // namespace

SpmdBuilder::SpmdBuilder(const DeviceMesh &mesh, Block *entry, StringRef reductionDtype,
                         const Target &target)
    : mesh(mesh), entry(entry), b(mesh.getAttr().getContext()), sumInF32(reductionDtype == "f32"),
      target(target) {
  b.setInsertionPointToEnd(entry);
}

Location SpmdBuilder::getLoc(const Reason &reason, AtomsRef atoms) const {
  return withCause(reason.source, makeCause(mesh.getAttr().getContext(), reason.rule, reason.array,
                                            mesh.getAxisNames(atoms)));
}

Attribute SpmdBuilder::nextChannel() {
  ++numCollectives;
  return stablehlo::ChannelHandleAttr::get(b.getContext(), /*handle=*/1, /*type=*/1);
}

Value SpmdBuilder::createSplat(Location loc, RankedTensorType type, int64_t value) {
  return stablehlo::ConstantOp::create(b, loc, getSplatAttr(type, value));
}

Value SpmdBuilder::createNeutral(Location loc, RankedTensorType type, Combiner combiner) {
  return stablehlo::ConstantOp::create(b, loc, getNeutralAttr(type, combiner));
}

Value SpmdBuilder::combine(Location loc, Value x, Value y, Combiner combiner) {
  switch (combiner) {
  case Combiner::Add:
    return stablehlo::AddOp::create(b, loc, x.getType(), x, y);
  case Combiner::Mul:
    return stablehlo::MulOp::create(b, loc, x.getType(), x, y);
  case Combiner::Max:
    return stablehlo::MaxOp::create(b, loc, x.getType(), x, y);
  case Combiner::Min:
    return stablehlo::MinOp::create(b, loc, x.getType(), x, y);
  case Combiner::And:
    return stablehlo::AndOp::create(b, loc, x.getType(), x, y);
  case Combiner::Or:
    return stablehlo::OrOp::create(b, loc, x.getType(), x, y);
  case Combiner::None:
  case Combiner::Body:
    break;
  }
  llvm_unreachable("partial results without a combiner");
}

Value SpmdBuilder::getCoordinate(AtomsRef atoms) {
  auto it = coordinates.find(key(atoms));
  if (it != coordinates.end())
    return it->second;
  OpBuilder::InsertionGuard guard(b);
  if (lastEntryOp)
    b.setInsertionPointAfter(lastEntryOp);
  else
    b.setInsertionPointToStart(entry);
  Location loc = withCause(
      UnknownLoc::get(b.getContext()),
      makeCause(b.getContext(), "coordinate of the device", "", mesh.getAxisNames(atoms)));
  auto i32 = RankedTensorType::get({}, b.getI32Type());
  if (!position) {
    Value id = stablehlo::PartitionIdOp::create(
        b, loc, RankedTensorType::get({}, b.getIntegerType(32, /*isSigned=*/false)));
    position = stablehlo::ConvertOp::create(b, loc, i32, id);
    if (!mesh.hasIotaDeviceIds()) {
      SmallVector<int32_t> positions(mesh.getNumDevices());
      for (int64_t p = 0; p < mesh.getNumDevices(); ++p)
        positions[mesh.getDeviceId(p)] = p;
      auto type = RankedTensorType::get({mesh.getNumDevices()}, b.getI32Type());
      Value table = stablehlo::ConstantOp::create(
          b, loc, cast<ElementsAttr>(DenseElementsAttr::get(type, ArrayRef<int32_t>(positions))));
      Value one = stablehlo::DynamicSliceOp::create(
          b, loc, RankedTensorType::get({1}, b.getI32Type()), table, ValueRange{position},
          b.getDenseI64ArrayAttr({1}));
      position = stablehlo::ReshapeOp::create(b, loc, i32, one);
    }
  }
  // Runs of atoms whose strides follow on each other are one digit.
  Value result;
  for (size_t i = 0; i < atoms.size();) {
    size_t end = i + 1;
    while (end < atoms.size() && mesh.getStride(atoms[end - 1]) ==
                                     mesh.getStride(atoms[end]) * mesh.getAtomSizes()[atoms[end]])
      ++end;
    int64_t size = mesh.getSize(atoms.slice(i, end - i));
    int64_t stride = mesh.getStride(atoms[end - 1]);
    Value digit = position;
    if (stride != 1)
      digit = stablehlo::DivOp::create(b, loc, i32, digit, createSplat(loc, i32, stride));
    if (stride * size != mesh.getNumDevices())
      digit = stablehlo::RemOp::create(b, loc, i32, digit, createSplat(loc, i32, size));
    if (result) {
      result = stablehlo::MulOp::create(b, loc, i32, result, createSplat(loc, i32, size));
      result = stablehlo::AddOp::create(b, loc, i32, result, digit);
    } else {
      result = digit;
    }
    i = end;
  }
  if (!result)
    result = createSplat(loc, i32, 0);
  lastEntryOp =
      b.getInsertionPoint() == entry->end() ? &entry->back() : b.getInsertionPoint()->getPrevNode();
  coordinates[key(atoms)] = result;
  return result;
}

Value SpmdBuilder::getOffset(AtomsRef atoms, int64_t factor) {
  Value coordinate = getCoordinate(atoms);
  if (factor == 1)
    return coordinate;
  Value &offset = offsets[{key(atoms), factor}];
  if (offset)
    return offset;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(lastEntryOp);
  Location loc = coordinate.getLoc();
  auto i32 = RankedTensorType::get({}, b.getI32Type());
  offset = stablehlo::MulOp::create(b, loc, i32, coordinate, createSplat(loc, i32, factor));
  lastEntryOp = offset.getDefiningOp();
  return offset;
}

Value SpmdBuilder::isFirst(AtomsRef atoms, Location loc) {
  Value coordinate = getCoordinate(atoms);
  Value zero = createSplat(loc, cast<RankedTensorType>(coordinate.getType()), 0);
  return stablehlo::CompareOp::create(
      b, loc, RankedTensorType::get({}, b.getI1Type()), coordinate, zero,
      stablehlo::ComparisonDirectionAttr::get(b.getContext(), stablehlo::ComparisonDirection::EQ),
      stablehlo::ComparisonTypeAttr::get(b.getContext(), stablehlo::ComparisonType::SIGNED));
}

Value SpmdBuilder::lookupIn(DenseElementsAttr table, AtomsRef atoms, Location loc) {
  Type element = table.getElementType();
  Value all = stablehlo::ConstantOp::create(b, loc, cast<ElementsAttr>(table));
  Value one = stablehlo::DynamicSliceOp::create(b, loc, RankedTensorType::get({1}, element), all,
                                                ValueRange{getCoordinate(atoms)},
                                                b.getDenseI64ArrayAttr({1}));
  return stablehlo::ReshapeOp::create(b, loc, RankedTensorType::get({}, element), one);
}

Value SpmdBuilder::lookup(AtomsRef atoms, ArrayRef<bool> values, Location loc) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, b.getI1Type());
  return lookupIn(DenseElementsAttr::get(type, values), atoms, loc);
}

Value SpmdBuilder::lookup(AtomsRef atoms, ArrayRef<int64_t> values, Location loc) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, b.getI32Type());
  SmallVector<int32_t> narrow(values);
  return lookupIn(DenseElementsAttr::get(type, ArrayRef<int32_t>(narrow)), atoms, loc);
}

Value SpmdBuilder::permute(Value local, ArrayRef<int64_t> pairs, AtomsRef atoms,
                           const Reason &reason) {
  auto type = RankedTensorType::get({static_cast<int64_t>(pairs.size()) / 2, 2}, b.getI64Type());
  return stablehlo::CollectivePermuteOp::create(b, getLoc(reason, atoms), local.getType(), local,
                                                DenseIntElementsAttr::get(type, pairs),
                                                cast<stablehlo::ChannelHandleAttr>(nextChannel()));
}

Value SpmdBuilder::applyStep(Value local, const ReshardStep &step, const Sharding &before,
                             RankedTensorType global, const Reason &reason) {
  Location loc = getLoc(reason, step.atoms);
  auto type = cast<RankedTensorType>(local.getType());
  RankedTensorType after = step.after.getLocalType(global, mesh);
  switch (step.kind) {
  case ReshardStep::Slice: {
    SmallVector<Value> starts;
    Value zero;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (dim == step.dim) {
        starts.push_back(getOffset(step.atoms, after.getDimSize(dim)));
        continue;
      }
      if (!zero)
        zero = createSplat(loc, RankedTensorType::get({}, b.getI32Type()), 0);
      starts.push_back(zero);
    }
    return stablehlo::DynamicSliceOp::create(b, loc, after, local, starts,
                                             b.getDenseI64ArrayAttr(after.getShape()));
  }
  case ReshardStep::AllGather:
    return gather(local, step.dim, step.atoms, reason);
  case ReshardStep::AllToAll: {
    auto op = stablehlo::AllToAllOp::create(
        b, loc, TypeRange{after}, ValueRange{local}, b.getI64IntegerAttr(step.toDim),
        b.getI64IntegerAttr(step.dim), b.getI64IntegerAttr(mesh.getSize(step.atoms)),
        mesh.getReplicaGroups(step.atoms), cast<stablehlo::ChannelHandleAttr>(nextChannel()));
    return op->getResult(0);
  }
  case ReshardStep::Permute: {
    // Device p wants the tile it holds under `after`; copies of a tile serve in turn.
    auto tileOf = [&](const Sharding &sharding, int64_t p) {
      std::vector<int64_t> tile;
      for (const Atoms &atoms : sharding.dims)
        tile.push_back(mesh.getCoordinate(p, atoms));
      return tile;
    };
    std::map<std::vector<int64_t>, std::vector<int64_t>> holders;
    for (int64_t p = 0; p < mesh.getNumDevices(); ++p)
      holders[tileOf(before, p)].push_back(p);
    std::map<std::vector<int64_t>, size_t> next;
    SmallVector<int64_t> pairs;
    for (int64_t p = 0; p < mesh.getNumDevices(); ++p) {
      std::vector<int64_t> tile = tileOf(step.after, p);
      pairs.push_back(mesh.getDeviceId(holders[tile][next[tile]++]));
      pairs.push_back(mesh.getDeviceId(p));
    }
    Atoms moved = before.getUsed();
    moved.append(step.after.getUsed());
    return permute(local, pairs, moved, reason);
  }
  }
  llvm_unreachable("unknown reshard step");
}

Value SpmdBuilder::sliceToTile(Value whole, const Sharding &sharding, const Reason &reason) {
  auto global = cast<RankedTensorType>(whole.getType());
  Sharding before(global.getRank(), /*isOpen=*/false);
  for (const ReshardStep &step : planReshard(before, sharding, global, mesh)) {
    whole = applyStep(whole, step, before, global, reason);
    before = step.after;
  }
  return whole;
}

} // namespace tandem
