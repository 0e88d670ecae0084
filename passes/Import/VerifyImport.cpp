// Checks the module after phase 1, with messages a user can act on.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "passes/Import/Passes.h"
#include "tandem/Codegen/KernelOps.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "tandem/Sharding/Mesh.h"
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

// The devices are those of the mesh; without one there is one device.
LogicalResult checkDevices(Operation *op, const MeshSet &meshes) {
  const int64_t numDevices = meshes.empty() ? 1 : meshes.getMain().getNumDevices();
  for (StringRef name : {"replica_groups", "source_target_pairs"}) {
    auto ids = op->getAttrOfType<DenseIntElementsAttr>(name);
    if (!ids)
      continue;
    for (int64_t device : ids.getValues<int64_t>()) {
      if (device < numDevices)
        continue;
      InFlightDiagnostic error = op->emitError() << "names device " << device << " of a program ";
      if (meshes.empty())
        return error << "without a mesh, which runs on device 0; expected an sdy.mesh with all "
                        "devices";
      return error << "on mesh @" << meshes.getMain().getName().getValue() << " with " << numDevices
                   << " devices; expected ids in " << name << " from 0 to " << numDevices - 1;
    }
  }
  return success();
}

// What plays a program over plays each loop twice, those inside it four times, and so on.
LogicalResult checkLoops(Operation *op) {
  constexpr int kMaxLoops = 16;
  if (!isa<stablehlo::WhileOp, LoopOp>(op))
    return success();
  int loops = 0;
  for (Operation *at = op; at; at = at->getParentOp())
    loops += isa<stablehlo::WhileOp, LoopOp>(at);
  if (loops != kMaxLoops + 1) // once for all that are inside
    return success();
  return op->emitError() << "loops are nested deeper than " << kMaxLoops << ", expected fewer";
}

int64_t bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && isKernelElementType(tensor.getElementType())
             ? getByteSize(tensor)
             : 0; // refused as it is
}

// Each aliased result is one of the program's, fits its argument, and has no other.
bool checkAliases(func::FuncOp main) {
  bool ok = true;
  llvm::DenseMap<int64_t, unsigned> taken;
  for (unsigned index = 0; index < main.getNumArguments(); ++index) {
    Attribute attribute = main.getArgAttr(index, "tf.aliasing_output");
    if (!attribute)
      continue;
    auto alias = dyn_cast<IntegerAttr>(attribute);
    if (!alias || alias.getValue().isNegative() || alias.getValue().uge(main.getNumResults())) {
      main.emitError() << "argument " << index << ": tf.aliasing_output is " << attribute
                       << ", expected the number of one of the " << main.getNumResults()
                       << " results";
      ok = false;
    } else if (auto [it, isNew] = taken.try_emplace(alias.getInt(), index); !isNew) {
      main.emitError() << "arguments " << it->second << " and " << index
                       << " both have tf.aliasing_output " << alias.getInt()
                       << ", expected one at most";
      ok = false;
    } else {
      Type argument = main.getArgumentTypes()[index],
           result = main.getResultTypes()[alias.getInt()];
      int64_t bytes = bytesOf(argument), resultBytes = bytesOf(result);
      if (bytes != resultBytes) {
        main.emitError() << "argument " << index << " of type " << argument << ", " << bytes
                         << " bytes, has tf.aliasing_output " << alias.getInt()
                         << ", which is of type " << result << ", " << resultBytes
                         << " bytes; expected a result of as many bytes";
        ok = false;
      } else if (argument != result) {
        mlir::emitWarning(main.getLoc())
            << "argument " << index << " of type " << argument << " has tf.aliasing_output "
            << alias.getInt() << ", which is of type " << result
            << ": the result is not written over it; expected a result of its type";
      }
    }
  }
  return ok;
}

struct VerifyImportPass : impl::VerifyImportPassBase<VerifyImportPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main || !main.getBody().hasOneBlock()) {
      (main ? main : module.getOperation())->emitError()
          << "expected a function @main with one block";
      return signalPassFailure();
    }
    bool ok = checkAliases(main);
    FailureOr<MeshSet> meshes = MeshSet::get(module);
    if (failed(meshes))
      return signalPassFailure();
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
    for (Type type : main.getArgumentTypes())
      ok &= succeeded(checkType(main, type));
    main.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      ok &= succeeded(checkOp(op)) && succeeded(checkDevices(op, *meshes)) &&
            succeeded(checkLoops(op));
    });
    if (!ok)
      signalPassFailure();
  }
};

} // namespace
} // namespace tandem
