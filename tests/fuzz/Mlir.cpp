// libFuzzer: any text is an error or a module that comes back the same from its own text.
#include "Nesting.h"
#include "tandem/IR/Register.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace mlir;
  // As tandem::Compilation::parse does; a string, since the lexer reads up to a zero byte.
  const std::string bytes(reinterpret_cast<const char *>(data), size);
  const llvm::StringRef text = bytes;
  if (text.contains('\0') || tandem::findTooDeep(text, 1000))
    return 0;
  DialectRegistry registry;
  tandem::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return 0;
  auto print = [](ModuleOp op) {
    std::string printed;
    llvm::raw_string_ostream os(printed);
    op.print(os, OpPrintingFlags().enableDebugInfo(false));
    return printed;
  };
  const std::string printed = print(*module);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(printed, &context);
  if (!again || print(*again) != printed)
    std::abort();
  return 0;
}
