// HLO text as a program to compile: a module as XLA has it before optimisation, or right after
// SPMD partitioning, in StableHLO.
//
//   llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = hlo::toStablehlo(**parsed, context);
//
// Tuples become lists of values; called computations functions, regions or, where they are one
// device's part of a shard_map, manual computations. Shardings stay in the form that the module has
// them in: Shardy's (`xla.sdy.*` attributes) as sdy, else as `mhlo.sharding` strings, which phase 1
// reads. Layouts mean nothing before optimisation and are dropped, but for those that custom calls
// ask for.
//
// A partitioned module (its entry's name ends in `_spmd`, as XLA names it) is the program of one
// device: it becomes a manual computation over all of them, so that it is run with whole arrays.
// How arguments are cut its parameters say, global shapes being local ones times the tiles. How
// results are, its text does not say: a result that shares its bytes with an argument is cut as
// that, any other gets a leading dimension with one entry for each device. `before`, the same
// module before partitioning, tells all of it.
//
// Errors are as in HloText.h. What optimisation makes (fusions, asynchronous pairs, bitcasts) is
// refused: such a module is for `explain` and `simulate`.
#pragma once

#include "tandem/Import/Hlo.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace tandem::hlo {

// `context` has all dialects loaded. Thread: one that owns the context.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
toStablehlo(const Module &module, mlir::MLIRContext *context, const Module *before = nullptr);

} // namespace tandem::hlo
