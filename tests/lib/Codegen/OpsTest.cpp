// Single ops against values worked out by hand or by the C library.

#include "KernelRunner.h"

#include <bit>
#include <cmath>
#include <functional>

using namespace tandem::test;
using testing::ElementsAre;

namespace {

const float inf = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<Array> run(std::string signature, std::string results, std::string body,
                       std::vector<Array> arguments) {
  return runKernel("func.func @main(" + signature + ") -> (" + results + ") {\n" + body +
                       "\nreturn %r : " + results + "\n}",
                   std::move(arguments));
}

struct Function {
  const char *op;
  double (*reference)(double);
  float low, high;
  double tolerance;
};

class Unary : public testing::TestWithParam<Function> {};

TEST_P(Unary, NearTheLibraryAndExactAtSpecialValues) {
  Function f = GetParam();
  std::vector<float> x = randomFloats(1000, f.low, f.high), want;
  for (float special : {0.0f, -0.0f, 1.0f, -1.0f, inf, -inf, nan})
    x.push_back(special);
  for (float v : x)
    want.push_back(float(f.reference(v)));
  auto out = run("%x: tensor<1007xf32>", "tensor<1007xf32>",
                 "%r = " + std::string(f.op) + " %x : tensor<1007xf32>" +
                     (std::string(f.op).starts_with("chlo") ? " -> tensor<1007xf32>" : ""),
                 {array(x)});
  expectNear(values<float>(out[0]), want, f.tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    Functions, Unary,
    testing::Values(Function{"stablehlo.exponential", std::exp, -90, 85, 4e-6},
                    Function{"stablehlo.exponential_minus_one", std::expm1, -3, 3, 2e-6},
                    Function{"stablehlo.log", std::log, 0, 100, 2e-6},
                    Function{"stablehlo.log_plus_one", std::log1p, -0.9, 5, 2e-6},
                    Function{"stablehlo.tanh", std::tanh, -6, 6, 2e-6},
                    Function{"stablehlo.sine", std::sin, -3, 3, 2e-6},
                    Function{"stablehlo.cosine", std::cos, -1.5, 1.5, 2e-6},
                    Function{"stablehlo.sqrt", std::sqrt, 0, 100, 1e-6},
                    Function{"stablehlo.cbrt", std::cbrt, -10, 10, 1e-6},
                    Function{"stablehlo.abs", std::fabs, -10, 10, 0},
                    Function{"stablehlo.floor", std::floor, -10, 10, 0},
                    Function{"stablehlo.round_nearest_afz", std::round, -10, 10, 0},
                    Function{"stablehlo.round_nearest_even", std::nearbyint, -10, 10, 0},
                    Function{"chlo.erf", std::erf, -4, 4, 2e-6},
                    Function{"chlo.erfc", std::erfc, -3, 3, 1e-5},
                    Function{"chlo.sinh", std::sinh, -12, 12, 4e-6},
                    Function{"chlo.cosh", std::cosh, -12, 12, 4e-6},
                    Function{"chlo.lgamma", std::lgamma, 3, 20, 2e-6}));

TEST(Ops, ExponentialAtTheEdges) {
  // The least results are subnormal; below them are zeros, and above the greatest is infinity.
  std::vector<float> x = {-inf,   -1e9f, -104.5f, -104.0f, -103.5f, -100.0f,
                          -88.0f, 0.0f,  89.0f,   inf,     nan};
  auto out = runKernel(R"(
    func.func @main(%x: tensor<11xf32>) -> tensor<11xf32> {
      %0 = stablehlo.exponential %x : tensor<11xf32>
      return %0 : tensor<11xf32>
    })",
                       {array(x)});
  std::vector<float> y = values<float>(out[0]);
  for (int i : {0, 1, 2, 3})
    EXPECT_EQ(y[i], 0.0f) << x[i];
  for (int i : {4, 5, 6})
    EXPECT_NEAR(y[i], std::exp(x[i]), 2 * std::numeric_limits<float>::denorm_min() + y[i] * 4e-6)
        << x[i];
  EXPECT_EQ(y[7], 1.0f);
  EXPECT_EQ(y[8], inf);
  EXPECT_EQ(y[9], inf);
  EXPECT_TRUE(std::isnan(y[10]));
}

TEST(Ops, IntegerDivisionAndShiftsAtTheEdges) {
  auto out =
      runKernel(R"(
    func.func @main(%a: tensor<5xi32>, %b: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) {
      %0 = stablehlo.divide %a, %b : tensor<5xi32>
      %1 = stablehlo.remainder %a, %b : tensor<5xi32>
      %2 = stablehlo.shift_left %a, %b : tensor<5xi32>
      return %0, %1, %2 : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>
    })",
                {array<int32_t>({7, -7, 5, INT32_MIN, 1}), array<int32_t>({2, 2, 0, -1, 32})});
  EXPECT_THAT(values<int32_t>(out[0]), ElementsAre(3, -3, -1, INT32_MIN, 0));
  EXPECT_THAT(values<int32_t>(out[1]), ElementsAre(1, -1, 5, 0, 1));
  EXPECT_THAT(values<int32_t>(out[2]), ElementsAre(28, -28, 5, 0, 0));
}

TEST(Ops, ConversionsSaturate) {
  auto out = runKernel(R"(
    func.func @main(%a: tensor<5xf32>) -> (tensor<5xi32>, tensor<5xui8>, tensor<5xi1>, tensor<5xbf16>) {
      %0 = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xi32>
      %1 = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xui8>
      %2 = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xi1>
      %3 = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xbf16>
      return %0, %1, %2, %3 : tensor<5xi32>, tensor<5xui8>, tensor<5xi1>, tensor<5xbf16>
    })",
                       {array<float>({1e20, -3.7, nan, 0, 300})});
  EXPECT_THAT(values<int32_t>(out[0]), ElementsAre(INT32_MAX, -3, 0, 0, 300));
  EXPECT_THAT(values<uint8_t>(out[1]), ElementsAre(255, 0, 0, 0, 255));
  EXPECT_THAT(values<bool>(out[2]), ElementsAre(true, true, true, false, true));
  EXPECT_EQ(values<uint16_t>(out[3])[1], 0xc06d);
}

TEST(Ops, MaximumKeepsNaNAndCompareDoesNot) {
  auto out = runKernel(R"(
    func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>, tensor<3xf32>, tensor<3xi1>) {
      %0 = stablehlo.maximum %a, %b : tensor<3xf32>
      %1 = stablehlo.compare NE, %a, %b, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
      %2 = stablehlo.sign %a : tensor<3xf32>
      %3 = stablehlo.is_finite %a : (tensor<3xf32>) -> tensor<3xi1>
      return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xi1>, tensor<3xf32>, tensor<3xi1>
    })",
                       {array<float>({1, nan, -inf}), array<float>({2, 1, -inf})});
  expectNear(values<float>(out[0]), {2, nan, -inf}, 0);
  EXPECT_THAT(values<bool>(out[1]), ElementsAre(true, true, false));
  expectNear(values<float>(out[2]), {1, nan, -1}, 0);
  EXPECT_THAT(values<bool>(out[3]), ElementsAre(true, false, false));
}

// All pairs of special values, in full vectors, in their rest, and as reductions of pairs and rows.
TEST(Ops, ExtremesOfSpecialValuesInLanes) {
  const std::vector<float> special = {0.0f, -0.0f, 1, -1, inf, -inf, nan, -nan, 1e-45f, -1e-45f};
  std::vector<float> x, y, least, greatest;
  auto smaller = [](float a, float b) {
    return std::isnan(a) || std::isnan(b) ? nan
           : a == b                       ? (std::signbit(a) ? a : b)
                                          : std::fmin(a, b);
  };
  for (float a : special)
    for (float b : special) {
      x.push_back(a), y.push_back(b);
      least.push_back(smaller(a, b));
      greatest.push_back(-smaller(-a, -b));
    }
  auto out = runKernel(R"(
    func.func @main(%x: tensor<100xf32>, %y: tensor<100xf32>) -> (tensor<100xf32>, tensor<100xf32>) {
      %0 = stablehlo.minimum %x, %y : tensor<100xf32>
      %1 = stablehlo.maximum %x, %y : tensor<100xf32>
      return %0, %1 : tensor<100xf32>, tensor<100xf32>
    })",
                       {array(x), array(y)});
  auto expectSame = [](const std::vector<float> &got, const std::vector<float> &want) {
    ASSERT_EQ(got.size(), want.size());
    for (auto [g, w] : llvm::zip(got, want))
      EXPECT_TRUE(std::isnan(w) ? std::isnan(g) : g == w && std::signbit(g) == std::signbit(w))
          << "got " << g << ", want " << w;
  };
  expectSame(values<float>(out[0]), least);
  expectSame(values<float>(out[1]), greatest);

  // A row holds a pair, at two places that move, among what changes nothing.
  constexpr int cols = 150;
  auto padded = [&](float neutral) {
    std::vector<float> rows(x.size() * cols, neutral);
    for (size_t i = 0; i < x.size(); ++i) {
      rows[i * cols + i] = x[i];
      rows[i * cols + i + 1 + i % 49] = y[i];
    }
    return array(rows);
  };
  auto reduced = runKernel(R"(
    func.func @main(%x: tensor<100x150xf32>, %y: tensor<100x150xf32>) -> (tensor<100xf32>, tensor<100xf32>) {
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %high = stablehlo.constant dense<0x7F800000> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %high) applies stablehlo.minimum across dimensions = [1] : (tensor<100x150xf32>, tensor<f32>) -> tensor<100xf32>
      %1 = stablehlo.reduce(%y init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<100x150xf32>, tensor<f32>) -> tensor<100xf32>
      return %0, %1 : tensor<100xf32>, tensor<100xf32>
    })",
                           {padded(inf), padded(-inf)});
  expectSame(values<float>(reduced[0]), least);
  expectSame(values<float>(reduced[1]), greatest);
}

TEST(Ops, MovesOfData) {
  std::vector<int32_t> iota(24);
  for (int i = 0; i < 24; ++i)
    iota[i] = i;
  auto out = runKernel(R"(
    func.func @main(%a: tensor<4x6xi32>) -> (tensor<6x4xi32>, tensor<2x3xi32>, tensor<3x8xi32>, tensor<4x6xi32>, tensor<4x6xi32>) {
      %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x6xi32>) -> tensor<6x4xi32>
      %1 = stablehlo.slice %a [1:4:2, 0:6:2] : (tensor<4x6xi32>) -> tensor<2x3xi32>
      %2 = stablehlo.reshape %a : (tensor<4x6xi32>) -> tensor<3x8xi32>
      %3 = stablehlo.reverse %a, dims = [1] : tensor<4x6xi32>
      %4 = stablehlo.iota dim = 1 : tensor<4x6xi32>
      return %0, %1, %2, %3, %4 : tensor<6x4xi32>, tensor<2x3xi32>, tensor<3x8xi32>, tensor<4x6xi32>, tensor<4x6xi32>
    })",
                       {array(iota)});
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) {
      EXPECT_EQ(values<int32_t>(out[0])[j * 4 + i], i * 6 + j);
      EXPECT_EQ(values<int32_t>(out[3])[i * 6 + j], i * 6 + 5 - j);
      EXPECT_EQ(values<int32_t>(out[4])[i * 6 + j], j);
    }
  EXPECT_THAT(values<int32_t>(out[1]), ElementsAre(6, 8, 10, 18, 20, 22));
  EXPECT_EQ(values<int32_t>(out[2]), iota);
}

TEST(Ops, PadAndConcatenateAsResultAndInside) {
  auto out = runKernel(R"(
    func.func @main(%a: tensor<3xf32>, %b: tensor<2xf32>, %v: tensor<f32>) -> (tensor<8xf32>, tensor<5xf32>, tensor<8xf32>, tensor<5xf32>) {
      %0 = stablehlo.pad %a, %v, low = [1], high = [2], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
      %1 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<3xf32>, tensor<2xf32>) -> tensor<5xf32>
      %2 = stablehlo.negate %0 : tensor<8xf32>
      %3 = stablehlo.negate %1 : tensor<5xf32>
      return %0, %1, %2, %3 : tensor<8xf32>, tensor<5xf32>, tensor<8xf32>, tensor<5xf32>
    })",
                       {array<float>({1, 2, 3}), array<float>({4, 5}), array<float>({9})});
  EXPECT_THAT(values<float>(out[0]), ElementsAre(9, 1, 9, 2, 9, 3, 9, 9));
  EXPECT_THAT(values<float>(out[1]), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(values<float>(out[2]), ElementsAre(-9, -1, -9, -2, -9, -3, -9, -9));
  EXPECT_THAT(values<float>(out[3]), ElementsAre(-1, -2, -3, -4, -5));
}

TEST(Ops, GatherClampsAndScatterSkips) {
  auto out = runKernel(R"(
    func.func @main(%a: tensor<3x2xf32>, %i: tensor<3x1xi32>, %u: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
      %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
      %1 = "stablehlo.scatter"(%a, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %s = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<3x2xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<3x2xf32>
      return %0, %1 : tensor<3x2xf32>, tensor<3x2xf32>
    })",
                       {array<float>({1, 2, 3, 4, 5, 6}), array<int32_t>({1, 7, 1}),
                        array<float>({10, 20, 30, 40, 50, 60})});
  EXPECT_THAT(values<float>(out[0]), ElementsAre(3, 4, 5, 6, 3, 4));
  EXPECT_THAT(values<float>(out[1]), ElementsAre(1, 2, 63, 84, 5, 6));
}

TEST(Ops, ArgMaxAndColumnSums) {
  auto out = runKernel(R"(
    func.func @main(%a: tensor<2x3xf32>) -> (tensor<2xi32>, tensor<3xf32>) {
      %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %z = stablehlo.constant dense<0> : tensor<i32>
      %zf = stablehlo.constant dense<0.0> : tensor<f32>
      %0:2 = stablehlo.reduce(%a init: %low), (%i init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
       reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
        %c = stablehlo.compare GE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %m = stablehlo.select %c, %x, %y : tensor<i1>, tensor<f32>
        %n = stablehlo.select %c, %p, %q : tensor<i1>, tensor<i32>
        stablehlo.return %m, %n : tensor<f32>, tensor<i32>
      }
      %1 = stablehlo.reduce(%a init: %zf) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
      return %0#1, %1 : tensor<2xi32>, tensor<3xf32>
    })",
                       {array<float>({1, 5, 2, 9, 3, 9})});
  EXPECT_THAT(values<int32_t>(out[0]), ElementsAre(1, 0));
  EXPECT_THAT(values<float>(out[1]), ElementsAre(10, 8, 11));
}

TEST(Ops, DotInAllLayouts) {
  std::vector<float> a = randomFloats(3 * 20), b = randomFloats(20 * 17, -1, 1, 5), want(3 * 17);
  std::vector<float> bt(17 * 20);
  for (int j = 0; j < 17; ++j)
    for (int q = 0; q < 20; ++q)
      bt[j * 20 + q] = b[q * 17 + j];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 17; ++j)
      for (int q = 0; q < 20; ++q)
        want[i * 17 + j] += a[i * 20 + q] * b[q * 17 + j];
  auto out = runKernel(R"(
    func.func @main(%a: tensor<3x20xf32>, %b: tensor<20x17xf32>, %bt: tensor<17x20xf32>) -> (tensor<3x17xf32>, tensor<3x17xf32>) {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x20xf32>, tensor<20x17xf32>) -> tensor<3x17xf32>
      %1 = stablehlo.dot_general %a, %bt, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x20xf32>, tensor<17x20xf32>) -> tensor<3x17xf32>
      return %0, %1 : tensor<3x17xf32>, tensor<3x17xf32>
    })",
                       {array(a), array(b), array(bt)});
  for (const Array &result : out)
    for (size_t i = 0; i < want.size(); ++i)
      EXPECT_NEAR(values<float>(result)[i], want[i], 1e-4);
}

TEST(Ops, SortIsStable) {
  auto out =
      runKernel(R"(
    func.func @main(%a: tensor<7xi32>, %b: tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>) {
      %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p: tensor<i32>, %q: tensor<i32>):
        %c = stablehlo.compare LT, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }) : (tensor<7xi32>, tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>)
      return %0#0, %0#1 : tensor<7xi32>, tensor<7xi32>
    })",
                {array<int32_t>({3, 1, 2, 3, 1, -5, 2}), array<int32_t>({0, 1, 2, 3, 4, 5, 6})});
  EXPECT_THAT(values<int32_t>(out[0]), ElementsAre(-5, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(values<int32_t>(out[1]), ElementsAre(5, 1, 4, 2, 6, 0, 3));
}

TEST(Ops, SortByTotalOrderPlacesNaNs) {
  auto out = runKernel(R"(
    func.func @main(%a: tensor<9xf32>, %b: tensor<9xi32>) -> tensor<9xi32> {
      %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
        %c = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }) : (tensor<9xf32>, tensor<9xi32>) -> (tensor<9xf32>, tensor<9xi32>)
      return %0#1 : tensor<9xi32>
    })",
                       {array<float>({3, nan, 0, -0.0f, -nan, inf, -inf, 3, nan}),
                        array<int32_t>({0, 1, 2, 3, 4, 5, 6, 7, 8})});
  EXPECT_THAT(values<int32_t>(out[0]), ElementsAre(4, 6, 3, 2, 0, 7, 5, 1, 8));
}

TEST(Ops, UnsignedIndicesAreNeverNegative) {
  auto out = runKernel(R"(
    func.func @main(%a: tensor<4xf32>, %i: tensor<3xui32>, %s: tensor<ui8>, %t: tensor<i8>)
        -> (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) {
      %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<3xui32>) -> tensor<3xf32>
      %1 = stablehlo.dynamic_slice %a, %s, sizes = [2] : (tensor<4xf32>, tensor<ui8>) -> tensor<2xf32>
      %2 = stablehlo.dynamic_slice %a, %t, sizes = [2] : (tensor<4xf32>, tensor<i8>) -> tensor<2xf32>
      return %0, %1, %2 : tensor<3xf32>, tensor<2xf32>, tensor<2xf32>
    })",
                       {array<float>({1, 2, 3, 4}), array<uint32_t>({0xFFFFFFFF, 0x80000000, 1}),
                        array<uint8_t>({200}), array<int8_t>({-56})});
  EXPECT_THAT(values<float>(out[0]), ElementsAre(4, 4, 2));
  EXPECT_THAT(values<float>(out[1]), ElementsAre(3, 4));
  EXPECT_THAT(values<float>(out[2]), ElementsAre(1, 2));
}

TEST(Ops, NarrowIotaAndSumsWrapAround) {
  auto out = runKernel(R"(
    func.func @main() -> (tensor<10xi32>, tensor<10xi32>) {
      %0 = stablehlo.iota dim = 0 : tensor<10xi4>
      %1 = stablehlo.add %0, %0 : tensor<10xi4>
      %2 = stablehlo.convert %0 : (tensor<10xi4>) -> tensor<10xi32>
      %3 = stablehlo.convert %1 : (tensor<10xi4>) -> tensor<10xi32>
      return %2, %3 : tensor<10xi32>, tensor<10xi32>
    })",
                       {});
  EXPECT_THAT(values<int32_t>(out[0]), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, -8, -7));
  EXPECT_THAT(values<int32_t>(out[1]), ElementsAre(0, 2, 4, 6, -8, -6, -4, -2, 0, 2));
}

TEST(Ops, ConvolutionAndWindows) {
  auto out = runKernel(R"(
    func.func @main(%a: tensor<1x4x1xf32>, %w: tensor<3x1x1xf32>, %p: tensor<4xf32>, %s: tensor<2xf32>) -> (tensor<1x4x1xf32>, tensor<2xf32>, tensor<4xf32>) {
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x1xf32>, tensor<3x1x1xf32>) -> tensor<1x4x1xf32>
      %1 = "stablehlo.reduce_window"(%p, %low) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %m = stablehlo.maximum %x, %y : tensor<f32>
        stablehlo.return %m : tensor<f32>
      }) : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
      %2 = "stablehlo.select_and_scatter"(%p, %s, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %c = stablehlo.compare GE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }, {
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %m = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %m : tensor<f32>
      }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
      return %0, %1, %2 : tensor<1x4x1xf32>, tensor<2xf32>, tensor<4xf32>
    })",
                       {array<float>({1, 2, 3, 4}), array<float>({1, 10, 100}),
                        array<float>({4, 1, 2, 8}), array<float>({5, 6})});
  EXPECT_THAT(values<float>(out[0]), ElementsAre(210, 321, 432, 43));
  EXPECT_THAT(values<float>(out[1]), ElementsAre(4, 8));
  EXPECT_THAT(values<float>(out[2]), ElementsAre(5, 0, 0, 6));
}

// Quotients of a row by one number come from its reciprocal, corrected: to the bit what division
// gives, for all kinds of numbers.
TEST(Ops, DivisionOfARowByOneNumberRoundsAsDivision) {
  constexpr int kRows = 400, kColumns = 67;
  std::vector<float> x = randomFloats(kRows * kColumns, 1, 2, 5), d = randomFloats(kRows, 1, 2, 6),
                     want;
  const float inf = std::numeric_limits<float>::infinity();
  const float special[] = {0.0f,
                           -0.0f,
                           inf,
                           -inf,
                           std::nanf(""),
                           1e-45f,
                           -1e-38f,
                           3e38f,
                           1.0f,
                           std::nextafter(1.0f, 0.0f),
                           std::nextafter(2.0f, 0.0f),
                           1e-20f,
                           7e19f};
  constexpr int kSpecial = std::size(special);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = std::ldexp(i % 3 ? x[i] : -x[i], int(i / kColumns) % 9 * 7 - 28);
  for (int row = 0; row < kRows; ++row) { // every special one among and by every other
    d[row] = row < 2 * kSpecial ? special[row % kSpecial] : std::ldexp(d[row], row % 40 - 20);
    if (row % 3 == 0)
      for (int i = 0; i < kSpecial; ++i)
        x[row * kColumns + (i * 5 + row) % kColumns] = special[i];
    if (row % 4 == 0)
      d[row] = -d[row];
  }
  for (size_t i = 0; i < x.size(); ++i)
    want.push_back(x[i] / d[i / kColumns]);
  auto out = runKernel(R"(
    func.func @main(%x: tensor<400x67xf32>, %d: tensor<400xf32>) -> tensor<400x67xf32> {
      %b = stablehlo.broadcast_in_dim %d, dims = [0] : (tensor<400xf32>) -> tensor<400x67xf32>
      %0 = stablehlo.divide %x, %b : tensor<400x67xf32>
      return %0 : tensor<400x67xf32>
    })",
                       {array(x), array(d)});
  std::vector<float> got = values<float>(out[0]);
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(want[i])) {
      EXPECT_TRUE(std::isnan(got[i])) << x[i] << " / " << d[i / kColumns];
    } else {
      EXPECT_EQ(std::bit_cast<uint32_t>(got[i]), std::bit_cast<uint32_t>(want[i]))
          << x[i] << " / " << d[i / kColumns];
    }
  }
}

// The gradient of 2 x 2 pooling over 20 channels, in lanes: ties go to the first place, what no
// window covers gets the initial value.
TEST(Ops, SelectAndScatterOfWindowsApart) {
  constexpr int kRows = 5, kColumns = 4, kChannels = 20;
  std::vector<float> p(kRows * kColumns * kChannels), s = randomFloats(2 * 2 * kChannels),
                                                      want(p.size(), 0.5f);
  for (size_t i = 0; i < p.size(); ++i)
    p[i] = static_cast<float>((i * 7) % 5);
  auto at = [&](int r, int c, int f) { return (r * kColumns + c) * kChannels + f; };
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c)
      for (int f = 0; f < kChannels; ++f) {
        int best = at(2 * r, 2 * c, f);
        for (int w = 1; w < 4; ++w)
          if (int place = at(2 * r + w / 2, 2 * c + w % 2, f); !(p[best] >= p[place]))
            best = place;
        want[best] += s[(r * 2 + c) * kChannels + f];
      }
  auto out = runKernel(R"(
    func.func @main(%p: tensor<5x4x20xf32>, %s: tensor<2x2x20xf32>) -> tensor<5x4x20xf32> {
      %z = stablehlo.constant dense<0.5> : tensor<f32>
      %0 = "stablehlo.select_and_scatter"(%p, %s, %z) <{window_dimensions = array<i64: 2, 2, 1>, window_strides = array<i64: 2, 2, 1>}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %c = stablehlo.compare GE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }, {
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %m = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %m : tensor<f32>
      }) : (tensor<5x4x20xf32>, tensor<2x2x20xf32>, tensor<f32>) -> tensor<5x4x20xf32>
      return %0 : tensor<5x4x20xf32>
    })",
                       {array(p), array(s)});
  EXPECT_EQ(values<float>(out[0]), want);
}

TEST(Kernels, EqualOnesAreEqual) {
  auto body = [](std::string name, std::string op) {
    return "func.func @" + name + "(%x: tensor<3xf32>) -> tensor<3xf32> {\n%0 = stablehlo." + op +
           " %x : tensor<3xf32>\nreturn %0 : tensor<3xf32>\n}\n";
  };
  ParsedKernels parsed = parseKernels(body("a", "negate") + body("b", "negate") + body("c", "abs"));
  ASSERT_EQ(parsed.kernels.size(), 3u);
  EXPECT_TRUE(tandem::kernelsEqual(parsed.kernels[0], parsed.kernels[1]));
  EXPECT_FALSE(tandem::kernelsEqual(parsed.kernels[0], parsed.kernels[2]));
  EXPECT_EQ(tandem::kernelHash(parsed.kernels[0]), tandem::kernelHash(parsed.kernels[1]));
}

} // namespace
