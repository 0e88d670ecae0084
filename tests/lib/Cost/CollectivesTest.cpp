// Collectives by algorithm and level, against the formulas worked out by hand.
#include "tandem/Cost/Collectives.h"

#include <gtest/gtest.h>

namespace tandem {
namespace {

// Domains of 4 devices. Within: 100 + 10 a step, 4 B/ps. Across: 1000 + 50 a step, 1 B/ps.
Target machine(std::vector<std::string> algorithms) {
  Target target;
  target.algorithms = std::move(algorithms);
  target.links = {Link{"in", 4, 100, 10, 4'000'000'000'000},
                  Link{"out", 0, 1000, 50, 1'000'000'000'000}};
  return target;
}

const DeviceGroups kPair = {{0, 1, 2, 3}, {4, 5, 6, 7}};        // within domains
const DeviceGroups kAll = {{0, 1, 2, 3, 4, 5, 6, 7}};           // two domains of four members
const DeviceGroups kStrided = {{0, 4}, {1, 5}, {2, 6}, {3, 7}}; // two domains of one member

int64_t time(const Target &target, CollectiveKind kind, int64_t bytes, const DeviceGroups &groups) {
  return priceOf(target, kind, bytes, shapeOf(target, kind, groups)).picoseconds;
}

TEST(Collectives, ShapeOfGroups) {
  Target target = machine({"ring"});
  GroupShape in = shapeOf(target, CollectiveKind::AllReduce, kPair);
  EXPECT_EQ(std::tuple(in.size, in.level, in.domains), std::tuple(4, 0u, 1));
  GroupShape all = shapeOf(target, CollectiveKind::AllReduce, kAll);
  EXPECT_EQ(std::tuple(all.size, all.level, all.domains), std::tuple(8, 1u, 2));
  GroupShape far = shapeOf(target, CollectiveKind::AllReduce, kStrided);
  EXPECT_EQ(std::tuple(far.size, far.level, far.domains), std::tuple(2, 1u, 2));
  // Padding is no device.
  EXPECT_EQ(shapeOf(target, CollectiveKind::AllReduce, {{0, 1, -1}, {4, 5, 6}}).level, 0u);
}

TEST(Collectives, RingWithinADomain) {
  Target target = machine({"ring"});
  // 100 + 3 steps x 10 + 2 x 800 x 3/4 bytes at 4 B/ps.
  EXPECT_EQ(time(target, CollectiveKind::AllReduce, 800, kPair), 100 + 30 + 300);
  EXPECT_EQ(time(target, CollectiveKind::AllGather, 800, kPair), 100 + 30 + 150);
  EXPECT_EQ(time(target, CollectiveKind::ReduceScatter, 800, kPair), 100 + 30 + 150);
  EXPECT_EQ(time(target, CollectiveKind::AllToAll, 800, kPair), 100 + 30 + 150);
  EXPECT_EQ(time(target, CollectiveKind::Permute, 800, {{0, 1}, {1, 0}}), 100 + 10 + 200);
}

TEST(Collectives, RingAcrossDomainsLeavesThemOverAllPorts) {
  Target target = machine({"ring"});
  // One step across, six within; 2 x 800 x 7/8 bytes at min(4, 4 ports x 1).
  EXPECT_EQ(time(target, CollectiveKind::AllReduce, 800, kAll), 1000 + 50 + 60 + 350);
  // One member a domain: one port. 2 x 800 x 1/2 bytes at 1.
  EXPECT_EQ(time(target, CollectiveKind::AllReduce, 800, kStrided), 1000 + 50 + 800);
  EXPECT_EQ(time(target, CollectiveKind::Permute, 800, {{0, 4}, {4, 0}}), 1000 + 50 + 800);
  // Of 8 parts of 100 bytes, 4 leave over the device's own port, 3 stay within.
  EXPECT_EQ(time(target, CollectiveKind::AllToAll, 800, kAll), 1000 + 50 + 60 + 400);
}

TEST(Collectives, TheCheapestAlgorithmIsTaken) {
  Target target = machine({"ring", "tree", "hierarchical"});
  GroupShape shape = shapeOf(target, CollectiveKind::AllReduce, kAll);
  // Few bytes: the tree, 2 x (50 x 1 + 10 x 2) steps, 2 x 8 bytes at 4. The ring takes 1113 or
  // more.
  CollectivePrice small = priceOf(target, CollectiveKind::AllReduce, 8, shape);
  EXPECT_EQ(small.picoseconds, 1000 + 50 + 60 + 4); // ring: 1000 + 110 + 14/4 rounded up
  EXPECT_EQ(small.algorithm, "ring");
  // Sixteen domains of one: 15 steps around, 2 x 4 in the tree.
  DeviceGroups many(1);
  for (int64_t id = 0; id < 16; ++id)
    many[0].push_back(4 * id);
  CollectivePrice tree = priceOf(target, CollectiveKind::AllReduce, 8,
                                 shapeOf(target, CollectiveKind::AllReduce, many));
  EXPECT_EQ(tree.algorithm, "tree");
  EXPECT_EQ(tree.picoseconds, 1000 + 2 * 50 * 4 + 16);
  // Four domains of four: the ring takes 3 + 12 steps; in levels it is two times 3 within and 3
  // across.
  DeviceGroups square(1);
  for (int64_t id = 0; id < 16; ++id)
    square[0].push_back(id);
  Target ringOnly = machine({"ring"}), levels = machine({"hierarchical"});
  GroupShape sixteen = shapeOf(target, CollectiveKind::AllReduce, square);
  EXPECT_EQ(priceOf(ringOnly, CollectiveKind::AllReduce, 1600, sixteen).picoseconds,
            1000 + 3 * 50 + 12 * 10 + 2 * 1600 * 15 / 16 / 4);
  // Each phase: 100 + 30 + 1600 x 3/4 / 4 within, 150 + 400 x 3/4 / 1 across.
  EXPECT_EQ(priceOf(levels, CollectiveKind::AllReduce, 1600, sixteen).picoseconds,
            1000 + 2 * (100 + 30 + 300 + 150 + 300));
}

TEST(Collectives, WireBytes) {
  EXPECT_EQ(wireBytesOf(CollectiveKind::AllReduce, 800, 8), 1400);
  EXPECT_EQ(wireBytesOf(CollectiveKind::AllGather, 800, 8), 700);
  EXPECT_EQ(wireBytesOf(CollectiveKind::Broadcast, 800, 8), 800);
  EXPECT_EQ(wireBytesOf(CollectiveKind::AllReduce, 800, 1), 0);
}

TEST(Collectives, TheNodeHasTheRulersFigures) {
  // 64 MiB all-gathered over 8: 10 us + 7 us + 7/8 of it at 0.8 x 450 GB/s.
  Target target = *Target::named("h100x8");
  int64_t bytes = int64_t(1) << 26, wire = bytes / 8 * 7;
  EXPECT_EQ(time(target, CollectiveKind::AllGather, bytes, kAll),
            17'000'000 + picosecondsFor(wire, 360'000'000'000));
  EXPECT_EQ(time(*Target::named("h100x8-slow-link"), CollectiveKind::AllGather, bytes, kAll),
            17'000'000 + picosecondsFor(wire, 90'000'000'000));
}

} // namespace
} // namespace tandem
