//===- Plan.h - Which values a kernel writes to memory, and when ----*- C++ -*-===//
//
// A kernel's results are written to memory, and so is any other value that would otherwise
// be computed too often: it is dear (a reduction, a product, exp under a product's loop), and its
// uses ask for its elements many more times than it has elements. What scatters or
// sorts writes a whole buffer by itself, so its results always are in memory.
//
//   %m = reduce max %x over dim 0 : [B, N] -> [N];  %b = broadcast %m : [B, N];  yield subtract %x,
//   %b
//
//   An element of %m is known where j is, in the innermost of the two loops, so its loop would run
//   B times for each of the N elements. It is computed first, into scratch. Reduced over dim 1, it
//   is known where i is, once per row: no scratch.
//
// Counting walks from the results to the operands, each value once: O(values x uses).
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_LIB_CODEGEN_PLAN_H
#define TANDEM_LIB_CODEGEN_PLAN_H

#include "tandem/IR/Tandem/Tandem.h"

#include "llvm/ADT/SetVector.h"

#include <limits>

namespace tandem::codegen {

class Plan {
public:
  explicit Plan(KernelOp kernel);

  /// The values to write, in the order of their definitions.
  struct Step {
    enum Kind {
      Nest,    ///< Values of one shape, computed in one loop nest.
      Windows, ///< The result of isWindowOp, each part by its own nest.
      Buffers, ///< The results of isBufferOp.
    };
    Kind kind;
    llvm::SmallVector<mlir::Value> values;
  };
  llvm::ArrayRef<Step> steps() const { return order; }
  /// The outermost loop of their nest inside of which all looping ops stand (reductions,
  /// products); -1 if one of them stands before the nest, a large number if there are none.
  int outermostLoopingLevel() const { return loopingLevel; }

private:
  /// A place from which elements are asked: the loops around it, and for each dimension of the
  /// value the innermost loop on which the index depends (-1: none).
  struct Use {
    llvm::SmallVector<int64_t> loops;
    llvm::SmallVector<int> levels;
    /// Share of the loops' turns that ask at all.
    double share = 1;
    bool operator==(const Use &) const = default;
    double evaluations() const;
    int innermost() const;
  };

  void countWeights(mlir::Block &body);
  void addUse(mlir::Value value, Use use);
  /// Asks for the operands of `value` as its own loop nest, or one of its elements, does.
  void propagate(mlir::Value value, const Use &use);
  void propagateBufferOp(mlir::Operation *op);
  bool isTooOften(mlir::Value value) const;
  void orderSteps(mlir::Block &body);

  llvm::DenseMap<mlir::Value, double> weights;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Use, 1>> uses;
  llvm::SetVector<mlir::Value> written;
  llvm::SmallVector<Step> order;
  int loopingLevel = std::numeric_limits<int>::max();
};

/// True for ops that write whole buffers in an order of their own.
bool isBufferOp(mlir::Operation *op);
/// True for concatenate, pad and dynamic_update_slice: written part by part, where each part goes,
/// they need no decision for each element.
bool isWindowOp(mlir::Operation *op);

} // namespace tandem::codegen

#endif // TANDEM_LIB_CODEGEN_PLAN_H
