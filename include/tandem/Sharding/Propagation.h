// Propagates shardings through a function until nothing changes (phase 2's algorithm).
//
// The function becomes a graph: a node for everything that has one sharding (a value; what
// flows around a loop at one position; a function result; the boundary of a manual
// computation) and an edge per op with the op's rule. For each factor of an edge, the
// longest list of atoms that all its tensors agree on (one is a prefix of the other) is
// given to every open dimension of that factor, unless it would collide with atoms another
// factor of the same tensor has or would get. Stages follow Shardy: first through ops
// that only pass elements on, then along all factors that pass through, then along all.
//
//   %0 = add %arg0, %arg1      arg0: [{"x"}, {}]  arg1: [{?}, {?}]   ->  %0: [{"x"}, {}]
//
// Only dimensions that divide evenly are split. Not thread-safe; reads the function and
// edits nothing until `annotate`.
#ifndef TANDEM_SHARDING_PROPAGATION_H
#define TANDEM_SHARDING_PROPAGATION_H

#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tandem/Sharding/Rule.h"
#include "tandem/Sharding/Sharding.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace tandem {

class Propagation {
public:
  Propagation(mlir::func::FuncOp func, const MeshSet &meshes);

  /// Builds the graph. Fails with a diagnostic on shardings that do not fit.
  mlir::LogicalResult build();
  /// Runs to the fixpoint; returns the number of sweeps.
  unsigned run();
  /// Writes `sdy.sharding` for every value, closed.
  void annotate();
  /// The sharding of a value; asserts that the value is a ranked tensor of the function.
  const Sharding &getSharding(mlir::Value value) const;
  /// How many values some dimension of which is split.
  unsigned getNumSharded() const;

private:
  enum class Kind : uint8_t { PassOn, Dynamic, Broadcast, Other };
  struct Node {
    Sharding sharding;
    mlir::RankedTensorType type;
    bool given = false; // by the user
  };
  struct Edge {
    ShardingRule rule;
    llvm::SmallVector<unsigned> nodes; // operands, then results
    unsigned numOperands = 0;
    Kind kind = Kind::Other;
  };

  unsigned addNode(mlir::RankedTensorType type);
  /// The node of a value, made on first sight.
  unsigned nodeOf(mlir::Value value);
  mlir::LogicalResult give(unsigned node, mlir::sdy::TensorShardingAttr attr, mlir::Operation *op);
  void addIdentity(llvm::ArrayRef<unsigned> sources, llvm::ArrayRef<unsigned> targets);
  mlir::LogicalResult addBlock(mlir::Block &block);
  mlir::LogicalResult addOp(mlir::Operation *op);
  mlir::LogicalResult addManual(mlir::sdy::ManualComputationOp op);
  mlir::LogicalResult applyConstraints();
  bool propagate(const Edge &edge, unsigned stage);
  bool update(Node &node, const DimFactors &dims, const ShardingRule &rule, unsigned factor,
              AtomsRef atoms);

  mlir::func::FuncOp func;
  const MeshSet &meshes;
  const DeviceMesh &mesh;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  llvm::DenseMap<mlir::Value, unsigned> nodeOfValue; // look-ups only
  llvm::SmallVector<unsigned> resultNodes;           // of the function's results
  llvm::MapVector<int64_t, llvm::SmallVector<unsigned>> groups;
};

} // namespace tandem

#endif // TANDEM_SHARDING_PROPAGATION_H
