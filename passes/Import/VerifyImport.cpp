// Checks the module after phase 1, with messages a user can act on.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "passes/Import/Passes.h"
#include "tandem/Codegen/KernelOps.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "llvm/Support/MathExtras.h"

namespace tandem {
#define GEN_PASS_DEF_VERIFYIMPORTPASS
#include "passes/Import/Passes.h.inc"

using namespace mlir;
namespace {

LogicalResult checkType(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return op->emitError() << "value of type " << type
                           << " is not supported; expected ranked tensors only";
  if (!tensor.hasStaticShape())
    return op->emitError() << "dynamic shapes are not supported: found " << type
                           << "; export the program with concrete shapes";
  if (Type element = tensor.getElementType(); !isKernelElementType(element))
    return op->emitError() << "element type " << element
                           << " is not supported (quantised types are out of scope); expected "
                              "integers of 1, 2, 4, 8, 16, 32 or 64 bits, floats of 8 to 64 bits, "
                              "or complex numbers of f32 or f64";
  int64_t bytes = 16; // no element has more
  for (int64_t size : tensor.getShape())
    if (size != 0 && llvm::MulOverflow(bytes, size, bytes))
      return op->emitError() << "value of type " << type << " is larger than any address space";
  return success();
}

LogicalResult checkOp(Operation *op) {
  if (isa<func::CallOp, stablehlo::CompositeOp>(op))
    return op->emitError() << "calls must be inlined by tandem-inline-calls before this point";
  StringRef dialect = op->getName().getDialectNamespace();
  if (!llvm::is_contained({"stablehlo", "chlo", "sdy", "func", "tandem"}, dialect))
    return op->emitError() << "op '" << op->getName()
                           << "' is not known to the compiler; expected ops of the "
                              "stablehlo, chlo and sdy dialects";
  StringRef name = op->getName().stripDialect();
  if (dialect == "stablehlo" &&
      (name.starts_with("dynamic_broadcast") || name.starts_with("dynamic_reshape") ||
       name.starts_with("dynamic_iota") || name.starts_with("dynamic_pad") ||
       name.starts_with("dynamic_gather") || name.starts_with("dynamic_conv") ||
       name.starts_with("real_dynamic") || name.starts_with("set_dimension_size") ||
       name.starts_with("uniform_")))
    return op->emitError() << "op '" << op->getName()
                           << "' needs dynamic shapes or quantisation, which are not "
                              "supported; export the program with concrete shapes";
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op)) {
    StringRef target = call.getCallTargetName();
    if (target == "Sharding" || target == "SPMDFullToShardShape" ||
        target == "SPMDShardToFullShape")
      return op->emitError()
             << "custom call @" << target
             << " belongs to the GSPMD lowering, which is not read yet; lower with the "
                "Shardy partitioner (jax_use_shardy_partitioner=True)";
  }
  for (Type type : op->getOperandTypes())
    if (failed(checkType(op, type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(checkType(op, type)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (failed(checkType(op, type)))
          return failure();
  return success();
}

struct VerifyImportPass : impl::VerifyImportPassBase<VerifyImportPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main || !main.getBody().hasOneBlock()) {
      module.emitError() << "expected a function @main with one block";
      return signalPassFailure();
    }
    bool ok = true;
    llvm::SmallPtrSet<Attribute, 4> called;
    main.walk([&](stablehlo::CustomCallOp op) {
      for (Attribute callee : op.getCalledComputations())
        called.insert(cast<FlatSymbolRefAttr>(callee).getAttr());
    });
    for (auto func : module.getOps<func::FuncOp>())
      if (func != main && !called.contains(func.getSymNameAttr())) {
        func.emitError() << "only @main may be left after import";
        ok = false;
      }
    main.getBody().walk([&](Operation *op) { ok &= succeeded(checkOp(op)); });
    for (Type type : main.getArgumentTypes())
      ok &= succeeded(checkType(main, type));
    if (!ok)
      signalPassFailure();
  }
};

} // namespace
} // namespace tandem
