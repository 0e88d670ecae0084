// Which elements devices need of their neighbours, and in how many rounds they come.
#include "tandem/Sharding/Halo.h"

#include <vector>

#include <gtest/gtest.h>

namespace tandem {
namespace {

HaloRanges ranges(std::vector<int64_t> starts, int64_t length) {
  HaloRanges result;
  result.starts.append(starts.begin(), starts.end());
  result.length = length;
  return result;
}

/// Carries out a plan on 0, 1, 2, ..; -1 is what lies outside.
std::vector<std::vector<int64_t>> carryOut(const HaloPlan &plan, int64_t tiles, int64_t tile) {
  std::vector<std::vector<int64_t>> result;
  for (int64_t device = 0; device < tiles; ++device) {
    std::vector<int64_t> joined;
    for (const HaloPlan::Piece &piece : plan.pieces) {
      int64_t source = piece.own[device] ? device : -1;
      for (const auto &round : piece.rounds)
        for (const auto &[from, to] : round)
          if (to == device)
            source = from;
      for (int64_t i = piece.begin; i < piece.end; ++i)
        joined.push_back(source < 0 ? -1 : source * tile + i);
    }
    auto first = joined.begin() + plan.offsets[device];
    result.emplace_back(first, first + plan.length);
  }
  return result;
}

/// Each device gets its range, and no round sends a tile twice or gives a device two.
void check(const HaloRanges &wanted, int64_t tile, int64_t sent) {
  int64_t tiles = wanted.starts.size();
  HaloPlan plan = planHalo(wanted, tile);
  auto got = carryOut(plan, tiles, tile);
  for (int64_t device = 0; device < tiles; ++device)
    for (int64_t i = 0; i < wanted.length; ++i) {
      int64_t position = wanted.starts[device] + i;
      bool inside = position >= 0 && position < tiles * tile;
      EXPECT_EQ(got[device][i], inside ? position : -1) << "device " << device << ", element " << i;
    }
  for (const HaloPlan::Piece &piece : plan.pieces)
    for (const auto &round : piece.rounds)
      for (size_t i = 0; i < round.size(); ++i)
        for (size_t j = 0; j < i; ++j) {
          EXPECT_NE(round[i].first, round[j].first);
          EXPECT_NE(round[i].second, round[j].second);
        }
  EXPECT_EQ(plan.sent, sent);
}

// A window of 3 with one element of padding: one element from either side.
TEST(HaloTest, Window) { check(ranges({-1, 1, 3, 5}, 4), 2, 2); }

// Tiles of the mirror image.
TEST(HaloTest, Reverse) { check(ranges({6, 4, 2, 0}, 2), 2, 2); }

// The first half of the array, spread over all: a tile serves two devices, in two rounds.
TEST(HaloTest, SliceOfHalf) { check(ranges({0, 1, 2, 3}, 1), 2, 4); }

// Nothing moves where ranges are the tiles.
TEST(HaloTest, Aligned) { check(ranges({0, 2, 4, 6}, 2), 2, 0); }

// Ranges that lie wholly outside, and longer than two tiles.
TEST(HaloTest, FarOutside) { check(ranges({-6, -2, 2, 6}, 5), 2, 5); }

} // namespace
} // namespace tandem
