// The arguments of a run: read from a file, or made from a seed.
#pragma once

#include "tandem/Runtime/Client.h"
#include "tandem/Runtime/HostArray.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tandem::tool {

// An array that depends only on seed, index, type and shape: floats normal with deviation 0.1,
// integers 0 to 7, booleans by a coin.
runtime::HostArray makeArray(uint64_t seed, size_t index, runtime::DType dtype,
                             absl::Span<const int64_t> dims);

// Places every argument of the program. With a file, each argument must be in it (whole arrays
// arg0, ..., or per device dev0_arg0, ...) unless a seed is given for the missing ones; without
// a file all are made from the seed (0 when not given). Errors name file, array, found, expected.
absl::StatusOr<std::vector<runtime::Buffer>> makeArguments(const runtime::Executable &executable,
                                                           const std::string &path,
                                                           std::optional<int64_t> seed);

} // namespace tandem::tool
