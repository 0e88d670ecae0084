// Which factors an op is split along.
#include "tandem/Sharding/Assignment.h"

#include "Fixture.h"

namespace tandem {
namespace {

class AssignmentTest : public ShardingFixture {
protected:
  Assignment choose(mlir::Operation *op, std::vector<Sharding> operands, Sharding result,
                    const DeviceMesh &m) {
    llvm::SmallVector<llvm::SmallVector<Sharding, 2>, 4> have;
    for (const Sharding &operand : operands)
      have.push_back({operand});
    return chooseAssignment(op, getShardingRule(op), have, {result}, m);
  }
  mlir::Operation *dot(int m, int k, int n) {
    auto dims = [](int a, int b) { return std::to_string(a) + "x" + std::to_string(b); };
    std::string lhs = "tensor<" + dims(m, k) + "xf32>", rhs = "tensor<" + dims(k, n) + "xf32>";
    return op("%a: " + lhs + ", %b: " + rhs,
              "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (" + lhs + ", " +
                  rhs + ") -> tensor<" + dims(m, n) + "xf32>");
  }
};

TEST_F(AssignmentTest, SmallWeightsAreGatheredToBigActivations) {
  DeviceMesh m = mesh("<[\"fsdp\"=8]>");
  Assignment a = choose(dot(1024, 64, 64), {sharding({{0, 1, 2}, {}}), sharding({{0, 1, 2}, {}})},
                        sharding({{0, 1, 2}, {}}), m);
  EXPECT_TRUE(a.operands[0].sameTiles(sharding({{0, 1, 2}, {}})));
  EXPECT_TRUE(a.operands[1].isReplicated());
  EXPECT_TRUE(a.reduced.empty());
}

TEST_F(AssignmentTest, OperandsReadyForAContractionAreReduced) {
  DeviceMesh m = mesh("<[\"model\"=2]>");
  Assignment a =
      choose(dot(64, 32, 32), {sharding({{}, {0}}), sharding({{0}, {}})}, sharding({{}, {}}), m);
  EXPECT_EQ(a.reduced, (Atoms{0}));
  EXPECT_EQ(a.reshardBytes, 0);
}

TEST_F(AssignmentTest, AnAtomSplitsOneFactorOnly) {
  DeviceMesh m = mesh("<[\"x\"=2]>");
  Assignment a =
      choose(dot(64, 8, 64), {sharding({{0}, {}}), sharding({{}, {0}})}, sharding({{0}, {}}), m);
  EXPECT_TRUE(a.operands[0].sameTiles(sharding({{0}, {}})));
  EXPECT_TRUE(a.operands[1].isReplicated());
}

TEST_F(AssignmentTest, ReplicatedOperandsAreSlicedForASplitResult) {
  DeviceMesh m = mesh("<[\"x\"=4]>");
  mlir::Operation *tanh = op("%a: tensor<8xf32>", "%0 = stablehlo.tanh %a : tensor<8xf32>");
  Assignment a = choose(tanh, {sharding({{}})}, sharding({{0, 1}}), m);
  EXPECT_TRUE(a.operands[0].sameTiles(sharding({{0, 1}})));
}

constexpr const char *kSort = "%0 = \"stablehlo.sort\"(%a) <{dimension = 0 : i64}> ({\n"
                              "^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
                              "%c = stablehlo.compare LT, %l, %r, FLOAT : (tensor<f32>, "
                              "tensor<f32>) -> tensor<i1>\n"
                              "stablehlo.return %c : tensor<i1>\n"
                              "}) : (tensor<64x16xf32>) -> tensor<64x16xf32>";

// A10
TEST_F(AssignmentTest, ASplitThatAnOpCannotHaveMovesToAnotherDimension) {
  DeviceMesh m = mesh("<[\"x\"=4]>");
  Assignment a = choose(op("%a: tensor<64x16xf32>", kSort), {sharding({{0, 1}, {}})},
                        sharding({{0, 1}, {}}), m);
  EXPECT_TRUE(a.operands[0].sameTiles(sharding({{}, {0, 1}})));
  EXPECT_TRUE(a.results[0].sameTiles(sharding({{}, {0, 1}})));
}

// F16
TEST_F(AssignmentTest, WhatOneTileHoldsIsSentByItsOwner) {
  DeviceMesh m = mesh("<[\"x\"=4]>");
  mlir::Operation *slice = op("%a: tensor<8x64xf32>", "%0 = stablehlo.slice %a [5:6, 0:64] : "
                                                      "(tensor<8x64xf32>) -> tensor<1x64xf32>");
  EXPECT_EQ(getOwnerTile(slice, 0, 4), 2);
  EXPECT_EQ(getOwnerTile(slice, 0, 3), std::nullopt);
  Assignment a = choose(slice, {sharding({{0, 1}, {}})}, sharding({{}, {}}), m);
  EXPECT_TRUE(a.operands[0].sameTiles(sharding({{0, 1}, {}})));
  EXPECT_EQ(a.owners, (Atoms{0, 1}));
  EXPECT_EQ(a.owner, 2);
  EXPECT_EQ(a.reshardBytes, 64 * 4 + 64);
  mlir::Operation *wide = op("%a: tensor<8x64xf32>", "%0 = stablehlo.slice %a [1:3, 0:64] : "
                                                     "(tensor<8x64xf32>) -> tensor<2x64xf32>");
  EXPECT_EQ(getOwnerTile(wide, 0, 4), std::nullopt);
}

TEST_F(AssignmentTest, WhatIsAtHandWholeIsNotSent) {
  DeviceMesh m = mesh("<[\"x\"=4]>");
  mlir::Operation *slice = op("%a: tensor<8192x64xf32>", "%0 = stablehlo.slice %a [0:1, 0:64] : "
                                                         "(tensor<8192x64xf32>) -> "
                                                         "tensor<1x64xf32>");
  Assignment a =
      chooseAssignment(slice, getShardingRule(slice),
                       {{sharding({{}, {}}), sharding({{0, 1}, {}})}}, {sharding({{}, {}})}, m);
  EXPECT_TRUE(a.operands[0].isReplicated());
  EXPECT_EQ(a.reshardBytes, 0);
}

} // namespace
} // namespace tandem
