// Checks that the module can become a Program.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Lower/Passes.h"
#include "passes/Lower/ProgramParts.h"
#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {
#define GEN_PASS_DEF_VERIFYLOWERPASS
#include "passes/Lower/Passes.h.inc"

namespace {

using mlir::Operation;

struct VerifyLower : impl::VerifyLowerPassBase<VerifyLower> {
  void runOnOperation() override {
    auto fail = [&](mlir::InFlightDiagnostic) { signalPassFailure(); };
    auto main = getOperation().lookupSymbol<mlir::func::FuncOp>("main");
    if (!main || main.isExternal() || !main.getBody().hasOneBlock())
      return fail(getOperation().emitError("expected a function @main with one block"));
    main.walk([&](Operation *op) {
      if (auto kernel = llvm::dyn_cast<KernelOp>(op); kernel && !kernel.getSymbol())
        fail(op->emitOpError("has no symbol, expected one (run tandem-share-kernels)"));
      if (auto call = llvm::dyn_cast<CallOp>(op); call && call.getCallTargetName().empty())
        fail(op->emitOpError("names no target"));
      if (llvm::isa<RematOp>(op))
        fail(op->emitOpError("is left, expected its region dissolved by phase memory"));
      for (mlir::Type type : op->getResultTypes())
        if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
            tensor && !dtypeOf(tensor.getElementType()))
          fail(op->emitOpError() << "has a result of type " << type
                                 << ", which no Program can hold");
    });
  }
};

} // namespace
} // namespace tandem
