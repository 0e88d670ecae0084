// tandem targets: the machine descriptions that come with the compiler.
#include "Commands.h"
#include "Measure.h"

#include "tandem/Cost/Target.h"
#include "tandem/Explain/Table.h"

#include "absl/strings/str_format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <thread>

namespace tandem::tool {
namespace {

// 495.0 TFLOP/s, 3.4 TB/s, ...: three digits are enough to tell machines apart.
std::string rateText(double perSecond, const char *unit) {
  constexpr std::pair<double, const char *> kScales[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}};
  for (auto [scale, prefix] : kScales)
    if (perSecond >= scale)
      return absl::StrFormat("%.4g %s%s", perSecond / scale, prefix, unit);
  return absl::StrFormat("%.4g %s", perSecond, unit);
}

std::string linksText(const Target &target) {
  std::string text;
  for (const Link &link : target.links)
    absl::StrAppend(&text, text.empty() ? "" : ", ", link.name, " ",
                    rateText(static_cast<double>(link.effectiveBytesPerSecond()), "B/s"), " ",
                    absl::StrFormat("%.4g us", static_cast<double>(link.latencyPicoseconds) / 1e6));
  return text;
}

} // namespace

int targetsCommand(const std::vector<std::string> &arguments) {
  std::string shown, output;
  bool measure = false;
  int64_t devices = 0;
  OptionTable table("targets", "",
                    "Lists the machines that programs can be compiled for: rates as reached, with "
                    "the efficiency factors. Your own description in a .json file works like these "
                    "wherever --target is taken.");
  table.value("--show", "T", "print the description of one target, to start your own from",
              parseText(&shown));
  table.flag("--measure", "measure this machine, to be used as --target F.json", &measure);
  table.value("-o", "F.json", "where the measured description goes (default: standard output)",
              parseText(&output));
  table.value("--devices", "N", "measure with N devices at work (default: one per core, at most 8)",
              parseCount(&devices, 1));
  std::vector<std::string> positionals;
  int exitCode = kGood;
  if (!parseArguments(table, arguments, &positionals, 0, &exitCode))
    return exitCode;
  if (!shown.empty()) {
    llvm::Expected<Target> target = Target::load(shown);
    if (!target)
      return fail(absl::InvalidArgumentError(llvm::toString(target.takeError())));
    llvm::outs() << target->toPrettyJson();
    return kGood;
  }
  if (measure) {
    constexpr unsigned kMostDevices = 8;
    const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1U, kMostDevices);
    absl::StatusOr<Target> target =
        measureHost(devices ? static_cast<int>(devices) : static_cast<int>(cores));
    if (!target.ok())
      return fail(target.status());
    if (absl::Status status = writeOutput(output.empty() ? "-" : output, target->toPrettyJson());
        !status.ok())
      return failWriting(status);
    return kGood;
  }
  TextTable rows({"name", "f32 FLOP/s", "bf16 FLOP/s", "memory", "links", "what it is"});
  for (const std::string &name : Target::names()) {
    llvm::Expected<Target> target = Target::named(name);
    if (!target)
      return fail(absl::InternalError(llvm::toString(target.takeError())));
    rows.add({name, rateText(static_cast<double>(target->matmulRate("f32")), ""),
              rateText(static_cast<double>(target->matmulRate("bf16")), ""),
              rateText(static_cast<double>(target->memoryRate()), "B/s"), linksText(*target),
              target->comment});
  }
  llvm::outs() << rows.text();
  return kGood;
}

} // namespace tandem::tool
