// Which devices are sure to hold the same value.
#include "tandem/Analysis/Uniformity.h"

#include "AnalysisTest.h"

namespace tandem {
namespace {

using testing::ElementsAre;

class UniformityTest : public AnalysisTest {
protected:
  // The classes of the value named `name` on four devices.
  llvm::SmallVector<unsigned> classes(mlir::func::FuncOp func, llvm::StringRef opName) {
    Uniformity uniformity(func, 4);
    llvm::SmallVector<unsigned> result;
    func.walk([&](mlir::Operation *op) {
      if (op->getName().getStringRef() == opName)
        result = llvm::SmallVector<unsigned>(uniformity.getClasses(op->getResult(0)));
    });
    return result;
  }
};

const char *kFunction = "func.func @f() -> tensor<ui32> {\n";

TEST_F(UniformityTest, ConstantsAreOneAndDeviceIdsFour) {
  auto constant = parse(std::string(kFunction) + "%0 = stablehlo.constant dense<1> : tensor<ui32>\n"
                                                 "return %0 : tensor<ui32> }");
  EXPECT_THAT(classes(constant, "stablehlo.constant"), ElementsAre(0, 0, 0, 0));
  auto id = parse(std::string(kFunction) + "%0 = stablehlo.partition_id : tensor<ui32>\n"
                                           "return %0 : tensor<ui32> }");
  llvm::SmallVector<unsigned> found = classes(id, "stablehlo.partition_id");
  ASSERT_EQ(found.size(), 4u);
  for (unsigned a = 0; a < 4; ++a)
    for (unsigned b = 0; b < a; ++b)
      EXPECT_NE(found[a], found[b]);
}

TEST_F(UniformityTest, ResultsFollowTheirOperands) {
  // Halving the device's index joins pairs of devices, because the values are known.
  auto func = parse(std::string(kFunction) + "%d = stablehlo.partition_id : tensor<ui32>\n"
                                             "%c = stablehlo.constant dense<2> : tensor<ui32>\n"
                                             "%0 = stablehlo.divide %d, %c : tensor<ui32>\n"
                                             "return %0 : tensor<ui32> }");
  llvm::SmallVector<unsigned> found = classes(func, "stablehlo.divide");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_NE(found[0], found[2]);
}

TEST_F(UniformityTest, CasesAreJudgedByTheirIndex) {
  auto judge = [&](const char *index) {
    auto func = parse(std::string("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n") + index +
                      "%r = tandem.case %i -> tensor<4xf32> {\n"
                      "%a = tandem.copy %x : tensor<4xf32>\n"
                      "tandem.yield %a : tensor<4xf32> }, {\n"
                      "%b = tandem.copy %x : tensor<4xf32>\n"
                      "tandem.yield %b : tensor<4xf32> }\n return %r : tensor<4xf32> }");
    Uniformity uniformity(func, 4);
    Uniformity::Answer answer{Uniformity::Verdict::Unknown};
    func.walk([&](CaseOp op) { answer = uniformity.judge(op, {0, 1, 2, 3}); });
    return answer;
  };
  EXPECT_EQ(judge("%i = stablehlo.constant dense<1> : tensor<i32>\n").verdict,
            Uniformity::Verdict::Uniform);
  Uniformity::Answer differs = judge("%d = stablehlo.partition_id : tensor<ui32>\n"
                                     "%i = stablehlo.convert %d : (tensor<ui32>) -> tensor<i32>\n");
  EXPECT_EQ(differs.verdict, Uniformity::Verdict::Differs);
  EXPECT_NE(differs.valueA, differs.valueB);
}

} // namespace
} // namespace tandem
