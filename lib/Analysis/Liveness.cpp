// Live intervals over the order of the blocks, loops and cases included.
#include "tandem/Analysis/Liveness.h"

#include <limits>

#include "llvm/ADT/STLExtras.h"

namespace tandem {

using mlir::Block;
using mlir::Operation;
using mlir::Value;

DoneOp doneOf(Value future, llvm::SmallVectorImpl<LoopOp> &loops) {
  llvm::SmallVector<Value> pending{future};
  llvm::SmallVector<Value> seen;
  DoneOp found;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (llvm::is_contained(seen, value))
      continue;
    seen.push_back(value);
    for (mlir::OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto done = llvm::dyn_cast<DoneOp>(user)) {
        // The done of a future that no loop carries is the only one; of a carried one, the
        // last one in program order is in the outermost block.
        if (!found || !found->getBlock()->getParentOp()->isProperAncestor(done))
          found = done;
      } else if (auto loop = llvm::dyn_cast<LoopOp>(user)) {
        unsigned index = use.getOperandNumber() - 1; // after the predicate
        if (!llvm::is_contained(loops, loop))
          loops.push_back(loop);
        pending.push_back(loop.getIterArgs()[index]);
        pending.push_back(loop.getOutputs()[index]);
      } else if (llvm::isa<YieldOp>(user)) {
        Operation *parent = user->getParentOp();
        if (auto loop = llvm::dyn_cast<LoopOp>(parent)) {
          unsigned index = use.getOperandNumber() - 1;
          if (!llvm::is_contained(loops, loop))
            loops.push_back(loop);
          pending.push_back(loop.getIterArgs()[index]);
          pending.push_back(loop.getOutputs()[index]);
        } else if (auto branch = llvm::dyn_cast<CaseOp>(parent)) {
          pending.push_back(branch.getOutputs()[use.getOperandNumber()]);
        }
      }
    }
  }
  return found;
}

void Liveness::numberOps(Block &block) {
  for (Operation &op : block) {
    begins[&op] = count++;
    if (holdsProgramOrder(&op)) {
      for (mlir::Region &region : op.getRegions())
        for (Block &inner : region)
          numberOps(inner);
      ends[&op] = count++;
    } else {
      ends[&op] = count;
    }
  }
}

int64_t Liveness::endOfUse(Operation *user, Block *home) const {
  Operation *ancestor = ancestorIn(home, user);
  // Inits and indices are read when the loop or case begins; captures until it ends.
  if (ancestor == user)
    return begins.lookup(user) + 1;
  return ends.lookup(ancestor);
}

void Liveness::add(unsigned piece, Interval interval) {
  if (interval.begin < interval.end)
    intervals[piece].push_back(interval);
}

void Liveness::addStart(StartOp start, const Aliasing &aliasing) {
  llvm::SmallVector<LoopOp> loops;
  DoneOp done = doneOf(start.getFuture(), loops);
  int64_t from = position(start);
  int64_t to = done ? std::max(from, position(done)) + 1 : from + 1;
  for (LoopOp loop : loops) {
    from = std::min(from, position(loop));
    to = std::max(to, end(loop) + 1);
  }
  if (done && loops.empty() && done->getBlock() != start->getBlock())
    to = count;
  for (Value input : start.getInputs())
    add(aliasing.id(input), {from, to});
  for (unsigned element = 0, e = start.getFuture().getType().getTypes().size(); element < e;
       ++element)
    add(aliasing.id(start.getFuture(), element), {from, to});
}

Liveness::Liveness(mlir::func::FuncOp func, const Aliasing &aliasing) : intervals(aliasing.size()) {
  numberOps(func.getBody().front());

  for (unsigned piece = 0; piece < aliasing.size(); ++piece) {
    Value value = aliasing.piece(piece).value;
    Block *home = value.getParentBlock();
    int64_t begin = 0, least;
    if (Operation *op = value.getDefiningOp()) {
      // A loop's or case's result begins where its last yielded value ends.
      begin = holdsProgramOrder(op) ? end(op) : position(op);
      least = begin + 1;
      if (llvm::isa<ConstantOp>(op)) {
        add(piece, {0, count});
        continue;
      }
    } else if (auto loop = llvm::dyn_cast<LoopOp>(home->getParentOp())) {
      begin = position(loop);
      least = begin + 1;
    } else {
      // A function's argument: the caller's bytes are kept unless it gave them away. What it gave
      // away and nobody reads is not live at all: the first op may write there.
      least = 0;
      unsigned index = llvm::cast<mlir::BlockArgument>(value).getArgNumber();
      if (!donatedResult(func, index))
        least = count;
    }
    int64_t last = least;
    for (Operation *user : value.getUsers()) {
      last = std::max(last, endOfUse(user, home));
      if (llvm::isa<mlir::func::ReturnOp>(user))
        last = count;
    }
    add(piece, {begin, last});
  }
  forEachOp(func, [&](Operation *op) {
    if (auto start = llvm::dyn_cast<StartOp>(op))
      addStart(start, aliasing);
  });

  for (llvm::SmallVector<Interval, 1> &list : intervals) {
    llvm::sort(list, [](Interval a, Interval b) { return a.begin < b.begin; });
    llvm::SmallVector<Interval, 1> merged;
    for (Interval interval : list) {
      if (!merged.empty() && interval.begin <= merged.back().end)
        merged.back().end = std::max(merged.back().end, interval.end);
      else
        merged.push_back(interval);
    }
    list = std::move(merged);
  }
}

void Liveness::print(llvm::raw_ostream &os) const {
  for (auto [piece, list] : llvm::enumerate(intervals)) {
    os << piece << ':';
    for (Interval interval : list)
      os << " [" << interval.begin << ", " << interval.end << ')';
    os << '\n';
  }
}

} // namespace tandem
