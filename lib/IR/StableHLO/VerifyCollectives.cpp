// Result types and constraints of communication between devices. How many devices there are is not
// known here: that ids are below that number is checked when the program meets its mesh.

#include "Checks.h"

using namespace mlir;
using namespace mlir::stablehlo;

static Type tensorOf(Dims shape, Type element) { return RankedTensorType::get(shape, element); }

//===-- Groups
//----------------------------------------------------------------------------------===//

namespace {
/// Rows of replica_groups. `size` is the number of devices in a group, 0 when no groups are given
/// (all devices are then one group), -1 when rows are padded with -1 to differ in size.
struct Groups {
  int64_t count = 0, size = 0;
};
} // namespace

/// Ids are unique, not negative, and fill rows of one length; when `mayBeUneven`, rows may end in
/// -1. Labels: all_gather C2 to C4, all_reduce C1 to C3, all_to_all C5 to C7, reduce_scatter C3 to
/// C5, collective_broadcast C1, C2.
static FailureOr<Groups> checkGroups(const ErrorReporter &error, DenseIntElementsAttr attr,
                                     bool mayBeUneven) {
  Dims shape = attr.getType().getShape();
  if (shape.size() != 2)
    return error() << "expects replica_groups of rank 2, one row per group, found shape "
                   << toString(shape);
  Groups groups{shape[0], shape[1]};
  if (groups.count == 0 || groups.size == 0)
    return Groups{};
  llvm::SmallDenseSet<int64_t> seen;
  bool uneven = false;
  SmallVector<int64_t> ids(attr.getValues<int64_t>());
  for (int64_t row = 0; row < groups.count; ++row) {
    bool padded = false;
    for (int64_t column = 0; column < groups.size; ++column) {
      int64_t id = ids[row * groups.size + column];
      if (id == -1 && mayBeUneven && column > 0) {
        padded = uneven = true;
        continue;
      }
      // all_gather C4, all_reduce C3, all_to_all C7, reduce_scatter C5, collective_broadcast C2
      if (id < 0)
        return error() << "expects ids of at least 0 in replica_groups, found " << id
                       << " in group " << row;
      if (padded)
        return error() << "expects -1 in replica_groups only after the ids of a group, found " << id
                       << " after it in group " << row;
      // all_gather C2, all_reduce C1, all_to_all C5, reduce_scatter C3, collective_broadcast C1
      if (!seen.insert(id).second)
        return error() << "expects unique ids in replica_groups, found " << id << " twice";
    }
  }
  if (uneven)
    groups.size = -1;
  return groups;
}

/// Groups that hold every id below their number: no device may be left out.
/// Labels: all_gather C3, C4, all_reduce C2, C3, all_to_all C6, C7, reduce_scatter C4, C5.
static FailureOr<Groups> checkCompleteGroups(const ErrorReporter &error, DenseIntElementsAttr attr,
                                             bool mayBeUneven = false) {
  FailureOr<Groups> groups = checkGroups(error, attr, mayBeUneven);
  if (failed(groups) || groups->count == 0)
    return groups;
  SmallVector<int64_t> ids;
  for (int64_t id : attr.getValues<int64_t>())
    if (id != -1)
      ids.push_back(id);
  for (int64_t id : ids)
    if (id >= static_cast<int64_t>(ids.size()))
      return error() << "expects replica_groups to hold each of 0 to " << ids.size() - 1
                     << ", found " << id;
  return groups;
}

/// all_gather C5, all_reduce C4, reduce_scatter C6
static LogicalResult checkGlobalIds(const ErrorReporter &error, bool useGlobalDeviceIds,
                                    std::optional<ChannelHandleAttr> channel) {
  int64_t handle = channel ? channel->getHandle() : 0;
  if (!useGlobalDeviceIds || handle > 0)
    return success();
  return error() << "expects a channel_handle above 0 beside use_global_device_ids, found "
                 << handle;
}

/// Pairs of distinct sources and distinct targets. Labels: collective_permute, send and recv C1 to
/// C4.
static LogicalResult checkPairs(const ErrorReporter &error, DenseIntElementsAttr attr) {
  // C1
  Dims shape = attr.getType().getShape();
  if (shape.size() != 2 || (shape[0] != 0 && shape[1] != 2))
    return error() << "expects source_target_pairs of shape [N, 2], found " << toString(shape);
  if (shape[0] == 0)
    return success();
  SmallVector<int64_t> values(attr.getValues<int64_t>()), sources, targets;
  for (auto [index, value] : llvm::enumerate(values))
    (index % 2 ? targets : sources).push_back(value);
  // C2
  if (failed(checkUnique(error, "sources in source_target_pairs", sources)))
    return failure();
  // C3
  if (failed(checkUnique(error, "targets in source_target_pairs", targets)))
    return failure();
  // C4
  return checkAtLeast(error, "ids in source_target_pairs", values, 0);
}

//===-- Gathers and exchanges
//-------------------------------------------------------------------===//

LogicalResult AllGatherOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                      SmallVectorImpl<Type> &types) {
  if (op.getOperands().empty())
    return error() << "expects at least one operand, found none";
  auto dim = static_cast<int64_t>(op.getAllGatherDim());
  // C1
  for (Value operand : op.getOperands())
    if (failed(checkRange(error, "all_gather_dim", {dim}, 0, rankOf(operand))))
      return failure();
  // C2, C3, C4
  FailureOr<Groups> groups = checkCompleteGroups(error, op.getReplicaGroups());
  if (failed(groups))
    return failure();
  // C5
  if (failed(checkGlobalIds(error, op.getUseGlobalDeviceIds(), op.getChannelHandle())))
    return failure();
  // C6
  if (groups->size == 0)
    return error()
           << "expects replica_groups with the devices of each group, from which the result "
           << "type follows, found none";
  for (Value operand : op.getOperands()) {
    SmallVector<int64_t> shape(shapeOf(operand));
    shape[dim] *= groups->size;
    types.push_back(tensorOf(shape, elementOf(operand)));
  }
  return success();
}

LogicalResult AllGatherOp::verify() {
  ErrorReporter error(*this);
  SmallVector<Type> types;
  if (getReplicaGroups().getNumElements() != 0) {
    if (failed(inferTypes(error, Adaptor(*this), types)))
      return failure();
    return verifyResultTypes(*this, types);
  }
  // All devices are one group of a number not written here, which the result must tell (C6).
  if (failed(checkCount(error, "results", getNumResults(), getOperands().size())))
    return failure();
  auto dim = static_cast<int64_t>(getAllGatherDim());
  for (auto [operand, result] : llvm::zip_equal(getOperands(), getResults())) {
    if (failed(checkRange(error, "all_gather_dim", {dim}, 0, rankOf(operand))))
      return failure();
    SmallVector<int64_t> shape(shapeOf(operand));
    if (rankOf(result) == rankOf(operand) &&
        shapeOf(result)[dim] % std::max<int64_t>(shape[dim], 1) == 0)
      shape[dim] = shapeOf(result)[dim];
    if (failed(checkSameShape(error, "results", shapeOf(result), shape)) ||
        failed(checkSameElement(error, "results", elementOf(result), elementOf(operand))))
      return failure();
  }
  return checkGlobalIds(error, getUseGlobalDeviceIds(), getChannelHandle());
}

LogicalResult AllToAllOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                     SmallVectorImpl<Type> &types) {
  auto split = static_cast<int64_t>(op.getSplitDimension());
  auto concat = static_cast<int64_t>(op.getConcatDimension());
  auto count = static_cast<int64_t>(op.getSplitCount());
  if (op.getOperands().empty())
    return error() << "expects at least one operand, found none";
  // C4
  if (failed(checkAtLeast(error, "split_count", {count}, 1)))
    return failure();
  for (Value operand : op.getOperands()) {
    SmallVector<int64_t> shape(shapeOf(operand));
    // C1
    if (failed(checkRange(error, "split_dimension", {split}, 0, shape.size())))
      return failure();
    // C3
    if (failed(checkRange(error, "concat_dimension", {concat}, 0, shape.size())))
      return failure();
    // C2
    if (shape[split] % count != 0)
      return error() << "expects a size divisible by split_count " << count << " in dimension "
                     << split << ", found " << shape[split];
    // C9
    shape[split] /= count;
    shape[concat] *= count;
    types.push_back(tensorOf(shape, elementOf(operand)));
  }
  // C5, C6, C7
  FailureOr<Groups> groups = checkCompleteGroups(error, op.getReplicaGroups());
  if (failed(groups))
    return failure();
  // C8
  if (groups->size != 0 && groups->size != count)
    return error() << "expects groups of split_count " << count << " devices, found "
                   << groups->size;
  return success();
}

LogicalResult CollectiveBroadcastOp::verify() {
  // C1, C2
  return failure(failed(checkGroups(ErrorReporter(*this), getReplicaGroups(), false)));
}

LogicalResult CollectivePermuteOp::verify() {
  // C1 to C4
  return checkPairs(ErrorReporter(*this), getSourceTargetPairs());
}

//===-- Reductions
//------------------------------------------------------------------------------===//

LogicalResult AllReduceOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                      SmallVectorImpl<Type> &types) {
  if (op.getOperands().empty())
    return error() << "expects at least one operand, found none";
  // C1, C2, C3
  if (failed(checkCompleteGroups(error, op.getReplicaGroups(), /*mayBeUneven=*/true)))
    return failure();
  // C4
  if (failed(checkGlobalIds(error, op.getUseGlobalDeviceIds(), op.getChannelHandle())))
    return failure();
  // C5: one scalar computation serves all operands
  SmallVector<Type> elements;
  for (Value operand : op.getOperands())
    if (failed(checkReducer(error, "computation", op.getComputation(), {elementOf(operand)},
                            elements)))
      return failure();
    else // C6, C7
      types.push_back(tensorOf(shapeOf(operand), elements[0]));
  return success();
}

LogicalResult ReduceScatterOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                          SmallVectorImpl<Type> &types) {
  auto dim = static_cast<int64_t>(op.getScatterDimension());
  SmallVector<int64_t> shape(shapeOf(op.getOperand()));
  // C2
  if (failed(checkRange(error, "scatter_dimension", {dim}, 0, shape.size())))
    return failure();
  // C3, C4, C5
  FailureOr<Groups> groups = checkCompleteGroups(error, op.getReplicaGroups());
  if (failed(groups))
    return failure();
  if (groups->size == 0)
    return error()
           << "expects replica_groups with the devices of each group, from which the result "
           << "type follows, found none";
  // C1
  if (shape[dim] % groups->size != 0)
    return error() << "expects a size divisible by the " << groups->size
                   << " devices of a group in dimension " << dim << ", found " << shape[dim];
  // C6
  if (failed(checkGlobalIds(error, op.getUseGlobalDeviceIds(), op.getChannelHandle())))
    return failure();
  // C7
  SmallVector<Type> elements;
  if (failed(checkReducer(error, "computation", op.getComputation(), {elementOf(op.getOperand())},
                          elements)))
    return failure();
  // C8, C9
  shape[dim] /= groups->size;
  types.push_back(tensorOf(shape, elements[0]));
  return success();
}

LogicalResult ReduceScatterOp::verify() {
  ErrorReporter error(*this);
  SmallVector<Type> types;
  if (getReplicaGroups().getNumElements() != 0) {
    if (failed(inferTypes(error, Adaptor(*this), types)))
      return failure();
    return verifyResultTypes(*this, types);
  }
  // All devices are one group of a number not written here, which the result must tell (C1, C8).
  auto dim = static_cast<int64_t>(getScatterDimension());
  if (failed(checkRange(error, "scatter_dimension", {dim}, 0, rankOf(getOperand()))))
    return failure();
  SmallVector<int64_t> shape(shapeOf(getOperand()));
  Dims result = shapeOf(getResult());
  if (result.size() == shape.size() && shape[dim] % std::max<int64_t>(result[dim], 1) == 0)
    shape[dim] = result[dim];
  if (failed(checkSameShape(error, "result", result, shape)) ||
      failed(checkGlobalIds(error, getUseGlobalDeviceIds(), getChannelHandle())))
    return failure();
  SmallVector<Type> elements;
  if (failed(checkReducer(error, "computation", getComputation(), {elementOf(getOperand())},
                          elements)))
    return failure();
  return checkSameElement(error, "result", elementOf(getResult()), elements[0]);
}

LogicalResult CrossReplicaSumOp::verify() {
  return failure(
      failed(checkCompleteGroups(ErrorReporter(*this), getReplicaGroups(), /*mayBeUneven=*/true)));
}

//===-- Point to point and host transfers
//-------------------------------------------------------===//

static constexpr int64_t kDeviceToDevice = 1, kDeviceToHost = 2, kHostToDevice = 3;

/// C1 to C5 of send and recv.
template <typename OpTy> static LogicalResult checkTransfer(OpTy op, int64_t hostChannelType) {
  ErrorReporter error(op);
  if (std::optional<DenseIntElementsAttr> pairs = op.getSourceTargetPairs())
    if (failed(checkPairs(error, *pairs)))
      return failure();
  // C5
  int64_t expected = op.getIsHostTransfer() ? hostChannelType : kDeviceToDevice;
  int64_t found = op.getChannelHandle().getType();
  if (found != expected)
    return error() << "expects a channel of type " << expected
                   << (op.getIsHostTransfer() ? " for a host transfer" : " between devices")
                   << ", found " << found;
  return success();
}

/// Results are tensors, then a token.
static LogicalResult checkTensorsThenToken(Operation *op) {
  ErrorReporter error(op);
  // infeed C1
  if (op->getNumResults() == 0)
    return error() << "expects at least one result, a token, found none";
  // infeed C2
  for (auto [index, type] : llvm::enumerate(llvm::drop_end(op->getResultTypes())))
    if (!isa<RankedTensorType>(type))
      return error() << "expects tensors before the last result, found " << type << " as result "
                     << index;
  // infeed C3
  if (Type last = op->getResults().back().getType(); !isa<TokenType>(last))
    return error() << "expects a token as the last result, found " << last;
  return success();
}

LogicalResult SendOp::verify() { return checkTransfer(*this, kDeviceToHost); }

LogicalResult RecvOp::verify() {
  if (failed(checkTransfer(*this, kHostToDevice)))
    return failure();
  return checkTensorsThenToken(*this);
}

LogicalResult InfeedOp::verify() { return checkTensorsThenToken(*this); }

LogicalResult OutfeedOp::verify() { return success(); }
