// Renders diagnostics with their place in the source.
#include "DiagnosticLog.h"

#include "tandem/Explain/Place.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <set>

namespace tandem {
namespace {

// Names of registered operations close to one that is unknown: "unregistered operation 'x'" and
// "custom op 'x' is unknown" are the parser's words.
std::string nearOperations(mlir::MLIRContext *context, llvm::StringRef message) {
  if (!message.contains("unregistered operation '") && !message.contains("is unknown"))
    return "";
  llvm::StringRef wanted = message.split('\'').second.split('\'').first;
  constexpr unsigned kFarthest = 4;
  std::set<std::pair<unsigned, std::string>> near;
  for (mlir::RegisteredOperationName known : context->getRegisteredOperations()) {
    if (known.getDialectNamespace() != wanted.split('.').first)
      continue;
    const unsigned distance = known.getStringRef().edit_distance(wanted, true, kFarthest);
    if (distance <= kFarthest)
      near.insert({distance, known.getStringRef().str()});
  }
  if (near.empty())
    return "expected an operation of the dialects stablehlo, chlo, sdy, func or tandem "
           "(docs/reference lists them)";
  return "did you mean '" + near.begin()->second + "'?";
}

// What may help beyond the message; empty if nothing.
std::string hintFor(mlir::MLIRContext *context, llvm::StringRef message) {
  if (message.contains("!quant.") || message.contains("'stablehlo.uniform_"))
    return "quantised types are not supported; export the program with integers or floats";
  return nearOperations(context, message);
}

std::string quoteYaml(llvm::StringRef text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'')
      quoted += '\'';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "'";
}

constexpr unsigned kMostErrors = 10; // what many ops have in common says no more after some

// MLIR notes the op of every diagnostic: useful on one line, not as the text of a whole function.
bool isWholeText(const mlir::Diagnostic &note) {
  const std::string text = note.str();
  return llvm::StringRef(text).starts_with("see current operation: ") &&
         text.find('\n') != std::string::npos;
}

// A constant's note holds all its numbers.
std::string shorten(std::string text) {
  constexpr size_t kLongest = 400;
  if (text.size() > kLongest)
    text = text.substr(0, kLongest) + "...";
  return text;
}

} // namespace

DiagnosticLog::DiagnosticLog(mlir::MLIRContext *context, llvm::StringRef name, llvm::StringRef text)
    : context(context), name(name), text(text) {
  if (!text.empty()) {
    lineStarts.push_back(0);
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n')
        lineStarts.push_back(i + 1);
  }
  handler = context->getDiagEngine().registerHandler(
      [this](mlir::Diagnostic &diagnostic) { report(diagnostic); });
}

DiagnosticLog::~DiagnosticLog() { context->getDiagEngine().eraseHandler(handler); }

std::string DiagnosticLog::render(mlir::Location location, llvm::StringRef severity,
                                  llvm::StringRef message, bool quote) const {
  std::string place = describePlace(location);
  if (place.empty() && !name.empty())
    place = name;
  std::string rendered =
      (place + (place.empty() ? "" : ": ") + severity + ": " + message + "\n").str();
  mlir::FileLineColLoc file = findPlace(location);
  if (!quote || !file || file.getFilename().getValue() != name || file.getLine() == 0 ||
      file.getLine() > lineStarts.size())
    return rendered;
  constexpr size_t kWindow = 100, kBefore = 40;
  llvm::StringRef line = llvm::StringRef(text).substr(lineStarts[file.getLine() - 1]);
  line = line.take_until([](char c) { return c == '\n' || c == '\r'; });
  size_t column = file.getColumn() ? file.getColumn() - 1 : 0;
  column = std::min(column, line.size());
  size_t start = 0;
  if (line.size() > kWindow) {
    // Cut at both ends, never inside the indentation.
    start = column > kBefore ? column - kBefore : 0;
  } else {
    start = std::min(line.find_first_not_of(" \t"), column);
  }
  std::string shown = line.substr(start, kWindow).str();
  for (char &c : shown) // never steer the terminal
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t')
      c = '?';
  const llvm::StringRef head = start > 0 && line.size() > kWindow ? "..." : "";
  const llvm::StringRef tail = start + shown.size() < line.size() ? "..." : "";
  rendered += ("    " + head + llvm::StringRef(shown) + tail + "\n").str();
  rendered += "    " + std::string(head.size() + column - start, ' ') + "^\n";
  return rendered;
}

std::string DiagnosticLog::errors() const {
  if (numErrors <= kMostErrors)
    return errorText;
  return errorText + "and " + std::to_string(numErrors - kMostErrors) + " more errors\n";
}

void DiagnosticLog::report(mlir::Diagnostic &diagnostic) {
  const std::string message = diagnostic.str();
  switch (diagnostic.getSeverity()) {
  case mlir::DiagnosticSeverity::Error: {
    if (++numErrors > kMostErrors)
      return;
    errorText += render(diagnostic.getLocation(), "error", message);
    if (std::string hint = hintFor(context, message); !hint.empty())
      errorText += "  note: " + hint + "\n";
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      if (!isWholeText(note))
        errorText += render(note.getLocation(), "note", shorten(note.str()),
                            note.getLocation() != diagnostic.getLocation());
    return;
  }
  case mlir::DiagnosticSeverity::Warning:
    warningText += render(diagnostic.getLocation(), "warning", message);
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      if (!isWholeText(note))
        warningText += render(note.getLocation(), "note", shorten(note.str()),
                              note.getLocation() != diagnostic.getLocation());
    return;
  case mlir::DiagnosticSeverity::Remark:
    remarkText += "--- !Remark\nplace: " + quoteYaml(describePlace(diagnostic.getLocation())) +
                  "\nmessage: " + quoteYaml(message) + "\n";
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      if (!isWholeText(note))
        remarkText += "note: " + quoteYaml(note.str()) + "\n";
    remarkText += "...\n";
    return;
  case mlir::DiagnosticSeverity::Note:
    return; // attached to one of the above
  }
}

} // namespace tandem
