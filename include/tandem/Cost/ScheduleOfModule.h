// The schedule of a module of the tandem dialect, priced by the cost model.
//
//   FailureOr<Schedule> schedule = scheduleOfModule(module);   // after phase overlap or later
//   SimulationResult result = simulate(*schedule);
//
// Block order is issue order, as after phase 6. Items' `source` are mlir::Operations. Errors are
// emitted on the module.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "tandem/Cost/CostModel.h"
#include "tandem/Cost/Schedule.h"
#include "llvm/Support/LogicalResult.h"

namespace tandem {

llvm::FailureOr<Schedule> scheduleOfModule(mlir::ModuleOp module);
Schedule scheduleOfModule(mlir::ModuleOp module, const CostModel &cost);

} // namespace tandem
