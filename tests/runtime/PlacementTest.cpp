// Tiles of global arrays: splitting, padding, replicas.
#include "runtime/executor/Placement.h"

#include "tests/runtime/ProgramBuilder.h"
#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

Placement makePlacement(std::vector<int64_t> dims, std::vector<int64_t> local,
                        std::vector<uint32_t> tiles, uint32_t devices) {
  program::TensorTypeT type;
  type.dtype = DType::I32;
  type.dims = std::move(dims);
  program::LayoutT layout;
  layout.local = std::move(local);
  layout.tiles = std::move(tiles);
  return Placement(type, layout, devices);
}

std::vector<int32_t> numbers(int64_t count) {
  std::vector<int32_t> values(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    values[static_cast<size_t>(i)] = static_cast<int32_t>(i + 1);
  return values;
}

// Scatters to all devices and gathers again; returns the tiles.
std::vector<std::vector<int32_t>> roundTrip(const Placement &placement) {
  std::vector<int32_t> global = numbers(elementCount(placement.dims));
  std::vector<int32_t> back(global.size(), -1);
  std::vector<std::vector<int32_t>> tiles;
  for (uint32_t device = 0; device < placement.numDevices; ++device) {
    std::vector<int32_t> tile(static_cast<size_t>(elementCount(placement.local)), -7);
    placement.scatter(reinterpret_cast<std::byte *>(global.data()), device,
                      reinterpret_cast<std::byte *>(tile.data()));
    EXPECT_EQ(placement.gather(reinterpret_cast<std::byte *>(tile.data()), device,
                               reinterpret_cast<std::byte *>(back.data()), false),
              -1);
    tiles.push_back(tile);
  }
  EXPECT_EQ(back, global);
  return tiles;
}

TEST(Placement, tilesOfTwoDimensions) {
  // 2 x 2 tiles of [2, 3], in an order of devices that is not row-major.
  auto tiles = roundTrip(makePlacement({4, 6}, {2, 3}, {0, 0, 1, 0, 0, 1, 1, 1}, 4));
  EXPECT_THAT(tiles[0], testing::ElementsAre(1, 2, 3, 7, 8, 9));
  EXPECT_THAT(tiles[1], testing::ElementsAre(13, 14, 15, 19, 20, 21));
  EXPECT_THAT(tiles[2], testing::ElementsAre(4, 5, 6, 10, 11, 12));
}

TEST(Placement, innerDimensionWhole) {
  auto tiles =
      roundTrip(makePlacement({4, 2, 3}, {1, 2, 3}, {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0}, 4));
  EXPECT_THAT(tiles[3], testing::ElementsAre(19, 20, 21, 22, 23, 24));
}

TEST(Placement, paddingIsZeroAndIgnored) {
  // Five rows in tiles of two; the fourth device has nothing but padding.
  auto tiles = roundTrip(makePlacement({5}, {2}, {0, 1, 2, 3}, 4));
  EXPECT_THAT(tiles[2], testing::ElementsAre(5, 0));
  EXPECT_THAT(tiles[3], testing::ElementsAre(0, 0));
}

TEST(Placement, replicasAreCompared) {
  Placement placement = makePlacement({4}, {2}, {0, 1, 1}, 3);
  std::vector<int32_t> global = {1, 2, 3, 4}, tile = {3, 5};
  auto bytes = [](std::vector<int32_t> &values) {
    return reinterpret_cast<std::byte *>(values.data());
  };
  EXPECT_EQ(placement.gather(bytes(tile), 2, bytes(global), true), 12);
  tile[1] = 4;
  EXPECT_EQ(placement.gather(bytes(tile), 2, bytes(global), true), -1);
}

TEST(Placement, scalarsAndEmptyArrays) {
  roundTrip(makePlacement({}, {}, {}, 2));
  roundTrip(makePlacement({0, 3}, {0, 3}, {0, 0, 0, 0}, 2));
}

} // namespace
} // namespace tandem::runtime
