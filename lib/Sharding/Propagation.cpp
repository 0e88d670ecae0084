// The fixpoint over the propagation graph.
#include "tandem/Sharding/Propagation.h"

#include "tandem/Sharding/Projection.h"

namespace tandem {
using namespace mlir;

namespace {

enum Direction : unsigned { kNone = 0, kForward = 1, kBackward = 2, kBoth = 3 };
constexpr unsigned kNumStages = 3;

} // namespace

unsigned Propagation::run() {
  unsigned sweeps = 0;
  for (unsigned stage = 0; stage < kNumStages; ++stage)
    for (bool changed = true; changed; ++sweeps) {
      changed = false;
      for (const Edge &edge : edges)
        changed |= propagate(edge, stage);
    }
  return sweeps;
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
    views.push_back(project(nodes[edge.nodes[t]].sharding, rule.getTensor(t), rule, mesh));

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
    while (rule.factors[factor].size % mesh.getSize(best) != 0)
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
  for (unsigned factor = 0; factor < numFactors; ++factor)
    if (!agreed[factor].empty())
      for (unsigned t = 0; t < numTensors; ++t)
        if (views[t].mapped[factor])
          changed |= update(nodes[edge.nodes[t]], rule.getTensor(t), rule, factor, agreed[factor]);
  return changed;
}

/// Extends one factor of a node's sharding to `atoms` if its dimension is open and the
/// longer list still divides.
bool Propagation::update(Node &node, const DimFactors &dims, const ShardingRule &rule,
                         unsigned factor, AtomsRef atoms) {
  TensorProjection view = project(node.sharding, dims, rule, mesh);
  if (!view.open[factor] || view.overflows[factor] || view.atoms[factor].size() >= atoms.size() ||
      !isPrefix(view.atoms[factor], atoms))
    return false;
  for (uint16_t atom : atoms.drop_front(view.atoms[factor].size()))
    if (llvm::is_contained(node.sharding.getUsed(), atom))
      return false;
  view.atoms[factor].assign(atoms.begin(), atoms.end());
  bool dropped = false;
  Sharding wider = unproject(view.atoms, dims, rule, mesh, &dropped);
  if (dropped || !wider.divides(node.type, mesh) || wider.sameTiles(node.sharding))
    return false;
  wider.open = node.sharding.open;
  wider.replicated = node.sharding.replicated;
  node.sharding = std::move(wider);
  return true;
}

} // namespace tandem
