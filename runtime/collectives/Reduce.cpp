// Reductions over all element types: traits per type, operations per kind, one chunked loop.
#include "runtime/collectives/Reduce.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "runtime/base/SmallFloat.h"
#include "tandem/Runtime/DType.h"

namespace tandem::runtime {
namespace {

using program::Reduction;

// How elements are stored, and in what they are combined.

// Integers of 8 bits and more, f64, complex numbers.
template <typename T> struct Plain {
  using Stored = T;
  using Value = T;
  static Value load(Stored x) { return x; }
  static Stored store(Value x) { return x; }
  static Value round(Value x) { return x; }
};

// 2 and 4 bits, one byte each, sign- or zero-extended.
template <typename T, int Bits> struct SubByte {
  using Stored = T;
  using Value = T;
  static Value load(Stored x) { return round(x); }
  static Stored store(Value x) { return x; }
  static Value round(Value x) {
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(static_cast<T>(static_cast<uint8_t>(x) << (8 - Bits)) >> (8 - Bits));
    else
      return static_cast<T>(x & ((1 << Bits) - 1));
  }
};

struct Bool {
  using Stored = uint8_t;
  using Value = bool;
  static Value load(Stored x) { return x != 0; }
  static Stored store(Value x) { return x; }
  static Value round(Value x) { return x; }
};

template <DType D>
float decode(std::conditional_t<D == DType::BF16 || D == DType::F16, uint16_t, uint8_t> bits) {
  if constexpr (D == DType::BF16)
    return bf16ToFloat(bits);
  else if constexpr (D == DType::F16)
    return f16ToFloat(bits);
  else
    return f8ToFloat(bits, float8Format(D));
}

template <DType D> auto encode(float value) {
  if constexpr (D == DType::BF16)
    return floatToBf16(value);
  else if constexpr (D == DType::F16)
    return floatToF16(value);
  else
    return floatToF8(value, float8Format(D));
}

// Accumulate: float, double, or void for the element type itself.
template <DType D, typename Accumulate> struct Small {
  using Stored = decltype(encode<D>(0.0f));
  using Value = std::conditional_t<std::is_void_v<Accumulate>, float, Accumulate>;
  static Value load(Stored x) { return decode<D>(x); }
  static Stored store(Value x) { return encode<D>(static_cast<float>(x)); }
  static Value round(Value x) {
    if constexpr (std::is_void_v<Accumulate>)
      return load(store(x));
    else
      return x;
  }
};

template <typename Accumulate> struct F32 {
  using Stored = float;
  using Value = Accumulate;
  static Value load(Stored x) { return x; }
  static Stored store(Value x) { return static_cast<float>(x); }
  static Value round(Value x) { return x; }
};

// Wraps without undefined behaviour; uint8 and uint16 promote to int, so widen first.
template <typename T> T wrappingAdd(T a, T b) {
  return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
template <typename T> T wrappingMul(T a, T b) {
  return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

template <Reduction R, typename T> T combine(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    if constexpr (R == Reduction::Add || R == Reduction::Max || R == Reduction::Or)
      return a || b;
    else if constexpr (R == Reduction::Xor)
      return a != b;
    else
      return a && b;
  } else if constexpr (R == Reduction::Add) {
    if constexpr (std::is_integral_v<T>)
      return wrappingAdd(a, b);
    else
      return a + b;
  } else if constexpr (R == Reduction::Mul) {
    if constexpr (std::is_integral_v<T>)
      return wrappingMul(a, b);
    else
      return a * b;
  } else if constexpr (R == Reduction::Min || R == Reduction::Max) {
    constexpr bool isMin = R == Reduction::Min;
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a) || std::isnan(b))
        return a + b;
      if (a == b)
        return std::signbit(a) == isMin ? a : b;
    }
    return (a < b) == isMin ? a : b;
  } else if constexpr (R == Reduction::And) {
    return static_cast<T>(a & b);
  } else if constexpr (R == Reduction::Or) {
    return static_cast<T>(a | b);
  } else {
    return static_cast<T>(a ^ b);
  }
}

constexpr int64_t kChunkElements = 1024;

template <typename Traits, Reduction R>
void reduceArrays(absl::Span<const std::byte *const> sources,
                  absl::Span<std::byte *const> destinations, int64_t elements) {
  using Stored = typename Traits::Stored;
  using Value = typename Traits::Value;
  Value sums[kChunkElements];
  for (int64_t begin = 0; begin < elements; begin += kChunkElements) {
    int64_t count = std::min(kChunkElements, elements - begin);
    size_t offset = static_cast<size_t>(begin) * sizeof(Stored);
    const Stored *first = reinterpret_cast<const Stored *>(sources[0] + offset);
    for (int64_t i = 0; i < count; ++i)
      sums[i] = Traits::load(first[i]);
    for (size_t s = 1; s < sources.size(); ++s) {
      const Stored *source = reinterpret_cast<const Stored *>(sources[s] + offset);
      for (int64_t i = 0; i < count; ++i)
        sums[i] = Traits::round(combine<R, Value>(sums[i], Traits::load(source[i])));
    }
    Stored *out = reinterpret_cast<Stored *>(destinations[0] + offset);
    for (int64_t i = 0; i < count; ++i)
      out[i] = Traits::store(sums[i]);
    for (size_t d = 1; d < destinations.size(); ++d)
      std::memcpy(destinations[d] + offset, out, static_cast<size_t>(count) * sizeof(Stored));
  }
}

template <typename Traits> ReduceFunction select(Reduction reduction) {
  using Value = typename Traits::Value;
  switch (reduction) {
  case Reduction::Add:
    return reduceArrays<Traits, Reduction::Add>;
  case Reduction::Mul:
    return reduceArrays<Traits, Reduction::Mul>;
  default:
    break;
  }
  if constexpr (std::is_arithmetic_v<Value>) {
    if (reduction == Reduction::Min)
      return reduceArrays<Traits, Reduction::Min>;
    if (reduction == Reduction::Max)
      return reduceArrays<Traits, Reduction::Max>;
  }
  if constexpr (std::is_integral_v<Value>) {
    if (reduction == Reduction::And)
      return reduceArrays<Traits, Reduction::And>;
    if (reduction == Reduction::Or)
      return reduceArrays<Traits, Reduction::Or>;
    if (reduction == Reduction::Xor)
      return reduceArrays<Traits, Reduction::Xor>;
  }
  return nullptr;
}

template <DType D> ReduceFunction selectSmall(Reduction reduction, DType accumulate) {
  if (accumulate == DType::F32)
    return select<Small<D, float>>(reduction);
  if (accumulate == DType::F64)
    return select<Small<D, double>>(reduction);
  return accumulate == D ? select<Small<D, void>>(reduction) : nullptr;
}

ReduceFunction find(Reduction reduction, DType dtype, DType accumulate) {
  switch (dtype) {
  case DType::I1:
    return select<Bool>(reduction);
  case DType::I2:
    return select<SubByte<int8_t, 2>>(reduction);
  case DType::I4:
    return select<SubByte<int8_t, 4>>(reduction);
  case DType::I8:
    return select<Plain<int8_t>>(reduction);
  case DType::I16:
    return select<Plain<int16_t>>(reduction);
  case DType::I32:
    return select<Plain<int32_t>>(reduction);
  case DType::I64:
    return select<Plain<int64_t>>(reduction);
  case DType::UI2:
    return select<SubByte<uint8_t, 2>>(reduction);
  case DType::UI4:
    return select<SubByte<uint8_t, 4>>(reduction);
  case DType::UI8:
    return select<Plain<uint8_t>>(reduction);
  case DType::UI16:
    return select<Plain<uint16_t>>(reduction);
  case DType::UI32:
    return select<Plain<uint32_t>>(reduction);
  case DType::UI64:
    return select<Plain<uint64_t>>(reduction);
  case DType::F8E3M4:
    return selectSmall<DType::F8E3M4>(reduction, accumulate);
  case DType::F8E4M3:
    return selectSmall<DType::F8E4M3>(reduction, accumulate);
  case DType::F8E4M3FN:
    return selectSmall<DType::F8E4M3FN>(reduction, accumulate);
  case DType::F8E4M3FNUZ:
    return selectSmall<DType::F8E4M3FNUZ>(reduction, accumulate);
  case DType::F8E4M3B11FNUZ:
    return selectSmall<DType::F8E4M3B11FNUZ>(reduction, accumulate);
  case DType::F8E5M2:
    return selectSmall<DType::F8E5M2>(reduction, accumulate);
  case DType::F8E5M2FNUZ:
    return selectSmall<DType::F8E5M2FNUZ>(reduction, accumulate);
  case DType::BF16:
    return selectSmall<DType::BF16>(reduction, accumulate);
  case DType::F16:
    return selectSmall<DType::F16>(reduction, accumulate);
  case DType::F32:
    if (accumulate == DType::F64)
      return select<F32<double>>(reduction);
    return accumulate == DType::F32 ? select<F32<float>>(reduction) : nullptr;
  case DType::F64:
    return accumulate == DType::F64 ? select<Plain<double>>(reduction) : nullptr;
  case DType::C64:
    return select<Plain<std::complex<float>>>(reduction);
  case DType::C128:
    return select<Plain<std::complex<double>>>(reduction);
  }
  return nullptr;
}

} // namespace

absl::StatusOr<ReduceFunction> findReduceFunction(Reduction reduction, DType dtype,
                                                  DType accumulate) {
  if (ReduceFunction function = find(reduction, dtype, accumulate))
    return function;
  return absl::UnimplementedError(absl::StrCat("reduction ", program::EnumNameReduction(reduction),
                                               " of ", dtypeName(dtype), " accumulated in ",
                                               dtypeName(accumulate)));
}

} // namespace tandem::runtime
