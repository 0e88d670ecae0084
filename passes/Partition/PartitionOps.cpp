// One op at a time: operands in the shardings its assignment needs, the op on local
// shapes, partial results combined, the result brought to the sharding it was given.
#include <limits>

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/Partition/Partitioner.h"
#include "tandem/IR/Shardy/ShardingAccess.h"
#include "tandem/Sharding/Halo.h"
#include "tandem/Sharding/Neutral.h"

namespace tandem {
using namespace mlir;

namespace {

/// [low, high] per dimension, zero for those in `dims`: what is padded is there already.
DenseIntElementsAttr withoutPadding(DenseIntElementsAttr padding, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> values(padding.getValues<int64_t>());
  for (int64_t dim : dims)
    values[2 * dim] = values[2 * dim + 1] = 0;
  return DenseIntElementsAttr::get(cast<ShapedType>(padding.getType()), values);
}

/// Results of all elements up to (1) or from (-1) their own.
void setCumulative(stablehlo::ReduceWindowOp op, int64_t dim, int direction) {
  int64_t size = cast<RankedTensorType>(op.getInputs().front().getType()).getDimSize(dim);
  SmallVector<int64_t> window(op.getWindowDimensions()),
      padding(op.getPadding()->getValues<int64_t>());
  window[dim] = size;
  padding[2 * dim] = direction > 0 ? size - 1 : 0;
  padding[2 * dim + 1] = size - 1 - padding[2 * dim];
  op.setWindowDimensions(window);
  op.setPaddingAttr(
      DenseIntElementsAttr::get(cast<ShapedType>(op.getPadding()->getType()), padding));
}

} // namespace

LogicalResult Partitioner::emitBarrier(stablehlo::OptimizationBarrierOp op) {
  SmallVector<Value> operands;
  SmallVector<Type> types;
  SmallVector<Sharding> shardings;
  for (auto [operand, result] : llvm::zip_equal(op->getOperands(), op->getResults())) {
    FailureOr<Sharding> sharding = getDeclared(result);
    if (failed(sharding))
      return failure();
    operands.push_back(get(operand, *sharding, op.getLoc()));
    types.push_back(operands.back().getType());
    shardings.push_back(std::move(*sharding));
  }
  auto local =
      stablehlo::OptimizationBarrierOp::create(spmd->getBuilder(), op.getLoc(), types, operands);
  for (auto [result, value, sharding] :
       llvm::zip_equal(op->getResults(), local->getResults(), shardings))
    addVersion(result, value, sharding);
  return success();
}

LogicalResult Partitioner::emitByRule(Operation *op) {
  if (isRebuildable(op))
    return success(); // made where it is needed
  if (emitOnPartials(op))
    return success();
  for (Value operand : op->getOperands())
    settle(operand);
  ShardingRule rule = getShardingRule(op);
  SmallVector<SmallVector<Sharding, 2>, 4> have;
  for (Value operand : op->getOperands()) {
    SmallVector<Sharding, 2> shardings;
    // What is rebuilt at will is at hand in every sharding: no entry.
    if (!isRebuildable(operand.getDefiningOp()))
      for (const Version &version : getVersions(operand))
        shardings.push_back(version.sharding);
    have.push_back(std::move(shardings));
  }
  int64_t firsts = 0; // of a sort: how many of its results are read (F17)
  if (isa<stablehlo::SortOp>(op))
    for (const Factor &factor : rule.factors)
      firsts = std::max(firsts, factor.firsts);
  SmallVector<Sharding> declared;
  for (Value result : op->getResults()) {
    // What reads the first results is a slice of them.
    bool isSliced = firsts > 0 && !result.use_empty();
    FailureOr<Sharding> sharding =
        getDeclared(isSliced ? result.getUsers().begin()->getResult(0) : result);
    if (failed(sharding))
      return failure();
    declared.push_back(std::move(*sharding));
  }
  Assignment assignment = chooseAssignment(op, rule, have, declared, mesh, weights);
  SmallVector<Value> operands;
  for (auto [index, operand, sharding] : llvm::enumerate(op->getOperands(), assignment.operands)) {
    std::string cause = getGatherCause(op, rule, index, have[index]);
    if (!cause.empty())
      noteReplication(op, index, cause, sharding, have[index]);
    operands.push_back(get(operand, sharding, op->getLoc(), cause));
  }

  Atoms shifted; // atoms that split an indexed dimension
  for (auto [index, factor] : llvm::enumerate(rule.factors))
    if (factor.indexed)
      shifted.append(assignment.atoms[index]);
  Value rest = neutralise(op, operands, rule, assignment);
  SmallVector<Value> results;
  bool halo = false;
  for (auto [index, factor] : llvm::enumerate(rule.factors))
    halo |= factor.halo && !assignment.atoms[index].empty() && !assignment.hidden[index];
  if (auto sort = dyn_cast<stablehlo::SortOp>(op); sort && firsts > 0)
    for (auto [dim, factors] : llvm::enumerate(rule.results.front()))
      if (assignment.hidden[factors.front()]) {
        emitFirsts(sort, operands, dim, firsts, assignment);
        return success();
      }
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op); gather && !shifted.empty()) {
    results.push_back(emitShiftedGather(gather, operands, assignment, shifted));
  } else if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op); slice && !shifted.empty()) {
    results.push_back(emitSharedSlice(slice, operands, rule, assignment));
  } else if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op); update && halo) {
    results.push_back(emitSharedUpdate(update, operands, rule, assignment));
  } else if (auto join = dyn_cast<stablehlo::ConcatenateOp>(op); join && halo) {
    results.push_back(emitJoin(join, operands, assignment));
  } else {
    if (halo)
      fetchHalos(op, operands, rule, assignment);
    if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op); scatter && !shifted.empty())
      shiftScatterIndices(scatter, operands, assignment, shifted);
    Operation *local = createLocal(op, operands, assignment);
    if (!assignment.reduced.empty() && rule.combiner == Combiner::Body)
      local = combineByBody(cast<stablehlo::ReduceOp>(op), local, assignment.reduced);
    results.append(local->getResults().begin(), local->getResults().end());
    if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op); window && halo)
      addTilesBefore(window, results.front(), rule, assignment);
    if (!assignment.owners.empty())
      results.front() = sendByOwner(op, results.front(), assignment);
  }
  if (rule.combiner == Combiner::Body)
    assignment.reduced.clear(); // combined already

  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    Sharding sharding = assignment.results[index];
    Value local = results[index];
    if (!assignment.reduced.empty() && rule.combiner == Combiner::Add && !rest &&
        op->getNumResults() == 1 && delaySum(result, local, sharding, assignment.reduced))
      continue;
    if (!assignment.reduced.empty())
      local =
          combinePartials(op, local, sharding, declared[index], assignment.reduced, rule.combiner);
    if (rest)
      local = combineRest(op, local, rest, rule.combiner);
    addVersion(result, local, sharding);
    if (firsts == 0)
      get(result, declared[index], op->getLoc());
  }
  return success();
}

/// Every device gets the partial results of all, in the order of their parts, and reduces them as
/// the op does. Like any reduce, that may count the initial values several times.
Operation *Partitioner::combineByBody(stablehlo::ReduceOp op, Operation *local, AtomsRef atoms) {
  OpBuilder &b = spmd->getBuilder();
  unsigned n = op.getNumResults();
  SmallVector<Value> operands;
  for (unsigned i = 0; i < n; ++i)
    operands.push_back(
        spmd->stack(local->getResult(i), atoms,
                    {op.getLoc(), "all-gather of partial results", describeSum(op->getResult(i))}));
  operands.append(local->operand_begin() + n, local->operand_end());
  auto combined = cast<stablehlo::ReduceOp>(b.clone(*local));
  combined->setOperands(operands);
  combined.setDimensions({0});
  return combined;
}

/// Atoms by which the result is to be split anyway are scattered at once, the others
/// reduced.
Value Partitioner::combinePartials(Operation *op, Value local, Sharding &sharding,
                                   const Sharding &wanted, Atoms atoms, Combiner combiner) {
  Reason reason{op->getLoc(), "reduce-scatter of partial results", describeSum(op->getResult(0))};
  for (auto [dim, list] : llvm::enumerate(wanted.dims)) {
    if (!isPrefix(sharding.dims[dim], list))
      continue;
    Atoms scattered;
    for (uint16_t atom : AtomsRef(list).drop_front(sharding.dims[dim].size())) {
      if (!llvm::is_contained(atoms, atom))
        break;
      scattered.push_back(atom);
    }
    if (scattered.empty())
      continue;
    local = spmd->reduceScatter(local, dim, scattered, combiner, reason);
    sharding.dims[dim].append(scattered);
    llvm::erase_if(atoms, [&](uint16_t atom) { return llvm::is_contained(scattered, atom); });
  }
  if (atoms.empty())
    return local;
  reason.rule = "all-reduce of partial results";
  return spmd->allReduce(local, atoms, combiner, reason);
}

/// Adds back an initial value that the partial results left out.
Value Partitioner::combineRest(Operation *op, Value local, Value rest, Combiner combiner) {
  OpBuilder &b = spmd->getBuilder();
  Location loc = spmd->getLoc(
      {op->getLoc(), "initial value of a split reduction", describeArray(op->getResult(0))}, {});
  if (rest.getType() != local.getType())
    rest = stablehlo::BroadcastInDimOp::create(b, loc, local.getType(), rest,
                                               b.getDenseI64ArrayAttr({}));
  return spmd->combine(loc, local, rest, combiner);
}

Value Partitioner::neutralise(Operation *op, SmallVectorImpl<Value> &operands,
                              const ShardingRule &rule, const Assignment &assignment) {
  if (assignment.reduced.empty() || isIdempotent(rule.combiner))
    return {};
  OpBuilder &b = spmd->getBuilder();
  Reason reason{op->getLoc(), "neutral start of a partial result", describeArray(op->getResult(0))};
  if (isa<stablehlo::ReduceOp>(op)) {
    if (isNeutral(op->getOperand(1), rule.combiner))
      return {};
    Value init = operands[1];
    operands[1] = spmd->createNeutral(spmd->getLoc(reason, assignment.reduced),
                                      cast<RankedTensorType>(init.getType()), rule.combiner);
    return init;
  }
  if (isa<stablehlo::ScatterOp>(op)) {
    if (isNeutral(op->getOperand(0), rule.combiner))
      return {};
    // The first device of each group starts from the operand, the others from nothing.
    Location loc = spmd->getLoc(reason, assignment.reduced);
    auto type = cast<RankedTensorType>(operands[0].getType());
    Value first = spmd->isFirst(assignment.reduced, loc);
    Value neutral = spmd->createNeutral(loc, type, rule.combiner);
    operands[0] = stablehlo::SelectOp::create(b, loc, type, first, operands[0], neutral);
  }
  return {};
}

/// A collective of the user's own is reported like those made here: for which array, along what.
void Partitioner::nameCollective(Operation *op, Operation *local) {
  DenseIntElementsAttr groups;
  for (StringRef name : {"replica_groups", "source_target_pairs"})
    if (auto attr = op->getAttrOfType<DenseIntElementsAttr>(name))
      groups = attr;
  if (!groups || op->getNumResults() == 0)
    return;
  bool isSum = isa<stablehlo::AllReduceOp, stablehlo::ReduceScatterOp>(op);
  std::string array = isSum ? describeSum(op->getResult(0)) : describeArray(op->getOperand(0));
  local->setLoc(
      spmd->getLoc({op->getLoc(), "in the program", array}, mesh.getAtomsOfGroups(groups)));
}

Operation *Partitioner::createLocal(Operation *op, ArrayRef<Value> operands,
                                    const Assignment &assignment) {
  OpBuilder &b = spmd->getBuilder();
  IRMapping map;
  for (auto [old, local] : llvm::zip_equal(op->getOperands(), operands))
    map.map(old, local);
  // Reducer bodies may read scalars from outside.
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (!map.contains(value))
      map.map(value, get(value, Sharding(cast<RankedTensorType>(value.getType()).getRank()),
                         op->getLoc()));
  Operation *local = b.clone(*op, map);
  // Two uses of one value may need it in different shardings.
  local->setOperands(operands);
  local->walk([](Operation *inner) {
    inner->removeAttr(sdy::kShardingAttr);
    inner->removeAttr(sdy::kShardingRuleAttr);
  });
  nameCollective(op, local);
  for (auto [index, result] : llvm::enumerate(local->getResults()))
    result.setType(getLocalType(op->getResult(index), assignment.results[index]));

  if (auto slice = dyn_cast<stablehlo::SliceOp>(local)) {
    SmallVector<int64_t> starts(slice.getStartIndices()), limits(slice.getLimitIndices());
    for (auto [dim, limit] : llvm::enumerate(limits)) {
      int64_t tile = cast<RankedTensorType>(operands[0].getType()).getDimSize(dim);
      if (assignment.operands[0].dims[dim].empty())
        continue;
      if (assignment.results[0].dims[dim].empty()) { // its owner's part of it
        int64_t first = starts[dim] / tile * tile;
        starts[dim] -= first;
        limit -= first;
        continue;
      }
      starts[dim] = 0;
      limit = tile;
    }
    slice.setStartIndices(starts);
    slice.setLimitIndices(limits);
  } else if (auto pad = dyn_cast<stablehlo::PadOp>(local)) {
    SmallVector<int64_t> low(pad.getEdgePaddingLow()), high(pad.getEdgePaddingHigh());
    for (auto [dim, atoms] : llvm::enumerate(assignment.operands[0].dims))
      if (!atoms.empty())
        low[dim] = high[dim] = 0;
    pad.setEdgePaddingLow(low);
    pad.setEdgePaddingHigh(high);
  } else if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(local)) {
    SmallVector<int64_t> dims;
    for (auto [dim, atoms] : llvm::enumerate(assignment.operands[0].dims))
      if (!atoms.empty())
        dims.push_back(dim);
    if (window.getPadding())
      window.setPaddingAttr(withoutPadding(*window.getPadding(), dims));
    for (int64_t dim : dims)
      if (int direction = getCumulative(op, dim))
        setCumulative(window, dim, direction);
  } else if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(local)) {
    SmallVector<int64_t> dims;
    for (auto [index, dim] :
         llvm::enumerate(convolution.getDimensionNumbers().getInputSpatialDimensions()))
      if (!assignment.operands[0].dims[dim].empty())
        dims.push_back(index);
    if (convolution.getPadding())
      convolution.setPaddingAttr(withoutPadding(*convolution.getPadding(), dims));
    // Groups are what makes the sizes of one device fit.
    auto dn = convolution.getDimensionNumbers();
    auto sizeOf = [](Value value, int64_t dim) {
      return cast<RankedTensorType>(value.getType()).getDimSize(dim);
    };
    if (convolution.getFeatureGroupCount() > 1)
      convolution.setFeatureGroupCount(sizeOf(operands[0], dn.getInputFeatureDimension()) /
                                       sizeOf(operands[1], dn.getKernelInputFeatureDimension()));
    if (convolution.getBatchGroupCount() > 1)
      convolution.setBatchGroupCount(sizeOf(operands[0], dn.getInputBatchDimension()) /
                                     sizeOf(local->getResult(0), dn.getOutputBatchDimension()));
  } else if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(local)) {
    slice.setSliceSizes(cast<RankedTensorType>(slice.getResult().getType()).getShape());
  } else if (auto gather = dyn_cast<stablehlo::GatherOp>(local)) {
    SmallVector<int64_t> sizes(gather.getSliceSizes());
    auto type = cast<RankedTensorType>(operands[0].getType());
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!assignment.operands[0].dims[dim].empty() && size != 1)
        size = type.getDimSize(dim);
    gather.setSliceSizes(sizes);
  }
  return local;
}

std::string Partitioner::getGatherCause(Operation *op, const ShardingRule &rule, unsigned operand,
                                        ArrayRef<Sharding> have) {
  std::string name = op->getName().getStringRef().str();
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    name += " @" + call.getCallTargetName().str();
  for (auto [dim, factors] : llvm::enumerate(rule.operands[operand]))
    for (unsigned factor : factors) {
      FactorKind kind = rule.factors[factor].kind;
      bool isSplit = !have.empty() && llvm::all_of(have, [&](const Sharding &version) {
        return !version.dims[dim].empty();
      });
      if (!isSplit || kind == FactorKind::PassThrough || kind == FactorKind::Reduction)
        continue;
      return rule.known ? name + " needs dimension " + std::to_string(dim) + " whole"
                        : name + " has no sharding rule";
    }
  return {};
}

void Partitioner::noteReplication(Operation *op, unsigned operand, const std::string &cause,
                                  const Sharding &needed, ArrayRef<Sharding> have) {
  auto type = cast<RankedTensorType>(op->getOperand(operand).getType());
  int64_t cheapest = std::numeric_limits<int64_t>::max();
  for (const Sharding &version : have) {
    int64_t bytes = 0;
    for (const ReshardStep &step : planReshard(version, needed, type, mesh))
      if (step.kind == ReshardStep::AllGather)
        bytes += step.wireBytes;
    cheapest = std::min(cheapest, bytes);
  }
  if (cheapest == 0)
    return;
  Replication &group = replications[cause];
  group.bytes += cheapest;
  if (!llvm::is_contained(group.places, op->getLoc()))
    group.places.push_back(op->getLoc());
}

void Partitioner::remarkReplications() {
  constexpr size_t kMostPlaces = 8;
  for (const auto &[cause, group] : replications) {
    numReplicated += group.places.size();
    InFlightDiagnostic remark = emitRemark(group.places.front());
    remark << "operands are gathered because " << cause << ": " << group.bytes
           << " bytes received by each device";
    if (group.places.size() > 1)
      remark << ", at " << group.places.size() << " places";
    for (Location place : ArrayRef(group.places).drop_front().take_front(kMostPlaces - 1))
      remark.attachNote(place) << "and here";
  }
}

} // namespace tandem
