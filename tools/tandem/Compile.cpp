// tandem compile: a Program, or the module after a phase.
#include "Commands.h"

#include "tandem/Compiler/Compilation.h"
#include "tandem/Runtime/AtomicFile.h"
#include "tandem/Runtime/Program.h"

#include "llvm/Support/raw_ostream.h"

namespace tandem::tool {
int compileCommand(const std::vector<std::string> &arguments) {
  CompileOptions options;
  std::string output, remarks;
  OptionTable table("compile", "IN -o OUT",
                    "Compiles IN into a Program that 'tandem run' runs; with --to, into the module "
                    "after a phase, which --from takes up again.");
  table.value("-o", "OUT", "where the result goes, - for standard output", parseText(&output));
  table.value("--to", "PHASE",
              "stop after import, shard, partition, overlap, fuse, memory, schedule",
              parseText(&options.to));
  table.value("--from", "PHASE", "IN is the module before this phase", parseText(&options.from));
  addCompileOptions(table, options);
  table.value("--remarks", "F.yaml", "write what the phases remarked", parseText(&remarks));

  std::vector<std::string> positionals;
  int exitCode = kGood;
  if (!parseArguments(table, arguments, &positionals, 1, &exitCode))
    return exitCode;
  if (output.empty())
    return fail(absl::InvalidArgumentError("expected -o OUT: where the result goes"));

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
  if (!remarks.empty())
    if (absl::Status status = writeOutput(remarks, (*compilation)->getRemarksYaml()); !status.ok())
      return failWriting(status);
  std::unique_ptr<program::ProgramT> program = (*compilation)->takeProgram();
  const std::string bytes = program ? runtime::serializeProgram(*program) : (*compilation)->print();
  if (absl::Status status = writeOutput(output, bytes); !status.ok())
    return failWriting(status);
  return kGood;
}

} // namespace tandem::tool
