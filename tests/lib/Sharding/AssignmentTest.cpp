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

} // namespace
} // namespace tandem
