// Where in the user's files an op comes from, for messages and reports.
#pragma once

#include "mlir/IR/Location.h"

#include <string>

namespace tandem {

// The first file position inside `location`, through names, calls and fused causes; or null.
mlir::FileLineColLoc findPlace(mlir::Location location);

// "step.py:12:3"; the innermost name where there is no file ("jit(f)/dot"); else empty.
std::string describePlace(mlir::Location location);

} // namespace tandem
