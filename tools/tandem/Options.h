// The command line's grammar as a table: every option once, with its parser and its help.
//
//   OptionTable table("run", "IN", "compiles a program and runs it");
//   table.flag("--unpartitioned", "run the whole program on one device", &options.unpartitioned);
//   table.value("--devices", "N", "number of virtual devices", parseCount(&options.devices));
//   absl::Status status = table.parse(arguments, &positional);
//
// `--name value`, `--name=value`; `--` ends the options. Errors name the option, what was
// found and what was expected, and near matches of an unknown name.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tandem::tool {

class OptionTable {
public:
  using Parser = std::function<absl::Status(absl::string_view)>;

  OptionTable(std::string command, std::string positional, std::string summary)
      : command(std::move(command)), positional(std::move(positional)),
        summary(std::move(summary)) {}

  void flag(std::string name, std::string help, bool *destination);
  void value(std::string name, std::string valueName, std::string help, Parser parser);

  // Fills the destinations and returns the arguments that are no options. OutOfRange: help was
  // asked for (print usage()). Destinations of earlier options are set even on an error.
  absl::Status parse(const std::vector<std::string> &arguments,
                     std::vector<std::string> *positionals) const;

  std::string usage() const;
  const std::string &getSummary() const { return summary; }

private:
  struct Option {
    std::string name, valueName, help;
    Parser parser;
    bool *flag = nullptr;
  };
  const Option *find(absl::string_view name) const;
  absl::Status unknown(absl::string_view name) const;

  std::string command, positional, summary;
  std::vector<Option> options;
};

// Value parsers. Each returns InvalidArgument with found and expected.
OptionTable::Parser parseText(std::string *destination);
OptionTable::Parser parseCount(int64_t *destination, int64_t least = 0,
                               int64_t most = std::numeric_limits<int64_t>::max());
OptionTable::Parser parseReal(double *destination);
OptionTable::Parser parseChoice(std::string *destination, std::vector<std::string> choices);
// "64GiB", "512MB", "4096".
OptionTable::Parser parseBytes(int64_t *destination);
// "a,b,c", appended.
OptionTable::Parser parseList(std::vector<std::string> *destination);
// "data=4,model=2", appended.
OptionTable::Parser parseSizes(std::vector<std::pair<std::string, int64_t>> *destination);

} // namespace tandem::tool
