// Builds the per-device ops that partitioning needs: where am I, local slices, collectives.
// Every op made here carries a cause (rule, array, axes) on top of the source location.
// Device ids in groups are those of the mesh; types are local.
#ifndef TANDEM_PASSES_PARTITION_SPMD_H
#define TANDEM_PASSES_PARTITION_SPMD_H

#include <map>
#include <string>
#include <vector>

#include "mlir/IR/Builders.h"
#include "tandem/Sharding/Reshard.h"
#include "tandem/Sharding/Rule.h"
#include "tandem/Sharding/TwoLevels.h"

namespace tandem {

/// Why an op is made and for which array; becomes its cause.
struct Reason {
  mlir::Location source;
  std::string rule;
  std::string array;
};

class SpmdBuilder {
public:
  /// `entry`: the block of @main being built; device coordinates are computed at its start
  /// once and used everywhere below.
  SpmdBuilder(const DeviceMesh &mesh, mlir::Block *entry, llvm::StringRef reductionDtype,
              const Target &target);

  mlir::OpBuilder &getBuilder() { return b; }

  /// tensor<i32>: the device's row-major coordinate over the atoms.
  mlir::Value getCoordinate(AtomsRef atoms);
  /// tensor<i32>: coordinate * factor.
  mlir::Value getOffset(AtomsRef atoms, int64_t factor);

  /// tensor<i1>: whether the device is the first along the atoms.
  mlir::Value isFirst(AtomsRef atoms, mlir::Location loc);

  /// tensor<i1>, tensor<i32>: the device's own of one value for each coordinate over the atoms.
  mlir::Value lookup(AtomsRef atoms, llvm::ArrayRef<bool> values, mlir::Location loc);
  mlir::Value lookup(AtomsRef atoms, llvm::ArrayRef<int64_t> values, mlir::Location loc);
  /// `pairs`: source and target device ids in turn; others receive zeros.
  mlir::Value permute(mlir::Value local, llvm::ArrayRef<int64_t> pairs, AtomsRef atoms,
                      const Reason &reason);

  /// Carries out one step of a reshard plan.
  mlir::Value applyStep(mlir::Value local, const ReshardStep &step, const Sharding &before,
                        mlir::RankedTensorType global, const Reason &reason);
  /// The device's tile of a value that every device holds whole.
  mlir::Value sliceToTile(mlir::Value whole, const Sharding &sharding, const Reason &reason);
  mlir::Value allReduce(mlir::Value local, AtomsRef atoms, Combiner combiner, const Reason &reason);
  /// Combines over the atoms and keeps the device's part of `dim`.
  mlir::Value reduceScatter(mlir::Value local, int64_t dim, AtomsRef atoms, Combiner combiner,
                            const Reason &reason);

  /// All-gather of `local` along dimension `dim`.
  mlir::Value gather(mlir::Value local, int64_t dim, AtomsRef atoms, const Reason &reason);
  /// `local` with the last element along `dim` of every tile before the device's combined into all
  /// its elements; `isReverse`: with the first one of every tile behind it.
  mlir::Value addBefore(mlir::Value local, int64_t dim, AtomsRef atoms, bool isReverse,
                        Combiner combiner, const Reason &reason);
  /// The value of the device at coordinate `owner` over the atoms.
  mlir::Value broadcast(mlir::Value local, AtomsRef atoms, int64_t owner, const Reason &reason);

  /// [1, shape] of every device along the atoms, as [devices, shape].
  mlir::Value stack(mlir::Value local, AtomsRef atoms, const Reason &reason);

  mlir::Value createSplat(mlir::Location loc, mlir::RankedTensorType type, int64_t value);
  /// The value that changes nothing when combined.
  mlir::Value createNeutral(mlir::Location loc, mlir::RankedTensorType type, Combiner combiner);
  mlir::Value combine(mlir::Location loc, mlir::Value a, mlir::Value b, Combiner combiner);
  mlir::Location getLoc(const Reason &reason, AtomsRef atoms) const;

  unsigned numCollectives = 0;

private:
  mlir::Attribute nextChannel();
  /// A sum of `wide`, one collective.
  mlir::Value reduceOnce(mlir::Value wide, AtomsRef atoms, Combiner combiner, mlir::Location loc);
  mlir::Value scatterOnce(mlir::Value wide, int64_t dim, AtomsRef atoms, Combiner combiner,
                          mlir::Location loc);
  mlir::Value gatherOnce(mlir::Value local, int64_t dim, AtomsRef atoms, mlir::Location loc);
  /// Rule A9: in steps on two link levels where that is cheaper; null where it is not.
  mlir::Value reduceInLevels(mlir::Value wide, mlir::Type element, AtomsRef atoms,
                             Combiner combiner, const Reason &reason);
  /// Blocks of a dimension, numbered over the atoms in the order `from`, in the order `to`.
  mlir::Value reorder(mlir::Value value, int64_t dim, AtomsRef from, AtomsRef to,
                      mlir::Location loc);
  mlir::Location getStepLoc(const Reason &reason, llvm::StringRef step, AtomsRef atoms,
                            bool isFast) const;
  mlir::Value lookupIn(mlir::DenseElementsAttr table, AtomsRef atoms, mlir::Location loc);
  mlir::Value widen(mlir::Value local, mlir::Location loc);
  mlir::Value narrow(mlir::Value wide, mlir::Type type, mlir::Location loc);
  void fillReducer(mlir::Region &region, mlir::Type element, Combiner combiner, mlir::Location loc);

  const DeviceMesh &mesh;
  mlir::Block *entry;
  mlir::OpBuilder b;
  bool sumInF32;
  const Target &target;
  mlir::Operation *lastEntryOp = nullptr; // coordinates go right behind it
  mlir::Value position;                   // tensor<i32>, of the device in the mesh
  std::map<std::vector<uint16_t>, mlir::Value> coordinates;
  std::map<std::pair<std::vector<uint16_t>, int64_t>, mlir::Value> offsets;
};

} // namespace tandem

#endif // TANDEM_PASSES_PARTITION_SPMD_H
