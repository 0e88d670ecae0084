//===- ChloOps.h - the chlo dialect -----------------------------------------===//
//
// Functions that JAX emits above stablehlo (chlo.erf, chlo.square, chlo.top_k, ...). They
// stay in the program until a kernel is emitted, which knows better approximations than
// their decomposition.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_IR_STABLEHLO_CHLOOPS_H
#define TANDEM_IR_STABLEHLO_CHLOOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tandem/IR/StableHLO/TypeInference.h"

#include "tandem/IR/StableHLO/ChloDialect.h.inc"

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ChloOps.h.inc"

#endif // TANDEM_IR_STABLEHLO_CHLOOPS_H
