// Which kernels are worth computing again instead of keeping what they made.
//
// Looks at one function in the order it has. Slots number what happens: op i of a block has slots
// 2i (it reads, and writes what takes no bytes over) and 2i + 1 (it writes in place of an operand
// that nothing reads later). A value is alive from the slot that writes it to the slot of its last
// reader; a start reads until its done. A loop or case counts with the peak of its dearest region.
//
// At the peak, a kernel is a candidate if results of it are alive there, not used there and used
// later: before the first of those uses it is computed again, with those results only. What it
// reads must be alive until then, or is kept alive longer at the cost of its bytes:
//
//   %h = gemm                    %h is alive to the end anyway
//   %r = kernel max(%h, 0)
//   ... gemm %r ...              %r ends here
//   (the peak)
//   %r2 = kernel max(%h, 0)      computed again
//   ... gemm %r2, kernel %h ...
//
// Of the candidates along the way to the peak (through loops and cases) the one that frees most
// bytes for its time is taken (of large functions, several), until none is left; then as many of
// those taken count as make bytes times (step + kTimeWeight times what was added) smallest.
// Deterministic. Cost: ops times candidates taken, at most kMaxWork.
#ifndef TANDEM_PASSES_MEMORY_REBUILDPLAN_H
#define TANDEM_PASSES_MEMORY_REBUILDPLAN_H

#include <limits>

#include "tandem/Analysis/Aliasing.h"
#include "tandem/Cost/EventSimulation.h"
#include "llvm/ADT/MapVector.h"

namespace tandem {

// A kernel is to be computed again.
struct Rebuild {
  KernelOp kernel;
  llvm::SmallVector<unsigned> results;                     // only these; sorted
  mlir::Operation *before;                                 // where
  std::vector<llvm::SmallVector<mlir::Operation *>> users; // per result, ops of the same block
  // What it reads that is computed again as well: the number of that rebuild.
  llvm::MapVector<mlir::Value, unsigned> inputs;
};

struct RebuildOptions {
  // No more bytes than this at one time are wanted, whatever it costs; of function values other
  // than arguments.
  int64_t limitBytes = std::numeric_limits<int64_t>::max();
};

// None depends on itself, but one may depend on a later one.
std::vector<Rebuild> planRebuilds(mlir::func::FuncOp func, const CostModel &cost,
                                  const RebuildOptions &options);

// `kernel` with only some of its results and only what they need, at the builder's place. A result
// that could be written over an operand still can.
KernelOp cloneWithResults(mlir::OpBuilder &builder, KernelOp kernel,
                          llvm::ArrayRef<unsigned> results);

} // namespace tandem

#endif // TANDEM_PASSES_MEMORY_REBUILDPLAN_H
