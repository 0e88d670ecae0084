// Factor rules, spelled like Shardy's: one letter per factor, i first.
#include "tandem/Sharding/Rule.h"

#include "Fixture.h"

namespace tandem {
namespace {

std::string spell(const ShardingRule &rule) {
  std::string text;
  auto tensor = [&](const DimFactors &dims) {
    text += '[';
    for (size_t d = 0; d < dims.size(); ++d) {
      text += d ? "," : "";
      for (unsigned factor : dims[d])
        text += static_cast<char>('i' + factor);
    }
    text += ']';
  };
  for (const DimFactors &dims : rule.operands)
    tensor(dims);
  text += "->";
  for (const DimFactors &dims : rule.results)
    tensor(dims);
  auto list = [&](FactorKind kind, const char *name) {
    std::string letters;
    for (size_t f = 0; f < rule.factors.size(); ++f)
      if (rule.factors[f].kind == kind && rule.factors[f].size > 1)
        letters += static_cast<char>('i' + f);
    if (!letters.empty())
      text += std::string(" ") + name + "=" + letters;
  };
  list(FactorKind::Reduction, "reduction");
  list(FactorKind::NeedReplication, "replication");
  list(FactorKind::Permutation, "permutation");
  return text;
}

class RuleTest : public ShardingFixture {
protected:
  std::string rule(const std::string &args, const std::string &text) {
    mlir::Operation *parsed = op(args, text);
    return parsed ? spell(getShardingRule(parsed)) : "does not parse";
  }
};

TEST_F(RuleTest, Elementwise) {
  EXPECT_EQ(rule("%a: tensor<4x8xf32>", "%0 = stablehlo.add %a, %a : tensor<4x8xf32>"),
            "[i,j][i,j]->[i,j]");
  EXPECT_EQ(rule("%p: tensor<i1>, %a: tensor<4xf32>",
                 "%0 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<4xf32>"),
            "[][i][i]->[i]");
  EXPECT_EQ(rule("%a: tensor<4xf32>", "%0 = chlo.square %a : tensor<4xf32> -> tensor<4xf32>"),
            "[i]->[i]");
}

TEST_F(RuleTest, BroadcastAndTranspose) {
  EXPECT_EQ(rule("%a: tensor<1x8xf32>", "%0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : "
                                        "(tensor<1x8xf32>) -> tensor<4x8xf32>"),
            "[k,j]->[i,j]");
  EXPECT_EQ(rule("%a: tensor<4x8xf32>",
                 "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x8xf32>) -> "
                 "tensor<8x4xf32>"),
            "[j,i]->[i,j]");
}

TEST_F(RuleTest, ReshapeSplitsAndMerges) {
  auto reshape = [&](const std::string &from, const std::string &to) {
    return rule("%a: tensor<" + from + "xf32>",
                "%0 = stablehlo.reshape %a : (tensor<" + from + "xf32>) -> tensor<" + to + "xf32>");
  };
  EXPECT_EQ(reshape("4x8", "32"), "[i,j]->[ij]");
  EXPECT_EQ(reshape("32", "4x8"), "[ij]->[i,j]");
  EXPECT_EQ(reshape("6x4", "3x8"), "[ij,k]->[i,jk]");
  EXPECT_EQ(reshape("4x1x8", "4x8"), "[i,k,j]->[i,j]");
  EXPECT_EQ(reshape("8", "1x8x1"), "[i]->[j,i,k]");
  // 6 and 4 share 2; what is left, 3 and 2, does not nest.
  EXPECT_EQ(reshape("6x2", "4x3"), "[i,j]->[i,k] replication=jk");
}

TEST_F(RuleTest, DotAndReduce) {
  EXPECT_EQ(rule("%a: tensor<2x4x8xf32>, %b: tensor<2x8x16xf32>",
                 "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims "
                 "= [2] x [1] : (tensor<2x4x8xf32>, tensor<2x8x16xf32>) -> tensor<2x4x16xf32>"),
            "[i,j,l][i,l,k]->[i,j,k] reduction=l");
  EXPECT_EQ(rule("%a: tensor<4x8xf32>, %z: tensor<f32>",
                 "%0 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions "
                 "= [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>"),
            "[i,j][]->[j] reduction=i");
  // A reducer that is more than one op combines partial results itself.
  EXPECT_EQ(rule("%a: tensor<4x8xf32>, %z: tensor<f32>",
                 "%0 = stablehlo.reduce(%a init: %z) across dimensions = [0] : "
                 "(tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>\n"
                 "reducer(%x: tensor<f32>, %y: tensor<f32>) {\n"
                 "%s = stablehlo.add %x, %y : tensor<f32>\n"
                 "%t = stablehlo.multiply %s, %y : tensor<f32>\n"
                 "stablehlo.return %t : tensor<f32>\n}"),
            "[i,j][]->[j] reduction=i");
}

TEST_F(RuleTest, TakeAlongAxisKeepsItsBatch) {
  EXPECT_EQ(
      rule("%a: tensor<8x16xf32>, %i: tensor<8x1x1xi32>",
           "%0 = \"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<"
           "collapsed_slice_dims = [1], operand_batching_dims = [0], "
           "start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, "
           "indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x16xf32>, "
           "tensor<8x1x1xi32>) -> tensor<8x1xf32>"),
      "[i,k][i,j,l]->[i,j] reduction=k");
}

TEST_F(RuleTest, EmbeddingSplitsOffsetAndIndexDimensions) {
  EXPECT_EQ(rule("%a: tensor<128x32xf32>, %i: tensor<8x16x1xi32>",
                 "%0 = \"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<"
                 "offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], "
                 "index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = "
                 "array<i64: 1, 32>}> : (tensor<128x32xf32>, tensor<8x16x1xi32>) -> "
                 "tensor<8x16x32xf32>"),
            "[k,l][i,j,m]->[i,j,l] reduction=k");
}

TEST_F(RuleTest, ScatterAddSumsOverUpdates) {
  EXPECT_EQ(rule("%a: tensor<128x32xf32>, %i: tensor<8x1xi32>, %u: tensor<8x32xf32>",
                 "%0 = \"stablehlo.scatter\"(%a, %i, %u) <{scatter_dimension_numbers = "
                 "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
                 "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
                 "^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
                 "%s = stablehlo.add %x, %y : tensor<f32>\nstablehlo.return %s : tensor<f32>\n"
                 "}) : (tensor<128x32xf32>, tensor<8x1xi32>, tensor<8x32xf32>) -> "
                 "tensor<128x32xf32>"),
            "[j,k][i,l][i,k]->[j,k] reduction=i");
}

TEST_F(RuleTest, WindowsAndSlices) {
  EXPECT_EQ(rule("%a: tensor<4x8xf32>", "%0 = stablehlo.slice %a [0:4, 2:6] : "
                                        "(tensor<4x8xf32>) -> tensor<4x4xf32>"),
            "[i,j]->[i,j] permutation=j");
  EXPECT_EQ(rule("%a: tensor<4x8xf32>, %i: tensor<i32>",
                 "%0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [4, 2] : (tensor<4x8xf32>, "
                 "tensor<i32>, tensor<i32>) -> tensor<4x2xf32>"),
            "[i,j][][]->[i,k] reduction=j replication=k");
  EXPECT_EQ(rule("%a: tensor<4x8xf32>", "%0 = stablehlo.concatenate %a, %a, dim = 1 : "
                                        "(tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>"),
            "[i,j][i,j]->[i,j] permutation=j");
}

// F11, F19
TEST_F(RuleTest, CumulativeWindows) {
  auto window = [&](const std::string &init, const std::string &padding, int size = 8) {
    mlir::Operation *parsed =
        op("%a: tensor<4x8xf32>, %i: tensor<f32>",
           "%c = stablehlo.constant dense<" + init +
               "> : tensor<f32>\n%0 = \"stablehlo.reduce_window\"(%a, %c) <{padding = dense<[[0, "
               "0], " +
               padding + "]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, " +
               std::to_string(size) +
               ">}> ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n%s = stablehlo.add %x, %y : "
               "tensor<f32>\nstablehlo.return %s : tensor<f32>\n}) : (tensor<4x8xf32>, "
               "tensor<f32>) -> tensor<4x8xf32>");
    return getShardingRule(parsed).factors[1];
  };
  EXPECT_EQ(window("0.0", "[7, 0]").cumulative, 1);
  EXPECT_EQ(window("0.0", "[0, 7]").cumulative, -1);
  EXPECT_EQ(window("0.0", "[3, 4]").cumulative, 0);
  EXPECT_EQ(window("0.0", "[6, 0]", 7).cumulative, 0);
  EXPECT_TRUE(window("0.0", "[3, 4]").halo);
  // Each padded element would add to the sum.
  EXPECT_FALSE(window("1.0", "[7, 0]").halo);
  EXPECT_EQ(window("1.0", "[7, 0]").cumulative, 0);
}

TEST_F(RuleTest, UnknownCustomCallsAreNotSplit) {
  mlir::Operation *call = op("%a: tensor<4xf32>", "%0 = stablehlo.custom_call @f(%a) : "
                                                  "(tensor<4xf32>) -> tensor<4xf32>");
  ASSERT_NE(call, nullptr);
  EXPECT_FALSE(getShardingRule(call).known);
}

TEST_F(RuleTest, CustomCallsObeyTheirRule) {
  EXPECT_EQ(rule("%a: tensor<4x8xf32>",
                 "%0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = "
                 "#sdy.op_sharding_rule<([i, j])->([i, k]) {i=4, j=8, k=8} "
                 "need_replication={j, k}, custom>} : (tensor<4x8xf32>) -> tensor<4x8xf32>"),
            "[i,j]->[i,k] replication=jk");
}

} // namespace
} // namespace tandem
