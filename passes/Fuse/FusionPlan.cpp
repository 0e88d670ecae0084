// Which ops of a block become one kernel; the numbers are FusionPlan.h's rules.

#include "passes/Fuse/FusionPlan.h"

#include "passes/Fuse/FusionLimits.h"

#include "tandem/Codegen/KernelOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tandem {
namespace {

/// The numbers of a group's reads: that of all one-element values, that of the root's elements.
constexpr unsigned kScalarRead = 0, kRootRead = 1;

/// Places in a kernel that may ask for a row's value.
constexpr double kMaxRowReads = 4;

RankedTensorType typeOf(Operation *op) {
  return cast<RankedTensorType>(op->getResult(0).getType());
}
double numElements(Value value) { return cast<RankedTensorType>(value.getType()).getNumElements(); }

/// Ops that are emitted for one element at a time, wherever that is asked for.
bool joinsUsers(Operation *op) {
  return isElemental(op) && !isa<stablehlo::DynamicUpdateSliceOp>(op);
}

/// Constants that differ from element to element and are long stay in memory.
bool isFusible(Operation *op) {
  return canEmit(op) && (!matchPattern(op, m_Constant()) || isInlineConstant(op));
}

/// Whether `op` repeats each element along the innermost dimensions: what it reads is known where
/// the indices of the outer ones are, outside of the innermost loops.
bool isRowBroadcast(Operation *op) {
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op))
    return numElements(reshape.getOperand()) == numElements(reshape.getResult());
  auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op);
  if (!broadcast)
    return false;
  ArrayRef<int64_t> from = cast<RankedTensorType>(broadcast.getOperand().getType()).getShape();
  ArrayRef<int64_t> to = typeOf(op).getShape();
  ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
  // The dimensions that are there already, then those that repeat.
  int64_t last = -1;
  for (auto [size, dim] : llvm::zip_equal(from, dims))
    if (size != 1)
      last = std::max(last, dim);
  for (int64_t dim = 0; dim <= last; ++dim) {
    auto at = llvm::find(dims, dim);
    if (to[dim] != 1 && (at == dims.end() || from[at - dims.begin()] == 1))
      return false;
  }
  return true;
}

int64_t rootCost(Operation *op, unsigned depth = 0) {
  constexpr int64_t tooDear = kMaxRootCost + 1;
  // What reads memory, whatever it does with it, is no root; nor is a long chain.
  if (!joinsUsers(op) || !isFusible(op) || depth > 8)
    return tooDear;
  int64_t cost = elementCost(op);
  for (Value operand : op->getOperands()) {
    Operation *from = operand.getDefiningOp();
    if (!from || from->getBlock() != op->getBlock())
      return tooDear;
    cost += rootCost(from, depth + 1);
    if (cost > kMaxRootCost)
      return tooDear;
  }
  return cost;
}

} // namespace

bool isInlineConstant(Operation *op) {
  DenseElementsAttr value;
  return matchPattern(op, m_Constant(&value)) && canEmit(op) &&
         (value.isSplat() || value.getNumElements() <= kMaxInlineElements);
}

bool isRebuiltRoot(Operation *op) { return rootCost(op) <= kMaxRootCost; }

bool hasOrderedEffects(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        auto call = dyn_cast<CallOp>(inner);
        return call && call.getHasSideEffect() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

FusionPlan::FusionPlan(Block &block) : block(block), waits(block) {
  Operation *later = nullptr;
  for (Operation &op : llvm::reverse(block)) {
    if (isFusible(&op))
      place(&op);
    if (hasOrderedEffects(&op)) {
      nextEffect[&op] = later;
      later = &op;
    }
  }
}

FusionPlan::Uses FusionPlan::usesOf(Operation *op) const {
  Uses uses;
  for (Operation *user : op->getUsers()) {
    Operation *inBlock = block.findAncestorOpInBlock(*user);
    const State state = states.lookup(inBlock);
    if (state.dead)
      continue;
    if (state.groups.empty())
      uses.others = true;
    for (unsigned group : state.groups)
      if (!llvm::is_contained(uses.groups, group))
        uses.groups.push_back(group);
  }
  llvm::sort(uses.groups);
  return uses;
}

void FusionPlan::place(Operation *op) {
  Uses uses = usesOf(op);
  if (uses.groups.empty() && !uses.others) {
    states[op].dead = true;
    return;
  }

  if (!joinsUsers(op)) { // 1
    if (isa<stablehlo::ReduceOp>(op) && uses.groups.size() == 1) {
      unsigned group = uses.groups.front();
      std::optional<Reads> reads = fits(op, group);
      if (reads && !uses.others && isOncePerRow(op, group, *reads))
        return join(op, group, *reads);
      if (reads && isAtRoot(op, group, *reads)) {
        if (!uses.others)
          return join(op, group, *reads);
        if (writeFromUser(op, uses)) // 5
          return;
      }
    }
    return makeGroup(op);
  }

  if (isRebuiltRoot(op)) { // 3
    bool joined = !uses.groups.empty();
    for (unsigned group : uses.groups) {
      if (std::optional<Reads> reads = fits(op, group))
        join(op, group, *reads);
      else
        joined = false;
    }
    if (joined && !uses.others)
      return;
    // A short constant is kept in memory for the others.
    if (isInlineConstant(op) && (!cast<DenseElementsAttr>(op->getAttr("value")).isSplat() ||
                                 getByteSize(typeOf(op)) <= kMaxSplatBytes))
      return;
    return makeGroup(op);
  }

  bool mayRebuild = !uses.others && !uses.groups.empty() &&
                    (uses.groups.size() == 1 || rebuildsCheaply(op, uses.groups.size()));
  if (mayRebuild) { // 2, 4
    SmallVector<Reads> reads;
    for (unsigned group : uses.groups)
      if (std::optional<Reads> found = fits(op, group))
        reads.push_back(*found);
    if (reads.size() == uses.groups.size()) {
      for (auto [group, found] : llvm::zip_equal(uses.groups, reads))
        join(op, group, found);
      if (reads.size() > 1) {
        unsigned chain = 0;
        for (Operation *user : op->getUsers())
          chain = std::max(chain, states.lookup(block.findAncestorOpInBlock(*user)).rebuildChain);
        states[op].rebuildChain = chain + 1;
      }
      return;
    }
  }
  if (!writeFromUser(op, uses)) // 5
    makeGroup(op);              // 6
}

void FusionPlan::makeGroup(Operation *op) {
  unsigned group = groups.size();
  groups.emplace_back();
  work.emplace_back();
  double elements = numElements(op->getResult(0));
  // Traffic of the result counts as work too.
  work[group].natural = 4 * elements;
  join(op, group, {{kRootRead, elements}});
  states[op].home = group;
}

void FusionPlan::join(Operation *op, unsigned group, const Reads &found) {
  double natural = elementCost(op) * loopTurns(op) * numElements(op->getResult(0)), done = 0;
  for (const Read &read : found)
    done += elementCost(op) * loopTurns(op) * read.elements;
  work[group].natural += natural;
  work[group].extra += std::max(0.0, done - natural);
  groups[group].ops.insert(op);
  states[op].groups.push_back(group);
  reads[{op, group}] = found;
}

/// From where the group's ops read the elements of `op`.
FusionPlan::Reads FusionPlan::readsOf(Operation *op, unsigned group) {
  double size = numElements(op->getResult(0));
  if (size == 1)
    return {{kScalarRead, 1}};
  Reads found;
  auto add = [&](Read read) {
    if (!llvm::any_of(found, [&](const Read &other) { return other.id == read.id; }))
      found.push_back(read);
  };
  for (OpOperand &use : op->getUses()) {
    Operation *user = block.findAncestorOpInBlock(*use.getOwner());
    auto it = reads.find({user, group});
    if (it == reads.end())
      continue;
    double userSize = numElements(user->getResult(0));
    for (const Read &read : it->second) {
      if (isElementwise(user) && userSize == size) {
        add(read);
        continue;
      }
      // One for each row, computed before the row's elements are.
      if (isRowBroadcast(user) && read.elements <= userSize) {
        add({work[group].nextRead++, std::min(read.elements, size)});
        continue;
      }
      double share = 1; // of the user's elements that read this operand
      if (isa<stablehlo::ConcatenateOp, stablehlo::PadOp>(user) ||
          (!isElemental(user) && loopTurns(user) == 1) ||
          (isa<stablehlo::DynamicUpdateSliceOp>(user) && use.getOperandNumber() == 1))
        share = userSize == 0 ? 0 : size / userSize;
      add({work[group].nextRead++, read.elements * share * loopTurns(user)});
    }
  }
  return found;
}

std::optional<FusionPlan::Reads> FusionPlan::fits(Operation *op, unsigned group) {
  if (groups[group].ops.size() >= kMaxKernelOps)
    return std::nullopt;
  Reads found = readsOf(op, group);
  if (found.size() > kMaxReads)
    return std::nullopt;
  double cost = elementCost(op) * loopTurns(op);
  double natural = cost * numElements(op->getResult(0)), done = 0;
  for (const Read &read : found)
    done += cost * read.elements;
  double extra = work[group].extra + std::max(0.0, done - natural);
  if (done > natural && extra > kMaxExtraWork * (work[group].natural + natural))
    return std::nullopt;
  return found;
}

bool FusionPlan::rebuildsCheaply(Operation *op, unsigned numGroups) const {
  if (numGroups > kMaxRebuilds || elementCost(op) > kMaxRebuildCost)
    return false;
  int64_t bytesRead = 0;
  llvm::SmallPtrSet<Value, 4> seen;
  for (Value operand : op->getOperands()) {
    Operation *from = operand.getDefiningOp();
    if (seen.insert(operand).second && !(from && isRebuiltRoot(from)))
      bytesRead += getByteSize(cast<RankedTensorType>(operand.getType()));
  }
  int64_t bytes = 0;
  for (Value result : op->getResults())
    bytes += getByteSize(cast<RankedTensorType>(result.getType()));
  if (bytesRead > bytes)
    return false;
  for (Operation *user : op->getUsers())
    if (states.lookup(block.findAncestorOpInBlock(*user)).rebuildChain >= kMaxRebuildChain)
      return false;
  return true;
}

/// Whether the group reads `op` only at the index that it writes, and has its shape.
bool FusionPlan::isAtRoot(Operation *op, unsigned group, const Reads &found) const {
  if (typeOf(op).getShape() != typeOf(groups[group].root()).getShape())
    return false;
  if (numElements(op->getResult(0)) == 1) {
    // All reads of one element look alike; a root of one element computes nothing else.
    for (Operation *user : op->getUsers())
      if (groups[group].ops.contains(user) && !isElementwise(user))
        return false;
    return true;
  }
  return found.size() == 1 && found.front().id == kRootRead;
}

/// Whether the group asks for each element of `op` a few times, and that for a row of its elements,
/// where the places that ask share it.
bool FusionPlan::isOncePerRow(Operation *op, unsigned group, const Reads &found) const {
  double asked = 0, size = numElements(op->getResult(0));
  for (const Read &read : found)
    asked += read.elements;
  // Rows that are long and many; else a kernel of its own does no harm.
  return size > 1 && asked <= kMaxRowReads * size &&
         numElements(groups[group].root()->getResult(0)) >= 8 * size;
}

/// 5.
bool FusionPlan::writeFromUser(Operation *op, const Uses &uses) {
  for (unsigned group : uses.groups) {
    if (waits.of(op) != waits.of(groups[group].root()))
      continue;
    std::optional<Reads> found = fits(op, group);
    if (!found || !isAtRoot(op, group, *found) || closesCycle(op, group))
      continue;
    join(op, group, *found);
    states[op].home = group;
    return true;
  }
  return false;
}

/// Whether `group`, writing `op`, would need what some other user of `op` computes.
bool FusionPlan::closesCycle(Operation *op, unsigned group) const {
  // Nodes: groups, and ops that no kernel holds.
  llvm::SmallPtrSet<Operation *, 16> seenOps;
  llvm::SmallDenseSet<unsigned, 16> seenGroups;
  SmallVector<Operation *> worklist; // ops whose results are to be followed
  size_t visited = 0;
  bool found = false;
  auto visitUser = [&](Operation *user) {
    Operation *inBlock = block.findAncestorOpInBlock(*user);
    const State state = states.lookup(inBlock);
    if (state.dead)
      return;
    if (state.groups.empty()) {
      if (seenOps.insert(inBlock).second)
        worklist.push_back(inBlock);
      return;
    }
    for (unsigned other : state.groups) {
      if (other == group)
        found = true;
      else if (seenGroups.insert(other).second)
        for (Operation *member : groups[other].ops)
          if (states.lookup(member).home == other)
            worklist.push_back(member);
    }
  };
  for (Operation *user : op->getUsers()) {
    Operation *inBlock = block.findAncestorOpInBlock(*user);
    if (!groups[group].ops.contains(inBlock))
      visitUser(user);
    // A user that the group rebuilds is also computed elsewhere.
    else if (states.lookup(inBlock).groups.size() > 1)
      for (unsigned other : states.lookup(inBlock).groups)
        if (other != group && seenGroups.insert(other).second)
          for (Operation *member : groups[other].ops)
            if (states.lookup(member).home == other)
              worklist.push_back(member);
  }
  while (!worklist.empty() && !found) {
    if (++visited > kMaxSearch)
      return true;
    Operation *next = worklist.pop_back_val();
    for (Operation *user : next->getUsers())
      visitUser(user);
    if (Operation *effect = nextEffect.lookup(next); effect && seenOps.insert(effect).second)
      worklist.push_back(effect);
  }
  return found;
}

} // namespace tandem
