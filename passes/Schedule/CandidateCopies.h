// The copies of a block that some order of it can do without (DESIGN.md, D1), as the scheduling
// problem knows them: which ops have to be before which for the two sides to share bytes.
//
// They are copies of what a loop's body yields, of what takes the place of a donated argument, and
// of a loop's init or a call's aliased operand that others read. tandem-assign-buffers decides
// afresh from the final order; a copy missed here may still turn out to be free.
#ifndef TANDEM_PASSES_SCHEDULE_CANDIDATECOPIES_H
#define TANDEM_PASSES_SCHEDULE_CANDIDATECOPIES_H

#include "tandem/Analysis/Dependences.h"
#include "tandem/Schedule/Problem.h"

namespace tandem {

// Nodes are those of `deps`, whose block it is. `classOf`: the class of a value's bytes, ~0u if
// they are live whatever the order. Cost: linear in the uses of what is copied or overwritten.
std::vector<ScheduleProblem::Copy>
findCandidateCopies(mlir::Block &block, const Dependences &deps,
                    llvm::function_ref<unsigned(mlir::Value)> classOf);

} // namespace tandem

#endif // TANDEM_PASSES_SCHEDULE_CANDIDATECOPIES_H
