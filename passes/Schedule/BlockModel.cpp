// Builds the scheduler's view of a block.
#include "passes/Schedule/BlockModel.h"

#include "mlir/Transforms/RegionUtils.h"
#include "tandem/Analysis/Liveness.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {

using mlir::Operation;
using mlir::Value;

BlockModel::BlockModel(mlir::Block &block, const Aliasing &aliasing, const CostModel &cost,
                       EventSimulation &simulation,
                       const llvm::DenseMap<Operation *, int64_t> &peaks)
    : deps(block), nodes(deps.size()) {
  // Classes with a member that lives on whatever the order of this block.
  llvm::DenseMap<unsigned, unsigned> classOf; // leader -> class; ~0u: left out
  constexpr unsigned kOutside = ~0u;
  for (Value argument : block.getArguments())
    for (unsigned e = 0; e < Aliasing::numPieces(argument.getType()); ++e)
      classOf[aliasing.leader(aliasing.id(argument, e))] = kOutside;
  auto classesOf = [&](Value value, std::vector<unsigned> &classes) {
    for (unsigned e = 0; e < Aliasing::numPieces(value.getType()); ++e) {
      unsigned piece = aliasing.id(value, e);
      auto [it, isNew] = classOf.try_emplace(aliasing.leader(piece), numClasses());
      if (isNew)
        classBytes.push_back(aliasing.bytes(piece));
      if (it->second != kOutside && !llvm::is_contained(classes, it->second))
        classes.push_back(it->second);
    }
  };

  for (unsigned index = 0; index < size(); ++index) {
    Operation *op = deps.op(index);
    if (llvm::isa<ConstantOp>(op))
      classOf[aliasing.leader(aliasing.id(op->getResult(0)))] = kOutside;
    Node &node = nodes[index];
    for (Value result : op->getResults())
      classesOf(result, node.defines);
  }
  for (unsigned index = 0; index < size(); ++index) {
    Operation *op = deps.op(index);
    Node &node = nodes[index];
    auto read = [&](Value value) {
      Operation *def = value.getDefiningOp();
      if (def && def->getBlock() == &block)
        classesOf(value, node.reads);
    };
    for (Value operand : op->getOperands())
      read(operand);
    if (holdsProgramOrder(op)) {
      llvm::SetVector<Value> captured;
      mlir::getUsedValuesDefinedAbove(op->getRegions(), captured);
      for (Value value : captured)
        read(value);
      node.heldBytes = peaks.lookup(op);
    }
    if (auto done = llvm::dyn_cast<DoneOp>(op))
      if (auto start = done.getFuture().getDefiningOp<StartOp>())
        for (Value input : start.getInputs())
          read(input);
    node.picoseconds = simulation.duration(op);
    if (auto start = llvm::dyn_cast<StartOp>(op)) {
      node.engine = Engine::Wire;
      Operation *first = start.getCollective();
      node.wire = CostModel::isCollective(first) ? cost.linkLevel(first) + 1 : 0;
    } else if (!llvm::isa<DoneOp, ConstantOp>(op) && !op->hasTrait<mlir::OpTrait::IsTerminator>()) {
      node.engine = Engine::Compute;
    }
  }
}

int64_t BlockModel::peakBytes(llvm::ArrayRef<unsigned> order) const {
  std::vector<unsigned> lastUse(numClasses(), 0);
  for (auto [place, index] : llvm::enumerate(order))
    for (const std::vector<unsigned> *classes : {&nodes[index].defines, &nodes[index].reads})
      for (unsigned cls : *classes)
        lastUse[cls] = place;
  std::vector<bool> live(numClasses(), false);
  std::vector<std::vector<unsigned>> ending(order.size());
  for (unsigned cls = 0; cls < numClasses(); ++cls)
    ending[lastUse[cls]].push_back(cls);
  int64_t bytes = 0, peak = 0;
  for (auto [place, index] : llvm::enumerate(order)) {
    for (unsigned cls : nodes[index].defines)
      if (!live[cls]) {
        live[cls] = true;
        bytes += classBytes[cls];
      }
    peak = std::max(peak, bytes + nodes[index].heldBytes);
    for (unsigned cls : ending[place])
      if (live[cls])
        bytes -= classBytes[cls];
  }
  return peak;
}

} // namespace tandem
