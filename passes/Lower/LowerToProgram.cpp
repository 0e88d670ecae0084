// Assembles a Program: interface, constants, kernels, commands.
#include "passes/Lower/LowerToProgram.h"

#include "passes/Lower/CommandEmitter.h"
#include "passes/Lower/ProgramParts.h"
#include "tandem/Analysis/Aliasing.h"
#include "tandem/Codegen/Kernels.h"

namespace tandem {
namespace {

llvm::Error failed(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

int64_t moduleBytes(mlir::ModuleOp module, llvm::StringRef name) {
  auto attr = module->getAttrOfType<mlir::IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

// Fills the constants at the offsets that buffer assignment gave them.
llvm::LogicalResult emitConstants(mlir::func::FuncOp func, program::ProgramT &program) {
  program.constants.assign(
      moduleBytes(func->getParentOfType<mlir::ModuleOp>(), "tandem.constant_bytes"), 0);
  mlir::LogicalResult result = mlir::success();
  llvm::DenseSet<int64_t> written;
  forEachOp(func, [&](mlir::Operation *op) {
    auto constant = llvm::dyn_cast<ConstantOp>(op);
    if (!constant || mlir::failed(result))
      return;
    auto list = op->getAttrOfType<mlir::ArrayAttr>(kBuffersAttr);
    auto buffer = list ? llvm::dyn_cast<BufferAttr>(list[0]) : BufferAttr();
    if (!buffer || buffer.getArena() != Arena::Constant ||
        buffer.getOffset() + buffer.getBytes() > static_cast<int64_t>(program.constants.size())) {
      result = op->emitOpError("has no place in the constant arena (run tandem-assign-buffers)");
      return;
    }
    // An empty constant lies where the next one does.
    if (buffer.getBytes() == 0 || !written.insert(buffer.getOffset()).second)
      return;
    llvm::FailureOr<std::vector<uint8_t>> bytes = constantBytes(constant.getValue());
    if (mlir::failed(bytes)) {
      result = op->emitOpError("holds elements that no Program can hold");
      return;
    }
    std::copy(bytes->begin(), bytes->end(), program.constants.begin() + buffer.getOffset());
  });
  return result;
}

// Compiles one kernel per symbol.
llvm::Error emitKernels(mlir::func::FuncOp func, const CostModel &cost, program::ProgramT &program,
                        llvm::DenseMap<mlir::StringAttr, unsigned> &indices) {
  llvm::SmallVector<KernelOp> unique;
  forEachOp(func, [&](mlir::Operation *op) {
    auto kernel = llvm::dyn_cast<KernelOp>(op);
    if (!kernel || !kernel.getSymbolAttr())
      return;
    if (indices.try_emplace(kernel.getSymbolAttr(), unique.size()).second)
      unique.push_back(kernel);
  });
  if (unique.empty())
    return llvm::Error::success();
  TargetFeatures features = hostFeatures();
  if (!cost.getTarget().cpu.empty()) {
    features.cpu = cost.getTarget().cpu;
    features.features = cost.getTarget().features;
  }
  llvm::Expected<CompiledKernels> compiled = compileKernels(unique, features);
  if (!compiled)
    return compiled.takeError();
  for (KernelObject &object : compiled->objects) {
    auto entry = std::make_unique<program::ObjectT>();
    entry->data.assign(object.bytes.begin(), object.bytes.end());
    program.objects.push_back(std::move(entry));
  }
  for (auto [kernel, info] : llvm::zip_equal(unique, compiled->kernels)) {
    auto entry = std::make_unique<program::KernelT>();
    entry->symbol = info.symbol;
    entry->object = info.object;
    entry->units = info.units;
    Work work = cost.work(kernel);
    entry->flops = work.scalarOps + work.matmulFlops;
    entry->bytes = work.memoryBytes;
    program.kernels.push_back(std::move(entry));
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::unique_ptr<program::ProgramT>> lowerToProgram(mlir::ModuleOp module) {
  auto func = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!func || func.isExternal())
    return failed("the module has no function @main");
  llvm::FailureOr<CostModel> cost = CostModel::forModule(module);
  if (mlir::failed(cost))
    return failed("no cost model");

  auto program = std::make_unique<program::ProgramT>();
  program->name = module.getSymName().value_or("main").str();
  program->target = cost->getTarget().toJson();
  program->temp_bytes = moduleBytes(module, "tandem.temp_bytes");
  if (mlir::failed(describeInterface(func, *program)))
    return failed("cannot describe the arguments and results of @main");
  if (mlir::failed(emitConstants(func, *program)))
    return failed("cannot lower the constants");
  llvm::DenseMap<mlir::StringAttr, unsigned> kernels;
  if (llvm::Error error = emitKernels(func, *cost, *program, kernels))
    return std::move(error);
  if (mlir::failed(CommandEmitter(func, *cost, kernels, *program).emit()))
    return failed("cannot lower @main to commands");
  return program;
}

} // namespace tandem
