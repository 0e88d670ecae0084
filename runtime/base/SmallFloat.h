// Conversions of the element types that C++ lacks: bf16, f16 and the 8-bit floats.
//
// Decoding is exact; encoding rounds to nearest, ties to even, subnormals included. Overflow
// gives an infinity where the format has one, else a NaN.
#ifndef TANDEM_RUNTIME_BASE_SMALLFLOAT_H
#define TANDEM_RUNTIME_BASE_SMALLFLOAT_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tandem/Runtime/DType.h"

namespace tandem::runtime {

inline float bf16ToFloat(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

inline uint16_t floatToBf16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t rounded = bits + 0x7FFF + ((bits >> 16) & 1);
  uint32_t quietNan = (bits >> 16) | 0x40;
  return static_cast<uint16_t>((bits & 0x7FFFFFFF) > 0x7F800000 ? quietNan : rounded >> 16);
}

inline float f16ToFloat(uint16_t bits) {
  // Scaling by 2^112 moves the exponent's bias; subnormals become normal by the multiplication.
  uint32_t magnitude = (bits & 0x7FFFu) << 13;
  float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  uint32_t result =
      (bits & 0x7C00u) == 0x7C00u ? magnitude | 0x7F800000u : std::bit_cast<uint32_t>(scaled);
  return std::bit_cast<float>(result | (uint32_t{bits} & 0x8000u) << 16);
}

inline uint16_t floatToF16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = (bits >> 16) & 0x8000u;
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u)
    return static_cast<uint16_t>(sign | 0x7E00u | (magnitude >> 13 & 0x3FFu));
  if (magnitude >= 0x477FF000u) // rounds to 65536 or more
    return static_cast<uint16_t>(sign | 0x7C00u);
  if (magnitude < 0x38800000u) {
    // Subnormal: adding 0.5 leaves the rounded value in the low bits.
    float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3F000000u));
  }
  uint32_t rounded = magnitude - 0x38000000u + 0xFFFu + ((magnitude >> 13) & 1);
  return static_cast<uint16_t>(sign | rounded >> 13);
}

// What distinguishes the 8-bit formats.
struct Float8Format {
  int mantissaBits;
  int bias;
  bool hasInfinity;    // exponent all ones: infinity and NaNs, as IEEE
  bool nanIsMinusZero; // 0x80 is the only NaN and there is no -0; else all ones is NaN
};

constexpr Float8Format float8Format(DType dtype) {
  switch (dtype) {
  case DType::F8E3M4:
    return {4, 3, true, false};
  case DType::F8E4M3:
    return {3, 7, true, false};
  case DType::F8E4M3FN:
    return {3, 7, false, false};
  case DType::F8E4M3FNUZ:
    return {3, 8, false, true};
  case DType::F8E4M3B11FNUZ:
    return {3, 11, false, true};
  case DType::F8E5M2:
    return {2, 15, true, false};
  default: // F8E5M2FNUZ
    return {2, 16, false, true};
  }
}

inline float f8ToFloat(uint8_t bits, Float8Format format) {
  int magnitude = bits & 0x7F;
  int mantissaMask = (1 << format.mantissaBits) - 1;
  int exponent = magnitude >> format.mantissaBits;
  int mantissa = magnitude & mantissaMask;
  float sign = bits & 0x80 ? -1.0f : 1.0f;
  int maxExponent = 0x7F >> format.mantissaBits;
  if (format.nanIsMinusZero
          ? bits == 0x80
          : (format.hasInfinity ? exponent == maxExponent && mantissa != 0 : magnitude == 0x7F))
    return std::copysign(std::numeric_limits<float>::quiet_NaN(), sign);
  if (format.hasInfinity && exponent == maxExponent)
    return sign * std::numeric_limits<float>::infinity();
  if (exponent == 0)
    return sign * std::ldexp(static_cast<float>(mantissa), 1 - format.bias - format.mantissaBits);
  return sign * std::ldexp(static_cast<float>(mantissa | (mantissaMask + 1)),
                           exponent - format.bias - format.mantissaBits);
}

inline uint8_t floatToF8(float value, Float8Format format) {
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  int maxExponent = 0x7F >> format.mantissaBits;
  // The quiet NaN, or the only one.
  int quiet = format.hasInfinity
                  ? maxExponent << format.mantissaBits | 1 << (format.mantissaBits - 1)
                  : 0x7F;
  uint8_t nan = format.nanIsMinusZero ? 0x80 : static_cast<uint8_t>(sign | quiet);
  uint8_t infinity =
      format.hasInfinity ? static_cast<uint8_t>(sign | maxExponent << format.mantissaBits) : nan;
  if (std::isnan(value))
    return nan;
  if (std::isinf(value))
    return infinity;
  int exponent = 0;
  std::frexp(value, &exponent); // |value| in [2^(exponent-1), 2^exponent)
  // In units of the last place of the result: an integer once rounded.
  int unit = std::max(exponent - 1, 1 - format.bias) - format.mantissaBits;
  int rounded = static_cast<int>(std::nearbyint(std::ldexp(std::fabs(value), -unit)));
  // The encoding is linear in `rounded` from the subnormals on; a carry moves to the next binade.
  int magnitude = rounded + ((unit + format.mantissaBits + format.bias - 1) << format.mantissaBits);
  if (rounded == 0)
    return format.nanIsMinusZero ? 0 : sign;
  int largest = format.hasInfinity      ? (maxExponent << format.mantissaBits) - 1
                : format.nanIsMinusZero ? 0x7F
                                        : 0x7E;
  return magnitude > largest ? infinity : static_cast<uint8_t>(sign | magnitude);
}

} // namespace tandem::runtime

#endif
