// Which ops of a block become one kernel. Decides; FuseKernels.cpp edits.
//
// Ops are looked at from the last to the first, so that the kernels of all users of an op are
// known. A kernel (group) has a root, whose result it writes, and what is computed on the way;
// it may write further results. The rules:
//
//   1. A looping op (reduce, product, convolution, ...) and one that writes a buffer piece by
//      piece (scatter, sort, dynamic_update_slice) is the root of a kernel. Exceptions: a reduce
//      whose elements its only kernel uses once each, at the index written or once for each row
//      of it (softmax's maximum and sum), joins it.
//   2. An elemental op that only one kernel uses joins it.
//   3. An expression of constants and iota joins every kernel that uses it.
//   4. An elemental op that few kernels use joins each of them if it is cheap and reads no more
//      bytes than it makes.
//   5. What must be written, because a start, a library op, a loop or a return uses it or because
//      rules 2 to 4 do not hold, is written by the kernel of a user if it has the root's shape, is
//      used there only at the index written, waits for the same events as the root (Waits.h), and
//      no cycle arises.
//   6. Else it is the root of a kernel of its own.
//
// Joining needs: no more extra work, reads and ops than FusionLimits.h allows. Uses in regions
// (of loops and branches) and by other ops than kernels' count as uses that need the value
// written. Example, all of one shape, %x from a done:
//
//   %m = add %x, %y     used by %v and returned: written by %v's kernel        rule 5
//   %v = multiply %m, %m                                                        root
//   %s = reduce %v      one kernel, with %v in it if nothing else uses it       rules 1, 2
//
// Linear, but for the search for cycles, which is bounded (kMaxSearch).
#pragma once

#include "passes/Fuse/Waits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tandem {

/// Whether `op` is cheap to rebuild anywhere: elemental, without operands in memory, and, with its
/// operands, of at most kMaxRootCost per element.
bool isRebuiltRoot(mlir::Operation *op);
/// Whether a kernel may hold the constant `op`: a splat, or few elements.
bool isInlineConstant(mlir::Operation *op);

class FusionPlan {
public:
  struct Group {
    /// In the order of decision, users first.
    llvm::SetVector<mlir::Operation *> ops;
    mlir::Operation *root() const { return ops.front(); }
  };

  explicit FusionPlan(mlir::Block &block);

  llvm::ArrayRef<Group> getGroups() const { return groups; }
  /// Whether some kernel computes `op`.
  bool isFused(mlir::Operation *op) const { return !states.lookup(op).groups.empty(); }
  /// The group that writes the results of `op`; nullopt if none does (it is rebuilt, or no kernel
  /// holds it).
  std::optional<unsigned> getHome(mlir::Operation *op) const { return states.lookup(op).home; }
  /// The groups that compute `op`, its home first if it has one.
  llvm::ArrayRef<unsigned> getGroupsOf(mlir::Operation *op) const {
    auto it = states.find(op);
    return it == states.end() ? llvm::ArrayRef<unsigned>() : it->second.groups;
  }
  /// Whether `op` has no use and goes.
  bool isDead(mlir::Operation *op) const { return states.lookup(op).dead; }

private:
  /// A place in a kernel from which a value's elements are read, and how many are read there.
  struct Read {
    unsigned id;
    double elements;
  };
  using Reads = llvm::SmallVector<Read, 2>;
  struct State {
    llvm::SmallVector<unsigned, 2> groups;
    std::optional<unsigned> home;
    unsigned rebuildChain = 0;
    bool dead = false;
  };
  struct Work {
    double natural = 0, extra = 0;
    unsigned nextRead = 2;
  };
  /// Uses of an op's results: by kernels, and others.
  struct Uses {
    llvm::SmallVector<unsigned, 4> groups;
    bool others = false;
  };

  void place(mlir::Operation *op);
  Uses usesOf(mlir::Operation *op) const;
  void makeGroup(mlir::Operation *op);
  void join(mlir::Operation *op, unsigned group, const Reads &reads);
  Reads readsOf(mlir::Operation *op, unsigned group);
  std::optional<Reads> fits(mlir::Operation *op, unsigned group);
  bool rebuildsCheaply(mlir::Operation *op, unsigned numGroups) const;
  bool writeFromUser(mlir::Operation *op, const Uses &uses);
  bool closesCycle(mlir::Operation *op, unsigned group) const;
  bool isOncePerRow(mlir::Operation *op, unsigned group, const Reads &reads) const;
  bool isAtRoot(mlir::Operation *op, unsigned group, const Reads &reads) const;

  mlir::Block &block;
  Waits waits;
  std::vector<Group> groups;
  std::vector<Work> work;
  llvm::DenseMap<mlir::Operation *, State> states;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, Reads> reads;
  /// The next op with side effects after each such op.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> nextEffect;
};

/// Whether the order of `op` among others like it must stay: calls with side effects, and what
/// contains them.
bool hasOrderedEffects(mlir::Operation *op);

} // namespace tandem
