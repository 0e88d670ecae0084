// Orders every block, bodies before the blocks that hold them, by the search of Schedule/Search.h.
#include <numeric>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Schedule/BlockModel.h"
#include "passes/Schedule/Passes.h"
#include "tandem/IR/Tandem/Buffers.h"
#include "tandem/Schedule/Search.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {
#define GEN_PASS_DEF_LATENCYHIDINGSCHEDULEPASS
#include "passes/Schedule/Passes.h.inc"

namespace {

using mlir::Operation;

// Our runtime lets a start begin when its operands are there; those who run an exported order may
// have it wait for the computation before it, as the reports assume.
constexpr int64_t kQueuedWeight = 64;

constexpr int64_t kNoCap = std::numeric_limits<int64_t>::max();

// What a lower peak may cost.
constexpr int64_t kSlackPermille = 50;

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
      mlir::Block &block = func.getBody().front();
      const std::optional<int64_t> cap = memoryBesideArguments(func);
      if (cap)
        measure(block, aliasing, simulation);
      schedule(block, cap.value_or(kNoCap), aliasing, simulation);
    }
  }

  static ScheduleOrder programOrder(const ScheduleProblem &problem) {
    ScheduleOrder order(problem.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
  }

  // Notes the peaks of inner blocks, and what is live around them, in the order that they have.
  int64_t measure(mlir::Block &block, const Aliasing &aliasing, EventSimulation &simulation) {
    for (Operation &op : block)
      if (holdsProgramOrder(&op))
        for (mlir::Region &region : op.getRegions())
          peaks[&op] = std::max(peaks[&op], measure(region.front(), aliasing, simulation));
    Dependences deps(block);
    ScheduleProblem problem = blockProblem(block, deps, aliasing, simulation, peaks);
    ScheduleOrder program = programOrder(problem);
    std::vector<int64_t> live = liveBytes(problem, program);
    for (unsigned node = 0; node < problem.size(); ++node)
      if (holdsProgramOrder(deps.op(node)))
        liveAround[deps.op(node)] = live[node];
    return peakBytes(problem, program);
  }

  // Returns the peak bytes of the block's own values, of which there should be no more than `cap`.
  int64_t schedule(mlir::Block &block, int64_t cap, const Aliasing &aliasing,
                   EventSimulation &simulation) {
    for (Operation &op : block) {
      if (!holdsProgramOrder(&op))
        continue;
      int64_t peak = 0, rest = cap == kNoCap ? kNoCap : cap - liveAround.lookup(&op);
      for (mlir::Region &region : op.getRegions())
        peak = std::max(peak, schedule(region.front(), rest, aliasing, simulation));
      peaks[&op] = peak;
    }

    Dependences deps(block);
    ScheduleProblem problem = blockProblem(block, deps, aliasing, simulation, peaks);
    const ScheduleOrder program = programOrder(problem);
    SearchOptions options;
    options.capBytes = std::max<int64_t>(cap, 0);
    options.inPlace = cap != kNoCap;
    options.queuedWeight = kQueuedWeight;
    options.slackPermille = kSlackPermille;
    CopyRegionAnalysis mode = copyRegionAnalysis(getOperation());
    if (mode == CopyRegionAnalysis::Off)
      problem.copies.clear();
    SearchResult result = mode == CopyRegionAnalysis::On && !problem.copies.empty()
                              ? searchWithEdges(problem, options, deps)
                              : searchOrder(problem, options);

    bool changed = result.order != program;
    ++(changed ? numReordered : numKept);
    if (changed)
      for (unsigned node : result.order)
        deps.op(node)->moveBefore(&block, block.end());
    return result.peak;
  }

  // The classic analysis: what saves a copy is an edge before any order is looked at. Each edge is
  // noted on the op that waits for it, with the place of the op that it waits for and with what the
  // edges of that copy cost.
  SearchResult searchWithEdges(const ScheduleProblem &problem, const SearchOptions &options,
                               const Dependences &deps) {
    std::vector<unsigned> numbers;
    std::vector<bool> kept;
    ScheduleProblem ordered = withCopyEdges(problem, numbers, &kept);
    SearchResult result = searchOrder(ordered, options);
    for (unsigned &node : result.order)
      node = numbers[node];
    std::vector<unsigned> place(result.order.size());
    for (unsigned i = 0; i < result.order.size(); ++i)
      place[result.order[i]] = i;
    SearchOptions greedy = options;
    greedy.effort = 0;
    llvm::MapVector<Operation *, llvm::SmallVector<int64_t>> edges;
    for (size_t index = 0; index < kept.size(); ++index) {
      if (!kept[index])
        continue;
      const ScheduleProblem::Copy &copy = problem.copies[index];
      ScheduleProblem without = problem;
      without.copies.erase(without.copies.begin() + static_cast<ptrdiff_t>(index));
      without.nodes[copy.node].picoseconds = 0; // of the edges alone
      std::vector<unsigned> unused;
      int64_t step = searchOrder(withCopyEdges(without, unused), greedy).step;
      int64_t cost = std::max<int64_t>(result.step - step, 0);
      auto copied = llvm::cast<CopyOp>(deps.op(copy.node));
      int64_t bytes = getByteSize(copied.getOutput().getType());
      llvm::ArrayRef<unsigned> data = deps.predecessors(copy.writer);
      for (unsigned reader : copy.before)
        if (!llvm::is_contained(data, reader))
          edges[deps.op(copy.writer)].append({place[reader], bytes, cost});
    }
    for (auto &[op, list] : edges) {
      op->setAttr(kOrderedAfterAttr, mlir::DenseI64ArrayAttr::get(&getContext(), list));
      numEdges += list.size() / 3;
    }
    return result;
  }

  llvm::DenseMap<Operation *, int64_t> peaks, liveAround;
};

} // namespace
} // namespace tandem
