// The `sdy` dialect: meshes, shardings of tensors over them, and sharding rules.
//
// Types on sdy ops are global, except inside sdy.manual_computation, where they are local with
// respect to its manual axes. Attributes are immutable and belong to the MLIRContext; every
// function that changes one returns a new one.
//
// Example, from `#sdy.sharding<@mesh, [{"data"}, {}]>` with `@mesh = <["data"=4, "model"=2]>`:
//   sharding.getLocalTensorType(tensor<16x8xf32>, mesh)  is tensor<4x8xf32>
//   sharding.isFullyReplicated()                         is false
// How to find or set the sharding of a value: tandem/IR/Shardy/ShardingAccess.h.

#ifndef TANDEM_IR_SHARDY_SHARDY_H
#define TANDEM_IR_SHARDY_SHARDY_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <functional>
#include <optional>
#include <string>

#include "tandem/IR/Shardy/ShardyDialect.h.inc"
#include "tandem/IR/Shardy/ShardyEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tandem/IR/Shardy/ShardyAttrs.h.inc"

#define GET_OP_CLASSES
#include "tandem/IR/Shardy/ShardyOps.h.inc"

namespace mlir::sdy {

/// Discardable attributes of the dialect.
inline constexpr llvm::StringLiteral kShardingAttr = "sdy.sharding";
inline constexpr llvm::StringLiteral kShardingRuleAttr = "sdy.sharding_rule";

} // namespace mlir::sdy

#endif // TANDEM_IR_SHARDY_SHARDY_H
