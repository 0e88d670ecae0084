// Finds, for each copy, the last readers of the place it ends in and the first writer of what it
// copies.
#include "passes/Schedule/CandidateCopies.h"

#include "tandem/Analysis/Liveness.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {

using mlir::Block;
using mlir::Operation;
using mlir::Value;

namespace {

class Finder {
public:
  Finder(Block &block, const Dependences &deps, llvm::function_ref<unsigned(Value)> classOf)
      : block(block), deps(deps), classOf(classOf) {}

  std::vector<ScheduleProblem::Copy> run() {
    for (CopyOp copy : block.getOps<CopyOp>())
      if (std::optional<ScheduleProblem::Copy> candidate = candidateOf(copy))
        found.push_back(std::move(*candidate));
    return std::move(found);
  }

private:
  std::optional<ScheduleProblem::Copy> candidateOf(CopyOp copy) {
    Value input = copy.getInput();
    Operation *def = input.getDefiningOp();
    if (!copy.getOutput().hasOneUse() || !def || def->getBlock() != &block ||
        llvm::isa<ConstantOp>(def))
      return std::nullopt;
    ScheduleProblem::Copy candidate;
    candidate.node = deps.node(copy);
    mlir::OpOperand &use = *copy.getOutput().use_begin();
    Operation *user = use.getOwner();
    if (user->hasTrait<mlir::OpTrait::IsTerminator>()) {
      mlir::BlockArgument place = placeOf(use);
      Operation *writer = firstWriter(input);
      if (!place || !writer || !addReaders(place, writer, copy, candidate))
        return std::nullopt;
      candidate.writer = deps.node(writer);
      candidate.savedClass = classOf(input);
      return candidate;
    }
    // The loop or call writes over what it is given.
    if (!addReaders(input, user, copy, candidate))
      return std::nullopt;
    candidate.writer = deps.node(user);
    return candidate;
  }

  // The argument whose place the operand of a terminator takes.
  mlir::BlockArgument placeOf(mlir::OpOperand &use) {
    if (auto loop = llvm::dyn_cast<LoopOp>(block.getParentOp()))
      return use.getOperandNumber() ? loop.getIterArgs()[use.getOperandNumber() - 1]
                                    : mlir::BlockArgument();
    auto func = llvm::dyn_cast<mlir::func::FuncOp>(block.getParentOp());
    if (!func)
      return {};
    if (donors.empty()) {
      donors.assign(func.getNumResults(), {});
      for (mlir::BlockArgument argument : func.getArguments())
        if (std::optional<unsigned> result = donatedResult(func, argument.getArgNumber()))
          donors[*result] = argument;
    }
    return donors.empty() ? mlir::BlockArgument() : donors[use.getOperandNumber()];
  }

  // The op with which the bytes that hold `value` at its end become live.
  Operation *firstWriter(Value value) {
    while (Operation *def = value.getDefiningOp()) {
      if (def->getBlock() != &block)
        return nullptr;
      if (auto loop = llvm::dyn_cast<LoopOp>(def)) {
        value = loop.getInits()[llvm::cast<mlir::OpResult>(value).getResultNumber()];
      } else if (auto done = llvm::dyn_cast<DoneOp>(def)) {
        Operation *start = done.getFuture().getDefiningOp();
        return start && start->getBlock() == &block ? start : nullptr;
      } else if (auto call = llvm::dyn_cast<CallOp>(def)) {
        Value given;
        for (auto [result, operand] : call.getAliasedPairs())
          if (call->getResult(result) == value)
            given = call->getOperand(operand);
        if (!given)
          return def;
        value = given;
      } else {
        return llvm::isa<ConstantOp>(def) ? nullptr : def;
      }
    }
    return nullptr;
  }

  // Every reader of `value` but the writer, the copy itself and those that copy it; false when no
  // order has them all before the writer.
  bool addReaders(Value value, Operation *writer, CopyOp copy, ScheduleProblem::Copy &candidate) {
    for (Operation *user : value.getUsers()) {
      Operation *reader = ancestorIn(&block, user);
      if (user == copy)
        continue;
      if (!reader || reader->hasTrait<mlir::OpTrait::IsTerminator>())
        return false;
      if (auto start = llvm::dyn_cast<StartOp>(user)) {
        llvm::SmallVector<LoopOp> loops;
        DoneOp done = doneOf(start.getFuture(), loops);
        reader = done && loops.empty() ? ancestorIn(&block, done) : nullptr;
        if (!reader)
          return false;
      }
      if (reader == writer) {
        if (!mayWriteOver(writer, value, copy.getInput()))
          return false;
        continue;
      }
      // A loop that this is an init of writes it, as does a call.
      if (auto loop = llvm::dyn_cast<LoopOp>(reader);
          loop && llvm::is_contained(loop.getInits(), value))
        return false;
      unsigned node = deps.node(reader);
      if (!llvm::is_contained(candidate.before, node))
        candidate.before.push_back(node);
    }
    return true;
  }

  static bool mayWriteOver(Operation *writer, Value place, Value written) {
    auto kernel = llvm::dyn_cast<KernelOp>(writer);
    if (!kernel || llvm::count(kernel->getOperands(), place) != 1)
      return false;
    for (auto [result, operand] : kernel.getInPlacePairs())
      if (kernel->getOperand(operand) == place && kernel->getResult(result) == written)
        return true;
    return false;
  }

  Block &block;
  const Dependences &deps;
  llvm::function_ref<unsigned(Value)> classOf;
  llvm::SmallVector<mlir::BlockArgument> donors;
  std::vector<ScheduleProblem::Copy> found;
};

} // namespace

std::vector<ScheduleProblem::Copy>
findCandidateCopies(Block &block, const Dependences &deps,
                    llvm::function_ref<unsigned(Value)> classOf) {
  return Finder(block, deps, classOf).run();
}

} // namespace tandem
