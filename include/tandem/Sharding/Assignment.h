// Chooses along which factors an op is computed in parallel: which atoms split which
// factor. Shardings of operands and results may disagree; candidates are made by letting
// each tensor lead and adding what the others have where it does not collide, and the one
// with the lowest cost wins: bytes of the reshards of operands and results and of the
// all-reduces it implies, plus a little for work done on several devices.
//
//   dot x{batch: fsdp} w{contracting: fsdp} -> y{batch: fsdp}
//   x leads: gather w.   w leads: all-to-all x, all-reduce y.   The smaller one is taken.
//
// Reads the op, edits nothing. Cost: number of tensors squared times rank.
#ifndef TANDEM_SHARDING_ASSIGNMENT_H
#define TANDEM_SHARDING_ASSIGNMENT_H

#include "tandem/Cost/Target.h"
#include "tandem/Sharding/Projection.h"

namespace tandem {

/// What a byte sent is worth in work on the device, so that one number orders assignments:
/// ratios of a target's rates. Latency is left out on purpose: it is hidden or combined later,
/// bytes are not (docs/adr/0010-partition-by-throughput.md).
struct WorkWeights {
  int64_t localBytesPerWireByte = 8; // read and written
  int64_t flopsPerWireByte = 1024;   // of contractions

  /// Of the rates that the cost model prices with.
  static WorkWeights of(const Target &target);
};

struct Assignment {
  FactorAtoms atoms;                    // by factor of the rule
  llvm::SmallVector<Sharding> operands; // needed
  llvm::SmallVector<Sharding> results;  // as computed, once partial results are combined
  Atoms reduced;                        // atoms over which results are partial
  /// Split factors of which the op needs one tile only, or whose results are joined from all: no
  /// result is split by them (rules F16, F17).
  llvm::SmallVector<bool> hidden;
  /// Of F16: atoms of the owners, and their coordinate over them; empty: no owner.
  Atoms owners;
  int64_t owner = 0;
  int64_t costBytes = 0;
  int64_t reshardBytes = 0; // the part of the cost that moves operands and results
  int64_t workBytes = 0;    // the part of it that stands for work on the device
  int64_t flops = 0;        // of a contraction, on one device
};

/// A part of a static slice of a split dimension that lies within one of `tiles`: the tile's number
/// (rule F16). None if it reaches over several.
std::optional<int64_t> getOwnerTile(mlir::Operation *op, int64_t dim, int64_t tiles);

/// `operands[i]`: the shardings in which operand i is at hand; none if it can be made in any
/// sharding for nothing (constants). `results[i]`: the sharding
/// wanted for result i. Types are global (in a manual computation: global over the free
/// axes). `uneven`: dimensions may be split unevenly, as before padding (rule M5).
Assignment chooseAssignment(mlir::Operation *op, const ShardingRule &rule,
                            llvm::ArrayRef<llvm::SmallVector<Sharding, 2>> operands,
                            llvm::ArrayRef<Sharding> results, const DeviceMesh &mesh,
                            const WorkWeights &weights = {}, bool uneven = false);

} // namespace tandem

#endif // TANDEM_SHARDING_ASSIGNMENT_H
