// What must be issued before what, among the ops of one block.
//
// Edges, each from an earlier op (in the order the block has now) to a later one:
//  - SSA: from the definition of every operand, and of every value that a nested region
//    captures; tokens are values.
//  - order of effects: calls with side effects keep theirs.
//  - bytes: an op that overwrites the bytes of a value (a loop its init, a call its aliased
//    operand, a copy that ends in a carried or donated place) comes after every other reader of
//    that value; a read by a start ends at its done.
//  - the terminator comes last.
// A kernel's `in_place` makes no edge: it is a permission (tandem-assign-buffers).
//
// Answers about one block; moving ops keeps it valid as long as the order respects it.
// Cost: linear in operands, captures and users.
#ifndef TANDEM_ANALYSIS_DEPENDENCES_H
#define TANDEM_ANALYSIS_DEPENDENCES_H

#include "tandem/Analysis/Aliasing.h"

namespace tandem {

class Dependences {
public:
  // Without `bytes` the edges of that kind are left out: what must hold before copies are in.
  explicit Dependences(mlir::Block &block, bool bytes = true);

  unsigned size() const { return static_cast<unsigned>(ops.size()); }
  mlir::Operation *op(unsigned node) const { return ops[node]; }
  // The node of `op` or of its ancestor in this block.
  unsigned node(mlir::Operation *op) const;
  // Sorted, without duplicates.
  llvm::ArrayRef<unsigned> predecessors(unsigned node) const { return preds[node]; }
  llvm::ArrayRef<unsigned> successors(unsigned node) const { return succs[node]; }

  // Marks in `reached` (one flag per node) `node` and all it depends on, directly or not,
  // not looking at nodes before `first`. False when more than `limit` nodes were visited.
  bool ancestors(unsigned node, unsigned first, unsigned limit,
                 llvm::SmallVectorImpl<bool> &reached) const;

  // Whether the block's present order respects every edge.
  bool holds() const;

  // "<node>: <predecessors>" per node, for tests.
  void print(llvm::raw_ostream &os) const;

private:
  void addEdge(mlir::Operation *from, mlir::Operation *to);
  // Every reader of `value` other than `writer` comes before it.
  void addOverwrite(mlir::Value value, mlir::Operation *writer);

  mlir::Block &block;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, unsigned> nodes;
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>> preds, succs;
};

} // namespace tandem

#endif // TANDEM_ANALYSIS_DEPENDENCES_H
