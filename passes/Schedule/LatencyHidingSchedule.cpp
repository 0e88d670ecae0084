// Orders every block, bodies before the blocks that hold them, by the search of Schedule/Search.h.
#include <numeric>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Schedule/BlockModel.h"
#include "passes/Schedule/Passes.h"
#include "tandem/Schedule/Search.h"
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
      schedule(func.getBody().front(), aliasing, simulation);
    }
  }

  // Returns the peak bytes of the block's own values.
  int64_t schedule(mlir::Block &block, const Aliasing &aliasing, EventSimulation &simulation) {
    for (Operation &op : block) {
      if (!holdsProgramOrder(&op))
        continue;
      int64_t peak = 0;
      for (mlir::Region &region : op.getRegions())
        peak = std::max(peak, schedule(region.front(), aliasing, simulation));
      peaks[&op] = peak;
    }

    Dependences deps(block);
    ScheduleProblem problem = blockProblem(block, deps, aliasing, simulation, peaks);
    ScheduleOrder program(problem.size());
    std::iota(program.begin(), program.end(), 0);
    int64_t programPeak = peakBytes(problem, program);
    SearchOptions options;
    options.capBytes = programPeak + programPeak / 4;
    if (auto limit = getOperation()->getAttrOfType<mlir::IntegerAttr>("tandem.memory_limit"))
      options.capBytes = std::max(programPeak, limit.getInt());
    SearchResult result = searchOrder(problem, options);

    bool changed = result.order != program;
    ++(changed ? numReordered : numKept);
    if (changed)
      for (unsigned node : result.order)
        deps.op(node)->moveBefore(&block, block.end());
    return result.peak;
  }

  llvm::DenseMap<Operation *, int64_t> peaks;
};

} // namespace
} // namespace tandem
