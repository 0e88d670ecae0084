// Counts brackets.
#include "Nesting.h"

namespace tandem {

std::optional<size_t> findTooDeep(llvm::StringRef text, unsigned most) {
  unsigned depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
    case '"':
      for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
        at += text[at] == '\\';
      break;
    case '/':
      if (text.substr(at).starts_with("//"))
        at = std::min(text.find('\n', at), text.size());
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      if (++depth > most)
        return at;
      break;
    case '-': // an arrow closes nothing
      at += text.substr(at).starts_with("->");
      break;
    case ')':
    case ']':
    case '}':
    case '>':
      depth -= depth > 0;
      break;
    default:
      break;
    }
  }
  return std::nullopt;
}

} // namespace tandem
