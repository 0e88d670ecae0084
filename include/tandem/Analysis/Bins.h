// Temporaries in bytes that are the program's anyway and idle at the time: results not yet made,
// donated arguments no longer needed.
//
//   std::vector<BinPlace> places = placeInBins(items, bins, 64);
//
// First what is alive when most bytes are, of that the largest, each in the smallest bin that has a
// gap for it. What finds none keeps bin ~0u and needs bytes of its own (Placement.h).
// Deterministic. Cost: items times bins, up to 4,000,000 looks; items after that find none.
#ifndef TANDEM_ANALYSIS_BINS_H
#define TANDEM_ANALYSIS_BINS_H

#include "tandem/Analysis/Placement.h"

namespace tandem {

struct Bin {
  int64_t bytes;
  llvm::SmallVector<Interval, 1> busy; // sorted, disjoint: when its own value is there
};

struct BinPlace {
  unsigned bin = ~0u;
  int64_t offset = 0; // a multiple of the alignment
};

// One per item.
std::vector<BinPlace> placeInBins(llvm::ArrayRef<PlacementItem> items, llvm::ArrayRef<Bin> bins,
                                  int64_t alignmentBytes);

} // namespace tandem

#endif // TANDEM_ANALYSIS_BINS_H
