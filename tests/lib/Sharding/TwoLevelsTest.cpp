// When collectives go level by level (rule A9).
#include "tandem/Sharding/TwoLevels.h"

#include "Fixture.h"

namespace tandem {
namespace {

Target nodes(int64_t devices, std::vector<std::string> algorithms = {"ring"}) {
  Target target;
  target.memoryBytesPerSecond = 1000000000000;
  target.algorithms = std::move(algorithms);
  Link fast{"fast", devices, 1000, 10, 100000000000, 1000};
  Link slow{"slow", 0, 10000, 1000, 1000000000, 1000};
  target.links = {fast, slow};
  return target;
}

using TwoLevelsTest = ShardingFixture;

TEST_F(TwoLevelsTest, AtomsAreSplitByTheDomainsTheirGroupsSpan) {
  DeviceMesh m = mesh("<[\"node\"=2, \"gpu\"=4]>");
  auto levels = splitByLevel({0, 1, 2}, m, nodes(4));
  ASSERT_TRUE(levels);
  EXPECT_EQ(levels->slow, (Atoms{0}));
  EXPECT_EQ(levels->fast, (Atoms{1, 2}));
  // The order of the collective stays within each.
  levels = splitByLevel({2, 0, 1}, m, nodes(4));
  ASSERT_TRUE(levels);
  EXPECT_EQ(levels->fast, (Atoms{2, 1}));
}

TEST_F(TwoLevelsTest, NothingIsSplitWithinADomainOrWithoutAFastPart) {
  DeviceMesh m = mesh("<[\"node\"=2, \"gpu\"=4]>");
  EXPECT_FALSE(splitByLevel({1, 2}, m, nodes(4)));
  EXPECT_FALSE(splitByLevel({0}, m, nodes(4)));
  EXPECT_FALSE(splitByLevel({0, 1, 2}, m, nodes(8)));
  EXPECT_FALSE(splitByLevel({0, 1, 2}, m, nodes(1)));
}

TEST_F(TwoLevelsTest, DeviceIdsDecideNotMeshOrder) {
  DeviceMesh m = mesh("<[\"gpu\"=2, \"node\"=2], device_ids=[0, 2, 1, 3]>");
  auto levels = splitByLevel({0, 1}, m, nodes(2));
  ASSERT_TRUE(levels);
  EXPECT_EQ(levels->fast, (Atoms{0}));
  EXPECT_EQ(levels->slow, (Atoms{1}));
}

TEST_F(TwoLevelsTest, StepsAreTakenWhereTheyAreCheaper) {
  DeviceMesh m = mesh("<[\"node\"=2, \"gpu\"=4]>");
  for (CollectiveKind kind :
       {CollectiveKind::AllReduce, CollectiveKind::AllGather, CollectiveKind::ReduceScatter}) {
    EXPECT_TRUE(planTwoLevels(kind, {0, 1, 2}, 1 << 20, m, nodes(4))) << nameOf(kind).str();
    EXPECT_FALSE(planTwoLevels(kind, {0, 1, 2}, 1 << 20, m, nodes(4, {"ring", "hierarchical"})))
        << nameOf(kind).str();
  }
  // More latency than one ring has.
  Target far = nodes(4);
  far.links[0].latencyPicoseconds = 1000000;
  EXPECT_FALSE(planTwoLevels(CollectiveKind::AllReduce, {0, 1, 2}, 16, m, far));
}

TEST_F(TwoLevelsTest, AReorderIsPaidFor) {
  DeviceMesh m = mesh("<[\"node\"=2, \"gpu\"=4]>");
  Target target = nodes(4);
  target.memoryBytesPerSecond = 1000000000; // a transposition costs more than the step saves
  EXPECT_FALSE(planTwoLevels(CollectiveKind::AllGather, {0, 1, 2}, 1 << 20, m, target));
  EXPECT_TRUE(planTwoLevels(CollectiveKind::AllGather, {1, 2, 0}, 1 << 20, m, target));
}

} // namespace
} // namespace tandem
