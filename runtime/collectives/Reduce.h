// Element-wise reductions over several arrays, in a fixed order.
#ifndef TANDEM_RUNTIME_COLLECTIVES_REDUCE_H
#define TANDEM_RUNTIME_COLLECTIVES_REDUCE_H

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tandem/Runtime/Program.h"

namespace tandem::runtime {

// destination[d][i] = ((source[0][i] op source[1][i]) op source[2][i]) ... for every d. Elements
// are read from all sources before any destination's same elements are written, so a source may
// coincide with a destination.
using ReduceFunction = void (*)(absl::Span<const std::byte *const> sources,
                                absl::Span<std::byte *const> destinations, int64_t elements);

// Floats accumulate in `accumulate`: f32, f64, or the element type itself, rounding at each step.
// Integers wrap; i1 adds by or and multiplies by and. Minimum and maximum of floats propagate
// NaNs and order -0 before +0.
absl::StatusOr<ReduceFunction> findReduceFunction(program::Reduction reduction,
                                                  program::DType dtype, program::DType accumulate);

} // namespace tandem::runtime

#endif
