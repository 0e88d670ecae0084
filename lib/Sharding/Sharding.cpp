// The working form of #sdy.sharding.
#include "tandem/Sharding/Sharding.h"

#include "llvm/Support/MathExtras.h"

namespace tandem {
using namespace mlir;

FailureOr<Sharding> Sharding::get(sdy::TensorShardingAttr attr, int64_t rank, const MeshSet &meshes,
                                  Operation *op) {
  if (!attr)
    return Sharding(rank);
  if (attr.getRank() != rank)
    return op->emitError() << "sharding " << attr << " has " << attr.getRank()
                           << " dimensions; expected " << rank;
  auto meshName = dyn_cast<FlatSymbolRefAttr>(attr.getMeshOrRef());
  if (!meshName)
    return op->emitError() << "meshes written in place are not supported; name the mesh in "
                              "an sdy.mesh op";
  if (!attr.getUnreducedAxes().empty())
    return op->emitError()
           << "unreduced axes are not supported on program values; reduce the value where it is "
              "made, and leave them out";
  Sharding result(rank);
  for (auto [dim, dimSharding] : llvm::enumerate(attr.getDimShardings()))
    result.open[dim] = !dimSharding.getIsClosed();
  const DeviceMesh *mesh = meshes.lookup(meshName.getValue());
  if (!mesh)
    return result; // a mesh of one device shards nothing
  auto fail = [&]() {
    return op->emitError() << "sharding " << attr << " does not fit mesh @" << meshName.getValue()
                           << ", " << mesh->getAttr();
  };
  for (auto [dim, dimSharding] : llvm::enumerate(attr.getDimShardings())) {
    std::optional<Atoms> atoms = mesh->getAtoms(dimSharding.getAxes());
    if (!atoms)
      return fail();
    result.dims[dim] = std::move(*atoms);
  }
  std::optional<Atoms> replicated = mesh->getAtoms(attr.getReplicatedAxes());
  if (!replicated)
    return fail();
  result.replicated = std::move(*replicated);
  return result;
}

sdy::TensorShardingAttr Sharding::getAttr(const DeviceMesh &mesh, bool keepOpen) const {
  MLIRContext *ctx = mesh.getAttr().getContext();
  SmallVector<sdy::DimensionShardingAttr> attrs;
  for (auto [atoms, isOpen] : llvm::zip_equal(dims, open))
    attrs.push_back(
        sdy::DimensionShardingAttr::get(ctx, mesh.getAxes(atoms), !(keepOpen && isOpen)));
  return sdy::TensorShardingAttr::get(ctx, mesh.getName(), attrs, mesh.getAxes(replicated),
                                      ArrayRef<sdy::AxisRefAttr>());
}

bool Sharding::isReplicated() const {
  return llvm::all_of(dims, [](const Atoms &atoms) { return atoms.empty(); });
}

Atoms Sharding::getUsed() const {
  Atoms used;
  for (const Atoms &atoms : dims)
    used.append(atoms);
  return used;
}

bool Sharding::divides(RankedTensorType global, const DeviceMesh &mesh) const {
  for (auto [size, atoms] : llvm::zip_equal(global.getShape(), dims))
    if (size % mesh.getSize(atoms) != 0)
      return false;
  return true;
}

bool Sharding::makeDivisible(RankedTensorType global, const DeviceMesh &mesh) {
  bool changed = false;
  for (auto [size, atoms] : llvm::zip_equal(global.getShape(), dims))
    while (size % mesh.getSize(atoms) != 0) {
      atoms.pop_back();
      changed = true;
    }
  return changed;
}

size_t countFitting(int64_t size, AtomsRef atoms, const DeviceMesh &mesh) {
  if (size % mesh.getSize(atoms) == 0)
    return atoms.size();
  size_t count = 0;
  for (; count < atoms.size() && size > 1; ++count)
    size = llvm::divideCeil(size, mesh.getSize(atoms[count]));
  return count;
}

bool Sharding::fits(RankedTensorType global, const DeviceMesh &mesh) const {
  return llvm::all_of(llvm::zip_equal(global.getShape(), dims), [&](const auto &pair) {
    const auto &[size, atoms] = pair;
    return countFitting(size, atoms, mesh) == atoms.size();
  });
}

bool Sharding::makeFit(RankedTensorType global, const DeviceMesh &mesh) {
  bool changed = false;
  for (auto [size, atoms] : llvm::zip_equal(global.getShape(), dims)) {
    size_t count = countFitting(size, atoms, mesh);
    changed |= count < atoms.size();
    atoms.truncate(count);
  }
  return changed;
}

RankedTensorType Sharding::getPaddedType(RankedTensorType global, const DeviceMesh &mesh) const {
  SmallVector<int64_t> shape(global.getShape());
  for (auto [size, atoms] : llvm::zip_equal(shape, dims))
    size = llvm::alignTo(size, mesh.getSize(atoms));
  return RankedTensorType::get(shape, global.getElementType(), global.getEncoding());
}

RankedTensorType Sharding::getLocalType(RankedTensorType global, const DeviceMesh &mesh) const {
  SmallVector<int64_t> shape(global.getShape());
  for (auto [size, atoms] : llvm::zip_equal(shape, dims))
    size = llvm::divideCeil(size, mesh.getSize(atoms));
  return RankedTensorType::get(shape, global.getElementType(), global.getEncoding());
}

Sharding Sharding::without(AtomsRef atoms) const {
  Sharding result = *this;
  for (Atoms &dim : result.dims)
    llvm::erase_if(dim, [&](uint16_t atom) { return llvm::is_contained(atoms, atom); });
  llvm::erase_if(result.replicated, [&](uint16_t atom) { return llvm::is_contained(atoms, atom); });
  return result;
}

} // namespace tandem
