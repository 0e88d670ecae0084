// Passes of phase 3 (partition); see Passes.td for what each requires and ensures.
#ifndef TANDEM_PASSES_PARTITION_PASSES_H
#define TANDEM_PASSES_PARTITION_PASSES_H

#include <memory>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Partition/Passes.h.inc"
} // namespace tandem

#endif // TANDEM_PASSES_PARTITION_PASSES_H
