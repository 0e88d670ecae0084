// Rewrites @main, whose types are global, into what one device runs.
//
// The new body is built beside the old one, in program order. For each old value the
// partitioner keeps the versions it has made of it: a local value and the sharding it is
// in. An op asks for its operands in the shardings that its assignment needs (see
// tandem/Sharding/Assignment.h); a version that is missing is made from the cheapest one
// there is and kept for the rest of the block it was made in and the blocks inside.
//
// A sum over devices whose only user is linear in it is not carried out at once: the user runs
// on the parts, so that all-reduce(a) + all-reduce(b) becomes all-reduce(a + b).
#ifndef TANDEM_PASSES_PARTITION_PARTITIONER_H
#define TANDEM_PASSES_PARTITION_PARTITIONER_H

#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Partition/Slices.h"
#include "passes/Partition/Spmd.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Sharding/Assignment.h"
#include "tandem/Sharding/Halo.h"
#include "tandem/Sharding/Names.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace tandem {

class Partitioner {
public:
  Partitioner(mlir::func::FuncOp main, const MeshSet &meshes, llvm::StringRef reductionDtype,
              const Target &target);

  /// Replaces the body and the type of @main. Fails with a diagnostic.
  mlir::LogicalResult run();

  unsigned getNumCollectives() const { return spmd->numCollectives; }
  unsigned numReplicated = 0; // places where operands are gathered for lack of a usable rule

private:
  struct Version {
    mlir::Value local;
    Sharding sharding;
  };
  /// A sum over devices that nothing has asked for yet: the device's part of it.
  struct Partial {
    mlir::Value local;
    Sharding sharding;
    Atoms atoms;
  };
  /// A carried value that a loop's body only adds to. Where what is added is a sum that has not
  /// been carried out, the value is a device's part all around the loop.
  struct Accumulator {
    mlir::Value local; // the body's argument
    Sharding sharding;
    Atoms atoms; // of the sum; empty: it is carried out in each iteration
  };
  using Scope = llvm::DenseMap<mlir::Value, std::vector<Version>>; // look-ups only

  // --- Versions of values (Partitioner.cpp) ---
  void addVersion(mlir::Value old, mlir::Value local, Sharding sharding);
  std::vector<Version> getVersions(mlir::Value old) const;
  /// The value in a sharding, made if there is no such version yet. `cause`: why it must be whole.
  mlir::Value get(mlir::Value old, const Sharding &sharding, mlir::Location user,
                  llvm::StringRef cause = {});
  /// Makes constants, iotas and broadcasts of scalars right where they are needed.
  mlir::Value rebuild(mlir::Value old, const Sharding &sharding);
  mlir::FailureOr<Sharding> getDeclared(mlir::Value value);
  mlir::RankedTensorType getLocalType(mlir::Value value, const Sharding &sharding) const;

  // --- Blocks and control flow (PartitionControl.cpp) ---
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emit(mlir::Operation *op);
  mlir::LogicalResult emitWhile(mlir::stablehlo::WhileOp op);
  mlir::LogicalResult emitBranches(mlir::Operation *op);
  mlir::LogicalResult checkDivides(mlir::Operation *op, const Sharding &sharding, mlir::Type type,
                                   llvm::StringRef what, unsigned index) const;
  mlir::LogicalResult emitManual(mlir::sdy::ManualComputationOp op);
  mlir::LogicalResult emitReturn(mlir::func::ReturnOp op);

  // --- Ranges of split dimensions (PartitionHalo.cpp) ---
  /// Replaces operands by what the op reads of them, neighbours' elements included.
  void fetchHalos(mlir::Operation *op, llvm::SmallVectorImpl<mlir::Value> &operands,
                  const ShardingRule &rule, const Assignment &assignment);
  /// `fill`: the scalar for what lies outside the array.
  mlir::Value fetchHalo(mlir::Value local, int64_t dim, AtomsRef atoms, const HaloPlan &plan,
                        mlir::Value fill, const Reason &reason);
  llvm::SmallVector<mlir::Value> clampStarts(mlir::ValueRange starts, mlir::RankedTensorType global,
                                             llvm::ArrayRef<int64_t> sizes, mlir::Location loc);
  mlir::Value moveIntoTile(mlir::Value &start, AtomsRef atoms, int64_t tile, int64_t width,
                           mlir::Location loc);
  mlir::Value emitSharedSlice(mlir::stablehlo::DynamicSliceOp op,
                              llvm::ArrayRef<mlir::Value> operands, const ShardingRule &rule,
                              const Assignment &assignment);
  mlir::Value emitSharedUpdate(mlir::stablehlo::DynamicUpdateSliceOp op,
                               llvm::ArrayRef<mlir::Value> operands, const ShardingRule &rule,
                               const Assignment &assignment);

  // --- Joins, first elements, owners (PartitionJoin.cpp) ---
  mlir::Value emitJoin(mlir::stablehlo::ConcatenateOp op, llvm::ArrayRef<mlir::Value> operands,
                       const Assignment &assignment);
  /// Makes the slices that read a sort, of the first elements along `dim`, from those of each tile.
  void emitFirsts(mlir::stablehlo::SortOp op, llvm::ArrayRef<mlir::Value> operands, int64_t dim,
                  int64_t count, const Assignment &assignment);
  /// Rule F19: what the tiles before (or behind) the device's add to its cumulative results.
  void addTilesBefore(mlir::stablehlo::ReduceWindowOp op, mlir::Value &local,
                      const ShardingRule &rule, const Assignment &assignment);
  mlir::Value sendByOwner(mlir::Operation *op, mlir::Value local, const Assignment &assignment);

  // --- Ops (PartitionOps.cpp) ---
  mlir::LogicalResult emitByRule(mlir::Operation *op);
  mlir::LogicalResult emitBarrier(mlir::stablehlo::OptimizationBarrierOp op);
  /// Clones the op for local operands, with attributes that hold sizes made local.
  mlir::Operation *createLocal(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands,
                               const Assignment &assignment);
  void nameCollective(mlir::Operation *op, mlir::Operation *local);
  mlir::Value spreadOffset(mlir::RankedTensorType type, AtomsRef atoms, int64_t size,
                           mlir::Location loc);
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
  /// Keeps a sum partial if its one user is linear in it; true if kept.
  bool delaySum(mlir::Value old, mlir::Value local, const Sharding &sharding, AtomsRef atoms);
  /// Adds the part of a sum to an accumulator's part; false if the op is not that.
  bool emitAccumulation(mlir::Operation *op);
  mlir::Value makePartial(mlir::Value old, const Partial &like, mlir::Location loc);
  /// Emits an op that is linear in partial sums on the parts; false if it is not such an op.
  bool emitOnPartials(mlir::Operation *op);
  /// Carries out the sum that a value still lacks.
  void settle(mlir::Value old);
  /// The same for all values, before an op with regions.
  void settleAll();
  mlir::Value combinePartials(mlir::Operation *op, mlir::Value local, Sharding &sharding,
                              const Sharding &wanted, Atoms atoms, Combiner combiner);
  mlir::Operation *combineByBody(mlir::stablehlo::ReduceOp op, mlir::Operation *local,
                                 AtomsRef atoms);
  mlir::Value combineRest(mlir::Operation *op, mlir::Value local, mlir::Value rest,
                          Combiner combiner);
  /// Why an operand that is split in all its versions is gathered for the op's sake and not for a
  /// conflict (rule A8); empty if it is not.
  static std::string getGatherCause(mlir::Operation *op, const ShardingRule &rule, unsigned operand,
                                    llvm::ArrayRef<Sharding> have);
  void noteReplication(mlir::Operation *op, unsigned operand, const std::string &cause,
                       const Sharding &needed, llvm::ArrayRef<Sharding> have);
  /// One remark for each cause.
  void remarkReplications();

  struct Replication {
    int64_t bytes = 0;
    llvm::SmallVector<mlir::Location> places; // of the ops
  };
  std::map<std::string, Replication> replications; // by cause

  mlir::func::FuncOp main;
  const MeshSet &meshes;
  const DeviceMesh &mesh;
  std::string reductionDtype;
  const Target &target;
  WorkWeights weights;
  std::unique_ptr<SpmdBuilder> spmd;
  std::vector<Scope> scopes;                             // innermost last
  llvm::DenseMap<mlir::Value, Accumulator> accumulators; // look-ups only, by body argument
  llvm::MapVector<mlir::Value, Partial> partials;        // made in the block being built
};

/// Constants, iotas and broadcasts of scalars: cheaper made again than moved.
bool isRebuildable(mlir::Operation *op);

} // namespace tandem

#endif // TANDEM_PASSES_PARTITION_PARTITIONER_H
