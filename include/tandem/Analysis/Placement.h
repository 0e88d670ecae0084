// Offsets for things that live at times known in advance, in as few bytes as it can.
//
// Several orders are tried and the one that needs the fewest bytes is taken: largest first, largest
// in bytes times duration first, and first what is alive when most bytes are, each at the smallest
// gap between the things already placed
// that are alive at the same time (the lowest one on ties), as offline allocators do ("greedy by
// size", Y. Pisarchyk and J. Lee, arXiv:2001.03288, with best fit); then by time, forward and
// backward. Deterministic. Cost: n log n plus the overlaps, up to 4,000,000 of them; with more the
// rest of these is left out.
//
//   placeAll({{64, {{0, 2}}}, {64, {{2, 4}}}, {32, {{1, 3}}}}, 64).offsets == {0, 0, 64}
#ifndef TANDEM_ANALYSIS_PLACEMENT_H
#define TANDEM_ANALYSIS_PLACEMENT_H

#include <vector>

#include "tandem/Analysis/Liveness.h"

namespace tandem {

struct PlacementItem {
  int64_t bytes;
  llvm::SmallVector<Interval, 1> live; // sorted, disjoint
};

struct Placement {
  std::vector<int64_t> offsets; // one per item, multiples of the alignment
  int64_t totalBytes = 0;       // one more than the last byte used
  int64_t liveBytes = 0;        // most bytes alive at one time: no placement needs fewer
};

// Per item, the most bytes alive at one of its times.
std::vector<int64_t> pressures(llvm::ArrayRef<PlacementItem> items);

Placement placeAll(llvm::ArrayRef<PlacementItem> items, int64_t alignmentBytes);

} // namespace tandem

#endif // TANDEM_ANALYSIS_PLACEMENT_H
