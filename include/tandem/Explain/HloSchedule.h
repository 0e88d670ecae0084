// A scheduled HLO module as a Schedule: their order, their async pairs, their aliases.
//
//   Schedule schedule = scheduleOfHlo(module, target);
//   SimulationResult result = simulate(schedule);
//
// Tuples are taken apart, calls stand in line; text order is issue order. What makes the numbers
// meaningless (an operand that comes later) is in schedule.errors, what was costed by a default
// rule in schedule.warnings. Items' `source` are hlo::Instructions, which the module owns.
#pragma once

#include "tandem/Cost/Schedule.h"
#include "tandem/Cost/Target.h"
#include "tandem/Import/Hlo.h"

namespace tandem {

Schedule scheduleOfHlo(const hlo::Module &module, const Target &target);

// Where the `true` of the `is_sync` of a start's backend config stands: the pair runs as one
// instruction. npos: it does not.
size_t findSyncFlag(llvm::StringRef backendConfig);

} // namespace tandem
