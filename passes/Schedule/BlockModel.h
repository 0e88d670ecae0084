// The scheduling problem of one block: dependences, time and engine of each op, and bytes that
// become and cease to be live.
//
// Bytes are counted per class of values that must share them (Aliasing); classes that hold an
// argument of the block, or bytes from outside, are live whatever the order, and left out. A loop
// or case also holds, while it runs, the peak of its body.
#ifndef TANDEM_PASSES_SCHEDULE_BLOCKMODEL_H
#define TANDEM_PASSES_SCHEDULE_BLOCKMODEL_H

#include "tandem/Analysis/Aliasing.h"
#include "tandem/Analysis/Dependences.h"
#include "tandem/Cost/EventSimulation.h"
#include "tandem/Schedule/Problem.h"

namespace tandem {

// Nodes are those of `deps`. `peaks`: peak bytes of the bodies of ops in this block.
ScheduleProblem blockProblem(mlir::Block &block, const Dependences &deps, const Aliasing &aliasing,
                             EventSimulation &simulation,
                             const llvm::DenseMap<mlir::Operation *, int64_t> &peaks);

} // namespace tandem

#endif // TANDEM_PASSES_SCHEDULE_BLOCKMODEL_H
