// Turns custom calls and device ids into tandem ops.

#include "passes/Fuse/Passes.h"

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

using namespace mlir;

namespace tandem {
#define GEN_PASS_DEF_FORMCALLSPASS
#include "passes/Fuse/Passes.h.inc"

namespace {

/// JAX leaves the configuration of typed calls in this discardable attribute.
constexpr StringLiteral kConfigAttr = "mhlo.backend_config";

DictionaryAttr getConfig(stablehlo::CustomCallOp op) {
  if (auto config = op->getAttrOfType<DictionaryAttr>(kConfigAttr))
    return config;
  Attribute config = op.getBackendConfigAttr();
  if (auto dictionary = dyn_cast_or_null<DictionaryAttr>(config))
    return dictionary;
  auto text = dyn_cast_or_null<StringAttr>(config);
  if (!text || text.empty())
    return nullptr;
  Builder builder(op.getContext());
  return builder.getDictionaryAttr(builder.getNamedAttr("backend_config", text));
}

struct FormCallsPass : impl::FormCallsPassBase<FormCallsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<stablehlo::CustomCallOp, stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto call = dyn_cast<stablehlo::CustomCallOp>(op)) {
        if (failed(formCall(call)))
          return signalPassFailure();
        ++numCalls;
        continue;
      }
      OpBuilder builder(op);
      op->replaceAllUsesWith(DeviceIdOp::create(builder, op->getLoc()));
      op->erase();
    }
  }

  static LogicalResult formCall(stablehlo::CustomCallOp op) {
    auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
    if (!llvm::all_of(op->getOperandTypes(), isTensor) ||
        !llvm::all_of(op->getResultTypes(), isTensor))
      return op.emitError("expected a custom call on tensors, found ")
             << FunctionType::get(op.getContext(), op->getOperandTypes(), op->getResultTypes());

    SmallVector<int64_t> aliases;
    for (Attribute attr : op.getOutputOperandAliases()) {
      auto alias = cast<stablehlo::OutputOperandAliasAttr>(attr);
      if (alias.getOutputTupleIndices().size() > 1 || !alias.getOperandTupleIndices().empty())
        return op.emitError("expected aliases of tensors, found one inside of a tuple");
      aliases.push_back(
          alias.getOutputTupleIndices().empty() ? 0 : alias.getOutputTupleIndices().front());
      aliases.push_back(alias.getOperandIndex());
    }

    OpBuilder builder(op);
    auto call = CallOp::create(builder, op.getLoc(), op->getResultTypes(),
                               op.getCallTargetName(), op.getInputs());
    if (DictionaryAttr config = getConfig(op))
      call.setConfigAttr(config);
    call.setHasSideEffect(op.getHasSideEffect());
    if (!aliases.empty())
      call.setOperandAliases(aliases);
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (attr.getName() != kConfigAttr)
        call->setDiscardableAttr(attr.getName(), attr.getValue());
    op->replaceAllUsesWith(call.getOutputs());
    op->erase();
    return success();
  }
};

} // namespace
} // namespace tandem
