// Offsets from live intervals.
#include "tandem/Analysis/Placement.h"
#include "tandem/Analysis/Bins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tandem {
namespace {

using testing::ElementsAre;

TEST(Placement, ReusesBytesThatAreFree) {
  Placement placement = placeAll({{64, {{0, 2}}}, {64, {{2, 4}}}, {32, {{1, 3}}}}, 64);
  EXPECT_THAT(placement.offsets, ElementsAre(0, 0, 64));
  EXPECT_EQ(placement.totalBytes, 96);
  EXPECT_EQ(placement.liveBytes, 96);
}

TEST(Placement, TakesTheSmallestGapThatFits) {
  // At time 5: [0, 512) and [640, 768) are taken by long ones, [512, 640) was free all along.
  Placement placement = placeAll(
      {{512, {{0, 10}}}, {256, {{0, 2}}}, {192, {{4, 10}}}, {64, {{4, 10}}}, {100, {{0, 10}}}}, 64);
  EXPECT_THAT(placement.offsets, ElementsAre(0, 512, 512, 704, 768));
}

TEST(Placement, GapsBetweenIntervalsOfOneItemAreFree) {
  Placement placement = placeAll({{64, {{0, 2}, {4, 6}}}, {64, {{2, 4}}}}, 64);
  EXPECT_THAT(placement.offsets, ElementsAre(0, 0));
}

TEST(Placement, OffsetsAreAligned) {
  Placement placement = placeAll({{100, {{0, 2}}}, {4, {{0, 2}}}, {0, {{0, 2}}}}, 64);
  EXPECT_THAT(placement.offsets, ElementsAre(0, 128, 0));
  EXPECT_EQ(placement.totalBytes, 132);
}

// More pairs alive together than the greedy orders look at: a sweep places them, as tightly here.
TEST(Placement, ManyAliveAtOnce) {
  std::vector<PlacementItem> items;
  const int64_t count = 6000;
  for (int64_t i = 0; i < count; ++i) // kept from the way there to the way back
    items.push_back({128, {{i, 2 * count - i}}});
  for (int64_t i = 0; i < 2 * count; ++i)
    items.push_back({64, {{i, i + 1}}});
  Placement placement = placeAll(items, 64);
  EXPECT_EQ(placement.totalBytes, placement.liveBytes);
  std::vector<std::pair<int64_t, int64_t>> top; // (offset, end) of those alive at time `count - 1`
  for (int64_t i = 0; i < count; ++i)
    top.push_back({placement.offsets[i], placement.offsets[i] + 128});
  std::sort(top.begin(), top.end());
  for (size_t i = 1; i < top.size(); ++i)
    EXPECT_LE(top[i - 1].second, top[i].first);
}

TEST(Bins, IdleBytesAreUsed) {
  // A result made at time 6, an argument that is given away at time 2.
  std::vector<Bin> bins = {{256, {{6, 10}}}, {128, {{0, 2}}}};
  std::vector<BinPlace> places = placeInBins(
      {{128, {{2, 5}}}, {200, {{0, 3}}}, {100, {{3, 6}}}, {64, {{5, 8}}}, {300, {{0, 1}}}}, bins,
      64);
  EXPECT_EQ(places[0].bin, 1u);
  EXPECT_EQ(places[1].bin, 0u);
  EXPECT_EQ(places[2].bin, 0u); // after what was there before
  EXPECT_EQ(places[2].offset, 0);
  EXPECT_EQ(places[3].bin, 1u);
  EXPECT_EQ(places[4].bin, ~0u); // too large
}

TEST(Placement, NeverOverlapsWhatIsLiveTogether) {
  // A deterministic mix of sizes and lives.
  std::vector<PlacementItem> items;
  uint32_t state = 1;
  auto next = [&] { return state = state * 1664525 + 1013904223, state >> 16; };
  for (int i = 0; i < 400; ++i) {
    int64_t begin = next() % 1000;
    items.push_back({int64_t(next() % 5000), {{begin, begin + 1 + next() % 50}}});
  }
  Placement placement = placeAll(items, 64);
  for (size_t a = 0; a < items.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      Interval x = items[a].live[0], y = items[b].live[0];
      if (x.end <= y.begin || y.end <= x.begin || !items[a].bytes || !items[b].bytes)
        continue;
      EXPECT_TRUE(placement.offsets[a] + items[a].bytes <= placement.offsets[b] ||
                  placement.offsets[b] + items[b].bytes <= placement.offsets[a])
          << a << " and " << b;
    }
  EXPECT_LE(placement.totalBytes, placement.liveBytes * 3 / 2);
}

} // namespace
} // namespace tandem
