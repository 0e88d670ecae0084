// Orders every block: tries a few greedy orders, keeps the one the simulation finds fastest.
#include <numeric>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Schedule/ListScheduler.h"
#include "passes/Schedule/Passes.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {
#define GEN_PASS_DEF_LATENCYHIDINGSCHEDULEPASS
#include "passes/Schedule/Passes.h.inc"

namespace {

using mlir::Operation;

struct LatencyHidingSchedule : impl::LatencyHidingSchedulePassBase<LatencyHidingSchedule> {
  void runOnOperation() override {
    llvm::FailureOr<CostModel> cost = CostModel::forModule(getOperation());
    if (mlir::failed(cost))
      return signalPassFailure();
    for (auto func : getOperation().getOps<mlir::func::FuncOp>()) {
      if (func.isExternal())
        continue;
      Aliasing aliasing(func);
      EventSimulation simulation(*cost);
      peaks.clear();
      schedule(func.getBody().front(), aliasing, *cost, simulation);
    }
  }

  // Returns the peak bytes of the block's own values.
  int64_t schedule(mlir::Block &block, const Aliasing &aliasing, const CostModel &cost,
                   EventSimulation &simulation) {
    for (Operation &op : block) {
      if (!holdsProgramOrder(&op))
        continue;
      int64_t peak = 0;
      for (mlir::Region &region : op.getRegions())
        peak = std::max(peak, schedule(region.front(), aliasing, cost, simulation));
      peaks[&op] = peak;
    }

    BlockModel model(block, aliasing, cost, simulation, peaks);
    std::vector<unsigned> program(model.size());
    std::iota(program.begin(), program.end(), 0);
    int64_t programPeak = model.peakBytes(program);
    int64_t cap = programPeak + programPeak / 4;
    if (auto limit = getOperation()->getAttrOfType<mlir::IntegerAttr>("tandem.memory_limit"))
      cap = std::max(programPeak, limit.getInt());

    std::vector<Candidate> candidates;
    auto consider = [&](std::vector<unsigned> order) {
      int64_t peak = model.peakBytes(order);
      if (peak > cap && !candidates.empty())
        return;
      llvm::SmallVector<Operation *> ops;
      for (unsigned node : order)
        ops.push_back(model.dependences().op(node));
      candidates.push_back({std::move(order), simulation.run(ops).step,
                            simulation.run(ops, kSlowComputePercent).step, peak});
    };
    consider(std::move(program));
    constexpr int64_t kNoCap = std::numeric_limits<int64_t>::max();
    for (auto direction : {ScheduleDirection::Backward, ScheduleDirection::Forward}) {
      for (auto priority : {SchedulePriority::Program, SchedulePriority::Chain})
        for (int64_t limit : {kNoCap, cap})
          consider(listSchedule(model, {direction, priority, limit}));
      for (bool patient : {false, true})
        consider(
            listSchedule(model, {direction, SchedulePriority::Chain, programPeak / 2, patient}));
      consider(listSchedule(model, {direction, SchedulePriority::Chain, cap, /*patient=*/true}));
    }

    // The fastest; of those that are as fast within a percent, the one that a slower compute
    // engine harms least; then the smallest; then the first.
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const Candidate &candidate : candidates)
      least = std::min(least, candidate.step);
    const Candidate *best = nullptr;
    for (const Candidate &candidate : candidates) {
      if (candidate.step > least + least / 100)
        continue;
      if (!best ||
          std::pair(candidate.slowStep, candidate.peak) < std::pair(best->slowStep, best->peak))
        best = &candidate;
    }
    bool changed = best != &candidates.front();
    ++(changed ? numReordered : numKept);
    if (changed) {
      llvm::SmallVector<Operation *> ops;
      for (unsigned node : best->order)
        ops.push_back(model.dependences().op(node));
      for (Operation *op : ops)
        op->moveBefore(&block, block.end());
    }
    return best->peak;
  }

  static constexpr int64_t kSlowComputePercent = 125;
  struct Candidate {
    std::vector<unsigned> order;
    int64_t step, slowStep, peak;
  };

  llvm::DenseMap<Operation *, int64_t> peaks;
};

} // namespace
} // namespace tandem
