// Brings a program of either kind to a judged schedule.
#include "Judged.h"

#include "tandem/Cost/ScheduleOfModule.h"
#include "tandem/Explain/HloSchedule.h"
#include "tandem/Explain/Provenance.h"
#include "tandem/Import/HloText.h"

#include "llvm/Support/raw_ostream.h"

namespace tandem::tool {

absl::StatusOr<std::unique_ptr<Judged>> judge(const std::string &path, CompileOptions options) {
  absl::StatusOr<Source> source = readSource(path);
  if (!source.ok())
    return source.status();
  return judge(*std::move(source), std::move(options));
}

absl::StatusOr<std::unique_ptr<Judged>> judge(Source source, CompileOptions options) {
  const bool dump = source.kind == Source::Kind::HloText;
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
