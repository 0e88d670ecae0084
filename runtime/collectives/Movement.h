// The data movement of one collective over one group, all of whose buffers are in memory.
//
// An example: all-gather of f32[2,3] along dimension 1 over 4 devices. Per row the result has
// 4 pieces of 12 bytes; rank r's operand gives piece r of both rows to all 4 results.
#ifndef TANDEM_RUNTIME_COLLECTIVES_MOVEMENT_H
#define TANDEM_RUNTIME_COLLECTIVES_MOVEMENT_H

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/collectives/Reduce.h"
#include "tandem/Runtime/Program.h"

namespace tandem::runtime {

// How one operand moves; the same for all groups of the op. Shapes are local.
class Movement {
public:
  // The op must have passed verifyProgram.
  static absl::StatusOr<Movement> create(const program::CollectiveOpT &op, size_t operand,
                                         size_t groupSize);

  // operands[rank] and results[rank]; `pairs` by rank, permutes only. Not synchronised; may run
  // for different groups at once.
  void run(absl::Span<const std::byte *const> operands, absl::Span<std::byte *const> results,
           absl::Span<const std::pair<uint32_t, uint32_t>> pairs) const;

private:
  void allGather(absl::Span<const std::byte *const> operands,
                 absl::Span<std::byte *const> results) const;
  void reduceScatter(absl::Span<const std::byte *const> operands,
                     absl::Span<std::byte *const> results) const;
  void allToAll(absl::Span<const std::byte *const> operands,
                absl::Span<std::byte *const> results) const;
  void permute(absl::Span<const std::byte *const> operands, absl::Span<std::byte *const> results,
               absl::Span<const std::pair<uint32_t, uint32_t>> pairs) const;

  program::CollectiveKind kind;
  ReduceFunction reduce = nullptr;
  int64_t elements = 0; // of the operand
  size_t elementBytes = 0;
  size_t operandBytes = 0;
  // The operand as rows [outer][pieceElements] along the gather or scatter dimension, where a
  // piece is one rank's share of a row.
  int64_t outer = 1;
  int64_t pieceElements = 0;
  // All-to-all: a block of block[0] x ... x block[n-1] runs of runBytes, with strides in bytes.
  std::vector<int64_t> block, sourceStrides, targetStrides;
  int64_t sourceStep = 0, targetStep = 0; // from one rank's block to the next
  size_t runBytes = 0;
};

} // namespace tandem::runtime

#endif
