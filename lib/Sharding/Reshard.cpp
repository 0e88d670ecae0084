// Plans reshards; never edits.
#include "tandem/Sharding/Reshard.h"

#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {
using namespace mlir;

namespace {

/// Every dimension is cut into as many tiles, so devices need only exchange tiles.
bool sameTileCounts(const Sharding &a, const Sharding &b, const DeviceMesh &mesh) {
  for (auto [x, y] : llvm::zip_equal(a.dims, b.dims))
    if (mesh.getSize(x) != mesh.getSize(y))
      return false;
  return true;
}

/// Atoms that `to` adds to a dimension and that nothing uses yet.
Atoms sliceable(const Sharding &current, const Sharding &to, size_t dim) {
  Atoms atoms;
  if (!isPrefix(current.dims[dim], to.dims[dim]))
    return atoms;
  Atoms used = current.getUsed();
  for (uint16_t atom : AtomsRef(to.dims[dim]).drop_front(current.dims[dim].size())) {
    if (llvm::is_contained(used, atom))
      break;
    atoms.push_back(atom);
  }
  return atoms;
}

/// The longest tail of dimension `from` that is just what `toDim` wants next.
Atoms movable(const Sharding &current, const Sharding &to, size_t from, size_t toDim) {
  AtomsRef have = current.dims[from];
  size_t keep = commonPrefix(have, to.dims[from]);
  if (!isPrefix(current.dims[toDim], to.dims[toDim]))
    return {};
  AtomsRef wanted = AtomsRef(to.dims[toDim]).drop_front(current.dims[toDim].size());
  for (size_t start = keep; start < have.size(); ++start)
    if (isPrefix(have.drop_front(start), wanted))
      return Atoms(have.drop_front(start));
  return {};
}

} // namespace

std::vector<ReshardStep> planReshard(const Sharding &from, const Sharding &to,
                                     RankedTensorType global, const DeviceMesh &mesh) {
  std::vector<ReshardStep> plan;
  Sharding current = from;
  size_t rank = from.dims.size();
  auto localBytes = [&](const Sharding &sharding) {
    return getByteSize(sharding.getLocalType(global, mesh));
  };
  auto push = [&](ReshardStep::Kind kind, size_t dim, size_t toDim, Atoms atoms, int64_t bytes) {
    ReshardStep step{
        kind, static_cast<int64_t>(dim), static_cast<int64_t>(toDim), std::move(atoms), current,
        bytes};
    plan.push_back(std::move(step));
  };
  while (!current.sameTiles(to)) {
    if (sameTileCounts(current, to, mesh)) {
      int64_t bytes = localBytes(current);
      current.dims = to.dims;
      push(ReshardStep::Permute, 0, 0, {}, bytes);
      break;
    }
    bool progress = false;
    for (size_t dim = 0; dim < rank; ++dim) {
      Atoms atoms = sliceable(current, to, dim);
      if (atoms.empty())
        continue;
      current.dims[dim].append(atoms);
      push(ReshardStep::Slice, dim, dim, atoms, 0);
      progress = true;
    }
    for (size_t dim = 0; dim < rank && !progress; ++dim)
      for (size_t toDim = 0; toDim < rank && !progress; ++toDim) {
        if (dim == toDim)
          continue;
        Atoms atoms = movable(current, to, dim, toDim);
        if (atoms.empty())
          continue;
        int64_t group = mesh.getSize(atoms);
        int64_t bytes = localBytes(current) / group * (group - 1);
        current.dims[dim].truncate(current.dims[dim].size() - atoms.size());
        current.dims[toDim].append(atoms);
        push(ReshardStep::AllToAll, dim, toDim, atoms, bytes);
        progress = true;
      }
    for (size_t dim = 0; dim < rank && !progress; ++dim) {
      size_t keep = commonPrefix(current.dims[dim], to.dims[dim]);
      if (keep == current.dims[dim].size())
        continue;
      Atoms atoms(AtomsRef(current.dims[dim]).drop_front(keep));
      int64_t bytes = localBytes(current) * (mesh.getSize(atoms) - 1);
      current.dims[dim].truncate(keep);
      push(ReshardStep::AllGather, dim, dim, atoms, bytes);
      progress = true;
    }
    assert(progress && "a reshard step always exists");
  }
  return plan;
}

int64_t getCostBytes(ArrayRef<ReshardStep> plan) {
  int64_t cost = 0;
  for (const ReshardStep &step : plan)
    cost += step.wireBytes + (step.kind == ReshardStep::Slice ? 0 : kCollectiveChargeBytes);
  return cost;
}

int64_t getAllReduceBytes(int64_t bytes, int64_t groupSize) {
  return 2 * bytes * (groupSize - 1) / groupSize;
}

} // namespace tandem
