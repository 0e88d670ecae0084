// Parsing of --emulate-link.
#include "tandem/Runtime/EmulatedLink.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"

namespace tandem::runtime {
namespace {

struct Unit {
  absl::string_view name;
  double factor;
};

constexpr Unit kTimes[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
constexpr Unit kRates[] = {{"B/s", 1},        {"KB/s", 1e3},     {"MB/s", 1e6},
                           {"GB/s", 1e9},     {"TB/s", 1e12},    {"KiB/s", 0x1p10},
                           {"MiB/s", 0x1p20}, {"GiB/s", 0x1p30}, {"TiB/s", 0x1p40}};

absl::StatusOr<double> parseQuantity(absl::string_view text, absl::Span<const Unit> units) {
  size_t end = text.find_first_not_of("0123456789.");
  double number = 0;
  if (end != absl::string_view::npos && absl::SimpleAtod(text.substr(0, end), &number) &&
      std::isfinite(number))
    for (const Unit &unit : units)
      if (unit.name == text.substr(end))
        return number * unit.factor;
  return absl::InvalidArgumentError(absl::StrCat("found '", text, "', expected a number with ",
                                                 units.front().name, " to ", units.back().name));
}

} // namespace

absl::StatusOr<EmulatedLink> EmulatedLink::parse(absl::string_view text) {
  EmulatedLink link;
  bool hasLatency = false, hasBandwidth = false;
  auto fail = [&](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat("emulated link '", text, "': ", what,
                                                   "; for example latency=20us,bandwidth=25GB/s"));
  };
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    std::pair<absl::string_view, absl::string_view> entry =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    bool isLatency = entry.first == "latency";
    if (!isLatency && entry.first != "bandwidth")
      return fail(absl::StrCat("unknown key '", entry.first, "'"));
    bool &seen = isLatency ? hasLatency : hasBandwidth;
    if (seen)
      return fail(absl::StrCat(entry.first, " is given twice"));
    seen = true;
    absl::StatusOr<double> value =
        isLatency ? parseQuantity(entry.second, kTimes) : parseQuantity(entry.second, kRates);
    if (!value.ok())
      return fail(absl::StrCat(entry.first, ": ", value.status().message()));
    if (isLatency && *value > 1e18)
      return fail("the latency is beyond 30 years");
    if (!isLatency && *value <= 0)
      return fail("the bandwidth must be positive");
    if (isLatency)
      link.latencyNanoseconds = std::llround(*value);
    else
      link.bytesPerSecond = *value;
  }
  return link;
}

int64_t EmulatedLink::transferNanoseconds(uint64_t wireBytes) const {
  double wire = bytesPerSecond > 0 ? static_cast<double>(wireBytes) / bytesPerSecond * 1e9 : 0;
  return latencyNanoseconds + std::llround(std::min(wire, 4e18));
}

} // namespace tandem::runtime
