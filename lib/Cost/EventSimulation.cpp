// Plays an order of ops against the cost model's engines.
#include "tandem/Cost/EventSimulation.h"

#include "mlir/Transforms/RegionUtils.h"

namespace tandem {

using mlir::Operation;
using mlir::Value;

namespace {
constexpr unsigned kCopyWire = 63;
} // namespace

EventSimulation::Item EventSimulation::item(Operation *op) {
  auto it = remembered.find(op);
  if (it != remembered.end())
    return it->second;
  Item result;
  auto wiresOf = [&](mlir::Region &region) {
    uint64_t wires = 0;
    for (Operation &inner : region.getOps())
      wires |= item(&inner).wires;
    return wires;
  };
  if (auto loop = llvm::dyn_cast<LoopOp>(op)) {
    SimulatedTime trip = run(loop.getBody().front());
    int64_t trips = cost.tripCount(loop);
    result.time = {trip.step * trips, trip.compute * trips, trip.communication * trips};
    result.wires = wiresOf(loop.getBody());
  } else if (auto branches = llvm::dyn_cast<CaseOp>(op)) {
    for (mlir::Region &region : branches.getBranches()) {
      SimulatedTime branch = run(region.front());
      if (branch.step >= result.time.step)
        result.time = branch;
      result.wires |= wiresOf(region);
    }
  } else if (auto start = llvm::dyn_cast<StartOp>(op)) {
    result.time.step = result.time.communication = cost.picoseconds(op);
    bool wire = CostModel::isCollective(start.getCollective());
    result.wires = uint64_t(1) << (wire ? cost.linkLevel(start.getCollective()) : kCopyWire);
  } else {
    result.time.step = result.time.compute = cost.picoseconds(op);
  }
  remembered[op] = result;
  return result;
}

int64_t EventSimulation::duration(Operation *op) { return item(op).time.step; }

SimulatedTime EventSimulation::run(mlir::Block &block) {
  llvm::SmallVector<Operation *> order;
  for (Operation &op : block)
    order.push_back(&op);
  return run(order);
}

SimulatedTime EventSimulation::run(llvm::ArrayRef<Operation *> order) {
  SimulatedTime total;
  int64_t host = 0, compute = 0;
  llvm::SmallVector<int64_t> wires(64, 0);
  // When a value's bytes are complete; absent: before this block began.
  llvm::DenseMap<Value, int64_t> ready;
  auto readyTime = [&](Operation *op) {
    int64_t time = 0;
    for (Value operand : op->getOperands())
      time = std::max(time, ready.lookup(operand));
    return time;
  };

  for (Operation *op : order) {
    Item it = item(op);
    int64_t finish;
    if (llvm::isa<DoneOp>(op) || op->hasTrait<mlir::OpTrait::IsTerminator>()) {
      finish = readyTime(op);
      // A done holds up the compute stream, not only what reads its result.
      if (llvm::isa<DoneOp>(op))
        compute = std::max(compute, finish);
      else
        total.step = std::max(total.step, finish);
    } else if (llvm::isa<StartOp>(op)) {
      unsigned wire = llvm::countr_zero(it.wires);
      int64_t begin = std::max({host, wires[wire], readyTime(op)});
      finish = wires[wire] = begin + it.time.step;
    } else {
      int64_t begin = std::max({host, compute, readyTime(op)});
      if (llvm::isa<LoopOp, CaseOp>(op)) {
        llvm::SetVector<Value> captured;
        mlir::getUsedValuesDefinedAbove(op->getRegions(), captured);
        for (Value value : captured)
          begin = std::max(begin, ready.lookup(value));
        for (unsigned wire = 0; wire < 64; ++wire)
          if (it.wires >> wire & 1)
            begin = std::max(begin, wires[wire]);
        for (unsigned wire = 0; wire < 64; ++wire)
          if (it.wires >> wire & 1)
            wires[wire] = begin + it.time.step;
        host = begin + it.time.step;
      }
      if (it.time.step == 0 && !llvm::isa<LoopOp, CaseOp>(op)) {
        finish = 0; // constants
      } else {
        finish = compute = begin + it.time.step;
      }
    }
    for (Value result : op->getResults())
      ready[result] = finish;
    total.step = std::max({total.step, finish, compute});
    total.compute += it.time.compute;
    total.communication += it.time.communication;
  }
  return total;
}

} // namespace tandem
