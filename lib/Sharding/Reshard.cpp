// Plans reshards; never edits.
#include "tandem/Sharding/Reshard.h"

#include <algorithm>
#include <map>

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

/// One step at a time towards the goal: slice what can be sliced, move what fits, gather the
/// rest. Never undone, so atoms the goal wants elsewhere may be gathered.
std::vector<ReshardStep> planGreedily(const Sharding &from, const Sharding &to,
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

/// Whether some step gathers atoms that the goal is split by.
bool gathersInVain(ArrayRef<ReshardStep> plan, const Sharding &to) {
  Atoms wanted = to.getUsed();
  return llvm::any_of(plan, [&](const ReshardStep &step) {
    return step.kind == ReshardStep::AllGather && intersects(step.atoms, wanted);
  });
}

/// Cheapest path by Dijkstra's algorithm over shardings, from `from` to `to`, cheaper than
/// `bound`; empty if there is none or too many shardings would have to be looked at.
class PathFinder {
public:
  PathFinder(const Sharding &from, const Sharding &to, RankedTensorType global,
             const DeviceMesh &mesh, int64_t bound)
      : to(to), global(global), mesh(mesh), bound(bound) {
    states.push_back({from, 0, -1, {}, false});
    index[from.dims] = 0;
  }

  std::vector<ReshardStep> find() {
    for (unsigned looked = 0; looked < kMaxStates; ++looked) {
      int best = -1;
      for (int i = 0, e = states.size(); i < e; ++i)
        if (!states[i].done && (best < 0 || states[i].cost < states[best].cost))
          best = i;
      if (best < 0)
        return {};
      states[best].done = true;
      if (states[best].sharding.sameTiles(to))
        return trace(best);
      expand(best);
    }
    return {};
  }

private:
  static constexpr unsigned kMaxStates = 128;
  struct State {
    Sharding sharding;
    int64_t cost;
    int previous;
    ReshardStep step;
    bool done;
  };
  struct Less {
    bool operator()(const SmallVector<Atoms, 4> &a, const SmallVector<Atoms, 4> &b) const {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    }
  };

  std::vector<ReshardStep> trace(int state) const {
    std::vector<ReshardStep> plan;
    for (; states[state].previous >= 0; state = states[state].previous)
      plan.push_back(states[state].step);
    std::reverse(plan.begin(), plan.end());
    return plan;
  }

  void reach(int from, Sharding sharding, ReshardStep::Kind kind, size_t dim, size_t toDim,
             Atoms atoms, int64_t bytes) {
    if (!sharding.divides(global, mesh))
      return;
    int64_t cost =
        states[from].cost + bytes + (kind == ReshardStep::Slice ? 0 : kCollectiveChargeBytes);
    if (cost >= bound)
      return;
    ReshardStep step{
        kind, static_cast<int64_t>(dim), static_cast<int64_t>(toDim), std::move(atoms), sharding,
        bytes};
    auto [it, isNew] = index.try_emplace(sharding.dims, states.size());
    if (isNew) {
      states.push_back({std::move(sharding), cost, from, std::move(step), false});
      return;
    }
    State &state = states[it->second];
    if (cost < state.cost) {
      state.cost = cost;
      state.previous = from;
      state.step = std::move(step);
    }
  }

  void expand(int from) {
    const Sharding here = states[from].sharding;
    int64_t bytes = getByteSize(here.getLocalType(global, mesh));
    if (sameTileCounts(here, to, mesh)) {
      Sharding next = here;
      next.dims = to.dims;
      reach(from, next, ReshardStep::Permute, 0, 0, {}, bytes);
    }
    Atoms used = here.getUsed();
    for (size_t dim = 0; dim < here.dims.size(); ++dim) {
      for (uint16_t atom : to.getUsed())
        if (!llvm::is_contained(used, atom)) {
          Sharding next = here;
          next.dims[dim].push_back(atom);
          reach(from, next, ReshardStep::Slice, dim, dim, {atom}, 0);
        }
      for (size_t keep = 0; keep < here.dims[dim].size(); ++keep) {
        Atoms atoms(AtomsRef(here.dims[dim]).drop_front(keep));
        int64_t group = mesh.getSize(atoms);
        Sharding next = here;
        next.dims[dim].truncate(keep);
        reach(from, next, ReshardStep::AllGather, dim, dim, atoms, bytes * (group - 1));
        for (size_t toDim = 0; toDim < here.dims.size(); ++toDim)
          if (toDim != dim) {
            Sharding moved = next;
            moved.dims[toDim].append(atoms);
            reach(from, moved, ReshardStep::AllToAll, dim, toDim, atoms,
                  bytes / group * (group - 1));
          }
      }
    }
  }

  const Sharding &to;
  RankedTensorType global;
  const DeviceMesh &mesh;
  int64_t bound;
  std::vector<State> states;
  std::map<SmallVector<Atoms, 4>, int, Less> index;
};

} // namespace

std::vector<ReshardStep> planReshard(const Sharding &from, const Sharding &to,
                                     RankedTensorType global, const DeviceMesh &mesh) {
  std::vector<ReshardStep> plan = planGreedily(from, to, global, mesh);
  if (!gathersInVain(plan, to))
    return plan;
  std::vector<ReshardStep> path = PathFinder(from, to, global, mesh, getCostBytes(plan)).find();
  return path.empty() ? plan : path;
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
