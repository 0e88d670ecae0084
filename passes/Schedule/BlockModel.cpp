// Builds the scheduling problem of a block.
#include "passes/Schedule/BlockModel.h"
#include "passes/Schedule/CandidateCopies.h"

#include "mlir/Transforms/RegionUtils.h"
#include "tandem/Analysis/Liveness.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {

using mlir::Operation;
using mlir::Value;
using Engine = ScheduleProblem::Engine;

ScheduleProblem blockProblem(mlir::Block &block, const Dependences &deps, const Aliasing &aliasing,
                             EventSimulation &simulation,
                             const llvm::DenseMap<Operation *, int64_t> &peaks) {
  ScheduleProblem problem;
  problem.nodes.resize(deps.size());
  // Classes with a member that lives on whatever the order of this block.
  llvm::DenseMap<unsigned, unsigned> classOf; // leader -> class; ~0u: left out
  constexpr unsigned kOutside = ~0u;
  for (Value argument : block.getArguments())
    for (unsigned e = 0; e < Aliasing::numPieces(argument.getType()); ++e)
      classOf[aliasing.leader(aliasing.id(argument, e))] = kOutside;
  auto classesOf = [&](Value value, std::vector<unsigned> &classes) {
    for (unsigned e = 0; e < Aliasing::numPieces(value.getType()); ++e) {
      unsigned piece = aliasing.id(value, e);
      auto [it, isNew] = classOf.try_emplace(aliasing.leader(piece), problem.classBytes.size());
      if (isNew)
        problem.classBytes.push_back(aliasing.bytes(piece));
      if (it->second != kOutside && !llvm::is_contained(classes, it->second))
        classes.push_back(it->second);
    }
  };

  for (unsigned index = 0; index < deps.size(); ++index) {
    Operation *op = deps.op(index);
    if (llvm::isa<ConstantOp>(op))
      classOf[aliasing.leader(aliasing.id(op->getResult(0)))] = kOutside;
    for (Value result : op->getResults())
      classesOf(result, problem.nodes[index].defines);
  }
  auto addInPlace = [&](Value result, Value operand, ScheduleProblem::Node &node) {
    auto defined = classOf.find(aliasing.leader(aliasing.id(result)));
    auto read = classOf.find(aliasing.leader(aliasing.id(operand)));
    if (defined == classOf.end() || read == classOf.end() || defined->second == kOutside ||
        read->second == kOutside || defined->second == read->second ||
        !llvm::is_contained(node.reads, read->second))
      return;
    node.inPlace.push_back({defined->second, read->second});
  };
  for (unsigned index = 0; index < deps.size(); ++index) {
    Operation *op = deps.op(index);
    ScheduleProblem::Node &node = problem.nodes[index];
    node.predecessors = deps.predecessors(index);
    node.successors = deps.successors(index);
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
      node.heldWires = simulation.wires(op);
      node.holdsHost = true;
    }
    if (auto kernel = llvm::dyn_cast<KernelOp>(op))
      for (auto [result, operand] : kernel.getInPlacePairs())
        addInPlace(kernel.getOutputs()[result], kernel->getOperand(operand), node);
    node.picoseconds = simulation.duration(op);
    if (llvm::isa<StartOp>(op)) {
      node.engine = Engine::Wire;
      node.wire = llvm::countr_zero(simulation.wires(op));
    } else if (auto done = llvm::dyn_cast<DoneOp>(op)) {
      node.engine = Engine::Wait;
      if (auto start = done.getFuture().getDefiningOp<StartOp>(); start) {
        if (start->getBlock() == &block)
          node.awaits = deps.node(start);
        for (Value input : start.getInputs())
          read(input);
      }
    } else if (!llvm::isa<ConstantOp>(op) && !op->hasTrait<mlir::OpTrait::IsTerminator>()) {
      node.engine = Engine::Compute;
    }
  }
  problem.copies = findCandidateCopies(block, deps, [&](Value value) {
    auto it = classOf.find(aliasing.leader(aliasing.id(value)));
    return it == classOf.end() ? kOutside : it->second;
  });
  return problem;
}

} // namespace tandem
