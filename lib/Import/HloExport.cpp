// A scheduled program, block by block, as the computations of an HLO module.
#include "tandem/Import/HloExport.h"

#include "HloDraft.h"
#include "tandem/Import/HloText.h"

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Buffers.h"
#include "tandem/IR/Tandem/Cause.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tandem::hlo {
namespace {

using mlir::Block;
using mlir::Operation;
using mlir::Region;
using mlir::Value;
namespace stablehlo = mlir::stablehlo;

// Constants of more elements are written `{...}`.
constexpr int64_t kMostPrintedElements = 4096;

// A future in HLO: what a start returns, once per collective that HLO can start as one.
struct Transfer {
  Instruction *handle = nullptr;        // the start, or what hands on its result
  std::string kind;                     // of the collective: all-gather
  std::string done;                     // opcode of the done
  const Shape *result = nullptr;        // what the done returns
  llvm::SmallVector<unsigned> elements; // of the future, that the done's result holds in order
};
using Future = llvm::SmallVector<Transfer, 1>;

// What the values of a block, and of those around it that its computation is given, are.
struct Scope {
  ComputationDraft draft;
  Values values;
  llvm::DenseMap<Value, Future> futures;
  Values tokens; // the instruction after which a token is there

  Scope(ModuleDraft &module, StringRef name) : draft(module, name) {}
};

// A collective of a start's region with those that HLO can run as one with it.
struct Combined {
  llvm::SmallVector<Operation *> ops;
};

class Exporter {
public:
  explicit Exporter(Module &module) : module(module) {}

  llvm::Error run(mlir::ModuleOp root);

private:
  llvm::Error fail(Operation *op, const llvm::Twine &what);
  llvm::Error exportBlock(Block &block, Scope &scope);
  llvm::Error exportScheduledOp(Operation *op, Scope &scope);
  llvm::Error exportUnit(Operation *op, Scope &scope);
  llvm::Error exportProduct(Operation *op, Scope &scope);
  llvm::Error exportStart(StartOp op, Scope &scope);
  llvm::Error exportDone(DoneOp op, Scope &scope);
  llvm::Error exportLoop(LoopOp op, Scope &scope);
  llvm::Error exportCase(CaseOp op, Scope &scope);
  llvm::Error exportCall(CallOp op, Scope &scope);
  llvm::Error startCollectives(StartOp start, const Combined &combined, Scope &scope,
                               Transfer &transfer);

  llvm::SmallVector<Combined> combine(StartOp start);
  // Operands of a tandem op without its tokens.
  llvm::SmallVector<Instruction *> inputs(Operation *op, Scope &scope);
  // Copies those operands of a kernel that it updates in part, but not in place.
  void copyUpdated(KernelOp kernel, Scope &scope, llvm::SmallVectorImpl<Instruction *> &inputs);
  // Notes the results of `op`, which `instruction` gives, and where its token is.
  void note(Operation *op, Instruction *instruction, Scope &scope);
  void noteOrder(Operation *op, Instruction *first, Instruction *last, Scope &scope);
  // The instructions that `value` is handed on as: the value, or a future's handles.
  void append(Value value, Scope &scope, llvm::SmallVectorImpl<Instruction *> &state);
  // The reverse: `value` is what stands from `next` on in a state like `like`.
  void take(Value value, Value like, Scope &from, Scope &scope, ArrayRef<Instruction *> state,
            size_t &next);
  llvm::SmallVector<Instruction *> elementsOf(Instruction *tuple, Scope &scope);
  void setHeader(mlir::ModuleOp root, mlir::func::FuncOp main);

  Module &module;
  ModuleDraft draft{module};
};

llvm::Error Exporter::fail(Operation *op, const llvm::Twine &what) {
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::FileLineColLoc at;
  op->getLoc()->walk([&](mlir::Location part) {
    at = at ? at : llvm::dyn_cast<mlir::FileLineColLoc>(part);
    return mlir::WalkResult::advance();
  });
  if (at)
    os << at.getFilename().strref() << ":" << at.getLine() << ":" << at.getColumn() << ": ";
  os << "error: '" << op->getName() << "' " << what;
  return llvm::createStringError(text);
}

// ---- buffers

// The argument of a kernel that `value` is an update of, seen through reshapes; null: none.
mlir::BlockArgument updatedArgument(Value value) {
  bool updated = false;
  while (Operation *op = value.getDefiningOp()) {
    if (llvm::isa<stablehlo::DynamicUpdateSliceOp, stablehlo::ScatterOp>(op))
      updated = true;
    else if (!llvm::isa<stablehlo::ReshapeOp>(op))
      return {};
    value = op->getOperand(0);
  }
  return updated ? llvm::dyn_cast<mlir::BlockArgument>(value) : mlir::BlockArgument();
}

void Exporter::copyUpdated(KernelOp kernel, Scope &scope,
                           llvm::SmallVectorImpl<Instruction *> &inputs) {
  for (auto [result, yielded] : llvm::enumerate(kernel.getYield().getValues())) {
    mlir::BlockArgument argument = updatedArgument(yielded);
    if (!argument)
      continue;
    const unsigned index = argument.getArgNumber();
    const BufferAttr from = assignedBuffer(kernel.getInputs()[index]);
    const BufferAttr to = assignedBuffer(kernel.getOutputs()[result]);
    const bool inPlace = llvm::is_contained(kernel.getInPlacePairs(),
                                            std::pair<unsigned, unsigned>(result, index)) &&
                         (!from || !to || from == to);
    if (inPlace)
      continue;
    Instruction *copy = scope.draft.add("copy", inputs[index]->shape, {inputs[index]});
    scope.draft.describe(copy, kernel.getLoc());
    inputs[index] = copy;
  }
}

// ---- what all ops do

llvm::SmallVector<Instruction *> Exporter::inputs(Operation *op, Scope &scope) {
  llvm::SmallVector<Instruction *> result;
  for (Value value : op->getOperands())
    if (llvm::isa<mlir::RankedTensorType>(value.getType()))
      result.push_back(scope.values.lookup(value));
  return result;
}

void Exporter::note(Operation *op, Instruction *instruction, Scope &scope) {
  llvm::SmallVector<Value> tensors;
  for (Value result : op->getResults())
    if (llvm::isa<mlir::RankedTensorType>(result.getType()))
      tensors.push_back(result);
  for (auto [value, element] :
       llvm::zip(tensors, scope.draft.addElements(instruction, tensors.size())))
    scope.values[value] = element;
  noteOrder(op, instruction, instruction, scope);
}

void Exporter::noteOrder(Operation *op, Instruction *first, Instruction *last, Scope &scope) {
  llvm::SetVector<Instruction *> before;
  for (Value operand : op->getOperands())
    if (Instruction *waited = scope.tokens.lookup(operand))
      before.insert(waited);
  if (!before.empty()) {
    Attrs attributes(first->attributes.begin(), first->attributes.end());
    attributes.push_back({"control-predecessors", Predecessors{module.save(before.getArrayRef())}});
    first->attributes = module.save(ArrayRef<Attribute>(attributes));
  }
  for (Value result : op->getResults())
    if (llvm::isa<TokenType>(result.getType()))
      scope.tokens[result] = last;
}

void Exporter::append(Value value, Scope &scope, llvm::SmallVectorImpl<Instruction *> &state) {
  if (auto found = scope.futures.find(value); found != scope.futures.end())
    for (const Transfer &transfer : found->second)
      state.push_back(transfer.handle);
  else
    state.push_back(scope.values.lookup(value));
}

void Exporter::take(Value value, Value like, Scope &from, Scope &scope,
                    ArrayRef<Instruction *> state, size_t &next) {
  auto found = from.futures.find(like);
  if (found == from.futures.end()) {
    scope.values[value] = state[next++];
    return;
  }
  Future future = found->second;
  for (Transfer &transfer : future)
    transfer.handle = state[next++];
  scope.futures[value] = std::move(future);
}

llvm::SmallVector<Instruction *> Exporter::elementsOf(Instruction *tuple, Scope &scope) {
  llvm::SmallVector<Instruction *> elements;
  for (size_t i = 0; i < tuple->shape->elements.size(); ++i)
    elements.push_back(scope.draft.addElement(tuple, i));
  return elements;
}

// ---- kernels, products, calls

llvm::Error Exporter::exportUnit(Operation *op, Scope &scope) {
  Block &body = op->getRegion(0).front();
  llvm::SmallVector<Instruction *> operands = inputs(op, scope);
  if (auto kernel = llvm::dyn_cast<KernelOp>(op))
    copyUpdated(kernel, scope, operands);

  Operation *main = nullptr; // what the fusion is named after
  StringRef kind = "kLoop";
  for (Operation &inner : body.without_terminator()) {
    if (llvm::isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(inner)) {
      kind = "kCustom";
      main = &inner;
    } else if (llvm::isa<stablehlo::ReduceOp, stablehlo::ScatterOp>(inner) && kind == "kLoop") {
      kind = "kInput";
      main = &inner;
    } else if (kind == "kLoop") {
      main = &inner;
    }
  }
  std::string name = main ? main->getName().stripDialect().str() : "copy";
  Scope fused(draft, "fused_" + name);
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), operands))
    fused.values[argument] = fused.draft.addParameter(operand->shape);
  for (Operation &inner : body.without_terminator())
    if (!exportOp(&inner, fused.draft, fused.values))
      return fail(&inner, "has no form in HLO text");
  llvm::SmallVector<Instruction *> roots;
  for (Value value : body.getTerminator()->getOperands()) {
    Instruction *root = fused.values.lookup(value);
    // What is handed on as it came is copied by the kernel.
    if (llvm::isa<mlir::BlockArgument>(value))
      root = fused.draft.add("copy", root->shape, {root});
    roots.push_back(root);
  }
  Instruction *root = roots.size() == 1 ? roots[0] : fused.draft.addTuple(roots);
  Computation *computation = fused.draft.finish(root);
  Instruction *fusion = scope.draft.add(
      "fusion", root->shape, operands,
      {draft.word("kind", kind), draft.called("calls", {computation})}, name + "_fusion");
  scope.draft.describe(fusion, op->getLoc());
  note(op, fusion, scope);
  return llvm::Error::success();
}

// A gemm or conv: bare if it is nothing else, else a fusion.
llvm::Error Exporter::exportProduct(Operation *op, Scope &scope) {
  Block &body = op->getRegion(0).front();
  Operation &product = body.front();
  const bool isBare = llvm::hasSingleElement(body.without_terminator()) &&
                      body.getTerminator()->getNumOperands() == 1 &&
                      body.getTerminator()->getOperand(0) == product.getResult(0);
  if (!isBare)
    return exportUnit(op, scope);
  Values values;
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), inputs(op, scope)))
    values[argument] = operand;
  if (!exportOp(&product, scope.draft, values))
    return fail(&product, "has no form in HLO text");
  note(op, values.lookup(product.getResult(0)), scope);
  return llvm::Error::success();
}

llvm::Error Exporter::exportCall(CallOp op, Scope &scope) {
  llvm::SmallVector<const Shape *> shapes;
  for (Value result : op.getOutputs())
    shapes.push_back(draft.shapeOf(result.getType()));
  if (llvm::is_contained(shapes, nullptr))
    return fail(op, "has a result that HLO has no shape for");
  Attrs attributes = {{"custom_call_target", Quoted{module.save(op.getCallTargetName())}}};
  llvm::SmallVector<Alias> aliases;
  for (auto [result, operand] : op.getAliasedPairs()) {
    Alias alias;
    if (shapes.size() != 1)
      alias.outputIndex = module.save(ArrayRef<int64_t>{int64_t(result)});
    alias.parameter = operand;
    aliases.push_back(alias);
  }
  if (op.getHasSideEffect())
    attributes.push_back(draft.word("custom_call_has_side_effect", "true"));
  if (!aliases.empty())
    attributes.push_back({"output_to_operand_aliasing", module.save(ArrayRef<Alias>(aliases))});
  attributes.push_back(draft.word("api_version", "API_VERSION_TYPED_FFI"));
  if (mlir::DictionaryAttr config = op.getConfigAttr(); config && !config.empty()) {
    std::string text;
    llvm::raw_string_ostream(text) << config;
    attributes.push_back({"backend_config", RawText{draft.quoted(text)}});
  }
  Instruction *call =
      scope.draft.add("custom-call", draft.oneOrTuple(shapes), inputs(op, scope), attributes);
  scope.draft.describe(call, op->getLoc());
  note(op, call, scope);
  return llvm::Error::success();
}

// ---- collectives

std::string combineKey(Operation *op) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << op->getName();
  for (mlir::NamedAttribute attr : op->getAttrDictionary())
    if (attr.getName() != "channel_handle")
      os << " " << attr.getName().strref() << "=" << attr.getValue();
  for (Region &region : op->getRegions()) {
    os << " " << region.getArgument(0).getType();
    for (Operation &inner : region.front())
      os << " " << inner.getName();
  }
  return key;
}

llvm::SmallVector<Combined> Exporter::combine(StartOp start) {
  llvm::StringMap<size_t> numbers;
  llvm::SmallVector<Combined> groups;
  for (Operation &op : start.getBody().front().without_terminator()) {
    auto [place, isNew] = numbers.try_emplace(combineKey(&op), groups.size());
    if (isNew)
      groups.emplace_back();
    groups[place->second].ops.push_back(&op);
  }
  return groups;
}

Attribute groupsOf(Operation *op, Module &module) {
  auto dense = op->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups");
  ReplicaGroups groups;
  llvm::SmallVector<ArrayRef<int64_t>> lists;
  llvm::SmallVector<int64_t> numbers = llvm::to_vector(dense.getValues<int64_t>());
  const int64_t width = dense.getType().getRank() == 2 ? dense.getType().getDimSize(1) : 0;
  for (int64_t at = 0; width && at < int64_t(numbers.size()); at += width) {
    llvm::SmallVector<int64_t> group;
    for (int64_t device : ArrayRef<int64_t>(numbers).slice(at, width))
      if (device >= 0) // groups of unequal size are padded
        group.push_back(device);
    lists.push_back(module.save(ArrayRef<int64_t>(group)));
  }
  groups.groups = module.save(ArrayRef<ArrayRef<int64_t>>(lists));
  return {"replica_groups", static_cast<const ReplicaGroups *>(module.make(groups))};
}

llvm::Error Exporter::startCollectives(StartOp start, const Combined &combined, Scope &scope,
                                       Transfer &transfer) {
  Operation *first = combined.ops.front();
  // Operands in the scope of the start, results by their place in the future.
  llvm::SmallVector<Instruction *> operands;
  llvm::SmallVector<const Shape *> from, to;
  for (Operation *op : combined.ops) {
    for (Value operand : op->getOperands()) {
      auto argument = llvm::dyn_cast<mlir::BlockArgument>(operand);
      if (!argument)
        return fail(op, "takes the result of another collective of its start");
      operands.push_back(scope.values.lookup(start.getInputs()[argument.getArgNumber()]));
      from.push_back(operands.back()->shape);
    }
    for (Value result : op->getResults()) {
      auto yielded = start.getYield().getValues();
      auto place = llvm::find(yielded, result);
      if (place == yielded.end())
        return fail(op, "has a result that its start does not yield");
      transfer.elements.push_back(place - yielded.begin());
      to.push_back(draft.shapeOf(result.getType()));
    }
  }
  if (llvm::is_contained(to, nullptr))
    return fail(first, "has a result that HLO has no shape for");
  transfer.result = draft.oneOrTuple(to);

  std::string kind = first->getName().stripDialect().str();
  std::replace(kind.begin(), kind.end(), '_', '-');
  Attrs attributes;
  if (!llvm::isa<CopyOp>(first))
    attributes.push_back({"channel_id", draft.nextChannel()});
  if (auto permute = llvm::dyn_cast<stablehlo::CollectivePermuteOp>(first)) {
    llvm::SmallVector<std::pair<int64_t, int64_t>> pairs;
    auto numbers = llvm::to_vector(permute.getSourceTargetPairs().getValues<int64_t>());
    for (size_t i = 0; i + 1 < numbers.size(); i += 2)
      pairs.push_back({numbers[i], numbers[i + 1]});
    attributes.push_back(
        {"source_target_pairs", Pairs{module.save(ArrayRef<std::pair<int64_t, int64_t>>(pairs))}});
  } else if (first->hasAttr("replica_groups")) {
    attributes.push_back(groupsOf(first, module));
  }
  if (first->hasAttr("use_global_device_ids"))
    attributes.push_back(draft.word("use_global_device_ids", "true"));
  Region *reducer = nullptr;
  std::optional<int64_t> concatenated;
  if (auto gather = llvm::dyn_cast<stablehlo::AllGatherOp>(first)) {
    attributes.push_back(draft.ints("dimensions", {int64_t(gather.getAllGatherDim())}));
  } else if (auto scatter = llvm::dyn_cast<stablehlo::ReduceScatterOp>(first)) {
    attributes.push_back(draft.ints("dimensions", {int64_t(scatter.getScatterDimension())}));
    reducer = &scatter.getComputation();
  } else if (auto reduce = llvm::dyn_cast<stablehlo::AllReduceOp>(first)) {
    reducer = &reduce.getComputation();
  } else if (auto exchange = llvm::dyn_cast<stablehlo::AllToAllOp>(first)) {
    attributes.push_back(draft.ints("dimensions", {int64_t(exchange.getSplitDimension())}));
    if (exchange.getConcatDimension() != exchange.getSplitDimension())
      concatenated = exchange.getConcatDimension();
  }
  if (reducer) {
    Computation *computation = exportScalars(*reducer, draft, "region");
    if (!computation)
      return fail(first, "reduces with an op that has no form in HLO text");
    attributes.push_back(draft.called("to_apply", {computation}));
  }

  // ---- why it exists, and what HLO has no attribute for
  llvm::SmallVector<DictEntry> notes;
  if (concatenated)
    notes.push_back({"concat_dimension", draft.quoted(std::to_string(*concatenated))});
  if (CauseAttr cause = getCause(first->getLoc())) {
    notes.push_back({"tandem_rule", draft.quoted(cause.getRule())});
    if (!cause.getArray().empty())
      notes.push_back({"tandem_for", draft.quoted(cause.getArray())});
  }
  Attrs described;
  if (!notes.empty())
    described.push_back(
        {"frontend_attributes", Dict{module.save(ArrayRef<DictEntry>(notes)), false}});

  const Shape *held = draft.oneOrTuple(from);
  const Shape *shape = draft.tuple({held, transfer.result});
  std::string opcode = kind + "-start";
  if (kind == "all-reduce") {
    shape = transfer.result;
  } else if (kind == "copy") {
    shape = draft.tuple({transfer.result, held, draft.array(DType::U32, {})});
  } else if (kind != "all-gather" && kind != "collective-permute") {
    // The kinds without a pair of their own run in a computation of their own.
    ComputationDraft wrapped(draft, "async_" + kind);
    llvm::SmallVector<Instruction *> parameters;
    for (Instruction *operand : operands)
      parameters.push_back(wrapped.addParameter(operand->shape));
    Instruction *root = wrapped.add(kind, transfer.result, parameters, attributes);
    wrapped.describe(root, first->getLoc(), described);
    attributes = {draft.called("calls", {wrapped.finish(root)})};
    shape = draft.tuple({draft.tuple(from), transfer.result});
    opcode = "async-start";
    described.clear();
  }
  transfer.handle = scope.draft.add(opcode, shape, operands, attributes, kind + "-start");
  transfer.kind = kind;
  transfer.done = opcode.substr(0, opcode.size() - 5) + "done";
  scope.draft.describe(transfer.handle, first->getLoc(), described);
  return llvm::Error::success();
}

llvm::Error Exporter::exportStart(StartOp op, Scope &scope) {
  Future future;
  for (const Combined &combined : combine(op)) {
    Transfer transfer;
    if (llvm::Error error = startCollectives(op, combined, scope, transfer))
      return error;
    future.push_back(std::move(transfer));
  }
  noteOrder(op, future.front().handle, future.back().handle, scope);
  scope.futures[op.getFuture()] = std::move(future);
  return llvm::Error::success();
}

llvm::Error Exporter::exportDone(DoneOp op, Scope &scope) {
  Instruction *first = nullptr, *last = nullptr;
  for (const Transfer &transfer : scope.futures.lookup(op.getFuture())) {
    Instruction *done = scope.draft.add(transfer.done, transfer.result, {transfer.handle}, {},
                                        transfer.kind + "-done");
    scope.draft.describe(done, op->getLoc());
    for (auto [element, value] : llvm::zip_equal(
             transfer.elements, scope.draft.addElements(done, transfer.elements.size())))
      scope.values[op.getOutputs()[element]] = value;
    first = first ? first : done;
    last = done;
  }
  if (first)
    noteOrder(op, first, last, scope);
  return llvm::Error::success();
}

// ---- control flow

// State: the carried values, then what the body uses from above, then the next predicate.
llvm::Error Exporter::exportLoop(LoopOp op, Scope &scope) {
  llvm::SetVector<Value> above;
  mlir::getUsedValuesDefinedAbove(op->getRegion(0), above);
  llvm::SmallVector<Instruction *> state;
  for (Value init : op.getInits())
    append(init, scope, state);
  for (Value value : above)
    append(value, scope, state);
  state.push_back(scope.values.lookup(op.getPredicate()));
  Instruction *init = scope.draft.addTuple(state);

  // ---- the body
  Scope body(draft, "loop_body");
  Instruction *parameter = body.draft.addParameter(init->shape);
  llvm::SmallVector<Instruction *> elements = elementsOf(parameter, body);
  size_t next = 0;
  for (auto [argument, from] : llvm::zip_equal(op.getIterArgs(), op.getInits()))
    take(argument, from, scope, body, elements, next);
  for (Value value : above)
    body.values[value] = elements[next++];
  if (llvm::Error error = exportBlock(op.getBody().front(), body))
    return error;
  llvm::SmallVector<Instruction *> last;
  for (Value value : op.getYieldedValues())
    append(value, body, last);
  for (Value value : above)
    append(value, body, last);
  last.push_back(body.values.lookup(op.getNextPredicate()));
  if (last.size() != state.size())
    return fail(op, "carries a future whose parts differ from one trip to the next");
  for (auto [before, after] : llvm::zip_equal(state, last))
    if (!sameShape(*before->shape, *after->shape))
      return fail(op, "carries a transfer whose operands change their shape");
  Computation *bodyComputation = body.draft.finish(body.draft.addTuple(last));

  // ---- the condition: the predicate that the last trip left
  ComputationDraft condition(draft, "loop_condition");
  Instruction *seen = condition.addParameter(init->shape);
  Computation *conditionComputation =
      condition.finish(condition.addElement(seen, state.size() - 1));

  Attrs attributes = {draft.called("condition", {conditionComputation}),
                      draft.called("body", {bodyComputation})};
  if (auto trips = op.getTripCount())
    attributes.push_back(
        {"backend_config", RawText{module.save(StringRef("{\"known_trip_count\":{\"n\":\"" +
                                                         std::to_string(*trips) + "\"}}"))}});
  Instruction *loop = scope.draft.add("while", init->shape, {init}, attributes);
  scope.draft.describe(loop, op->getLoc());
  llvm::SmallVector<Instruction *> results;
  for (size_t i = 0; i + 1 + above.size() < state.size(); ++i)
    results.push_back(scope.draft.addElement(loop, i));
  next = 0;
  for (auto [result, from] : llvm::zip_equal(op.getOutputs(), op.getInits()))
    take(result, from, scope, scope, results, next);
  noteOrder(op, loop, loop, scope);
  return llvm::Error::success();
}

llvm::Error Exporter::exportCase(CaseOp op, Scope &scope) {
  llvm::SmallVector<Instruction *> operands = {scope.values.lookup(op.getIndex())};
  llvm::SmallVector<Computation *> branches;
  const Shape *shape = nullptr;
  llvm::SmallVector<Future> futures(op.getOutputs().size());
  for (Region &region : op.getBranches()) {
    llvm::SetVector<Value> above;
    mlir::getUsedValuesDefinedAbove(region, above);
    llvm::SmallVector<Instruction *> given;
    for (Value value : above)
      append(value, scope, given);
    operands.push_back(scope.draft.addTuple(given));
    Scope branch(draft, "branch");
    Instruction *parameter = branch.draft.addParameter(operands.back()->shape);
    llvm::SmallVector<Instruction *> elements = elementsOf(parameter, branch);
    size_t next = 0;
    for (Value value : above)
      take(value, value, scope, branch, elements, next);
    if (llvm::Error error = exportBlock(region.front(), branch))
      return error;
    llvm::SmallVector<Instruction *> results;
    for (auto [number, value] : llvm::enumerate(region.front().getTerminator()->getOperands())) {
      append(value, branch, results);
      futures[number] = branch.futures.lookup(value);
    }
    Instruction *root = branch.draft.addTuple(results);
    if (shape && !sameShape(*shape, *root->shape))
      return fail(op, "returns transfers that its branches start differently");
    shape = root->shape;
    branches.push_back(branch.draft.finish(root));
  }
  Instruction *conditional =
      scope.draft.add("conditional", shape, operands,
                      {draft.called("branch_computations", branches, /*braced=*/true)});
  scope.draft.describe(conditional, op->getLoc());
  llvm::SmallVector<Instruction *> elements = elementsOf(conditional, scope);
  size_t next = 0;
  for (auto [number, result] : llvm::enumerate(op.getOutputs())) {
    if (!llvm::isa<FutureType>(result.getType())) {
      scope.values[result] = elements[next++];
      continue;
    }
    for (Transfer &transfer : futures[number])
      transfer.handle = elements[next++];
    scope.futures[result] = futures[number];
  }
  noteOrder(op, conditional, conditional, scope);
  return llvm::Error::success();
}

// ---- blocks

llvm::Error Exporter::exportScheduledOp(Operation *op, Scope &scope) {
  return llvm::TypeSwitch<Operation *, llvm::Error>(op)
      .Case<KernelOp>([&](auto op) { return exportUnit(op, scope); })
      .Case<GemmOp, ConvOp>([&](auto op) { return exportProduct(op, scope); })
      .Case<CallOp>([&](auto op) { return exportCall(op, scope); })
      .Case<StartOp>([&](auto op) { return exportStart(op, scope); })
      .Case<DoneOp>([&](auto op) { return exportDone(op, scope); })
      .Case<LoopOp>([&](auto op) { return exportLoop(op, scope); })
      .Case<CaseOp>([&](auto op) { return exportCase(op, scope); })
      .Case<CopyOp>([&](CopyOp op) -> llvm::Error {
        Instruction *input = scope.values.lookup(op.getInput());
        if (isElided(op)) {
          scope.values[op.getOutput()] = input;
          return llvm::Error::success();
        }
        Instruction *copy = scope.draft.add("copy", input->shape, {input});
        scope.draft.describe(copy, op->getLoc());
        note(op, copy, scope);
        return llvm::Error::success();
      })
      .Case<ConstantOp>([&](ConstantOp op) -> llvm::Error {
        const Shape *shape = draft.shapeOf(op.getOutput().getType());
        if (!shape)
          return fail(op, "has a type that HLO does not have");
        const bool elide = shape->elementCount() > kMostPrintedElements;
        scope.values[op.getOutput()] =
            scope.draft.addConstant(draft.literal(shape, op.getValue(), elide));
        return llvm::Error::success();
      })
      .Case<DeviceIdOp>([&](DeviceIdOp op) -> llvm::Error {
        scope.values[op->getResult(0)] =
            scope.draft.add("partition-id", draft.shapeOf(op->getResult(0).getType()), {});
        return llvm::Error::success();
      })
      .Default([&](Operation *op) {
        return fail(op, "is not an op of a scheduled program: 'tandem compile --to schedule' makes "
                        "one");
      });
}

llvm::Error Exporter::exportBlock(Block &block, Scope &scope) {
  for (Operation &op : block.without_terminator())
    if (llvm::Error error = exportScheduledOp(&op, scope))
      return error;
  return llvm::Error::success();
}

void Exporter::setHeader(mlir::ModuleOp root, mlir::func::FuncOp main) {
  module.name = module.save(root.getName().value_or("module"));
  Attrs header = {draft.word("is_scheduled", "true")};
  llvm::SmallVector<Alias> aliases;
  llvm::SmallVector<Donor> donors;
  Operation *end = main.front().getTerminator();
  llvm::SmallVector<bool> isAliased(main.getNumArguments());
  for (auto [index, result] : llvm::enumerate(end->getOperands())) {
    const BufferAttr buffer = assignedBuffer(result);
    if (!buffer || buffer.getArena() != Arena::Argument || buffer.getIndex() >= isAliased.size())
      continue;
    isAliased[buffer.getIndex()] = true;
    Alias alias;
    if (end->getNumOperands() != 1)
      alias.outputIndex = module.save(ArrayRef<int64_t>{int64_t(index)});
    alias.parameter = buffer.getIndex();
    alias.kind = "may-alias";
    aliases.push_back(alias);
  }
  for (unsigned index = 0; index < main.getNumArguments(); ++index)
    if (!isAliased[index] && (main.getArgAttr(index, "jax.buffer_donor") ||
                              main.getArgAttr(index, "tf.aliasing_output")))
      donors.push_back({index, {}});
  if (!aliases.empty())
    header.push_back({"input_output_alias", module.save(ArrayRef<Alias>(aliases))});
  if (!donors.empty())
    header.push_back({"buffer_donor", module.save(ArrayRef<Donor>(donors))});
  llvm::SmallVector<const Shape *> parameters;
  for (Instruction *parameter : module.entry->parameters)
    parameters.push_back(parameter->shape);
  ProgramLayout layout;
  layout.parameters = module.save(ArrayRef<const Shape *>(parameters));
  layout.result = module.entry->root->shape;
  header.push_back(
      {"entry_computation_layout", static_cast<const ProgramLayout *>(module.make(layout))});
  if (auto devices = root->getAttrOfType<mlir::IntegerAttr>("tandem.num_devices");
      devices && devices.getInt() > 1)
    header.push_back({"num_partitions", devices.getInt()});
  module.attributes = module.save(ArrayRef<Attribute>(header));
}

llvm::Error Exporter::run(mlir::ModuleOp root) {
  auto main = root.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main)
    return llvm::createStringError("the module has no function @main");
  Scope scope(draft, "main");
  for (mlir::BlockArgument argument : main.getArguments()) {
    const Shape *shape = draft.shapeOf(argument.getType());
    if (!shape)
      return fail(main, "has an argument that HLO has no shape for");
    Instruction *parameter = scope.draft.addParameter(shape);
    scope.draft.describe(parameter, argument.getLoc());
    scope.values[argument] = parameter;
  }
  if (llvm::Error error = exportBlock(main.front(), scope))
    return error;
  llvm::SmallVector<Instruction *> results;
  for (Value value : main.front().getTerminator()->getOperands())
    results.push_back(scope.values.lookup(value));
  module.entry =
      scope.draft.finish(results.size() == 1 ? results[0] : scope.draft.addTuple(results));
  module.entry->isEntry = true;
  setHeader(root, main);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::unique_ptr<Module>> exportScheduled(mlir::ModuleOp root) {
  auto module = std::make_unique<Module>("", root.getName().value_or("module").str());
  if (llvm::Error error = Exporter(*module).run(root))
    return error;
  if (llvm::Error error = verify(*module))
    return error;
  return module;
}

} // namespace tandem::hlo
