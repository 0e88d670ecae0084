//===- tandem-opt.cpp - runs single passes on textual IR ------------------------===//
//
// mlir-opt's conventions: reads a module, runs the passes named on the command line, prints.
//
//===----------------------------------------------------------------------===//

#include "RegisterPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tandem/IR/Register.h"

#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tandem::registerAllDialects(registry);
  tandem::registerAllPasses();
  const int code = mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "runs Tandem's passes, one by one", registry));
  llvm::outs().flush();
  if (std::error_code error = llvm::outs().error()) {
    llvm::outs().clear_error();
    llvm::errs() << "tandem-opt: cannot write standard output: " << error.message() << "\n";
    return 1;
  }
  return code;
}
