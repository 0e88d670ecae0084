// Declarations of the overlap passes (passes/Overlap/Passes.td).
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace tandem {
#define GEN_PASS_DECL
#include "passes/Overlap/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/Overlap/Passes.h.inc"
} // namespace tandem
