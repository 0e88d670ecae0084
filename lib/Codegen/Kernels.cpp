// compileKernels: distributes kernels over modules and compiles these side by side.

#include "tandem/Codegen/Kernels.h"

#include "KernelCache.h"
#include "KernelEmitter.h"
#include "Lowering.h"

#include "tandem/Codegen/KernelOps.h"

#include "llvm/Support/ThreadPool.h"

using namespace mlir;

namespace tandem {
namespace {

std::string symbolOf(KernelOp kernel, unsigned index) {
  if (auto symbol = kernel.getSymbol())
    return symbol->str();
  return "kernel_" + std::to_string(index);
}

llvm::Error checkEmittable(KernelOp kernel) {
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (!canEmit(&op))
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "a kernel cannot hold " + op.getName().getStringRef() +
                                         " of these types: no code is generated for it");
  return llvm::Error::success();
}

void loadDialects(MLIRContext &context) {
  DialectRegistry registry;
  registerKernelDialects(registry);
  context.appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context.getOrLoadDialect(name);
}

} // namespace

OwningOpRef<ModuleOp> emitKernels(llvm::ArrayRef<KernelOp> kernels,
                                  const TargetFeatures &features) {
  loadDialects(*KernelOp(kernels.front())->getContext());
  OwningOpRef<ModuleOp> module(ModuleOp::create(KernelOp(kernels.front()).getLoc()));
  for (auto [index, kernel] : llvm::enumerate(kernels))
    codegen::KernelEmitter::emit(kernel, symbolOf(kernel, index), *module,
                                 codegen::kernelTarget(features));
  return module;
}

llvm::Expected<CompiledKernels> compileKernels(llvm::ArrayRef<KernelOp> kernels,
                                               const TargetFeatures &features,
                                               const KernelOptions &options) {
  CompiledKernels compiled;
  if (kernels.empty())
    return compiled;
  for (KernelOp kernel : kernels)
    if (llvm::Error error = checkEmittable(kernel))
      return std::move(error);
  MLIRContext &context = *KernelOp(kernels.front())->getContext();
  loadDialects(context);

  // The largest first, each to the module with the least so far: the same for every run.
  unsigned count = std::max<size_t>(1, std::min<size_t>(options.threads, kernels.size()));
  llvm::SmallVector<std::pair<unsigned, unsigned>> bySize;
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    unsigned size = 4;
    KernelOp(kernel).getBody().walk([&](Operation *) { ++size; });
    bySize.push_back({size, unsigned(index)});
  }
  llvm::sort(bySize, [](auto a, auto b) {
    return std::tuple(b.first, a.second) < std::tuple(a.first, b.second);
  });
  std::vector<std::vector<unsigned>> members(count);
  std::vector<unsigned> load(count);
  compiled.kernels.resize(kernels.size());
  for (auto [size, index] : bySize) {
    unsigned least = llvm::min_element(load) - load.begin();
    load[least] += size;
    members[least].push_back(index);
    compiled.kernels[index] = {symbolOf(kernels[index], index), least};
  }

  std::vector<llvm::Expected<std::string>> objects;
  for (unsigned i = 0; i < count; ++i)
    objects.push_back(std::string());
  const codegen::KernelCache cache;
  auto compileModule = [&](unsigned i) {
    llvm::consumeError(objects[i].takeError());
    std::sort(members[i].begin(), members[i].end());
    std::string key;
    if (cache.isEnabled()) {
      llvm::SmallVector<KernelOp> ops;
      llvm::SmallVector<std::string> symbols;
      for (unsigned index : members[i]) {
        ops.push_back(kernels[index]);
        symbols.push_back(compiled.kernels[index].symbol);
      }
      key = codegen::KernelCache::keyOf(ops, symbols, features);
      std::optional<codegen::CachedObject> found = cache.find(key);
      if (found && found->units.size() == members[i].size()) {
        for (auto [index, units] : llvm::zip_equal(members[i], found->units))
          compiled.kernels[index].units = units;
        objects[i] = std::move(found->bytes);
        return;
      }
    }
    OwningOpRef<ModuleOp> module = ModuleOp::create(KernelOp(kernels.front()).getLoc());
    for (unsigned index : members[i])
      compiled.kernels[index].units = codegen::KernelEmitter::emit(
          kernels[index], compiled.kernels[index].symbol, *module, codegen::kernelTarget(features));
    if (llvm::Error error = codegen::lowerToLLVMDialect(*module))
      objects[i] = std::move(error);
    else
      objects[i] = codegen::generateObject(*module, features);
    if (objects[i] && !key.empty()) {
      codegen::CachedObject object{*objects[i], {}};
      for (unsigned index : members[i])
        object.units.push_back(compiled.kernels[index].units);
      cache.store(key, object);
    }
  };
  if (count > 1 && context.isMultithreadingEnabled()) {
    llvm::StdThreadPool pool(llvm::hardware_concurrency(count));
    for (unsigned i = 0; i < count; ++i)
      pool.async([&, i] { compileModule(i); });
    pool.wait();
  } else {
    for (unsigned i = 0; i < count; ++i)
      compileModule(i);
  }
  llvm::Error errors = llvm::Error::success();
  for (llvm::Expected<std::string> &object : objects) {
    if (object)
      compiled.objects.push_back({std::move(*object)});
    else
      errors = llvm::joinErrors(std::move(errors), object.takeError());
  }
  if (errors)
    return std::move(errors);
  return compiled;
}

} // namespace tandem
