// Turns stablehlo.if and stablehlo.case into tandem.case.

#include "passes/Overlap/Passes.h"

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

using namespace mlir;

namespace tandem {
#define GEN_PASS_DEF_FORMCASESPASS
#include "passes/Overlap/Passes.h.inc"

namespace {

struct FormCasesPass : impl::FormCasesPassBase<FormCasesPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<stablehlo::IfOp, stablehlo::CaseOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      for (Type type : op->getResultTypes()) {
        if (!isa<RankedTensorType>(type)) {
          op->emitError("expected branches that return tensors, found ") << type;
          return signalPassFailure();
        }
      }
      OpBuilder builder(op);
      if (auto ifOp = dyn_cast<stablehlo::IfOp>(op)) {
        Value index = stablehlo::ConvertOp::create(
            builder, op->getLoc(), RankedTensorType::get({}, builder.getI32Type()), ifOp.getPred());
        formCase(op, index, {&ifOp.getFalseBranch(), &ifOp.getTrueBranch()});
      } else {
        auto caseOp = cast<stablehlo::CaseOp>(op);
        SmallVector<Region *> branches;
        for (Region &branch : caseOp.getBranches())
          branches.push_back(&branch);
        formCase(op, caseOp.getIndex(), branches);
      }
      ++numCases;
    }
  }

  /// Replaces `op` by a case over `branches`, whose bodies move.
  static void formCase(Operation *op, Value index, ArrayRef<Region *> branches) {
    OpBuilder builder(op);
    auto newCase = CaseOp::create(builder, op->getLoc(), op->getResultTypes(), index,
                                  static_cast<unsigned>(branches.size()));
    for (auto [branch, source] : llvm::zip_equal(newCase.getBranches(), branches)) {
      Block &block = branch.front();
      block.getOperations().splice(block.end(), source->front().getOperations());
      Operation *end = &block.back();
      builder.setInsertionPoint(end);
      YieldOp::create(builder, end->getLoc(), end->getOperands());
      end->erase();
    }
    op->replaceAllUsesWith(newCase.getOutputs());
    op->erase();
  }
};

} // namespace
} // namespace tandem
