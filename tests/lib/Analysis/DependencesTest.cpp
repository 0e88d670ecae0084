// Edges among the ops of a block.
#include "tandem/Analysis/Dependences.h"

#include "AnalysisTest.h"

namespace tandem {
namespace {

class DependencesTest : public AnalysisTest {};

TEST_F(DependencesTest, ValuesTokensAndTerminator) {
  auto func = parse("func.func @f(%x: tensor<16xf32>) {\n" + kernel("a", {"x"}) +
                    "%c, %t = tandem.copy %x : tensor<16xf32> -> !tandem.token\n"
                    "%d = tandem.copy %a after(%t) : tensor<16xf32>\n return }");
  EXPECT_EQ(print(Dependences(func.getBody().front())), "0:\n1:\n2: 0 1\n3: 0 1 2\n");
}

TEST_F(DependencesTest, CapturesCountAsOperands) {
  auto func = parse("func.func @f(%p: tensor<i1>, %x: tensor<16xf32>) {\n" + kernel("a", {"x"}) +
                    kernel("b", {"x"}) + "%r = tandem.loop %p (%c = %a : tensor<16xf32>) {\n" +
                    kernel("n", {"c", "b"}) +
                    "tandem.yield %p, %n : tensor<i1>, tensor<16xf32> }\n return }");
  EXPECT_EQ(print(Dependences(func.getBody().front())), "0:\n1:\n2: 0 1\n3: 0 1 2\n");
}

TEST_F(DependencesTest, SideEffectsKeepTheirOrder) {
  auto func =
      parse("func.func @f(%x: tensor<16xf32>) {\n"
            "%a = tandem.call \"a\"(%x) {has_side_effect} : (tensor<16xf32>) -> tensor<16xf32>\n"
            "%b = tandem.call \"b\"(%x) : (tensor<16xf32>) -> tensor<16xf32>\n"
            "%c = tandem.call \"c\"(%x) {has_side_effect} : (tensor<16xf32>) -> tensor<16xf32>\n "
            "return }");
  EXPECT_EQ(print(Dependences(func.getBody().front())), "0:\n1:\n2: 0\n3: 0 1 2\n");
}

TEST_F(DependencesTest, ReadersComeBeforeWhatOverwrites) {
  // The loop overwrites %a: the kernel, and the done of the start that reads it, come first.
  auto func = parse("func.func @f(%p: tensor<i1>, %x: tensor<16xf32>) {\n" + kernel("a", {"x"}) +
                    start("f", "a") + kernel("b", {"a"}) + done("r", "f") +
                    "%l = tandem.loop %p (%c = %a : tensor<16xf32>) {\n" + kernel("n", {"c"}) +
                    "tandem.yield %p, %n : tensor<i1>, tensor<16xf32> }\n return }");
  mlir::Block &block = func.getBody().front();
  EXPECT_EQ(print(Dependences(block)), "0:\n1: 0\n2: 0\n3: 1\n4: 0 2 3\n5: 0 1 2 3 4\n");
  EXPECT_EQ(print(Dependences(block, /*bytes=*/false)),
            "0:\n1: 0\n2: 0\n3: 1\n4: 0\n5: 0 1 2 3 4\n");
}

TEST_F(DependencesTest, CopyIntoACarriedPlaceComesAfterItsReaders) {
  auto func = parse("func.func @f(%p: tensor<i1>, %x: tensor<16xf32>) {\n" + kernel("a", {"x"}) +
                    "%l = tandem.loop %p (%c = %a : tensor<16xf32>) {\n" + kernel("n", {"x"}) +
                    "%y = tandem.copy %n : tensor<16xf32>\n" + kernel("m", {"c"}) +
                    "tandem.yield %p, %y : tensor<i1>, tensor<16xf32> }\n return }");
  LoopOp loop = *func.getBody().front().getOps<LoopOp>().begin();
  Dependences dependences(loop.getBody().front());
  EXPECT_EQ(print(dependences), "0:\n1: 0 2\n2:\n3: 0 1 2\n");
  EXPECT_FALSE(dependences.holds());
  loop.getBody().front().front().getNextNode()->moveBefore(loop.getYield());
  EXPECT_TRUE(dependences.holds());
}

TEST_F(DependencesTest, Ancestors) {
  auto func = parse("func.func @f(%x: tensor<16xf32>) {\n" + kernel("a", {"x"}) +
                    kernel("b", {"x"}) + kernel("c", {"a"}) + kernel("d", {"c", "b"}) + "return }");
  Dependences dependences(func.getBody().front());
  llvm::SmallVector<bool> reached;
  EXPECT_TRUE(dependences.ancestors(2, 0, 100, reached));
  EXPECT_THAT(reached, testing::ElementsAre(true, false, true, false, false));
  EXPECT_FALSE(dependences.ancestors(4, 0, 2, reached));
}

} // namespace
} // namespace tandem
