// Passes of phase 2 (shard); see Passes.td for what each requires and ensures.
#ifndef TANDEM_PASSES_SHARD_PASSES_H
#define TANDEM_PASSES_SHARD_PASSES_H

#include <memory>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tandem {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Shard/Passes.h.inc"
} // namespace tandem

#endif // TANDEM_PASSES_SHARD_PASSES_H
