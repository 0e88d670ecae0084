// Collects and prints the run report: one fact per line, label first, numbers plain.
#include "tandem/Explain/RunReport.h"

#include "tandem/Runtime/DType.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include <algorithm>
#include <vector>

namespace tandem {
namespace {

std::string line(absl::string_view label, absl::string_view text) {
  return absl::StrFormat("%-22s%s\n", label, text);
}

std::string plural(uint64_t count, absl::string_view what) {
  return absl::StrCat(count, " ", what, count == 1 ? "" : "s");
}

std::string formatBytes(uint64_t bytes) {
  static constexpr const char *kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024)
    return absl::StrCat(bytes);
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (value /= 1024; value >= 1024 && unit + 1 < std::size(kUnits); ++unit)
    value /= 1024;
  return absl::StrFormat("%d (%.1f %s)", bytes, value, kUnits[unit]);
}

std::string formatSeconds(double seconds) {
  if (seconds >= 1)
    return absl::StrFormat("%.2f s", seconds);
  if (seconds >= 1e-3)
    return absl::StrFormat("%.2f ms", seconds * 1e3);
  return absl::StrFormat("%.0f us", seconds * 1e6);
}

} // namespace

RunReport makeRunReport(const program::ProgramT &program,
                        absl::Span<const runtime::RunStats> steps) {
  RunReport report;
  report.name = program.name;
  report.devices = program.num_devices;
  for (const auto &axis : program.mesh)
    absl::StrAppend(&report.mesh, report.mesh.empty() ? "" : ",", axis->name, "=", axis->size);
  report.step = steps.back();
  report.steps = steps.size();
  std::vector<double> seconds;
  double communication = 0, hidden = 0;
  for (const runtime::RunStats &step : steps) {
    seconds.push_back(step.stepSeconds);
    communication += step.communicationSeconds;
    hidden += step.hiddenSeconds;
  }
  std::sort(seconds.begin(), seconds.end());
  const size_t middle = seconds.size() / 2;
  report.leastSeconds = seconds.front();
  report.medianSeconds =
      seconds.size() % 2 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  report.hiddenShare = communication > 0 ? hidden / communication : 1;
  report.communicationSeconds =
      communication / static_cast<double>(steps.size()) / std::max(1u, report.devices);
  return report;
}

std::string formatRunReport(const RunReport &report) {
  const runtime::RunStats &step = report.step;
  std::string text = line("devices", report.mesh.empty() || report.devices == 1
                                         ? absl::StrCat(report.devices)
                                         : absl::StrCat(report.devices, " (", report.mesh, ")"));
  if (step.collectives.empty())
    text += line("collectives", "none");
  for (const auto &row : step.collectives)
    text += line(&row == step.collectives.data() ? "collectives" : "",
                 absl::StrFormat("%d %s of %s%s, %s wire bytes per device", row.operands,
                                 std::string(runtime::collectiveKindName(row.kind)),
                                 std::string(runtime::dtypeName(row.dtype)),
                                 row.operands == row.count
                                     ? ""
                                     : absl::StrCat(" in ", plural(row.count, "operation")),
                                 formatBytes(row.wireBytes)));
  // The statistics count every device; copies are the same on each.
  const uint64_t devices = std::max(1u, report.devices);
  text += line("copies", step.copies == 0
                             ? "none"
                             : absl::StrFormat("%d of %s bytes per device", step.copies / devices,
                                               formatBytes(step.copyBytes / devices)));
  text += line("argument bytes", absl::StrCat(formatBytes(step.argumentBytes), " per device"));
  text += line("peak bytes", absl::StrCat(formatBytes(step.peakBytes()), " per device"));
  text += line("step time",
               absl::StrCat(formatSeconds(report.medianSeconds),
                            report.steps > 1
                                ? absl::StrCat(", the median of ", report.steps, " (least ",
                                               formatSeconds(report.leastSeconds), ")")
                                : ""));
  text += line("communication", step.collectives.empty()
                                    ? "none"
                                    : absl::StrFormat("%s per device, %.0f %% of it hidden",
                                                      formatSeconds(report.communicationSeconds),
                                                      report.hiddenShare * 100));
  return text;
}

} // namespace tandem
