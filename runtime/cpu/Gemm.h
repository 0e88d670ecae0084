// Matrix products by libraries.
//
//   GemmLibrary library(numWorkers);                    // one per client
//   auto plan = library.plan(*command.AsGemm());        // one per distinct shape
//   plan->run(lhs, rhs, out, worker, scratch);          // on worker `worker`
//
// Which library does a product is decided by shape alone, when it is planned, so that results do
// not depend on load or machine state:
//   - OpenBLAS where it was measured faster on one thread (products of at most 32^3, by a third;
//     of one row or one column; and large ones whose right side is not transposed, from 128 x 512 x
//     512 a piece on, by a tenth to a fifth) and the strides are BLAS's, and for all f64; never for
//     f32 on a CPU that OpenBLAS does not know;
//   - oneDNN for the other f32 and bf16 products, with arbitrary strides and batches;
//   - otherwise (f16, f8, mixed types, strides neither takes) operands are packed and converted
//     to f32 or f64, multiplied by OpenBLAS, and the result is converted back.
// Both libraries run on the calling thread alone. A product of two million multiply-adds or more is
// planned as two to eight pieces (GemmPlan::numPieces), which several workers may run.
#ifndef TANDEM_RUNTIME_CPU_GEMM_H
#define TANDEM_RUNTIME_CPU_GEMM_H

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/cpu/GemmPlan.h"
#include "tandem/Runtime/Program.h"

namespace tandem::runtime {

class GemmLibrary {
public:
  explicit GemmLibrary(int numWorkers);
  ~GemmLibrary();
  GemmLibrary(const GemmLibrary &) = delete;

  // Equal shapes in one executable share a plan: pass the executable's map.
  absl::StatusOr<std::shared_ptr<GemmPlan>>
  plan(const program::GemmT &gemm, std::map<std::string, std::shared_ptr<GemmPlan>> &shared);

  // Call first on every thread that runs plans.
  static void prepareThread();

private:
  struct Engine;
  std::shared_ptr<Engine> engine;
};

} // namespace tandem::runtime

#endif
