// Which values must share bytes.
//
// The unit is a piece: one tensor's bytes. A tensor value is one piece, a future one per
// element, a token none. Pieces of a function are numbered in program order (block arguments
// of a body before its ops), regions of kernels and starts not included. Shapes are local.
//
//   Aliasing aliasing(func);
//   aliasing.leader(aliasing.id(loop.getResult(0))) == aliasing.leader(aliasing.id(init))
//
// Classes come from AliasOpInterface (must-pairs and tied values) and from donation. The
// analysis never edits; it is invalid once values are added. Cost: near linear.
#ifndef TANDEM_ANALYSIS_ALIASING_H
#define TANDEM_ANALYSIS_ALIASING_H

#include <optional>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tandem {

struct Piece {
  mlir::Value value;
  unsigned element = 0; // of a future
};

// Whether ops of `op`'s regions are part of the program's order (loop, case), as against the
// contents of one unit of execution.
bool holdsProgramOrder(mlir::Operation *op);

// Every op of the function's, loops' and cases' blocks in program order, the op itself before
// those of its regions.
void forEachOp(mlir::func::FuncOp func, llvm::function_ref<void(mlir::Operation *)> visit);

// Whether an argument and a result are the same local array, of the same global type and sharding.
bool isSameArray(mlir::func::FuncOp func, unsigned argument, unsigned result);

// The number of the result that argument `index` is donated to (tf.aliasing_output), if both
// are the same array; no donation otherwise.
std::optional<unsigned> donatedResult(mlir::func::FuncOp func, unsigned index);

// Bytes of the memory limit that plans leave free, because addresses need more than what is alive.
inline constexpr llvm::StringLiteral kMemoryMarginAttr = "tandem.memory_margin";

// What the module's `tandem.memory_limit`, less the margin, leaves beside the function's
// arguments, in bytes; maybe negative. None: no limit.
std::optional<int64_t> memoryBesideArguments(mlir::func::FuncOp func);

// The ancestor of `op` (or `op`) that lies directly in `block`; null when there is none.
mlir::Operation *ancestorIn(mlir::Block *block, mlir::Operation *op);

class Aliasing {
public:
  explicit Aliasing(mlir::func::FuncOp func);

  unsigned size() const { return static_cast<unsigned>(pieces.size()); }
  Piece piece(unsigned id) const { return pieces[id]; }
  mlir::RankedTensorType type(unsigned id) const;
  int64_t bytes(unsigned id) const { return getByteSize(type(id)); }

  // The piece of a tensor, or one element of a future.
  unsigned id(mlir::Value value, unsigned element = 0) const;
  // Of a tensor 1, of a future its elements, of a token 0.
  static unsigned numPieces(mlir::Type type);

  // The first piece in program order of the class of pieces that must share bytes with `id`.
  unsigned leader(unsigned id) const { return leaders[id]; }
  bool mustShare(unsigned a, unsigned b) const { return leader(a) == leader(b); }

  // One line per class with more than one piece, for tests.
  void print(llvm::raw_ostream &os) const;

private:
  void number(mlir::Value value);
  void tie(mlir::Value a, mlir::Value b);

  llvm::SmallVector<Piece> pieces;
  llvm::DenseMap<mlir::Value, unsigned> firstIds;
  llvm::IntEqClasses classes;
  llvm::SmallVector<unsigned> leaders;
};

} // namespace tandem

#endif // TANDEM_ANALYSIS_ALIASING_H
