// Text tables for reports: columns as wide as their widest cell, the last one ragged.
//
//   TextTable table({"kind", ">bytes", "cause"});     // '>': aligned to the right
//   table.add({"all-reduce", "4096", "partial sums"});
//   std::string text = table.text();                  // ends in a newline
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tandem {

class TextTable {
public:
  explicit TextTable(std::vector<std::string> headings);

  void add(std::vector<std::string> cells); // as many as there are headings
  bool empty() const { return rows.size() < 2; }
  std::string text(const std::string &indent = "") const;

private:
  std::vector<bool> right;
  std::vector<std::vector<std::string>> rows; // headings first
};

// "12.345 ms", "840 us", "3.1 us": four digits.
std::string timeText(int64_t picoseconds);
// "1.25 GB", "640 B": powers of ten, three digits after the point at most.
std::string bytesText(int64_t bytes);

} // namespace tandem
