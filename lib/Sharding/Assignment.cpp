// Factor assignments by cost.
#include "tandem/Sharding/Assignment.h"

#include <limits>

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "tandem/Sharding/Halo.h"
#include "tandem/Sharding/Reshard.h"

namespace tandem {
using namespace mlir;

namespace {

bool maySplit(const Factor &factor, Combiner combiner) {
  return factor.kind == FactorKind::PassThrough || factor.halo ||
         (factor.kind == FactorKind::Reduction && combiner != Combiner::None);
}

class Chooser {
public:
  Chooser(Operation *op, const ShardingRule &rule, ArrayRef<SmallVector<Sharding, 2>> operands,
          ArrayRef<Sharding> results, const DeviceMesh &mesh, const WorkWeights &weights,
          bool uneven)
      : op(op), rule(rule), operands(operands), results(results), mesh(mesh), weights(weights),
        uneven(uneven) {
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
      types.push_back(cast<RankedTensorType>(type));
  }

  Assignment choose() {
    // What each tensor would like, with the tensors in falling order of size.
    SmallVector<FactorAtoms> wishes;
    SmallVector<int64_t> bytes;
    for (auto [index, versions] : llvm::enumerate(operands))
      for (const Sharding &sharding : versions) {
        wishes.push_back(project(sharding, rule.operands[index], rule, mesh).atoms);
        bytes.push_back(getByteSize(types[index]));
      }
    for (auto [index, sharding] : llvm::enumerate(results)) {
      wishes.push_back(project(sharding, rule.results[index], rule, mesh).atoms);
      bytes.push_back(getByteSize(types[operands.size() + index]));
    }
    SmallVector<unsigned> order(wishes.size());
    for (unsigned i = 0; i < order.size(); ++i)
      order[i] = i;
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return bytes[a] != bytes[b] ? bytes[a] > bytes[b] : a < b;
    });

    // Rule A2: operands that lie ready for a split contraction are not moved to avoid it if
    // that makes each device compute more.
    Assignment best, ready;
    best.costBytes = ready.costBytes = std::numeric_limits<int64_t>::max();
    SmallVector<FactorAtoms> seen;
    auto consider = [&](FactorAtoms atoms) {
      if (llvm::is_contained(seen, atoms))
        return;
      seen.push_back(atoms);
      Assignment candidate = evaluate(std::move(atoms));
      if (!candidate.reduced.empty() && candidate.costBytes < ready.costBytes && isReady(candidate))
        ready = candidate;
      if (candidate.costBytes < best.costBytes)
        best = std::move(candidate);
    };
    for (unsigned leader : order) {
      FactorAtoms atoms(rule.factors.size());
      merge(atoms, wishes[leader]);
      FactorAtoms alone = atoms;
      for (unsigned other : order)
        merge(atoms, wishes[other]);
      consider(std::move(atoms));
      consider(std::move(alone));
    }
    consider(FactorAtoms(rule.factors.size()));
    return ready.operands.empty() || best.flops <= ready.flops ? best : ready;
  }

private:
  /// Adds what `wish` has beyond `atoms` without using an atom twice.
  void merge(FactorAtoms &atoms, const FactorAtoms &wish) const {
    for (auto [index, factor] : llvm::enumerate(rule.factors)) {
      if (!maySplit(factor, rule.combiner) || !isPrefix(atoms[index], wish[index]))
        continue;
      for (uint16_t atom : AtomsRef(wish[index]).drop_front(atoms[index].size())) {
        bool used =
            llvm::any_of(atoms, [&](const Atoms &list) { return llvm::is_contained(list, atom); });
        Atoms longer = atoms[index];
        longer.push_back(atom);
        if (used || !divides(factor, longer))
          break;
        atoms[index] = std::move(longer);
      }
    }
  }

  bool divides(const Factor &factor, AtomsRef atoms) const {
    if (uneven && factor.alone)
      return countFitting(factor.size, atoms, mesh) == atoms.size();
    return factor.size % mesh.getSize(atoms) == 0;
  }

  void cut(Sharding &sharding, RankedTensorType type) const {
    if (uneven)
      sharding.makeFit(type, mesh);
    else
      sharding.makeDivisible(type, mesh);
  }

  /// Whether every operand is at hand just as the assignment needs it.
  bool isReady(const Assignment &assignment) const {
    for (auto [versions, needed] : llvm::zip_equal(operands, assignment.operands))
      if (!versions.empty() && llvm::none_of(versions, [&](const Sharding &version) {
            return version.sameTiles(needed);
          }))
        return false;
    return true;
  }

  Assignment evaluate(FactorAtoms atoms) const {
    Assignment result;
    // A factor that some tensor cannot show (a dimension of several factors that is not
    // split from its major side) is not split at all.
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned t = 0; t < rule.getNumTensors(); ++t)
        for (const auto &factors : rule.getTensor(t)) {
          bool complete = true;
          for (unsigned factor : factors) {
            if (!complete && !atoms[factor].empty()) {
              atoms[factor].clear();
              changed = true;
            }
            complete &= mesh.getSize(atoms[factor]) == rule.factors[factor].size;
          }
        }
    }
    for (auto [index, factor] : llvm::enumerate(rule.factors))
      if (factor.halo && !atoms[index].empty() && !addHaloCost(index, atoms, result.reshardBytes))
        atoms[index].clear();
    for (auto [index, factor] : llvm::enumerate(rule.factors))
      if (factor.kind == FactorKind::Reduction)
        result.reduced.append(atoms[index]);
    int64_t localBytes = 0;
    for (auto [index, versions] : llvm::enumerate(operands)) {
      Sharding needed = unproject(atoms, rule.operands[index], rule, mesh);
      cut(needed, types[index]);
      int64_t cheapest = std::numeric_limits<int64_t>::max();
      for (const Sharding &version : versions)
        cheapest =
            std::min(cheapest, getCostBytes(planReshard(version, needed, types[index], mesh)));
      if (!versions.empty())
        result.reshardBytes += cheapest;
      localBytes += getByteSize(needed.getLocalType(types[index], mesh));
      result.operands.push_back(std::move(needed));
    }
    result.costBytes = result.reshardBytes;
    for (auto [index, wanted] : llvm::enumerate(results)) {
      RankedTensorType type = types[operands.size() + index];
      Sharding computed = unproject(atoms, rule.results[index], rule, mesh);
      int64_t bytes = getByteSize(computed.getLocalType(type, mesh));
      int64_t move = getCostBytes(planReshard(computed, wanted, type, mesh));
      if (int64_t group = mesh.getSize(result.reduced); group > 1)
        result.costBytes += kCollectiveChargeBytes + (rule.combiner == Combiner::Body
                                                          ? bytes * (group - 1)
                                                          : getAllReduceBytes(bytes, group));
      result.costBytes += move;
      result.reshardBytes += move;
      localBytes += bytes;
      result.results.push_back(std::move(computed));
    }
    result.flops = getFlops(atoms);
    result.workBytes = localBytes / weights.localBytesPerWireByte;
    result.workBytes += result.flops / weights.flopsPerWireByte;
    result.costBytes += result.workBytes;
    result.atoms = std::move(atoms);
    return result;
  }

  /// Adds what a device sends for its neighbours' sake; false if the factor cannot be split so.
  bool addHaloCost(unsigned factor, const FactorAtoms &atoms, int64_t &bytes) const {
    const DimFactors &dims = rule.operands.front();
    size_t dim =
        llvm::find_if(dims, [&](const auto &list) { return llvm::is_contained(list, factor); }) -
        dims.begin();
    int64_t tiles = mesh.getSize(atoms[factor]);
    if (isa<stablehlo::DynamicUpdateSliceOp>(op))
      return types.front().getDimSize(dim) % tiles == 0;
    std::optional<HaloRanges> ranges = getHaloRanges(op, dim, tiles);
    if (!ranges)
      return false;
    HaloPlan plan = planHalo(*ranges, types.front().getDimSize(dim) / tiles);
    unsigned inputs = 1;
    if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op))
      inputs = window.getInputs().size();
    for (unsigned i = 0; i < inputs; ++i) {
      Sharding needed = unproject(atoms, rule.operands[i], rule, mesh);
      cut(needed, types[i]);
      RankedTensorType local = needed.getLocalType(types[i], mesh);
      bytes += getByteSize(local) / std::max<int64_t>(local.getDimSize(dim), 1) * plan.sent;
      for (const HaloPlan::Piece &piece : plan.pieces)
        bytes += static_cast<int64_t>(piece.rounds.size()) * kCollectiveChargeBytes;
    }
    return true;
  }

  /// Multiply-adds of a contraction on one device; other ops are bound by memory.
  int64_t getFlops(const FactorAtoms &atoms) const {
    if (!isa<stablehlo::DotGeneralOp>(op))
      return 0;
    int64_t flops = 2;
    for (auto [index, factor] : llvm::enumerate(rule.factors))
      flops *= factor.size / mesh.getSize(atoms[index]);
    return flops;
  }

  Operation *op;
  const ShardingRule &rule;
  ArrayRef<SmallVector<Sharding, 2>> operands;
  ArrayRef<Sharding> results;
  const DeviceMesh &mesh;
  const WorkWeights &weights;
  bool uneven;
  SmallVector<RankedTensorType> types;
};

} // namespace

WorkWeights WorkWeights::of(const Target &target) {
  int64_t wire = std::numeric_limits<int64_t>::max();
  for (const Link &link : target.links)
    wire = std::min(wire, link.effectiveBytesPerSecond());
  wire = std::max<int64_t>(wire, 1);
  WorkWeights weights;
  weights.localBytesPerWireByte = std::max<int64_t>(target.memoryRate() / wire, 1);
  weights.flopsPerWireByte = std::max<int64_t>(target.matmulRate("f32") / wire, 1);
  return weights;
}

Assignment chooseAssignment(Operation *op, const ShardingRule &rule,
                            ArrayRef<SmallVector<Sharding, 2>> operands, ArrayRef<Sharding> results,
                            const DeviceMesh &mesh, const WorkWeights &weights, bool uneven) {
  return Chooser(op, rule, operands, results, mesh, weights, uneven).choose();
}

} // namespace tandem
