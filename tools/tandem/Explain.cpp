// tandem explain: reports over the compiled module.
#include "Commands.h"
#include "Judged.h"

#include "tandem/Compiler/Compilation.h"
#include "tandem/Explain/Communication.h"
#include "tandem/Explain/HloSchedule.h"
#include "tandem/Explain/Reschedule.h"
#include "tandem/Explain/Shardings.h"
#include "tandem/Import/HloText.h"

#include "absl/strings/str_cat.h"

#include "llvm/Support/raw_ostream.h"

namespace tandem::tool {

namespace {

// The dump beside itself in our order; the same text as `diff`.
int rescheduleDump(Source source, CompileOptions options, const std::string &output, bool json) {
  const std::string name = source.name;
  if (source.kind != Source::Kind::HloText)
    return fail(absl::InvalidArgumentError(
        absl::StrCat(name, ": expected a scheduled HLO dump to reschedule")));
  RescheduleOptions limits;
  if (options.memoryLimitBytes > 0)
    limits.memoryLimit = options.memoryLimitBytes;
  options.memoryLimitBytes = 0; // not of theirs
  absl::StatusOr<std::unique_ptr<Judged>> theirs = judge(std::move(source), options);
  if (!theirs.ok())
    return fail(theirs.status());
  hlo::Module &module = *(*theirs)->module;
  const Target &target = (*theirs)->target;
  const ScheduleReport &before = (*theirs)->report;
  llvm::Expected<Rescheduled> done = reschedule(module, target, limits);
  if (!done)
    return fail(
        absl::InvalidArgumentError(absl::StrCat(name, ": ", llvm::toString(done.takeError()))));
  Schedule ours = scheduleOfHlo(module, target);
  const ScheduleReport after = reportOn(ours, target);
  // With the text on standard output there is no room for more.
  if (output != "-")
    llvm::outs() << (json ? reportJson(after) : formatComparison("theirs", before, "ours", after));
  if (!output.empty())
    if (absl::Status status = writeOutput(output, hlo::print(module)); !status.ok())
      return failWriting(status);
  if (done->peakAfter > limits.memoryLimit)
    return fail(absl::ResourceExhaustedError(
        absl::StrCat(name, ": no order found fits the memory limit: the smallest peak is ",
                     done->peakAfter, " bytes")));
  return kGood;
}

int explainShardingOf(const Source &source, CompileOptions options, bool json) {
  options.to = "import";
  absl::StatusOr<std::unique_ptr<Compilation>> compilation = Compilation::parse(source, options);
  if (!compilation.ok())
    return fail(compilation.status());
  if (absl::Status ran = (*compilation)->run(); !ran.ok())
    return fail(ran);
  llvm::Expected<ShardingReport> report = explainShardings((*compilation)->getModule());
  llvm::errs() << (*compilation)->getWarnings();
  if (!report)
    return fail(absl::InvalidArgumentError(
        absl::StrCat(source.name, ": ", llvm::toString(report.takeError()))));
  llvm::outs() << (json ? shardingsJson(*report) : formatShardings(*report));
  return kGood;
}

} // namespace

int explainCommand(const std::vector<std::string> &arguments) {
  CompileOptions options;
  std::string rewritten;
  bool communication = false, reschedule = false, json = false, schedule = false, memory = false,
       copies = false, shardings = false;
  OptionTable table("explain", "IN",
                    "Compiles IN up to its schedule and says what was made of it; HLO text is\n"
                    "explained as it stands. Without a flag: one screen.");
  table.flag("--comm", "the collectives: bytes, runs, groups, and why each is there",
             &communication);
  table.flag("--sharding", "how every array lies over the mesh, and who decided so", &shardings);
  table.flag("--schedule", "each transfer: hidden, exposed, and what limits it; ordering edges",
             &schedule);
  table.flag("--memory", "the peak: the tensors live there, and why", &memory);
  table.flag("--copies", "the copies by cause, and what they cost", &copies);
  table.flag("--reschedule", "of a scheduled dump: what our order of the same ops would gain",
             &reschedule);
  table.value("-o", "F", "with --reschedule: write the dump in our order", parseText(&rewritten));
  table.flag("--json", "as JSON", &json);
  addCompileOptions(table, options);
  table.value("--from", "PHASE", "IN is the module before this phase", parseText(&options.from));

  std::vector<std::string> positionals;
  int exitCode = kGood;
  if (!parseArguments(table, arguments, &positionals, 1, &exitCode))
    return exitCode;
  absl::StatusOr<Source> source = readProgram(
      positionals[0], shardings ? DumpStage::BeforeOptimizations : DumpStage::Scheduled);
  if (!source.ok())
    return fail(source.status());
  if (reschedule || !rewritten.empty())
    return rescheduleDump(*std::move(source), options, rewritten, json);
  if (shardings)
    return explainShardingOf(*source, options, json);
  // The first screen needs no option; on a dump everything is told from its schedule.
  const bool dump = source->kind == Source::Kind::HloText;
  if (schedule || memory || copies || dump || !communication) {
    absl::StatusOr<std::unique_ptr<Judged>> judged = judge(*std::move(source), options);
    if (!judged.ok())
      return fail(judged.status());
    const ScheduleReport &report = (*judged)->report;
    const int code = report.errors.empty() ? kGood : kDiffers; // as simulate
    if (json) {
      llvm::outs() << reportJson(report);
      return code;
    }
    llvm::outs() << formatSummary(report);
    if (schedule || communication)
      llvm::outs() << formatTransfers(report);
    if (copies)
      llvm::outs() << formatCopies(report);
    if (memory)
      llvm::outs() << formatMemory(report);
    return code;
  }
  options.to = "schedule";
  absl::StatusOr<std::unique_ptr<Compilation>> compilation = Compilation::parse(*source, options);
  if (!compilation.ok())
    return fail(compilation.status());
  const absl::Status ran = (*compilation)->run();
  llvm::errs() << (*compilation)->getWarnings() << (*compilation)->timingTable();
  if (!ran.ok())
    return fail(ran);
  const std::vector<CommunicationRow> rows = explainCommunication((*compilation)->getModule());
  llvm::outs() << (json ? communicationJson(rows)
                        : formatCommunication(rows, options.reductionDtype));
  return kGood;
}

} // namespace tandem::tool
