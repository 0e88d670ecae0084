// Merges pieces into groups of bytes.
#include "tandem/Analysis/ByteSharing.h"

#include "llvm/ADT/STLExtras.h"

namespace tandem {

using mlir::Operation;
using mlir::Value;

// Pairs of pieces of which one ends where the other begins, at one op, in the same bytes; and
// pieces that always hold the same value.
void ByteSharing::collectHandovers(mlir::func::FuncOp func) {
  auto handOver = [&](Value from, Value to, int64_t position) {
    for (unsigned element = 0; element < Aliasing::numPieces(from.getType()); ++element)
      handovers[{aliasing.id(from, element), aliasing.id(to, element)}] = position;
  };
  forEachOp(func, [&](Operation *op) {
    int64_t position = liveness.position(op);
    if (auto done = llvm::dyn_cast<DoneOp>(op)) {
      for (auto [element, output] : llvm::enumerate(done.getOutputs()))
        sameValue.join(aliasing.id(done.getFuture(), element), aliasing.id(output));
    } else if (auto copy = llvm::dyn_cast<CopyOp>(op)) {
      sameValue.join(aliasing.id(copy.getInput()), aliasing.id(copy.getOutput()));
    } else if (auto loop = llvm::dyn_cast<LoopOp>(op)) {
      for (auto [init, argument] : llvm::zip_equal(loop.getInits(), loop.getIterArgs()))
        handOver(init, argument, position);
    } else if (auto kernel = llvm::dyn_cast<KernelOp>(op)) {
      for (auto [result, operand] : kernel.getInPlacePairs())
        if (llvm::count(op->getOperands(), op->getOperand(operand)) == 1)
          handOver(op->getOperand(operand), op->getResult(result), position);
    } else if (auto call = llvm::dyn_cast<CallOp>(op)) {
      for (auto [result, operand] : call.getAliasedPairs())
        handOver(op->getOperand(operand), op->getResult(result), position);
    }
  });
}

void ByteSharing::collectHomes(mlir::func::FuncOp func) {
  forEachOp(func, [&](Operation *op) {
    if (llvm::isa<ConstantOp>(op))
      homes[group(aliasing.id(op->getResult(0)))] = {Arena::Constant, 0};
    if (auto ret = llvm::dyn_cast<mlir::func::ReturnOp>(op))
      for (auto [index, value] : llvm::enumerate(ret.getOperands()))
        if (Aliasing::numPieces(value.getType()))
          homes[group(aliasing.id(value))] = {Arena::Result, static_cast<unsigned>(index)};
  });
  for (auto [index, argument] : llvm::enumerate(func.getArguments()))
    if (Aliasing::numPieces(argument.getType()))
      homes[group(aliasing.id(argument))] = {Arena::Argument, static_cast<unsigned>(index)};
}

bool ByteSharing::mayOverlap(const Entry &a, const Entry &b) const {
  if (sameValue.findValue(a.piece) == sameValue.findValue(b.piece))
    return true;
  // One takes over from the other: it begins at the op that is the other's last reader.
  for (auto [from, to] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    auto it = handovers.find({from->piece, to->piece});
    if (it != handovers.end() && to->interval.begin == it->second &&
        from->interval.end == it->second + 1)
      return true;
  }
  return false;
}

std::optional<ByteSharing::Conflict> ByteSharing::conflictBetween(llvm::ArrayRef<Entry> a,
                                                                  llvm::ArrayRef<Entry> b) const {
  // Both sorted by begin. Entries of one list may overlap each other (same value), so those of
  // `b` that might still reach are kept.
  llvm::SmallVector<const Entry *> open;
  size_t next = 0;
  for (const Entry &entry : a) {
    while (next < b.size() && b[next].interval.begin < entry.interval.end)
      open.push_back(&b[next++]);
    llvm::erase_if(open,
                   [&](const Entry *other) { return other->interval.end <= entry.interval.begin; });
    for (const Entry *other : open)
      if (other->interval.begin < entry.interval.end && !mayOverlap(entry, *other))
        return Conflict{entry.piece, other->piece,
                        std::max(entry.interval.begin, other->interval.begin)};
  }
  return std::nullopt;
}

bool ByteSharing::tryMerge(unsigned a, unsigned b) {
  a = group(a), b = group(b);
  if (a == b)
    return true;
  if (aliasing.bytes(a) != aliasing.bytes(b) || rotation.slots(a) != 1 || rotation.slots(b) != 1)
    return false;
  if (homes[a].arena && homes[b].arena)
    return false;
  if (conflictBetween(entries[a], entries[b]))
    return false;
  Home home = homes[a].arena ? homes[a] : homes[b];
  unsigned leader = groups.join(a, b), other = leader == a ? b : a;
  llvm::SmallVector<Entry, 2> merged;
  std::merge(entries[leader].begin(), entries[leader].end(), entries[other].begin(),
             entries[other].end(), std::back_inserter(merged),
             [](const Entry &x, const Entry &y) { return x.interval.begin < y.interval.begin; });
  entries[leader] = std::move(merged);
  entries[other].clear();
  homes[leader] = home;
  return true;
}

ByteSharing::ByteSharing(mlir::func::FuncOp func, const Aliasing &aliasing,
                         const Liveness &liveness, const Rotation &rotation, bool shareCopies)
    : aliasing(aliasing), liveness(liveness), rotation(rotation) {
  groups.grow(aliasing.size());
  sameValue.grow(aliasing.size());
  entries.resize(aliasing.size());
  homes.resize(aliasing.size());
  for (unsigned piece = 0; piece < aliasing.size(); ++piece) {
    unsigned leader = groups.join(piece, aliasing.leader(piece));
    for (Interval interval : liveness.of(piece))
      entries[leader].push_back({interval, piece});
  }
  for (auto &list : entries)
    llvm::sort(list, [](const Entry &a, const Entry &b) {
      return std::pair(a.interval.begin, a.piece) < std::pair(b.interval.begin, b.piece);
    });
  collectHandovers(func);
  collectHomes(func);

  for (unsigned leader = 0; leader < aliasing.size() && !found; ++leader) {
    // The slots of a rotating group keep its pieces apart.
    if (rotation.slots(leader) > 1)
      continue;
    llvm::ArrayRef<Entry> list = entries[leader];
    llvm::SmallVector<const Entry *> open;
    for (const Entry &entry : list) {
      llvm::erase_if(
          open, [&](const Entry *other) { return other->interval.end <= entry.interval.begin; });
      for (const Entry *other : open)
        if (other->piece != entry.piece && !mayOverlap(entry, *other) && !found)
          found = Conflict{other->piece, entry.piece, entry.interval.begin};
      open.push_back(&entry);
    }
  }
  if (found)
    return;

  forEachOp(func, [&](Operation *op) {
    if (auto copy = llvm::dyn_cast<CopyOp>(op); copy && shareCopies)
      copiesShared += tryMerge(aliasing.id(copy.getInput()), aliasing.id(copy.getOutput()));
  });
  forEachOp(func, [&](Operation *op) {
    auto kernel = llvm::dyn_cast<KernelOp>(op);
    if (!kernel)
      return;
    for (auto [result, operand] : kernel.getInPlacePairs())
      if (llvm::count(op->getOperands(), op->getOperand(operand)) == 1)
        inPlaceShared +=
            tryMerge(aliasing.id(op->getOperand(operand)), aliasing.id(op->getResult(result)));
  });
}

llvm::SmallVector<Interval, 1> ByteSharing::live(unsigned group) const {
  llvm::SmallVector<Interval, 1> merged;
  for (const Entry &entry : entries[group]) {
    if (!merged.empty() && entry.interval.begin <= merged.back().end)
      merged.back().end = std::max(merged.back().end, entry.interval.end);
    else
      merged.push_back(entry.interval);
  }
  if (rotation.slots(group) > 1 && !merged.empty())
    return {{merged.front().begin, merged.back().end}};
  return merged;
}

} // namespace tandem
