// Verifiers of the tandem ops. Each rule has a label; tests/IR/Tandem/invalid.mlir names the
// rule a case breaks.
//
// Values in flight
//   F1 a future has exactly one use
//   F2 that use is a done, a yield or an init of a loop
//   F3 that use is in the block that defines the future
//   F4 futures come from start, loop, case or the body of a loop, not from a function
// Tokens
//   T1 a token is used only in the block that defines it
// Start
//   S1 the region holds collectives, or one copy, and a yield
//   S2 all collectives are of one kind
//   S3 and have the same groups
//   S4 the future's types are the yielded types; what is yielded are the ops' results
// Regions
//   R1 block arguments are the inputs, one to one
//   R2 the region ends in a yield of the results' types
// Loop and case
//   L1 init, block argument, yielded value and result of a carried value have one type
//   L2 the body yields the next predicate first
//   L3 the trip count is not negative
//   C1 a case has a branch; C2 branches have no arguments and yield the results' types
// Kernel, gemm, conv, call
//   K1 a kernel holds stablehlo and chlo ops only, without collectives and control flow
//   K2 in-place and alias pairs: whole pairs, indices in range, each result and operand once
//   K3 a pair's types are equal
//   K4 every other read of an in-place operand uses the index being written
//   G1 a gemm holds one dot_general of its first two arguments; a conv one convolution

#include "tandem/IR/Tandem/InPlace.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tandem;

//===-- Futures and tokens ------------------------------------------------------------------===//

/// F1, F2, F3 for one value; `owner` is named in the messages.
static LogicalResult verifyLinear(Operation *owner, Value future) {
  if (future.use_empty())
    return owner->emitOpError("a future is lost: expected one use, a tandem.done, "
                              "tandem.yield or loop init in its block, found none");
  if (!future.hasOneUse()) {
    InFlightDiagnostic diag = owner->emitOpError("a future has ")
                              << llvm::range_size(future.getUses())
                              << " uses: expected exactly one";
    for (Operation *user : future.getUsers())
      diag.attachNote(user->getLoc()) << "used here";
    return diag;
  }
  OpOperand &use = *future.use_begin();
  Operation *user = use.getOwner();
  bool allowed = isa<DoneOp, YieldOp>(user);
  if (auto loop = dyn_cast<LoopOp>(user))
    allowed = use.getOperandNumber() >= 1; // any operand of its type but the predicate
  if (!allowed)
    return owner->emitOpError("a future is used by '")
           << user->getName() << "': expected a tandem.done, tandem.yield or loop init";
  if (user->getBlock() != future.getParentBlock()) {
    InFlightDiagnostic diag = owner->emitOpError(
        "a future is captured by another region: pass it as a loop's init, or await it in "
        "the block that defines it");
    diag.attachNote(user->getLoc()) << "used here";
    return diag;
  }
  return success();
}

/// T1 for the token an op defines, F1 to F3 for the futures it defines.
static LogicalResult verifyResults(Operation *op) {
  for (Value result : op->getResults()) {
    if (isa<FutureType>(result.getType()) && failed(verifyLinear(op, result)))
      return failure();
    if (!isa<TokenType>(result.getType()))
      continue;
    for (Operation *user : result.getUsers())
      if (user->getBlock() != op->getBlock())
        return op->emitOpError("its token is used in another block by '") << user->getName() << "'";
  }
  return success();
}

/// T1 for tokens that are block arguments, F4.
static LogicalResult verifyOperands(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto arg = dyn_cast<BlockArgument>(operand);
    if (!arg)
      continue;
    if (isa<TokenType>(arg.getType()))
      return op->emitOpError("a token is a block argument: expected the result of an op of "
                             "the same block");
    if (isa<FutureType>(arg.getType()) && !isa<LoopOp>(arg.getOwner()->getParentOp()))
      return op->emitOpError("a future is an argument of '")
             << arg.getOwner()->getParentOp()->getName()
             << "': only the body of a tandem.loop takes futures";
  }
  return success();
}

static LogicalResult verifyFlow(Operation *op) {
  return success(succeeded(verifyResults(op)) && succeeded(verifyOperands(op)));
}

//===-- Regions -----------------------------------------------------------------------------===//

/// R2.
static FailureOr<YieldOp> verifyYield(Operation *op, Region &region, TypeRange expected) {
  auto yield = dyn_cast<YieldOp>(region.front().back());
  if (!yield)
    return op->emitOpError("expected its region to end in tandem.yield, found '")
           << region.front().back().getName() << "'";
  if (yield.getValues().getTypes() != expected)
    return op->emitOpError("expected its region to yield (")
           << expected << "), found (" << yield.getValues().getTypes() << ")";
  return yield;
}

/// R1.
static LogicalResult verifyBindings(Operation *op, Region &region, TypeRange inputs) {
  if (region.front().getArgumentTypes() != inputs)
    return op->emitOpError("expected block arguments (")
           << inputs << "), the types of its inputs, found (" << region.front().getArgumentTypes()
           << ")";
  return success();
}

template <typename Op> static LogicalResult verifyUnit(Op op) {
  if (failed(verifyBindings(op, op.getBody(), op.getInputs().getTypes())))
    return failure();
  return verifyYield(op, op.getBody(), op.getOutputs().getTypes());
}

//===-- start, done -------------------------------------------------------------------------===//

static bool isCollective(Operation *op) {
  static const llvm::StringSet<> names = {
      "stablehlo.all_gather",           "stablehlo.all_reduce",         "stablehlo.all_to_all",
      "stablehlo.collective_broadcast", "stablehlo.collective_permute", "stablehlo.reduce_scatter"};
  return names.contains(op->getName().getStringRef());
}

/// Which devices a collective connects: its replica groups or source-target pairs.
static Attribute getGroups(Operation *collective) {
  if (Attribute groups = collective->getAttr("replica_groups"))
    return groups;
  return collective->getAttr("source_target_pairs");
}

LogicalResult StartOp::verify() { return verifyFlow(*this); }

LogicalResult StartOp::verifyRegions() {
  if (failed(verifyBindings(*this, getBody(), getInputs().getTypes())))
    return failure();
  TypeRange types(cast<FutureType>(getFuture().getType()).getTypes());
  FailureOr<YieldOp> yield = verifyYield(*this, getBody(), types); // S4
  if (failed(yield))
    return failure();
  Operation *first = getCollective();
  if (first == *yield)
    return emitOpError("expected a collective or a tandem.copy in its region, found none");
  for (Operation &op : getBody().front().without_terminator()) {
    if (!isCollective(&op) && !isa<CopyOp>(op)) // S1
      return emitOpError("expected only collectives or a tandem.copy in its region, found '")
             << op.getName() << "'";
    if (isa<CopyOp>(op) && !llvm::hasSingleElement(getBody().front().without_terminator()))
      return emitOpError("expected a tandem.copy to be alone in its region");
    if (op.getName() != first->getName()) // S2
      return emitOpError("expected collectives of one kind, found '")
             << first->getName() << "' and '" << op.getName() << "'";
    if (getGroups(&op) != getGroups(first)) // S3
      return emitOpError("expected collectives over the same groups, found ")
             << getGroups(first) << " and " << getGroups(&op);
    for (Value operand : op.getOperands())
      if (!isa<BlockArgument>(operand))
        return emitOpError("expected its collectives to use its arguments only");
  }
  for (Value value : yield->getValues()) // S4
    if (isa<BlockArgument>(value))
      return emitOpError("expected the results of its collectives to be yielded, found an "
                         "argument");
  return success();
}

LogicalResult DoneOp::verify() {
  TypeRange types(cast<FutureType>(getFuture().getType()).getTypes());
  if (getOutputs().getTypes() != types)
    return emitOpError("expected results (")
           << types << "), the types of its future, found (" << getOutputs().getTypes() << ")";
  return verifyFlow(*this);
}

LogicalResult CopyOp::verify() {
  if (getInput().getType() != getOutput().getType())
    return emitOpError("expected a result of type ")
           << getInput().getType() << ", found " << getOutput().getType();
  return verifyFlow(*this);
}

//===-- loop, case --------------------------------------------------------------------------===//

LogicalResult LoopOp::verify() {
  if (getInits().getTypes() != getOutputs().getTypes()) // L1
    return emitOpError("expected results (")
           << getInits().getTypes() << "), the types of its inits, found ("
           << getOutputs().getTypes() << ")";
  if (IntegerAttr tripCount = getTripCountAttr(); tripCount && tripCount.getInt() < 0) // L3
    return emitOpError("expected a trip count of at least 0, found ") << tripCount.getInt();
  return verifyFlow(*this);
}

LogicalResult LoopOp::verifyRegions() {
  if (failed(verifyBindings(*this, getBody(), getInits().getTypes()))) // L1
    return failure();
  SmallVector<Type> yielded = {getPredicate().getType()}; // L2
  llvm::append_range(yielded, getOutputs().getTypes());
  if (failed(verifyYield(*this, getBody(), yielded)))
    return failure();
  for (BlockArgument arg : getBody().getArguments())
    if (isa<FutureType>(arg.getType()) && failed(verifyLinear(*this, arg)))
      return failure();
  return success();
}

LogicalResult CaseOp::verify() {
  if (getBranches().empty()) // C1
    return emitOpError("expected at least one branch");
  return verifyFlow(*this);
}

LogicalResult CaseOp::verifyRegions() {
  for (Region &branch : getBranches()) { // C2
    if (branch.getNumArguments() != 0)
      return emitOpError("expected branches without arguments, found ") << branch.getNumArguments();
    if (failed(verifyYield(*this, branch, getOutputs().getTypes())))
      return failure();
  }
  return success();
}

//===-- kernel, gemm, conv, call, device_id ---------------------------------------------------===//

/// K2, K3 for the flat (result, operand) pairs in `flat`.
static LogicalResult verifyPairs(Operation *op, StringRef name,
                                 std::optional<ArrayRef<int64_t>> flat, ResultRange outputs,
                                 OperandRange inputs, bool reshapes = false) {
  if (!flat)
    return success();
  if (flat->size() % 2 != 0)
    return op->emitOpError(name) << ": expected (result, operand) pairs, found " << flat->size()
                                 << " numbers";
  llvm::SmallSet<int64_t, 4> results, operands;
  for (size_t i = 0; i < flat->size(); i += 2) {
    int64_t result = (*flat)[i], operand = (*flat)[i + 1];
    if (result < 0 || result >= static_cast<int64_t>(outputs.size()))
      return op->emitOpError(name)
             << ": expected a result below " << outputs.size() << ", found " << result;
    if (operand < 0 || operand >= static_cast<int64_t>(inputs.size()))
      return op->emitOpError(name)
             << ": expected an operand below " << inputs.size() << ", found " << operand;
    if (!results.insert(result).second)
      return op->emitOpError(name) << ": result " << result << " occurs twice";
    if (!operands.insert(operand).second)
      return op->emitOpError(name) << ": operand " << operand << " occurs twice";
    Type output = outputs[result].getType(), input = inputs[operand].getType();
    if (reshapes ? !haveSameElements(output, input) : output != input)
      return op->emitOpError(name)
             << ": result " << result << " is a " << outputs[result].getType() << " but operand "
             << operand << " a " << inputs[operand].getType();
  }
  return success();
}

LogicalResult KernelOp::verify() {
  if (failed(verifyPairs(*this, "in_place", getInPlace(), getOutputs(), getInputs(),
                         /*reshapes=*/true)))
    return failure();
  return verifyFlow(*this);
}

LogicalResult KernelOp::verifyRegions() {
  if (failed(verifyUnit(*this)))
    return failure();
  static const llvm::StringSet<> controlFlow = {
      "stablehlo.while",        "stablehlo.if",        "stablehlo.case", "stablehlo.infeed",
      "stablehlo.outfeed",      "stablehlo.send",      "stablehlo.recv", "stablehlo.custom_call",
      "stablehlo.partition_id", "stablehlo.replica_id"};
  for (Operation &op : getBody().front().without_terminator()) { // K1
    StringRef dialect = op.getName().getDialectNamespace();
    if ((dialect != "stablehlo" && dialect != "chlo") || isCollective(&op) ||
        controlFlow.contains(op.getName().getStringRef()))
      return emitOpError("expected stablehlo or chlo ops on local tensors, found '")
             << op.getName() << "'";
  }
  for (auto [result, operand] : getInPlacePairs()) // K4
    if (std::optional<std::string> reason = whyNotInPlace(*this, result, operand))
      return emitOpError("result ")
             << result << " cannot be written over operand " << operand << ": " << *reason;
  return success();
}

/// G1.
template <typename Op> static LogicalResult verifyLibraryOp(Op op, StringRef name) {
  if (failed(verifyUnit(op)))
    return failure();
  Block &body = op.getBody().front();
  auto ops = body.without_terminator();
  if (!llvm::hasSingleElement(ops) || (*ops.begin()).getName().getStringRef() != name)
    return op.emitOpError("expected one '") << name << "' and a yield in its region";
  Operation &only = *ops.begin();
  if (body.getNumArguments() != 2 || only.getOperand(0) != body.getArgument(0) ||
      only.getOperand(1) != body.getArgument(1))
    return op.emitOpError("expected the operands of '")
           << name << "' to be its two arguments, in order";
  if (op.getYield().getValues() != only.getResults())
    return op.emitOpError("expected to yield the result of '") << name << "'";
  return success();
}

LogicalResult GemmOp::verify() { return verifyFlow(*this); }
LogicalResult GemmOp::verifyRegions() { return verifyLibraryOp(*this, "stablehlo.dot_general"); }

LogicalResult ConvOp::verify() { return verifyFlow(*this); }
LogicalResult ConvOp::verifyRegions() { return verifyLibraryOp(*this, "stablehlo.convolution"); }

LogicalResult RematOp::verify() { return verifyFlow(*this); }
LogicalResult RematOp::verifyRegions() { return verifyUnit(*this); }

LogicalResult CallOp::verify() {
  if (failed(verifyPairs(*this, "operand_aliases", getOperandAliases(), getOutputs(), getInputs())))
    return failure();
  return verifyFlow(*this);
}

LogicalResult DeviceIdOp::verify() {
  auto type = cast<RankedTensorType>(getOutput().getType());
  if (type.getRank() != 0 || !type.getElementType().isUnsignedInteger(32))
    return emitOpError("expected tensor<ui32>, found ") << type;
  return success();
}
