// The module as one device's whole program: manual computations expanded, shardings gone.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Partition/ManualExpander.h"
#include "passes/Partition/Passes.h"
#include "tandem/IR/Shardy/ShardingAccess.h"
#include "tandem/IR/Tandem/FunctionAttrs.h"

namespace tandem {
#define GEN_PASS_DEF_EXPANDMANUALPASS
#include "passes/Partition/Passes.h.inc"

using namespace mlir;
namespace {

struct ExpandManualPass : impl::ExpandManualPassBase<ExpandManualPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<MeshSet> meshes = MeshSet::get(module);
    if (failed(meshes))
      return signalPassFailure();
    if (!meshes->empty() && !module->hasAttr("tandem.unpartitioned"))
      return;
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main) {
      module.emitError() << "no function @main";
      return signalPassFailure();
    }
    SmallVector<sdy::ManualComputationOp> outermost;
    main.walk<WalkOrder::PreOrder>([&](sdy::ManualComputationOp op) {
      outermost.push_back(op);
      return WalkResult::skip();
    });
    ManualExpander expander(*meshes);
    for (sdy::ManualComputationOp op : outermost)
      if (failed(expander.expand(op)))
        return signalPassFailure();
    numManual += outermost.size();
    numCollectives += expander.numCollectives;
    dropShardings(module, main);
  }

  void dropShardings(ModuleOp module, func::FuncOp main) {
    MLIRContext *ctx = &getContext();
    OpBuilder b(ctx);
    main.walk([&](Operation *op) {
      op->removeAttr(sdy::kShardingAttr);
      op->removeAttr(sdy::kShardingRuleAttr);
      if (isa<sdy::ShardingConstraintOp, sdy::ReshardOp>(op)) {
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
        op->erase();
      } else if (isa<sdy::ShardingGroupOp>(op)) {
        op->erase();
      } else if (auto constant = dyn_cast<sdy::ConstantOp>(op)) {
        b.setInsertionPoint(op);
        op->getResult(0).replaceAllUsesWith(
            stablehlo::ConstantOp::create(b, op->getLoc(), constant.getValue()));
        op->erase();
      } else if (isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp>(op)) {
        b.setInsertionPoint(op);
        auto type = cast<RankedTensorType>(op->getResult(0).getType());
        op->getResult(0).replaceAllUsesWith(stablehlo::ConstantOp::create(
            b, op->getLoc(), cast<ElementsAttr>(DenseElementsAttr::get(type, APInt(32, 0)))));
        op->erase();
      }
    });
    FunctionAttrs attrs(main);
    for (auto [index, type] : llvm::enumerate(main.getArgumentTypes())) {
      attrs.argument(index).erase(sdy::kShardingAttr);
      attrs.argument(index).set("tandem.global_type", TypeAttr::get(type));
    }
    for (auto [index, type] : llvm::enumerate(main.getResultTypes())) {
      attrs.result(index).erase(sdy::kShardingAttr);
      attrs.result(index).set("tandem.global_type", TypeAttr::get(type));
    }
    attrs.apply();
    for (auto mesh : llvm::make_early_inc_range(module.getOps<sdy::MeshOp>()))
      mesh.erase();
    module->setAttr("tandem.num_devices", b.getI64IntegerAttr(1));
  }
};

} // namespace
} // namespace tandem
