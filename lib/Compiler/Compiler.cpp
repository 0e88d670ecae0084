// compile(): Compilation, then Client::load.
#include "tandem/Compiler/Compiler.h"

#include "tandem/Compiler/Compilation.h"

namespace tandem {
namespace {

absl::StatusOr<std::unique_ptr<program::ProgramT>>
finish(absl::StatusOr<std::unique_ptr<Compilation>> compilation) {
  if (!compilation.ok())
    return compilation.status();
  if (!(*compilation)->getOptions().to.empty())
    return absl::InvalidArgumentError("CompileOptions::to is set: a Program needs every phase");
  if (absl::Status status = (*compilation)->run(); !status.ok())
    return status;
  return (*compilation)->takeProgram();
}

absl::StatusOr<std::unique_ptr<runtime::Executable>>
load(absl::StatusOr<std::unique_ptr<program::ProgramT>> program, runtime::Client &client) {
  if (!program.ok())
    return program.status();
  return client.load(*std::move(program));
}

} // namespace

absl::StatusOr<std::unique_ptr<program::ProgramT>> compileToProgram(const Source &source,
                                                                    const CompileOptions &options) {
  return finish(Compilation::parse(source, options));
}

absl::StatusOr<std::unique_ptr<program::ProgramT>>
compileToProgram(mlir::OwningOpRef<mlir::ModuleOp> module, const CompileOptions &options) {
  return finish(Compilation::adopt(std::move(module), options));
}

absl::StatusOr<std::unique_ptr<runtime::Executable>>
compile(const Source &source, const CompileOptions &options, runtime::Client &client) {
  return load(compileToProgram(source, options), client);
}

absl::StatusOr<std::unique_ptr<runtime::Executable>>
compile(mlir::OwningOpRef<mlir::ModuleOp> module, const CompileOptions &options,
        runtime::Client &client) {
  return load(compileToProgram(std::move(module), options), client);
}

} // namespace tandem
