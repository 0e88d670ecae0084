// Builders without result types: stablehlo ops infer them, and say what is wrong at the location
// where the op was to be built.

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::stablehlo;

namespace {

class TypeInferenceTest : public ::testing::Test {
protected:
  TypeInferenceTest() : builder(&context), loc(builder.getUnknownLoc()) {
    context.loadDialect<StablehloDialect, func::FuncDialect>();
    f32 = builder.getF32Type();
  }

  Value argument(ArrayRef<int64_t> shape, Type element = {}) {
    return block.addArgument(tensor(shape, element), loc);
  }
  RankedTensorType tensor(ArrayRef<int64_t> shape, Type element = {}) {
    return RankedTensorType::get(shape, element ? element : f32);
  }
  /// An addition of two scalars as the region's computation.
  void fillWithAdd(Region &region) {
    OpBuilder::InsertionGuard guard(builder);
    Type scalar = tensor({});
    Block *body = builder.createBlock(&region, {}, {scalar, scalar}, {loc, loc});
    Value sum = AddOp::create(builder, loc, body->getArgument(0), body->getArgument(1));
    ReturnOp::create(builder, loc, sum);
  }

  MLIRContext context;
  OpBuilder builder;
  Location loc;
  Type f32;
  Block block;

  void SetUp() override { builder.setInsertionPointToEnd(&block); }
};

TEST_F(TypeInferenceTest, Elementwise) {
  Value x = argument({2, 3});
  EXPECT_EQ(AddOp::create(builder, loc, x, x).getType(), tensor({2, 3}));
  auto less = CompareOp::create(builder, loc, x, x, ComparisonDirection::LT);
  EXPECT_EQ(less.getType(), tensor({2, 3}, builder.getI1Type()));
  EXPECT_EQ(SelectOp::create(builder, loc, less, x, x).getType(), tensor({2, 3}));
  auto complex = ComplexOp::create(builder, loc, x, x);
  EXPECT_EQ(complex.getType(), tensor({2, 3}, ComplexType::get(f32)));
  EXPECT_EQ(AbsOp::create(builder, loc, complex).getType(), tensor({2, 3}));
}

TEST_F(TypeInferenceTest, DataMovement) {
  Value x = argument({4, 6}), zero = argument({}), start = argument({}, builder.getI32Type());
  EXPECT_EQ(TransposeOp::create(builder, loc, x, ArrayRef<int64_t>{1, 0}).getType(),
            tensor({6, 4}));
  EXPECT_EQ(SliceOp::create(builder, loc, x, ArrayRef<int64_t>{1, 0}, ArrayRef<int64_t>{4, 6},
                            ArrayRef<int64_t>{1, 4})
                .getType(),
            tensor({3, 2}));
  EXPECT_EQ(PadOp::create(builder, loc, x, zero, ArrayRef<int64_t>{1, -1}, ArrayRef<int64_t>{0, 0},
                          ArrayRef<int64_t>{1, 0})
                .getType(),
            tensor({8, 5}));
  EXPECT_EQ(ConcatenateOp::create(builder, loc, ValueRange{x, x}, 1).getType(), tensor({4, 12}));
  EXPECT_EQ(
      DynamicSliceOp::create(builder, loc, x, ValueRange{start, start}, ArrayRef<int64_t>{2, 6})
          .getType(),
      tensor({2, 6}));
  EXPECT_EQ(DynamicUpdateSliceOp::create(builder, loc, x, x, ValueRange{start, start}).getType(),
            tensor({4, 6}));
}

TEST_F(TypeInferenceTest, DotGeneral) {
  Value lhs = argument({2, 3, 4}), rhs = argument({2, 4, 5});
  auto numbers = DotDimensionNumbersAttr::get(&context, {0}, {0}, {2}, {1});
  EXPECT_EQ(DotGeneralOp::create(builder, loc, lhs, rhs, numbers, ArrayAttr(), DotAlgorithmAttr())
                .getType(),
            tensor({2, 3, 5}));
}

TEST_F(TypeInferenceTest, Collectives) {
  Value x = argument({4, 6});
  auto groups = DenseIntElementsAttr::get(RankedTensorType::get({1, 2}, builder.getI64Type()),
                                          ArrayRef<int64_t>{0, 1});
  auto channel = ChannelHandleAttr::get(&context, 1, 1);
  auto gather = AllGatherOp::create(builder, loc, ValueRange{x}, 0, groups, channel, true);
  EXPECT_EQ(gather.getResult(0).getType(), tensor({8, 6}));
  auto exchange = AllToAllOp::create(builder, loc, ValueRange{x}, 1, 0, 2, groups, channel);
  EXPECT_EQ(exchange.getResult(0).getType(), tensor({8, 3}));
  // The region comes after: types are those of the operands, and stay right once it is there.
  auto reduce = AllReduceOp::create(builder, loc, ValueRange{x}, groups, channel, true);
  EXPECT_EQ(reduce.getResult(0).getType(), tensor({4, 6}));
  fillWithAdd(reduce.getComputation());
  EXPECT_TRUE(succeeded(verify(reduce)));
  auto scatter = ReduceScatterOp::create(builder, loc, x, 1, groups, channel, true);
  EXPECT_EQ(scatter.getResult().getType(), tensor({4, 3}));
}

TEST_F(TypeInferenceTest, Regions) {
  Value x = argument({4, 6}), zero = argument({});
  auto reduce =
      ReduceOp::create(builder, loc, ValueRange{x}, ValueRange{zero}, ArrayRef<int64_t>{1});
  EXPECT_EQ(reduce.getResult(0).getType(), tensor({4}));
  fillWithAdd(reduce.getBody());
  EXPECT_TRUE(succeeded(verify(reduce)));
  auto loop = WhileOp::create(builder, loc, ValueRange{x, zero});
  EXPECT_EQ(TypeRange(loop.getResultTypes()), (TypeRange(ValueRange{x, zero})));
}

// InferTypeOpInterface without an op: the message goes to the given location, or nowhere.
TEST_F(TypeInferenceTest, ReportsAtTheLocation) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  Value x = argument({2, 3});
  SliceOp::Properties properties;
  properties.start_indices = builder.getDenseI64ArrayAttr({0, 0});
  properties.limit_indices = builder.getDenseI64ArrayAttr({3, 3});
  properties.strides = builder.getDenseI64ArrayAttr({1, 1});
  SmallVector<Type> types;
  auto infer = [&](std::optional<Location> location, Value operand) {
    return SliceOp::inferReturnTypes(&context, location, operand, DictionaryAttr(), &properties, {},
                                     types);
  };
  EXPECT_TRUE(failed(infer(loc, x)));
  EXPECT_EQ(message, "'stablehlo.slice' op expects 0 <= start <= limit <= 2 in dimension 0, found "
                     "start 0 and limit 3");
  message.clear();
  EXPECT_TRUE(failed(infer(std::nullopt, x)));
  EXPECT_EQ(message, "");
  EXPECT_TRUE(failed(infer(loc, argument({ShapedType::kDynamic, 3}))));
  EXPECT_EQ(message, "'stablehlo.slice' op expects static shapes, found 'tensor<?x3xf32>'; export "
                     "the program with concrete sizes");
  EXPECT_TRUE(types.empty());
}

} // namespace
