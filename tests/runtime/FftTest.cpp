// Transforms against the sum that defines them.
#include "runtime/cpu/Fft.h"

#include <numbers>
#include <random>

#include "tandem/Runtime/DType.h"
#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

using Wide = std::complex<long double>;

std::vector<Wide> transform(const std::vector<Wide> &x, bool inverse) {
  size_t n = x.size();
  std::vector<Wide> y(n), roots(n);
  for (size_t k = 0; k < n; ++k)
    roots[k] = std::polar(1.0L, (inverse ? 2 : -2) * std::numbers::pi_v<long double> *
                                    static_cast<long double>(k) / n);
  for (size_t k = 0; k < n; ++k) {
    long double re = 0, im = 0;
    for (size_t j = 0; j < n; ++j) {
      Wide root = roots[j * k % n];
      re += x[j].real() * root.real() - x[j].imag() * root.imag();
      im += x[j].real() * root.imag() + x[j].imag() * root.real();
    }
    y[k] = Wide(re, im) / (inverse ? static_cast<long double>(n) : 1);
  }
  return y;
}

template <typename T> void check(int64_t length, double tolerance) {
  SCOPED_TRACE(length);
  std::minstd_rand random(static_cast<unsigned>(length));
  std::uniform_real_distribution<T> uniform(-1, 1);
  FftPlan<T> plan(length);
  std::vector<std::complex<T>> scratch(static_cast<size_t>(plan.scratchSize()));
  for (bool inverse : {false, true}) {
    std::vector<std::complex<T>> line;
    for (int64_t i = 0; i < length; ++i)
      line.push_back({uniform(random), uniform(random)});
    std::vector<Wide> want = transform({line.begin(), line.end()}, inverse);
    plan.run(line.data(), scratch.data(), inverse);
    long double most = 0, worst = 0;
    for (size_t i = 0; i < line.size(); ++i) {
      most = std::max(most, std::abs(want[i]));
      worst = std::max(worst, std::abs(want[i] - Wide(line[i])));
    }
    EXPECT_LE(worst, most * tolerance);
  }
}

TEST(Fft, everyLength) {
  for (int64_t length = 1; length <= 140; ++length) {
    check<float>(length, 2e-6);
    check<double>(length, 4e-15);
  }
}

TEST(Fft, longLines) {
  for (int64_t length : {1000, 1009, 1024, 2 * 3 * 5 * 7 * 11, 61 * 61, 67 * 32}) {
    check<float>(length, 4e-6);
    check<double>(length, 8e-15);
  }
}

TEST(Fft, plansAreKept) {
  FftPlanCache cache;
  EXPECT_EQ(cache.get<float>(12), cache.get<float>(12));
  EXPECT_NE(cache.get<float>(12), cache.get<float>(13));
  EXPECT_EQ(cache.get<double>(12)->length(), 12);
}

// Through the call, as a program makes it.
class FftCall : public testing::Test {
protected:
  absl::Status call(const char *attributes, std::vector<int64_t> in, DType inType, void *from,
                    std::vector<int64_t> out, DType outType, void *to) {
    program::CustomCallT body;
    body.target = "tandem.fft";
    body.attributes = attributes;
    auto type = [](DType dtype, std::vector<int64_t> dims) {
      auto result = std::make_unique<program::TensorTypeT>();
      result->dtype = dtype;
      result->dims = std::move(dims);
      return result;
    };
    body.operands.resize(1);
    body.results.resize(1);
    body.operand_types.push_back(type(inType, in));
    body.result_types.push_back(type(outType, out));
    CustomCallRegistry registry;
    addFftCalls(registry, cache);
    absl::StatusOr<CustomCallPlan> plan = CustomCallPlan::create(body, registry);
    if (!plan.ok())
      return plan.status();
    void *buffers[] = {from, to};
    TandemArray scratch[2];
    return plan->run(buffers, 0, 1, scratch);
  }
  FftPlanCache cache;
};

TEST_F(FftCall, realThereAndBackOverTwoDimensions) {
  std::vector<float> x(2 * 3 * 5), back(x.size());
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>((i * 7) % 11);
  std::vector<std::complex<float>> half(2 * 3 * 3);
  EXPECT_OK(call(R"({"type": "RFFT", "length": [3, 5]})", {2, 3, 5}, DType::F32, x.data(),
                 {2, 3, 3}, DType::C64, half.data()));
  float sum = 0;
  for (size_t i = 0; i < 15; ++i)
    sum += x[15 + i];
  EXPECT_NEAR(half[9].real(), sum, 1e-4);
  EXPECT_OK(call(R"({"type": "IRFFT", "length": [3, 5]})", {2, 3, 3}, DType::C64, half.data(),
                 {2, 3, 5}, DType::F32, back.data()));
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(back[i], x[i], 1e-5);
}

TEST_F(FftCall, oddPartsThatARealTransformHasNotAreIgnored) {
  std::complex<double> half[] = {{4, 100}, {0, 0}, {2, 100}};
  double x[4];
  EXPECT_OK(
      call(R"({"type": "IRFFT", "length": [4]})", {3}, DType::C128, half, {4}, DType::F64, x));
  EXPECT_THAT(x, testing::ElementsAre(1.5, 0.5, 1.5, 0.5));
}

TEST_F(FftCall, badCallsAreNamed) {
  std::complex<float> x[8];
  auto fails = [&](const char *attributes, std::vector<int64_t> in, DType inType,
                   std::vector<int64_t> out, DType outType, const char *text) {
    EXPECT_THAT(call(attributes, in, inType, x, out, outType, x).message(),
                testing::HasSubstr(text));
  };
  fails(R"({"type": "FFT", "length": [4]})", {8}, DType::C64, {8}, DType::C64,
        "of the lengths given");
  fails(R"({"type": "FFT", "length": [8, 8]})", {8}, DType::C64, {8}, DType::C64, "1 to 3 lengths");
  fails(R"({"type": "FFT", "length": [4]})", {4}, DType::C64, {4}, DType::C128, "one precision");
  fails(R"({"type": "RFFT", "length": [4]})", {4}, DType::F32, {4}, DType::C64,
        "half the last length");
  fails(R"({"type": "DCT", "length": [4]})", {4}, DType::C64, {4}, DType::C64, "type to be FFT");
}

} // namespace
} // namespace tandem::runtime
