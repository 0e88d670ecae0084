// One constant per use: users are visited last to first, so a broadcast is cloned before
// the constant it reads.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Shard/Passes.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Sharding/Mesh.h"

namespace tandem {
#define GEN_PASS_DEF_SPLITCONSTANTSPASS
#include "passes/Shard/Passes.h.inc"

using namespace mlir;
namespace {

/// A constant, an iota, or a broadcast or splat-like rearrangement of one.
bool isConstantExpression(Operation *op) {
  if (isa<stablehlo::ConstantOp, sdy::ConstantOp, stablehlo::IotaOp>(op))
    return true;
  if (!isa<stablehlo::BroadcastInDimOp>(op))
    return false;
  Operation *def = op->getOperand(0).getDefiningOp();
  return def && isConstantExpression(def);
}

struct SplitConstantsPass : impl::SplitConstantsPassBase<SplitConstantsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<MeshSet> meshes = MeshSet::get(module);
    if (failed(meshes))
      return signalPassFailure();
    if (meshes->empty() || module->hasAttr("tandem.unpartitioned"))
      return;
    for (auto func : module.getOps<func::FuncOp>()) {
      SmallVector<Operation *> ops;
      func.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (op->getNumResults() == 1 && isConstantExpression(op) &&
            cast<RankedTensorType>(op->getResult(0).getType()).getRank() > 0)
          ops.push_back(op);
      });
      for (Operation *op : llvm::reverse(ops))
        split(op);
    }
  }

  void split(Operation *op) {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getResult(0).getUses())
      uses.push_back(&use);
    if (uses.size() < 2)
      return;
    // Uses are listed last first; the original serves the first one.
    uses.pop_back();
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    for (OpOperand *use : uses) {
      use->set(b.clone(*op)->getResult(0));
      ++numClones;
    }
  }
};

} // namespace
} // namespace tandem
