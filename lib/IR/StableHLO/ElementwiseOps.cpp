//===- ElementwiseOps.cpp - stablehlo: operations of ElementwiseOps.td ---===//

#include "tandem/IR/StableHLO/AssemblyFormat.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ElementwiseOps.cpp.inc"

void StablehloDialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/StableHLO/ElementwiseOps.cpp.inc"
      >();
}
