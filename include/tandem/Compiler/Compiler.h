// The library's front door: from a program to something that runs.
//
//   auto client = tandem::runtime::Client::create(clientOptions);   // its devices
//   auto source = tandem::readSource("step.mlir");
//   tandem::CompileOptions options;
//   auto step = tandem::compile(*source, options, **client);   // StatusOr<unique_ptr<Executable>>
//   ... (*step)->makeArgument, run: tandem/Runtime/Client.h
//
// A module built with the dialects' C++ builders is compiled the same way (see
// examples/frontend). The steps in between, for tools: Compilation.h. Status codes and
// threading as stated there. Blocks until everything is compiled and loaded.
#pragma once

#include "tandem/Compiler/CompileOptions.h"
#include "tandem/Compiler/Source.h"
#include "tandem/Runtime/Client.h"
#include "tandem/Runtime/Program.h"

#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace tandem {

// All phases; options.to must be empty. The Program needs no compiler to run and can be saved.
absl::StatusOr<std::unique_ptr<program::ProgramT>> compileToProgram(const Source &source,
                                                                    const CompileOptions &options);
absl::StatusOr<std::unique_ptr<program::ProgramT>>
compileToProgram(mlir::OwningOpRef<mlir::ModuleOp> module, const CompileOptions &options);

// The same, loaded on the devices of `client`, which must outlive the executable.
absl::StatusOr<std::unique_ptr<runtime::Executable>>
compile(const Source &source, const CompileOptions &options, runtime::Client &client);
absl::StatusOr<std::unique_ptr<runtime::Executable>>
compile(mlir::OwningOpRef<mlir::ModuleOp> module, const CompileOptions &options,
        runtime::Client &client);

} // namespace tandem
