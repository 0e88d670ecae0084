// Passes of phase 1 (import); see Passes.td for what each requires and ensures.
#ifndef TANDEM_PASSES_IMPORT_PASSES_H
#define TANDEM_PASSES_IMPORT_PASSES_H

#include <memory>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "tandem/IR/Shardy/Shardy.h"

namespace tandem {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Import/Passes.h.inc"
} // namespace tandem

#endif // TANDEM_PASSES_IMPORT_PASSES_H
