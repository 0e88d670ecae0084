// Checks that phase 2 left no value without a usable sharding.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Shard/Passes.h"
#include "tandem/IR/Shardy/ShardingAccess.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Sharding/Sharding.h"

namespace tandem {
#define GEN_PASS_DEF_VERIFYSHARDPASS
#include "passes/Shard/Passes.h.inc"

using namespace mlir;
namespace {

struct VerifyShardPass : impl::VerifyShardPassBase<VerifyShardPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<MeshSet> meshes = MeshSet::get(module);
    if (failed(meshes))
      return signalPassFailure();
    if (meshes->empty() || module->hasAttr("tandem.unpartitioned"))
      return;
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main) {
      module.emitError() << "no function @main";
      return signalPassFailure();
    }
    bool ok = true;
    auto check = [&](Operation *op, Type type, sdy::TensorShardingAttr attr, const Twine &what,
                     bool mustBeClosed) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor)
        return;
      if (!attr) {
        op->emitError() << what << " has no sharding after phase shard";
        ok = false;
        return;
      }
      FailureOr<Sharding> sharding = Sharding::get(attr, tensor.getRank(), *meshes, op);
      if (failed(sharding)) {
        ok = false;
      } else if (!sharding->divides(tensor, meshes->getMain()) ||
                 (mustBeClosed && !attr.isFullyClosed())) {
        op->emitError() << what << " has sharding " << attr << ", which is open or does not "
                        << "divide " << tensor << " evenly";
        ok = false;
      }
    };
    for (BlockArgument arg : main.getArguments())
      check(main, arg.getType(), sdy::getSharding(arg), "argument " + Twine(arg.getArgNumber()),
            true);
    for (auto [index, type] : llvm::enumerate(main.getResultTypes()))
      check(main, type, sdy::getFuncResultSharding(main, index), "result " + Twine(index), true);
    checkBlock(main.getBody().front(), check);
    if (!ok)
      signalPassFailure();
  }

  template <typename Check> void checkBlock(Block &block, Check &check) {
    for (Operation &op : block) {
      if (auto manual = dyn_cast<sdy::ManualComputationOp>(op)) {
        checkBlock(manual.getBody().front(), check);
        continue;
      }
      for (Value result : op.getResults())
        check(&op, result.getType(), sdy::getSharding(result), "result", true);
      if (isa<stablehlo::WhileOp, stablehlo::CaseOp, stablehlo::IfOp>(op))
        for (Region &region : op.getRegions())
          checkBlock(region.front(), check);
    }
  }
};

} // namespace
} // namespace tandem
