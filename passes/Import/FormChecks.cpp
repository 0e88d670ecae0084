// check.expect_* -> custom calls that the runtime evaluates.
#include "passes/Import/Passes.h"
#include "tandem/IR/Check/Check.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tandem {
#define GEN_PASS_DEF_FORMCHECKSPASS
#include "passes/Import/Passes.h.inc"

using namespace mlir;
namespace {

/// Replaces `op` by a call of `target` with `want` as the second operand.
void formCall(Operation *op, StringRef target, Value want, ArrayRef<NamedAttribute> config) {
  OpBuilder b(op);
  stablehlo::CustomCallOp::Properties properties;
  properties.setCallTargetName(b.getStringAttr(target));
  properties.setHasSideEffect(b.getBoolAttr(true));
  auto call = stablehlo::CustomCallOp::create(b, op->getLoc(), TypeRange(),
                                              ValueRange{op->getOperand(0), want}, properties);
  if (!config.empty())
    call->setDiscardableAttr("mhlo.backend_config", b.getDictionaryAttr(config));
  op->erase();
}

Value constant(Operation *op, ElementsAttr value) {
  OpBuilder b(op);
  return stablehlo::ConstantOp::create(b, op->getLoc(), value);
}

struct FormChecksPass : impl::FormChecksPassBase<FormChecksPass> {
  void runOnOperation() override {
    SmallVector<Operation *> checks;
    getOperation().walk([&](Operation *op) {
      if (isa_and_nonnull<check::CheckDialect>(op->getDialect()))
        checks.push_back(op);
    });
    Builder b(&getContext());
    auto tolerance = [&](const APFloat &value) {
      return b.getNamedAttr("tolerance", b.getF64FloatAttr(value.convertToDouble()));
    };
    auto ulps = [&](StringRef name, uint64_t value) {
      return b.getNamedAttr(name, b.getI64IntegerAttr(value));
    };
    for (Operation *check : checks)
      TypeSwitch<Operation *>(check)
          .Case([&](check::ExpectEqOp op) { formCall(op, "check.expect_eq", op.getRhs(), {}); })
          .Case([&](check::ExpectEqConstOp op) {
            formCall(op, "check.expect_eq", constant(op, op.getValue()), {});
          })
          .Case([&](check::ExpectAlmostEqOp op) {
            formCall(op, "check.expect_almost_eq", op.getRhs(), tolerance(op.getTolerance()));
          })
          .Case([&](check::ExpectAlmostEqConstOp op) {
            formCall(op, "check.expect_almost_eq", constant(op, op.getValue()),
                     tolerance(op.getTolerance()));
          })
          .Case([&](check::ExpectCloseOp op) {
            formCall(op, "check.expect_close", op.getExpected(),
                     {ulps("max_ulp_difference", op.getMaxUlpDifference()),
                      ulps("min_ulp_difference", op.getMinUlpDifference())});
          });
    numChecks += checks.size();
  }
};

} // namespace
} // namespace tandem
