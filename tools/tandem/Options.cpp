// A small table-driven option parser: llvm::cl would pull LLVM's own options into ours.
#include "Options.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::tool {
namespace {

absl::Status expected(absl::string_view what, absl::string_view found) {
  return absl::InvalidArgumentError(absl::StrCat("expected ", what, ", found '", found, "'"));
}

} // namespace

void OptionTable::flag(std::string name, std::string help, bool *destination) {
  options.push_back({std::move(name), "", std::move(help), nullptr, destination});
}

void OptionTable::value(std::string name, std::string valueName, std::string help, Parser parser) {
  options.push_back({std::move(name), std::move(valueName), std::move(help), std::move(parser)});
}

const OptionTable::Option *OptionTable::find(absl::string_view name) const {
  auto it = std::find_if(options.begin(), options.end(),
                         [&](const Option &option) { return option.name == name; });
  return it == options.end() ? nullptr : &*it;
}

absl::Status OptionTable::unknown(absl::string_view name) const {
  constexpr unsigned kFarthest = 3;
  std::vector<std::string> near;
  for (const Option &option : options) {
    const unsigned distance =
        llvm::StringRef(option.name)
            .edit_distance(llvm::StringRef(name.data(), name.size()), true, kFarthest);
    if (distance <= kFarthest && distance < name.size() / 2)
      near.push_back(absl::StrCat("'", option.name, "'"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown option '", name, "' of 'tandem ", command, "'",
      near.empty() ? absl::StrCat("; 'tandem ", command, " --help' lists them")
                   : absl::StrCat("; did you mean ", absl::StrJoin(near, " or "), "?")));
}

absl::Status OptionTable::parse(const std::vector<std::string> &arguments,
                                std::vector<std::string> *positionals) const {
  bool onlyPositionals = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (onlyPositionals || argument.size() < 2 || argument[0] != '-') {
      positionals->push_back(argument);
      continue;
    }
    if (argument == "--") {
      onlyPositionals = true;
      continue;
    }
    if (argument == "--help" || argument == "-h")
      return absl::OutOfRangeError(usage());
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const Option *option = find(name);
    if (!option)
      return unknown(name);
    if (option->flag) {
      if (equals != std::string::npos)
        return absl::InvalidArgumentError(absl::StrCat(
            "option '", name, "' takes no value, found '", argument.substr(equals + 1), "'"));
      *option->flag = true;
      continue;
    }
    std::string value;
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else {
      if (i + 1 == arguments.size())
        return absl::InvalidArgumentError(
            absl::StrCat("option '", name, "' needs a value: ", name, " ", option->valueName));
      value = arguments[++i];
    }
    if (absl::Status status = option->parser(value); !status.ok())
      return absl::InvalidArgumentError(absl::StrCat("option '", name, "': ", status.message()));
  }
  return absl::OkStatus();
}

std::string OptionTable::usage() const {
  std::string text =
      absl::StrCat("usage: tandem ", command, positional.empty() ? "" : " ", positional,
                   options.empty() ? "" : " [OPTIONS]", "\n\n", summary, "\n");
  size_t width = 0;
  auto left = [](const Option &option) {
    return absl::StrCat(option.name, option.valueName.empty() ? "" : " ", option.valueName);
  };
  for (const Option &option : options)
    width = std::max(width, left(option).size());
  if (!options.empty())
    absl::StrAppend(&text, "\n");
  for (const Option &option : options) {
    const std::string name = left(option);
    absl::StrAppend(&text, "  ", name, std::string(width - name.size() + 2, ' '), option.help,
                    "\n");
  }
  return text;
}

OptionTable::Parser parseText(std::string *destination) {
  return [=](absl::string_view text) {
    if (text.empty())
      return expected("a value", text);
    *destination = std::string(text);
    return absl::OkStatus();
  };
}

OptionTable::Parser parseCount(int64_t *destination, int64_t least, int64_t most) {
  return [=](absl::string_view text) {
    int64_t value = 0;
    if (!absl::SimpleAtoi(text, &value) || value < least || value > most)
      return expected(most == std::numeric_limits<int64_t>::max()
                          ? absl::StrCat("a whole number of at least ", least)
                          : absl::StrCat("a whole number from ", least, " to ", most),
                      text);
    *destination = value;
    return absl::OkStatus();
  };
}

OptionTable::Parser parseReal(double *destination) {
  return [=](absl::string_view text) {
    double value = 0;
    if (!absl::SimpleAtod(text, &value) || !std::isfinite(value) || value < 0)
      return expected("a number of at least 0", text);
    *destination = value;
    return absl::OkStatus();
  };
}

OptionTable::Parser parseChoice(std::string *destination, std::vector<std::string> choices) {
  return [=](absl::string_view text) {
    if (std::find(choices.begin(), choices.end(), text) == choices.end())
      return expected(absl::StrCat("one of ", absl::StrJoin(choices, ", ")), text);
    *destination = std::string(text);
    return absl::OkStatus();
  };
}

OptionTable::Parser parseBytes(int64_t *destination) {
  return [=](absl::string_view text) {
    const size_t split = text.find_first_not_of("0123456789.");
    const std::string unit =
        split == absl::string_view::npos
            ? ""
            : absl::AsciiStrToLower(absl::StripAsciiWhitespace(text.substr(split)));
    static constexpr std::pair<const char *, double> kUnits[] = {{"", 1},
                                                                 {"b", 1},
                                                                 {"kb", 1e3},
                                                                 {"mb", 1e6},
                                                                 {"gb", 1e9},
                                                                 {"tb", 1e12},
                                                                 {"kib", 1024.0},
                                                                 {"mib", 1048576.0},
                                                                 {"gib", 1073741824.0},
                                                                 {"tib", 1099511627776.0}};
    const auto *found = std::find_if(std::begin(kUnits), std::end(kUnits),
                                     [&](const auto &entry) { return unit == entry.first; });
    double value = 0;
    if (found == std::end(kUnits) || !absl::SimpleAtod(text.substr(0, split), &value) ||
        value <= 0 || value * found->second >= 9.2e18)
      return expected("a size such as 64GiB, 512MB or 4096", text);
    *destination = static_cast<int64_t>(value * found->second);
    return absl::OkStatus();
  };
}

OptionTable::Parser parseList(std::vector<std::string> *destination) {
  return [=](absl::string_view text) {
    for (absl::string_view item : absl::StrSplit(text, ',')) {
      if (item.empty())
        return expected("names separated by commas", text);
      destination->emplace_back(item);
    }
    return absl::OkStatus();
  };
}

OptionTable::Parser parseSizes(std::vector<std::pair<std::string, int64_t>> *destination) {
  return [=](absl::string_view text) {
    for (absl::string_view item : absl::StrSplit(text, ',')) {
      const std::pair<absl::string_view, absl::string_view> parts =
          absl::StrSplit(item, absl::MaxSplits('=', 1));
      int64_t size = 0;
      if (parts.first.empty() || !absl::SimpleAtoi(parts.second, &size) || size < 1)
        return expected("AXIS=SIZE pairs such as data=4,model=2", text);
      if (std::any_of(destination->begin(), destination->end(),
                      [&](const auto &earlier) { return earlier.first == parts.first; }))
        return absl::InvalidArgumentError(
            absl::StrCat("axis '", parts.first, "' is given twice in '", text, "'"));
      destination->emplace_back(std::string(parts.first), size);
    }
    return absl::OkStatus();
  };
}

} // namespace tandem::tool
