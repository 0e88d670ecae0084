// The partition pass: runs the Partitioner on @main and sweeps what it made in vain.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Partition/Partitioner.h"
#include "passes/Partition/Passes.h"
#include "tandem/Cost/CostModel.h"

namespace tandem {
#define GEN_PASS_DEF_PARTITIONPASS
#include "passes/Partition/Passes.h.inc"

using namespace mlir;
namespace {

/// Erases ops nobody reads, users before producers.
void sweep(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        sweep(inner);
  }
}

struct PartitionPass : impl::PartitionPassBase<PartitionPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<MeshSet> meshes = MeshSet::get(module);
    if (failed(meshes))
      return signalPassFailure();
    if (meshes->empty() || module->hasAttr("tandem.unpartitioned"))
      return;
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main) {
      module.emitError() << "no function @main to partition";
      return signalPassFailure();
    }
    StringRef dtype;
    if (auto attr = module->getAttrOfType<StringAttr>("tandem.reduction_dtype"))
      dtype = attr.getValue();
    FailureOr<CostModel> cost = CostModel::forModule(module);
    if (failed(cost))
      return signalPassFailure();
    Partitioner partitioner(main, *meshes, dtype, cost->getTarget());
    if (failed(partitioner.run()))
      return signalPassFailure();
    sweep(main.getBody().front());
    numCollectives += partitioner.getNumCollectives();
    numReplicated += partitioner.numReplicated;
    module->setAttr("tandem.num_devices", IntegerAttr::get(IntegerType::get(&getContext(), 64),
                                                           meshes->getMain().getNumDevices()));
  }
};

} // namespace
} // namespace tandem
