//===- RandomOps.cpp - stablehlo: operations of RandomOps.td ---===//

#include "tandem/IR/StableHLO/AssemblyFormat.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/RandomOps.cpp.inc"

void StablehloDialect::registerRandomOps() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/StableHLO/RandomOps.cpp.inc"
      >();
}
