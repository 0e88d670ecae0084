// Functions, loops, branches and manual computations.
#include "passes/Partition/Partitioner.h"
#include "tandem/IR/Shardy/ShardingAccess.h"
#include "tandem/IR/Tandem/FunctionAttrs.h"

namespace tandem {
using namespace mlir;

LogicalResult Partitioner::run() {
  Block &old = main.getBody().front();
  Region body;
  Block *entry = new Block;
  body.push_back(entry);
  scopes.emplace_back();
  MLIRContext *ctx = main.getContext();
  FunctionAttrs attrs(main);
  SmallVector<Type> argTypes, resultTypes;
  for (BlockArgument arg : old.getArguments()) {
    FailureOr<Sharding> sharding = getDeclared(arg);
    if (failed(sharding))
      return failure();
    argTypes.push_back(getLocalType(arg, *sharding));
    addVersion(arg, entry->addArgument(argTypes.back(), arg.getLoc()), *sharding);
    NamedAttrList &list = attrs.argument(arg.getArgNumber());
    if (!list.get("tandem.global_type")) // else it is padded
      list.set("tandem.global_type", TypeAttr::get(arg.getType()));
    list.set("tandem.sharding", sdy::getSharding(arg));
    list.erase(sdy::kShardingAttr);
  }
  spmd = std::make_unique<SpmdBuilder>(mesh, entry, reductionDtype, target);
  if (failed(emitBlock(old)))
    return failure();
  remarkReplications();
  for (auto [index, type] : llvm::enumerate(main.getResultTypes())) {
    NamedAttrList &list = attrs.result(index);
    if (!list.get("tandem.global_type"))
      list.set("tandem.global_type", TypeAttr::get(type));
    list.set("tandem.sharding", sdy::getFuncResultSharding(main, index));
    list.erase(sdy::kShardingAttr);
  }
  attrs.apply();
  for (Value value : entry->getTerminator()->getOperands())
    resultTypes.push_back(value.getType());
  main.getBody().takeBody(body);
  main.setFunctionType(FunctionType::get(ctx, argTypes, resultTypes));
  return success();
}

LogicalResult Partitioner::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emit(&op)))
      return failure();
  return success();
}

LogicalResult Partitioner::emit(Operation *op) {
  if (auto ret = dyn_cast<func::ReturnOp>(op))
    return emitReturn(ret);
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<sdy::ShardingGroupOp>(op))
    return success(); // terminators are made by the op around them
  // A sum is carried out in the block that makes it, not once per iteration inside.
  if (isa<stablehlo::WhileOp, stablehlo::CaseOp, stablehlo::IfOp, sdy::ManualComputationOp>(op))
    settleAll();
  if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
    return emitWhile(loop);
  if (isa<stablehlo::CaseOp, stablehlo::IfOp>(op))
    return emitBranches(op);
  if (auto manual = dyn_cast<sdy::ManualComputationOp>(op))
    return emitManual(manual);
  if (auto barrier = dyn_cast<stablehlo::OptimizationBarrierOp>(op))
    return emitBarrier(barrier);
  if (isa<sdy::ShardingConstraintOp, sdy::ReshardOp>(op)) {
    FailureOr<Sharding> declared = getDeclared(op->getResult(0));
    if (failed(declared))
      return failure();
    addVersion(op->getResult(0), get(op->getOperand(0), *declared, op->getLoc()), *declared);
    return success();
  }
  // The first elements of a sort are made with it.
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op);
      slice && !getVersions(slice.getResult()).empty()) {
    FailureOr<Sharding> declared = getDeclared(slice.getResult());
    if (failed(declared))
      return failure();
    get(slice.getResult(), *declared, op->getLoc());
    return success();
  }
  return emitByRule(op);
}

LogicalResult Partitioner::emitReturn(func::ReturnOp op) {
  SmallVector<Value> values;
  for (auto [index, value] : llvm::enumerate(op.getOperands())) {
    FailureOr<Sharding> sharding =
        Sharding::get(sdy::getFuncResultSharding(main, index),
                      cast<RankedTensorType>(value.getType()).getRank(), meshes, op);
    if (failed(sharding))
      return failure();
    values.push_back(get(value, *sharding, op.getLoc()));
  }
  func::ReturnOp::create(spmd->getBuilder(), op.getLoc(), values);
  return success();
}

namespace {

/// Whether the body only adds to the carried value, and the condition does not read it.
bool isAccumulator(stablehlo::WhileOp loop, unsigned index) {
  BlockArgument arg = loop.getBody().getArgument(index);
  if (!arg.hasOneUse() || !loop.getCond().getArgument(index).use_empty())
    return false;
  Operation *user = *arg.user_begin();
  Operation *yield = loop.getBody().front().getTerminator();
  return isa<stablehlo::AddOp>(user) && user->getBlock() == arg.getOwner() &&
         user->getResult(0).hasOneUse() && yield->getOperand(index) == user->getResult(0);
}

} // namespace

/// Carried values keep the loop's shardings: inits and yields are brought to them.
LogicalResult Partitioner::emitWhile(stablehlo::WhileOp op) {
  OpBuilder &b = spmd->getBuilder();
  SmallVector<Sharding> shardings;
  SmallVector<Value> inits;
  SmallVector<Type> types;
  for (auto [init, result] : llvm::zip_equal(op->getOperands(), op->getResults())) {
    FailureOr<Sharding> sharding = getDeclared(result);
    if (failed(sharding))
      return failure();
    inits.push_back(get(init, *sharding, op.getLoc()));
    types.push_back(getLocalType(result, *sharding));
    shardings.push_back(std::move(*sharding));
  }
  auto local = stablehlo::WhileOp::create(b, op.getLoc(), types, inits);
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (attr.getName() != sdy::kShardingAttr)
      local->setDiscardableAttr(attr.getName(), attr.getValue());
  for (auto [oldRegion, newRegion] : llvm::zip_equal(op->getRegions(), local->getRegions())) {
    OpBuilder::InsertionGuard guard(b);
    Block &oldBlock = oldRegion.front();
    SmallVector<Location> locs;
    for (BlockArgument arg : oldBlock.getArguments())
      locs.push_back(arg.getLoc());
    Block *block = b.createBlock(&newRegion, newRegion.end(), types, locs);
    scopes.emplace_back();
    for (auto [oldArg, newArg, sharding] :
         llvm::zip_equal(oldBlock.getArguments(), block->getArguments(), shardings))
      addVersion(oldArg, newArg, sharding);
    bool isBody = &oldRegion == &op.getBody();
    for (unsigned i = 0; isBody && i < types.size(); ++i)
      if (isAccumulator(op, i))
        accumulators[oldBlock.getArgument(i)] = {block->getArgument(i), shardings[i], {}};
    if (failed(emitBlock(oldBlock)))
      return failure();
    Operation *yield = oldBlock.getTerminator();
    SmallVector<Value> values;
    for (auto [index, value] : llvm::enumerate(yield->getOperands()))
      values.push_back(get(value, isBody ? shardings[index] : Sharding(0), yield->getLoc()));
    stablehlo::ReturnOp::create(b, yield->getLoc(), values);
    scopes.pop_back();
  }
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    auto accumulator = accumulators.find(op.getBody().getArgument(index));
    if (accumulator == accumulators.end() || accumulator->second.atoms.empty()) {
      addVersion(result, local->getResult(index), shardings[index]);
      continue;
    }
    // The sum over iterations is one of parts; what it starts from is the first device's part.
    const Atoms atoms = accumulator->second.atoms;
    Reason reason{op.getLoc(), "start of a sum over iterations", describeSum(result)};
    Location loc = spmd->getLoc(reason, atoms);
    auto type = cast<RankedTensorType>(types[index]);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(local);
    Value init = inits[index], zero = spmd->createSplat(loc, type, 0);
    local->setOperand(
        index, stablehlo::SelectOp::create(b, loc, type, spmd->isFirst(atoms, loc), init, zero));
    b.setInsertionPointAfter(local);
    partials[result] = {local->getResult(index), shardings[index], atoms};
  }
  for (BlockArgument arg : op.getBody().getArguments())
    accumulators.erase(arg);
  for (Value result : op->getResults())
    if (auto it = partials.find(result); it != partials.end()) {
      Partial partial = it->second;
      if (!delaySum(result, partial.local, partial.sharding, partial.atoms))
        settle(result);
    }
  return success();
}

LogicalResult Partitioner::emitBranches(Operation *op) {
  OpBuilder &b = spmd->getBuilder();
  SmallVector<Sharding> shardings;
  SmallVector<Type> types;
  for (Value result : op->getResults()) {
    FailureOr<Sharding> sharding = getDeclared(result);
    if (failed(sharding))
      return failure();
    types.push_back(getLocalType(result, *sharding));
    shardings.push_back(std::move(*sharding));
  }
  OperationState state(op->getLoc(), op->getName(),
                       ValueRange{get(op->getOperand(0), Sharding(0), op->getLoc())}, types);
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *local = b.create(state);
  for (auto [oldRegion, newRegion] : llvm::zip_equal(op->getRegions(), local->getRegions())) {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&newRegion);
    scopes.emplace_back();
    if (failed(emitBlock(oldRegion.front())))
      return failure();
    Operation *yield = oldRegion.front().getTerminator();
    SmallVector<Value> values;
    for (auto [index, value] : llvm::enumerate(yield->getOperands()))
      values.push_back(get(value, shardings[index], yield->getLoc()));
    stablehlo::ReturnOp::create(b, yield->getLoc(), values);
    scopes.pop_back();
  }
  for (auto [result, value, sharding] :
       llvm::zip_equal(op->getResults(), local->getResults(), shardings))
    addVersion(result, value, sharding);
  return success();
}

/// Rule M5: at the border of a manual computation nothing is padded.
LogicalResult Partitioner::checkDivides(Operation *op, const Sharding &sharding, Type type,
                                        StringRef what, unsigned index) const {
  for (auto [dim, size, atoms] :
       llvm::enumerate(cast<RankedTensorType>(type).getShape(), sharding.dims)) {
    int64_t tiles = mesh.getSize(atoms);
    if (size % tiles == 0)
      continue;
    InFlightDiagnostic error = op->emitError();
    error << what << " " << index << ": the size " << size << " of dimension " << dim
          << " is not divisible by the " << tiles << " parts along ";
    llvm::interleaveComma(mesh.getAxisNames(atoms), error,
                          [&](StringRef axis) { error << "axis \"" << axis << "\""; });
    return error << "; pad the array to a multiple of " << tiles << ", or leave the axis out";
  }
  return success();
}

/// The body is the per-device program over the manual axes already; its values are split
/// over the free axes only, so it is emitted like any other block.
LogicalResult Partitioner::emitManual(sdy::ManualComputationOp op) {
  Block &body = op.getBody().front();
  SmallVector<Value> inputs;
  SmallVector<Sharding> inner;
  auto read = [&](sdy::TensorShardingAttr attr, Value value) {
    return Sharding::get(attr, cast<RankedTensorType>(value.getType()).getRank(), meshes, op);
  };
  for (auto [index, operand] : llvm::enumerate(op.getTensors())) {
    FailureOr<Sharding> outside = read(op.getInSharding(index), operand);
    FailureOr<Sharding> inside =
        read(op.getInShardingWithoutManualAxes(index), body.getArgument(index));
    if (failed(outside) || failed(inside))
      return failure();
    if (failed(checkDivides(op, *outside, operand.getType(), "in_sharding of operand", index)))
      return failure();
    inputs.push_back(get(operand, *outside, op.getLoc()));
    inner.push_back(std::move(*inside));
  }
  scopes.emplace_back();
  for (auto [arg, input, sharding] : llvm::zip_equal(body.getArguments(), inputs, inner))
    addVersion(arg, input, sharding);
  if (failed(emitBlock(body)))
    return failure();
  SmallVector<Value> outputs;
  for (auto [index, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    FailureOr<Sharding> inside = read(op.getOutShardingWithoutManualAxes(index), value);
    if (failed(inside))
      return failure();
    outputs.push_back(get(value, *inside, op.getLoc()));
  }
  scopes.pop_back();
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    FailureOr<Sharding> outside = read(op.getOutSharding(index), result);
    if (failed(outside))
      return failure();
    if (failed(checkDivides(op, *outside, result.getType(), "out_sharding of result", index)))
      return failure();
    addVersion(result, outputs[index], *outside);
  }
  return success();
}

} // namespace tandem
