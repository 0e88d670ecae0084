// Phase 7's last step: a scheduled module becomes a Program.
//
// Requires the state after phase `lower`. Kernels are compiled (tandem/Codegen/Kernels.h), each
// structurally different one once; commands follow block order, loops and cases become jumps,
// waits between streams follow from the bytes that commands touch (EventWaits.h). A copy whose
// two sides share bytes makes no command. Diagnostics are emitted on the ops; the error then
// only says that lowering failed. Reads the module, does not change it.
#ifndef TANDEM_PASSES_LOWER_LOWERTOPROGRAM_H
#define TANDEM_PASSES_LOWER_LOWERTOPROGRAM_H

#include <memory>
#include <string>

#include "mlir/IR/BuiltinOps.h"
#include "tandem/Runtime/Program_generated.h"
#include "llvm/Support/Error.h"

namespace tandem {

llvm::Expected<std::unique_ptr<program::ProgramT>> lowerToProgram(mlir::ModuleOp module);

} // namespace tandem

#endif // TANDEM_PASSES_LOWER_LOWERTOPROGRAM_H
