//===- Check.cpp - the check dialect -----------------------------------------===//

#include "tandem/IR/Check/Check.h"

#include "tandem/IR/Check/CheckDialect.cpp.inc"

#define GET_OP_CLASSES
#include "tandem/IR/Check/CheckOps.cpp.inc"

void mlir::check::CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/Check/CheckOps.cpp.inc"
      >();
}
