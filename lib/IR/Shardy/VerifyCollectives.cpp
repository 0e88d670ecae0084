// Verifiers of the sdy collectives: the axes of each lead from the operand's sharding to the
// result's.

#include "Verify.h"
#include "tandem/IR/Shardy/ShardingAccess.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::sdy;

namespace {
/// The shardings that a collective leads between. Both have the rank of the tensor.
struct Step {
  TensorShardingAttr operand, result;
  MeshAttr mesh;
};
} // namespace

static std::string listToString(ArrayRef<AxisRefAttr> axes) {
  std::string text = "{";
  for (auto [index, axis] : llvm::enumerate(axes))
    text += (index ? ", " : "") + axis.toString();
  return text + "}";
}

/// What all collectives check: the result's sharding is valid, the operand has one (an op that
/// allows it may take a missing one as replicated), both are on the same mesh, axes are valid.
template <typename OpTy>
static FailureOr<Step> verifyStep(OpTy op, bool operandMayLackSharding = false,
                                  bool meshesMayDiffer = false) {
  Step step;
  step.result = op.getOutSharding();
  if (failed(verifySharding(op, step.result, op.getType(), [&] { return op.emitOpError(); })))
    return failure();
  step.mesh = step.result.getMesh(op.getOperation());
  step.operand = getSharding(op.getTensor());
  if (!step.operand) {
    if (!operandMayLackSharding)
      return op.emitOpError("expects an operand with a sharding"), failure();
    step.operand = TensorShardingAttr::getFullyClosedLike(step.result);
  }
  MeshAttr operandMesh = step.operand.getMesh(op.getOperation());
  if (!operandMesh || step.operand.getRank() != step.result.getRank())
    return op.emitOpError("expects an operand with a valid sharding, found ") << step.operand,
           failure();
  if (!meshesMayDiffer && operandMesh != step.mesh)
    return op.emitOpError("expects the operand's mesh ") << operandMesh << ", found " << step.mesh,
           failure();
  return step;
}

/// The lists of axes of a collective, one per dimension of the tensor.
template <typename OpTy>
static LogicalResult verifyAxesPerDim(OpTy op, const Step &step,
                                      ArrayRef<AxisRefListAttr> axesPerDim) {
  if (step.result.getRank() != static_cast<int64_t>(axesPerDim.size()))
    return op.emitOpError("expects ")
           << step.result.getRank() << " lists of axes, one per dimension, found "
           << axesPerDim.size();
  auto emit = [&] { return op.emitOpError(); };
  AxisChecker checker(step.mesh, emit);
  for (AxisRefListAttr axes : axesPerDim)
    if (failed(checker.add(axes.getValue())))
      return failure();
  return success();
}

/// `axes` with `taken` off the minor side; fails silently when they are not there.
static FailureOr<SmallVector<AxisRefAttr>> takeOff(ArrayRef<AxisRefAttr> axes,
                                                   ArrayRef<AxisRefAttr> taken, MeshAttr mesh) {
  SmallVector<AxisRefAttr> result(axes);
  for (AxisRefAttr axis : llvm::reverse(taken)) {
    if (result.empty() || !axis.suffixOf(result.back(), mesh))
      return failure();
    AxisRefAttr minor = result.pop_back_val();
    if (std::optional<AxisRefAttr> rest = minor.getPrefixWithoutOverlap(axis))
      result.push_back(*rest);
  }
  return result;
}

/// `axes` with `added` on the minor side, parts merged.
static SmallVector<AxisRefAttr> putOn(ArrayRef<AxisRefAttr> axes, ArrayRef<AxisRefAttr> added,
                                      MeshAttr mesh) {
  SmallVector<AxisRefAttr> result(axes);
  for (AxisRefAttr axis : added) {
    if (!result.empty() && result.back().canMerge(axis))
      result.back() = result.back().merge(axis, mesh);
    else
      result.push_back(axis);
  }
  return result;
}

template <typename OpTy>
static LogicalResult verifyResultDim(OpTy op, const Step &step, int64_t dim,
                                     ArrayRef<AxisRefAttr> expected) {
  ArrayRef<AxisRefAttr> found = step.result.getDimSharding(dim).getAxes();
  if (expected == found)
    return success();
  return op.emitOpError("expects out_sharding ")
         << listToString(expected) << " in dimension " << dim << ", found " << listToString(found);
}

template <typename OpTy>
static LogicalResult verifyTakenOff(OpTy op, const Step &step,
                                    ArrayRef<AxisRefListAttr> axesPerDim) {
  if (failed(verifyAxesPerDim(op, step, axesPerDim)))
    return failure();
  for (auto [dim, axes] : llvm::enumerate(axesPerDim)) {
    ArrayRef<AxisRefAttr> before = step.operand.getDimSharding(dim).getAxes();
    auto expected = takeOff(before, axes.getValue(), step.mesh);
    if (failed(expected))
      return op.emitOpError("expects ")
             << listToString(axes.getValue()) << " on the minor side of the operand's dimension "
             << dim << ", found " << listToString(before);
    if (failed(verifyResultDim(op, step, dim, *expected)))
      return failure();
  }
  return success();
}

template <typename OpTy>
static LogicalResult verifyPutOn(OpTy op, const Step &step, ArrayRef<AxisRefListAttr> axesPerDim) {
  if (failed(verifyAxesPerDim(op, step, axesPerDim)))
    return failure();
  for (auto [dim, axes] : llvm::enumerate(axesPerDim))
    if (failed(verifyResultDim(
            op, step, dim,
            putOn(step.operand.getDimSharding(dim).getAxes(), axes.getValue(), step.mesh))))
      return failure();
  return success();
}

/// No dimension changes.
template <typename OpTy> static LogicalResult verifySameDims(OpTy op, const Step &step) {
  for (auto [dim, sharding] : llvm::enumerate(step.operand.getDimShardings()))
    if (failed(verifyResultDim(op, step, dim, sharding.getAxes())))
      return failure();
  return success();
}

LogicalResult AllGatherOp::verify() {
  FailureOr<Step> step = verifyStep(*this);
  return failed(step) ? failure() : verifyTakenOff(*this, *step, getGatheringAxes());
}

LogicalResult AllSliceOp::verify() {
  FailureOr<Step> step = verifyStep(*this, /*operandMayLackSharding=*/true);
  return failed(step) ? failure() : verifyPutOn(*this, *step, getSlicingAxes());
}

LogicalResult ReduceScatterOp::verify() {
  FailureOr<Step> step = verifyStep(*this, /*operandMayLackSharding=*/true);
  return failed(step) ? failure() : verifyPutOn(*this, *step, getReduceScatterAxes());
}

LogicalResult AllToAllOp::verify() {
  FailureOr<Step> step = verifyStep(*this);
  if (failed(step))
    return failure();
  // There is at least one move.
  if (getParams().empty())
    return emitOpError("expects at least one move of axes");
  int64_t rank = step->result.getRank(), previous = -1;
  llvm::BitVector seen(rank);
  auto emit = [&] { return emitOpError(); };
  AxisChecker checker(step->mesh, emit);
  for (AllToAllParamAttr param : getParams()) {
    if (failed(checker.add(param.getAxes())))
      return failure();
    for (int64_t dim : {param.getSrcDim(), param.getTgtDim()}) {
      // Dimensions exist and take part in one move.
      if (dim < 0 || dim >= rank)
        return emitOpError("expects dimensions from 0 to ") << rank - 1 << ", found " << dim;
      if (seen.test(dim))
        return emitOpError("dimension ") << dim << " takes part in two moves";
      seen.set(dim);
    }
    // Moves are ordered by source.
    if (param.getSrcDim() <= previous)
      return emitOpError("expects moves in order of their source dimension, found ")
             << param.getSrcDim() << " after " << previous;
    previous = param.getSrcDim();
  }
  for (AllToAllParamAttr param : getParams()) {
    ArrayRef<AxisRefAttr> before = step->operand.getDimSharding(param.getSrcDim()).getAxes();
    auto source = takeOff(before, param.getAxes(), step->mesh);
    if (failed(source))
      return emitOpError("expects ")
             << listToString(param.getAxes()) << " on the minor side of the operand's dimension "
             << param.getSrcDim() << ", found " << listToString(before);
    if (failed(verifyResultDim(*this, *step, param.getSrcDim(), *source)) ||
        failed(verifyResultDim(*this, *step, param.getTgtDim(),
                               putOn(step->operand.getDimSharding(param.getTgtDim()).getAxes(),
                                     param.getAxes(), step->mesh))))
      return failure();
  }
  for (auto [dim, sharding] : llvm::enumerate(step->operand.getDimShardings()))
    if (!seen.test(dim) && failed(verifyResultDim(*this, *step, dim, sharding.getAxes())))
      return failure();
  return success();
}

LogicalResult CollectivePermuteOp::verify() {
  FailureOr<Step> step =
      verifyStep(*this, /*operandMayLackSharding=*/false, /*meshesMayDiffer=*/true);
  if (failed(step))
    return failure();
  // The meshes have the same axes, and differ in their devices if at all.
  MeshAttr operandMesh = step->operand.getMesh(getOperation());
  if (operandMesh.getAxes() != step->mesh.getAxes())
    return emitOpError("expects the axes of the operand's mesh ")
           << operandMesh << ", found " << step->mesh;
  // Each dimension stays split into as many parts.
  for (auto [dim, before, after] :
       llvm::enumerate(step->operand.getDimShardings(), step->result.getDimShardings()))
    if (before.getShardedSize(step->mesh) != after.getShardedSize(step->mesh))
      return emitOpError("expects ")
             << before.getShardedSize(step->mesh) << " parts in dimension " << dim
             << " as in the operand, found " << after.getShardedSize(step->mesh);
  return success();
}

LogicalResult AllReduceOp::verify() {
  FailureOr<Step> step = verifyStep(*this, /*operandMayLackSharding=*/true);
  if (failed(step) || failed(verifySameDims(*this, *step)))
    return failure();
  auto emit = [&] { return emitOpError(); };
  AxisChecker checker(step->mesh, emit);
  if (failed(checker.add(getReductionAxes().getValue())))
    return failure();
  for (AxisRefAttr axis : getReductionAxes()) {
    auto overlapsAxis = [&](AxisRefAttr other) { return other.overlaps(axis); };
    // A reduction axis neither splits a dimension nor is replicated, and is reduced afterwards.
    if (llvm::any_of(step->operand.getReplicatedAxes(), overlapsAxis) ||
        llvm::any_of(step->operand.getDimShardings(), [&](DimensionShardingAttr dim) {
          return llvm::any_of(dim.getAxes(), overlapsAxis);
        }))
      return emitOpError("reduction axis ")
             << axis.toString() << " splits or replicates the operand";
    if (llvm::any_of(step->result.getUnreducedAxes(), overlapsAxis))
      return emitOpError("reduction axis ") << axis.toString() << " is unreduced in out_sharding";
  }
  return success();
}

/// The result's unreduced axes are the operand's and `axes`, in the order of the mesh.
template <typename OpTy>
static LogicalResult verifyUnreduced(OpTy op, const Step &step, ArrayRef<AxisRefAttr> axes) {
  SmallVector<AxisRefAttr> sorted(step.operand.getUnreducedAxes());
  llvm::append_range(sorted, axes);
  llvm::sort(sorted, AxisRefAttr::getMeshComparator(step.mesh));
  SmallVector<AxisRefAttr> expected = putOn({}, sorted, step.mesh);
  if (ArrayRef(expected) != step.result.getUnreducedAxes())
    return op.emitOpError("expects unreduced axes ")
           << listToString(expected) << " in out_sharding, found "
           << listToString(step.result.getUnreducedAxes());
  return success();
}

LogicalResult ShardedToUnreducedOp::verify() {
  FailureOr<Step> step = verifyStep(*this);
  if (failed(step) || failed(verifyTakenOff(*this, *step, getAxes())))
    return failure();
  SmallVector<AxisRefAttr> all;
  for (AxisRefListAttr axes : getAxes())
    llvm::append_range(all, axes.getValue());
  return verifyUnreduced(*this, *step, all);
}

LogicalResult ReplicatedToUnreducedOp::verify() {
  FailureOr<Step> step = verifyStep(*this, /*operandMayLackSharding=*/true);
  if (failed(step) || failed(verifySameDims(*this, *step)))
    return failure();
  auto emit = [&] { return emitOpError(); };
  AxisChecker checker(step->mesh, emit);
  for (DimensionShardingAttr dim : step->operand.getDimShardings())
    if (failed(checker.add(dim.getAxes())))
      return failure();
  if (failed(checker.add(getAxes().getValue())))
    return failure();
  return verifyUnreduced(*this, *step, getAxes().getValue());
}
