// tandem compile: a Program, or the module after a phase.
#include "Commands.h"

#include "tandem/Compiler/Compilation.h"
#include "tandem/Import/HloExport.h"
#include "tandem/Import/HloText.h"
#include "tandem/Runtime/AtomicFile.h"
#include "tandem/Runtime/Program.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "llvm/Support/raw_ostream.h"

namespace tandem::tool {
absl::StatusOr<std::string> scheduledHlo(mlir::ModuleOp module) {
  llvm::Expected<std::unique_ptr<hlo::Module>> exported = hlo::exportScheduled(module);
  if (!exported)
    return absl::InvalidArgumentError(llvm::toString(exported.takeError()));
  return hlo::print(**exported);
}

int compileCommand(const std::vector<std::string> &arguments) {
  CompileOptions options;
  std::string output, remarks, form;
  OptionTable table("compile", "IN -o OUT",
                    "Compiles IN into a Program that 'tandem run' runs; with --to, into the module "
                    "after a phase, which --from takes up again; with --emit hlo, or OUT named "
                    "*.hlo.txt, into its schedule as HLO text.");
  table.value("-o", "OUT", "where the result goes, - for standard output", parseText(&output));
  table.value("--to", "PHASE",
              "stop after import, shard, partition, overlap, fuse, memory, schedule",
              parseText(&options.to));
  table.value("--from", "PHASE", "IN is the module before this phase", parseText(&options.from));
  table.value("--emit", "FORM", "hlo: the scheduled program as HLO text",
              parseChoice(&form, {"hlo"}));
  addCompileOptions(table, options);
  table.value("--remarks", "F.yaml", "write what the phases remarked", parseText(&remarks));

  std::vector<std::string> positionals;
  int exitCode = kGood;
  if (!parseArguments(table, arguments, &positionals, 1, &exitCode))
    return exitCode;
  if (output.empty())
    return fail(absl::InvalidArgumentError("expected -o OUT: where the result goes"));

  const bool toHlo = form == "hlo" || absl::EndsWith(output, ".hlo.txt");
  if (toHlo && options.to.empty())
    options.to = "schedule";
  if (toHlo && options.to != "schedule")
    return fail(absl::InvalidArgumentError(
        absl::StrCat("HLO text is written after phase schedule, found --to ", options.to)));

  absl::StatusOr<Source> source = readProgram(positionals[0], DumpStage::BeforeOptimizations);
  if (!source.ok())
    return fail(source.status());
  absl::StatusOr<std::unique_ptr<Compilation>> compilation = Compilation::parse(*source, options);
  if (!compilation.ok())
    return fail(compilation.status());
  const absl::Status ran = (*compilation)->run();
  llvm::errs() << (*compilation)->getWarnings() << (*compilation)->timingTable();
  if (!ran.ok())
    return fail(ran);
  if (!remarks.empty())
    if (absl::Status status = writeOutput(remarks, (*compilation)->getRemarksYaml()); !status.ok())
      return failWriting(status);
  std::unique_ptr<program::ProgramT> program = (*compilation)->takeProgram();
  absl::StatusOr<std::string> bytes =
      program ? runtime::serializeProgram(*program) : (*compilation)->print();
  if (toHlo)
    bytes = scheduledHlo((*compilation)->getModule());
  if (!bytes.ok())
    return fail(bytes.status());
  if (absl::Status status = writeOutput(output, *bytes); !status.ok())
    return failWriting(status);
  return kGood;
}

} // namespace tandem::tool
