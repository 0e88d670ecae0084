// What a device needs of its neighbours' tiles when a dimension is split along which an op reads
// windows: slice, pad, reverse, reduce_window, convolution.
//
//   reduce_window of 3 with padding 1, 8 elements on 4 devices (tiles of 2):
//   device p needs [2p-1, 2p+3): one element of tile p-1, tile p, one element of tile p+1
//
// Every device needs a range of the same length, cut into pieces: piece j is (part of) tile
// first(p) + j. A piece that is not the device's own tile comes by collective permutes, one round
// for each time a tile is sent. What lies outside the array is filled by the op's own rule.
// Pure functions; sizes and positions are global, in elements along the dimension.
#ifndef TANDEM_SHARDING_HALO_H
#define TANDEM_SHARDING_HALO_H

#include <cstdint>
#include <optional>
#include <utility>

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace tandem {

/// The ranges that devices read: device p [starts[p], starts[p] + length).
struct HaloRanges {
  llvm::SmallVector<int64_t> starts;
  int64_t length = 0;
};

/// The ranges for an op whose operand's and result's dimension is split in `tiles`; none if the
/// op does not read ranges along it or the sizes do not divide. Dimensions are those of the first
/// operand; a convolution's and a window's result has its own.
std::optional<HaloRanges> getHaloRanges(mlir::Operation *op, int64_t dim, int64_t tiles);

/// A reduce_window whose results along a dimension are of all elements up to their own: 1; from
/// their own on: -1; neither: 0.
int getCumulative(mlir::Operation *op, int64_t dim);

struct HaloPlan {
  struct Piece {
    int64_t begin = 0, end = 0; // of a tile
    /// By round: (tile sent, device that gets it); within a round each at most once.
    llvm::SmallVector<llvm::SmallVector<std::pair<int64_t, int64_t>>> rounds;
    llvm::SmallVector<bool> own; // by device: the piece is of its own tile
  };
  int64_t length = 0;
  llvm::SmallVector<Piece> pieces;
  llvm::SmallVector<int64_t> offsets; // by device: where its range begins in the joined pieces
  int64_t sent = 0;                   // elements along the dimension that one device sends

  bool isUniform() const {
    return llvm::all_of(offsets, [&](int64_t offset) { return offset == offsets.front(); });
  }
};

HaloPlan planHalo(const HaloRanges &ranges, int64_t tileSize);

} // namespace tandem

#endif // TANDEM_SHARDING_HALO_H
