// The rule of --expect.
#include "tandem/Runtime/Compare.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "runtime/base/SmallFloat.h"

namespace tandem::runtime {

Tolerance defaultTolerance(DType dtype) {
  switch (dtype) {
  case DType::F64:
  case DType::C128:
    return {1e-9, 0};
  case DType::F32:
  case DType::C64:
    return {1e-4, 0};
  case DType::F16:
    return {5e-3, 0};
  case DType::BF16:
    return {3e-2, 0};
  default:
    return {isFloat(dtype) ? 0.25 : 0.0, 0};
  }
}

namespace {

template <typename T> T load(const std::byte *data, int64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

// One real number of an array of real or integer type; 64-bit integers lose bits here.
double realAt(DType dtype, const std::byte *data, int64_t i) {
  switch (dtype) {
  case DType::I1:
  case DType::UI2:
  case DType::UI4:
  case DType::UI8:
    return load<uint8_t>(data, i);
  case DType::I2:
  case DType::I4:
  case DType::I8:
    return load<int8_t>(data, i);
  case DType::I16:
    return load<int16_t>(data, i);
  case DType::I32:
    return load<int32_t>(data, i);
  case DType::I64:
    return static_cast<double>(load<int64_t>(data, i));
  case DType::UI16:
    return load<uint16_t>(data, i);
  case DType::UI32:
    return load<uint32_t>(data, i);
  case DType::UI64:
    return static_cast<double>(load<uint64_t>(data, i));
  case DType::BF16:
    return bf16ToFloat(load<uint16_t>(data, i));
  case DType::F16:
    return f16ToFloat(load<uint16_t>(data, i));
  case DType::F32:
    return load<float>(data, i);
  case DType::F64:
    return load<double>(data, i);
  default:
    return f8ToFloat(load<uint8_t>(data, i), float8Format(dtype));
  }
}

} // namespace

std::complex<double> elementValue(DType dtype, const std::byte *data, int64_t i) {
  if (dtype == DType::C64)
    return {load<float>(data, 2 * i), load<float>(data, 2 * i + 1)};
  if (dtype == DType::C128)
    return {load<double>(data, 2 * i), load<double>(data, 2 * i + 1)};
  return {realAt(dtype, data, i), 0};
}

std::string formatElement(DType dtype, const std::byte *data, int64_t i) {
  if (dtype == DType::I64)
    return absl::StrCat(load<int64_t>(data, i));
  if (dtype == DType::UI64)
    return absl::StrCat(load<uint64_t>(data, i));
  std::complex<double> value = elementValue(dtype, data, i);
  int digits = dtype == DType::F64 || dtype == DType::C128 ? 17 : 9;
  if (isComplex(dtype))
    return absl::StrFormat("(%.*g, %.*g)", digits, value.real(), digits, value.imag());
  return absl::StrFormat("%.*g", digits, value.real());
}

namespace {

bool nonFiniteAgree(double got, double want) {
  return (std::isnan(got) && std::isnan(want)) || got == want ||
         (std::isfinite(got) && std::isfinite(want));
}

// |got - want|: infinite where one is not finite and they do not agree.
double errorAt(DType dtype, const std::byte *got, const std::byte *want, int64_t i) {
  if (dtype == DType::I64 || dtype == DType::UI64) {
    uint64_t a = load<uint64_t>(got, i), b = load<uint64_t>(want, i);
    bool less = dtype == DType::I64 ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
    return static_cast<double>(less ? b - a : a - b);
  }
  std::complex<double> a = elementValue(dtype, got, i), b = elementValue(dtype, want, i);
  if (!nonFiniteAgree(a.real(), b.real()) || !nonFiniteAgree(a.imag(), b.imag()))
    return std::numeric_limits<double>::infinity();
  double real = std::isfinite(b.real()) ? a.real() - b.real() : 0;
  double imag = std::isfinite(b.imag()) ? a.imag() - b.imag() : 0;
  return std::hypot(real, imag);
}

} // namespace

Comparison compareArrays(const HostArray &got, const HostArray &want, Tolerance tolerance) {
  Comparison result;
  if (got.dtype != want.dtype || got.dims != want.dims) {
    result.mismatch = absl::StrCat("found ", got.type(), ", expected ", want.type());
    result.maxError = std::numeric_limits<double>::infinity();
    return result;
  }
  double largest = 0, worst = 0;
  int64_t worstIndex = 0;
  int64_t count = got.size();
  for (int64_t i = 0; i < count; ++i) {
    double magnitude = std::abs(elementValue(want.dtype, want.bytes.data(), i));
    if (std::isfinite(magnitude))
      largest = std::max(largest, magnitude);
    double error = errorAt(got.dtype, got.bytes.data(), want.bytes.data(), i);
    if (error > worst) {
      worst = error;
      worstIndex = i;
    }
  }
  result.maxError = worst;
  result.allowed = tolerance.relative * (largest + 1e-6) + tolerance.absolute;
  result.equal = worst <= result.allowed;
  if (count == 0)
    return result;
  result.got = formatElement(got.dtype, got.bytes.data(), worstIndex);
  result.want = formatElement(want.dtype, want.bytes.data(), worstIndex);
  result.worst.resize(got.dims.size());
  for (size_t d = got.dims.size(); d-- > 0;) {
    result.worst[d] = worstIndex % got.dims[d];
    worstIndex /= got.dims[d];
  }
  return result;
}

std::string Comparison::describe() const {
  if (!mismatch.empty())
    return mismatch;
  if (got.empty())
    return "empty";
  return absl::StrFormat("max error %.3g at [%s]: got %s, want %s (allowed %.3g)", maxError,
                         absl::StrJoin(worst, ", "), got, want, allowed);
}

} // namespace tandem::runtime
