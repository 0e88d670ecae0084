// One matrix product whose shape is known, ready to run on any operands.
#ifndef TANDEM_RUNTIME_CPU_GEMMPLAN_H
#define TANDEM_RUNTIME_CPU_GEMMPLAN_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "tandem/Runtime/DType.h"

namespace tandem::runtime {

// rows x columns elements with arbitrary strides, repeated over the batch.
struct StridedMatrix {
  DType dtype = DType::F32;
  int64_t rows = 0, columns = 0;
  int64_t rowStride = 0, columnStride = 0; // elements
  std::vector<int64_t> batchStrides;       // elements

  bool operator==(const StridedMatrix &) const = default;
};

// out[b] = lhs[b] * rhs[b]; adjacent batch dimensions with compatible strides are one.
struct GemmShape {
  std::vector<int64_t> batch;
  StridedMatrix lhs, rhs, out;

  int64_t m() const { return out.rows; }
  int64_t n() const { return out.columns; }
  int64_t k() const { return lhs.columns; }
  int64_t batchCount() const { return elementCount(batch); }
};

class GemmPlan {
public:
  virtual ~GemmPlan() = default;

  // Bytes of 64-byte aligned scratch that run() needs.
  virtual size_t scratchBytes() const = 0;
  // Products that make up this one and may run side by side. How many there are depends on the
  // shape alone, so that they are the same ones whoever runs them.
  virtual int64_t numPieces() const { return 1; }
  virtual absl::Status runPiece(int64_t, const void *lhs, const void *rhs, void *out, int worker,
                                std::byte *scratch) const {
    return run(lhs, rhs, out, worker, scratch);
  }
  // On worker thread `worker`; different workers may run one plan at once.
  virtual absl::Status run(const void *lhs, const void *rhs, void *out, int worker,
                           std::byte *scratch) const = 0;
  // "openblas", "onednn", "packed": for tests and reports.
  virtual const char *name() const = 0;
};

} // namespace tandem::runtime

#endif
