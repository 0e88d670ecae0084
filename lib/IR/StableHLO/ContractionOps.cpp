//===- ContractionOps.cpp - stablehlo: operations of ContractionOps.td ---===//

#include "tandem/IR/StableHLO/AssemblyFormat.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ContractionOps.cpp.inc"

void StablehloDialect::registerContractionOps() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/StableHLO/ContractionOps.cpp.inc"
      >();
}
