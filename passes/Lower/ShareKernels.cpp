// Gives structurally equal kernels one symbol, so that each is compiled once.
#include "mlir/IR/Builders.h"
#include "passes/Lower/Passes.h"
#include "tandem/Codegen/Kernels.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "llvm/ADT/MapVector.h"

namespace tandem {
#define GEN_PASS_DEF_SHAREKERNELSPASS
#include "passes/Lower/Passes.h.inc"

namespace {

using mlir::Operation;

// "tanh": the last op of the body that computes something, which most often is what the kernel
// was fused around.
llvm::StringRef namingOp(KernelOp kernel) {
  llvm::StringRef name = "copy";
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (op.getNumResults() && op.getNumOperands())
      name = op.getName().stripDialect();
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

} // namespace
} // namespace tandem
