// Classes of pieces that must share bytes.
#include "tandem/Analysis/Aliasing.h"

#include "AnalysisTest.h"

namespace tandem {
namespace {

class AliasingTest : public AnalysisTest {};

TEST_F(AliasingTest, LoopTiesInitArgumentYieldAndResult) {
  // Pieces: 0 p, 1 x, 2 k, 3 loop result, 4 argument, 5 next.
  auto func = parse("func.func @f(%p: tensor<i1>, %x: tensor<16xf32>) {\n" + kernel("k", {"x"}) +
                    "%r = tandem.loop %p (%c = %k : tensor<16xf32>) {\n" + kernel("n", {"c"}) +
                    "tandem.yield %p, %n : tensor<i1>, tensor<16xf32> }\n return }");
  EXPECT_EQ(print(Aliasing(func)), "share: 2 3 4a 5\n");
}

TEST_F(AliasingTest, FutureAndDoneShareBytesPerElement) {
  auto func =
      parse("func.func @f(%x: tensor<16xf32>) {\n" + start("f", "x") + done("r", "f") + "return }");
  Aliasing aliasing(func);
  EXPECT_EQ(print(aliasing), "share: 1f 2\n");
  EXPECT_EQ(aliasing.bytes(1), 64);
  EXPECT_EQ(Aliasing::numPieces(TokenType::get(&context)), 0u);
}

TEST_F(AliasingTest, CaseTiesWhatItsBranchesYield) {
  auto func = parse("func.func @f(%i: tensor<i32>, %x: tensor<16xf32>) {\n"
                    "%r = tandem.case %i -> tensor<16xf32> {\n" +
                    kernel("a", {"x"}) + "tandem.yield %a : tensor<16xf32> }, {\n" +
                    kernel("b", {"x"}) + "tandem.yield %b : tensor<16xf32> }\n return }");
  EXPECT_EQ(print(Aliasing(func)), "share: 2 3 4\n");
}

TEST_F(AliasingTest, InPlaceOfKernelsIsNoMust) {
  auto func = parse("func.func @f(%x: tensor<16xf32>) {\n" + kernelInPlace("k", "x") + "return }");
  EXPECT_EQ(print(Aliasing(func)), "");
}

TEST_F(AliasingTest, DonationTiesArgumentAndResult) {
  auto func = parse("func.func @f(%x: tensor<16xf32> {tf.aliasing_output = 0 : i32}, "
                    "%y: tensor<16xf32> {tf.aliasing_output = 0 : i32}) -> tensor<16xf32> {\n" +
                    kernel("k", {"x", "y"}) + "return %k : tensor<16xf32> }");
  EXPECT_EQ(donatedResult(func, 0), 0u);
  // The first argument that names a result has it.
  EXPECT_EQ(donatedResult(func, 1), std::nullopt);
  EXPECT_EQ(print(Aliasing(func)), "share: 0a 2\n");
}

TEST_F(AliasingTest, DonationNeedsEqualTypesAndTiles) {
  auto func = parse(
      "func.func @f(%x: tensor<8xf32> {tf.aliasing_output = 0 : i32}, "
      "%y: tensor<16xf32> {tf.aliasing_output = 1 : i32, tandem.global_type = tensor<32xf32>}) "
      "-> (tensor<16xf32>, tensor<16xf32> {tandem.global_type = tensor<64xf32>}) {\n"
      "return %y, %y : tensor<16xf32>, tensor<16xf32> }");
  EXPECT_EQ(donatedResult(func, 0), std::nullopt);
  EXPECT_EQ(donatedResult(func, 1), std::nullopt);
}

} // namespace
} // namespace tandem
