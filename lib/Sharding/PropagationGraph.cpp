// The graph that shardings propagate over: its nodes, its edges, and writing the answer.
#include "mlir/IR/BuiltinTypes.h"
#include "tandem/IR/Shardy/ShardingAccess.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/FunctionAttrs.h"
#include "tandem/Sharding/Propagation.h"

#include <algorithm>

#include "llvm/ADT/ScopeExit.h"

namespace tandem {
using namespace mlir;

namespace {

/// Trips of a counted loop, read from the constant its condition compares with; a guess where
/// there is none.
int64_t estimateTrips(stablehlo::WhileOp loop) {
  constexpr int64_t kGuess = 8, kMost = 1 << 16;
  for (Operation &op : loop.getCond().front())
    if (isa<stablehlo::CompareOp>(op))
      for (Value operand : op.getOperands())
        if (auto constant = operand.getDefiningOp<stablehlo::ConstantOp>())
          if (auto value = dyn_cast<DenseIntElementsAttr>(constant.getValue());
              value && value.isSplat())
            return std::clamp<int64_t>(value.getSplatValue<APInt>().getSExtValue(), 1, kMost);
  return kGuess;
}

} // namespace

Propagation::Propagation(func::FuncOp func, const MeshSet &meshes)
    : func(func), meshes(meshes), mesh(meshes.getMain()) {}

unsigned Propagation::addNode(RankedTensorType type) {
  Node node;
  node.sharding = Sharding(type.getRank());
  node.type = type;
  nodes.push_back(std::move(node));
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

bool Propagation::sameAs(const Propagation &other) const {
  for (auto [mine, theirs] : llvm::zip_equal(nodes, other.nodes))
    if (!mine.sharding.sameTiles(theirs.sharding))
      return false;
  return true;
}

unsigned Propagation::getNumSharded() const {
  return llvm::count_if(nodes, [](const Node &node) { return !node.sharding.isReplicated(); });
}

Propagation::Sharded Propagation::getSharded(unsigned node) const {
  Sharded result{nodes[node].type, nodes[node].sharding, {}};
  result.origins.resize(mesh.getNumAtoms());
  for (auto [atom, origin] : llvm::enumerate(nodes[node].origins))
    result.origins[atom] = origins[origin];
  return result;
}

LogicalResult Propagation::give(unsigned node, sdy::TensorShardingAttr attr, Operation *op,
                                ShardingOrigin origin) {
  if (!attr)
    return success();
  FailureOr<Sharding> sharding = Sharding::get(attr, nodes[node].type.getRank(), meshes, op);
  if (failed(sharding))
    return failure();
  RankedTensorType type = nodes[node].type;
  if (nodes[node].even)
    sharding->makeDivisible(type, mesh); // the partitioner refuses what this changes
  else if (sharding->makeFit(type, mesh) && !quiet)
    op->emitRemark() << "sharding " << attr << " has more tiles than elements in " << type
                     << "; the dimension is split less or not at all";
  nodes[node].sharding = std::move(*sharding);
  nodes[node].given = true;
  nodes[node].origins.resize(mesh.getNumAtoms());
  for (uint16_t atom : nodes[node].sharding.getUsed())
    nodes[node].origins[atom] = origins.size();
  origins.push_back(origin);
  for (auto [dim, dimSharding] : llvm::enumerate(attr.getDimShardings()))
    if (int64_t priority = dimSharding.getPriority().value_or(0); priority != 0) {
      nodes[node].priorities.resize(nodes[node].type.getRank());
      nodes[node].priorities[dim] = priority;
    }
  return success();
}

void Propagation::addIdentity(ArrayRef<unsigned> sources, ArrayRef<unsigned> targets) {
  Edge edge;
  edge.kind = Kind::PassOn;
  edge.trips = trips;
  edge.numOperands = sources.size();
  edge.nodes.append(sources.begin(), sources.end());
  edge.nodes.append(targets.begin(), targets.end());
  RankedTensorType type = nodes[edge.nodes.front()].type;
  DimFactors dims;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    edge.rule.factors.push_back(Factor{size});
    edge.rule.factors.back().alone = true;
    dims.push_back({static_cast<unsigned>(dim)});
  }
  edge.rule.operands.assign(sources.size(), dims);
  edge.rule.results.assign(targets.size(), dims);
  edges.push_back(std::move(edge));
}

LogicalResult Propagation::build() {
  for (BlockArgument arg : func.getArguments())
    if (failed(give(nodeOf(arg), sdy::getSharding(arg), func,
                    {ShardingOrigin::Argument, arg.getArgNumber(), nullptr})))
      return failure();
  for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
    unsigned node = addNode(cast<RankedTensorType>(type));
    resultNodes.push_back(node);
    if (failed(give(node, sdy::getFuncResultSharding(func, index), func,
                    {ShardingOrigin::Result, static_cast<unsigned>(index), nullptr})))
      return failure();
  }
  markDonated();
  if (failed(addBlock(func.getBody().front())))
    return failure();
  for (const auto &group : groups)
    for (unsigned other : ArrayRef<unsigned>(group.second).drop_front())
      addIdentity({group.second.front()}, {other});
  return applyConstraints();
}

/// Rule P6: an argument and the result that overwrites it are one buffer: a side without a sharding
/// takes the other's. An argument given up without a name for its result (jax.buffer_donor) goes to
/// the first result of its type that is left.
void Propagation::markDonated() {
  SmallVector<bool> taken(resultNodes.size(), false);
  auto tie = [&](BlockArgument arg, unsigned result) {
    unsigned from = nodeOf(arg), to = resultNodes[result];
    taken[result] = true;
    nodes[from].donated = nodes[to].donated = anyDonated = true;
    donatedTypes.insert(nodes[from].type);
    if (nodes[from].type == nodes[to].type && !(nodes[from].given && nodes[to].given))
      addIdentity({from}, {to});
  };
  for (BlockArgument arg : func.getArguments()) {
    auto alias = func.getArgAttrOfType<IntegerAttr>(arg.getArgNumber(), "tf.aliasing_output");
    if (alias && alias.getInt() >= 0 && alias.getInt() < static_cast<int64_t>(resultNodes.size()))
      tie(arg, alias.getInt());
  }
  for (BlockArgument arg : func.getArguments()) {
    auto donor = func.getArgAttrOfType<BoolAttr>(arg.getArgNumber(), "jax.buffer_donor");
    if (!donor || !donor.getValue() || func.getArgAttr(arg.getArgNumber(), "tf.aliasing_output"))
      continue;
    for (auto [result, node] : llvm::enumerate(resultNodes))
      if (!taken[result] && nodes[node].type == nodes[nodeOf(arg)].type) {
        tie(arg, result);
        break;
      }
  }
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
    auto &members = groups[group.getGroupId()];
    unsigned node = nodeOf(group.getInput());
    if (!members.empty() && nodes[members.front()].type.getShape() != nodes[node].type.getShape())
      return op->emitError() << "sharding group " << group.getGroupId() << " has values of types "
                             << nodes[members.front()].type << " and " << nodes[node].type
                             << "; give values of another shape a group_id of their own";
    members.push_back(node);
    return success();
  }
  if (auto manual = dyn_cast<sdy::ManualComputationOp>(op))
    return addManual(manual);

  auto given = sdy::getShardings(op);
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    if (!isa<RankedTensorType>(result.getType()))
      return op->emitError() << "result of type " << result.getType()
                             << " cannot be sharded; expected ranked tensors";
    if (index < given.size() &&
        failed(give(nodeOf(result), given[index], op, {ShardingOrigin::Constraint, 0, op})))
      return failure();
  }
  // A gradient or an update is constrained like the array it is for.
  if (isa<sdy::ShardingConstraintOp>(op) && donatedTypes.contains(op->getResult(0).getType()))
    nodes[nodeOf(op->getResult(0))].donated = true;
  if (auto loop = dyn_cast<stablehlo::WhileOp>(op)) {
    // One node for the result and both blocks' arguments; inits and yields flow into it.
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      unsigned node = nodeOf(op->getResult(i));
      nodeOfValue[loop.getCond().getArgument(i)] = node;
      nodeOfValue[loop.getBody().getArgument(i)] = node;
    }
    int64_t outer = trips;
    trips *= estimateTrips(loop);
    if (failed(addBlock(loop.getCond().front())) || failed(addBlock(loop.getBody().front())))
      return failure();
    llvm::scope_exit restore([&] { trips = outer; });
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
  edge.op = op;
  edge.trips = trips;
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
  const ShardingOrigin origin{ShardingOrigin::Boundary, 0, op};
  for (auto [index, operand] : llvm::enumerate(op.getTensors())) {
    unsigned boundary = addNode(cast<RankedTensorType>(operand.getType()));
    nodes[boundary].even = nodes[nodeOf(body.getArgument(index))].even = true;
    if (failed(give(boundary, op.getInSharding(index), op, origin)) ||
        failed(give(nodeOf(body.getArgument(index)), op.getInShardingWithoutManualAxes(index), op,
                    origin)))
      return failure();
    addIdentity({nodeOf(operand)}, {boundary});
  }
  Operation *yield = body.getTerminator();
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    nodes[nodeOf(result)].even = true;
    if (failed(give(nodeOf(result), op.getOutSharding(index), op, origin)))
      return failure();
  }
  if (failed(addBlock(body)))
    return failure();
  for (auto [index, value] : llvm::enumerate(yield->getOperands())) {
    unsigned boundary = addNode(cast<RankedTensorType>(value.getType()));
    nodes[boundary].even = true;
    if (failed(give(boundary, op.getOutShardingWithoutManualAxes(index), op, origin)))
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
    const Node &constrained = nodes[nodeOf(op.getResult())];
    node.sharding = constrained.sharding;
    node.origins = constrained.origins;
    node.priorities = constrained.priorities;
    node.donated = constrained.donated;
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
