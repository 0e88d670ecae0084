// Collects what the compiler says about a program, rendered for people.
//
//   DiagnosticLog log(context, source.name, source.bytes);
//   ... parse, run passes ...
//   log.errors()    "step.mlir:12:10: error: 'stablehlo.add' op ...\n    %3 = ...\n         ^\n"
//
// While it lives it is the context's handler: nothing goes to stderr. Lines of the source are
// shown in a window around the column, since real programs have lines of 12 kilobytes. Safe to
// report to from several threads; read it when no pass is running.
#pragma once

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tandem {

class DiagnosticLog {
public:
  // `text` is copied; empty when the program was built in memory.
  DiagnosticLog(mlir::MLIRContext *context, llvm::StringRef name, llvm::StringRef text);
  ~DiagnosticLog();

  bool hasErrors() const { return !errorText.empty(); }
  std::string errors() const; // the first few, and how many more there are
  const std::string &warnings() const { return warningText; }
  const std::string &remarksYaml() const { return remarkText; }

private:
  void report(mlir::Diagnostic &diagnostic);
  std::string render(mlir::Location location, llvm::StringRef severity, llvm::StringRef message,
                     bool quote = true) const;

  mlir::MLIRContext *context;
  std::string name, text;
  std::vector<size_t> lineStarts; // byte offset of each line of `text`
  std::string errorText, warningText, remarkText;
  unsigned numErrors = 0;
  mlir::DiagnosticEngine::HandlerID handler;
};

} // namespace tandem
