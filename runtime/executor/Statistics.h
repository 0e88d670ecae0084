// From what the devices recorded to what the caller asked for.
#ifndef TANDEM_RUNTIME_EXECUTOR_STATISTICS_H
#define TANDEM_RUNTIME_EXECUTOR_STATISTICS_H

#include "runtime/executor/Step.h"
#include "tandem/Runtime/RunStats.h"
#include "tandem/Runtime/Trace.h"

namespace tandem::runtime {

// Everything but the undonated copies.
RunStats collectStatistics(const Step &step, const program::ProgramT &program);

// Adds the step's events; times count from `originNanoseconds`.
void collectTrace(const Step &step, const program::ProgramT &program, int64_t originNanoseconds,
                  int64_t stepNumber, Trace &trace);

} // namespace tandem::runtime

#endif
