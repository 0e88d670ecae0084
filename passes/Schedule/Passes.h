// Declarations of the schedule passes (passes/Schedule/Passes.td).
#ifndef TANDEM_PASSES_SCHEDULE_PASSES_H
#define TANDEM_PASSES_SCHEDULE_PASSES_H

#include <memory>

#include "mlir/Pass/Pass.h"

namespace tandem {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Schedule/Passes.h.inc"
} // namespace tandem

#endif // TANDEM_PASSES_SCHEDULE_PASSES_H
