// The fixpoint over the propagation graph.
#include "tandem/Sharding/Propagation.h"

#include <set>

#include "tandem/Sharding/Projection.h"

namespace tandem {
using namespace mlir;

namespace {

enum Direction : unsigned { kNone = 0, kForward = 1, kBackward = 2, kBoth = 3 };
constexpr unsigned kNumStages = 3;

} // namespace

unsigned Propagation::run(bool donatedLast) {
  dataFirst = donatedLast;
  std::set<int64_t> rounds{0};
  for (const Node &node : nodes) {
    bool late = dataFirst && node.donated;
    if (late)
      rounds.insert(1);
    for (int64_t priority : node.priorities)
      rounds.insert(2 * priority + late);
  }
  edgesOfNode.assign(nodes.size(), {});
  for (auto [index, edge] : llvm::enumerate(edges))
    for (unsigned node : edge.nodes)
      edgesOfNode[node].push_back(index);
  unsigned sweeps = 0;
  for (int64_t round : rounds) {
    current = round;
    for (unsigned stage = 0; stage < kNumStages; ++stage) {
      // An edge none of whose nodes has changed since it was last looked at has nothing to say.
      dirty.assign(edges.size(), true);
      for (bool changed = true; changed; ++sweeps) {
        changed = false;
        for (auto [index, edge] : llvm::enumerate(edges))
          if (dirty[index]) {
            dirty[index] = false;
            changed |= propagate(edge, stage);
          }
      }
    }
  }
  return sweeps;
}

Sharding Propagation::getVisible(const Node &node) const {
  Sharding sharding = node.sharding;
  for (size_t dim = 0; dim < sharding.dims.size(); ++dim)
    if (isHidden(node, dim)) {
      sharding.dims[dim].clear();
      sharding.open[dim] = false;
    }
  return sharding;
}

bool Propagation::propagate(const Edge &edge, unsigned stage) {
  const ShardingRule &rule = edge.rule;
  size_t numFactors = rule.factors.size(), numTensors = edge.nodes.size();
  auto direction = [&](unsigned factor) -> unsigned {
    if (rule.factors[factor].blocked)
      return kNone;
    unsigned allowed = kNone;
    if (edge.kind == Kind::PassOn)
      allowed |= kBoth;
    if (edge.kind == Kind::Dynamic)
      allowed |= kForward;
    if (stage >= 1 && rule.factors[factor].kind == FactorKind::PassThrough)
      allowed |= edge.kind == Kind::Broadcast ? kBackward : kBoth;
    if (stage >= 2)
      allowed |= kBoth;
    return allowed;
  };

  SmallVector<TensorProjection> views;
  for (unsigned t = 0; t < numTensors; ++t)
    views.push_back(project(getVisible(nodes[edge.nodes[t]]), rule.getTensor(t), rule, mesh));

  // 1. The longest atoms all tensors of a factor agree on, in the allowed direction.
  FactorAtoms agreed(numFactors);
  for (unsigned factor = 0; factor < numFactors; ++factor) {
    unsigned allowed = direction(factor);
    Atoms &best = agreed[factor];
    bool mayGrow = true;
    for (unsigned t = 0; t < numTensors && allowed != kNone; ++t) {
      bool isOperand = t < edge.numOperands;
      if (!views[t].mapped[factor] || !(allowed & (isOperand ? kForward : kBackward)))
        continue;
      const Atoms &atoms = views[t].atoms[factor];
      if (isPrefix(best, atoms)) {
        if (mayGrow)
          best = atoms;
      } else if (!isPrefix(atoms, best)) {
        best.truncate(commonPrefix(best, atoms));
        mayGrow = false;
      }
    }
    // 2. Not beyond what any tensor of the factor can take.
    for (unsigned t = 0; t < numTensors; ++t) {
      if (!views[t].mapped[factor])
        continue;
      const Atoms &atoms = views[t].atoms[factor];
      if (!isPrefix(atoms, best) && !isPrefix(best, atoms))
        best.truncate(commonPrefix(best, atoms));
      const Sharding &sharding = nodes[edge.nodes[t]].sharding;
      for (size_t i = atoms.size(); i < best.size(); ++i)
        if (views[t].overflows[factor] || llvm::is_contained(sharding.replicated, best[i])) {
          best.truncate(i);
          break;
        }
    }
    const Factor &about = rule.factors[factor];
    if (about.alone)
      best.truncate(countFitting(about.size, best, mesh));
    while (!about.alone && about.size % mesh.getSize(best) != 0)
      best.pop_back();
  }

  // 3. Not where another factor of the same tensor has, or would get, the atom.
  FactorAtoms before = agreed;
  for (unsigned t = 0; t < numTensors; ++t) {
    Atoms used = nodes[edge.nodes[t]].sharding.getUsed();
    for (unsigned factor = 0; factor < numFactors; ++factor) {
      if (!views[t].mapped[factor])
        continue;
      Atoms &atoms = agreed[factor];
      for (size_t i = 0; i < atoms.size(); ++i) {
        bool own = llvm::is_contained(views[t].atoms[factor], atoms[i]);
        bool taken = !own && llvm::is_contained(used, atoms[i]);
        for (unsigned other = 0; other < numFactors && !taken; ++other)
          taken = other != factor && views[t].mapped[other] &&
                  llvm::is_contained(before[other], atoms[i]);
        if (taken) {
          atoms.truncate(i);
          break;
        }
      }
    }
  }

  bool changed = false;
  for (unsigned factor = 0; factor < numFactors; ++factor) {
    if (agreed[factor].empty())
      continue;
    // An atom comes from the first tensor that has it.
    SmallVector<uint32_t, 4> atomOrigins(agreed[factor].size());
    for (auto [atom, origin] : llvm::zip_equal(agreed[factor], atomOrigins))
      for (unsigned t = 0; t < numTensors && origin == 0; ++t)
        if (const Node &node = nodes[edge.nodes[t]];
            views[t].mapped[factor] && !node.origins.empty() &&
            llvm::is_contained(views[t].atoms[factor], atom))
          origin = node.origins[atom];
    for (unsigned t = 0; t < numTensors; ++t)
      if (views[t].mapped[factor])
        changed |=
            update(edge.nodes[t], rule.getTensor(t), rule, factor, agreed[factor], atomOrigins);
  }
  return changed;
}

/// Extends one factor of a node's sharding to `atoms` if its dimension is open and the
/// longer list still fits.
bool Propagation::update(unsigned index, const DimFactors &dims, const ShardingRule &rule,
                         unsigned factor, AtomsRef atoms, ArrayRef<uint32_t> atomOrigins) {
  Node &node = nodes[index];
  TensorProjection view = project(getVisible(node), dims, rule, mesh);
  if (!view.open[factor] || view.overflows[factor] || view.atoms[factor].size() >= atoms.size() ||
      !isPrefix(view.atoms[factor], atoms))
    return false;
  for (uint16_t atom : atoms.drop_front(view.atoms[factor].size()))
    if (llvm::is_contained(node.sharding.getUsed(), atom))
      return false;
  view.atoms[factor].assign(atoms.begin(), atoms.end());
  bool dropped = false;
  Sharding wider = unproject(view.atoms, dims, rule, mesh, &dropped);
  for (size_t dim = 0; dim < wider.dims.size(); ++dim)
    if (isHidden(node, dim))
      wider.dims[dim] = node.sharding.dims[dim];
  if (dropped || wider.sameTiles(node.sharding) ||
      !(node.even ? wider.divides(node.type, mesh) : wider.fits(node.type, mesh)))
    return false;
  wider.open = node.sharding.open;
  wider.replicated = node.sharding.replicated;
  node.sharding = std::move(wider);
  for (unsigned edge : edgesOfNode[index])
    dirty[edge] = true;
  node.origins.resize(mesh.getNumAtoms());
  for (auto [atom, origin] : llvm::zip_equal(atoms, atomOrigins))
    if (node.origins[atom] == 0)
      node.origins[atom] = origin;
  return true;
}

} // namespace tandem
