// What the memory and schedule phases left on ops, read back: addresses, edges, the mode.
#ifndef TANDEM_IR_TANDEM_BUFFERS_H
#define TANDEM_IR_TANDEM_BUFFERS_H

#include "mlir/IR/BuiltinOps.h"
#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {

// On an op: array<i64> of triples. It comes after the op at that place of its block only so that a
// copy of so many bytes is saved; what all edges of that copy cost, in picoseconds
// (tandem-latency-hiding-schedule).
inline constexpr llvm::StringLiteral kOrderedAfterAttr = "tandem.ordered_after";

// The option --copy-region-analysis, a module attribute.
enum class CopyRegionAnalysis { Off, On, AfterSchedule };
CopyRegionAnalysis copyRegionAnalysis(mlir::ModuleOp module);

// The buffer of a tensor, or of the first element of a future; null before addresses are given.
BufferAttr assignedBuffer(mlir::Value value);

// Whether a copy moves nothing, as both its sides are the same bytes, and orders nothing.
bool isElided(CopyOp copy);

} // namespace tandem

#endif // TANDEM_IR_TANDEM_BUFFERS_H
