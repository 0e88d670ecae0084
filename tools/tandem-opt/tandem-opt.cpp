//===- tandem-opt.cpp - runs single passes on textual IR ------------------------===//
//
// mlir-opt's conventions: reads a module, runs the passes named on the command line, prints.
//
//===----------------------------------------------------------------------===//

#include "RegisterPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tandem/IR/Register.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tandem::registerAllDialects(registry);
  tandem::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "runs Tandem's passes, one by one", registry));
}
