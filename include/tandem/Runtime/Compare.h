// Does a result equal its expected value? The rule of `tandem run --expect`.
//
// An array passes when max|got - want| <= R * (max|want| + 1e-6) + A over its finite elements
// and non-finite elements agree in place (NaN with NaN, infinities by sign). Complex numbers
// compare by the absolute value of the difference. Integers are compared exactly unless R or A
// is given. Arithmetic is in f64 (integers of 64 bits: exact differences).
#ifndef TANDEM_RUNTIME_COMPARE_H
#define TANDEM_RUNTIME_COMPARE_H

#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tandem/Runtime/HostArray.h"

namespace tandem::runtime {

struct Tolerance {
  double relative = 0; // R
  double absolute = 0; // A
};

// R by element type: f64 1e-9, f32 1e-4, f16 5e-3, bf16 3e-2, f8 0.25, integers 0.
Tolerance defaultTolerance(DType dtype);

struct Comparison {
  bool equal = false;
  double maxError = 0;        // largest |got - want|; infinite when non-finite values disagree
  double allowed = 0;         // the right-hand side of the rule
  std::vector<int64_t> worst; // index of the element with the largest error
  std::string got, want;      // that element's values
  std::string mismatch;       // set when types differ and nothing was compared

  // "max error 3.1e-05 at [2, 7]: got 1.00003, want 1 (allowed 2e-05)"
  std::string describe() const;
};

// `got` and `want` must have equal types (see adaptTo); otherwise not equal, with `mismatch`.
Comparison compareArrays(const HostArray &got, const HostArray &want, Tolerance tolerance);

// Element i of a dense array as a number (64-bit integers lose bits), and as text.
std::complex<double> elementValue(DType dtype, const std::byte *data, int64_t i);
std::string formatElement(DType dtype, const std::byte *data, int64_t i);

} // namespace tandem::runtime

#endif
