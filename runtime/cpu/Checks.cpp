// check.expect_*: comparisons of two arrays, exact, by distance or in units in the last place.
#include "runtime/cpu/Checks.h"

#include <cmath>
#include <complex>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "tandem/Runtime/Compare.h"

namespace tandem::runtime {
namespace {

enum class Check { Equal, Close, AlmostEqual };

constexpr uint64_t kFarApart = ~uint64_t{0};

// The bits of one real float of `bytes` bytes.
uint64_t bitsAt(const std::byte *data, int64_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, static_cast<size_t>(bytes)); // little-endian
  return bits;
}

// How many values of the type lie between two floats given by sign and magnitude.
uint64_t ulpsBetween(double got, double want, uint64_t gotBits, uint64_t wantBits, int64_t bytes) {
  if (gotBits == wantBits || (std::isnan(got) && std::isnan(want)))
    return 0;
  if (!std::isfinite(got) || !std::isfinite(want))
    return kFarApart;
  const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
  const uint64_t a = gotBits & ~sign, b = wantBits & ~sign;
  if ((gotBits & sign) != (wantBits & sign))
    return a + b;
  return a > b ? a - b : b - a;
}

uint64_t ulpsAt(DType dtype, const std::byte *got, const std::byte *want, int64_t i) {
  const std::complex<double> a = elementValue(dtype, got, i), b = elementValue(dtype, want, i);
  const int64_t parts = isComplex(dtype) ? 2 : 1, bytes = dtypeBytes(dtype) / parts;
  auto of = [&](int64_t part, double x, double y) {
    const int64_t at = (i * parts + part) * bytes;
    return ulpsBetween(x, y, bitsAt(got + at, bytes), bitsAt(want + at, bytes), bytes);
  };
  const uint64_t real = of(0, a.real(), b.real());
  return parts == 1 ? real : std::max(real, of(1, a.imag(), b.imag()));
}

bool almostEqual(double got, double want, double tolerance) {
  return got == want || (std::isnan(got) && std::isnan(want)) ||
         (std::isfinite(got) && std::isfinite(want) && std::abs(got - want) <= tolerance);
}

// Index i of a row-major array as "[1, 2]".
std::string place(const TandemArray &array, int64_t i) {
  std::vector<int64_t> index(static_cast<size_t>(array.rank));
  for (size_t d = index.size(); d-- > 0; i /= array.dims[d])
    index[d] = i % array.dims[d];
  return absl::StrCat("[", absl::StrJoin(index, ", "), "]");
}

int report(const TandemCustomCallFrame &frame, int code, absl::string_view message) {
  const size_t length = std::min(message.size(), frame.message_size - 1);
  std::memcpy(frame.message, message.data(), length);
  frame.message[length] = '\0';
  return code;
}

template <Check check> int runCheck(const TandemCustomCallFrame *frame) {
  if (frame->num_operands != 2)
    return report(*frame, 1, absl::StrCat("expected two operands, found ", frame->num_operands));
  const TandemArray &gotArray = frame->operands[0], &wantArray = frame->operands[1];
  const DType dtype = static_cast<DType>(gotArray.dtype);
  const absl::Span<const int64_t> dims(gotArray.dims, static_cast<size_t>(gotArray.rank)),
      wantDims(wantArray.dims, static_cast<size_t>(wantArray.rank));
  if (gotArray.dtype != wantArray.dtype || dims != wantDims)
    return report(*frame, 1,
                  absl::StrCat("expected operands of one type, found ", describeType(dtype, dims),
                               " and ",
                               describeType(static_cast<DType>(wantArray.dtype), wantDims)));
  if (check == Check::Close && isInteger(dtype))
    return report(*frame, 1, absl::StrCat("expected floats, found ", describeType(dtype, dims)));

  const nlohmann::json attributes =
      nlohmann::json::parse(frame->attributes, nullptr, /*allow_exceptions=*/false);
  auto attribute = [&](const char *name, auto value) {
    auto found = attributes.is_object() ? attributes.find(name) : attributes.end();
    return found != attributes.end() && found->is_number() ? found->get<decltype(value)>() : value;
  };
  const uint64_t maxUlps = attribute("max_ulp_difference", uint64_t{3});
  const uint64_t minUlps = attribute("min_ulp_difference", uint64_t{0});
  const double tolerance = attribute("tolerance", 0.001);

  const auto *got = static_cast<const std::byte *>(gotArray.data);
  const auto *want = static_cast<const std::byte *>(wantArray.data);
  const int64_t bytes = dtypeBytes(dtype), count = elementCount(dims);
  auto holds = [&](int64_t i) {
    if (check == Check::Close) {
      const uint64_t ulps = ulpsAt(dtype, got, want, i);
      return ulps <= maxUlps && ulps >= minUlps;
    }
    if (std::memcmp(got + i * bytes, want + i * bytes, static_cast<size_t>(bytes)) == 0)
      return true;
    if (isInteger(dtype))
      return check == Check::AlmostEqual &&
             std::abs(elementValue(dtype, got, i) - elementValue(dtype, want, i)) <= tolerance;
    const std::complex<double> a = elementValue(dtype, got, i), b = elementValue(dtype, want, i);
    const double allowed = check == Check::Equal ? 0 : tolerance;
    return almostEqual(a.real(), b.real(), allowed) && almostEqual(a.imag(), b.imag(), allowed);
  };
  int64_t differing = 0, first = 0;
  for (int64_t i = 0; i < count; ++i)
    if (!holds(i) && differing++ == 0)
      first = i;
  if (differing == 0)
    return 0;
  std::string text = absl::StrCat(
      differing, " of ", count, " elements differ, the first at ", place(gotArray, first), ": got ",
      formatElement(dtype, got, first), ", want ", formatElement(dtype, want, first));
  if (check == Check::Close)
    absl::StrAppend(&text, ", ", ulpsAt(dtype, got, want, first), " units in the last place apart");
  return report(*frame, kCheckFailed, text);
}

} // namespace

void addChecks(CustomCallRegistry &registry) {
  registry.addBuiltin("check.eq", runCheck<Check::Equal>);
  registry.addBuiltin("check.expect_eq", runCheck<Check::Equal>);
  registry.addBuiltin("check.expect_close", runCheck<Check::Close>);
  registry.addBuiltin("check.expect_almost_eq", runCheck<Check::AlmostEqual>);
}

} // namespace tandem::runtime
