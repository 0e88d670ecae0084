// How one global tensor is split over the mesh: for each dimension a list of atoms (see
// Mesh.h), major to minor. The working form of #sdy.sharding during propagation and
// partitioning; shapes given to these functions are global unless they say local.
//
//   #sdy.sharding<@mesh, [{"data"}, {?}]>  =  dims {[0,1], []}, open {false, true}
//   local shape of tensor<16x8xf32> with "data"=4:  4x8
#ifndef TANDEM_SHARDING_SHARDING_H
#define TANDEM_SHARDING_SHARDING_H

#include "mlir/IR/BuiltinTypes.h"
#include "tandem/Sharding/Mesh.h"

namespace tandem {

/// How many of the atoms can split `size` elements so that no tile of one element is cut.
size_t countFitting(int64_t size, AtomsRef atoms, const DeviceMesh &mesh);

struct Sharding {
  llvm::SmallVector<Atoms, 4> dims;
  llvm::SmallVector<bool, 4> open; // per dimension: may propagation split it further
  Atoms replicated;                // must not be used by propagation

  Sharding() = default;
  /// Fully replicated, every dimension open or closed.
  explicit Sharding(int64_t rank, bool isOpen = true) : dims(rank), open(rank, isOpen) {}

  /// Reads an attribute. Fails with a diagnostic at `op` on unknown meshes or axes and on
  /// unreduced axes. Null attributes give an open sharding of the rank.
  static mlir::FailureOr<Sharding> get(mlir::sdy::TensorShardingAttr attr, int64_t rank,
                                       const MeshSet &meshes, mlir::Operation *op);
  /// Spelled on `mesh`. `keepOpen`: print open dimensions as such, else all are closed.
  mlir::sdy::TensorShardingAttr getAttr(const DeviceMesh &mesh, bool keepOpen = false) const;

  bool isReplicated() const;
  /// Every atom that some dimension uses.
  Atoms getUsed() const;
  /// Same tiles on the same devices; openness does not matter.
  bool sameTiles(const Sharding &other) const { return dims == other.dims; }
  int64_t getNumTiles(const DeviceMesh &mesh, int64_t dim) const { return mesh.getSize(dims[dim]); }
  /// Whether every dimension is divided evenly.
  bool divides(mlir::RankedTensorType global, const DeviceMesh &mesh) const;
  /// Drops minor atoms until every dimension is divided evenly; true if any was dropped.
  bool makeDivisible(mlir::RankedTensorType global, const DeviceMesh &mesh);
  /// Whether no atom cuts a tile of one element. Dimensions need not divide evenly: the last tiles
  /// may be short or empty (rule M5).
  bool fits(mlir::RankedTensorType global, const DeviceMesh &mesh) const;
  /// Drops minor atoms until it fits; true if any was dropped.
  bool makeFit(mlir::RankedTensorType global, const DeviceMesh &mesh);
  /// The smallest type not smaller than `global` that is divided evenly.
  mlir::RankedTensorType getPaddedType(mlir::RankedTensorType global, const DeviceMesh &mesh) const;
  /// The type one device holds, of the padded type if the division is not even.
  mlir::RankedTensorType getLocalType(mlir::RankedTensorType global, const DeviceMesh &mesh) const;
  /// The same without some atoms, each taken out wherever it is.
  Sharding without(AtomsRef atoms) const;
};

} // namespace tandem

#endif // TANDEM_SHARDING_SHARDING_H
