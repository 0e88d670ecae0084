// Provenance of ops that passes create (DESIGN.md, D3), kept as location metadata.
//
// Example:
//   Location loc = withCause(dot.getLoc(), makeCause(ctx, "all-reduce of partial sums",
//                                                    "params['w1']", {"data"}));
//   auto reduce = stablehlo::AllReduceOp::create(builder, loc, ...);
//   ...
//   if (CauseAttr cause = getCause(reduce.getLoc())) report(cause.getRule());
#pragma once

#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {

CauseAttr makeCause(mlir::MLIRContext *context, llvm::StringRef rule, llvm::StringRef array = "",
                    llvm::ArrayRef<llvm::StringRef> axes = {});

/// `source` with `cause` on top of it. A cause that `source` already has stays below.
mlir::Location withCause(mlir::Location source, CauseAttr cause);

/// The outermost (most recent) cause in `loc`, or null.
CauseAttr getCause(mlir::Location loc);

/// All causes in `loc`, the most recent first.
llvm::SmallVector<CauseAttr> getCauses(mlir::Location loc);

/// `loc` without its causes: the user's own location, for messages.
mlir::Location stripCauses(mlir::Location loc);

} // namespace tandem
