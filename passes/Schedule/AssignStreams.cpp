// Puts every op on a stream.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Schedule/Passes.h"
#include "tandem/Analysis/Aliasing.h"
#include "tandem/Cost/CostModel.h"
#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {
#define GEN_PASS_DEF_ASSIGNSTREAMSPASS
#include "passes/Schedule/Passes.h.inc"

namespace {

using mlir::Operation;

struct AssignStreams : impl::AssignStreamsPassBase<AssignStreams> {
  void runOnOperation() override {
    llvm::FailureOr<CostModel> cost = CostModel::forModule(getOperation());
    if (mlir::failed(cost))
      return signalPassFailure();
    mlir::MLIRContext *context = &getContext();
    auto compute = StreamAttr::get(context, StreamKind::Compute, 0);
    for (auto func : getOperation().getOps<mlir::func::FuncOp>()) {
      if (func.isExternal())
        continue;
      forEachOp(func, [&](Operation *op) {
        StreamAttr stream = compute;
        if (auto start = llvm::dyn_cast<StartOp>(op)) {
          Operation *first = start.getCollective();
          if (CostModel::isCollective(first)) {
            stream = StreamAttr::get(context, StreamKind::Communication, cost->linkLevel(first));
            ++numCommunication;
          } else {
            stream = StreamAttr::get(context, StreamKind::Copy, 0);
          }
        }
        op->setAttr(kStreamAttr, stream);
      });
    }
  }
};

} // namespace
} // namespace tandem
