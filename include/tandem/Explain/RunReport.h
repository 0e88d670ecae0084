// The short report at the end of `tandem run`: what the program is, what a step moved and took.
//
//   RunReport report = makeRunReport(program, statsOfEachStep);
//   llvm::outs() << formatRunReport(report);
//
// Everything is per device unless it says otherwise; counts and bytes follow from the program
// and its input alone, only times differ from run to run. Plain values.
#pragma once

#include "tandem/Runtime/Program.h"
#include "tandem/Runtime/RunStats.h"

#include "absl/types/span.h"

#include <string>

namespace tandem {

struct RunReport {
  std::string name; // of the module
  std::string mesh; // "data=4,model=2", empty without a mesh
  unsigned devices = 1;
  runtime::RunStats step; // counts and bytes of one step (the last)
  size_t steps = 1;
  double medianSeconds = 0, leastSeconds = 0; // of a step
  double hiddenShare = 1;                     // over all steps
  double communicationSeconds = 0;            // per device and step
};

// `steps` must not be empty.
RunReport makeRunReport(const program::ProgramT &program,
                        absl::Span<const runtime::RunStats> steps);

std::string formatRunReport(const RunReport &report);

} // namespace tandem
