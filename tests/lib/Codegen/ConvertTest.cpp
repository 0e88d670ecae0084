// Conversions to narrow floats: to nearest, ties to even, in one rounding, whatever they come from.

#include "KernelRunner.h"

#include "llvm/ADT/APFloat.h"

using namespace tandem::test;
using llvm::APFloat;

namespace {

struct Narrow {
  const char *name;
  const llvm::fltSemantics &semantics;
};

void PrintTo(const Narrow &narrow, std::ostream *os) { *os << narrow.name; }

/// The code of `exact`, a value of any precision. What is too large is infinite or, without an
/// infinity, NaN; both keep their sign where zeros have one.
uint64_t encode(APFloat exact, const llvm::fltSemantics &to) {
  bool losesInfo, hasSign = APFloat::getZero(to, true).isNegative();
  bool isNaN = exact.isNaN() || (exact.isInfinity() && !APFloat::semanticsHasInf(to));
  bool isNegative = exact.isNegative();
  if (!isNaN) {
    exact.convert(to, APFloat::rmNearestTiesToEven, &losesInfo);
    isNaN = exact.isNaN();
  }
  if (isNaN)
    exact = APFloat::getNaN(to, hasSign && isNegative);
  return exact.bitcastToAPInt().getZExtValue();
}

template <typename T> APFloat exactOf(T value) {
  if constexpr (std::is_integral_v<T>) {
    APFloat exact(APFloat::IEEEquad());
    exact.convertFromAPInt(llvm::APInt(64, value, std::is_signed_v<T>, true), std::is_signed_v<T>,
                           APFloat::rmNearestTiesToEven);
    return exact;
  } else {
    return APFloat(value);
  }
}

/// Converts all `inputs` of element type `from` and compares codes.
template <typename T>
void expectConverted(const char *from, const Narrow &to, const std::vector<T> &inputs) {
  std::string n = std::to_string(inputs.size()) + "x";
  std::string source = "tensor<" + n + from + ">", target = "tensor<" + n + to.name + ">";
  auto out = runKernel("func.func @main(%x: " + source + ") -> " + target +
                           " {\n%0 = stablehlo.convert %x : (" + source + ") -> " + target +
                           "\nreturn %0 : " + target + "\n}",
                       {array(inputs)});
  ASSERT_EQ(out.size(), 1u);
  size_t bytes = out[0].size() / inputs.size(), wrong = 0;
  const uint64_t payload =
      llvm::maskTrailingOnes<uint64_t>(llvm::APFloat::semanticsPrecision(to.semantics) - 2);
  for (size_t i = 0; i < inputs.size() && wrong < 8; ++i) {
    uint64_t got = 0;
    std::memcpy(&got, out[0].data() + i * bytes, bytes);
    uint64_t want = encode(exactOf(inputs[i]), to.semantics);
    if (bytes == 2 && inputs[i] != inputs[i])
      got &= ~payload; // as the machine keeps it
    wrong += got != want;
    EXPECT_EQ(got, want) << from << " " << inputs[i];
  }
}

/// Around every value of the narrow type and every middle between two: the neighbours in f64.
std::vector<double> edgesOf(const Narrow &narrow) {
  std::vector<double> edges = {0.0, -0.0, 1e300, 1e-300, INFINITY, -INFINITY, NAN, -NAN};
  APFloat at = APFloat::getZero(narrow.semantics);
  for (bool isLast = false; !isLast;) {
    APFloat next = at;
    next.next(/*nextDown=*/false);
    isLast = !next.isFinite() || next.isNegative() || next.compare(at) != APFloat::cmpGreaterThan;
    bool losesInfo;
    APFloat low = at, high = next;
    low.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    high.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    double value = low.convertToDouble();
    // Beyond the largest value the last step is repeated.
    double middle = isLast ? value + (value - edges.back()) : (value + high.convertToDouble()) / 2;
    for (double edge : {value, middle})
      for (double near : {edge, std::nextafter(edge, -1.0), std::nextafter(edge, INFINITY)}) {
        edges.push_back(-near);
        edges.push_back(near);
      }
    edges.push_back(value);
    at = next;
  }
  return edges;
}

class ToNarrow : public testing::TestWithParam<Narrow> {};

TEST_P(ToNarrow, DoublesRoundOnce) { expectConverted("f64", GetParam(), edgesOf(GetParam())); }

TEST_P(ToNarrow, FloatsOfEverySize) {
  // Every pattern of bf16, most of f16's values among them, with a bit below.
  std::vector<float> floats;
  for (uint32_t high = 0; high < 0x10000; ++high)
    for (uint32_t low : {0u, 1u, 0x8000u})
      floats.push_back(llvm::bit_cast<float>(high << 16 | low));
  expectConverted("f32", GetParam(), floats);
}

TEST_P(ToNarrow, IntegersRoundOnce) {
  std::vector<int32_t> ints;
  std::vector<uint64_t> longs;
  for (int shift = 0; shift < 64; ++shift)
    for (uint64_t lead : {1ull, 3ull, 5ull, 257ull, 259ull, 2049ull, 2051ull, 4097ull})
      for (int64_t below : {-1, 0, 1}) {
        longs.push_back((lead << shift) + below);
        ints.push_back(static_cast<int32_t>(longs.back()));
      }
  expectConverted("i32", GetParam(), ints);
  expectConverted("ui64", GetParam(), longs);
  expectConverted("i64", GetParam(), std::vector<int64_t>(longs.begin(), longs.end()));
}

INSTANTIATE_TEST_SUITE_P(All, ToNarrow,
                         testing::Values(Narrow{"f16", APFloat::IEEEhalf()},
                                         Narrow{"bf16", APFloat::BFloat()},
                                         Narrow{"f8E3M4", APFloat::Float8E3M4()},
                                         Narrow{"f8E4M3", APFloat::Float8E4M3()},
                                         Narrow{"f8E4M3FN", APFloat::Float8E4M3FN()},
                                         Narrow{"f8E4M3FNUZ", APFloat::Float8E4M3FNUZ()},
                                         Narrow{"f8E4M3B11FNUZ", APFloat::Float8E4M3B11FNUZ()},
                                         Narrow{"f8E5M2", APFloat::Float8E5M2()},
                                         Narrow{"f8E5M2FNUZ", APFloat::Float8E5M2FNUZ()}),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
