// HLO text to a Module and back.
//
//   llvm::Expected<std::unique_ptr<hlo::Module>> module = hlo::parse(text, "step.hlo.txt");
//   std::string again = hlo::print(**module);
//
// For what XLA prints, print(parse(text)) == text, up to blank space and comments: everything is
// written from fields, only backend configs and forms that are not known are kept as text.
//
// Errors read `step.hlo.txt:12:3: error: ...` with the line and a caret, and say what was found
// and expected. Reading checks names (unique, defined, defined before they are used), shapes and
// layouts, called computations, parameters' numbers, tuples' elements, and that every start has
// its done. Time and memory are linear in the text. No global state; any thread.
#pragma once

#include "tandem/Import/Hlo.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace tandem::hlo {

llvm::Expected<std::unique_ptr<Module>> parse(std::string text, StringRef source);

std::string print(const Module &module);
// `f32[2,4]{1,0}`; the layout is left out unless asked for.
std::string print(const Shape &shape, bool withLayout = true);
// `{devices=[2,4]<=[8]}`.
std::string print(const Sharding &sharding);

// The error that `position` in the module's text is to blame for, in the form above.
llvm::Error errorAt(const Module &module, const char *position, const llvm::Twine &message);

// Checks what parse() checks after the syntax; for modules that a program made or changed.
llvm::Error verify(const Module &module);

} // namespace tandem::hlo
