// Computes kernels again where keeping their results would take more than it is worth; RebuildPlan
// decides.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Memory/Passes.h"
#include "passes/Memory/RebuildPlan.h"
#include "tandem/IR/Tandem/Cause.h"

namespace tandem {
#define GEN_PASS_DEF_REBUILDVALUESPASS
#include "passes/Memory/Passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;

struct RebuildValues : impl::RebuildValuesPassBase<RebuildValues> {
  void runOnOperation() override {
    llvm::FailureOr<CostModel> cost = CostModel::forModule(getOperation());
    if (mlir::failed(cost))
      return signalPassFailure();
    for (auto func : getOperation().getOps<mlir::func::FuncOp>()) {
      if (func.isExternal())
        continue;
      RebuildOptions options;
      options.limitBytes = memoryBesideArguments(func).value_or(options.limitBytes);
      std::vector<Rebuild> rebuilds = planRebuilds(func, *cost, options);
      std::vector<KernelOp> made(rebuilds.size());
      for (unsigned number = 0; number < rebuilds.size(); ++number)
        make(rebuilds, number, made);
      numRebuilt += rebuilds.size();
      removeUnused(rebuilds);
    }
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
