// What an op of a block waits for before it can start.

#include "passes/Fuse/Waits.h"

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

using namespace mlir;

namespace tandem {

Waits::Waits(Block &block) : block(block) {
  for (Operation &op : block)
    if (isa<DoneOp, GemmOp, ConvOp, CallOp, LoopOp, CaseOp>(op))
      events.try_emplace(&op, events.size());
  // Set 0. No other is empty, so it needs no entry in `numbers`, where no bits at all (a block
  // without events) would be the map's own mark for an empty bucket.
  contents.emplace_back(events.size());
  for (Operation &op : block) {
    unsigned set = 0;
    // Regions may use values from above.
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        set = unite(set, of(operand));
    });
    sets[&op] = set;
  }
}

unsigned Waits::intern(llvm::BitVector bits) {
  auto [it, isNew] = numbers.try_emplace(bits, contents.size());
  if (isNew)
    contents.push_back(std::move(bits));
  return it->second;
}

unsigned Waits::of(Value value) {
  // Barriers go after fusion; each result is its operand then.
  while (auto barrier = value.getDefiningOp<stablehlo::OptimizationBarrierOp>())
    value = barrier->getOperand(cast<OpResult>(value).getResultNumber());
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block)
    return 0;
  unsigned set = sets.lookup(op);
  auto event = events.find(op);
  if (event == events.end())
    return set;
  llvm::BitVector bits = contents[set];
  bits.set(event->second);
  return intern(std::move(bits));
}

unsigned Waits::unite(unsigned a, unsigned b) {
  if (a == b || b == 0)
    return a;
  if (a == 0)
    return b;
  std::pair<unsigned, unsigned> key = std::minmax(a, b);
  if (auto it = unions.find(key); it != unions.end())
    return it->second;
  llvm::BitVector bits = contents[a];
  bits |= contents[b];
  return unions[key] = intern(std::move(bits));
}

} // namespace tandem
