// Collectives among clones on one device.
#include "passes/Partition/ManualExpander.h"
#include "tandem/Sharding/Rule.h"

namespace tandem {
using namespace mlir;

FailureOr<std::vector<std::vector<int64_t>>>
ManualExpander::getGroups(Operation *op, const Context &context) const {
  auto attr = op->getAttrOfType<DenseIntElementsAttr>("replica_groups");
  std::vector<std::vector<int64_t>> groups; // of device ids
  auto type = cast<RankedTensorType>(attr.getType());
  auto ids = llvm::to_vector(attr.getValues<int64_t>());
  if (ids.empty()) {
    groups.emplace_back();
    for (size_t device = 0; device < context.shardOf.size(); ++device)
      groups.back().push_back(device);
  }
  for (int64_t row = 0; !ids.empty() && row < type.getDimSize(0); ++row) {
    groups.emplace_back();
    for (int64_t i = 0; i < type.getDimSize(1); ++i)
      if (int64_t id = ids[row * type.getDimSize(1) + i]; id >= 0)
        groups.back().push_back(id);
  }
  std::vector<std::vector<int64_t>> result(context.maps.size());
  for (auto [shard, members] : llvm::enumerate(result)) {
    for (const auto &group : groups)
      if (llvm::is_contained(group, context.deviceOf[shard]))
        for (int64_t device : group) {
          if (device >= static_cast<int64_t>(context.shardOf.size()))
            return op->emitError() << "group names device " << device << "; the mesh has "
                                   << context.shardOf.size();
          members.push_back(context.shardOf[device]);
        }
    if (members.empty())
      members.push_back(shard); // in no group: on its own
  }
  return result;
}

/// The scalar reducer applied to whole arrays, from left to right. Sums and products of floats
/// narrower than f32 are formed in f32 and rounded once, as between devices.
Value ManualExpander::fold(OpBuilder &b, Location loc, Region &reducer,
                           ArrayRef<Value> values) const {
  Block &block = reducer.front();
  auto type = cast<RankedTensorType>(values.front().getType());
  Combiner combiner = getCombiner(reducer);
  if ((combiner == Combiner::Add || combiner == Combiner::Mul) && values.size() > 1 &&
      isa<FloatType>(type.getElementType()) && type.getElementTypeBitWidth() < 32) {
    auto wideType = RankedTensorType::get(type.getShape(), b.getF32Type());
    Value total;
    for (Value value : values) {
      Value wide = stablehlo::ConvertOp::create(b, loc, wideType, value);
      if (!total)
        total = wide;
      else if (combiner == Combiner::Add)
        total = stablehlo::AddOp::create(b, loc, wideType, total, wide);
      else
        total = stablehlo::MulOp::create(b, loc, wideType, total, wide);
    }
    return stablehlo::ConvertOp::create(b, loc, type, total);
  }
  Value total = values.front();
  for (Value value : values.drop_front()) {
    IRMapping map;
    map.map(block.getArgument(0), total);
    map.map(block.getArgument(1), value);
    auto shape = cast<RankedTensorType>(value.getType()).getShape();
    for (Operation &op : block.without_terminator()) {
      if (isa<sdy::ShardingConstraintOp>(op)) {
        map.map(op.getResult(0), map.lookupOrDefault(op.getOperand(0)));
        continue;
      }
      Operation *clone = b.clone(op, map);
      for (Value result : clone->getResults())
        result.setType(RankedTensorType::get(
            shape, cast<RankedTensorType>(result.getType()).getElementType()));
      if (auto constant = dyn_cast<stablehlo::ConstantOp>(clone))
        constant.setValueAttr(cast<ElementsAttr>(DenseElementsAttr::get(
            cast<RankedTensorType>(constant.getType()),
            cast<DenseElementsAttr>(constant.getValue()).getSplatValue<Attribute>())));
    }
    total = map.lookupOrDefault(block.getTerminator()->getOperand(0));
  }
  return total;
}

LogicalResult ManualExpander::emitCollective(OpBuilder &b, Operation *op, Context &context) {
  Location loc = op->getLoc();
  int64_t numShards = context.maps.size();
  if (isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp>(op)) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Values values;
    for (int64_t shard = 0; shard < numShards; ++shard) {
      int64_t id = isa<stablehlo::PartitionIdOp>(op) ? context.deviceOf[shard] : 0;
      values.push_back(stablehlo::ConstantOp::create(
          b, loc, cast<ElementsAttr>(DenseElementsAttr::get(type, APInt(32, id)))));
    }
    define(context, op->getResult(0), values);
    return success();
  }
  ++numCollectives;
  if (auto permute = dyn_cast<stablehlo::CollectivePermuteOp>(op)) {
    Values sent = lookup(context, permute.getOperand());
    Values values(numShards);
    auto pairs = llvm::to_vector(permute.getSourceTargetPairs().getValues<int64_t>());
    for (int64_t device : pairs)
      if (device < 0 || device >= static_cast<int64_t>(context.shardOf.size()))
        return op->emitError() << "pair names device " << device << "; the mesh has "
                               << context.shardOf.size();
    for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
      int64_t target = context.shardOf[pairs[i + 1]];
      if (context.deviceOf[target] == pairs[i + 1])
        values[target] = sent[context.shardOf[pairs[i]]];
    }
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    for (Value &value : values)
      if (!value)
        value = stablehlo::ConstantOp::create(
            b, loc,
            cast<ElementsAttr>(DenseElementsAttr::get(type, b.getZeroAttr(type.getElementType()))));
    define(context, op->getResult(0), values);
    return success();
  }
  FailureOr<std::vector<std::vector<int64_t>>> groups = getGroups(op, context);
  if (failed(groups))
    return failure();
  for (auto [operand, result] : llvm::zip_equal(op->getOperands(), op->getResults())) {
    Values sent = lookup(context, operand), values(numShards);
    // What is the same for all of a group is made once, by its first shard.
    std::vector<Value> shared(numShards);
    for (int64_t shard = 0; shard < numShards; ++shard) {
      const std::vector<int64_t> &group = (*groups)[shard];
      int64_t rank = llvm::find(group, shard) - group.begin();
      Values members;
      for (int64_t member : group)
        members.push_back(sent[member]);
      Value &first = shared[group.front()];
      auto type = cast<RankedTensorType>(result.getType());
      if (auto reduce = dyn_cast<stablehlo::AllReduceOp>(op)) {
        if (!first)
          first = fold(b, loc, reduce.getComputation(), members);
        values[shard] = first;
      } else if (auto gather = dyn_cast<stablehlo::AllGatherOp>(op)) {
        if (!first)
          first = createConcat(b, loc, members, gather.getAllGatherDim());
        values[shard] = first;
      } else if (auto scatter = dyn_cast<stablehlo::ReduceScatterOp>(op)) {
        if (!first)
          first = fold(b, loc, scatter.getComputation(), members);
        int64_t dim = scatter.getScatterDimension(), size = type.getDimSize(dim);
        values[shard] = createSlice(b, loc, first, dim, rank * size, size);
      } else if (auto exchange = dyn_cast<stablehlo::AllToAllOp>(op)) {
        int64_t dim = exchange.getSplitDimension();
        int64_t size = cast<RankedTensorType>(operand.getType()).getDimSize(dim) /
                       static_cast<int64_t>(exchange.getSplitCount());
        for (Value &member : members)
          member = createSlice(b, loc, member, dim, rank * size, size);
        values[shard] = createConcat(b, loc, members, exchange.getConcatDimension());
      } else if (isa<stablehlo::CollectiveBroadcastOp>(op)) {
        values[shard] = members.front();
      } else {
        return op->emitError() << "this collective cannot be run unpartitioned";
      }
    }
    define(context, result, values);
  }
  return success();
}

} // namespace tandem
