// tandem convert: a program in another text form, nothing compiled.
#include "Commands.h"

#include "tandem/Compiler/Compilation.h"
#include "tandem/Compiler/Source.h"
#include "tandem/Import/HloText.h"
#include "tandem/Runtime/AtomicFile.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/raw_ostream.h"

namespace tandem::tool {
namespace {

// The form that a file's name asks for; empty: it does not say.
std::string formOf(absl::string_view path) {
  if (absl::EndsWith(path, ".mlirbc"))
    return "mlirbc";
  if (absl::EndsWith(path, ".mlir"))
    return "mlir";
  if (absl::EndsWith(path, ".hlo.txt") || absl::EndsWith(path, ".hlo") ||
      absl::EndsWith(path, ".txt"))
    return "hlo";
  return "";
}

absl::StatusOr<std::string> toHlo(const Source &source) {
  if (source.kind == Source::Kind::HloText) {
    llvm::Expected<std::unique_ptr<hlo::Module>> module = hlo::parse(source.bytes, source.name);
    if (!module)
      return absl::InvalidArgumentError(llvm::toString(module.takeError()));
    return hlo::print(**module);
  }
  CompileOptions options;
  options.from = "lower"; // the module is one that the phases up to schedule made
  absl::StatusOr<std::unique_ptr<Compilation>> compilation = Compilation::parse(source, options);
  if (!compilation.ok())
    return compilation.status();
  return scheduledHlo((*compilation)->getModule());
}

absl::StatusOr<std::string> toMlir(const Source &source, bool bytecode) {
  absl::StatusOr<std::unique_ptr<Compilation>> compilation = Compilation::read(source);
  if (!compilation.ok())
    return compilation.status();
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  mlir::ModuleOp module = (*compilation)->getModule();
  if (!bytecode)
    module->print(os);
  else if (mlir::failed(mlir::writeBytecodeToFile(module, os)))
    return absl::InternalError("the module cannot be written as bytecode");
  return bytes;
}

} // namespace

int convertCommand(const std::vector<std::string> &arguments) {
  std::string output, form;
  OptionTable table("convert", "IN -o OUT",
                    "Writes the program IN in another form. The form is told from OUT's name "
                    "(.hlo.txt, .mlir, .mlirbc) or by --to.");
  table.value("-o", "OUT", "where the result goes, - for standard output", parseText(&output));
  table.value("--to", "FORM", "hlo, mlir or mlirbc", parseChoice(&form, {"hlo", "mlir", "mlirbc"}));
  std::vector<std::string> positionals;
  int exitCode = kGood;
  if (!parseArguments(table, arguments, &positionals, 1, &exitCode))
    return exitCode;
  if (output.empty())
    return fail(absl::InvalidArgumentError("expected -o OUT: where the result goes"));
  if (form.empty())
    form = formOf(output);
  if (form.empty())
    return fail(absl::InvalidArgumentError(
        absl::StrCat("cannot tell a form from the name '", output,
                     "', expected .hlo.txt, .mlir or .mlirbc, or --to")));

  absl::StatusOr<Source> source = readProgram(positionals[0]);
  if (!source.ok())
    return fail(source.status());
  absl::StatusOr<std::string> bytes =
      form == "hlo" ? toHlo(*source) : toMlir(*source, form == "mlirbc");
  if (!bytes.ok())
    return fail(bytes.status());
  if (absl::Status status = writeOutput(output, *bytes); !status.ok())
    return failWriting(status);
  return kGood;
}

} // namespace tandem::tool
