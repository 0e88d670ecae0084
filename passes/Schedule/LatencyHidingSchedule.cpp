// Orders every block: tries a few greedy orders, keeps the one the simulation finds fastest.
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Schedule/ListScheduler.h"
#include "passes/Schedule/Passes.h"

namespace tandem {
#define GEN_PASS_DEF_LATENCYHIDINGSCHEDULEPASS
#include "passes/Schedule/Passes.h.inc"

namespace {

using mlir::Operation;

struct LatencyHidingSchedule : impl::LatencyHidingSchedulePassBase<LatencyHidingSchedule> {
  void runOnOperation() override {
    llvm::FailureOr<CostModel> cost = CostModel::forModule(getOperation());
    if (mlir::failed(cost)) return signalPassFailure();
    for (auto func : getOperation().getOps<mlir::func::FuncOp>()) {
      if (func.isExternal()) continue;
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
      if (!holdsProgramOrder(&op)) continue;
      int64_t peak = 0;
      for (mlir::Region &region : op.getRegions())
        peak = std::max(peak, schedule(region.front(), aliasing, cost, simulation));
      peaks[&op] = peak;
    }

    BlockModel model(block, aliasing, cost, simulation, peaks);
    std::vector<unsigned> best(model.size());
    for (unsigned node = 0; node < model.size(); ++node) best[node] = node;
    int64_t programPeak = model.peakBytes(best), bestPeak = programPeak;
    int64_t bestStep = simulate(model, best, simulation);
    int64_t cap = programPeak + programPeak / 4;
    if (auto limit = getOperation()->getAttrOfType<mlir::IntegerAttr>("tandem.memory_limit"))
      cap = std::max(programPeak, limit.getInt());

    bool changed = false;
    constexpr int64_t kNoCap = std::numeric_limits<int64_t>::max();
    for (const ListOptions &options :
         {ListOptions{SchedulePriority::Program, kNoCap}, ListOptions{SchedulePriority::Chain, kNoCap},
          ListOptions{SchedulePriority::Program, cap}, ListOptions{SchedulePriority::Chain, cap},
          ListOptions{SchedulePriority::Chain, programPeak / 2}}) {
      std::vector<unsigned> order = listSchedule(model, options);
      int64_t peak = model.peakBytes(order);
      if (peak > cap) continue;
      int64_t step = simulate(model, order, simulation);
      if (std::pair(step, peak) >= std::pair(bestStep, bestPeak)) continue;
      best = std::move(order);
      bestStep = step;
      bestPeak = peak;
      changed = true;
    }
    ++(changed ? numReordered : numKept);
    if (changed) {
      llvm::SmallVector<Operation *> ops;
      for (unsigned node : best) ops.push_back(model.dependences().op(node));
      for (Operation *op : ops) op->moveBefore(&block, block.end());
    }
    return bestPeak;
  }

  static int64_t simulate(const BlockModel &model, llvm::ArrayRef<unsigned> order,
                          EventSimulation &simulation) {
    llvm::SmallVector<Operation *> ops;
    for (unsigned node : order) ops.push_back(model.dependences().op(node));
    return simulation.run(ops).step;
  }

  llvm::DenseMap<Operation *, int64_t> peaks;
};

}  // namespace
}  // namespace tandem
