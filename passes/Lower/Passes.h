// Declarations of the lowering passes (passes/Lower/Passes.td).
#ifndef TANDEM_PASSES_LOWER_PASSES_H
#define TANDEM_PASSES_LOWER_PASSES_H

#include <memory>

#include "mlir/Pass/Pass.h"

namespace tandem {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Lower/Passes.h.inc"
} // namespace tandem

#endif // TANDEM_PASSES_LOWER_PASSES_H
