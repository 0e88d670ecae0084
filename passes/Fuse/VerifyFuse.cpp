// Checks the state after phase 5.

#include "passes/Fuse/Passes.h"
#include "passes/Fuse/Waits.h"

#include "tandem/Codegen/GemmShape.h"
#include "tandem/Codegen/KernelOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tandem {
#define GEN_PASS_DEF_VERIFYFUSEPASS
#include "passes/Fuse/Passes.h.inc"

namespace {

struct VerifyFusePass : impl::VerifyFusePassBase<VerifyFusePass> {
  void runOnOperation() override {
    bool valid = true;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      valid &= succeeded(verifyRegion(function.getBody()));
      function.walk([&](Operation *op) {
        if (isa<LoopOp, CaseOp>(op))
          for (Region &region : op->getRegions())
            valid &= succeeded(verifyRegion(region));
      });
    }
    if (!valid)
      signalPassFailure();
  }

  static LogicalResult verifyRegion(Region &region) {
    bool valid = true;
    for (Block &block : region) {
      Waits waits(block);
      for (Operation &op : block)
        valid &= succeeded(verifyOp(&op, waits));
    }
    return success(valid);
  }

  static LogicalResult verifyOp(Operation *op, Waits &waits) {
    if (auto kernel = dyn_cast<KernelOp>(op))
      return verifyKernel(kernel, waits);
    if (auto gemm = dyn_cast<GemmOp>(op)) {
      auto dot = cast<stablehlo::DotGeneralOp>(gemm.getBody().front().front());
      if (!hasGemmTypes(dot) || !getGemmShape(dot))
        return gemm.emitOpError("holds a product that no library reads in place");
      return success();
    }
    if (isa<RematOp>(op))
      return op->emitOpError("expected its region dissolved before phase 5");
    if (isa<TandemDialect>(op->getDialect()) || isa<func::ReturnOp>(op))
      return success();
    if (canEmit(op))
      return op->emitOpError("expected it in a tandem.kernel (run tandem-fuse-kernels)");
    return op->emitOpError("cannot be compiled: neither a kernel nor a library call holds it");
  }

  static LogicalResult verifyKernel(KernelOp kernel, Waits &waits) {
    Block &body = kernel.getBody().front();
    for (Operation &op : body.without_terminator())
      if (!canEmit(&op))
        return op.emitOpError("cannot be compiled as part of a kernel");
    if (kernel.getOutputs().size() < 2)
      return success();

    // What each value of the body waits for; all results must wait for the same.
    llvm::DenseMap<Value, unsigned> sets;
    for (auto [arg, input] : llvm::zip_equal(body.getArguments(), kernel.getInputs()))
      sets[arg] = waits.of(input);
    for (Operation &op : body.without_terminator()) {
      unsigned set = 0;
      op.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          set = waits.unite(set, sets.lookup(operand));
      });
      for (Value result : op.getResults())
        sets[result] = set;
    }
    unsigned all = waits.of(kernel.getOperation());
    for (auto [i, value] : llvm::enumerate(kernel.getYield().getValues()))
      if (sets.lookup(value) != all)
        return kernel.emitOpError("result ")
               << i << " waits for what only another result needs: split the kernel";
    return success();
  }
};

} // namespace
} // namespace tandem
