// The tandem dialect: types, attributes, ops and the alias interface.
//
// Reference with examples: the descriptions in TandemOps.td, TandemAttrs.td, TandemTypes.td.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallVector.h"

namespace tandem {

class YieldOp;

enum class AliasKind {
  Must, // the buffer assignment fails unless both have the same bytes
  May,  // both may have the same bytes if the operand is dead afterwards
};

/// One statement of AliasOpInterface: operand and result share bytes.
struct AliasPair {
  unsigned operandIndex;
  unsigned resultIndex;
  AliasKind kind;
  bool operator==(const AliasPair &) const = default;
};

/// Names of the discardable attributes, see the dialect's description.
inline constexpr llvm::StringLiteral kBuffersAttr = "tandem.buffers";
inline constexpr llvm::StringLiteral kArgBuffersAttr = "tandem.arg_buffers";
inline constexpr llvm::StringLiteral kBufferAttr = "tandem.buffer";
inline constexpr llvm::StringLiteral kStreamAttr = "tandem.stream";

/// Bytes of a dense row-major local array: i1 and sub-byte types take one byte per element.
int64_t getByteSize(mlir::RankedTensorType type);

/// The tensors among `types`, futures replaced by their elements, tokens dropped; the order
/// in which `tandem.buffers` and `tandem.arg_buffers` list their buffers.
llvm::SmallVector<mlir::RankedTensorType> flattenToTensors(mlir::TypeRange types);

} // namespace tandem

#include "tandem/IR/Tandem/TandemDialect.h.inc"
#include "tandem/IR/Tandem/TandemEnums.h.inc"
#include "tandem/IR/Tandem/TandemInterfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tandem/IR/Tandem/TandemTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tandem/IR/Tandem/TandemAttrs.h.inc"
#define GET_OP_CLASSES
#include "tandem/IR/Tandem/TandemOps.h.inc"
