// Declarations of the memory passes (passes/Memory/Passes.td).
#ifndef TANDEM_PASSES_MEMORY_PASSES_H
#define TANDEM_PASSES_MEMORY_PASSES_H

#include <memory>

#include "mlir/Pass/Pass.h"

namespace tandem {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Memory/Passes.h.inc"
} // namespace tandem

#endif // TANDEM_PASSES_MEMORY_PASSES_H
