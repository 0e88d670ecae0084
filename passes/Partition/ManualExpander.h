// Clones the body of a manual computation once per shard, on one device.
//
// A context is the list of manual atoms so far; shard i is the row-major setting i of them.
// Each value of the body stands for one value per shard, kept in one IRMapping per shard.
// Collectives read the values of their group's shards; ops without collectives inside are
// simply cloned.
#ifndef TANDEM_PASSES_PARTITION_MANUALEXPANDER_H
#define TANDEM_PASSES_PARTITION_MANUALEXPANDER_H

#include <vector>

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Partition/Slices.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Sharding/Sharding.h"

namespace tandem {

class ManualExpander {
public:
  explicit ManualExpander(const MeshSet &meshes) : meshes(meshes) {}

  /// Replaces a manual computation that no other one encloses.
  mlir::LogicalResult expand(mlir::sdy::ManualComputationOp op);

  unsigned numCollectives = 0;

private:
  struct Context {
    Atoms atoms;                       // manual so far
    std::vector<int64_t> deviceOf;     // by shard: the first device that runs it
    std::vector<int64_t> shardOf;      // by device id
    std::vector<mlir::IRMapping> maps; // by shard
  };
  using Values = llvm::SmallVector<mlir::Value>; // one per shard

  Context makeContext(Atoms atoms) const;
  Values lookup(const Context &context, mlir::Value value) const;
  void define(Context &context, mlir::Value value, const Values &values) const;

  mlir::LogicalResult emitBlock(mlir::OpBuilder &b, mlir::Block &block, Context &context);
  mlir::LogicalResult emit(mlir::OpBuilder &b, mlir::Operation *op, Context &context);
  mlir::LogicalResult emitManual(mlir::OpBuilder &b, mlir::sdy::ManualComputationOp op,
                                 Context &context);
  /// A loop or branch over the state of all shards.
  mlir::LogicalResult emitMerged(mlir::OpBuilder &b, mlir::Operation *op, Context &context);

  // --- Collectives (ExpandCollectives.cpp) ---
  mlir::LogicalResult emitCollective(mlir::OpBuilder &b, mlir::Operation *op, Context &context);
  /// For each shard, the shards of its group in group order.
  mlir::FailureOr<std::vector<std::vector<int64_t>>> getGroups(mlir::Operation *op,
                                                               const Context &context) const;
  mlir::Value fold(mlir::OpBuilder &b, mlir::Location loc, mlir::Region &reducer,
                   llvm::ArrayRef<mlir::Value> values) const;

  const MeshSet &meshes;
};

/// Whether the op is a collective or asks which device it runs on.
bool dependsOnDevice(mlir::Operation *op);

} // namespace tandem

#endif // TANDEM_PASSES_PARTITION_MANUALEXPANDER_H
