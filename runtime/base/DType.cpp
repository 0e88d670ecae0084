// Sizes and names of element types.
#include "tandem/Runtime/DType.h"

#include <array>
#include <cassert>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tandem::runtime {
namespace {

struct Row {
  DType dtype;
  absl::string_view name;
  int bytes;
};

// In the order of the enum.
constexpr std::array<Row, kNumDTypes> kRows = {{
    {DType::I1, "i1", 1},
    {DType::I2, "i2", 1},
    {DType::I4, "i4", 1},
    {DType::I8, "i8", 1},
    {DType::I16, "i16", 2},
    {DType::I32, "i32", 4},
    {DType::I64, "i64", 8},
    {DType::UI2, "ui2", 1},
    {DType::UI4, "ui4", 1},
    {DType::UI8, "ui8", 1},
    {DType::UI16, "ui16", 2},
    {DType::UI32, "ui32", 4},
    {DType::UI64, "ui64", 8},
    {DType::F8E3M4, "f8E3M4", 1},
    {DType::F8E4M3, "f8E4M3", 1},
    {DType::F8E4M3FN, "f8E4M3FN", 1},
    {DType::F8E4M3FNUZ, "f8E4M3FNUZ", 1},
    {DType::F8E4M3B11FNUZ, "f8E4M3B11FNUZ", 1},
    {DType::F8E5M2, "f8E5M2", 1},
    {DType::F8E5M2FNUZ, "f8E5M2FNUZ", 1},
    {DType::BF16, "bf16", 2},
    {DType::F16, "f16", 2},
    {DType::F32, "f32", 4},
    {DType::F64, "f64", 8},
    {DType::C64, "complex<f32>", 8},
    {DType::C128, "complex<f64>", 16},
}};

constexpr bool rowsFollowTheEnum() {
  for (int i = 0; i < kNumDTypes; ++i)
    if (static_cast<int>(kRows[i].dtype) != i)
      return false;
  return true;
}
static_assert(rowsFollowTheEnum());

} // namespace

int64_t dtypeBytes(DType dtype) {
  assert(static_cast<int>(dtype) < kNumDTypes);
  return kRows[static_cast<int>(dtype)].bytes;
}

absl::string_view dtypeName(DType dtype) {
  if (static_cast<int>(dtype) >= kNumDTypes)
    return "invalid";
  return kRows[static_cast<int>(dtype)].name;
}

std::optional<DType> parseDType(absl::string_view name) {
  for (const Row &row : kRows)
    if (row.name == name)
      return row.dtype;
  return std::nullopt;
}

bool isFloat(DType dtype) { return dtype >= DType::F8E3M4 && dtype <= DType::F64; }
bool isComplex(DType dtype) { return dtype == DType::C64 || dtype == DType::C128; }
bool isInteger(DType dtype) { return dtype <= DType::UI64; }
bool isSigned(DType dtype) { return dtype >= DType::I2 && dtype <= DType::I64; }

int64_t elementCount(absl::Span<const int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

std::string describeType(DType dtype, absl::Span<const int64_t> dims) {
  return absl::StrCat(dtypeName(dtype), "[", absl::StrJoin(dims, ","), "]");
}

} // namespace tandem::runtime
