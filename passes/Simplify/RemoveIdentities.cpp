// Removes identities and unused ops, users before producers, so one sweep is enough.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Simplify/Passes.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

namespace tandem {
#define GEN_PASS_DEF_REMOVEIDENTITIESPASS
#include "passes/Simplify/Passes.h.inc"

using namespace mlir;
namespace {

bool isIota(ArrayRef<int64_t> dims) {
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim != static_cast<int64_t>(i))
      return false;
  return true;
}

/// Whether the op's result is its only operand, bit for bit.
bool isIdentity(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
      op->getOperand(0).getType() != op->getResult(0).getType())
    return false;
  if (isa<stablehlo::ConvertOp, stablehlo::ReshapeOp, stablehlo::BitcastConvertOp>(op))
    return true;
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op))
    return isIota(broadcast.getBroadcastDimensions());
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op))
    return isIota(transpose.getPermutation());
  return false;
}

struct RemoveIdentitiesPass : impl::RemoveIdentitiesPassBase<RemoveIdentitiesPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      for (Block &block : func.getBody())
        sweep(block);
  }

  void sweep(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (isOpTriviallyDead(&op)) {
        op.erase();
        ++numDead;
        continue;
      }
      if (isIdentity(&op) && !op.hasAttr("sdy.sharding")) {
        op.getResult(0).replaceAllUsesWith(op.getOperand(0));
        op.erase();
        ++numIdentities;
        continue;
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          sweep(inner);
    }
  }
};

} // namespace
} // namespace tandem
