// --emulate-link.
#include "tandem/Runtime/EmulatedLink.h"

#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

TEST(EmulatedLink, parsesLatencyAndBandwidth) {
  auto link = EmulatedLink::parse("latency=20us,bandwidth=25GB/s");
  ASSERT_OK(link);
  EXPECT_EQ(link->latencyNanoseconds, 20'000);
  EXPECT_EQ(link->bytesPerSecond, 25e9);
  EXPECT_EQ(link->transferNanoseconds(25'000'000), 20'000 + 1'000'000);
  EXPECT_EQ(EmulatedLink::parse("bandwidth=1.5MiB/s")->bytesPerSecond, 1.5 * (1 << 20));
  auto latencyOnly = EmulatedLink::parse("latency=3ms");
  ASSERT_OK(latencyOnly);
  EXPECT_EQ(latencyOnly->transferNanoseconds(1'000'000'000), 3'000'000);
}

TEST(EmulatedLink, badTexts) {
  for (const char *text : {"", "latency", "latency=", "latency=20", "latency=us", "latency=-1us",
                           "latency=20GB/s", "bandwidth=25us", "bandwidth=0GB/s", "speed=1us",
                           "latency=1us,latency=2us", "latency=1us;bandwidth=1GB/s", "latency=1us,",
                           "latency=1e99s", "latency=9999999999999999999s"})
    expectError(EmulatedLink::parse(text), absl::StatusCode::kInvalidArgument,
                {"emulated link", "for example latency=20us,bandwidth=25GB/s"});
}

} // namespace
} // namespace tandem::runtime
