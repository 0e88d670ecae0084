// Gives structurally equal kernels one symbol, so that each is compiled once.
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "passes/Lower/Passes.h"
#include "passes/Lower/ProgramParts.h"
#include "tandem/Codegen/Kernels.h"
#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {
#define GEN_PASS_DEF_SHAREKERNELSPASS
#define GEN_PASS_DEF_VERIFYLOWERPASS
#include "passes/Lower/Passes.h.inc"

namespace {

using mlir::Operation;

// "tanh": the last op of the body that computes something, which most often is what the kernel
// was fused around.
llvm::StringRef namingOp(KernelOp kernel) {
  llvm::StringRef name = "copy";
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (op.getNumResults() && op.getNumOperands()) name = op.getName().stripDialect();
  return name;
}

struct ShareKernels : impl::ShareKernelsPassBase<ShareKernels> {
  void runOnOperation() override {
    llvm::DenseMap<uint64_t, llvm::SmallVector<KernelOp, 1>> byHash;
    unsigned count = 0;
    getOperation().walk([&](KernelOp kernel) {
      ++numKernels;
      llvm::SmallVector<KernelOp, 1> &candidates =
          byHash[static_cast<uint64_t>(kernelHash(kernel))];
      for (KernelOp earlier : candidates)
        if (kernelsEqual(earlier, kernel)) {
          kernel.setSymbolAttr(earlier.getSymbolAttr());
          return;
        }
      candidates.push_back(kernel);
      ++numUnique;
      std::string symbol = ("k" + llvm::Twine(count++) + "_" + namingOp(kernel)).str();
      kernel.setSymbol(symbol);
    });
  }
};

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

}  // namespace
}  // namespace tandem
