//===- StablehloOps.h - the stablehlo dialect -------------------------------===//
//
// Dialect, types, attributes and operations of stablehlo, with upstream's C++ names
// (mlir::stablehlo::DotGeneralOp, DotDimensionNumbersAttr, ...). What each operation means is
// the public specification's affair. Operations are defined in one .td per group:
// Elementwise, Shape, Indexing, Reduction, Contraction, Collective, Control, Random.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_IR_STABLEHLO_STABLEHLOOPS_H
#define TANDEM_IR_STABLEHLO_STABLEHLOOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tandem/IR/StableHLO/TypeInference.h"

#include "tandem/IR/StableHLO/StableHLODialect.h.inc"
#include "tandem/IR/StableHLO/StableHLOEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tandem/IR/StableHLO/StableHLOTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tandem/IR/StableHLO/StableHLOAttrs.h.inc"

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ElementwiseOps.h.inc"
#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ShapeOps.h.inc"
#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/IndexingOps.h.inc"
#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ReductionOps.h.inc"
#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ContractionOps.h.inc"
#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/CollectiveOps.h.inc"
#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ControlOps.h.inc"
#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/RandomOps.h.inc"

#endif // TANDEM_IR_STABLEHLO_STABLEHLOOPS_H
