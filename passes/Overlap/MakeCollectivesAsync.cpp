// Puts each collective into a tandem.start, followed by its tandem.done.

#include "passes/Overlap/Passes.h"

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tandem {
#define GEN_PASS_DEF_MAKECOLLECTIVESASYNCPASS
#include "passes/Overlap/Passes.h.inc"

namespace {

bool isCollective(Operation *op) {
  return isa<stablehlo::AllGatherOp, stablehlo::AllReduceOp, stablehlo::AllToAllOp,
             stablehlo::CollectiveBroadcastOp, stablehlo::CollectivePermuteOp,
             stablehlo::ReduceScatterOp>(op);
}

struct MakeCollectivesAsyncPass : impl::MakeCollectivesAsyncPassBase<MakeCollectivesAsyncPass> {
  void runOnOperation() override {
    SmallVector<Operation *> collectives;
    getOperation().walk([&](Operation *op) {
      if (isCollective(op) && !isa<StartOp>(op->getParentOp()))
        collectives.push_back(op);
    });
    for (Operation *collective : collectives) {
      if (failed(closeReducer(collective)))
        return signalPassFailure();
      makeAsync(collective);
      ++numStarts;
    }
  }

  /// Copies the constants that a reducer captures into it: a start is isolated.
  static LogicalResult closeReducer(Operation *collective) {
    for (Region &region : collective->getRegions()) {
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(region, captured);
      for (Value value : captured) {
        Operation *constant = value.getDefiningOp();
        if (!constant || !matchPattern(constant, m_Constant()))
          return collective->emitError(
              "the reducer uses a value from outside that is not a constant");
        OpBuilder builder = OpBuilder::atBlockBegin(&region.front());
        replaceAllUsesInRegionWith(value, builder.clone(*constant)->getResult(0), region);
      }
    }
    return success();
  }

  static void makeAsync(Operation *collective) {
    OpBuilder builder(collective);
    Location loc = collective->getLoc();
    llvm::SetVector<Value> inputs(collective->operand_begin(), collective->operand_end());
    auto future =
        FutureType::get(builder.getContext(), SmallVector<Type>(collective->getResultTypes()));
    auto start = StartOp::create(builder, loc, future, inputs.getArrayRef());
    auto done = DoneOp::create(builder, loc, start.getFuture());

    Block &body = start.getBody().front();
    IRMapping mapping;
    mapping.map(inputs.getArrayRef(), body.getArguments());
    builder.setInsertionPointToEnd(&body);
    Operation *inner = builder.clone(*collective, mapping);
    YieldOp::create(builder, loc, inner->getResults());

    collective->replaceAllUsesWith(done.getOutputs());
    collective->erase();
  }
};

} // namespace
} // namespace tandem
