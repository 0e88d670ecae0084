// Runs tandem::Propagation on @main and writes the shardings.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Shard/Passes.h"
#include "tandem/Cost/CostModel.h"
#include "tandem/Sharding/Propagation.h"

namespace tandem {
#define GEN_PASS_DEF_PROPAGATESHARDINGSPASS
#include "passes/Shard/Passes.h.inc"

using namespace mlir;
namespace {

struct PropagateShardingsPass : impl::PropagateShardingsPassBase<PropagateShardingsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<MeshSet> meshes = MeshSet::get(module);
    if (failed(meshes))
      return signalPassFailure();
    if (meshes->empty() || module->hasAttr("tandem.unpartitioned"))
      return;
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main) {
      module.emitError() << "no function @main to shard";
      return signalPassFailure();
    }
    FailureOr<CostModel> cost = CostModel::forModule(module);
    if (failed(cost))
      return signalPassFailure();
    FailureOr<PropagationChoice> choice =
        propagateShardings(main, *meshes, WorkWeights::of(cost->getTarget()));
    if (failed(choice))
      return signalPassFailure();
    numSweeps += choice->sweeps;
    numDataFirst += choice->dataFirst;
    numSharded += choice->propagation->getNumSharded();
    choice->propagation->annotate();
  }
};

} // namespace
} // namespace tandem
