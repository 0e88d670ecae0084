// Edges among the ops of one block.
#include "tandem/Analysis/Dependences.h"

#include "mlir/Transforms/RegionUtils.h"
#include "tandem/Analysis/Liveness.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {

using mlir::Block;
using mlir::Operation;
using mlir::Value;

unsigned Dependences::node(Operation *op) const {
  Operation *ancestor = ancestorIn(&block, op);
  assert(ancestor && "op is not in this block");
  return nodes.lookup(ancestor);
}

void Dependences::addEdge(Operation *from, Operation *to) {
  unsigned source = node(from), target = node(to);
  if (source != target)
    preds[target].push_back(source);
}

void Dependences::addOverwrite(Value value, Operation *writer) {
  for (Operation *user : value.getUsers()) {
    Operation *reader = ancestorIn(&block, user);
    if (!reader || reader == writer || llvm::isa<mlir::func::ReturnOp, YieldOp>(reader))
      continue;
    // What a start reads is read until the done.
    if (auto start = llvm::dyn_cast<StartOp>(reader)) {
      llvm::SmallVector<LoopOp> loops;
      if (DoneOp done = doneOf(start.getFuture(), loops))
        if (Operation *end = ancestorIn(&block, done); end && end != writer) {
          // A writer that the start's own result leads to is after the done already; a done
          // that waits for the writer would be a circle, and the start must do.
          reader = end;
        }
    }
    addEdge(reader, writer);
  }
}

Dependences::Dependences(Block &block, bool bytes) : block(block) {
  for (Operation &op : block) {
    nodes[&op] = size();
    ops.push_back(&op);
  }
  preds.resize(size());
  succs.resize(size());

  Operation *lastEffect = nullptr;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp(); def && def->getBlock() == &block)
        addEdge(def, op);
    if (holdsProgramOrder(op)) {
      llvm::SetVector<Value> captured;
      mlir::getUsedValuesDefinedAbove(op->getRegions(), captured);
      for (Value value : captured)
        if (Operation *def = value.getDefiningOp(); def && def->getBlock() == &block)
          addEdge(def, op);
    }
    bool hasEffect = false;
    auto isEffectful = [](Operation *inner) {
      auto call = llvm::dyn_cast<CallOp>(inner);
      return call && call.getHasSideEffect();
    };
    if (holdsProgramOrder(op))
      op->walk([&](CallOp call) { hasEffect |= isEffectful(call); });
    else
      hasEffect = isEffectful(op);
    if (hasEffect) {
      if (lastEffect)
        addEdge(lastEffect, op);
      lastEffect = op;
    }

    if (!bytes)
      continue;
    if (auto loop = llvm::dyn_cast<LoopOp>(op)) {
      for (Value init : loop.getInits())
        if (llvm::isa<mlir::RankedTensorType>(init.getType()))
          addOverwrite(init, op);
    } else if (auto alias = llvm::dyn_cast<AliasOpInterface>(op);
               alias && !llvm::isa<DoneOp, CaseOp>(op)) {
      for (const AliasPair &pair : alias.getAliasPairs())
        if (pair.kind == AliasKind::Must)
          addOverwrite(op->getOperand(pair.operandIndex), op);
    }
  }

  // Carried places: what is yielded is written over the argument at the same position.
  Operation *terminator = ops.empty() ? nullptr : ops.back();
  auto overwriteArgument = [&](mlir::BlockArgument argument, Value next) {
    if (next == argument || !llvm::isa<mlir::RankedTensorType>(argument.getType()))
      return;
    Operation *writer = next.getDefiningOp();
    if (writer && writer->getBlock() == &block && llvm::isa<CopyOp>(writer))
      addOverwrite(argument, writer);
  };
  if (!bytes) {
  } else if (auto loop = llvm::dyn_cast<LoopOp>(block.getParentOp())) {
    for (auto [argument, next] : llvm::zip_equal(loop.getIterArgs(), loop.getYieldedValues()))
      overwriteArgument(argument, next);
  } else if (auto func = llvm::dyn_cast<mlir::func::FuncOp>(block.getParentOp())) {
    for (mlir::BlockArgument argument : func.getArguments())
      if (std::optional<unsigned> result = donatedResult(func, argument.getArgNumber()))
        overwriteArgument(argument, terminator->getOperand(*result));
  }
  if (terminator && terminator->hasTrait<mlir::OpTrait::IsTerminator>())
    for (Operation *op : llvm::drop_end(ops))
      addEdge(op, terminator);

  for (unsigned target = 0; target < size(); ++target) {
    llvm::sort(preds[target]);
    preds[target].erase(llvm::unique(preds[target]), preds[target].end());
    for (unsigned source : preds[target])
      succs[source].push_back(target);
  }
}

bool Dependences::ancestors(unsigned node, unsigned first, unsigned limit,
                            llvm::SmallVectorImpl<bool> &reached) const {
  reached.assign(size(), false);
  llvm::SmallVector<unsigned> pending{node};
  reached[node] = true;
  unsigned visited = 0;
  while (!pending.empty()) {
    unsigned current = pending.pop_back_val();
    if (++visited > limit)
      return false;
    for (unsigned pred : preds[current])
      if (pred >= first && !reached[pred]) {
        reached[pred] = true;
        pending.push_back(pred);
      }
  }
  return true;
}

bool Dependences::holds() const {
  llvm::DenseMap<Operation *, unsigned> place;
  unsigned next = 0;
  for (Operation &op : block)
    place[&op] = next++;
  for (unsigned target = 0; target < size(); ++target)
    for (unsigned source : preds[target])
      if (place[ops[source]] > place[ops[target]])
        return false;
  return true;
}

void Dependences::print(llvm::raw_ostream &os) const {
  for (unsigned target = 0; target < size(); ++target) {
    os << target << ':';
    for (unsigned source : preds[target])
      os << ' ' << source;
    os << '\n';
  }
}

} // namespace tandem
