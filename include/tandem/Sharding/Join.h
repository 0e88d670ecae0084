// How arrays are joined along a split dimension (concatenate, rule F18).
//
//   a of 8 (tiles of 2) ++ b of 8 (tiles of 2), on 4 devices: tiles of 4
//   device 0 keeps a[0:2] and gets a[2:4] of device 1; device 1 gets a[4:6] and a[6:8]; ...
//
// Each device lays its own parts side by side, split arrays' tiles and whole arrays alike. What it
// wants of these comes in rounds: in each a device sends at most one piece and gets at most one,
// all of one length. Pure functions; sizes and positions are in elements along the dimension.
#ifndef TANDEM_SHARDING_JOIN_H
#define TANDEM_SHARDING_JOIN_H

#include <cstdint>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tandem {

struct JoinedArray {
  int64_t size = 0; // global
  bool isSplit = false;
};

struct JoinPlan {
  struct Round {
    int64_t length = 0;
    bool isLocal = false;                                 // copies on each device, nothing is sent
    llvm::SmallVector<std::pair<int64_t, int64_t>> pairs; // (sender, receiver)
    llvm::SmallVector<int64_t> from; // by sender: where the piece begins in what it has; or -1
    llvm::SmallVector<int64_t> to;   // by receiver: where it goes in its tile; or -1
  };
  int64_t tile = 0; // of the result
  llvm::SmallVector<Round> rounds;
  int64_t sent = 0; // elements that one device sends
  int64_t numSends = 0;
};

/// The sizes of split arrays and of the result must divide.
JoinPlan planJoin(llvm::ArrayRef<JoinedArray> arrays, int64_t tiles);

} // namespace tandem

#endif // TANDEM_SHARDING_JOIN_H
