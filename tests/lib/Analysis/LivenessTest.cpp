// Live intervals; positions are those of the header's example.
#include "tandem/Analysis/Liveness.h"

#include "AnalysisTest.h"
#include "tandem/Analysis/ByteSharing.h"

namespace tandem {
namespace {

class LivenessTest : public AnalysisTest {
protected:
  std::string livenessOf(mlir::func::FuncOp func) {
    Aliasing aliasing(func);
    return print(Liveness(func, aliasing));
  }
};

TEST_F(LivenessTest, StraightLine) {
  auto func = parse("func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {\n" + kernel("a", {"x"}) +
                    kernel("b", {"a"}) + kernel("c", {"a", "b"}) + "return %c : tensor<16xf32> }");
  // The argument is the caller's: kept to the end.
  EXPECT_EQ(livenessOf(func), "0: [0, 4)\n1: [0, 3)\n2: [1, 3)\n3: [2, 4)\n");
}

TEST_F(LivenessTest, LoopCapturesAndCarriedValues) {
  auto func = parse("func.func @f(%p: tensor<i1>, %x: tensor<16xf32> {tf.aliasing_output = 0 : "
                    "i32}) -> tensor<16xf32> {\n" +
                    kernel("a", {"x"}) + kernel("b", {"x"}) +                // 0, 1
                    "%r = tandem.loop %p (%c = %a : tensor<16xf32>) {\n" +   // 2
                    kernel("m", {"c"}) + kernel("n", {"m", "b"}) +           // 3, 4
                    "tandem.yield %p, %n : tensor<i1>, tensor<16xf32> }\n" + // 5, end 6
                    kernel("s", {"r"}) + "return %s : tensor<16xf32> }");    // 7, 8
  // 0 p, 1 x (donated), 2 a, 3 b (captured: to the loop's end), 4 r, 5 c, 6 m, 7 n, 8 s.
  EXPECT_EQ(livenessOf(func),
            "0: [0, 9)\n1: [0, 2)\n2: [0, 3)\n3: [1, 6)\n4: [6, 8)\n5: [2, 4)\n6: [3, 5)\n"
            "7: [4, 6)\n8: [7, 9)\n");
}

TEST_F(LivenessTest, StartReadsUntilItsDone) {
  auto func = parse("func.func @f(%x: tensor<16xf32>) {\n" + kernel("a", {"x"}) + start("f", "a") +
                    kernel("b", {"x"}) + done("r", "f") + kernel("c", {"r"}) + "return }");
  // 0 x, 1 a, 2 f, 3 b (unused, written all the same), 4 r, 5 c.
  EXPECT_EQ(livenessOf(func), "0: [0, 6)\n1: [0, 4)\n2: [1, 4)\n3: [2, 3)\n4: [3, 5)\n5: [4, 5)\n");
}

TEST_F(LivenessTest, FutureAcrossTheBackEdgeLivesForTheWholeLoop) {
  auto func =
      parse("func.func @f(%p: tensor<i1>, %x: tensor<16xf32>) {\n" + start("f", "x") + // 0
            "%g = tandem.loop %p (%c = %f : !tandem.future<tensor<16xf32>>) {\n" +     // 1
            done("d", "c") + kernel("k", {"d"}) + start("n", "k") +                    // 2, 3, 4
            "tandem.yield %p, %n : tensor<i1>, !tandem.future<tensor<16xf32>> }\n" +   // 5, end 6
            done("r", "g") + "return }");                                              // 7, 8
  Aliasing aliasing(func);
  Liveness liveness(func, aliasing);
  mlir::Value next;
  func.walk([&](YieldOp yield) {
    if (llvm::isa<LoopOp>(yield->getParentOp()))
      next = yield.getValues()[1];
  });
  EXPECT_EQ(liveness.of(aliasing.id(next))[0], (Interval{1, 8}));
  // What it reads, too.
  mlir::Value operand = next.getDefiningOp<StartOp>().getInputs()[0];
  EXPECT_EQ(liveness.of(aliasing.id(operand))[0], (Interval{1, 8}));

  Rotation rotation(func, aliasing);
  EXPECT_EQ(rotation.slots(aliasing.id(next)), 2u);
  EXPECT_EQ(rotation.rotation(aliasing.id(next)), 1u);
  LoopOp loop = rotation.loop(aliasing.id(next));
  EXPECT_EQ(rotation.rotation(aliasing.id(loop.getIterArgs()[0])), 0u);
  EXPECT_EQ(rotation.rotation(aliasing.id(loop.getOutputs()[0])), 0u);
  EXPECT_TRUE(rotation.fixed(aliasing.id(loop.getInits()[0])));
  EXPECT_FALSE(rotation.fixed(aliasing.id(loop.getOutputs()[0])));
  EXPECT_EQ(rotation.slots(aliasing.id(operand)), 2u);
}

class SharingTest : public AnalysisTest {
protected:
  // Groups of the pieces of the function, by first member.
  std::vector<unsigned> groups(mlir::func::FuncOp func) {
    Aliasing aliasing(func);
    Liveness liveness(func, aliasing);
    Rotation rotation(func, aliasing);
    ByteSharing sharing(func, aliasing, liveness, rotation);
    EXPECT_FALSE(sharing.conflict());
    std::vector<unsigned> result;
    for (unsigned piece = 0; piece < aliasing.size(); ++piece)
      result.push_back(sharing.group(piece));
    return result;
  }
};

TEST_F(SharingTest, InPlaceWhenTheOperandDies) {
  auto func =
      parse("func.func @f(%x: tensor<16xf32>) {\n" + kernel("a", {"x"}) + kernelInPlace("b", "a") +
            kernelInPlace("c", "b") + kernel("d", {"b"}) + "return }");
  // c may not take b's bytes: d reads them later.
  EXPECT_THAT(groups(func), testing::ElementsAre(0, 1, 1, 3, 4));
}

TEST_F(SharingTest, ArgumentsAreOverwrittenOnlyWhenDonated) {
  auto kept = parse("func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {\n" +
                    kernelInPlace("a", "x") + "return %a : tensor<16xf32> }");
  EXPECT_THAT(groups(kept), testing::ElementsAre(0, 1));
  auto given = parse(
      "func.func @f(%x: tensor<16xf32> {tf.aliasing_output = 0 : i32}) -> tensor<16xf32> {\n" +
      kernelInPlace("a", "x") + "return %a : tensor<16xf32> }");
  EXPECT_THAT(groups(given), testing::ElementsAre(0, 0));
}

TEST_F(SharingTest, CopySharesWhileBothSidesHoldTheSameValue) {
  // The copy's source is read after it, which is no matter until the copy is written over.
  auto func = parse("func.func @f(%x: tensor<16xf32>) {\n" + kernel("a", {"x"}) +
                    "%c = tandem.copy %a : tensor<16xf32>\n" + kernel("b", {"a"}) +
                    kernel("d", {"c"}) + "return }");
  EXPECT_THAT(groups(func), testing::ElementsAre(0, 1, 1, 3, 4));
  auto written = parse("func.func @f(%x: tensor<16xf32>) {\n" + kernel("a", {"x"}) +
                       "%c = tandem.copy %a : tensor<16xf32>\n"
                       "%d = tandem.call \"f\"(%c) {operand_aliases = array<i64: 0, 0>} : "
                       "(tensor<16xf32>) -> tensor<16xf32>\n" +
                       kernel("b", {"a"}) + "return }");
  EXPECT_THAT(groups(written), testing::ElementsAre(0, 1, 2, 2, 4));
}

TEST_F(SharingTest, InPlaceNotOverWhatACollectiveReads) {
  auto func = parse("func.func @f(%x: tensor<16xf32>) {\n" + kernel("a", {"x"}) + start("f", "a") +
                    kernelInPlace("b", "a") + done("r", "f") + "return }");
  EXPECT_THAT(groups(func), testing::ElementsAre(0, 1, 2, 3, 2));
}

TEST_F(SharingTest, ConflictIsFound) {
  // Without a copy, the loop overwrites what is read after it.
  auto func = parse("func.func @f(%p: tensor<i1>, %x: tensor<16xf32>) {\n" + kernel("a", {"x"}) +
                    "%r = tandem.loop %p (%c = %a : tensor<16xf32>) {\n" + kernelInPlace("n", "c") +
                    "tandem.yield %p, %n : tensor<i1>, tensor<16xf32> }\n" + kernel("s", {"a"}) +
                    "return }");
  Aliasing aliasing(func);
  Liveness liveness(func, aliasing);
  Rotation rotation(func, aliasing);
  EXPECT_TRUE(ByteSharing(func, aliasing, liveness, rotation).conflict());
}

} // namespace
} // namespace tandem
