// tandem simulate: what a program's schedule achieves on a machine.
#include "Commands.h"
#include "Judged.h"

#include "tandem/Compiler/Source.h"

#include "llvm/Support/raw_ostream.h"

namespace tandem::tool {

int simulateCommand(const std::vector<std::string> &arguments) {
  CompileOptions options;
  std::string trace, measured;
  bool json = false;
  OptionTable table("simulate", "IN",
                    "Plays the schedule of IN on the machine T: HLO text in the order it has, "
                    "any other program once it is compiled. Exits 1 when the schedule is wrong.");
  table.value("--trace", "F.json", "write the predicted step as a timeline for Perfetto",
              parseText(&trace));
  table.value("--measured", "F.json", "put this trace of 'tandem run' into it, for comparison",
              parseText(&measured));
  table.flag("--json", "as JSON", &json);
  addCompileOptions(table, options);
  table.value("--from", "PHASE", "IN is the module before this phase", parseText(&options.from));
  std::vector<std::string> positionals;
  int exitCode = kGood;
  if (!parseArguments(table, arguments, &positionals, 1, &exitCode))
    return exitCode;
  absl::StatusOr<std::unique_ptr<Judged>> judged = judge(positionals[0], options);
  if (!judged.ok())
    return fail(judged.status());
  const ScheduleReport &report = (*judged)->report;
  llvm::outs() << (json ? reportJson(report) : formatSummary(report));
  if (!trace.empty()) {
    std::string other;
    if (!measured.empty()) {
      absl::StatusOr<Source> source = readSource(measured);
      if (!source.ok())
        return fail(source.status());
      other = std::move(source->bytes);
    }
    if (absl::Status status = writeOutput(trace, traceJson(report, other)); !status.ok())
      return failWriting(status);
  }
  return report.errors.empty() ? kGood : kDiffers;
}

int diffCommand(const std::vector<std::string> &arguments) {
  CompileOptions options;
  OptionTable table("diff", "A B",
                    "Compares the schedules of two programs or dumps on one machine: collectives, "
                    "copies, peak and step, side by side.");
  addCompileOptions(table, options);
  std::vector<std::string> positionals;
  int exitCode = kGood;
  if (!parseArguments(table, arguments, &positionals, 2, &exitCode))
    return exitCode;
  std::unique_ptr<Judged> judged[2];
  for (int side : {0, 1}) {
    absl::StatusOr<std::unique_ptr<Judged>> one = judge(positionals[side], options);
    if (!one.ok())
      return fail(one.status());
    judged[side] = *std::move(one);
  }
  llvm::outs() << formatComparison("A", judged[0]->report, "B", judged[1]->report);
  return kGood;
}

} // namespace tandem::tool
