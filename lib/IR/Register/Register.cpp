//===- Register.cpp - the dialects a program may be written in -----------------===//

#include "tandem/IR/Register.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/IR/DialectRegistry.h"
#include "tandem/IR/Check/Check.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

void tandem::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::func::FuncDialect, mlir::stablehlo::StablehloDialect,
                  mlir::chlo::ChloDialect, mlir::sdy::SdyDialect, mlir::check::CheckDialect,
                  mlir::interpreter::InterpreterDialect, TandemDialect>();
  // Only so that its types are read and can be refused by name.
  registry.insert<mlir::quant::QuantDialect>();
  mlir::func::registerInlinerExtension(registry);
}
