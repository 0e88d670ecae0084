// Tuples, calls, loops and branches, and the custom calls that stand for shardings.
#include "HloToStablehlo.h"

#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem::hloimport {

static unsigned countLeaves(const Shape &shape) {
  std::vector<const Shape *> leaves;
  appendLeaves(shape, leaves);
  return leaves.size();
}

static Leaves leavesOf(Operation *op) { return Leaves(op->result_begin(), op->result_end()); }

Attribute Importer::sdyAttribute(const Instruction &i, StringRef name, llvm::Error &result) {
  StringRef text = i.dictValue("frontend_attributes", name);
  if (text.empty())
    return {};
  Attribute attr = parseAttribute(unescape(text), context);
  if (!attr)
    result = error(i, name + ": '" + text + "' is not an attribute of Shardy");
  return attr;
}

llvm::Expected<std::optional<Leaves>> Importer::importControl(OpBuilder &b, const Instruction &i,
                                                              ArrayRef<Leaves> operands) {
  auto wrap = [](llvm::Expected<Leaves> leaves) -> llvm::Expected<std::optional<Leaves>> {
    if (!leaves)
      return leaves.takeError();
    return std::optional(std::move(*leaves));
  };
  if (i.phase != Phase::None || i.base == Opcode::Fusion || i.base == Opcode::Bitcast)
    return error(i, "'" + i.opcode +
                        "' is made by optimisation; a module to be compiled is one "
                        "before optimisation (explain, simulate and diff read this "
                        "one)");
  switch (i.base) {
  case Opcode::Tuple: {
    Leaves leaves;
    for (const Leaves &operand : operands)
      leaves.append(operand.begin(), operand.end());
    return std::optional(std::move(leaves));
  }
  case Opcode::GetTupleElement: {
    const Shape &tuple = *i.operands[0]->shape;
    const int64_t index = *i.integer("index");
    unsigned first = 0;
    for (const Shape *element : tuple.elements.take_front(index))
      first += countLeaves(*element);
    auto part = ArrayRef<Value>(operands[0]).slice(first, countLeaves(*tuple.elements[index]));
    return std::optional(Leaves(part.begin(), part.end()));
  }
  case Opcode::Copy:
  case Opcode::Domain:
  case Opcode::AddDependency:
    return std::optional(operands[0]);
  case Opcode::OptBarrier:
    return std::optional(
        leavesOf(stablehlo::OptimizationBarrierOp::create(b, locationOf(i), operands[0])));
  case Opcode::Call: {
    llvm::Expected<func::FuncOp> callee = functionOf(*i.callee("to_apply"));
    if (!callee)
      return callee.takeError();
    SmallVector<Value> flat;
    for (const Leaves &operand : operands)
      flat.append(operand.begin(), operand.end());
    return std::optional(leavesOf(func::CallOp::create(b, locationOf(i), *callee, flat)));
  }
  case Opcode::While:
    return wrap(importWhile(b, i, operands[0]));
  case Opcode::Conditional:
    return wrap(importConditional(b, i, operands));
  case Opcode::CustomCall: {
    StringRef target = i.word("custom_call_target");
    const bool isConstraint = target == "Sharding" || target == "xla.sdy.FuncResultSharding" ||
                              target == "xla.sdy.ShardingGroup" ||
                              target == "SPMDFullToShardShape" || target == "SPMDShardToFullShape";
    if (isConstraint)
      return wrap(importConstraint(b, i, operands[0]));
    Leaves flat;
    for (const Leaves &operand : operands)
      flat.append(operand.begin(), operand.end());
    if (target == "xla.sdy.GlobalToLocalShape")
      return wrap(enterManual(b, i, flat));
    if (target == "xla.sdy.LocalToGlobalShape")
      return wrap(leaveManual(b, i, flat));
    return std::optional<Leaves>();
  }
  default:
    return std::optional<Leaves>();
  }
}

llvm::Expected<Leaves> Importer::importWhile(OpBuilder &b, const Instruction &i,
                                             const Leaves &inits) {
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto loop = stablehlo::WhileOp::create(b, locationOf(i), types, inits);
  const unsigned count = types.size();
  if (llvm::Error e = fillRegion(loop->getRegion(0), *i.callee("condition"), types, {count}))
    return std::move(e);
  if (llvm::Error e = fillRegion(loop->getRegion(1), *i.callee("body"), types, {count}))
    return std::move(e);
  return leavesOf(loop);
}

// HLO gives each branch an operand of its own; ours see the values around them.
llvm::Expected<Leaves> Importer::importConditional(OpBuilder &b, const Instruction &i,
                                                   ArrayRef<Leaves> operands) {
  SmallVector<Computation *> branches(i.called("branch_computations"));
  if (branches.empty())
    branches = {i.callee("true_computation"), i.callee("false_computation")};
  if (branches.size() + 1 != operands.size() || llvm::is_contained(branches, nullptr))
    return error(i, "the conditional has " + llvm::Twine(branches.size()) + " branches and " +
                        llvm::Twine(operands.size()) +
                        " operands, expected the index and one for each branch");
  llvm::Expected<SmallVector<Type>> types = typesOf(*i.shape, i.position);
  if (!types)
    return types.takeError();
  const bool isIf =
      llvm::cast<RankedTensorType>(operands[0][0].getType()).getElementType().isInteger(1);
  Operation *op =
      isIf ? stablehlo::IfOp::create(b, locationOf(i), *types, operands[0][0]).getOperation()
           : stablehlo::CaseOp::create(b, locationOf(i), *types, operands[0][0],
                                       static_cast<unsigned>(branches.size()))
                 .getOperation();
  for (auto [index, branch] : llvm::enumerate(branches)) {
    OpBuilder inside(b.getContext());
    inside.createBlock(&op->getRegion(index));
    llvm::Expected<Leaves> root = importBody(inside, *branch, {operands[index + 1]});
    if (!root)
      return root.takeError();
    stablehlo::ReturnOp::create(inside, locationOf(*branch->root), *root);
  }
  return leavesOf(op);
}

llvm::Expected<Leaves> Importer::importConstraint(OpBuilder &b, const Instruction &i,
                                                  const Leaves &operand) {
  StringRef target = i.word("custom_call_target");
  Location loc = locationOf(i);
  if (target == "xla.sdy.FuncResultSharding") // read from where the function is
    return operand;
  if (target == "xla.sdy.ShardingGroup") {
    // Written `0 : i64`.
    StringRef text = i.dictValue("frontend_attributes", "xla.sdy.sharding_group_id");
    int64_t group = 0;
    if (text.consumeInteger(10, group))
      return error(i, "xla.sdy.sharding_group_id: expected a number");
    for (Value value : operand)
      sdy::ShardingGroupOp::create(b, loc, value, group);
    return Leaves();
  }
  if (hasMeshes && target == "Sharding") {
    llvm::Error failed = llvm::Error::success();
    Attribute attr = sdyAttribute(i, "xla.sdy.sharding", failed);
    if (failed)
      return std::move(failed);
    auto list = llvm::dyn_cast_or_null<sdy::TensorShardingPerValueAttr>(attr);
    auto sharding = llvm::dyn_cast_or_null<sdy::TensorShardingAttr>(attr);
    if (list && list.getShardings().size() == 1)
      sharding = list.getShardings()[0];
    if (sharding && operand.size() == 1)
      return leavesOf(sdy::ShardingConstraintOp::create(b, loc, operand[0], sharding));
    if (!attr)
      return operand;
    return error(i, "xla.sdy.sharding: expected the sharding of one array");
  }
  // The form of GSPMD, as JAX lowers it.
  llvm::Expected<SmallVector<Type>> types = typesOf(*i.shape, i.position);
  if (!types)
    return types.takeError();
  auto op = stablehlo::CustomCallOp::create(
      b, loc, *types, operand, {b.getNamedAttr("call_target_name", b.getStringAttr(target))});
  if (const Sharding *sharding = i.sharding())
    op->setAttr("mhlo.sharding", b.getStringAttr(print(*sharding)));
  if (StringRef config = i.backendConfig(); config.consume_front("\"") && config.consume_back("\""))
    op->setAttr("backend_config", b.getStringAttr(unescape(config)));
  return leavesOf(op);
}

// Stands for the per-device values until the end of the manual computation shows its body.
llvm::Expected<Leaves> Importer::enterManual(OpBuilder &b, const Instruction &i,
                                             const Leaves &globals) {
  llvm::Error failed = llvm::Error::success();
  auto shardings = llvm::dyn_cast_or_null<sdy::TensorShardingPerValueAttr>(
      sdyAttribute(i, "xla.sdy.in_shardings", failed));
  if (failed)
    return std::move(failed);
  llvm::Expected<SmallVector<Type>> types = typesOf(*i.shape, i.position);
  if (!types)
    return types.takeError();
  if (!shardings || shardings.getShardings().size() != globals.size() ||
      types->size() != globals.size())
    return error(i, "xla.sdy.in_shardings: expected one sharding for each of " +
                        llvm::Twine(globals.size()) + " operands");
  Leaves locals;
  for (auto [global, type, sharding] : llvm::zip_equal(globals, *types, shardings.getShardings())) {
    auto cast = UnrealizedConversionCastOp::create(b, locationOf(i), type, global);
    locals.push_back(cast.getResult(0));
    shards[locals.back()] = {global, sharding};
  }
  return locals;
}

llvm::Expected<Leaves> Importer::leaveManual(OpBuilder &b, const Instruction &i,
                                             const Leaves &locals) {
  llvm::Error failed = llvm::Error::success();
  auto outShardings = llvm::dyn_cast_or_null<sdy::TensorShardingPerValueAttr>(
      sdyAttribute(i, "xla.sdy.out_shardings", failed));
  Attribute axes = failed ? Attribute() : sdyAttribute(i, "xla.sdy.manual_axes", failed);
  if (failed)
    return std::move(failed);
  auto manualAxes = llvm::dyn_cast_or_null<sdy::ManualAxesAttr>(axes);
  if (!outShardings || !manualAxes || outShardings.getShardings().size() != locals.size())
    return error(i, "xla.sdy.out_shardings and xla.sdy.manual_axes: expected a sharding for each "
                    "of " +
                        llvm::Twine(locals.size()) + " results and the manual axes");
  auto call = locals.empty() ? func::CallOp() : locals[0].getDefiningOp<func::CallOp>();
  for (Value local : locals)
    if (!call || local.getDefiningOp() != call)
      return error(i, "expected the results of one call of the per-device computation");
  SmallVector<Value> globals;
  SmallVector<sdy::TensorShardingAttr> inShardings;
  for (Value operand : call.getOperands()) {
    auto shard = shards.find(operand);
    if (shard == shards.end())
      return error(i, "the per-device computation is called with a value that does not come from "
                      "xla.sdy.GlobalToLocalShape");
    globals.push_back(shard->second.global);
    inShardings.push_back(llvm::cast<sdy::TensorShardingAttr>(shard->second.sharding));
  }
  llvm::Expected<SmallVector<Type>> types = typesOf(*i.shape, i.position);
  if (!types)
    return types.takeError();
  Location loc = locationOf(i);
  auto manual = sdy::ManualComputationOp::create(
      b, loc, *types, globals, sdy::TensorShardingPerValueAttr::get(context, inShardings),
      outShardings, manualAxes);
  OpBuilder inside(context);
  Block *body = inside.createBlock(&manual.getBody());
  SmallVector<Value> arguments;
  for (Value operand : call.getOperands())
    arguments.push_back(body->addArgument(operand.getType(), loc));
  auto local = func::CallOp::create(inside, call.getLoc(), call.getCalleeAttr(),
                                    call.getResultTypes(), arguments);
  SmallVector<Value> yielded;
  for (Value value : locals)
    yielded.push_back(local.getResult(llvm::cast<OpResult>(value).getResultNumber()));
  sdy::ReturnOp::create(inside, loc, yielded);
  SmallVector<Value> before(call.getOperands());
  if (!call->use_empty())
    return error(i, "the results of the per-device computation are used besides this");
  call.erase();
  for (Value value : before)
    if (value.use_empty()) {
      shards.erase(value);
      value.getDefiningOp()->erase();
    }
  return leavesOf(manual);
}

} // namespace tandem::hloimport
