// Tiles of global arrays on devices.
#include "tandem/Sharding/Layout.h"

#include "Fixture.h"

namespace tandem {
namespace {

using LayoutTest = ShardingFixture;
using namespace mlir;
using Tiles = SmallVector<SmallVector<int64_t>>;

TEST_F(LayoutTest, TwoAxesTwoDimensions) {
  DeviceMesh m = mesh("<[\"a\"=2, \"b\"=2]>");
  auto layout = computeLayout(sharding({{0}, {1}}).getAttr(m), m.getAttr(), f32({8, 6}));
  ASSERT_TRUE(succeeded(layout));
  EXPECT_EQ(layout->localShape, (SmallVector<int64_t>{4, 3}));
  EXPECT_EQ(layout->tiles, (Tiles{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
}

TEST_F(LayoutTest, TwoAxesOneDimensionMinorFirst) {
  DeviceMesh m = mesh("<[\"a\"=2, \"b\"=2]>");
  auto layout = computeLayout(sharding({{1, 0}}).getAttr(m), m.getAttr(), f32({8}));
  ASSERT_TRUE(succeeded(layout));
  EXPECT_EQ(layout->tiles, (Tiles{{0}, {2}, {1}, {3}}));
}

TEST_F(LayoutTest, DeviceIdsPermuteTheTiles) {
  DeviceMesh m = mesh("<[\"a\"=2], device_ids=[1, 0]>");
  auto layout = computeLayout(sharding({{0}}).getAttr(m), m.getAttr(), f32({8}));
  ASSERT_TRUE(succeeded(layout));
  EXPECT_EQ(layout->tiles, (Tiles{{1}, {0}}));
}

TEST_F(LayoutTest, NoShardingIsReplicated) {
  DeviceMesh m = mesh("<[\"a\"=2]>");
  auto layout = computeLayout({}, m.getAttr(), f32({8}));
  ASSERT_TRUE(succeeded(layout));
  EXPECT_EQ(layout->localShape, (SmallVector<int64_t>{8}));
  EXPECT_EQ(layout->tiles, (Tiles{{0}, {0}}));
  EXPECT_EQ(computeLayout({}, {}, f32({8}))->tiles.size(), 1u);
}

TEST_F(LayoutTest, LastTilesReachBeyondTheArray) {
  DeviceMesh m = mesh("<[\"a\"=4]>");
  auto layout = computeLayout(sharding({{0, 1}}).getAttr(m), m.getAttr(), f32({5}));
  ASSERT_TRUE(succeeded(layout));
  EXPECT_EQ(layout->localShape, (SmallVector<int64_t>{2}));
  EXPECT_EQ(layout->tiles, (Tiles{{0}, {1}, {2}, {3}}));
}

TEST_F(LayoutTest, UnevenShardingsCutNoElement) {
  DeviceMesh m = mesh("<[\"a\"=8]>");
  Sharding s = sharding({{0, 1, 2}});
  EXPECT_TRUE(s.fits(f32({5}), m)); // tiles of one, three of them empty
  EXPECT_FALSE(s.divides(f32({5}), m));
  EXPECT_EQ(s.getPaddedType(f32({5}), m), f32({8}));
  EXPECT_EQ(s.getLocalType(f32({9}), m), f32({2}));
  EXPECT_FALSE(s.fits(f32({4}), m));
  EXPECT_TRUE(s.makeFit(f32({3}), m));
  EXPECT_TRUE(s.sameTiles(sharding({{0, 1}})));
}

} // namespace
} // namespace tandem
