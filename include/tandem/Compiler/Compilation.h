// One program on its way through the compiler: parse, phases, Program.
//
//   CompileOptions options;
//   auto compilation = Compilation::parse(*readSource("step.mlir"), options);
//   absl::Status status = (*compilation)->run();
//   std::unique_ptr<program::ProgramT> program = (*compilation)->takeProgram();
//
// compile() in Compiler.h is the short form of this. Statuses carry the rendered diagnostics
// (`file:line:column: error: ...` with the source line). Their codes:
//   InvalidArgument, NotFound   the input or the options are at fault
//   ResourceExhausted           a limit (memory) cannot be met
//   Internal                    the compiler is at fault
// Owned by one thread at a time; compilations in different contexts are independent.
#pragma once

#include "tandem/Compiler/CompileOptions.h"
#include "tandem/Compiler/Source.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <string>

namespace tandem {

namespace program {
struct ProgramT;
} // namespace program

class DiagnosticLog;
class PhaseTimer;

class Compilation {
public:
  // Parses and verifies, applies `options` to the module (mesh sizes, attributes).
  static absl::StatusOr<std::unique_ptr<Compilation>> parse(const Source &source,
                                                            CompileOptions options);
  // Parses and verifies only: the module says what the text says. Of `options`, those on reading.
  static absl::StatusOr<std::unique_ptr<Compilation>> read(const Source &source,
                                                           CompileOptions options = {});
  // As parse, for a module built in memory, whose context must outlive the compilation and have
  // the dialects of registerAllDialects (tandem/IR/Register.h).
  static absl::StatusOr<std::unique_ptr<Compilation>>
  adopt(mlir::OwningOpRef<mlir::ModuleOp> module, CompileOptions options);
  ~Compilation();

  // Runs the phases from options.from to options.to. Runs once.
  absl::Status run();

  mlir::ModuleOp getModule() const { return *module; }
  const CompileOptions &getOptions() const { return options; }
  // The devices of the program's mesh (or 1), which may be fewer than options.devices.
  int64_t getProgramDevices() const;
  // The module as text with locations, which carry the causes of ops: what --to writes.
  std::string print() const;
  // Null unless the last phase ran.
  std::unique_ptr<program::ProgramT> takeProgram();

  // Rendered warnings so far; remarks as YAML documents.
  std::string getWarnings() const;
  std::string getRemarksYaml() const;
  // Milliseconds by phase and pass; empty unless options.timing.
  std::string timingTable();

private:
  Compilation(std::unique_ptr<mlir::MLIRContext> context, mlir::MLIRContext *used,
              CompileOptions options);
  absl::Status applyOptions();
  absl::Status importHlo(const Source &source);
  void reportProfileUse();
  absl::Status checkEntry();
  absl::Status runPhase(size_t index);
  absl::Status dump(size_t number, llvm::StringRef phase);

  std::unique_ptr<mlir::MLIRContext> ownedContext;
  mlir::MLIRContext *context;
  CompileOptions options;
  std::unique_ptr<DiagnosticLog> log;
  std::unique_ptr<PhaseTimer> timer;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<program::ProgramT> program;
};

} // namespace tandem
