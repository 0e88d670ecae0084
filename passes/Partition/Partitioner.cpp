// Versions of values: looking up, resharding, rebuilding.
#include "passes/Partition/Partitioner.h"

#include <limits>

#include "tandem/IR/Shardy/ShardingAccess.h"

namespace tandem {
using namespace mlir;

bool isRebuildable(Operation *op) {
  if (auto broadcast = dyn_cast_or_null<stablehlo::BroadcastInDimOp>(op))
    return cast<RankedTensorType>(broadcast.getOperand().getType()).getRank() == 0;
  return isa_and_nonnull<stablehlo::ConstantOp, sdy::ConstantOp, stablehlo::IotaOp>(op);
}

Partitioner::Partitioner(func::FuncOp main, const MeshSet &meshes, StringRef reductionDtype,
                         const Target &target)
    : main(main), meshes(meshes), mesh(meshes.getMain()), reductionDtype(reductionDtype),
      target(target), weights(WorkWeights::of(target)) {}

RankedTensorType Partitioner::getLocalType(Value value, const Sharding &sharding) const {
  return sharding.getLocalType(cast<RankedTensorType>(value.getType()), mesh);
}

void Partitioner::addVersion(Value old, Value local, Sharding sharding) {
  assert(local.getType() == getLocalType(old, sharding) && "version of another type");
  scopes.back()[old].push_back({local, std::move(sharding)});
}

std::vector<Partitioner::Version> Partitioner::getVersions(Value old) const {
  std::vector<Version> versions;
  for (const Scope &scope : llvm::reverse(scopes)) {
    auto it = scope.find(old);
    if (it != scope.end())
      versions.insert(versions.end(), it->second.begin(), it->second.end());
  }
  return versions;
}

FailureOr<Sharding> Partitioner::getDeclared(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    op = value.getParentBlock()->getParentOp();
  return Sharding::get(sdy::getSharding(value), cast<RankedTensorType>(value.getType()).getRank(),
                       meshes, op);
}

Value Partitioner::rebuild(Value old, const Sharding &sharding) {
  Operation *op = old.getDefiningOp();
  if (!op)
    return {};
  OpBuilder &b = spmd->getBuilder();
  Location loc = op->getLoc();
  RankedTensorType type = getLocalType(old, sharding);
  ElementsAttr attr;
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op))
    attr = constant.getValue();
  if (auto constant = dyn_cast<sdy::ConstantOp>(op))
    attr = constant.getValue();
  if (attr) {
    if (attr.isSplat())
      return stablehlo::ConstantOp::create(
          b, loc,
          cast<ElementsAttr>(DenseElementsAttr::get(type, attr.getSplatValue<Attribute>())));
    if (type != old.getType()) {
      Sharding whole(type.getRank(), /*isOpen=*/false);
      return spmd->sliceToTile(get(old, whole, loc), sharding,
                               {loc, "device's part of a constant", "constant"});
    }
    return stablehlo::ConstantOp::create(b, loc, attr);
  }
  if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) {
    Value local = stablehlo::IotaOp::create(b, loc, type, iota.getIotaDimensionAttr());
    const Atoms &atoms = sharding.dims[iota.getIotaDimension()];
    if (atoms.empty())
      return local;
    Location cause = spmd->getLoc({loc, "offset of the device's part of an iota", "iota"}, atoms);
    Value offset = spmd->getOffset(atoms, type.getDimSize(iota.getIotaDimension()));
    auto scalar = RankedTensorType::get({}, type.getElementType());
    if (offset.getType() != scalar)
      offset = stablehlo::ConvertOp::create(b, cause, scalar, offset);
    offset =
        stablehlo::BroadcastInDimOp::create(b, cause, type, offset, b.getDenseI64ArrayAttr({}));
    return stablehlo::AddOp::create(b, cause, type, local, offset);
  }
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    auto operandType = cast<RankedTensorType>(broadcast.getOperand().getType());
    if (operandType.getRank() != 0)
      return {};
    Value scalar = get(broadcast.getOperand(), Sharding(0), loc);
    return stablehlo::BroadcastInDimOp::create(b, loc, type, scalar, b.getDenseI64ArrayAttr({}));
  }
  return {};
}

Value Partitioner::get(Value old, const Sharding &sharding, Location user, StringRef cause) {
  settle(old);
  std::vector<Version> versions = getVersions(old);
  for (const Version &version : versions)
    if (version.sharding.sameTiles(sharding))
      return version.local;
  if (Value local = rebuild(old, sharding)) {
    addVersion(old, local, sharding);
    return local;
  }
  assert(!versions.empty() && "value used before it was made");
  auto global = cast<RankedTensorType>(old.getType());
  int64_t cheapest = std::numeric_limits<int64_t>::max();
  const Version *best = nullptr;
  std::vector<ReshardStep> plan;
  for (const Version &version : versions) {
    std::vector<ReshardStep> candidate = planReshard(version.sharding, sharding, global, mesh);
    int64_t cost = getCostBytes(candidate);
    if (cost < cheapest) {
      cheapest = cost;
      best = &version;
      plan = std::move(candidate);
    }
  }
  Value local = best->local;
  Sharding before = best->sharding;
  Reason reason{user, "", describeArray(old)};
  for (const ReshardStep &step : plan) {
    switch (step.kind) {
    case ReshardStep::Slice:
      reason.rule = "slice of a value to the sharding a user needs";
      break;
    case ReshardStep::AllGather:
      reason.rule = cause.empty() ? "all-gather of a value to the sharding a user needs"
                                  : ("all-gather because " + cause).str();
      break;
    case ReshardStep::AllToAll:
      reason.rule = "all-to-all of a value to the sharding a user needs";
      break;
    case ReshardStep::Permute:
      reason.rule = "permute of a value to the sharding a user needs";
      break;
    }
    local = spmd->applyStep(local, step, before, global, reason);
    before = step.after;
    addVersion(old, local, before);
  }
  return local;
}

} // namespace tandem
