// Checks the per-device program.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Partition/Passes.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/Sharding/Sharding.h"

namespace tandem {
#define GEN_PASS_DEF_VERIFYPARTITIONPASS
#include "passes/Partition/Passes.h.inc"

using namespace mlir;
namespace {

LogicalResult checkGroups(Operation *op, int64_t numDevices) {
  if (auto pairs = op->getAttrOfType<DenseIntElementsAttr>("source_target_pairs"))
    for (int64_t device : pairs.getValues<int64_t>())
      if (device < 0 || device >= numDevices)
        return op->emitError() << "pair names device " << device << "; there are " << numDevices;
  auto groups = op->getAttrOfType<DenseIntElementsAttr>("replica_groups");
  if (!groups)
    return success();
  llvm::SmallVector<bool> seen(numDevices);
  for (int64_t device : groups.getValues<int64_t>()) {
    if (device == -1)
      continue; // filler of groups of uneven size
    if (device < 0 || device >= numDevices)
      return op->emitError() << "group names device " << device << "; there are " << numDevices;
    if (seen[device])
      return op->emitError() << "device " << device << " is in more than one group";
    seen[device] = true;
  }
  return success();
}

struct VerifyPartitionPass : impl::VerifyPartitionPassBase<VerifyPartitionPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<MeshSet> meshes = MeshSet::get(module);
    if (failed(meshes))
      return signalPassFailure();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main) {
      module.emitError() << "no function @main";
      return signalPassFailure();
    }
    bool ok = true;
    auto numDevices = module->getAttrOfType<IntegerAttr>("tandem.num_devices");
    if (!numDevices) {
      module.emitError() << "attribute tandem.num_devices is missing after phase partition";
      return signalPassFailure();
    }
    main.getBody().walk([&](Operation *op) {
      if (isa<sdy::SdyDialect>(op->getDialect())) {
        op->emitError() << "sdy ops must be gone after phase partition, except meshes";
        ok = false;
      }
      for (NamedAttribute attr : op->getDiscardableAttrs())
        if (attr.getName().strref().starts_with("sdy.sharding")) {
          op->emitError() << "attribute " << attr.getName()
                          << " must be gone after phase partition";
          ok = false;
        }
      ok &= succeeded(checkGroups(op, numDevices.getInt()));
    });
    auto check = [&](DictionaryAttr attrs, Type type, const Twine &what) {
      auto global = attrs ? attrs.getAs<TypeAttr>("tandem.global_type") : TypeAttr();
      if (!global) {
        main.emitError() << what << " has no tandem.global_type";
        ok = false;
        return;
      }
      auto globalType = cast<RankedTensorType>(global.getValue());
      Type expected = globalType;
      if (auto attr = attrs.getAs<sdy::TensorShardingAttr>("tandem.sharding")) {
        FailureOr<Sharding> sharding = Sharding::get(attr, globalType.getRank(), *meshes, main);
        if (failed(sharding) || meshes->empty() || !sharding->fits(globalType, meshes->getMain())) {
          main.emitError() << what << " has sharding " << attr << ", which has more tiles than "
                           << globalType << " has elements";
          ok = false;
          return;
        }
        expected = sharding->getLocalType(globalType, meshes->getMain());
      }
      if (type != expected) {
        main.emitError() << what << " has local type " << type << "; expected " << expected;
        ok = false;
      }
      if (attrs.get("sdy.sharding")) {
        main.emitError() << what << " still has an sdy.sharding";
        ok = false;
      }
    };
    for (auto [index, type] : llvm::enumerate(main.getArgumentTypes()))
      check(main.getArgAttrDict(index), type, "argument " + Twine(index));
    for (auto [index, type] : llvm::enumerate(main.getResultTypes()))
      check(main.getResultAttrDict(index), type, "result " + Twine(index));
    if (!ok)
      signalPassFailure();
  }
};

} // namespace
} // namespace tandem
