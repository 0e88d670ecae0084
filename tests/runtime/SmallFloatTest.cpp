// Conversions of bf16, f16 and 8-bit floats, against the compiler's and
// exhaustively.
#include "runtime/base/SmallFloat.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace tandem::runtime {
namespace {

bool sameFloat(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

TEST(SmallFloat, f16AgreesWithTheCompiler) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float want = static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits)));
    float got = f16ToFloat(static_cast<uint16_t>(bits));
    ASSERT_TRUE(sameFloat(got, want)) << bits;
    if (!std::isnan(want))
      ASSERT_EQ(floatToF16(want), bits);
  }
  std::mt19937 random(3);
  for (int i = 0; i < 1'000'000; ++i) {
    float value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (i % 2) // exponents near f16's range
      value = std::ldexp(static_cast<float>(random() % 100000) / 99999.0f,
                         static_cast<int>(random() % 48) - 28);
    uint16_t want = std::bit_cast<uint16_t>(static_cast<_Float16>(value));
    uint16_t got = floatToF16(value);
    if (std::isnan(value))
      ASSERT_TRUE(std::isnan(f16ToFloat(got)));
    else
      ASSERT_EQ(got, want) << value;
  }
}

TEST(SmallFloat, bf16RoundsToNearestEven) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = bf16ToFloat(static_cast<uint16_t>(bits));
    if (std::isnan(value))
      ASSERT_TRUE(std::isnan(bf16ToFloat(floatToBf16(value))));
    else
      ASSERT_EQ(floatToBf16(value), bits);
  }
  EXPECT_EQ(floatToBf16(std::bit_cast<float>(0x3F808000u)),
            0x3F80); // tie to even
  EXPECT_EQ(floatToBf16(std::bit_cast<float>(0x3F818000u)), 0x3F82);
  EXPECT_EQ(floatToBf16(std::bit_cast<float>(0x3F808001u)), 0x3F81);
  EXPECT_EQ(floatToBf16(std::bit_cast<float>(0x7F7FFFFFu)), 0x7F80); // overflow
  EXPECT_EQ(floatToBf16(std::bit_cast<float>(0x7F800001u)) & 0x7FC0,
            0x7FC0); // NaN stays NaN
}

class Float8 : public testing::TestWithParam<DType> {};

TEST_P(Float8, roundTripsAndRoundsToNearest) {
  Float8Format format = float8Format(GetParam());
  std::vector<std::pair<float, uint8_t>> values;
  for (int bits = 0; bits < 256; ++bits) {
    float value = f8ToFloat(static_cast<uint8_t>(bits), format);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(f8ToFloat(floatToF8(value, format), format)));
      continue;
    }
    EXPECT_EQ(floatToF8(value, format), bits) << bits;
    if (std::isfinite(value) && bits < 0x80)
      values.emplace_back(value, static_cast<uint8_t>(bits));
  }
  // Between neighbours: to the nearer one, from the middle to the even one.
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    auto [low, lowBits] = values[i];
    auto [high, highBits] = values[i + 1];
    ASSERT_LT(low, high);
    float middle = (low + high) / 2;
    EXPECT_EQ(floatToF8(middle, format), lowBits & 1 ? highBits : lowBits) << middle;
    EXPECT_EQ(floatToF8(std::nextafter(middle, 0.0f), format), lowBits);
    EXPECT_EQ(floatToF8(std::nextafter(middle, 1e9f), format), highBits);
  }
  float beyond = f8ToFloat(floatToF8(values.back().first * 4, format), format);
  EXPECT_TRUE(format.hasInfinity ? std::isinf(beyond) : std::isnan(beyond));
}

INSTANTIATE_TEST_SUITE_P(All, Float8,
                         testing::Values(DType::F8E3M4, DType::F8E4M3, DType::F8E4M3FN,
                                         DType::F8E4M3FNUZ, DType::F8E4M3B11FNUZ, DType::F8E5M2,
                                         DType::F8E5M2FNUZ),
                         [](const auto &info) { return std::string(dtypeName(info.param)); });

TEST(SmallFloat, nansAreQuietAndSignedWhereZerosAre) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  EXPECT_EQ(floatToF8(-inf, float8Format(DType::F8E4M3FN)), 0xFF);
  EXPECT_EQ(floatToF8(inf, float8Format(DType::F8E4M3FN)), 0x7F);
  EXPECT_EQ(floatToF8(-inf, float8Format(DType::F8E5M2FNUZ)), 0x80);
  EXPECT_EQ(floatToF8(nan, float8Format(DType::F8E5M2)), 0x7E);
  EXPECT_EQ(floatToF8(-nan, float8Format(DType::F8E3M4)), 0xF8);
  EXPECT_EQ(floatToF8(f8ToFloat(0xFE, float8Format(DType::F8E5M2)), float8Format(DType::F8E5M2)),
            0xFE);
}

TEST(SmallFloat, largestValuesOfTheFormats) {
  EXPECT_EQ(f8ToFloat(0x7E, float8Format(DType::F8E4M3FN)), 448);
  EXPECT_EQ(f8ToFloat(0x7B, float8Format(DType::F8E5M2)), 57344);
  EXPECT_EQ(f8ToFloat(0x7F, float8Format(DType::F8E4M3FNUZ)), 240);
  EXPECT_EQ(f8ToFloat(0x7F, float8Format(DType::F8E4M3B11FNUZ)), 30);
  EXPECT_EQ(f8ToFloat(0x77, float8Format(DType::F8E4M3)), 240);
  EXPECT_EQ(f8ToFloat(0x6F, float8Format(DType::F8E3M4)), 15.5);
}

} // namespace
} // namespace tandem::runtime
