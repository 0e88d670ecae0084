// Axes as lists of prime factors.
#include "Fixture.h"

namespace tandem {
namespace {

using MeshTest = ShardingFixture;
using namespace mlir;

sdy::AxisRefAttr axis(MLIRContext *ctx, StringRef name) { return sdy::AxisRefAttr::get(ctx, name); }

TEST_F(MeshTest, AxesAreTheirPrimeFactors) {
  DeviceMesh m = mesh("<[\"data\"=4, \"model\"=6]>");
  EXPECT_EQ(m.getNumDevices(), 24);
  EXPECT_EQ(*m.getAtoms(axis(&context, "data")), (Atoms{0, 1}));
  EXPECT_EQ(*m.getAtoms(axis(&context, "model")), (Atoms{2, 3}));
  EXPECT_EQ(*m.getAtoms(sdy::AxisRefAttr::get(&context, "data", 2, 2)), (Atoms{1}));
  // 3 of 6 with 2 before it is a whole factor; 2 with 3 before it would cut through one.
  EXPECT_EQ(*m.getAtoms(sdy::AxisRefAttr::get(&context, "model", 2, 3)), (Atoms{3}));
  EXPECT_FALSE(m.getAtoms(sdy::AxisRefAttr::get(&context, "model", 3, 2)));
  EXPECT_FALSE(m.getAtoms(axis(&context, "other")));
}

TEST_F(MeshTest, AtomsAreSpelledWithTheFewestAxes) {
  DeviceMesh m = mesh("<[\"a\"=4, \"b\"=2]>");
  auto axes = m.getAxes(Atoms{2, 0, 1});
  ASSERT_EQ(axes.size(), 2u);
  EXPECT_EQ(axes[0].toString(), "\"b\"");
  EXPECT_EQ(axes[1].toString(), "\"a\"");
  EXPECT_EQ(m.getAxes(Atoms{1})[0].toString(), "\"a\":(2)2");
  // Parts in the wrong order are two references.
  EXPECT_EQ(m.getAxes(Atoms{1, 0}).size(), 2u);
}

TEST_F(MeshTest, GroupsRunOverTheirAtomsInOrder) {
  DeviceMesh m = mesh("<[\"a\"=2, \"b\"=2]>");
  using Groups = SmallVector<SmallVector<int64_t>>;
  EXPECT_EQ(m.getGroups(Atoms{1}), (Groups{{0, 1}, {2, 3}}));
  EXPECT_EQ(m.getGroups(Atoms{0}), (Groups{{0, 2}, {1, 3}}));
  EXPECT_EQ(m.getGroups(Atoms{1, 0}), (Groups{{0, 2, 1, 3}}));
}

TEST_F(MeshTest, DeviceIdsAreThoseOfTheMesh) {
  DeviceMesh m = mesh("<[\"a\"=2, \"b\"=2], device_ids=[3, 2, 1, 0]>");
  using Groups = SmallVector<SmallVector<int64_t>>;
  EXPECT_FALSE(m.hasIotaDeviceIds());
  EXPECT_EQ(m.getGroups(Atoms{1}), (Groups{{3, 2}, {1, 0}}));
}

TEST_F(MeshTest, GroupsTellTheirAtoms) {
  DeviceMesh m = mesh("<[\"a\"=2, \"b\"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>");
  for (const Atoms &atoms : {Atoms{0}, Atoms{1, 2}, Atoms{2}, Atoms{0, 1, 2}})
    EXPECT_EQ(m.getAtomsOfGroups(m.getReplicaGroups(atoms)), atoms);
  // Pairs of a permute, and rows filled up with no device.
  auto type = RankedTensorType::get({2, 2}, IntegerType::get(&context, 64));
  auto pairs = DenseIntElementsAttr::get(type, ArrayRef<int64_t>{0, 4, 2, -1});
  EXPECT_EQ(m.getAtomsOfGroups(pairs), (Atoms{0}));
}

TEST_F(MeshTest, MeshesThatFactorAlikeShareAtoms) {
  auto module =
      parseSourceString<ModuleOp>("sdy.mesh @x = <[\"x\"=8]>\nsdy.mesh @ab = <[\"a\"=2, \"b\"=4]>\n"
                                  "sdy.mesh @one = <[], device_ids=[0]>",
                                  &context);
  FailureOr<MeshSet> set = MeshSet::get(*module);
  ASSERT_TRUE(succeeded(set));
  EXPECT_EQ(set->getMain().getName().getValue(), "x");
  EXPECT_EQ(*set->lookup("ab")->getAtoms(axis(&context, "b")), (Atoms{1, 2}));
  EXPECT_EQ(set->lookup("one"), nullptr);
}

TEST_F(MeshTest, MeshesOfOtherDevicesAreRefused) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  auto module =
      parseSourceString<ModuleOp>("sdy.mesh @x = <[\"x\"=8]>\nsdy.mesh @y = <[\"y\"=4]>", &context);
  EXPECT_TRUE(failed(MeshSet::get(*module)));
}

} // namespace
} // namespace tandem
