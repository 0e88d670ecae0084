// LLVM's assembler and code generator.
#include "tests/runtime/IrObject.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

namespace tandem::runtime {

std::string compileIr(const std::string &ir) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(ir, diagnostic, context);
  if (!module) {
    diagnostic.print("IrObject", llvm::errs());
    abort();
  }
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "x86-64", "", llvm::TargetOptions(), llvm::Reloc::PIC_, llvm::CodeModel::Small));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
  passes.run(*module);
  return std::string(bytes.begin(), bytes.end());
}

std::string scalarKernels() {
  static const std::string object = compileIr(R"(
    define void @inc(ptr %b) {
      %p = load ptr, ptr %b
      %x = load i32, ptr %p
      %y = add i32 %x, 1
      store i32 %y, ptr %p
      ret void
    }
    define void @less(ptr %b) {
      %p = load ptr, ptr %b
      %qp = getelementptr ptr, ptr %b, i64 1
      %q = load ptr, ptr %qp
      %rp = getelementptr ptr, ptr %b, i64 2
      %r = load ptr, ptr %rp
      %x = load i32, ptr %p
      %n = load i32, ptr %q
      %c = icmp slt i32 %x, %n
      %z = zext i1 %c to i8
      store i8 %z, ptr %r
      ret void
    }
    define void @add(ptr %b) {
      %p = load ptr, ptr %b
      %qp = getelementptr ptr, ptr %b, i64 1
      %q = load ptr, ptr %qp
      %rp = getelementptr ptr, ptr %b, i64 2
      %r = load ptr, ptr %rp
      %x = load i32, ptr %p
      %y = load i32, ptr %q
      %s = add i32 %x, %y
      store i32 %s, ptr %r
      ret void
    }
  )");
  return object;
}

} // namespace tandem::runtime
