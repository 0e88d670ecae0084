// Joins along a split dimension: every element arrives, and how much is sent (rule F18).
#include "tandem/Sharding/Join.h"

#include <vector>

#include <gtest/gtest.h>

namespace tandem {
namespace {

/// Carries out a plan on 0, 1, 2, .. and expects them in order.
JoinPlan check(std::vector<JoinedArray> arrays, int64_t tiles) {
  JoinPlan plan = planJoin(arrays, tiles);
  std::vector<std::vector<int64_t>> have(tiles), result(tiles, std::vector<int64_t>(plan.tile, -1));
  int64_t begin = 0;
  for (const JoinedArray &array : arrays) {
    int64_t part = array.isSplit ? array.size / tiles : array.size;
    for (int64_t device = 0; device < tiles; ++device)
      for (int64_t i = 0; i < part; ++i)
        have[device].push_back(begin + (array.isSplit ? device * part : 0) + i);
    begin += array.size;
  }
  for (const JoinPlan::Round &round : plan.rounds) {
    std::vector<int64_t> senders(tiles), receivers(tiles);
    for (auto [sender, receiver] : round.pairs) {
      EXPECT_EQ(++senders[sender], 1);
      EXPECT_EQ(++receivers[receiver], 1);
      EXPECT_EQ(sender == receiver, round.isLocal);
      for (int64_t i = 0; i < round.length; ++i)
        result[receiver][round.to[receiver] + i] = have[sender][round.from[sender] + i];
    }
  }
  for (int64_t device = 0; device < tiles; ++device)
    for (int64_t i = 0; i < plan.tile; ++i)
      EXPECT_EQ(result[device][i], device * plan.tile + i) << "device " << device;
  return plan;
}

TEST(JoinTest, EqualHalvesSendWhatADeviceGets) {
  EXPECT_EQ(check({{8, true}, {8, true}}, 4).sent, 4);
  EXPECT_EQ(check({{2, true}, {2, true}}, 2).sent, 1); // one tile each stays
  EXPECT_LE(check({{8, true}, {8, true}, {8, true}}, 8).sent, 4);
}

TEST(JoinTest, WholeArraysAreAtHand) {
  EXPECT_EQ(check({{3, false}, {5, false}}, 4).sent, 0);
  // A row in front shifts all others by one.
  EXPECT_EQ(check({{1, false}, {8, true}, {3, false}}, 4).numSends, 2);
}

TEST(JoinTest, SizesThatDiffer) {
  check({{4, true}, {8, true}, {2, false}, {2, false}}, 4);
  check({{6, true}, {9, true}}, 3);
  check({{5, true}}, 5);
  check({{0, true}, {4, true}}, 2);
}

} // namespace
} // namespace tandem
