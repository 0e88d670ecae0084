// Finds a result for each argument that is given up without the name of one.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Memory/Passes.h"
#include "tandem/Analysis/Aliasing.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {
#define GEN_PASS_DEF_PAIRDONORSPASS
#include "passes/Memory/Passes.h.inc"

namespace {

constexpr llvm::StringLiteral kAlias = "tf.aliasing_output", kDonor = "jax.buffer_donor";

struct PairDonors : impl::PairDonorsPassBase<PairDonors> {
  void runOnOperation() override {
    auto func = getOperation().lookupSymbol<mlir::func::FuncOp>("main");
    if (!func)
      return;
    llvm::SmallVector<bool> taken(func.getNumResults(), false);
    for (unsigned index = 0; index < func.getNumArguments(); ++index)
      if (auto alias = func.getArgAttrOfType<mlir::IntegerAttr>(index, kAlias))
        if (alias.getValue().ult(taken.size()))
          taken[alias.getInt()] = true;
    for (unsigned index = 0; index < func.getNumArguments(); ++index) {
      auto donor = func.getArgAttrOfType<mlir::BoolAttr>(index, kDonor);
      if (!donor || !donor.getValue() || func.getArgAttr(index, kAlias))
        continue;
      auto results = llvm::seq<unsigned>(0, func.getNumResults());
      auto result = llvm::find_if(results, [&](unsigned number) {
        return !taken[number] && isSameArray(func, index, number);
      });
      if (result == results.end()) {
        mlir::emitWarning(func.getArgument(index).getLoc())
            << "argument " << index << " of type " << func.getArgumentTypes()[index]
            << " is donated (" << kDonor
            << "), but no result of its type and sharding is left to take its bytes";
        continue;
      }
      taken[*result] = true;
      func.setArgAttr(index, kAlias,
                      mlir::IntegerAttr::get(mlir::IntegerType::get(&getContext(), 32), *result));
      ++numPaired;
    }
  }
};

} // namespace
} // namespace tandem
