// How a matrix library sees dot_general ops: sizes and strides, or that it cannot.

#include "tandem/Codegen/GemmShape.h"
#include "tandem/IR/Register.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class GemmShapeTest : public testing::Test {
protected:
  GemmShapeTest() {
    mlir::DialectRegistry registry;
    tandem::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  mlir::stablehlo::DotGeneralOp dot(std::string dims, std::string lhs, std::string rhs,
                                    std::string out) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @f(%a: tensor<" + lhs + ">, %b: tensor<" + rhs + ">) -> tensor<" + out +
            "> {\n" + "%0 = stablehlo.dot_general %a, %b, " + dims + " : (tensor<" + lhs +
            ">, tensor<" + rhs + ">) -> tensor<" + out + ">\nreturn %0 : tensor<" + out + ">\n}",
        &context);
    EXPECT_TRUE(module);
    mlir::stablehlo::DotGeneralOp found;
    module->walk([&](mlir::stablehlo::DotGeneralOp op) { found = op; });
    return found;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(GemmShapeTest, PlainProduct) {
  auto shape =
      tandem::getGemmShape(dot("contracting_dims = [1] x [0]", "2x3xf32", "3x4xf32", "2x4xf32"));
  ASSERT_TRUE(shape);
  EXPECT_THAT(shape->batch, IsEmpty());
  EXPECT_EQ(shape->m, 2);
  EXPECT_EQ(shape->k, 3);
  EXPECT_EQ(shape->n, 4);
  EXPECT_EQ(shape->lhsMStride, 3);
  EXPECT_EQ(shape->lhsKStride, 1);
  EXPECT_EQ(shape->rhsKStride, 4);
  EXPECT_EQ(shape->rhsNStride, 1);
  EXPECT_EQ(shape->outMStride, 4);
  EXPECT_EQ(shape->getMultiplies(), 24);
}

TEST_F(GemmShapeTest, TransposedOperandsAreStrides) {
  auto shape =
      tandem::getGemmShape(dot("contracting_dims = [0] x [1]", "3x2xf32", "4x3xf32", "2x4xf32"));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->lhsMStride, 1);
  EXPECT_EQ(shape->lhsKStride, 2);
  EXPECT_EQ(shape->rhsKStride, 1);
  EXPECT_EQ(shape->rhsNStride, 3);
}

TEST_F(GemmShapeTest, DimensionsOfARoleCollapse) {
  // The header's example.
  auto shape = tandem::getGemmShape(dot("batching_dims = [0] x [0], contracting_dims = [3] x [3]",
                                        "2x5x3x8xf32", "2x7x4x8xf32", "2x5x3x7x4xf32"));
  ASSERT_TRUE(shape);
  EXPECT_THAT(shape->batch, ElementsAre(2));
  EXPECT_EQ(shape->m, 15);
  EXPECT_EQ(shape->n, 28);
  EXPECT_EQ(shape->k, 8);
  EXPECT_THAT(shape->lhsBatchStrides, ElementsAre(120));
  EXPECT_THAT(shape->rhsBatchStrides, ElementsAre(224));
  EXPECT_THAT(shape->outBatchStrides, ElementsAre(420));
}

TEST_F(GemmShapeTest, BatchesOfOneVanish) {
  auto shape = tandem::getGemmShape(dot("batching_dims = [0] x [0], contracting_dims = [2] x [1]",
                                        "1x2x3xf32", "1x3x4xf32", "1x2x4xf32"));
  ASSERT_TRUE(shape);
  EXPECT_THAT(shape->batch, IsEmpty());
}

TEST_F(GemmShapeTest, DimensionsOfARoleThatDoNotCollapse) {
  // Rows of the left operand lie on both sides of what is contracted.
  EXPECT_FALSE(tandem::getGemmShape(
      dot("contracting_dims = [1] x [0]", "2x3x5xf32", "3x4xf32", "2x5x4xf32")));
}

TEST_F(GemmShapeTest, TypesOfTheLibrary) {
  const std::string dims = "contracting_dims = [1] x [0]";
  EXPECT_TRUE(tandem::hasGemmTypes(dot(dims, "2x3xbf16", "3x4xbf16", "2x4xf32")));
  EXPECT_TRUE(tandem::hasGemmTypes(dot(dims, "2x3xf64", "3x4xf64", "2x4xf64")));
  EXPECT_FALSE(tandem::hasGemmTypes(dot(dims, "2x3xi32", "3x4xi32", "2x4xi32")));
}

} // namespace
