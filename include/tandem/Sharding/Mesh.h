// The mesh as arithmetic: every mesh axis is split into its prime factors, the "atoms",
// numbered major to minor over the whole mesh. An axis, a part of an axis, or several axes
// in a row are then lists of atoms, and prefix, overlap and division are list operations.
//
//   @mesh = <["data"=4, "model"=6]>      atoms 0,1 = data (2,2)   atoms 2,3 = model (2,3)
//   "data"       = [0, 1]
//   "data":(2)2  = [1]
//   {"model", "data":(1)2} = [2, 3, 0]
//
// Meshes of one module that arrange the same devices in the same order share atoms when
// their prime factors agree (<["x"=8]> and <["a"=2, "b"=4]>), so values may move between
// them. Objects are immutable values and hold uniqued attributes only.
#ifndef TANDEM_SHARDING_MESH_H
#define TANDEM_SHARDING_MESH_H

#include <cstdint>
#include <optional>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "llvm/ADT/SmallVector.h"

namespace tandem {

/// Atoms in major to minor order of the dimension they shard.
using Atoms = llvm::SmallVector<uint16_t, 6>;
using AtomsRef = llvm::ArrayRef<uint16_t>;

/// Whether `prefix` is how `list` starts.
bool isPrefix(AtomsRef prefix, AtomsRef list);
/// Length of the longest common prefix.
size_t commonPrefix(AtomsRef a, AtomsRef b);
/// Whether the lists have an atom in common.
bool intersects(AtomsRef a, AtomsRef b);

class DeviceMesh {
public:
  /// What MeshSet::get accepts; a mesh of more devices than this is a slip of the pen.
  static constexpr int64_t kMaxDevices = 65536;

  DeviceMesh() = default;
  DeviceMesh(mlir::sdy::MeshAttr mesh, mlir::StringAttr name);

  mlir::StringAttr getName() const { return name; }
  mlir::sdy::MeshAttr getAttr() const { return mesh; }
  /// Product of the axis sizes; 1 for a mesh without axes.
  int64_t getNumDevices() const { return numDevices; }
  unsigned getNumAtoms() const { return sizes.size(); }
  llvm::ArrayRef<int64_t> getAtomSizes() const { return sizes; }
  /// Product of the sizes of atoms.
  int64_t getSize(AtomsRef atoms) const;

  /// The atoms of an axis or sub-axis; nullopt if the axis is unknown or the sub-axis cuts
  /// through a prime factor.
  std::optional<Atoms> getAtoms(mlir::sdy::AxisRefAttr axis) const;
  std::optional<Atoms> getAtoms(llvm::ArrayRef<mlir::sdy::AxisRefAttr> axes) const;
  /// The fewest axis references that spell the atoms, in order.
  llvm::SmallVector<mlir::sdy::AxisRefAttr> getAxes(AtomsRef atoms) const;
  /// The names of the axes that atoms belong to, each once, in the atoms' order.
  llvm::SmallVector<llvm::StringRef> getAxisNames(AtomsRef atoms) const;

  /// Row-major index over `atoms` of the device at a position of the mesh.
  int64_t getCoordinate(int64_t position, AtomsRef atoms) const;
  /// Device id at a position of the mesh (the identity without device_ids).
  int64_t getDeviceId(int64_t position) const {
    return deviceIds.empty() ? position : deviceIds[position];
  }
  bool hasIotaDeviceIds() const { return deviceIds.empty(); }
  /// Stride in mesh positions of an atom.
  int64_t getStride(uint16_t atom) const { return strides[atom]; }
  /// All atoms that are not in the list, in mesh order.
  Atoms getOthers(AtomsRef atoms) const;

  /// Groups of device ids for a collective over atoms: one row per setting of the other
  /// atoms, in it the devices ordered by their coordinate over `atoms`.
  llvm::SmallVector<llvm::SmallVector<int64_t>> getGroups(AtomsRef atoms) const;
  mlir::DenseIntElementsAttr getReplicaGroups(AtomsRef atoms) const;
  /// The atoms along which devices of one row differ; rows of device ids, [rows, devices of a row],
  /// those below zero being no device. An empty attribute is one row of all devices.
  Atoms getAtomsOfGroups(mlir::DenseIntElementsAttr groups) const;

private:
  mlir::sdy::MeshAttr mesh;
  mlir::StringAttr name;
  int64_t numDevices = 1;
  llvm::SmallVector<int64_t> sizes;      // of each atom
  llvm::SmallVector<int64_t> strides;    // of each atom, in positions
  llvm::SmallVector<unsigned> axisOf;    // of each atom
  llvm::SmallVector<unsigned> firstAtom; // of each axis, and one past the end
  llvm::SmallVector<int64_t> deviceIds;  // empty: iota
};

/// The meshes of a module: the one the program runs on and its other spellings.
class MeshSet {
public:
  /// Reads every sdy.mesh. Fails with a diagnostic if two meshes with several devices do
  /// not arrange the same devices alike.
  static mlir::FailureOr<MeshSet> get(mlir::ModuleOp module);

  /// True when there is no mesh with more than one device.
  bool empty() const { return meshes.empty(); }
  /// The first mesh with more than one device.
  const DeviceMesh &getMain() const { return meshes.front(); }
  /// The mesh with this symbol name; null for unknown ones and for meshes of one device,
  /// which shard nothing.
  const DeviceMesh *lookup(llvm::StringRef name) const;

private:
  llvm::SmallVector<DeviceMesh, 2> meshes;
};

} // namespace tandem

#endif // TANDEM_SHARDING_MESH_H
