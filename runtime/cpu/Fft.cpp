// Mixed-radix and Bluestein transforms; stablehlo.fft over up to three dimensions.
#include "runtime/cpu/Fft.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "absl/strings/str_cat.h"
#include "runtime/cpu/LibraryCall.h"

namespace tandem::runtime {
namespace {

constexpr int64_t kMaxPrime = 61;

// exp(-2 pi i numerator / denominator), of an angle of at most an eighth of a turn.
template <typename T> std::complex<T> rootOf(int64_t numerator, int64_t denominator) {
  using Wide = std::conditional_t<std::is_same_v<T, double>, long double, double>;
  numerator %= denominator;
  // In eighths of a turn: the octant, and the angle within.
  int64_t octant = 8 * numerator / denominator;
  int64_t rest = 8 * numerator - octant * denominator;
  bool isMirrored = octant % 2 == 1;
  if (isMirrored)
    rest = denominator - rest;
  Wide angle = std::numbers::pi_v<Wide> * Wide(rest) / (4 * Wide(denominator));
  Wide x = std::cos(angle), y = std::sin(angle);
  if (isMirrored)
    std::swap(x, y);
  for (int64_t quarter = octant / 2; quarter > 0; --quarter)
    x = std::exchange(y, x) * -1;
  return {T(x), T(-y)};
}

// Without the rules for infinities, which cost a call.
template <typename T> std::complex<T> times(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <typename T> std::complex<T> timesMinusI(std::complex<T> a) {
  return {a.imag(), -a.real()};
}

// One pass: sub-transforms of `length` = radix * m elements, `stride` of them side by side.
//   to[q + stride * (radix * p + j)] =
//       exp(-2 pi i p j / length) sum over k of from[q + stride * (p + m * k)] root(radix)^(j k)
template <typename T> struct Pass {
  using C = std::complex<T>;
  const C *from;
  C *to;
  const C *roots; // of the whole transform, length * stride of them
  int64_t length, stride;

  template <int64_t radix, typename Butterfly> void each(Butterfly butterfly) const {
    int64_t m = length / radix;
    for (int64_t p = 0; p < m; ++p) {
      C twiddle[radix];
      for (int64_t j = 1; j < radix; ++j)
        twiddle[j] = roots[p * j * stride];
      const C *in = from + stride * p;
      C *out = to + stride * radix * p;
      for (int64_t q = 0; q < stride; ++q) {
        C x[radix], y[radix];
        for (int64_t k = 0; k < radix; ++k)
          x[k] = in[q + stride * m * k];
        butterfly(x, y);
        out[q] = y[0];
        for (int64_t j = 1; j < radix; ++j)
          out[q + stride * j] = times(y[j], twiddle[j]);
      }
    }
  }

  void any(int64_t radix) const {
    int64_t m = length / radix, turn = length * stride / radix;
    C x[kMaxPrime];
    for (int64_t p = 0; p < m; ++p)
      for (int64_t q = 0; q < stride; ++q) {
        for (int64_t k = 0; k < radix; ++k)
          x[k] = from[q + stride * (p + m * k)];
        for (int64_t j = 0; j < radix; ++j) {
          C sum = x[0];
          for (int64_t k = 1; k < radix; ++k)
            sum += times(x[k], roots[turn * (j * k % radix)]);
          to[q + stride * (radix * p + j)] = times(sum, roots[p * j * stride]);
        }
      }
  }

  void run(int64_t radix) const {
    switch (radix) {
    case 2:
      return each<2>([](const C *x, C *y) {
        y[0] = x[0] + x[1];
        y[1] = x[0] - x[1];
      });
    case 3:
      return each<3>([](const C *x, C *y) {
        constexpr T sine = std::numbers::sqrt3_v<T> / 2;
        C sum = x[1] + x[2], turned = timesMinusI(x[1] - x[2]) * sine, middle = x[0] - sum * T(0.5);
        y[0] = x[0] + sum;
        y[1] = middle + turned;
        y[2] = middle - turned;
      });
    case 4:
      return each<4>([](const C *x, C *y) {
        C even = x[0] + x[2], evenDiff = x[0] - x[2];
        C odd = x[1] + x[3], oddDiff = timesMinusI(x[1] - x[3]);
        y[0] = even + odd;
        y[1] = evenDiff + oddDiff;
        y[2] = even - odd;
        y[3] = evenDiff - oddDiff;
      });
    case 5:
      return each<5>([](const C *x, C *y) {
        constexpr T cos1 = T(0.309016994374947424102293417182819L),
                    cos2 = T(-0.809016994374947424102293417182819L),
                    sin1 = T(0.951056516295153572116439333379382L),
                    sin2 = T(0.587785252292473129168705954639073L);
        C sum1 = x[1] + x[4], sum2 = x[2] + x[3];
        C diff1 = timesMinusI(x[1] - x[4]), diff2 = timesMinusI(x[2] - x[3]);
        C real1 = x[0] + sum1 * cos1 + sum2 * cos2, real2 = x[0] + sum1 * cos2 + sum2 * cos1;
        C turn1 = diff1 * sin1 + diff2 * sin2, turn2 = diff1 * sin2 - diff2 * sin1;
        y[0] = x[0] + sum1 + sum2;
        y[1] = real1 + turn1;
        y[2] = real2 + turn2;
        y[3] = real2 - turn2;
        y[4] = real1 - turn1;
      });
    default:
      return any(radix);
    }
  }
};

} // namespace

template <typename T> FftPlan<T>::FftPlan(int64_t length) : size(length) {
  int64_t rest = std::max<int64_t>(size, 1);
  for (int64_t factor : {4, 2, 3, 5})
    for (; rest % factor == 0; rest /= factor)
      factors.push_back(factor);
  for (int64_t factor = 7; rest > 1 && factor <= kMaxPrime; factor += 2)
    for (; rest % factor == 0; rest /= factor)
      factors.push_back(factor);
  if (rest == 1) {
    for (int64_t k = 0; k < size; ++k)
      roots.push_back(rootOf<T>(k, size));
    return;
  }
  factors.clear();
  // x[k] exp(-pi i k^2 / size), convolved with exp(+pi i k^2 / size) and multiplied again.
  chirp = std::make_unique<std::vector<Complex>>();
  int64_t square = 0; // k^2 modulo 2 * size
  for (int64_t k = 0; k < size; ++k) {
    chirp->push_back(rootOf<T>(square, 2 * size));
    square = (square + 2 * k + 1) % (2 * size);
  }
  int64_t padded = 1;
  while (padded < 2 * size - 1)
    padded *= 2;
  inner = std::make_unique<FftPlan>(padded);
  kernel.resize(static_cast<size_t>(padded));
  for (int64_t k = 0; k < size; ++k)
    kernel[k] = kernel[k == 0 ? 0 : padded - k] = std::conj((*chirp)[k]);
  std::vector<Complex> scratch(static_cast<size_t>(inner->scratchSize()));
  inner->forward(kernel.data(), scratch.data());
}

template <typename T> void FftPlan<T>::run(Complex *line, Complex *scratch, bool inverse) const {
  auto conjugate = [&](T scale) {
    for (int64_t i = 0; i < size; ++i)
      line[i] = {line[i].real() * scale, -line[i].imag() * scale};
  };
  if (inverse)
    conjugate(1);
  forward(line, scratch);
  if (inverse)
    conjugate(T(1) / T(size));
}

template <typename T> void FftPlan<T>::forward(Complex *line, Complex *scratch) const {
  if (chirp)
    return convolve(line, scratch);
  Complex *from = line, *to = scratch;
  int64_t length = size, stride = 1;
  for (int64_t radix : factors) {
    Pass<T>{from, to, roots.data(), length, stride}.run(radix);
    std::swap(from, to);
    length /= radix;
    stride *= radix;
  }
  if (from != line)
    std::copy_n(from, size, line);
}

template <typename T> void FftPlan<T>::convolve(Complex *line, Complex *scratch) const {
  int64_t padded = inner->length();
  Complex *work = scratch, *rest = scratch + padded;
  for (int64_t k = 0; k < size; ++k)
    work[k] = times(line[k], (*chirp)[k]);
  std::fill(work + size, work + padded, Complex());
  inner->forward(work, rest);
  for (int64_t k = 0; k < padded; ++k)
    work[k] = times(work[k], kernel[k]);
  inner->run(work, rest, /*inverse=*/true);
  for (int64_t k = 0; k < size; ++k)
    line[k] = times(work[k], (*chirp)[k]);
}

template class FftPlan<float>;
template class FftPlan<double>;

template <typename T> std::shared_ptr<const FftPlan<T>> FftPlanCache::get(int64_t length) {
  std::lock_guard lock(mutex);
  std::shared_ptr<const FftPlan<T>> &plan = std::get<Plans<T>>(plans)[length];
  if (!plan)
    plan = std::make_shared<FftPlan<T>>(length);
  return plan;
}

template std::shared_ptr<const FftPlan<float>> FftPlanCache::get(int64_t);
template std::shared_ptr<const FftPlan<double>> FftPlanCache::get(int64_t);

namespace {

// Transforms lines of `data` along a dimension in whose stride `inner` elements lie.
template <typename T>
void transformLines(const FftPlan<T> &plan, std::complex<T> *data, int64_t outer, int64_t inner,
                    bool inverse) {
  int64_t size = plan.length();
  std::vector<std::complex<T>> line(static_cast<size_t>(size)),
      scratch(static_cast<size_t>(plan.scratchSize()));
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) {
      std::complex<T> *first = data + o * size * inner + i;
      if (inner == 1) {
        plan.run(first, scratch.data(), inverse);
        continue;
      }
      for (int64_t k = 0; k < size; ++k)
        line[k] = first[k * inner];
      plan.run(line.data(), scratch.data(), inverse);
      for (int64_t k = 0; k < size; ++k)
        first[k * inner] = line[k];
    }
}

// The `count` dimensions before the last `skipped`.
template <typename T>
void transformDims(FftPlanCache &plans, std::complex<T> *data, absl::Span<const int64_t> dims,
                   size_t count, size_t skipped, bool inverse) {
  for (size_t d = dims.size() - skipped; count-- > 0;) {
    --d;
    transformLines(*plans.get<T>(dims[d]), data, elementCount(dims.first(d)),
                   elementCount(dims.subspan(d + 1)), inverse);
  }
}

template <typename T>
void realToComplex(const FftPlan<T> &plan, const T *from, std::complex<T> *to, int64_t rows) {
  int64_t size = plan.length();
  std::vector<std::complex<T>> line(static_cast<size_t>(size)),
      scratch(static_cast<size_t>(plan.scratchSize()));
  for (int64_t row = 0; row < rows; ++row) {
    std::copy_n(from + row * size, size, line.data());
    plan.run(line.data(), scratch.data(), /*inverse=*/false);
    std::copy_n(line.data(), size / 2 + 1, to + row * (size / 2 + 1));
  }
}

// The other half of a line is the conjugate of the given one.
template <typename T>
void complexToReal(const FftPlan<T> &plan, const std::complex<T> *from, T *to, int64_t rows) {
  int64_t size = plan.length();
  std::vector<std::complex<T>> line(static_cast<size_t>(size)),
      scratch(static_cast<size_t>(plan.scratchSize()));
  for (int64_t row = 0; row < rows; ++row) {
    const std::complex<T> *half = from + row * (size / 2 + 1);
    line[0] = half[0].real();
    for (int64_t k = 1; k < size; ++k)
      line[k] = k <= size / 2 ? half[k] : std::conj(half[size - k]);
    if (size % 2 == 0)
      line[size / 2] = half[size / 2].real();
    plan.run(line.data(), scratch.data(), /*inverse=*/true);
    for (int64_t k = 0; k < size; ++k)
      to[row * size + k] = line[k].real();
  }
}

template <typename T> absl::Status fft(LibraryCall &call) {
  using Complex = std::complex<T>;
  call.expectArrays(1, 1);
  std::string type = call.text("type");
  std::vector<int64_t> length = call.integers("length");
  const TandemArray *operand = call.operandArray(0), *result = call.resultArray(0);
  if (!call.status().ok())
    return call.status();
  auto dimsOf = [](const TandemArray &array) {
    return absl::Span<const int64_t>(array.dims, static_cast<size_t>(array.rank));
  };
  bool toComplex = type == "RFFT", toReal = type == "IRFFT", inverse = type == "IFFT" || toReal;
  call.require(toComplex || inverse || type == "FFT", "type to be FFT, IFFT, RFFT or IRFFT");
  absl::Span<const int64_t> in = dimsOf(*operand), out = dimsOf(*result);
  size_t count = length.size();
  bool hasDims = count >= 1 && count <= 3 && in.size() >= count && in.size() == out.size();
  call.require(hasDims, "1 to 3 lengths, of dimensions that the arrays have");
  if (!call.status().ok())
    return call.status();
  absl::Span<const int64_t> whole = toReal ? out : in, halved = toComplex ? out : in;
  call.require(whole.last(count) == absl::MakeSpan(length) &&
                   in.first(in.size() - 1) == out.first(out.size() - 1),
               "arrays of the lengths given");
  call.require(
      halved.back() ==
          (toComplex || toReal ? (length.back() == 0 ? 0 : length.back() / 2 + 1) : length.back()),
      "half the last length and one more on the complex side of a real transform");
  call.require(
      operand->dtype == static_cast<int32_t>(toComplex ? dtypeOf<T>() : dtypeOf<Complex>()) &&
          result->dtype == static_cast<int32_t>(toReal ? dtypeOf<T>() : dtypeOf<Complex>()),
      "one precision on both sides");
  if (!call.status().ok() || elementCount(out) == 0)
    return call.status();

  auto &plans = *static_cast<FftPlanCache *>(call.userData());
  int64_t rows = elementCount(in.first(in.size() - 1));
  if (toComplex) {
    auto *to = static_cast<Complex *>(result->data);
    realToComplex(*plans.get<T>(length.back()), static_cast<const T *>(operand->data), to, rows);
    transformDims(plans, to, out, count - 1, 1, /*inverse=*/false);
  } else if (toReal) {
    auto *from = static_cast<const Complex *>(operand->data);
    std::vector<Complex> work(from, from + elementCount(in));
    transformDims(plans, work.data(), in, count - 1, 1, /*inverse=*/true);
    complexToReal(*plans.get<T>(length.back()), work.data(), static_cast<T *>(result->data), rows);
  } else {
    auto *to = static_cast<Complex *>(result->data);
    std::copy_n(static_cast<const Complex *>(operand->data), elementCount(in), to);
    transformDims(plans, to, out, count, 0, inverse);
  }
  return call.status();
}

absl::Status fftByType(LibraryCall &call) {
  const TandemArray *operand = call.operandArray(0);
  bool isDouble = operand && (operand->dtype == static_cast<int32_t>(DType::F64) ||
                              operand->dtype == static_cast<int32_t>(DType::C128));
  return isDouble ? fft<double>(call) : fft<float>(call);
}

} // namespace

void addFftCalls(CustomCallRegistry &registry, FftPlanCache &cache) {
  registry.addBuiltin("tandem.fft", runLibraryCall<fftByType>, &cache);
}

} // namespace tandem::runtime
