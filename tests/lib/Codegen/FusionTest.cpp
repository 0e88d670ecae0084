// Several ops in one kernel: what is fused, recomputed, and written to scratch.

#include "KernelRunner.h"

#include <cmath>

using namespace tandem::test;

namespace {

TEST(Fusion, ElementwiseChainOfOddLength) {
  std::vector<float> x = randomFloats(37), y = randomFloats(37, -2, 2, 2), want;
  auto out = runKernel(R"(
    func.func @main(%x: tensor<37xf32>, %y: tensor<37xf32>) -> tensor<37xf32> {
      %c = stablehlo.constant dense<2.0> : tensor<37xf32>
      %0 = stablehlo.multiply %x, %c : tensor<37xf32>
      %1 = stablehlo.subtract %0, %y : tensor<37xf32>
      return %1 : tensor<37xf32>
    })",
                       {array(x), array(y)});
  for (size_t i = 0; i < x.size(); ++i)
    want.push_back(2 * x[i] - y[i]);
  expectNear(values<float>(out[0]), want, 1e-6);
}

// More values than the plan's table of uses holds at first: it grows while it is walked, between
// the two operands of a subtraction.
TEST(Fusion, LongChain) {
  constexpr int steps = 200;
  std::string text = "func.func @main(%v0: tensor<2xf32>, %w: tensor<2xf32>) -> tensor<2xf32> {\n";
  for (int i = 0; i < steps; ++i)
    text += "%v" + std::to_string(i + 1) + " = stablehlo.subtract %v" + std::to_string(i) +
            ", %w : tensor<2xf32>\n";
  text += "return %v" + std::to_string(steps) + " : tensor<2xf32>\n}";
  std::vector<float> v = {3, 4}, w = {1, 2}, want = {3 - 1.0f * steps, 4 - 2.0f * steps};
  EXPECT_EQ(values<float>(runKernel(text, {array(v), array(w)})[0]), want);
}

// Every value is used twice by the next: what is decided by following uses one by one takes 2^90
// steps.
TEST(Fusion, LongChainOfDoublings) {
  constexpr int kLength = 90;
  std::string text = "func.func @main(%v0: tensor<37xf32>) -> (tensor<37xf32>, tensor<37xf32>) {\n";
  for (int i = 0; i < kLength; ++i)
    text += "  %v" + std::to_string(i + 1) + " = stablehlo.add %v" + std::to_string(i) + ", %v" +
            std::to_string(i) + " : tensor<37xf32>\n";
  text += "  return %v1, %v" + std::to_string(kLength) + " : tensor<37xf32>, tensor<37xf32>\n}\n";
  std::vector<float> x = randomFloats(37), twice, last;
  auto out = runKernel(text, {array(x)});
  for (float value : x) {
    twice.push_back(2 * value);
    last.push_back(std::ldexp(value, kLength));
  }
  expectNear(values<float>(out[0]), twice, 0);
  expectNear(values<float>(out[1]), last, 0);
}

// The two results of one reduction that cannot stand in the nest before it share a nest.
TEST(Fusion, VariadicReductionAfterItsInput) {
  auto out = runKernel(
      R"(
    func.func @main(%x: tensor<4x5xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
      %r = stablehlo.reverse %s, dims = [0] : tensor<4xf32>
      %b = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<4xf32>) -> tensor<4x5xf32>
      %m = stablehlo.multiply %x, %b : tensor<4x5xf32>
      %p:2 = stablehlo.reduce(%m init: %zero), (%x init: %zero) across dimensions = [1] : (tensor<4x5xf32>, tensor<4x5xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
        reducer(%a: tensor<f32>, %c: tensor<f32>) (%d: tensor<f32>, %e: tensor<f32>) {
          %f = stablehlo.add %a, %c : tensor<f32>
          %g = stablehlo.add %d, %e : tensor<f32>
          stablehlo.return %f, %g : tensor<f32>, tensor<f32>
        }
      return %s, %p#0, %p#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    })",
      {array(std::vector<float>{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4})});
  expectNear(values<float>(out[0]), std::vector<float>{5, 10, 15, 20}, 1e-6);
  expectNear(values<float>(out[1]), std::vector<float>{100, 150, 150, 100}, 1e-6);
  expectNear(values<float>(out[2]), std::vector<float>{5, 10, 15, 20}, 1e-6);
}

// The two sides of a conversion between element sizes have different ranks.
TEST(Fusion, ReshapesAroundConversionsOfOtherRank) {
  auto out = runKernel(R"(
    func.func @main(%x: tensor<4xui32>) -> (tensor<2x1xui64>, tensor<4xui32>) {
      %0 = stablehlo.reshape %x : (tensor<4xui32>) -> tensor<2x2xui32>
      %1 = stablehlo.bitcast_convert %0 : (tensor<2x2xui32>) -> tensor<2xui64>
      %2 = stablehlo.add %1, %1 : tensor<2xui64>
      %3 = stablehlo.reshape %2 : (tensor<2xui64>) -> tensor<2x1xui64>
      %4 = stablehlo.bitcast_convert %2 : (tensor<2xui64>) -> tensor<2x2xui32>
      %5 = stablehlo.reshape %4 : (tensor<2x2xui32>) -> tensor<4xui32>
      return %3, %5 : tensor<2x1xui64>, tensor<4xui32>
    })",
                       {array<uint32_t>({1, 2, 3, 4})});
  EXPECT_THAT(values<uint64_t>(out[0]), testing::ElementsAre(0x400000002, 0x800000006));
  EXPECT_THAT(values<uint32_t>(out[1]), testing::ElementsAre(2, 4, 6, 8));
}

constexpr const char *softmax = R"(
    func.func @main(%x: tensor<ROWSxCOLSxf32>) -> tensor<ROWSxCOLSxf32> {
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [DIM] : (tensor<ROWSxCOLSxf32>, tensor<f32>) -> tensor<KEPTxf32>
      %b = stablehlo.broadcast_in_dim %max, dims = [OTHER] : (tensor<KEPTxf32>) -> tensor<ROWSxCOLSxf32>
      %d = stablehlo.subtract %x, %b : tensor<ROWSxCOLSxf32>
      %e = stablehlo.exponential %d : tensor<ROWSxCOLSxf32>
      %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [DIM] : (tensor<ROWSxCOLSxf32>, tensor<f32>) -> tensor<KEPTxf32>
      %s = stablehlo.broadcast_in_dim %sum, dims = [OTHER] : (tensor<KEPTxf32>) -> tensor<ROWSxCOLSxf32>
      %r = stablehlo.divide %e, %s : tensor<ROWSxCOLSxf32>
      return %r : tensor<ROWSxCOLSxf32>
    })";

std::string withSizes(std::string text, size_t rows, size_t cols, bool alongRows) {
  auto replace = [&](const std::string &what, const std::string &with) {
    for (size_t at; (at = text.find(what)) != std::string::npos;)
      text.replace(at, what.size(), with);
  };
  replace("ROWS", std::to_string(rows));
  replace("COLS", std::to_string(cols));
  replace("KEPT", std::to_string(alongRows ? rows : cols));
  replace("DIM", alongRows ? "1" : "0");
  replace("OTHER", alongRows ? "0" : "1");
  return text;
}

class Softmax : public testing::TestWithParam<std::tuple<int, int, bool>> {};

TEST_P(Softmax, EqualsReference) {
  auto [rows, cols, alongRows] = GetParam();
  std::vector<float> x = randomFloats(rows * cols, -5, 5), want(x.size());
  int outer = alongRows ? rows : cols, inner = alongRows ? cols : rows;
  for (int o = 0; o < outer; ++o) {
    auto at = [&](int i) { return alongRows ? o * cols + i : i * cols + o; };
    double sum = 0;
    for (int i = 0; i < inner; ++i)
      sum += std::exp(double(x[at(i)]));
    for (int i = 0; i < inner; ++i)
      want[at(i)] = std::exp(double(x[at(i)])) / sum;
  }
  auto out = runKernel(withSizes(softmax, rows, cols, alongRows), {array(x)});
  expectNear(values<float>(out[0]), want, 2e-6);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Softmax,
                         testing::Values(std::tuple(4, 10, true), std::tuple(3, 64, true),
                                         std::tuple(5, 133, true), std::tuple(2, 3, true),
                                         std::tuple(7, 40, false), std::tuple(33, 3, false),
                                         std::tuple(1, 1, true), std::tuple(3, 40000, true)));

// exp is dear: the sum leaves its row behind for the quotient. Counted in the functions that are
// emitted, by an
// op that only exp has.
TEST(Fusion, SoftmaxComputesItsExponentialsOnce) {
  auto exponentials = [](const std::string &text) {
    ParsedKernels parsed = parseKernels(text);
    auto module = tandem::emitKernels(parsed.kernels, {"", "generic", ""});
    int count = 0;
    module->walk([&](mlir::Operation *op) { count += op->getName().getStringRef() == "math.fma"; });
    return count;
  };
  std::string both = withSizes(softmax, 8, 64, true), sumOnly = both;
  sumOnly.replace(sumOnly.find("divide %e"), 9, "divide %b");
  EXPECT_GT(exponentials(sumOnly), 0);
  EXPECT_EQ(exponentials(both), exponentials(sumOnly));
}

// The row is kept in the value's own type, and what is not exp of the same row is not taken for it.
TEST(Fusion, KeptRowsOfNarrowFloatsBesideReversedOnes) {
  std::vector<float> x = randomFloats(3 * 50, -3, 3), want;
  for (int i = 0; i < 3; ++i) {
    double sum = 0, other = 0;
    for (int j = 0; j < 50; ++j) {
      sum += std::exp(double(x[i * 50 + j]));
      other += std::exp(double(x[(2 - i) * 50 + j]));
    }
    for (int j = 0; j < 50; ++j)
      want.push_back(std::exp(double(x[i * 50 + j])) / sum / other);
  }
  std::string text = R"(
    func.func @main(%x: tensor<3x50xf32>) -> (tensor<3x50xf32>, tensor<3x50xf32>) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %e = stablehlo.exponential %x : tensor<3x50xf32>
      %f = stablehlo.reverse %e, dims = [0] : tensor<3x50xf32>
      %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x50xf32>, tensor<f32>) -> tensor<3xf32>
      %other = stablehlo.reduce(%f init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x50xf32>, tensor<f32>) -> tensor<3xf32>
      %s = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<3xf32>) -> tensor<3x50xf32>
      %o = stablehlo.broadcast_in_dim %other, dims = [0] : (tensor<3xf32>) -> tensor<3x50xf32>
      %q = stablehlo.divide %e, %s : tensor<3x50xf32>
      %r = stablehlo.divide %q, %o : tensor<3x50xf32>
      %n = stablehlo.convert %e : (tensor<3x50xf32>) -> tensor<3x50xbf16>
      %w = stablehlo.convert %n : (tensor<3x50xbf16>) -> tensor<3x50xf32>
      %t = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x50xf32>, tensor<f32>) -> tensor<3xf32>
      %u = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<3xf32>) -> tensor<3x50xf32>
      %v = stablehlo.divide %w, %u : tensor<3x50xf32>
      return %r, %v : tensor<3x50xf32>, tensor<3x50xf32>
    })";
  auto out = runKernel(text, {array(x)});
  expectNear(values<float>(out[0]), want, 3e-6);
  std::vector<float> narrow;
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int j = 0; j < 50; ++j)
      sum += std::exp(double(x[i * 50 + j]));
    for (int j = 0; j < 50; ++j)
      narrow.push_back(std::exp(double(x[i * 50 + j])) / sum);
  }
  expectNear(values<float>(out[1]), narrow, 1e-2);
}

// Rows lie in the results until those are written: only where nothing reads them at another index,
// and where each has a result of its own.
TEST(Fusion, RowsKeptInResults) {
  constexpr int rows = 3, cols = 70;
  std::vector<float> x = randomFloats(rows * cols, -2, 2);
  for (const char *last : {"%q", "%e", "%v"}) {
    std::string text = R"(
      func.func @main(%x: tensor<3x70xf32>) -> (tensor<3x70xf32>, tensor<3x70xf32>) {
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %e = stablehlo.exponential %x : tensor<3x70xf32>
        %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x70xf32>, tensor<f32>) -> tensor<3xf32>
        %s = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<3xf32>) -> tensor<3x70xf32>
        %q = stablehlo.divide %e, %s : tensor<3x70xf32>
        %h = stablehlo.tanh %q : tensor<3x70xf32>
        %total = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x70xf32>, tensor<f32>) -> tensor<3xf32>
        %t = stablehlo.broadcast_in_dim %total, dims = [0] : (tensor<3xf32>) -> tensor<3x70xf32>
        %u = stablehlo.add %h, %t : tensor<3x70xf32>
        %w = stablehlo.add %u, %e : tensor<3x70xf32>
        %r = stablehlo.reverse %e, dims = [1] : tensor<3x70xf32>
        %v = stablehlo.add %q, %r : tensor<3x70xf32>
        return %w, LAST : tensor<3x70xf32>, tensor<3x70xf32>
      })";
    text.replace(text.find("LAST"), 4, last);
    std::vector<float> want[2] = {std::vector<float>(x.size()), std::vector<float>(x.size())};
    for (int i = 0; i < rows; ++i) {
      double sum = 0, total = 0;
      auto e = [&](int j) { return std::exp(double(x[i * cols + j])); };
      for (int j = 0; j < cols; ++j)
        sum += e(j);
      for (int j = 0; j < cols; ++j)
        total += std::tanh(e(j) / sum);
      for (int j = 0; j < cols; ++j) {
        want[0][i * cols + j] = std::tanh(e(j) / sum) + total + e(j);
        want[1][i * cols + j] = last[1] == 'q'   ? e(j) / sum
                                : last[1] == 'e' ? e(j)
                                                 : e(j) / sum + e(cols - 1 - j);
      }
    }
    auto out = runKernel(text, {array(x)});
    for (int n : {0, 1})
      expectNear(values<float>(out[n]), want[n], 2e-6);
  }
}

TEST(Fusion, SeveralResultsOfTwoShapes) {
  std::vector<float> p = randomFloats(20), g = randomFloats(20, -1, 1, 3), wantP;
  double wantSum = 0;
  auto out = runKernel(R"(
    func.func @main(%p: tensor<4x5xf32>, %g: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<f32>, tensor<4x5xf32>) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %lr = stablehlo.constant dense<0.5> : tensor<4x5xf32>
      %0 = stablehlo.multiply %lr, %g : tensor<4x5xf32>
      %1 = stablehlo.subtract %p, %0 : tensor<4x5xf32>
      %2 = chlo.square %1 : tensor<4x5xf32> -> tensor<4x5xf32>
      %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>
      return %1, %3, %p : tensor<4x5xf32>, tensor<f32>, tensor<4x5xf32>
    })",
                       {array(p), array(g)});
  for (size_t i = 0; i < p.size(); ++i) {
    wantP.push_back(p[i] - 0.5f * g[i]);
    wantSum += double(wantP[i]) * wantP[i];
  }
  expectNear(values<float>(out[0]), wantP, 1e-6);
  EXPECT_NEAR(values<float>(out[1])[0], wantSum, 1e-5);
  EXPECT_EQ(values<float>(out[2]), p);
}

TEST(Fusion, UpdateInPlaceOrNot) {
  std::vector<float> p = randomFloats(50), g = randomFloats(50, -1, 1, 3), want;
  for (size_t i = 0; i < p.size(); ++i)
    want.push_back(p[i] + g[i]);
  for (bool coincide : {false, true}) {
    auto out = runKernel(R"(
      func.func @main(%p: tensor<50xf32>, %g: tensor<50xf32>) -> tensor<50xf32> {
        %0 = stablehlo.add %p, %g : tensor<50xf32>
        return %0 : tensor<50xf32>
      })",
                         {array(p), array(g)}, {.inPlace = {0, 0}, .coincide = coincide});
    expectNear(values<float>(out[0]), want, 1e-6);
  }
}

TEST(Fusion, MomentumAndParameterInPlaceOrNot) {
  // Both results read %m; the second one's elements are computed before the first one's are
  // written. 8200: the loop is unrolled, and the last lanes are masked. The transpose keeps rows
  // and columns.
  constexpr size_t rows = 100, columns = 82;
  std::vector<float> p = randomFloats(rows * columns), m = randomFloats(rows * columns, -1, 1, 3),
                     g = randomFloats(rows * columns, -1, 1, 5), wantM, wantP;
  for (size_t i = 0; i < p.size(); ++i) {
    wantM.push_back(0.5f * m[i] + g[i % columns * rows + i / columns]);
    wantP.push_back(p[i] - 0.25f * wantM[i]);
  }
  for (bool coincide : {false, true}) {
    auto out =
        runKernel(R"(
      func.func @main(%p: tensor<100x82xf32>, %m: tensor<100x82xf32>, %g: tensor<82x100xf32>) -> (tensor<100x82xf32>, tensor<100x82xf32>) {
        %half = stablehlo.constant dense<0.5> : tensor<100x82xf32>
        %rate = stablehlo.constant dense<0.25> : tensor<100x82xf32>
        %0 = stablehlo.transpose %g, dims = [1, 0] : (tensor<82x100xf32>) -> tensor<100x82xf32>
        %1 = stablehlo.multiply %half, %m : tensor<100x82xf32>
        %2 = stablehlo.add %1, %0 : tensor<100x82xf32>
        %3 = stablehlo.multiply %rate, %2 : tensor<100x82xf32>
        %4 = stablehlo.subtract %p, %3 : tensor<100x82xf32>
        return %2, %4 : tensor<100x82xf32>, tensor<100x82xf32>
      })",
                  {array(p), array(m), array(g)}, {.inPlace = {0, 1, 1, 0}, .coincide = coincide});
    expectNear(values<float>(out[0]), wantM, 1e-6);
    expectNear(values<float>(out[1]), wantP, 1e-6);
  }
}

TEST(Fusion, ResultsOfSeveralLoopsInPlaceOrNot) {
  // The sum stands between: what reads %p again comes after %p would have been written over.
  std::vector<float> p = randomFloats(60), wantFirst, wantSecond;
  double sum = 0;
  for (float x : p) {
    wantFirst.push_back(x + 1);
    sum += x + 1;
  }
  for (float x : p)
    wantSecond.push_back(static_cast<float>(x - sum));
  for (bool coincide : {false, true}) {
    auto out = runKernel(R"(
      func.func @main(%p: tensor<60xf32>, %q: tensor<60xf32>) -> (tensor<60xf32>, tensor<60xf32>) {
        %one = stablehlo.constant dense<1.0> : tensor<60xf32>
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.add %p, %one : tensor<60xf32>
        %1 = stablehlo.add %q, %one : tensor<60xf32>
        %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<60xf32>, tensor<f32>) -> tensor<f32>
        %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<60xf32>
        %4 = stablehlo.subtract %p, %3 : tensor<60xf32>
        return %0, %4 : tensor<60xf32>, tensor<60xf32>
      })",
                         {array(p), array(p)}, {.inPlace = {0, 0}, .coincide = coincide});
    expectNear(values<float>(out[0]), wantFirst, 1e-6);
    expectNear(values<float>(out[1]), wantSecond, 1e-5);
  }
}

// In another shape, alone or under an update.
TEST(Fusion, ReshapesInPlaceOrNot) {
  std::vector<float> p = randomFloats(5000), updated = p;
  std::fill(updated.begin() + 100, updated.begin() + 150, 7.0f);
  for (bool coincide : {false, true}) {
    auto out = runKernel(R"(
      func.func @main(%p: tensor<50x100xf32>) -> tensor<5000xf32> {
        %0 = stablehlo.reshape %p : (tensor<50x100xf32>) -> tensor<5000xf32>
        return %0 : tensor<5000xf32>
      })",
                         {array(p)}, {.inPlace = {0, 0}, .coincide = coincide});
    EXPECT_EQ(values<float>(out[0]), p);
    out = runKernel(R"(
      func.func @main(%p: tensor<50x100xf32>, %i: tensor<i32>) -> tensor<100x50xf32> {
        %z = stablehlo.constant dense<0> : tensor<i32>
        %c = stablehlo.constant dense<7.0> : tensor<1x50xf32>
        %0 = stablehlo.reshape %p : (tensor<50x100xf32>) -> tensor<100x50xf32>
        %1 = stablehlo.dynamic_update_slice %0, %c, %i, %z : (tensor<100x50xf32>, tensor<1x50xf32>, tensor<i32>, tensor<i32>) -> tensor<100x50xf32>
        return %1 : tensor<100x50xf32>
      })",
                    {array(p), array<int32_t>({2})}, {.inPlace = {0, 0}, .coincide = coincide});
    EXPECT_EQ(values<float>(out[0]), updated);
  }
}

TEST(Fusion, DynamicUpdateSliceInPlaceOrNot) {
  for (bool coincide : {false, true}) {
    // The window is read where it is written.
    auto out =
        runKernel(R"(
      func.func @main(%p: tensor<4x3xf32>, %i: tensor<i32>) -> tensor<4x3xf32> {
        %z = stablehlo.constant dense<0> : tensor<i32>
        %c = stablehlo.constant dense<10.0> : tensor<1x3xf32>
        %old = stablehlo.dynamic_slice %p, %i, %z, sizes = [1, 3] : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
        %new = stablehlo.add %old, %c : tensor<1x3xf32>
        %0 = stablehlo.dynamic_update_slice %p, %new, %i, %z : (tensor<4x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
        return %0 : tensor<4x3xf32>
      })",
                  {array<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), array<int32_t>({7})},
                  {.inPlace = {0, 0}, .coincide = coincide});
    EXPECT_THAT(values<float>(out[0]), testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 19, 20, 21));
  }
}

} // namespace
