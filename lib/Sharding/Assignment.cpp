// Factor assignments by cost.
#include "tandem/Sharding/Assignment.h"

#include <limits>

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "tandem/Sharding/Halo.h"
#include "tandem/Sharding/Join.h"
#include "tandem/Sharding/Reshard.h"

namespace tandem {
using namespace mlir;

namespace {

bool maySplit(const Factor &factor, Combiner combiner) {
  return factor.kind == FactorKind::PassThrough || factor.halo || factor.firsts > 0 ||
         (factor.kind == FactorKind::Reduction && combiner != Combiner::None);
}

class Chooser {
  /// Of a join; more are not worth their ops.
  static constexpr size_t kMostRounds = 64;

public:
  Chooser(Operation *op, const ShardingRule &rule, ArrayRef<SmallVector<Sharding, 2>> operands,
          ArrayRef<Sharding> results, const DeviceMesh &mesh, const WorkWeights &weights,
          bool uneven)
      : op(op), rule(rule), operands(operands), results(results), mesh(mesh), weights(weights),
        uneven(uneven) {
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
      types.push_back(cast<RankedTensorType>(type));
    // Rule F17: no more of the results than the first elements goes anywhere.
    for (auto [index, dims] : llvm::enumerate(rule.results))
      for (auto [dim, factors] : llvm::enumerate(dims))
        if (int64_t firsts = rule.factors[factors.front()].firsts; firsts > 0) {
          RankedTensorType &type = types[operands.size() + index];
          SmallVector<int64_t> shape(type.getShape());
          shape[dim] = firsts;
          onlyFirsts = true;
          type = RankedTensorType::get(shape, type.getElementType());
        }
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
    auto offer = [&](Assignment candidate) {
      if (!candidate.reduced.empty() && candidate.costBytes < ready.costBytes && isReady(candidate))
        ready = candidate;
      if (candidate.costBytes < best.costBytes)
        best = std::move(candidate);
    };
    auto consider = [&](const FactorAtoms &atoms) {
      if (llvm::is_contained(seen, atoms))
        return;
      seen.push_back(atoms);
      offer(evaluate(atoms, /*byOwner=*/false));
      if (isa<stablehlo::SliceOp>(op))
        offer(evaluate(atoms, /*byOwner=*/true));
    };
    for (unsigned leader : order) {
      FactorAtoms atoms(rule.factors.size());
      merge(atoms, wishes[leader]);
      FactorAtoms alone = atoms;
      for (unsigned other : order)
        merge(atoms, wishes[other]);
      consider(atoms);
      consider(alone);
      considerMoved(atoms, wishes[leader], consider);
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

  /// Rule A10: atoms that split what the op needs whole may split another dimension instead.
  void considerMoved(const FactorAtoms &atoms, const FactorAtoms &wish,
                     llvm::function_ref<void(const FactorAtoms &)> consider) const {
    for (auto [from, factor] : llvm::enumerate(rule.factors)) {
      if (factor.kind != FactorKind::NeedReplication || wish[from].empty())
        continue;
      for (auto [to, other] : llvm::enumerate(rule.factors)) {
        if (other.kind != FactorKind::PassThrough || other.size < mesh.getSize(wish[from]))
          continue;
        FactorAtoms moved = atoms, more(rule.factors.size());
        moved[from].clear();
        more[to] = moved[to];
        more[to].append(wish[from]);
        merge(moved, more);
        consider(moved);
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

  /// `byOwner`: the owner of what a slice takes sends it to the others, where there is one.
  Assignment evaluate(FactorAtoms atoms, bool byOwner) const {
    Assignment result;
    result.hidden.resize(rule.factors.size());
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
      if (factor.halo && !atoms[index].empty() && !(byOwner && addOwner(index, atoms, result)) &&
          !addHaloCost(index, atoms, result.reshardBytes))
        atoms[index].clear();
    for (auto [index, factor] : llvm::enumerate(rule.factors))
      if (factor.firsts > 0 && !atoms[index].empty())
        result.hidden[index] = true;
    FactorAtoms shown = atoms; // by results
    for (auto [index, isHidden] : llvm::enumerate(result.hidden))
      if (isHidden)
        shown[index].clear();
    for (auto [index, factor] : llvm::enumerate(rule.factors))
      if (factor.kind == FactorKind::Reduction)
        result.reduced.append(atoms[index]);
    int64_t localBytes = 0;
    for (auto [index, versions] : llvm::enumerate(operands)) {
      Sharding needed = unproject(atoms, rule.operands[index], rule, mesh);
      cut(needed, types[index]);
      if (auto join = dyn_cast<stablehlo::ConcatenateOp>(op)) {
        // Rule F18: an array is split as the result is, or whole.
        Atoms &mine = needed.dims[join.getDimension()];
        if (mine != atoms[rule.operands[index][join.getDimension()].front()])
          mine.clear();
      }
      int64_t cheapest = std::numeric_limits<int64_t>::max();
      for (const Sharding &version : versions)
        cheapest =
            std::min(cheapest, getCostBytes(planReshard(version, needed, types[index], mesh)));
      if (!versions.empty())
        result.reshardBytes += cheapest;
      // Of an array that is sliced, no more is read than what is taken.
      if (!isa<stablehlo::SliceOp>(op))
        localBytes += getByteSize(needed.getLocalType(types[index], mesh));
      result.operands.push_back(std::move(needed));
    }
    for (auto [index, wanted] : llvm::enumerate(results)) {
      RankedTensorType type = types[operands.size() + index];
      Sharding computed = unproject(shown, rule.results[index], rule, mesh);
      int64_t bytes = getByteSize(computed.getLocalType(type, mesh));
      if (!result.owners.empty())
        result.reshardBytes += kCollectiveChargeBytes + bytes;
      for (const auto &factors : rule.results[index])
        if (unsigned factor = factors.front();
            rule.factors[factor].firsts > 0 && result.hidden[factor])
          result.reshardBytes += getFirstsBytes(factor, bytes, atoms);
      int64_t move = 0;
      if (!onlyFirsts) {
        move = getCostBytes(planReshard(computed, wanted, type, mesh));
      } else if (!op->getResult(index).use_empty()) {
        Sharding fitting = wanted;
        cut(fitting, type);
        move = getCostBytes(planReshard(computed, fitting, type, mesh));
      }
      if (int64_t group = mesh.getSize(result.reduced); group > 1)
        result.costBytes += kCollectiveChargeBytes + (rule.combiner == Combiner::Body
                                                          ? bytes * (group - 1)
                                                          : getAllReduceBytes(bytes, group));
      result.reshardBytes += move;
      localBytes += isa<stablehlo::SliceOp>(op) ? 2 * bytes : bytes;
      result.results.push_back(std::move(computed));
    }
    result.flops = getFlops(atoms);
    result.workBytes = localBytes / weights.localBytesPerWireByte;
    result.workBytes += result.flops / weights.flopsPerWireByte;
    result.costBytes += result.reshardBytes + result.workBytes;
    result.atoms = std::move(atoms);
    return result;
  }

  /// What a device sends for F17: its first elements to all others. `bytes`: of a result's.
  int64_t getFirstsBytes(unsigned factor, int64_t bytes, const FactorAtoms &atoms) const {
    auto [firsts, size] = std::pair(rule.factors[factor].firsts, rule.factors[factor].size);
    int64_t group = mesh.getSize(atoms[factor]);
    return kCollectiveChargeBytes + bytes / firsts * std::min(firsts, size / group) * (group - 1);
  }

  /// The dimension of the first operand that has the factor.
  int64_t getDim(unsigned factor) const {
    const DimFactors &dims = rule.operands.front();
    return llvm::find_if(dims, [&](const auto &list) { return llvm::is_contained(list, factor); }) -
           dims.begin();
  }

  /// Notes that what is read along a factor lies on one tile; false if it does not.
  bool addOwner(unsigned factor, const FactorAtoms &atoms, Assignment &result) const {
    const int64_t dim = getDim(factor);
    int64_t tiles = mesh.getSize(atoms[factor]);
    std::optional<int64_t> tile = getOwnerTile(op, dim, tiles);
    if (!tile)
      return false;
    result.owners.append(atoms[factor]);
    result.owner = result.owner * tiles + *tile;
    result.hidden[factor] = true;
    return true;
  }

  /// Adds what a device sends for its neighbours' sake; false if the factor cannot be split so.
  bool addHaloCost(unsigned factor, const FactorAtoms &atoms, int64_t &bytes) const {
    const int64_t dim = getDim(factor);
    int64_t tiles = mesh.getSize(atoms[factor]);
    if (isa<stablehlo::DynamicUpdateSliceOp>(op))
      return types.front().getDimSize(dim) % tiles == 0;
    if (isa<stablehlo::ConcatenateOp>(op))
      return addJoinCost(factor, dim, atoms, bytes);
    if (rule.factors[factor].cumulative) {
      // One element of each tile goes to all others.
      int64_t size = types.front().getDimSize(dim);
      if (size % tiles != 0)
        return false;
      Sharding computed = unproject(atoms, rule.results.front(), rule, mesh);
      int64_t tile = getByteSize(computed.getLocalType(types.back(), mesh));
      bytes += kCollectiveChargeBytes + tile / (size / tiles) * (tiles - 1);
      return true;
    }
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

  /// The same for the arrays that are joined.
  bool addJoinCost(unsigned factor, int64_t dim, const FactorAtoms &atoms, int64_t &bytes) const {
    int64_t tiles = mesh.getSize(atoms[factor]), size = types.back().getDimSize(dim);
    if (size == 0 || size % tiles != 0)
      return false;
    SmallVector<JoinedArray> arrays;
    for (RankedTensorType type : ArrayRef(types).drop_back())
      arrays.push_back({type.getDimSize(dim), type.getDimSize(dim) % tiles == 0});
    JoinPlan plan = planJoin(arrays, tiles);
    if (plan.rounds.size() > kMostRounds)
      return false;
    Sharding computed = unproject(atoms, rule.results.front(), rule, mesh);
    bytes += getByteSize(computed.getLocalType(types.back(), mesh)) / plan.tile * plan.sent +
             plan.numSends * kCollectiveChargeBytes;
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
  bool onlyFirsts = false; // of results are read
  SmallVector<RankedTensorType> types;
};

} // namespace

std::optional<int64_t> getOwnerTile(Operation *op, int64_t dim, int64_t tiles) {
  auto slice = dyn_cast<stablehlo::SliceOp>(op);
  if (!slice)
    return std::nullopt;
  int64_t size = cast<RankedTensorType>(slice.getOperand().getType()).getDimSize(dim);
  int64_t start = slice.getStartIndices()[dim], limit = slice.getLimitIndices()[dim];
  if (size % tiles != 0 || start >= limit)
    return std::nullopt;
  int64_t tile = size / tiles;
  if (start / tile != (limit - 1) / tile)
    return std::nullopt;
  return start / tile;
}

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
