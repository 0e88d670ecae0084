// Decides which operands need a copy. Blocks are visited innermost first, ops of a block last
// first: whether a value's bytes reach a carried place unbroken depends on later ops only.
#include "tandem/Analysis/CopyNeeds.h"

#include "tandem/Analysis/Dependences.h"
#include "tandem/Analysis/Liveness.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {

using mlir::Block;
using mlir::BlockArgument;
using mlir::Operation;
using mlir::OpOperand;
using mlir::Value;

llvm::StringRef describe(CopyReason reason) {
  switch (reason) {
  case CopyReason::ReadAfterOverwrite:
    return "may be read after it is overwritten";
  case CopyReason::NotOwned:
    return "overwrites an argument or a constant";
  case CopyReason::Captured:
    return "comes from outside the block";
  case CopyReason::GivenTwice:
    return "is needed in two places";
  case CopyReason::CarriedElsewhere:
    return "is carried, and its place is taken by another value";
  case CopyReason::Permuted:
    return "moves to the place of another carried or donated value";
  case CopyReason::ArgumentStillRead:
    return "takes the place of an argument that may still be read";
  case CopyReason::ResultNotOwned:
    return "returns an argument or a constant";
  }
  llvm_unreachable("unknown reason");
}

namespace {

constexpr unsigned kSearchLimit = 20'000;

bool isTensor(Value value) { return llvm::isa<mlir::RankedTensorType>(value.getType()); }

bool isFunctionArgument(Value value) {
  auto argument = llvm::dyn_cast<BlockArgument>(value);
  return argument && llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp());
}

class Finder {
public:
  explicit Finder(mlir::func::FuncOp func) : func(func) {}

  llvm::SmallVector<CopyNeed> run() {
    visit(func.getBody().front());
    llvm::SmallVector<CopyNeed> ordered;
    forEachOp(func, [&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (auto it = needs.find(&operand); it != needs.end())
          ordered.push_back({&operand, it->second.first, it->second.second});
    });
    return ordered;
  }

private:
  void need(OpOperand &operand, CopyReason reason, bool viaTemporary = false) {
    needs.try_emplace(&operand, reason, viaTemporary);
  }

  void visit(Block &block) {
    for (Operation &op : block)
      if (holdsProgramOrder(&op))
        for (mlir::Region &region : op.getRegions())
          visit(region.front());

    Dependences dependences(block, /*bytes=*/false);
    for (Operation &op : llvm::reverse(block)) {
      if (auto loop = llvm::dyn_cast<LoopOp>(op)) {
        for (OpOperand &init : loop.getInitsMutable())
          visitOverwritten(init, dependences);
      } else if (auto call = llvm::dyn_cast<CallOp>(op)) {
        for (auto [result, operand] : call.getAliasedPairs())
          visitOverwritten(call->getOpOperand(operand), dependences);
      }
    }
    Operation *terminator = block.getTerminator();
    if (auto loop = llvm::dyn_cast<LoopOp>(block.getParentOp()))
      visitYield(loop, terminator, dependences);
    else if (auto branches = llvm::dyn_cast<CaseOp>(block.getParentOp()))
      visitBranch(terminator);
    else
      visitReturn(terminator, dependences);
  }

  // Whether `reader` (an op of the block, or inside one) ends before `node` starts in every
  // order. A read by a start ends at its done.
  bool endsBefore(Operation *reader, const llvm::SmallVectorImpl<bool> &ancestors, Block *block,
                  const Dependences &dependences) {
    Operation *last = ancestorIn(block, reader);
    if (auto start = llvm::dyn_cast_or_null<StartOp>(reader)) {
      llvm::SmallVector<LoopOp> loops;
      DoneOp done = doneOf(start.getFuture(), loops);
      last = done ? ancestorIn(block, done) : nullptr;
      if (!loops.empty())
        return false;
    }
    return last && ancestors[dependences.node(last)];
  }

  // An init of a loop, or an aliased operand of a call.
  void visitOverwritten(OpOperand &operand, const Dependences &dependences) {
    Value value = operand.get();
    if (!isTensor(value))
      return;
    Operation *writer = operand.getOwner();
    Block *block = writer->getBlock();
    if (isFunctionArgument(value) || value.getDefiningOp<ConstantOp>())
      return need(operand, CopyReason::NotOwned);
    if (value.getParentBlock() != block)
      return need(operand, CopyReason::Captured);
    for (OpOperand &other : writer->getOpOperands())
      if (other.get() == value && &other != &operand &&
          other.getOperandNumber() < operand.getOperandNumber())
        return need(operand, CopyReason::GivenTwice);
    // A call that reads the value through a second operand would see it change.
    if (llvm::count(writer->getOperands(), value) > 1 && llvm::isa<CallOp>(writer))
      return need(operand, CopyReason::GivenTwice);

    if (!value.hasOneUse()) {
      llvm::SmallVector<bool> ancestors;
      if (!dependences.ancestors(dependences.node(writer), 0, kSearchLimit, ancestors))
        return need(operand, CopyReason::ReadAfterOverwrite);
      ancestors[dependences.node(writer)] = false;
      for (Operation *user : value.getUsers()) {
        if (user == writer)
          continue;
        if (!endsBefore(user, ancestors, block, dependences))
          return need(operand, CopyReason::ReadAfterOverwrite);
      }
      // The body of the loop reads its own init.
      if (holdsProgramOrder(writer))
        for (Operation *user : value.getUsers())
          if (writer->isProperAncestor(user))
            return need(operand, CopyReason::ReadAfterOverwrite);
    }
    if (auto argument = llvm::dyn_cast<BlockArgument>(value)) {
      auto loop = llvm::cast<LoopOp>(block->getParentOp());
      Value next = loop.getYieldedValues()[argument.getArgNumber()];
      if (rootOf(next, block).origin != argument)
        need(operand, CopyReason::CarriedElsewhere);
    }
  }

  // Where the bytes that end up holding a value come from.
  struct Root {
    Operation *writer = nullptr; // the op that writes them first
    Value origin;                // or the argument of the block whose bytes they are
    OpOperand *copied = nullptr; // or the operand that is to be copied
  };

  Root rootOf(Value value, Block *block) {
    while (true) {
      Operation *def = value.getDefiningOp();
      if (!def || def->getBlock() != block)
        return {nullptr, value, nullptr};
      OpOperand *source = nullptr;
      if (auto loop = llvm::dyn_cast<LoopOp>(def)) {
        source = &loop.getInitsMutable()[llvm::cast<mlir::OpResult>(value).getResultNumber()];
      } else if (auto call = llvm::dyn_cast<CallOp>(def)) {
        for (auto [result, operand] : call.getAliasedPairs())
          if (def->getResult(result) == value)
            source = &def->getOpOperand(operand);
      } else if (auto done = llvm::dyn_cast<DoneOp>(def)) {
        Operation *start = done.getFuture().getDefiningOp();
        if (start && start->getBlock() == block)
          return {start, nullptr, nullptr};
      }
      if (!source)
        return {def, nullptr, nullptr};
      if (needs.contains(source))
        return {nullptr, nullptr, source};
      value = source->get();
    }
  }

  // Whether `argument`, whose bytes `next` is to take, may still be read when they are written.
  bool mayStillBeRead(BlockArgument argument, OpOperand &next, const Dependences &dependences) {
    Block *block = argument.getOwner();
    Value value = next.get();
    if (argument.use_empty())
      return false;
    // A copy that only ends here is kept after every reader by Dependences.
    if (value.getDefiningOp<CopyOp>() && value.hasOneUse())
      return false;
    Root root = rootOf(value, block);
    if (root.origin == argument)
      return false;
    if (root.origin)
      return true;

    llvm::SmallVector<bool> ancestors(dependences.size(), false);
    if (root.copied) {
      // The copy will stand after what it copies; of the argument itself it is a legal reader.
      Value source = root.copied->get();
      if (source == argument && argument.hasOneUse())
        return false;
      Operation *def = source.getDefiningOp();
      if (def && def->getBlock() == block &&
          !dependences.ancestors(dependences.node(def), 0, kSearchLimit, ancestors))
        return true;
    } else {
      unsigned node = dependences.node(root.writer);
      if (!dependences.ancestors(node, 0, kSearchLimit, ancestors))
        return true;
      // Is the last thing that reads the argument allowed to write over it?
      bool inPlace = llvm::isa<CopyOp>(root.writer);
      if (auto kernel = llvm::dyn_cast<KernelOp>(root.writer))
        for (auto [result, operand] : kernel.getInPlacePairs())
          inPlace |= kernel->getOperand(operand) == argument && !value.getDefiningOp<LoopOp>() &&
                     kernel->getResult(result) == value &&
                     llvm::count(kernel->getOperands(), argument) == 1;
      ancestors[node] = inPlace;
    }
    return llvm::any_of(argument.getUsers(), [&](Operation *user) {
      return !endsBefore(user, ancestors, block, dependences);
    });
  }

  // What `value` is, looking through the copy that was inserted for it.
  static BlockArgument movedArgument(Value value, Block *block) {
    if (auto copy = value.getDefiningOp<CopyOp>(); copy && value.hasOneUse())
      value = copy.getInput();
    auto argument = llvm::dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == block ? argument : BlockArgument();
  }

  void visitYield(LoopOp loop, Operation *terminator, const Dependences &dependences) {
    Block *block = terminator->getBlock();
    llvm::SmallVector<Value> given;
    for (BlockArgument argument : loop.getIterArgs()) {
      OpOperand &next = terminator->getOpOperand(argument.getArgNumber() + 1);
      Value value = next.get();
      if (!isTensor(value))
        continue;
      if (value == argument)
        continue;
      bool twice = llvm::is_contained(given, value);
      given.push_back(value);
      if (value.getParentBlock() != block || value.getDefiningOp<ConstantOp>())
        need(next, CopyReason::Captured);
      else if (BlockArgument moved = movedArgument(value, block); moved && moved != argument)
        need(next, CopyReason::Permuted, /*viaTemporary=*/moved == value);
      else if (twice)
        need(next, CopyReason::GivenTwice);
      else if (mayStillBeRead(argument, next, dependences))
        need(next, CopyReason::ArgumentStillRead);
    }
  }

  void visitBranch(Operation *terminator) {
    llvm::SmallVector<Value> given;
    for (OpOperand &next : terminator->getOpOperands()) {
      Value value = next.get();
      if (!isTensor(value))
        continue;
      if (value.getParentBlock() != terminator->getBlock() || value.getDefiningOp<ConstantOp>())
        need(next, CopyReason::Captured);
      else if (llvm::is_contained(given, value))
        need(next, CopyReason::GivenTwice);
      given.push_back(value);
    }
  }

  void visitReturn(Operation *terminator, const Dependences &dependences) {
    Block *block = terminator->getBlock();
    llvm::DenseMap<unsigned, BlockArgument> donors;
    for (BlockArgument argument : func.getArguments())
      if (std::optional<unsigned> result = donatedResult(func, argument.getArgNumber()))
        donors[*result] = argument;
    // A value that is returned twice stays where it is donated to, if it is.
    llvm::SmallVector<Value> given;
    for (OpOperand &next : terminator->getOpOperands()) {
      Value value = next.get();
      if (!isTensor(value))
        continue;
      BlockArgument donor = donors.lookup(next.getOperandNumber());
      if (value == donor)
        continue;
      bool twice = llvm::is_contained(given, value);
      given.push_back(value);
      BlockArgument moved = movedArgument(value, block);
      if (isFunctionArgument(value) || value.getDefiningOp<ConstantOp>())
        need(next, moved && donor ? CopyReason::Permuted : CopyReason::ResultNotOwned,
             /*viaTemporary=*/moved && donor);
      else if (moved && donor && moved != donor)
        need(next, CopyReason::Permuted);
      else if (twice)
        need(next, CopyReason::GivenTwice);
      else if (donor && mayStillBeRead(donor, next, dependences))
        need(next, CopyReason::ArgumentStillRead);
    }
  }

  mlir::func::FuncOp func;
  llvm::DenseMap<OpOperand *, std::pair<CopyReason, bool>> needs;
};

} // namespace

llvm::SmallVector<CopyNeed> findCopyNeeds(mlir::func::FuncOp func) { return Finder(func).run(); }

} // namespace tandem
