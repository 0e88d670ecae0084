// Shards of manual computations as clones; loops and branches in lock-step.
#include "passes/Partition/ManualExpander.h"

#include "tandem/IR/Shardy/ShardingAccess.h"

namespace tandem {
using namespace mlir;

bool dependsOnDevice(Operation *op) {
  return isa<stablehlo::AllReduceOp, stablehlo::AllGatherOp, stablehlo::AllToAllOp,
             stablehlo::ReduceScatterOp, stablehlo::CollectivePermuteOp,
             stablehlo::CollectiveBroadcastOp, stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp>(
      op);
}

ManualExpander::Context ManualExpander::makeContext(Atoms atoms) const {
  Context context;
  context.atoms = std::move(atoms);
  if (meshes.empty()) {
    context.deviceOf = {0};
    context.shardOf = {0};
  } else {
    const DeviceMesh &mesh = meshes.getMain();
    context.deviceOf.assign(mesh.getSize(context.atoms), -1);
    context.shardOf.assign(mesh.getNumDevices(), 0);
    for (int64_t p = 0; p < mesh.getNumDevices(); ++p) {
      int64_t shard = mesh.getCoordinate(p, context.atoms);
      int64_t device = mesh.getDeviceId(p);
      context.shardOf[device] = shard;
      if (context.deviceOf[shard] < 0)
        context.deviceOf[shard] = device;
    }
  }
  context.maps.resize(context.deviceOf.size());
  return context;
}

ManualExpander::Values ManualExpander::lookup(const Context &context, Value value) const {
  Values values;
  for (const IRMapping &map : context.maps)
    values.push_back(map.lookupOrDefault(value));
  return values;
}

void ManualExpander::define(Context &context, Value value, const Values &values) const {
  for (auto [map, local] : llvm::zip_equal(context.maps, values))
    map.map(value, local);
}

LogicalResult ManualExpander::expand(sdy::ManualComputationOp op) {
  OpBuilder b(op);
  Context whole = makeContext({});
  if (failed(emitManual(b, op, whole)))
    return failure();
  for (Value result : op.getResults())
    result.replaceAllUsesWith(whole.maps[0].lookup(result));
  op.erase();
  return success();
}

LogicalResult ManualExpander::emitManual(OpBuilder &b, sdy::ManualComputationOp op,
                                         Context &context) {
  Location loc = op.getLoc();
  Atoms atoms;
  auto read = [&](sdy::TensorShardingAttr attr, Type type) {
    return Sharding::get(attr, cast<RankedTensorType>(type).getRank(), meshes, op);
  };
  // The axes are those of the mesh the shardings name.
  const DeviceMesh *mesh = nullptr;
  for (sdy::TensorShardingAttr attr : llvm::concat<const sdy::TensorShardingAttr>(
           op.getInShardings().getShardings(), op.getOutShardings().getShardings()))
    if (const DeviceMesh *named = meshes.lookup(attr.getMeshName()))
      mesh = named;
  if (mesh)
    for (StringAttr axis : op.getManualAxes()) {
      auto list = mesh->getAtoms(sdy::AxisRefAttr::get(op.getContext(), axis.getValue()));
      if (!list)
        return op.emitError() << "manual axis " << axis << " is not an axis of mesh @"
                              << mesh->getName().getValue();
      atoms.append(*list);
    }
  Atoms all = context.atoms;
  all.append(atoms);
  Context inner = makeContext(all);
  int64_t parts = inner.maps.size() / context.maps.size();
  // Position whose coordinate over `all` is the shard; only that coordinate matters.
  auto positionOf = [&](int64_t shard) {
    const DeviceMesh &main = meshes.getMain();
    for (int64_t p = 0; p < main.getNumDevices(); ++p)
      if (main.getCoordinate(p, all) == shard)
        return p;
    llvm_unreachable("shard without a device");
  };
  auto manualTiles = [&](const Sharding &sharding) {
    SmallVector<Atoms> tiles;
    for (const Atoms &dim : sharding.dims) {
      Atoms kept;
      for (uint16_t atom : dim)
        if (llvm::is_contained(atoms, atom))
          kept.push_back(atom);
      tiles.push_back(kept);
    }
    return tiles;
  };

  Block &body = op.getBody().front();
  for (auto [index, operand] : llvm::enumerate(op.getTensors())) {
    FailureOr<Sharding> sharding = read(op.getInSharding(index), operand.getType());
    if (failed(sharding))
      return failure();
    Values outer = lookup(context, operand), values;
    SmallVector<Atoms> tiles = manualTiles(*sharding);
    for (int64_t shard = 0; shard < static_cast<int64_t>(inner.maps.size()); ++shard) {
      Value value = outer[shard / parts];
      for (auto [dim, dimAtoms] : llvm::enumerate(tiles)) {
        if (dimAtoms.empty())
          continue;
        int64_t size = cast<RankedTensorType>(value.getType()).getDimSize(dim) /
                       meshes.getMain().getSize(dimAtoms);
        int64_t tile = meshes.getMain().getCoordinate(positionOf(shard), dimAtoms);
        value = createSlice(b, loc, value, dim, tile * size, size);
      }
      values.push_back(value);
    }
    define(inner, body.getArgument(index), values);
  }
  if (failed(emitBlock(b, body, inner)))
    return failure();
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    FailureOr<Sharding> sharding = read(op.getOutSharding(index), result.getType());
    if (failed(sharding))
      return failure();
    SmallVector<Atoms> tiles = manualTiles(*sharding);
    Values locals = lookup(inner, body.getTerminator()->getOperand(index)), values;
    for (int64_t outer = 0; outer < static_cast<int64_t>(context.maps.size()); ++outer) {
      // Joins tiles dimension by dimension: the first shard that holds a tile gives it.
      std::function<Value(size_t, SmallVector<int64_t>)> join =
          [&](size_t dim, SmallVector<int64_t> tile) -> Value {
        if (dim == tiles.size()) {
          for (int64_t shard = outer * parts; shard < (outer + 1) * parts; ++shard) {
            bool holds = true;
            for (auto [d, dimAtoms] : llvm::enumerate(tiles))
              holds &= dimAtoms.empty() ||
                       meshes.getMain().getCoordinate(positionOf(shard), dimAtoms) == tile[d];
            if (holds)
              return locals[shard];
          }
          llvm_unreachable("tile without a shard");
        }
        int64_t count = tiles[dim].empty() ? 1 : meshes.getMain().getSize(tiles[dim]);
        SmallVector<Value> pieces;
        for (int64_t i = 0; i < count; ++i) {
          SmallVector<int64_t> next = tile;
          next.push_back(i);
          pieces.push_back(join(dim + 1, next));
        }
        return createConcat(b, loc, pieces, dim);
      };
      values.push_back(join(0, {}));
    }
    define(context, result, values);
  }
  return success();
}

LogicalResult ManualExpander::emitBlock(OpBuilder &b, Block &block, Context &context) {
  for (Operation &op : block.without_terminator())
    if (failed(emit(b, &op, context)))
      return failure();
  return success();
}

LogicalResult ManualExpander::emit(OpBuilder &b, Operation *op, Context &context) {
  if (dependsOnDevice(op))
    return emitCollective(b, op, context);
  if (auto manual = dyn_cast<sdy::ManualComputationOp>(op))
    return emitManual(b, manual, context);
  if (isa<sdy::ShardingConstraintOp, sdy::ReshardOp>(op)) {
    define(context, op->getResult(0), lookup(context, op->getOperand(0)));
    return success();
  }
  if (isa<sdy::ShardingGroupOp>(op))
    return success();
  bool merged = false;
  op->walk([&](Operation *inner) {
    merged |= dependsOnDevice(inner) || isa<sdy::ManualComputationOp>(inner);
  });
  if (merged)
    return emitMerged(b, op, context);
  for (IRMapping &map : context.maps)
    b.clone(*op, map);
  return success();
}

LogicalResult ManualExpander::emitMerged(OpBuilder &b, Operation *op, Context &context) {
  bool isWhile = isa<stablehlo::WhileOp>(op);
  if (!isWhile && !isa<stablehlo::CaseOp, stablehlo::IfOp>(op))
    return op->emitError() << "a collective inside this op cannot be run unpartitioned";
  SmallVector<Value> operands;
  SmallVector<Type> types;
  for (const IRMapping &map : context.maps) {
    if (isWhile)
      for (Value operand : op->getOperands())
        operands.push_back(map.lookupOrDefault(operand));
    types.append(op->result_type_begin(), op->result_type_end());
  }
  if (!isWhile)
    operands.push_back(context.maps[0].lookupOrDefault(op->getOperand(0)));
  OperationState state(op->getLoc(), op->getName(), operands, types);
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *local = b.create(state);
  size_t width = op->getNumResults();
  for (auto [index, pair] :
       llvm::enumerate(llvm::zip_equal(op->getRegions(), local->getRegions()))) {
    auto &[oldRegion, newRegion] = pair;
    OpBuilder::InsertionGuard guard(b);
    Block &oldBlock = oldRegion.front();
    SmallVector<Type> argTypes;
    if (isWhile)
      argTypes = types;
    SmallVector<Location> locs(argTypes.size(), op->getLoc());
    Block *block = b.createBlock(&newRegion, newRegion.end(), argTypes, locs);
    Context inside = context;
    if (isWhile)
      for (auto [shard, map] : llvm::enumerate(inside.maps))
        for (size_t i = 0; i < width; ++i)
          map.map(oldBlock.getArgument(i), block->getArgument(shard * width + i));
    if (failed(emitBlock(b, oldBlock, inside)))
      return failure();
    Operation *yield = oldBlock.getTerminator();
    SmallVector<Value> yields;
    if (isWhile && index == 0)
      yields.push_back(inside.maps[0].lookupOrDefault(yield->getOperand(0)));
    else
      for (const IRMapping &map : inside.maps)
        for (Value value : yield->getOperands())
          yields.push_back(map.lookupOrDefault(value));
    stablehlo::ReturnOp::create(b, yield->getLoc(), yields);
  }
  for (auto [shard, map] : llvm::enumerate(context.maps))
    for (size_t i = 0; i < width; ++i)
      map.map(op->getResult(i), local->getResult(shard * width + i));
  return success();
}

} // namespace tandem
