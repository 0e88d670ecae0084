// The subcommands of `tandem`; each takes the arguments behind its name and returns the exit code.
#pragma once

#include "Options.h"

#include "tandem/Compiler/CompileOptions.h"
#include "tandem/Compiler/Source.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace tandem::tool {

// Exit codes of every command.
enum ExitCode {
  kGood = 0,
  kDiffers = 1,  // the program's answer is not the expected one
  kBadInput = 2, // usage, input or a file that cannot be read or written
  kLimit = 3,    // a limit cannot be met
  kInternal = 4, // the compiler or the runtime is at fault
};

// What a command says before it ends: prints `status` to stderr, and for an internal error a
// command line that reproduces it. Returns the exit code that belongs to it.
int fail(const absl::Status &status);
// For files that cannot be written: always kBadInput.
int failWriting(const absl::Status &status);

// readSource, telling on stderr which file of a dump directory is read.
absl::StatusOr<Source> readProgram(const std::string &path, DumpStage stage = DumpStage::Scheduled);

// What does not reach standard output is an error.
absl::Status flushOutput();

// Writes a file whole or not at all; "-" is standard output.
absl::Status writeOutput(const std::string &path, const std::string &bytes);

// The whole command line, quoted for a shell; set once by main.
void setCommandLine(int argc, char **argv);
const std::string &commandLine();

// Parses, handles --help, and checks the number of positional arguments (all of them required).
// Returns true when the command is to go on, else sets *exitCode.
bool parseArguments(const OptionTable &table, const std::vector<std::string> &arguments,
                    std::vector<std::string> *positionals, size_t wanted, int *exitCode);

// A scheduled program (after phase schedule) as HLO text.
absl::StatusOr<std::string> scheduledHlo(mlir::ModuleOp module);

// The options that compile, run and explain share.
void addCompileOptions(OptionTable &table, CompileOptions &options);

int runCommand(const std::vector<std::string> &arguments);
int convertCommand(const std::vector<std::string> &arguments);
int compileCommand(const std::vector<std::string> &arguments);
int explainCommand(const std::vector<std::string> &arguments);
int simulateCommand(const std::vector<std::string> &arguments);
int diffCommand(const std::vector<std::string> &arguments);
int targetsCommand(const std::vector<std::string> &arguments);

} // namespace tandem::tool
