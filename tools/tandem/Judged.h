// A program with its schedule judged: compiled here, or read from a scheduled HLO dump.
#pragma once

#include "tandem/Compiler/Compilation.h"
#include "tandem/Explain/ScheduleReport.h"
#include "tandem/Import/Hlo.h"

#include "absl/status/statusor.h"

#include <memory>
#include <string>

namespace tandem::tool {

// What a dump is judged on when no --target is given.
inline constexpr const char *kDumpTarget = "h100x8";

struct Judged {
  Target target;
  std::unique_ptr<hlo::Module> module;      // one of these two owns
  std::unique_ptr<Compilation> compilation; // what the schedule names
  Schedule schedule;
  ScheduleReport report;
};

// HLO text is judged as it stands; everything else is compiled to its schedule first. Warnings of
// the compile go to stderr.
absl::StatusOr<std::unique_ptr<Judged>> judge(Source source, CompileOptions options);
absl::StatusOr<std::unique_ptr<Judged>> judge(const std::string &path, CompileOptions options);

} // namespace tandem::tool
