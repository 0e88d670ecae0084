// tandem explain: reports over the compiled module.
#include "Commands.h"
#include "Judged.h"

#include "tandem/Compiler/Compilation.h"
#include "tandem/Explain/Communication.h"

#include "llvm/Support/raw_ostream.h"

namespace tandem::tool {

int explainCommand(const std::vector<std::string> &arguments) {
  CompileOptions options;
  bool communication = false, json = false, schedule = false, memory = false, copies = false;
  OptionTable table("explain", "IN",
                    "Compiles IN up to its schedule and says what was made of it.");
  table.flag("--comm", "the collectives: bytes, runs, groups, and why each is there",
             &communication);
  table.flag("--schedule", "each transfer: hidden, exposed, and what limits it; ordering edges",
             &schedule);
  table.flag("--memory", "the peak: the tensors live there, and why", &memory);
  table.flag("--copies", "the copies by cause, and what they cost", &copies);
  table.flag("--json", "as JSON", &json);
  addCompileOptions(table, options);
  table.value("--from", "PHASE", "IN is the module before this phase", parseText(&options.from));

  std::vector<std::string> positionals;
  int exitCode = kGood;
  if (!parseArguments(table, arguments, &positionals, 1, &exitCode))
    return exitCode;
  absl::StatusOr<Source> source = readSource(positionals[0]);
  if (!source.ok())
    return fail(source.status());
  // On a dump everything is told from its schedule, and the first screen needs no option.
  const bool dump = source->kind == Source::Kind::HloText;
  if (schedule || memory || copies || dump) {
    absl::StatusOr<std::unique_ptr<Judged>> judged = judge(*std::move(source), options);
    if (!judged.ok())
      return fail(judged.status());
    const ScheduleReport &report = (*judged)->report;
    if (json) {
      llvm::outs() << reportJson(report);
      return kGood;
    }
    llvm::outs() << formatSummary(report);
    if (schedule || communication)
      llvm::outs() << formatTransfers(report);
    if (copies)
      llvm::outs() << formatCopies(report);
    if (memory)
      llvm::outs() << formatMemory(report);
    return kGood;
  }
  if (!communication)
    return fail(absl::InvalidArgumentError(
        "expected a report to make: --comm, --schedule, --copies or --memory"));

  options.to = "schedule";
  absl::StatusOr<std::unique_ptr<Compilation>> compilation = Compilation::parse(*source, options);
  if (!compilation.ok())
    return fail(compilation.status());
  const absl::Status ran = (*compilation)->run();
  llvm::errs() << (*compilation)->getWarnings() << (*compilation)->timingTable();
  if (!ran.ok())
    return fail(ran);
  const std::vector<CommunicationRow> rows = explainCommunication((*compilation)->getModule());
  llvm::outs() << (json ? communicationJson(rows) : formatCommunication(rows));
  return kGood;
}

} // namespace tandem::tool
