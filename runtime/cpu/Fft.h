// Fourier transforms of any length.
//
// A length is factored into 4, 2, 3, 5 and other primes: one pass for each (Stockham's ordering,
// which needs no bit reversal). With a prime factor above 61 the transform becomes a convolution of
// a power of two (Bluestein). Twiddles are formed in double, or long double for double.
//
//   FftPlan<float> plan(12);
//   std::vector<std::complex<float>> line = ..., scratch(plan.scratchSize());
//   plan.run(line.data(), scratch.data(), /*inverse=*/false);   // inverse: divides by 12
//
// As a custom call, `tandem.fft` is stablehlo.fft: attributes "type" (FFT, IFFT, RFFT, IRFFT) and
// "length" (of the last dimensions); row-major arrays of f32, f64, complex<f32>, complex<f64>.
#ifndef TANDEM_RUNTIME_CPU_FFT_H
#define TANDEM_RUNTIME_CPU_FFT_H

#include <complex>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "runtime/cpu/CustomCalls.h"

namespace tandem::runtime {

// Immutable: safe to use from any thread.
template <typename T> class FftPlan {
public:
  using Complex = std::complex<T>;

  explicit FftPlan(int64_t length);
  int64_t length() const { return size; }
  // Elements that run() needs besides.
  int64_t scratchSize() const { return chirp ? 2 * inner->length() + inner->scratchSize() : size; }
  // In place. O(length log length).
  void run(Complex *line, Complex *scratch, bool inverse) const;

private:
  void forward(Complex *line, Complex *scratch) const;
  void convolve(Complex *line, Complex *scratch) const;

  int64_t size;
  std::vector<int64_t> factors;
  std::vector<Complex> roots; // exp(-2 pi i k / size)
  // Bluestein: exp(-pi i k^2 / size), and the transform of what is convolved with.
  std::unique_ptr<std::vector<Complex>> chirp;
  std::vector<Complex> kernel;
  std::unique_ptr<FftPlan> inner;
};

extern template class FftPlan<float>;
extern template class FftPlan<double>;

// Plans made so far, by length: a step makes none that an earlier one has made. Safe to use from
// any thread.
class FftPlanCache {
public:
  template <typename T> std::shared_ptr<const FftPlan<T>> get(int64_t length);

private:
  template <typename T> using Plans = std::map<int64_t, std::shared_ptr<const FftPlan<T>>>;
  std::mutex mutex;
  std::tuple<Plans<float>, Plans<double>> plans;
};

// `cache` must outlive the registry's use.
void addFftCalls(CustomCallRegistry &registry, FftPlanCache &cache);

} // namespace tandem::runtime

#endif
