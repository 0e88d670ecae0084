// Entry points of phase 1 that are not passes: what the driver does to a parsed module
// before the pipeline runs. Nothing here keeps state; every function may be called from
// any thread that owns the module's context.
#ifndef TANDEM_IMPORT_IMPORT_H
#define TANDEM_IMPORT_IMPORT_H

#include <cstdint>
#include <string>
#include <utility>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"

namespace tandem {

/// Gives the named axes of the module's meshes new sizes (`--mesh data=4,model=2`).
///
/// Every name must occur in a mesh of the module. A mesh with explicit device ids keeps
/// them only if its device count stays the same. `mhlo.num_partitions` and the
/// `stablehlo.mesh` dictionary follow. Local shapes inside manual computations are the
/// program text's own; a manual axis whose size changes is therefore refused.
///
///   overrideMesh(module, {{"data", 4}})   // sdy.mesh <["data"=8]>  ->  <["data"=4]>
///
/// Emits a diagnostic on the mesh or the module when it fails.
mlir::LogicalResult overrideMesh(mlir::ModuleOp module,
                                 llvm::ArrayRef<std::pair<std::string, int64_t>> axisSizes);

} // namespace tandem

#endif // TANDEM_IMPORT_IMPORT_H
