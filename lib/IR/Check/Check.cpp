//===- Check.cpp - the check and interpreter dialects -----------------------------------------===//

#include "tandem/IR/Check/Check.h"

#include "tandem/IR/Check/CheckDialect.cpp.inc"
#include "tandem/IR/Check/InterpreterDialect.cpp.inc"

#define GET_OP_CLASSES
#include "tandem/IR/Check/CheckOps.cpp.inc"
#define GET_OP_CLASSES
#include "tandem/IR/Check/InterpreterOps.cpp.inc"

void mlir::check::CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/Check/CheckOps.cpp.inc"
      >();
}

void mlir::interpreter::InterpreterDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/Check/InterpreterOps.cpp.inc"
      >();
}
