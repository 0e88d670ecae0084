// The run report: medians, sums over steps, and one fact per line.
#include "tandem/Explain/RunReport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <vector>

namespace tandem {
namespace {

using testing::HasSubstr;

runtime::RunStats stepOf(double seconds, double communication, double hidden) {
  runtime::RunStats stats;
  stats.stepSeconds = seconds;
  stats.communicationSeconds = communication;
  stats.hiddenSeconds = hidden;
  return stats;
}

program::ProgramT programOf(unsigned devices) {
  program::ProgramT program;
  program.num_devices = devices;
  auto axis = std::make_unique<program::MeshAxisT>();
  axis->name = "data";
  axis->size = devices;
  program.mesh.push_back(std::move(axis));
  return program;
}

TEST(RunReport, MedianAndHiddenShareAreOverAllSteps) {
  const std::vector<runtime::RunStats> steps = {stepOf(0.3, 0.2, 0.2), stepOf(0.1, 0.2, 0.0),
                                                stepOf(0.2, 0.4, 0.2)};
  const RunReport report = makeRunReport(programOf(2), steps);
  EXPECT_DOUBLE_EQ(report.medianSeconds, 0.2);
  EXPECT_DOUBLE_EQ(report.leastSeconds, 0.1);
  EXPECT_DOUBLE_EQ(report.hiddenShare, 0.5);
  EXPECT_DOUBLE_EQ(report.communicationSeconds, 0.8 / 3 / 2);
  const std::vector<runtime::RunStats> even = {stepOf(0.3, 0, 0), stepOf(0.1, 0, 0)};
  EXPECT_DOUBLE_EQ(makeRunReport(programOf(2), even).medianSeconds, 0.2);
}

TEST(RunReport, LinesStartWithTheirLabelAndAPlainNumber) {
  runtime::RunStats step = stepOf(0.0123, 1, 0.25);
  step.collectives.push_back(
      {program::CollectiveKind::AllReduce, program::DType::BF16, 2, 6, 25592});
  step.collectives.push_back({program::CollectiveKind::AllReduce, program::DType::F32, 1, 1, 7});
  step.copies = 16;
  step.copyBytes = 1600;
  step.argumentBytes = 59552;
  step.tempBytes = 448;
  const std::string text = formatRunReport(makeRunReport(programOf(8), {step}));
  for (const char *line :
       {"devices               8 (data=8)\n",
        "collectives           6 all-reduce of bf16 in 2 operations, 25592 (25.0 KiB) wire bytes",
        "                      1 all-reduce of f32, 7 wire bytes per device\n",
        "copies                2 of 200 bytes per device\n",
        "argument bytes        59552 (58.2 KiB) per device\n",
        "peak bytes            60000 (58.6 KiB) per device\n", "step time             12.30 ms\n",
        "25 % of it hidden\n"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST(RunReport, OneDeviceCommunicatesNothing) {
  const std::string text = formatRunReport(makeRunReport(programOf(1), {stepOf(0.5, 0, 0)}));
  for (const char *line : {"devices               1\n", "collectives           none\n",
                           "copies                none\n", "communication         none\n"})
    EXPECT_THAT(text, HasSubstr(line));
}

} // namespace
} // namespace tandem
