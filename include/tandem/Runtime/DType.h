// Element types of the runtime: the Program schema's DType with sizes and spellings.
//
//   dtypeBytes(DType::BF16) == 2;  dtypeName(DType::UI32) == "ui32";  parseDType("bf16")
//
// Names are StableHLO's (i1, ui8, bf16, f8E4M3FN, complex<f32>). Sub-byte types and i1 take one
// byte per element everywhere in the runtime.
#ifndef TANDEM_RUNTIME_DTYPE_H
#define TANDEM_RUNTIME_DTYPE_H

#include "absl/strings/string_view.h"
#include <cstdint>
#include <optional>
#include <string>

#include "absl/types/span.h"
#include "tandem/Runtime/Program_generated.h"

namespace tandem::runtime {

using program::DType;

inline constexpr int kNumDTypes = static_cast<int>(DType::C128) + 1;

int64_t dtypeBytes(DType dtype);
absl::string_view dtypeName(DType dtype);
std::optional<DType> parseDType(absl::string_view name);

bool isFloat(DType dtype);   // f8*, bf16, f16, f32, f64
bool isComplex(DType dtype); // c64, c128
bool isInteger(DType dtype); // all others, i1 included
bool isSigned(DType dtype);  // i2 .. i64

// Product of the dimensions; 1 for a scalar.
int64_t elementCount(absl::Span<const int64_t> dims);

// "f32[8,128]", for messages.
std::string describeType(DType dtype, absl::Span<const int64_t> dims);

} // namespace tandem::runtime

#endif
