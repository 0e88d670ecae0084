// How deeply the brackets of a module's text are nested: the parser and the passes recurse, so that
// text made of nothing but brackets would exhaust the stack.
//
//   if (auto place = findTooDeep(text, 1000)) ... // text[*place] opens bracket 1001
//
// Strings and comments are skipped. One pass over the text.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tandem {

// The offset of the first bracket that opens inside `most` others; none if there is no such.
std::optional<size_t> findTooDeep(llvm::StringRef text, unsigned most);

} // namespace tandem
