// How an op can be split: its dimensions are products of factors, and dimensions that
// share a factor are split alike (the public Shardy model).
//
//   dot_general [i, k] x [k, j] -> [i, j]      i, j pass through; k is reduced (add)
//   reshape     [i, j] -> [ij]                 the result's dimension has two factors
//
// Factor sizes are global. Rules are values; computing one is linear in the op's rank.
#ifndef TANDEM_SHARDING_RULE_H
#define TANDEM_SHARDING_RULE_H

#include <cstdint>

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace tandem {

enum class FactorKind : uint8_t {
  PassThrough,     // each device computes its part from its parts
  Reduction,       // each device computes a partial result; partials are combined
  NeedReplication, // the op needs all of it on every device
  Permutation,     // may be split alike, but the op needs neighbours' elements: without `halo`
                   // the partitioner treats it as NeedReplication, propagation passes it
};

/// How partial results over reduction factors combine. Body: by the op's own body, once all devices
/// have those of all (a reduce of several arrays at once, such as argmax).
enum class Combiner : uint8_t { None, Add, Mul, Max, Min, And, Or, Body };

struct Factor {
  int64_t size;
  FactorKind kind = FactorKind::PassThrough;
  bool blocked = false; // propagation does not pass along it
  bool indexed = false; // of an indexed dimension: local indices shift, others' parts are zero
  bool halo = false;    // of Permutation: the partitioner can split it (tandem/Sharding/Halo.h)
  int cumulative = 0;   // of halo: as getCumulative (tandem/Sharding/Halo.h) says; rule F19
  int64_t firsts = 0;   // of NeedReplication: only so many first results are read (rule F17)
  bool alone = false;   // its dimensions are it and no more: it may be split unevenly (M5)
};

/// Factors of each dimension of one tensor, major to minor.
using DimFactors = llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 4>;

struct ShardingRule {
  llvm::SmallVector<Factor> factors;
  llvm::SmallVector<DimFactors, 3> operands; // one per operand
  llvm::SmallVector<DimFactors, 2> results;  // one per result
  Combiner combiner = Combiner::None;
  /// False if nothing is known about the op: every factor needs replication.
  bool known = true;

  const DimFactors &getTensor(unsigned index) const {
    return index < operands.size() ? operands[index] : results[index - operands.size()];
  }
  unsigned getNumTensors() const { return operands.size() + results.size(); }
};

/// Builds a rule: -1 stands for "not in this tensor". Dimensions that no factor was given
/// for get one of their own that needs replication.
class RuleBuilder {
public:
  explicit RuleBuilder(mlir::Operation *op);
  /// One dimension per operand and per result.
  unsigned add(llvm::ArrayRef<int64_t> operandDims, llvm::ArrayRef<int64_t> resultDims,
               int64_t size, FactorKind kind = FactorKind::PassThrough, bool blocked = false);
  /// The same dimension in every operand and result with the rank of `shape`.
  unsigned addAll(int64_t dim, llvm::ArrayRef<int64_t> shape,
                  FactorKind kind = FactorKind::PassThrough);
  Factor &getFactor(unsigned index) { return rule.factors[index]; }
  void setCombiner(Combiner combiner) { rule.combiner = combiner; }
  void setUnknown() { rule.known = false; }
  ShardingRule build();

private:
  mlir::Operation *op;
  ShardingRule rule;
};

/// The rule of any op with ranked tensor operands and results, except region ops that
/// carry values (while, case, if, manual_computation), which are data-flow edges.
/// A custom call's `sdy.sharding_rule` attribute is obeyed.
ShardingRule getShardingRule(mlir::Operation *op);

/// What the block of a reduction with one input does; None unless it is one commutative,
/// associative op on the two block arguments.
Combiner getCombiner(mlir::Region &reducer);

// By op kind; each returns false if the op is not of its kind. Used by getShardingRule.
bool addElementwiseRule(mlir::Operation *op, RuleBuilder &builder);
bool addShapeRule(mlir::Operation *op, RuleBuilder &builder);
bool addIndexingRule(mlir::Operation *op, RuleBuilder &builder);
bool addContractionRule(mlir::Operation *op, RuleBuilder &builder);

} // namespace tandem

#endif // TANDEM_SHARDING_RULE_H
