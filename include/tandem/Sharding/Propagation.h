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
// A dimension need not divide evenly if the op's factor is all of it; no tile is cut to nothing.
// Not thread-safe; reads the function and edits nothing until `annotate`.
#ifndef TANDEM_SHARDING_PROPAGATION_H
#define TANDEM_SHARDING_PROPAGATION_H

#include <memory>
#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tandem/Sharding/Assignment.h"
#include "tandem/Sharding/Rule.h"
#include "tandem/Sharding/Sharding.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace tandem {

/// Who said that an axis splits a dimension.
struct ShardingOrigin {
  enum Kind : uint8_t {
    None,
    Argument,   // of the function, by `index`
    Result,     // of the function, by `index`
    Constraint, // `op`: a sharding_constraint, or an op with a sharding of its own
    Boundary,   // `op`: a manual computation's in_ or out_sharding
  } kind = None;
  unsigned index = 0;
  mlir::Operation *op = nullptr;
};

class Propagation {
public:
  /// What propagation found for one array.
  struct Sharded {
    mlir::RankedTensorType type; // global
    Sharding sharding;
    llvm::SmallVector<ShardingOrigin, 4> origins; // by atom of the mesh
  };

  Propagation(mlir::func::FuncOp func, const MeshSet &meshes);

  /// Builds the graph. Fails with a diagnostic on shardings that do not fit.
  mlir::LogicalResult build();
  /// Runs to the fixpoint, once per priority, lowest number first; returns the number of
  /// sweeps. With `dataFirst`, shardings of donated arguments and of the results that replace
  /// them (parameters, optimizer state) come after all others of their priority.
  unsigned run(bool dataFirst = false);
  /// Whether `dataFirst` can make a difference.
  bool hasDonated() const { return anyDonated; }
  /// What the partitioner would pay for the shardings, loops counted, in bytes sent by one
  /// device. For comparing two propagations of one function.
  struct Cost {
    int64_t sent = 0;
    int64_t work = 0; // on the device, in bytes sent that are worth as much
  };
  Cost estimateCost(const WorkWeights &weights) const;
  /// No remarks from now on.
  void setQuiet() { quiet = true; }
  /// Whether both gave every value the same sharding; of the same function only.
  bool sameAs(const Propagation &other) const;
  /// Writes `sdy.sharding` for every value, closed.
  void annotate();
  /// The sharding of a value; asserts that the value is a ranked tensor of the function.
  const Sharding &getSharding(mlir::Value value) const;
  /// Whether the value takes part.
  bool knows(mlir::Value value) const { return nodeOfValue.contains(value); }
  Sharded getSharded(mlir::Value value) const { return getSharded(nodeOfValue.at(value)); }
  /// The same for a result of the function.
  Sharded getShardedResult(unsigned index) const { return getSharded(resultNodes[index]); }
  /// How many values some dimension of which is split.
  unsigned getNumSharded() const;

private:
  enum class Kind : uint8_t { PassOn, Dynamic, Broadcast, Other };
  struct Node {
    Sharding sharding;
    mlir::RankedTensorType type;
    bool given = false; // by the user
    bool even = false;  // must be divided evenly: at the border of a manual computation
    /// An argument to be overwritten, the result that does so, or a constrained array of such an
    /// argument's type (its gradient).
    bool donated = false;
    llvm::SmallVector<int64_t, 4> priorities; // by dimension; empty: all zero
    llvm::SmallVector<uint32_t, 4> origins;   // by atom, indices of `origins`; empty: all none
  };
  struct Edge {
    ShardingRule rule;
    llvm::SmallVector<unsigned> nodes; // operands, then results
    unsigned numOperands = 0;
    Kind kind = Kind::Other;
    mlir::Operation *op = nullptr; // null: elements flow unchanged
    int64_t trips = 1;             // how often the loops around it run it, estimated
  };

  unsigned addNode(mlir::RankedTensorType type);
  /// The node of a value, made on first sight.
  unsigned nodeOf(mlir::Value value);
  mlir::LogicalResult give(unsigned node, mlir::sdy::TensorShardingAttr attr, mlir::Operation *op,
                           ShardingOrigin origin);
  Sharded getSharded(unsigned node) const;
  void addIdentity(llvm::ArrayRef<unsigned> sources, llvm::ArrayRef<unsigned> targets);
  mlir::LogicalResult addBlock(mlir::Block &block);
  mlir::LogicalResult addOp(mlir::Operation *op);
  mlir::LogicalResult addManual(mlir::sdy::ManualComputationOp op);
  mlir::LogicalResult applyConstraints();
  /// Whether a dimension's sharding does not propagate yet.
  bool isHidden(const Node &node, size_t dim) const {
    return 2 * (node.priorities.empty() ? 0 : node.priorities[dim]) + (dataFirst && node.donated) >
           current;
  }
  /// What propagation sees of a node: hidden dimensions are closed and empty.
  Sharding getVisible(const Node &node) const;
  void markDonated();
  bool propagate(const Edge &edge, unsigned stage);
  bool update(unsigned index, const DimFactors &dims, const ShardingRule &rule, unsigned factor,
              AtomsRef atoms, llvm::ArrayRef<uint32_t> atomOrigins);

  mlir::func::FuncOp func;
  const MeshSet &meshes;
  const DeviceMesh &mesh;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<ShardingOrigin> origins{ShardingOrigin()};
  std::vector<llvm::SmallVector<unsigned, 4>> edgesOfNode; // while running
  std::vector<bool> dirty;                                 // edges to look at again
  llvm::DenseMap<mlir::Value, unsigned> nodeOfValue;       // look-ups only
  llvm::SmallDenseSet<mlir::Type> donatedTypes;            // look-ups only
  llvm::SmallVector<unsigned> resultNodes;                 // of the function's results
  llvm::MapVector<int64_t, llvm::SmallVector<unsigned>> groups;
  bool anyDonated = false, anyPriority = false, dataFirst = false, quiet = false;
  int64_t current = 0; // twice the priority being run, plus one for donated arrays
  int64_t trips = 1;   // of the block being added
};

/// The propagation that phase shard takes, run to its end.
struct PropagationChoice {
  std::unique_ptr<Propagation> propagation;
  unsigned sweeps = 0;
  bool dataFirst = false; // data led parameters, which was cheaper
};

/// Propagates through a function; with donated arguments both ways, and takes the cheaper one.
/// Fails with a diagnostic on shardings that do not fit.
mlir::FailureOr<PropagationChoice>
propagateShardings(mlir::func::FuncOp func, const MeshSet &meshes, const WorkWeights &weights);

} // namespace tandem

#endif // TANDEM_SHARDING_PROPAGATION_H
