// Checks the state after phase 4.

#include "passes/Overlap/Passes.h"

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tandem {
#define GEN_PASS_DEF_VERIFYOVERLAPPASS
#include "passes/Overlap/Passes.h.inc"

namespace {

/// What is wrong with `op` after phase 4, or nothing.
StringRef whyNot(Operation *op) {
  return TypeSwitch<Operation *, StringRef>(op)
      .Case<stablehlo::WhileOp>(
          [](auto) { return "expected a tandem.loop (run tandem-form-loops)"; })
      .Case<stablehlo::IfOp, stablehlo::CaseOp>(
          [](auto) { return "expected a tandem.case (run tandem-form-cases)"; })
      .Case<stablehlo::AllGatherOp, stablehlo::AllReduceOp, stablehlo::AllToAllOp,
            stablehlo::CollectiveBroadcastOp, stablehlo::CollectivePermuteOp,
            stablehlo::ReduceScatterOp>([&](auto) -> StringRef {
        if (isa<StartOp>(op->getParentOp()))
          return "";
        return "expected it in a tandem.start (run tandem-make-collectives-async)";
      })
      .Case<stablehlo::CrossReplicaSumOp>(
          [](auto) { return "expected a stablehlo.all_reduce instead"; })
      .Case<stablehlo::SendOp, stablehlo::RecvOp, stablehlo::InfeedOp, stablehlo::OutfeedOp>(
          [](auto) { return "transfers to the host or on a channel are not supported"; })
      .Default([](Operation *) { return ""; });
}

struct VerifyOverlapPass : impl::VerifyOverlapPassBase<VerifyOverlapPass> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (StringRef message = whyNot(op); !message.empty()) {
        op->emitOpError(message);
        signalPassFailure();
      }
    });
  }
};

} // namespace
} // namespace tandem
