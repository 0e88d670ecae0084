// What would be gained by scheduling a foreign module here: the same instructions in our order.
//
//   Expected<Rescheduled> gain = reschedule(module, target, {});
//   std::string text = hlo::print(module);           // the module is changed in place
//
// Every computation in which order is issue order (entry, loop bodies, branches) becomes a
// ScheduleProblem, bodies first, and is searched for a better order. What shares bytes keeps its
// order: all that reads a value comes before what writes over it. Asynchronous pairs that were
// marked synchronous run asynchronously. Copies stay as they are.
// The order is kept only if the simulation of the whole module says that it is better: the step
// is never longer than before unless the memory limit demands it.
#pragma once

#include "tandem/Cost/Target.h"
#include "tandem/Import/Hlo.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <limits>

namespace tandem {

struct RescheduleOptions {
  int64_t memoryLimit = std::numeric_limits<int64_t>::max(); // of the peak, arguments included
  int64_t effort = 20'000'000;                               // of the search, per computation
};

struct Rescheduled {
  int64_t stepBefore = 0, stepAfter = 0; // picoseconds
  int64_t peakBefore = 0, peakAfter = 0; // bytes
  bool changed = false;
};

// Errors: the module is not scheduled, or its schedule is wrong.
llvm::Expected<Rescheduled> reschedule(hlo::Module &module, const Target &target,
                                       const RescheduleOptions &options);

} // namespace tandem
