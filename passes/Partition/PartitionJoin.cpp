// Results put together of pieces of all devices' parts: joins along a split dimension (F18), the
// first elements of a sort (F17), what one device owns (F16), cumulative reductions (F19).
#include "passes/Partition/Partitioner.h"
#include "tandem/Sharding/Join.h"

namespace tandem {
using namespace mlir;

Value Partitioner::emitJoin(stablehlo::ConcatenateOp op, ArrayRef<Value> operands,
                            const Assignment &assignment) {
  OpBuilder &b = spmd->getBuilder();
  int64_t dim = op.getDimension();
  const Atoms &atoms = assignment.results.front().dims[dim];
  Reason reason{op.getLoc(), "pieces of arrays joined along a split dimension",
                describeArray(op.getResult())};
  Location loc = spmd->getLoc(reason, atoms);
  SmallVector<JoinedArray> arrays;
  for (auto [operand, sharding] : llvm::zip_equal(op.getInputs(), assignment.operands))
    arrays.push_back({typeOf(operand).getDimSize(dim), !sharding.dims[dim].empty()});
  JoinPlan plan = planJoin(arrays, mesh.getSize(atoms));
  SmallVector<SmallVector<int64_t>> groups = mesh.getGroups(atoms);

  RankedTensorType local = getLocalType(op.getResult(), assignment.results.front());
  Value mine = createConcat(b, loc, operands, dim);
  // What a device does not get goes behind the end of its tile.
  int64_t behind = 0;
  for (const JoinPlan::Round &round : plan.rounds)
    if (llvm::is_contained(round.to, -1))
      behind = std::max(behind, round.length);
  Value zero = spmd->createSplat(loc, RankedTensorType::get({}, b.getI32Type()), 0);
  auto startsAt = [&](ArrayRef<int64_t> positions, int64_t otherwise) {
    SmallVector<int64_t> filled(positions);
    std::replace(filled.begin(), filled.end(), int64_t(-1), otherwise);
    SmallVector<Value> starts(local.getRank(), zero);
    starts[dim] = spmd->lookup(atoms, filled, loc);
    return starts;
  };
  Value joined = spmd->createSplat(loc, withSize(local, dim, plan.tile + behind), 0);
  for (const JoinPlan::Round &round : plan.rounds) {
    RankedTensorType type = withSize(local, dim, round.length);
    Value piece = stablehlo::DynamicSliceOp::create(b, loc, type, mine, startsAt(round.from, 0),
                                                    b.getDenseI64ArrayAttr(type.getShape()));
    if (!round.isLocal) {
      SmallVector<int64_t> pairs;
      for (ArrayRef<int64_t> group : groups)
        for (auto [sender, receiver] : round.pairs) {
          pairs.push_back(group[sender]);
          pairs.push_back(group[receiver]);
        }
      piece = spmd->permute(piece, pairs, atoms, reason);
    }
    joined = stablehlo::DynamicUpdateSliceOp::create(b, loc, joined.getType(), joined, piece,
                                                     startsAt(round.to, plan.tile));
  }
  return createSlice(b, loc, joined, dim, 0, plan.tile);
}

/// In the order of the tiles, so that of equal elements those of lower index stay in front.
void Partitioner::emitFirsts(stablehlo::SortOp op, ArrayRef<Value> operands, int64_t dim,
                             int64_t count, const Assignment &assignment) {
  OpBuilder &b = spmd->getBuilder();
  const Atoms &atoms = assignment.operands.front().dims[dim];
  auto local = cast<stablehlo::SortOp>(createLocal(op, operands, assignment));
  local.setIsStable(true);
  SmallVector<Value> candidates;
  for (auto [index, result] : llvm::enumerate(local->getResults())) {
    RankedTensorType type = typeOf(operands[index]);
    result.setType(type);
    Reason reason{op.getLoc(), "all-gather of the first elements of each part of a sort",
                  describeArray(op->getResult(index))};
    Value first = createSlice(b, spmd->getLoc(reason, atoms), result, dim, 0,
                              std::min(count, type.getDimSize(dim)));
    candidates.push_back(spmd->gather(first, dim, atoms, reason));
  }
  auto sorted = cast<stablehlo::SortOp>(b.clone(*local));
  sorted->setOperands(candidates);
  for (auto [result, candidate] : llvm::zip_equal(sorted->getResults(), candidates))
    result.setType(candidate.getType());
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    for (Operation *user : result.getUsers()) {
      auto slice = cast<stablehlo::SliceOp>(user);
      const Sharding &sharding = assignment.results[index];
      if (getVersions(slice.getResult()).empty())
        addVersion(slice.getResult(),
                   createSlice(b, slice.getLoc(), sorted->getResult(index), dim, 0,
                               typeOf(slice.getResult()).getDimSize(dim)),
                   sharding);
    }
}

/// The last element along the dimension is of all the tile; along several, one after the other.
void Partitioner::addTilesBefore(stablehlo::ReduceWindowOp op, Value &local,
                                 const ShardingRule &rule, const Assignment &assignment) {
  Reason reason{op.getLoc(), "all-gather of what each part of a cumulative reduction adds",
                describeArray(op->getResult(0))};
  for (auto [dim, factors] : llvm::enumerate(rule.results.front()))
    if (int direction = rule.factors[factors.front()].cumulative) {
      const Atoms &atoms = assignment.atoms[factors.front()];
      if (!atoms.empty())
        local =
            spmd->addBefore(local, dim, atoms, direction < 0, getCombiner(op.getBody()), reason);
    }
}

/// The others' values are of the wrong elements.
Value Partitioner::sendByOwner(Operation *op, Value local, const Assignment &assignment) {
  return spmd->broadcast(
      local, assignment.owners, assignment.owner,
      {op->getLoc(), "broadcast of what one device owns", describeArray(op->getOperand(0))});
}

} // namespace tandem
