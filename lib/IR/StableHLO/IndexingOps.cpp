//===- IndexingOps.cpp - stablehlo: operations of IndexingOps.td ---===//

#include "tandem/IR/StableHLO/AssemblyFormat.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/IndexingOps.cpp.inc"

void StablehloDialect::registerIndexingOps() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/StableHLO/IndexingOps.cpp.inc"
      >();
}
