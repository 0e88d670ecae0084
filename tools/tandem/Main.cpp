// tandem: compiles, runs and explains sharded tensor programs. See `tandem --help`.
#include "Commands.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace {

constexpr struct {
  const char *name, *summary;
  int (*run)(const std::vector<std::string> &);
} kCommands[] = {
    {"run", "compile a program, run it on virtual devices, report", tandem::tool::runCommand},
    {"compile", "compile a program into a file, or stop after a phase",
     tandem::tool::compileCommand},
    {"convert", "write a program in another form: HLO text, MLIR text or bytecode",
     tandem::tool::convertCommand},
    {"explain", "say what was made of a program and why", tandem::tool::explainCommand},
    {"simulate", "say what a program's schedule achieves on a machine",
     tandem::tool::simulateCommand},
    {"diff", "compare the schedules of two programs", tandem::tool::diffCommand},
    {"targets", "list the machines that programs can be compiled for",
     tandem::tool::targetsCommand},
};

void usage(llvm::raw_ostream &os) {
  os << "usage: tandem COMMAND ...\n\n";
  for (const auto &command : kCommands)
    os << "  " << llvm::left_justify(command.name, 10) << command.summary << "\n";
  os << "\n'tandem COMMAND --help' lists the options of a command.\n"
        "exit codes: 0 good, 1 the answer differs, 2 bad usage or input, 3 a limit cannot be met,\n"
        "            4 an internal error\n";
}

int finish(int code) {
  const absl::Status status = tandem::tool::flushOutput();
  return status.ok() ? code : tandem::tool::failWriting(status);
}

} // namespace

int main(int argc, char **argv) {
  tandem::tool::setCommandLine(argc, argv);
  const std::string name = argc > 1 ? argv[1] : "";
  for (const auto &command : kCommands)
    if (name == command.name)
      return finish(command.run({argv + 2, argv + argc}));
  if (name == "--help" || name == "-h" || name == "help") {
    usage(llvm::outs());
    return finish(tandem::tool::kGood);
  }
  if (name == "--version") {
    llvm::outs() << "tandem " TANDEM_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
    return finish(tandem::tool::kGood);
  }
  if (!name.empty())
    llvm::errs() << "tandem: unknown command '" << name << "'\n";
  usage(llvm::errs());
  return tandem::tool::kBadInput;
}
