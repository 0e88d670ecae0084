// When bytes hold a value that is still needed, in the order the blocks have.
//
// Positions number the ops of a function in program order, an op with a body before the
// body's ops; a loop's or case's end has a position of its own after its last op. A piece is
// live over half-open intervals of positions:
//
//   %0 = kernel            0   %0: [0, 4)   used at 3; a user still reads while it runs
//   %1 = loop (%a = %0)    1   %a: [1, 3)
//     %2 = kernel %a       2   %2: [2, 4)   yielded at 3
//     yield %2             3
//   (end)                  4   %1: [4, 6)
//   return %1              5
//
// - A value used inside a loop or case that does not define it lives to that op's end.
// - What a start reads, and its future, live until the done; when the future crosses the back
//   edge of a loop, for the whole loop.
// - Arguments that are not donated live for the whole function, as do constants.
// An answer about this order only: moving an op invalidates it. Cost: linear in uses.
#ifndef TANDEM_ANALYSIS_LIVENESS_H
#define TANDEM_ANALYSIS_LIVENESS_H

#include "tandem/Analysis/Aliasing.h"

namespace tandem {

struct Interval {
  int64_t begin, end; // [begin, end)
  bool operator==(const Interval &) const = default;
};

class Liveness {
public:
  Liveness(mlir::func::FuncOp func, const Aliasing &aliasing);

  // Sorted, disjoint intervals of one piece.
  llvm::ArrayRef<Interval> of(unsigned piece) const { return intervals[piece]; }
  int64_t position(mlir::Operation *op) const { return begins.lookup(op); }
  // The position after the last op of `op`'s body; position(op) + 1 for others.
  int64_t end(mlir::Operation *op) const { return ends.lookup(op); }
  // One more than the last position.
  int64_t size() const { return count; }

  // "<piece>: [b, e) [b, e)" per piece, for tests.
  void print(llvm::raw_ostream &os) const;

private:
  void numberOps(mlir::Block &block);
  void add(unsigned piece, Interval interval);
  // The end (exclusive) of what a use of a value defined in `home` by `user` needs.
  int64_t endOfUse(mlir::Operation *user, mlir::Block *home) const;
  void addStart(StartOp start, const Aliasing &aliasing);

  llvm::DenseMap<mlir::Operation *, int64_t> begins, ends;
  llvm::SmallVector<llvm::SmallVector<Interval, 1>> intervals;
  int64_t count = 0;
};

// Where a future ends up: its done, following the back edges and exits of the loops that carry
// it. `loops` receives those loops. The linearity verifier guarantees that there is one, except
// for futures returned by a case.
DoneOp doneOf(mlir::Value future, llvm::SmallVectorImpl<LoopOp> &loops);

} // namespace tandem

#endif // TANDEM_ANALYSIS_LIVENESS_H
