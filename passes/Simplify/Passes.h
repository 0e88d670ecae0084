// Passes of clean-ups used by several phases; see Passes.td for what each requires and ensures.
#ifndef TANDEM_PASSES_SIMPLIFY_PASSES_H
#define TANDEM_PASSES_SIMPLIFY_PASSES_H

#include <memory>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tandem {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Simplify/Passes.h.inc"
} // namespace tandem

#endif // TANDEM_PASSES_SIMPLIFY_PASSES_H
