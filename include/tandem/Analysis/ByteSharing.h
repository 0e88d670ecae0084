// Which pieces share bytes, given an order of the ops: those that must (Aliasing), and those
// that may and can because their live ranges do not meet.
//
//   ByteSharing sharing(func, aliasing, liveness, rotation);
//   if (sharing.conflict()) ...  // the order keeps two values alive that must share bytes
//   sharing.group(aliasing.id(copy.getInput())) == sharing.group(aliasing.id(copy.getOutput()))
//
// Merged in this order: copies with what they copy (they hold the same value, so may be alive
// together), then kernels' in_place pairs, each in program order. Two groups merge only when no
// two of their pieces with different values are alive together, but for the position at which an
// op takes over the bytes of its operand. Cost: per merge linear in the two groups.
#ifndef TANDEM_ANALYSIS_BYTESHARING_H
#define TANDEM_ANALYSIS_BYTESHARING_H

#include "tandem/Analysis/Liveness.h"
#include "tandem/Analysis/Rotation.h"

namespace tandem {

// Where the bytes of a group are, when that is not free to choose.
struct Home {
  std::optional<Arena> arena; // none: temp
  unsigned index = 0;         // of the argument or result
  bool operator==(const Home &) const = default;
};

class ByteSharing {
public:
  // Without `shareCopies` every copy gets bytes of its own.
  ByteSharing(mlir::func::FuncOp func, const Aliasing &aliasing, const Liveness &liveness,
              const Rotation &rotation, bool shareCopies = true);

  // The number of the group of a piece: its first piece.
  unsigned group(unsigned piece) const { return groups.findValue(piece); }
  bool share(unsigned a, unsigned b) const { return group(a) == group(b); }
  Home home(unsigned group) const { return homes[group]; }
  // Sorted, disjoint times at which the group's bytes are needed.
  llvm::SmallVector<Interval, 1> live(unsigned group) const;

  // Two pieces that must share bytes but are alive together, and when.
  struct Conflict {
    unsigned first, second;
    int64_t position;
  };
  std::optional<Conflict> conflict() const { return found; }

  unsigned numCopiesShared() const { return copiesShared; }
  unsigned numInPlace() const { return inPlaceShared; }

private:
  struct Entry {
    Interval interval;
    unsigned piece;
  };
  class Groups { // union-find; the leader is the smallest member
  public:
    void grow(unsigned size) {
      for (unsigned i = parents.size(); i < size; ++i)
        parents.push_back(i);
    }
    unsigned findValue(unsigned x) const {
      while (parents[x] != x)
        x = parents[x];
      return x;
    }
    unsigned join(unsigned a, unsigned b) {
      a = findValue(a), b = findValue(b);
      unsigned leader = std::min(a, b), other = std::max(a, b);
      parents[other] = leader;
      return leader;
    }

  private:
    llvm::SmallVector<unsigned> parents;
  };

  void collectHandovers(mlir::func::FuncOp func);
  void collectHomes(mlir::func::FuncOp func);
  bool mayOverlap(const Entry &a, const Entry &b) const;
  std::optional<Conflict> conflictBetween(llvm::ArrayRef<Entry> a, llvm::ArrayRef<Entry> b) const;
  bool tryMerge(unsigned a, unsigned b);

  const Aliasing &aliasing;
  const Liveness &liveness;
  const Rotation &rotation;
  Groups groups, sameValue;
  llvm::SmallVector<llvm::SmallVector<Entry, 2>> entries;
  llvm::SmallVector<Home> homes;
  // Positions at which the second piece takes over the bytes of the first.
  llvm::DenseMap<std::pair<unsigned, unsigned>, int64_t> handovers;
  std::optional<Conflict> found;
  unsigned copiesShared = 0, inPlaceShared = 0;
};

} // namespace tandem

#endif // TANDEM_ANALYSIS_BYTESHARING_H
