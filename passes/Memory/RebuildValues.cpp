// Computes kernels again where keeping their results would take more than it is worth; RebuildPlan
// decides. It knows the program's order only: under a limit the passes that follow are tried on a
// copy, and if they do not get below the limit, plans are made for fewer bytes.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Memory/Passes.h"
#include "passes/Memory/RebuildPlan.h"
#include "passes/Schedule/Passes.h"
#include "tandem/IR/Tandem/Cause.h"

namespace tandem {
#define GEN_PASS_DEF_REBUILDVALUESPASS
#include "passes/Memory/Passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;

// How many margins are tried, and by how much each is larger than the one before.
constexpr int64_t kAttempts = 6, kStepPermille = 20;

struct RebuildValues : impl::RebuildValuesPassBase<RebuildValues> {
  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    llvm::FailureOr<CostModel> cost = CostModel::forModule(module);
    if (mlir::failed(cost))
      return signalPassFailure();
    module->removeAttr(kMemoryMarginAttr);
    if (auto limit = module->getAttrOfType<mlir::IntegerAttr>("tandem.memory_limit"))
      setMargin(module, chooseMargin(module, *cost, limit.getInt()));
    numRebuilt += rebuild(module, *cost);
  }

  static void setMargin(mlir::ModuleOp module, int64_t bytes) {
    if (bytes)
      module->setAttr(kMemoryMarginAttr, mlir::Builder(module).getI64IntegerAttr(bytes));
  }

  int64_t chooseMargin(mlir::ModuleOp module, const CostModel &cost, int64_t limit) {
    int64_t best = 0, least = std::numeric_limits<int64_t>::max();
    for (int64_t attempt = 0; attempt < kAttempts && least > limit; ++attempt) {
      const int64_t margin = limit * attempt / 1000 * kStepPermille;
      mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
      setMargin(*copy, margin);
      rebuild(*copy, cost);
      const std::optional<int64_t> peak = assignedPeak(*copy);
      if (!peak)
        break;
      if (*peak < least)
        best = margin, least = *peak;
    }
    return best;
  }

  // Of `module` after the passes that follow, whether or not they complain of the limit.
  std::optional<int64_t> assignedPeak(mlir::ModuleOp module) {
    mlir::ScopedDiagnosticHandler silent(&getContext(), [](mlir::Diagnostic &) {});
    mlir::PassManager passes(&getContext());
    passes.enableVerifier(false);
    for (auto create :
         {createPairInPlacePass, createInsertCopiesPass, createLatencyHidingSchedulePass,
          createRotateLoopStatePass, createAssignStreamsPass, createAssignBuffersPass})
      passes.addPass(create());
    (void)passes.run(module);
    auto peak = module->getAttrOfType<mlir::IntegerAttr>("tandem.peak_bytes");
    return peak ? std::optional(peak.getInt()) : std::nullopt;
  }

  size_t rebuild(mlir::ModuleOp module, const CostModel &cost) {
    size_t number = 0;
    for (auto func : module.getOps<mlir::func::FuncOp>()) {
      if (func.isExternal())
        continue;
      RebuildOptions options;
      options.limitBytes = memoryBesideArguments(func).value_or(options.limitBytes);
      std::vector<Rebuild> rebuilds = planRebuilds(func, cost, options);
      std::vector<KernelOp> made(rebuilds.size());
      for (unsigned i = 0; i < rebuilds.size(); ++i)
        make(rebuilds, i, made);
      number += rebuilds.size();
      removeUnused(rebuilds);
    }
    return number;
  }

  // After those that it reads.
  void make(llvm::ArrayRef<Rebuild> rebuilds, unsigned number, std::vector<KernelOp> &made) {
    if (made[number])
      return;
    const Rebuild &rebuild = rebuilds[number];
    for (auto [value, source] : rebuild.inputs)
      make(rebuilds, source, made);
    KernelOp kernel = rebuild.kernel;
    mlir::OpBuilder builder(rebuild.before);
    KernelOp clone = cloneWithResults(builder, kernel, rebuild.results);
    clone->setLoc(withCause(kernel.getLoc(), makeCause(&getContext(), "computed again, not kept")));
    auto outputOf = [&](unsigned source, Value value) {
      unsigned result = llvm::cast<mlir::OpResult>(value).getResultNumber();
      size_t at = llvm::find(rebuilds[source].results, result) - rebuilds[source].results.begin();
      return made[source].getOutputs()[at];
    };
    for (auto [value, source] : rebuild.inputs)
      clone->replaceUsesOfWith(value, outputOf(source, value));
    made[number] = clone;
    for (auto [at, result] : llvm::enumerate(rebuild.results)) {
      Value original = kernel.getOutputs()[result];
      for (Operation *user : rebuild.users[at])
        user->walk(
            [&](Operation *inner) { inner->replaceUsesOfWith(original, clone.getOutputs()[at]); });
    }
  }

  // Results that only later computations of the same are used of are not computed the first time.
  static void removeUnused(llvm::ArrayRef<Rebuild> rebuilds) {
    llvm::SetVector<Operation *> kernels;
    for (const Rebuild &rebuild : rebuilds)
      kernels.insert(rebuild.kernel);
    for (Operation *op : kernels) {
      auto kernel = llvm::cast<KernelOp>(op);
      llvm::SmallVector<unsigned> used;
      for (auto [number, output] : llvm::enumerate(kernel.getOutputs()))
        if (!output.use_empty())
          used.push_back(number);
      if (used.size() == kernel.getOutputs().size())
        continue;
      if (!used.empty()) {
        mlir::OpBuilder builder(kernel);
        KernelOp smaller = cloneWithResults(builder, kernel, used);
        for (auto [at, number] : llvm::enumerate(used))
          kernel.getOutputs()[number].replaceAllUsesWith(smaller.getOutputs()[at]);
      }
      kernel->erase();
    }
  }
};

} // namespace
} // namespace tandem
