// Products by OpenBLAS, in place or through packed copies.
#ifndef TANDEM_RUNTIME_CPU_BLASGEMM_H
#define TANDEM_RUNTIME_CPU_BLASGEMM_H

#include <memory>

#include "runtime/cpu/GemmPlan.h"

namespace tandem::runtime {

// Whether OpenBLAS has kernels for this CPU; one that it does not know gets those for SSE3, at a
// fifth of the speed.
bool isBlasTuned();

// Null unless all types are f32, or all f64, and BLAS can read and write the strides.
std::unique_ptr<GemmPlan> makeBlasGemm(const GemmShape &shape);

// Any float types and non-negative strides.
std::unique_ptr<GemmPlan> makePackedGemm(const GemmShape &shape);

} // namespace tandem::runtime

#endif
