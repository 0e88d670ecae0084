// tandem explain: reports over the compiled module.
#include "Commands.h"

#include "tandem/Compiler/Compilation.h"
#include "tandem/Explain/Communication.h"

#include "llvm/Support/raw_ostream.h"

namespace tandem::tool {

int explainCommand(const std::vector<std::string> &arguments) {
  CompileOptions options;
  bool communication = false, json = false;
  OptionTable table("explain", "IN",
                    "Compiles IN up to its schedule and says what was made of it.");
  table.flag("--comm", "the collectives: bytes, runs, groups, and why each is there",
             &communication);
  table.flag("--json", "as JSON", &json);
  addCompileOptions(table, options);
  table.value("--from", "PHASE", "IN is the module before this phase", parseText(&options.from));

  std::vector<std::string> positionals;
  int exitCode = kGood;
  if (!parseArguments(table, arguments, &positionals, 1, &exitCode))
    return exitCode;
  if (!communication)
    return fail(absl::InvalidArgumentError("expected a report to make: --comm"));

  options.to = "schedule";
  absl::StatusOr<Source> source = readSource(positionals[0]);
  if (!source.ok())
    return fail(source.status());
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
