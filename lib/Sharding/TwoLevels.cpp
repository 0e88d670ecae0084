// When and how a collective is carried out level by level.
#include "tandem/Sharding/TwoLevels.h"

#include "llvm/ADT/STLExtras.h"

namespace tandem {

namespace {

GroupShape shapeOver(AtomsRef atoms, CollectiveKind kind, const DeviceMesh &mesh,
                     const Target &target) {
  DeviceGroups groups;
  for (const auto &group : mesh.getGroups(atoms))
    groups.emplace_back(group.begin(), group.end());
  return shapeOf(target, kind, groups);
}

/// Of the cheaper form; `levels` is set to the steps where they are it.
int64_t cheapest(CollectiveKind kind, AtomsRef atoms, int64_t bytes, const DeviceMesh &mesh,
                 const Target &target, std::optional<TwoLevels> *levels = nullptr) {
  int64_t whole = priceOf(target, kind, bytes, shapeOver(atoms, kind, mesh, target)).picoseconds;
  std::optional<TwoLevels> split = splitByLevel(atoms, mesh, target);
  if (!split)
    return whole;
  int64_t part = bytes / mesh.getSize(split->fast), steps = 0;
  if (kind == CollectiveKind::AllReduce) {
    steps = cheapest(CollectiveKind::ReduceScatter, split->fast, bytes, mesh, target) +
            cheapest(CollectiveKind::AllReduce, split->slow, part, mesh, target) +
            cheapest(CollectiveKind::AllGather, split->fast, bytes, mesh, target);
  } else {
    steps = cheapest(kind, split->fast, bytes, mesh, target) +
            cheapest(kind, split->slow, part, mesh, target);
    if (AtomsRef(split->getOrder()) != atoms)
      steps += target.launchPicoseconds + target.copyPicoseconds(bytes);
  }
  if (steps >= whole)
    return whole;
  if (levels)
    *levels = std::move(split);
  return steps;
}

} // namespace

Atoms TwoLevels::getOrder() const {
  Atoms order = fast;
  order.append(slow);
  return order;
}

std::optional<TwoLevels> splitByLevel(AtomsRef atoms, const DeviceMesh &mesh,
                                      const Target &target) {
  unsigned level = shapeOver(atoms, CollectiveKind::AllReduce, mesh, target).level;
  if (level == 0)
    return std::nullopt;
  // Atoms of the smallest strides join the devices that are nearest.
  Atoms order(atoms), fast;
  llvm::sort(order, [&](uint16_t a, uint16_t b) { return mesh.getStride(a) < mesh.getStride(b); });
  for (uint16_t atom : order) {
    fast.push_back(atom);
    if (shapeOver(fast, CollectiveKind::AllReduce, mesh, target).level == level)
      fast.pop_back();
  }
  TwoLevels levels;
  for (uint16_t atom : atoms)
    (llvm::is_contained(fast, atom) ? levels.fast : levels.slow).push_back(atom);
  if (levels.fast.empty() || levels.slow.empty())
    return std::nullopt;
  return levels;
}

std::optional<TwoLevels> planTwoLevels(CollectiveKind kind, AtomsRef atoms, int64_t fullBytes,
                                       const DeviceMesh &mesh, const Target &target) {
  std::optional<TwoLevels> levels;
  bool takesSteps = llvm::is_contained(target.algorithms, "hierarchical"); // of its own
  if (target.links.size() > 1 && atoms.size() > 1 && !takesSteps)
    cheapest(kind, atoms, fullBytes, mesh, target, &levels);
  return levels;
}

} // namespace tandem
