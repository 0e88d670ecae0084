// Kernel functions to object code.

#include "Lowering.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>

using namespace mlir;

namespace tandem {

TargetFeatures hostFeatures() {
  TargetFeatures features;
  features.triple = llvm::sys::getProcessTriple();
  features.cpu = llvm::sys::getHostCPUName().str();
  llvm::SmallVector<std::string> names;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    names.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(names);
  features.features = llvm::join(names, ",");
  return features;
}

void registerKernelDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, complex::ComplexDialect,
                  func::FuncDialect, LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect,
                  vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

namespace codegen {
namespace {

llvm::Error failure(const llvm::Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

bool hasFeature(const TargetFeatures &features, StringRef name) {
  llvm::SmallVector<StringRef> names;
  StringRef(features.features).split(names, ',');
  return llvm::is_contained(names, ("+" + name).str());
}

} // namespace

KernelTarget kernelTarget(const TargetFeatures &features) {
  KernelTarget target;
  target.scalesByPowers = hasFeature(features, "avx512f");
  target.ordersZeros = target.scalesByPowers && hasFeature(features, "avx512dq");
  if (target.scalesByPowers)
    target.vectorBytes = 64;
  else if (hasFeature(features, "avx2"))
    target.vectorBytes = 32;
  return target;
}

llvm::Error lowerToLLVMDialect(ModuleOp module) {
  MLIRContext *context = module.getContext();
  {
    // Structured control flow first; what the complex dialect expands to may be control flow
    // again.
    RewritePatternSet patterns(context);
    populateComplexToStandardConversionPatterns(patterns);
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(*context);
    target.addIllegalDialect<scf::SCFDialect, complex::ComplexDialect>();
    target.addLegalOp<complex::CreateOp, complex::ReOp, complex::ImOp, complex::ConstantOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return failure("structured control flow of a kernel cannot be lowered");
  }
  LLVMTypeConverter types(context);
  RewritePatternSet patterns(context);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns);
  populateComplexToLLVMConversionPatterns(types, patterns);
  // Before the C library, whose patterns take vectors apart even where there is an instruction.
  populateMathToLLVMConversionPatterns(types, patterns, /*approximateLog1p=*/false, /*benefit=*/2);
  populateMathToLibmConversionPatterns(patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  if (failed(applyFullConversion(module, target, std::move(patterns))))
    return failure("the body of a kernel cannot be lowered to LLVM");
  return llvm::Error::success();
}

llvm::Expected<std::string> generateObject(ModuleOp module, const TargetFeatures &features) {
  initializeTargets();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(module, context, "kernels");
  if (!llvmModule)
    return failure("a kernel cannot be translated to LLVM IR");

  llvm::Triple triple(features.triple.empty() ? llvm::sys::getProcessTriple() : features.triple);
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return failure("no code generator for " + triple.str() + ": " + error);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, features.cpu, features.features, llvm::TargetOptions(), llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
  llvmModule->setTargetTriple(triple);
  llvmModule->setDataLayout(machine->createDataLayout());
  std::string width = std::to_string(kernelTarget(features).vectorBytes * 8);
  for (llvm::Function &function : *llvmModule) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", features.cpu);
    function.addFnAttr("target-features", features.features);
    // Some hosts prefer half the width they have.
    function.addFnAttr("prefer-vector-width", width);
    function.addFnAttr("min-legal-vector-width", width);
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return failure("no object files for " + triple.str());
  passes.run(*llvmModule);
  return std::string(object.begin(), object.end());
}

} // namespace codegen
} // namespace tandem
