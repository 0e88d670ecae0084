// The graph that shardings propagate over: its nodes, its edges, and writing the answer.
#include "mlir/IR/BuiltinTypes.h"
#include "tandem/IR/Shardy/ShardingAccess.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/FunctionAttrs.h"
#include "tandem/Sharding/Propagation.h"

namespace tandem {
using namespace mlir;

Propagation::Propagation(func::FuncOp func, const MeshSet &meshes)
    : func(func), meshes(meshes), mesh(meshes.getMain()) {}

unsigned Propagation::addNode(RankedTensorType type) {
  nodes.push_back(Node{Sharding(type.getRank()), type});
  return nodes.size() - 1;
}

unsigned Propagation::nodeOf(Value value) {
  auto it = nodeOfValue.find(value);
  if (it != nodeOfValue.end())
    return it->second;
  unsigned node = addNode(cast<RankedTensorType>(value.getType()));
  nodeOfValue[value] = node;
  return node;
}

const Sharding &Propagation::getSharding(Value value) const {
  return nodes[nodeOfValue.at(value)].sharding;
}

unsigned Propagation::getNumSharded() const {
  return llvm::count_if(nodes, [](const Node &node) { return !node.sharding.isReplicated(); });
}

LogicalResult Propagation::give(unsigned node, sdy::TensorShardingAttr attr, Operation *op) {
  if (!attr)
    return success();
  FailureOr<Sharding> sharding = Sharding::get(attr, nodes[node].type.getRank(), meshes, op);
  if (failed(sharding))
    return failure();
  if (sharding->makeDivisible(nodes[node].type, mesh))
    op->emitRemark() << "sharding " << attr << " does not divide " << nodes[node].type
                     << " evenly; the dimension is split less or not at all";
  nodes[node].sharding = std::move(*sharding);
  nodes[node].given = true;
  return success();
}

void Propagation::addIdentity(ArrayRef<unsigned> sources, ArrayRef<unsigned> targets) {
  Edge edge;
  edge.kind = Kind::PassOn;
  edge.numOperands = sources.size();
  edge.nodes.append(sources.begin(), sources.end());
  edge.nodes.append(targets.begin(), targets.end());
  RankedTensorType type = nodes[edge.nodes.front()].type;
  DimFactors dims;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    edge.rule.factors.push_back(Factor{size});
    dims.push_back({static_cast<unsigned>(dim)});
  }
  edge.rule.operands.assign(sources.size(), dims);
  edge.rule.results.assign(targets.size(), dims);
  edges.push_back(std::move(edge));
}

LogicalResult Propagation::build() {
  for (BlockArgument arg : func.getArguments())
    if (failed(give(nodeOf(arg), sdy::getSharding(arg), func)))
      return failure();
  for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
    unsigned node = addNode(cast<RankedTensorType>(type));
    resultNodes.push_back(node);
    if (failed(give(node, sdy::getFuncResultSharding(func, index), func)))
      return failure();
  }
  if (failed(addBlock(func.getBody().front())))
    return failure();
  for (const auto &group : groups)
    for (unsigned other : ArrayRef<unsigned>(group.second).drop_front())
      addIdentity({group.second.front()}, {other});
  return applyConstraints();
}

LogicalResult Propagation::addBlock(Block &block) {
  for (Operation &op : block)
    if (failed(addOp(&op)))
      return failure();
  return success();
}

LogicalResult Propagation::addOp(Operation *op) {
  if (auto ret = dyn_cast<func::ReturnOp>(op)) {
    for (auto [value, node] : llvm::zip_equal(ret.getOperands(), resultNodes))
      addIdentity({nodeOf(value)}, {node});
    return success();
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    return success(); // the parent op has tied its operands
  if (auto group = dyn_cast<sdy::ShardingGroupOp>(op)) {
    groups[group.getGroupId()].push_back(nodeOf(group.getInput()));
    return success();
  }
  if (auto manual = dyn_cast<sdy::ManualComputationOp>(op))
    return addManual(manual);

  auto given = sdy::getShardings(op);
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    if (!isa<RankedTensorType>(result.getType()))
      return op->emitError() << "result of type " << result.getType()
                             << " cannot be sharded; expected ranked tensors";
    if (index < given.size() && failed(give(nodeOf(result), given[index], op)))
      return failure();
  }
  if (auto loop = dyn_cast<stablehlo::WhileOp>(op)) {
    // One node for the result and both blocks' arguments; inits and yields flow into it.
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      unsigned node = nodeOf(op->getResult(i));
      nodeOfValue[loop.getCond().getArgument(i)] = node;
      nodeOfValue[loop.getBody().getArgument(i)] = node;
    }
    if (failed(addBlock(loop.getCond().front())) || failed(addBlock(loop.getBody().front())))
      return failure();
    Operation *yield = loop.getBody().front().getTerminator();
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      addIdentity({nodeOf(op->getOperand(i)), nodeOf(yield->getOperand(i))},
                  {nodeOf(op->getResult(i))});
    return success();
  }
  if (isa<stablehlo::CaseOp, stablehlo::IfOp>(op)) {
    for (Region &region : op->getRegions())
      if (failed(addBlock(region.front())))
        return failure();
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      SmallVector<unsigned> sources;
      for (Region &region : op->getRegions())
        sources.push_back(nodeOf(region.front().getTerminator()->getOperand(i)));
      addIdentity(sources, {nodeOf(op->getResult(i))});
    }
    return success();
  }
  Edge edge;
  edge.rule = getShardingRule(op);
  if (!edge.rule.known) {
    for (Value result : op->getResults())
      nodeOf(result);
    return success();
  }
  edge.numOperands = op->getNumOperands();
  for (Value operand : op->getOperands())
    edge.nodes.push_back(nodeOf(operand));
  for (Value result : op->getResults())
    edge.nodes.push_back(nodeOf(result));
  if (isa<stablehlo::BroadcastInDimOp>(op))
    edge.kind = Kind::Broadcast;
  else if (isa<stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp>(op))
    edge.kind = Kind::Dynamic;
  else if (isa<stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::OptimizationBarrierOp>(op))
    edge.kind = Kind::PassOn;
  else {
    ShardingRule scratch;
    RuleBuilder builder(op);
    if (addElementwiseRule(op, builder))
      edge.kind = Kind::PassOn;
  }
  edges.push_back(std::move(edge));
  return success();
}

/// Operands meet the in_shardings and results the out_shardings; inside, types are local
/// and only the free axes may be used, which holds because no edge crosses the boundary.
LogicalResult Propagation::addManual(sdy::ManualComputationOp op) {
  Block &body = op.getBody().front();
  for (auto [index, operand] : llvm::enumerate(op.getTensors())) {
    unsigned boundary = addNode(cast<RankedTensorType>(operand.getType()));
    if (failed(give(boundary, op.getInSharding(index), op)) ||
        failed(give(nodeOf(body.getArgument(index)), op.getInShardingWithoutManualAxes(index), op)))
      return failure();
    addIdentity({nodeOf(operand)}, {boundary});
  }
  Operation *yield = body.getTerminator();
  for (auto [index, result] : llvm::enumerate(op.getResults()))
    if (failed(give(nodeOf(result), op.getOutSharding(index), op)))
      return failure();
  if (failed(addBlock(body)))
    return failure();
  for (auto [index, value] : llvm::enumerate(yield->getOperands())) {
    unsigned boundary = addNode(cast<RankedTensorType>(value.getType()));
    if (failed(give(boundary, op.getOutShardingWithoutManualAxes(index), op)))
      return failure();
    addIdentity({nodeOf(value)}, {boundary});
  }
  return success();
}

/// A value that nobody gave a sharding and that meets one constraint takes it over.
LogicalResult Propagation::applyConstraints() {
  func.walk([&](sdy::ShardingConstraintOp op) {
    Value input = op.getInput();
    Operation *def = input.getDefiningOp();
    if (!def || isa<sdy::ShardingConstraintOp, sdy::ManualComputationOp, stablehlo::WhileOp,
                    stablehlo::CaseOp, stablehlo::IfOp, stablehlo::OptimizationBarrierOp>(def))
      return;
    Node &node = nodes[nodeOf(input)];
    if (node.given || llvm::count_if(input.getUsers(), [](Operation *user) {
                        return isa<sdy::ShardingConstraintOp, sdy::ManualComputationOp>(user);
                      }) != 1)
      return;
    node.sharding = nodes[nodeOf(op.getResult())].sharding;
  });
  return success();
}

void Propagation::annotate() {
  // What the user closed stays spelled as it is.
  auto keeps = [&](sdy::TensorShardingAttr given, const Sharding &sharding) {
    if (!given || !given.isFullyClosed())
      return false;
    FailureOr<Sharding> before = Sharding::get(given, sharding.dims.size(), meshes, func);
    return succeeded(before) && before->sameTiles(sharding);
  };
  FunctionAttrs attrs(func);
  for (BlockArgument arg : func.getArguments())
    if (!keeps(sdy::getSharding(arg), getSharding(arg)))
      attrs.argument(arg.getArgNumber()).set(sdy::kShardingAttr, getSharding(arg).getAttr(mesh));
  for (auto [index, node] : llvm::enumerate(resultNodes))
    if (!keeps(sdy::getFuncResultSharding(func, index), nodes[node].sharding))
      attrs.result(index).set(sdy::kShardingAttr, nodes[node].sharding.getAttr(mesh));
  attrs.apply();
  func.getBody().walk([&](Operation *op) {
    if (op->getNumResults() == 0 || isa<sdy::ManualComputationOp>(op) ||
        !nodeOfValue.contains(op->getResult(0)))
      return;
    SmallVector<sdy::TensorShardingAttr> attrs;
    for (Value result : op->getResults())
      attrs.push_back(getSharding(result).getAttr(mesh));
    sdy::setShardings(op, attrs);
  });
}

} // namespace tandem
