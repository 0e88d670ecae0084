// Aligns cells; prints times and sizes the way all reports do.
#include "tandem/Explain/Table.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include <algorithm>
#include <cstdint>

namespace tandem {

TextTable::TextTable(std::vector<std::string> headings) {
  for (std::string &heading : headings) {
    right.push_back(heading.starts_with('>'));
    if (right.back())
      heading.erase(0, 1);
  }
  rows.push_back(std::move(headings));
}

void TextTable::add(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }

std::string TextTable::text(const std::string &indent) const {
  std::vector<size_t> width(right.size(), 0);
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      width[i] = std::max(width[i], row[i].size());
  std::string text;
  for (const std::vector<std::string> &row : rows) {
    text += indent;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(width[i] - row[i].size(), ' ');
      const bool last = i + 1 == row.size();
      absl::StrAppend(&text, right[i] ? padding : "", row[i], right[i] || last ? "" : padding,
                      last ? "\n" : "  ");
    }
  }
  return text;
}

std::string timeText(int64_t picoseconds) {
  const double ps = static_cast<double>(picoseconds);
  if (picoseconds == 0)
    return "0";
  if (picoseconds >= 1'000'000'000'000)
    return absl::StrFormat("%.3f s", ps / 1e12);
  if (picoseconds >= 1'000'000'000)
    return absl::StrFormat("%.3f ms", ps / 1e9);
  if (picoseconds >= 1'000'000)
    return absl::StrFormat("%.3f us", ps / 1e6);
  return absl::StrFormat("%.3f ns", ps / 1e3);
}

std::string bytesText(int64_t bytes) {
  const double b = static_cast<double>(bytes);
  if (bytes >= 1'000'000'000)
    return absl::StrFormat("%.3f GB", b / 1e9);
  if (bytes >= 1'000'000)
    return absl::StrFormat("%.3f MB", b / 1e6);
  if (bytes >= 1'000)
    return absl::StrFormat("%.3f kB", b / 1e3);
  return absl::StrFormat("%d B", bytes);
}

} // namespace tandem
