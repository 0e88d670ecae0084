// Brings a program of either kind to a judged schedule.
#include "Judged.h"

#include "Commands.h"

#include "tandem/Cost/ScheduleOfModule.h"
#include "tandem/Explain/HloSchedule.h"
#include "tandem/Explain/Provenance.h"
#include "tandem/Import/HloText.h"

#include "absl/strings/str_cat.h"
#include "llvm/Support/raw_ostream.h"

namespace tandem::tool {

namespace {

// Options of compiles say nothing of a schedule that is there.
void warnOfUnused(const CompileOptions &options, const std::string &name) {
  const std::pair<bool, const char *> all[] = {
      {options.devices != 0, "--devices"},
      {!options.mesh.empty(), "--mesh"},
      {options.unpartitioned, "--unpartitioned"},
      {!options.profile.empty(), "--profile"},
      {!options.shardingsFrom.empty(), "--shardings-from"},
      {!options.emulatedLink.empty(), "--emulate-link"},
      {!options.from.empty(), "--from"},
      {!options.disable.empty(), "--disable"},
      {options.memoryLimitBytes != 0, "--memory-limit"},
      {!options.copyRegionAnalysis.empty(), "--copy-region-analysis"},
      {!options.reductionDtype.empty(), "--reduction-dtype"},
      {options.timing, "--timing"},
      {!options.dumpDirectory.empty(), "--dump-dir"}};
  std::string given;
  for (auto [isGiven, option] : all)
    if (isGiven)
      absl::StrAppend(&given, given.empty() ? "" : ", ", option);
  if (!given.empty())
    llvm::errs() << name
                 << ": warning: HLO text is judged in the order it has; of no effect: " << given
                 << "\n";
}

} // namespace

absl::StatusOr<std::unique_ptr<Judged>> judge(const std::string &path, CompileOptions options) {
  absl::StatusOr<Source> source = readProgram(path);
  if (!source.ok())
    return source.status();
  return judge(*std::move(source), std::move(options));
}

absl::StatusOr<std::unique_ptr<Judged>> judge(Source source, CompileOptions options) {
  const bool dump = source.kind == Source::Kind::HloText;
  if (dump)
    warnOfUnused(options, source.name);
  if (dump && options.target == CompileOptions().target)
    options.target = kDumpTarget;
  llvm::Expected<Target> target = Target::load(options.target);
  if (!target)
    return absl::InvalidArgumentError(llvm::toString(target.takeError()));
  auto judged = std::make_unique<Judged>();
  judged->target = *std::move(target);
  if (dump) {
    llvm::Expected<std::unique_ptr<hlo::Module>> module =
        hlo::parse(std::move(source.bytes), source.name);
    if (!module)
      return absl::InvalidArgumentError(llvm::toString(module.takeError()));
    judged->module = std::move(*module);
    judged->schedule = scheduleOfHlo(*judged->module, judged->target);
  } else {
    options.to = "schedule";
    absl::StatusOr<std::unique_ptr<Compilation>> compilation = Compilation::parse(source, options);
    if (!compilation.ok())
      return compilation.status();
    judged->compilation = *std::move(compilation);
    const absl::Status ran = judged->compilation->run();
    llvm::errs() << judged->compilation->getWarnings() << judged->compilation->timingTable();
    if (!ran.ok())
      return ran;
    llvm::FailureOr<CostModel> cost = CostModel::forModule(judged->compilation->getModule());
    if (llvm::failed(cost))
      return absl::InvalidArgumentError(judged->compilation->getWarnings());
    judged->schedule = scheduleOfModule(judged->compilation->getModule(), *cost);
    describePlaces(judged->schedule);
  }
  nameArrays(judged->schedule);
  judged->report = reportOn(judged->schedule, judged->target);
  return judged;
}

} // namespace tandem::tool
