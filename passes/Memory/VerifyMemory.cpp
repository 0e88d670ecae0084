// Checks that no reason of tandem-insert-copies is left.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Memory/Passes.h"
#include "tandem/Analysis/CopyNeeds.h"
#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {
#define GEN_PASS_DEF_VERIFYMEMORYPASS
#include "passes/Memory/Passes.h.inc"

namespace {

struct VerifyMemory : impl::VerifyMemoryPassBase<VerifyMemory> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<mlir::func::FuncOp>()) {
      if (func.isExternal())
        continue;
      for (const CopyNeed &need : findCopyNeeds(func)) {
        mlir::InFlightDiagnostic error = need.operand->getOwner()->emitOpError()
                                         << "operand " << need.operand->getOperandNumber() << " "
                                         << describe(need.reason)
                                         << ", expected a tandem.copy (run tandem-insert-copies)";
        signalPassFailure();
      }
    }
  }
};

} // namespace
} // namespace tandem
