// A path from one sharding of a value to another, one collective or local slice a step.
//
//   [{"x"}, {}] -> [{}, {"x"}]        all-to-all x: 0 -> 1
//   [{"x"}, {}] -> [{"x","y"}, {}]    slice y on 0
//   [{"x","y"}] -> [{"x"}]            all-gather y on 0
//   [{"x"}, {"y"}] -> [{"y"}, {"x"}]  permute, when both axes have the same size
//
// Slices that need nothing else come first, so that what moves is small. Bytes are those a
// device sends: all-reduce 2B(g-1)/g, all-gather B(g-1), reduce-scatter and all-to-all
// B(g-1)/g, permute B, where B is the operand on one device.
#ifndef TANDEM_SHARDING_RESHARD_H
#define TANDEM_SHARDING_RESHARD_H

#include <vector>

#include "tandem/Sharding/Sharding.h"

namespace tandem {

struct ReshardStep {
  enum Kind : uint8_t { Slice, AllGather, AllToAll, Permute } kind;
  int64_t dim = 0;   // sliced or gathered dimension; where all-to-all takes the atoms from
  int64_t toDim = 0; // where all-to-all puts them
  Atoms atoms;       // minor-most in their dimension; empty for permute
  Sharding after;
  int64_t wireBytes = 0; // sent by one device
};

/// The steps from `from` to `to`; empty if they are the same. Both must divide `global`.
std::vector<ReshardStep> planReshard(const Sharding &from, const Sharding &to,
                                     mlir::RankedTensorType global, const DeviceMesh &mesh);

/// What a plan costs in bytes; a small charge per collective makes fewer of them win ties.
int64_t getCostBytes(llvm::ArrayRef<ReshardStep> plan);

/// Wire bytes of an all-reduce of `bytes` on each device over `groupSize` devices.
int64_t getAllReduceBytes(int64_t bytes, int64_t groupSize);

/// Charge of one collective, in bytes.
constexpr int64_t kCollectiveChargeBytes = 64;

} // namespace tandem

#endif // TANDEM_SHARDING_RESHARD_H
