// What the commands share: exit codes, reproducing command lines, the compile options.
#include "Commands.h"

#include "tandem/Runtime/AtomicFile.h"
#include "tandem/Runtime/Client.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <csignal>
#include <exception>
#include <execinfo.h>
#include <new>
#include <unistd.h>

namespace tandem::tool {
namespace {

std::string reproducer;                            // "tandem run ...", kept for a signal handler
std::terminate_handler verboseTerminate = nullptr; // names the exception and aborts

std::string quote(const std::string &argument) {
  constexpr const char *kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789_-+=./,:@%";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos)
    return argument;
  std::string quoted = "'";
  for (char c : argument)
    c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + "'";
}

// A crash is an internal error like any other: exit code and a command that reproduces it.
void onCrash(int signal) {
  auto say = [](absl::string_view text) {
    [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  };
  say(signal == SIGABRT ? "tandem: internal error: aborted\n"
                        : "tandem: internal error: crashed\n");
  say("reproduce with: ");
  say(reproducer);
  say("\nwhere:\n");
  std::array<void *, 64> frames;
  backtrace_symbols_fd(frames.data(), backtrace(frames.data(), static_cast<int>(frames.size())),
                       STDERR_FILENO);
  _exit(kInternal);
}

// Memory that is not there is a limit that cannot be met. A bad_alloc for an impossible size
// (bad_array_new_length) is an error like others: abort where it was thrown.
void onTerminate() {
  if (std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::bad_alloc &error) {
      if (dynamic_cast<const std::bad_array_new_length *>(&error))
        verboseTerminate();
      constexpr absl::string_view kText = "tandem: out of memory\n";
      [[maybe_unused]] ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
      _exit(kLimit);
    } catch (...) {
      verboseTerminate();
    }
  }
  verboseTerminate();
}

int exitCodeOf(const absl::Status &status) {
  switch (status.code()) {
  case absl::StatusCode::kOk:
    return kGood;
  case absl::StatusCode::kOutOfRange: // a check of the program's own
    return kDiffers;
  case absl::StatusCode::kResourceExhausted:
    return kLimit;
  case absl::StatusCode::kInternal:
  case absl::StatusCode::kUnknown:
  case absl::StatusCode::kDeadlineExceeded:
  case absl::StatusCode::kAborted:
    return kInternal;
  default:
    return kBadInput;
  }
}

void print(absl::string_view message) {
  // Rendered diagnostics come with their own places and severities.
  const bool rendered = message.find(": error: ") != absl::string_view::npos;
  llvm::errs() << (rendered ? "" : "tandem: ")
               << llvm::StringRef(message.data(), message.size()).rtrim('\n') << "\n";
}

} // namespace

void setCommandLine(int argc, char **argv) {
  reproducer = absl::StrJoin(argv, argv + argc, " ", [](std::string *out, const char *argument) {
    *out += quote(argument);
  });
#ifndef TANDEM_SANITIZED // AddressSanitizer reports crashes better
  verboseTerminate = std::set_terminate(onTerminate);
  // The first backtrace loads a library, which a signal handler must not.
  void *frame = nullptr;
  backtrace(&frame, 1);
  // On a stack of its own: the crash may be an exhausted stack.
  static std::array<char, 1 << 16> stack;
  stack_t alternate = {};
  alternate.ss_sp = stack.data();
  alternate.ss_size = stack.size();
  sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_handler = onCrash;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    sigaction(signal, &action, nullptr);
#endif
}

const std::string &commandLine() { return reproducer; }

int fail(const absl::Status &status) {
  const int code = exitCodeOf(status);
  if (code != kInternal) {
    print(status.message());
    return code;
  }
  print(absl::StrCat("internal error: ", status.message()));
  llvm::errs() << "reproduce with: " << reproducer << "\n";
  return code;
}

int failWriting(const absl::Status &status) {
  print(status.message());
  return kBadInput;
}

bool parseArguments(const OptionTable &table, const std::vector<std::string> &arguments,
                    std::vector<std::string> *positionals, size_t wanted, int *exitCode) {
  const absl::Status status = table.parse(arguments, positionals);
  if (absl::IsOutOfRange(status)) { // help was asked for
    llvm::outs() << table.usage();
    *exitCode = kGood;
    return false;
  }
  if (!status.ok()) {
    *exitCode = fail(status);
    return false;
  }
  if (positionals->size() == wanted)
    return true;
  if (positionals->size() > wanted)
    llvm::errs() << "tandem: unexpected argument '" << (*positionals)[wanted] << "'\n";
  else
    llvm::errs() << "tandem: expected a program: a file, or - for standard input\n";
  llvm::errs() << llvm::StringRef(table.usage()).split('\n').first << "\n";
  *exitCode = kBadInput;
  return false;
}

void addCompileOptions(OptionTable &table, CompileOptions &options) {
  table.value("--devices", "N", "virtual devices (default: the size of the program's mesh)",
              parseCount(&options.devices, 1, runtime::kMaxDevices));
  table.value("--mesh", "A=N,...", "other sizes for axes of the program's mesh",
              parseSizes(&options.mesh));
  table.flag("--unpartitioned", "the whole program on one device, as the oracle",
             &options.unpartitioned);
  table.value("--target", "T", "the machine to compile for (see 'tandem targets')",
              parseText(&options.target));
  table.value("--emulate-link", "SPEC",
              "links of the target, and of 'run': latency=20us,bandwidth=25GB/s",
              parseText(&options.emulatedLink));
  table.value("--profile", "F.json", "measured times of ops instead of predicted ones",
              parseText(&options.profile));
  table.value("--disable", "P,...", "leave out passes, e.g. latency-hiding-schedule",
              parseList(&options.disable));
  table.value("--memory-limit", "BYTES", "cap on a device's memory, e.g. 64GiB",
              parseBytes(&options.memoryLimitBytes));
  table.value("--copy-region-analysis", "WHEN", "off, on, or after-schedule",
              parseChoice(&options.copyRegionAnalysis, {"off", "on", "after-schedule"}));
  table.value("--shardings-from", "F.hlo.txt",
              "for HLO text after partitioning: the module before it, for the shardings",
              parseText(&options.shardingsFrom));
  table.value("--reduction-dtype", "T", "type in which sums across devices are formed: f32, f64",
              parseChoice(&options.reductionDtype, {"f32", "f64"}));
  table.flag("--timing", "print the time of each phase and pass to stderr", &options.timing);
  table.value("--dump-dir", "D", "write the module after each phase to D/NN-PHASE.mlir",
              parseText(&options.dumpDirectory));
}

absl::StatusOr<Source> readProgram(const std::string &path, DumpStage stage) {
  absl::StatusOr<Source> source = readSource(path, stage);
  if (source.ok() && !source->note.empty())
    llvm::errs() << source->note << "\n";
  return source;
}

absl::Status flushOutput() {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  return error ? absl::ErrnoToStatus(error.value(), "cannot write standard output")
               : absl::OkStatus();
}

absl::Status writeOutput(const std::string &path, const std::string &bytes) {
  if (path != "-")
    return runtime::writeFileAtomically(path, {bytes});
  llvm::outs() << bytes;
  return flushOutput();
}

} // namespace tandem::tool
