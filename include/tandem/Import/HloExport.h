// Our own scheduled programs as HLO text, so that one tool judges every compiler's schedules.
//
//   auto module = hlo::exportScheduled(compilation.getModule()); // after phase `schedule`
//   std::string text = hlo::print(**module);                     // tandem/Import/HloText.h
//
// Instructions stand in the order of the schedule, with local shapes: a fusion and its computation
// per kernel, `dot` per product without an epilogue, a -start and a -done per collective (async
// pairs with a wrapped computation for the kinds that have no pair of their own), `while` with its
// known trip count and, for a future carried around it, the start's result as an element of the
// state, `conditional`, copies. Arguments that results are written over are in
// `input_output_alias`. Metadata come from locations; why a collective exists (D3) is in its
// frontend attributes.
// Where a kernel updates a part of an operand whose buffer is not its result's, it copies the rest
// of that operand: a `copy` stands before it. Constants of more than a few thousand elements are
// written `{...}`. An all-to-all that splits one dimension and concatenates another, which HLO does
// not have, names the second in its frontend attributes.
// Time and memory are linear in the program. No global state; any thread that may read the module.
#pragma once

#include "tandem/Import/Hlo.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace tandem::hlo {

// The error names the op that has no form in HLO, or says which phase is missing.
llvm::Expected<std::unique_ptr<Module>> exportScheduled(mlir::ModuleOp module);

} // namespace tandem::hlo
