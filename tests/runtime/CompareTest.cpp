// The rule of --expect.
#include "tandem/Runtime/Compare.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tandem::runtime {
namespace {

template <typename T>
HostArray make(DType dtype, std::vector<int64_t> dims, std::vector<T> values) {
  HostArray array = HostArray::zeros(dtype, std::move(dims));
  std::copy(values.begin(), values.end(), array.as<T>().begin());
  return array;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Compare, theErrorIsRelativeToTheLargestWantedValue) {
  HostArray want = make<float>(DType::F32, {2, 2}, {100, 0, 1, 2});
  HostArray got = make<float>(DType::F32, {2, 2}, {100, 0.5, 1, 2});
  Comparison close = compareArrays(got, want, {0.0051, 0});
  EXPECT_TRUE(close.equal);
  Comparison far = compareArrays(got, want, {0.0049, 0});
  EXPECT_FALSE(far.equal);
  EXPECT_DOUBLE_EQ(far.maxError, 0.5);
  EXPECT_THAT(far.worst, testing::ElementsAre(0, 1));
  EXPECT_EQ(far.describe(), "max error 0.5 at [0, 1]: got 0.5, want 0 (allowed 0.49)");
  EXPECT_TRUE(compareArrays(got, want, {0, 0.5}).equal);
}

TEST(Compare, allZeroExpectationsHaveAFloor) {
  HostArray want = make<float>(DType::F32, {1}, {0});
  EXPECT_TRUE(compareArrays(make<float>(DType::F32, {1}, {9e-11f}), want, {1e-4, 0}).equal);
  EXPECT_FALSE(compareArrays(make<float>(DType::F32, {1}, {2e-10f}), want, {1e-4, 0}).equal);
}

TEST(Compare, nonFiniteValuesAgreeInPlace) {
  HostArray want = make<float>(DType::F32, {4}, {kNan, kInf, -kInf, 1});
  EXPECT_TRUE(compareArrays(want, want, {0, 0}).equal);
  for (std::vector<float> values : {std::vector<float>{1, kInf, -kInf, 1},
                                    {kNan, -kInf, -kInf, 1},
                                    {kNan, kInf, -kInf, kNan},
                                    {kNan, 3e38f, -kInf, 1}}) {
    Comparison result = compareArrays(make<float>(DType::F32, {4}, values), want, {1e9, 1e9});
    EXPECT_FALSE(result.equal);
    EXPECT_TRUE(std::isinf(result.maxError));
  }
  // Infinities do not widen the tolerance.
  EXPECT_FALSE(
      compareArrays(make<float>(DType::F32, {4}, {kNan, kInf, -kInf, 2}), want, {0.1, 0}).equal);
}

TEST(Compare, integersAreExact) {
  HostArray want = make<int64_t>(DType::I64, {2}, {INT64_MAX, INT64_MIN});
  HostArray got = make<int64_t>(DType::I64, {2}, {INT64_MAX - 1, INT64_MIN});
  Comparison result = compareArrays(got, want, defaultTolerance(DType::I64));
  EXPECT_FALSE(result.equal);
  EXPECT_EQ(result.maxError, 1);
  EXPECT_EQ(result.got, "9223372036854775806");
  EXPECT_TRUE(compareArrays(want, want, defaultTolerance(DType::I64)).equal);
  HostArray big = make<uint64_t>(DType::UI64, {1}, {UINT64_MAX});
  EXPECT_FALSE(compareArrays(make<uint64_t>(DType::UI64, {1}, {0}), big, {0, 0}).equal);
}

TEST(Compare, smallFloatsAndComplexNumbers) {
  HostArray want = make<uint16_t>(DType::BF16, {1}, {0x3F80}); // 1
  HostArray got = make<uint16_t>(DType::BF16, {1}, {0x3F81});  // 1 + 2^-7
  EXPECT_TRUE(compareArrays(got, want, defaultTolerance(DType::BF16)).equal);
  EXPECT_DOUBLE_EQ(compareArrays(got, want, {0, 0}).maxError, 0x1p-7);
  HostArray a = make<float>(DType::C64, {1}, {3, 4}), b = make<float>(DType::C64, {1}, {0, 0});
  EXPECT_DOUBLE_EQ(compareArrays(a, b, {0, 0}).maxError, 5);
}

TEST(Compare, typesMustBeEqual) {
  Comparison result =
      compareArrays(HostArray::zeros(DType::F32, {2}), HostArray::zeros(DType::F32, {3}), {1, 1});
  EXPECT_FALSE(result.equal);
  EXPECT_EQ(result.describe(), "found f32[2], expected f32[3]");
  EXPECT_TRUE(
      compareArrays(HostArray::zeros(DType::F32, {0}), HostArray::zeros(DType::F32, {0}), {0, 0})
          .equal);
}

} // namespace
} // namespace tandem::runtime
