// Rewrites @main, whose types are global, into what one device runs.
//
// The new body is built beside the old one, in program order. For each old value the
// partitioner keeps the versions it has made of it: a local value and the sharding it is
// in. An op asks for its operands in the shardings that its assignment needs (see
// tandem/Sharding/Assignment.h); a version that is missing is made from the cheapest one
// there is and kept for the rest of the block it was made in and the blocks inside.
#ifndef TANDEM_PASSES_PARTITION_PARTITIONER_H
#define TANDEM_PASSES_PARTITION_PARTITIONER_H

#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Partition/Spmd.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Sharding/Assignment.h"
#include "llvm/ADT/DenseMap.h"

namespace tandem {

class Partitioner {
public:
  Partitioner(mlir::func::FuncOp main, const MeshSet &meshes, llvm::StringRef reductionDtype);

  /// Replaces the body and the type of @main. Fails with a diagnostic.
  mlir::LogicalResult run();

  unsigned getNumCollectives() const { return spmd->numCollectives; }
  unsigned numReplicated = 0; // ops computed on every device for lack of a usable rule

private:
  struct Version {
    mlir::Value local;
    Sharding sharding;
  };
  using Scope = llvm::DenseMap<mlir::Value, std::vector<Version>>; // look-ups only

  // --- Versions of values (Partitioner.cpp) ---
  void addVersion(mlir::Value old, mlir::Value local, Sharding sharding);
  std::vector<Version> getVersions(mlir::Value old) const;
  /// The value in a sharding, made if there is no such version yet.
  mlir::Value get(mlir::Value old, const Sharding &sharding, mlir::Location user);
  /// Makes constants, iotas and broadcasts of scalars right where they are needed.
  mlir::Value rebuild(mlir::Value old, const Sharding &sharding);
  mlir::FailureOr<Sharding> getDeclared(mlir::Value value);
  mlir::RankedTensorType getLocalType(mlir::Value value, const Sharding &sharding) const;

  // --- Blocks and control flow (PartitionControl.cpp) ---
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emit(mlir::Operation *op);
  mlir::LogicalResult emitWhile(mlir::stablehlo::WhileOp op);
  mlir::LogicalResult emitBranches(mlir::Operation *op);
  mlir::LogicalResult emitManual(mlir::sdy::ManualComputationOp op);
  mlir::LogicalResult emitReturn(mlir::func::ReturnOp op);

  // --- Ops (PartitionOps.cpp) ---
  mlir::LogicalResult emitByRule(mlir::Operation *op);
  mlir::LogicalResult emitBarrier(mlir::stablehlo::OptimizationBarrierOp op);
  /// Clones the op for local operands, with attributes that hold sizes made local.
  mlir::Operation *createLocal(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands,
                               const Assignment &assignment);
  mlir::Value emitShiftedGather(mlir::stablehlo::GatherOp op,
                                llvm::SmallVector<mlir::Value> operands,
                                const Assignment &assignment, AtomsRef atoms);
  void shiftScatterIndices(mlir::stablehlo::ScatterOp op,
                           llvm::SmallVectorImpl<mlir::Value> &operands,
                           const Assignment &assignment, AtomsRef atoms);
  /// Makes operands that partial results would count once per device neutral on all but
  /// one; returns what is to be combined with the result afterwards, if anything.
  mlir::Value neutralise(mlir::Operation *op, llvm::SmallVectorImpl<mlir::Value> &operands,
                         const ShardingRule &rule, const Assignment &assignment);
  mlir::Value combinePartials(mlir::Operation *op, mlir::Value local, Sharding &sharding,
                              const Sharding &wanted, Atoms atoms, Combiner combiner);
  mlir::Value combineRest(mlir::Operation *op, mlir::Value local, mlir::Value rest,
                          Combiner combiner);
  void remarkReplication(mlir::Operation *op, const ShardingRule &rule,
                         const Assignment &assignment,
                         llvm::ArrayRef<llvm::SmallVector<Sharding, 2>> have);

  mlir::func::FuncOp main;
  const MeshSet &meshes;
  const DeviceMesh &mesh;
  std::string reductionDtype;
  std::unique_ptr<SpmdBuilder> spmd;
  std::vector<Scope> scopes; // innermost last
};

/// A short name of an array for reports: the argument it is or is made from by ops that
/// only convert or rearrange, else the op that makes it.
std::string describeArray(mlir::Value value);

/// Constants, iotas and broadcasts of scalars: cheaper made again than moved.
bool isRebuildable(mlir::Operation *op);

} // namespace tandem

#endif // TANDEM_PASSES_PARTITION_PARTITIONER_H
