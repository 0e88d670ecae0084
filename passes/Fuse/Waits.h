// What an op of a block waits for before it can start.
//
// The events of a block are what takes long or ends somewhere else: dones, library products and
// calls, loops and branches. An op waits for the events among its ancestors in the block; two ops
// that wait for the same ones can run at the same time, so putting them into one kernel delays
// neither. Example:
//
//   %a = tandem.done %f            waits for nothing
//   %b = tandem.done %g            waits for nothing
//   %c = stablehlo.negate %a       waits for {%a}
//   %d = stablehlo.add %b, %c      waits for {%a, %b}
//
// A barrier's result waits for what its own operand waits for, since barriers go after fusion.
//
// Sets are shared and compared by number. O(ops x events / 64) time and space. Refers to the
// block's ops, which must not change meanwhile.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace tandem {

class Waits {
public:
  explicit Waits(mlir::Block &block);

  /// The number of the set of events that `op`, directly in the block, waits for.
  unsigned of(mlir::Operation *op) const { return sets.lookup(op); }
  /// Likewise for a value: what its op waits for, and the op itself if it is an event. Values from
  /// above and block arguments wait for nothing, set 0.
  unsigned of(mlir::Value value);
  /// The number of the union of two sets.
  unsigned unite(unsigned a, unsigned b);

private:
  unsigned intern(llvm::BitVector bits);

  mlir::Block &block;
  llvm::DenseMap<mlir::Operation *, unsigned> events;
  llvm::DenseMap<mlir::Operation *, unsigned> sets;
  std::vector<llvm::BitVector> contents;
  llvm::DenseMap<llvm::BitVector, unsigned> numbers;
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> unions;
};

} // namespace tandem
