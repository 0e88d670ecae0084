// Turns the constants that no kernel took into tandem.constant.

#include "passes/Fuse/Passes.h"

#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tandem {
#define GEN_PASS_DEF_FORMCONSTANTSPASS
#include "passes/Fuse/Passes.h.inc"

namespace {

struct FormConstantsPass : impl::FormConstantsPassBase<FormConstantsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> constants;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What these hold stays as it is.
      if (isa<KernelOp, GemmOp, ConvOp, StartOp>(op))
        return WalkResult::skip();
      if (matchPattern(op, m_Constant()) && !isa<ConstantOp>(op))
        constants.push_back(op);
      return WalkResult::advance();
    });
    for (Operation *op : constants) {
      ElementsAttr value;
      if (op->use_empty()) {
        op->erase();
        continue;
      }
      if (!matchPattern(op, m_Constant(&value)))
        continue;
      OpBuilder builder(op);
      op->replaceAllUsesWith(ConstantOp::create(builder, op->getLoc(), value));
      op->erase();
      ++numConstants;
    }
  }
};

} // namespace
} // namespace tandem
