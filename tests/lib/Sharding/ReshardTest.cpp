// Paths between shardings and what they cost.
#include "tandem/Sharding/Reshard.h"

#include "Fixture.h"

namespace tandem {
namespace {

using ReshardTest = ShardingFixture;
using Kind = ReshardStep::Kind;

std::vector<Kind> kinds(const std::vector<ReshardStep> &plan) {
  std::vector<Kind> result;
  for (const ReshardStep &step : plan)
    result.push_back(step.kind);
  return result;
}

TEST_F(ReshardTest, SameTilesNeedNothing) {
  DeviceMesh m = mesh("<[\"a\"=2, \"b\"=2]>");
  EXPECT_TRUE(planReshard(sharding({{0}, {}}), sharding({{0}, {}}), f32({8, 8}), m).empty());
}

TEST_F(ReshardTest, AddingAxesIsALocalSlice) {
  DeviceMesh m = mesh("<[\"a\"=2, \"b\"=2]>");
  auto plan = planReshard(sharding({{0}, {}}), sharding({{0, 1}, {}}), f32({8, 8}), m);
  EXPECT_EQ(kinds(plan), (std::vector<Kind>{Kind::Slice}));
  EXPECT_EQ(getCostBytes(plan), 0);
}

TEST_F(ReshardTest, DroppingAxesIsAnAllGather) {
  DeviceMesh m = mesh("<[\"a\"=4, \"b\"=2]>");
  auto plan = planReshard(sharding({{0, 1, 2}}), sharding({{0, 1}}), f32({64}), m);
  ASSERT_EQ(kinds(plan), (std::vector<Kind>{Kind::AllGather}));
  EXPECT_EQ(plan[0].atoms, (Atoms{2}));
  EXPECT_EQ(plan[0].wireBytes, 8 * 4 * (2 - 1));
}

TEST_F(ReshardTest, MovingAnAxisIsOneAllToAll) {
  DeviceMesh m = mesh("<[\"a\"=4]>");
  auto plan = planReshard(sharding({{0, 1}, {}}), sharding({{}, {0, 1}}), f32({8, 8}), m);
  ASSERT_EQ(kinds(plan), (std::vector<Kind>{Kind::AllToAll}));
  EXPECT_EQ(plan[0].dim, 0);
  EXPECT_EQ(plan[0].toDim, 1);
  EXPECT_EQ(plan[0].wireBytes, 8 * 8 * 4 / 4 * 3 / 4);
}

TEST_F(ReshardTest, SwappingAxesOfOneSizeIsAPermute) {
  DeviceMesh m = mesh("<[\"a\"=2, \"b\"=2]>");
  auto plan = planReshard(sharding({{0}, {1}}), sharding({{1}, {0}}), f32({8, 8}), m);
  EXPECT_EQ(kinds(plan), (std::vector<Kind>{Kind::Permute}));
}

TEST_F(ReshardTest, SwappingAxesOfUnequalSizesGathersNothing) {
  DeviceMesh m = mesh("<[\"a\"=2, \"b\"=4]>");
  auto plan = planReshard(sharding({{0}, {1, 2}}), sharding({{1, 2}, {0}}), f32({16, 8}), m);
  ASSERT_EQ(kinds(plan), (std::vector<Kind>{Kind::AllToAll, Kind::Permute}));
  EXPECT_EQ(plan[0].wireBytes, 32);
  EXPECT_EQ(plan[1].wireBytes, 64);
}

TEST_F(ReshardTest, SlicesComeBeforeGathers) {
  DeviceMesh m = mesh("<[\"a\"=2, \"b\"=4]>");
  auto plan = planReshard(sharding({{0}, {}}), sharding({{}, {1, 2}}), f32({8, 8}), m);
  ASSERT_EQ(kinds(plan), (std::vector<Kind>{Kind::Slice, Kind::AllGather}));
  EXPECT_EQ(plan[1].wireBytes, 4 * 2 * 4);
}

TEST_F(ReshardTest, EveryPairOfShardingsHasAPath) {
  DeviceMesh m = mesh("<[\"a\"=2, \"b\"=2, \"c\"=2]>");
  // Every way to put a subset of three atoms, ordered, on two dimensions.
  std::vector<Sharding> all;
  std::function<void(Sharding, std::vector<bool>)> build = [&](Sharding s, std::vector<bool> used) {
    all.push_back(s);
    for (uint16_t atom = 0; atom < 3; ++atom)
      for (int dim = 0; dim < 2 && !used[atom]; ++dim) {
        Sharding next = s;
        next.dims[dim].push_back(atom);
        std::vector<bool> nowUsed = used;
        nowUsed[atom] = true;
        build(next, nowUsed);
      }
  };
  build(sharding({{}, {}}), {false, false, false});
  ASSERT_GT(all.size(), 70u);
  for (const Sharding &from : all)
    for (const Sharding &to : all) {
      Sharding at = from;
      for (const ReshardStep &step : planReshard(from, to, f32({8, 8}), m))
        at = step.after;
      EXPECT_TRUE(at.sameTiles(to));
    }
}

TEST_F(ReshardTest, AllReduceBytes) {
  EXPECT_EQ(getAllReduceBytes(32, 8), 56);
  EXPECT_EQ(getAllReduceBytes(4, 8), 7);
  EXPECT_EQ(getAllReduceBytes(100, 1), 0);
}

} // namespace
} // namespace tandem
