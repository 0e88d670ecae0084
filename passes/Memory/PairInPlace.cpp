// Decides anew which operand each kernel's result may be written over, now that it is known where
// results must end up.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Memory/Passes.h"
#include "tandem/Analysis/Aliasing.h"
#include "tandem/IR/Tandem/InPlace.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

namespace tandem {
#define GEN_PASS_DEF_PAIRINPLACEPASS
#include "passes/Memory/Passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;

struct PairInPlace : impl::PairInPlacePassBase<PairInPlace> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<mlir::func::FuncOp>()) {
      if (func.isExternal())
        continue;
      Aliasing aliasing(func);
      forEachOp(func, [&](Operation *op) {
        if (auto kernel = llvm::dyn_cast<KernelOp>(op))
          pair(kernel, aliasing);
      });
    }
  }

  void pair(KernelOp kernel, const Aliasing &aliasing) {
    const unsigned numResults = kernel.getOutputs().size();
    llvm::SmallVector<std::optional<unsigned>> chosen(numResults);
    llvm::SmallSet<unsigned, 4> taken;
    auto take = [&](unsigned result, unsigned operand) {
      chosen[result] = operand;
      taken.insert(operand);
    };
    auto mayTake = [&](unsigned result, unsigned operand) {
      Value input = kernel.getInputs()[operand];
      return !taken.contains(operand) &&
             haveSameElements(input.getType(), kernel.getOutputs()[result].getType()) &&
             llvm::count(kernel->getOperands(), input) == 1 && !input.getDefiningOp<ConstantOp>() &&
             !whyNotInPlace(kernel, result, operand);
    };
    // 1. The operand whose bytes the result must end up in.
    for (unsigned result = 0; result < numResults; ++result)
      for (unsigned operand = 0; operand < kernel.getInputs().size() && !chosen[result]; ++operand)
        if (aliasing.mustShare(aliasing.id(kernel.getOutputs()[result]),
                               aliasing.id(kernel.getInputs()[operand])) &&
            mayTake(result, operand))
          take(result, operand);
    // 2. What it had.
    llvm::SmallVector<std::pair<unsigned, unsigned>> before(kernel.getInPlacePairs());
    for (auto [result, operand] : before)
      if (!chosen[result] && !taken.contains(operand))
        take(result, operand);
    // 3. The first operand that nothing else reads.
    for (auto [result, operand] : before)
      for (unsigned other = 0; other < kernel.getInputs().size() && !chosen[result]; ++other)
        if (kernel.getInputs()[other].hasOneUse() && mayTake(result, other))
          take(result, other);

    llvm::SmallVector<int64_t> pairs;
    for (auto [result, operand] : llvm::enumerate(chosen))
      if (operand)
        pairs.append({static_cast<int64_t>(result), static_cast<int64_t>(*operand)});
    if (pairs.empty() || llvm::ArrayRef<int64_t>(pairs) == kernel.getInPlace())
      return;
    kernel.setInPlace(pairs);
    ++numChanged;
  }
};

} // namespace
} // namespace tandem
