// Declarations of the fuse passes (passes/Fuse/Passes.td).
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace tandem {
#define GEN_PASS_DECL
#include "passes/Fuse/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/Fuse/Passes.h.inc"
} // namespace tandem
