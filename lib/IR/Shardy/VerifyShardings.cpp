// Verifiers of meshes, shardings, and of the ops that hold shardings (collectives apart).

#include "Verify.h"
#include "tandem/IR/Shardy/ShardingAccess.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::sdy;

//===-- Meshes and axes
//-------------------------------------------------------------------------===//

LogicalResult MeshAxisAttr::verify(EmitError emitError, StringRef name, int64_t size) {
  // The size is at least 1.
  if (size < 1)
    return emitError() << "expects an axis size of at least 1, found " << size << " for axis \""
                       << name << "\"";
  return success();
}

LogicalResult MeshAttr::verify(EmitError emitError, ArrayRef<MeshAxisAttr> axes,
                               ArrayRef<int64_t> deviceIds) {
  // Axis names are unique.
  for (auto [index, axis] : llvm::enumerate(axes))
    for (MeshAxisAttr earlier : axes.take_front(index))
      if (earlier.getName() == axis.getName())
        return emitError() << "expects unique axis names, found \"" << axis.getName() << "\" twice";
  if (deviceIds.empty())
    return success();

  // Device ids are not negative.
  for (int64_t id : deviceIds)
    if (id < 0)
      return emitError() << "expects device ids of at least 0, found " << id;

  // There are as many device ids as devices.
  int64_t size = 1;
  for (MeshAxisAttr axis : axes)
    if (llvm::MulOverflow(size, axis.getSize(), size))
      return emitError() << "expects as many device ids as devices, found " << deviceIds.size()
                         << " ids and more than 2^63 devices";
  if (size != static_cast<int64_t>(deviceIds.size()))
    return emitError() << "expects " << size << " device ids, the product of the axis sizes, found "
                       << deviceIds.size();

  // Each device of the mesh occurs once (a maximal mesh may name any one device).
  if (axes.empty())
    return success();
  SmallVector<int64_t> sorted(deviceIds);
  llvm::sort(sorted);
  if (!isIota(sorted))
    return emitError() << "expects device_ids to hold each of 0 to " << size - 1 << " once";
  return success();
}

LogicalResult SubAxisInfoAttr::verify(EmitError emitError, int64_t preSize, int64_t size) {
  // The pre-size is at least 1.
  if (preSize < 1)
    return emitError() << "expects a sub-axis pre-size of at least 1, found " << preSize;
  // The size is greater than 1.
  if (size < 2)
    return emitError() << "expects a sub-axis size of at least 2, found " << size;
  return success();
}

LogicalResult AxisChecker::checkPart(AxisRefAttr axis) {
  SubAxisInfoAttr info = axis.getSubAxisInfo();
  if (!info)
    return success();
  // A part stays within its axis and divides it.
  int64_t axisSize = mesh.getAxisSize(axis.getName());
  if (axisSize % info.getNextPreSize() != 0)
    return emitError() << "expects pre-size times size of sub-axis " << axis.toString()
                       << " to divide the size " << axisSize << " of the axis, found "
                       << info.getNextPreSize();
  // A part is not the full axis.
  if (info.getSize() == axisSize)
    return emitError() << "sub-axis " << axis.toString() << " is the full axis; write \""
                       << axis.getName() << "\"";
  return success();
}

LogicalResult AxisChecker::add(ArrayRef<AxisRefAttr> axes, const Twine &place) {
  const std::string where = place.isTriviallyEmpty() ? "" : (", found in " + place).str();
  AxisRefAttr previous;
  for (AxisRefAttr axis : axes) {
    // The mesh has the axis.
    if (!mesh.hasAxis(axis.getName()))
      return emitError() << "unknown axis \"" << axis.getName() << "\" in mesh " << mesh << where
                         << "; use an axis that the mesh has, or add this one to it";
    if (failed(checkPart(axis)))
      return failure();
    // No axis, and no part of one, occurs twice.
    for (AxisRefAttr earlier : seen)
      if (earlier.overlaps(axis))
        return emitError() << "axis " << axis.toString()
                           << (earlier == axis ? " is used twice"
                                               : " overlaps " + earlier.toString())
                           << where << "; an axis can be used once, so remove one of the two";
    // Neighbouring parts of one axis are written as one.
    if (previous && previous.canMerge(axis))
      return emitError() << "sub-axes " << previous.toString() << ", " << axis.toString()
                         << " are to be written as one, " << previous.merge(axis, mesh).toString();
    seen.push_back(axis);
    previous = axis;
  }
  return success();
}

//===-- Shardings
//-------------------------------------------------------------------------------===//

LogicalResult TensorShardingAttr::verify(EmitError emitError, Attribute meshOrRef,
                                         ArrayRef<DimensionShardingAttr> dims,
                                         ArrayRef<AxisRefAttr>, ArrayRef<AxisRefAttr>) {
  if (!isa<MeshAttr, FlatSymbolRefAttr>(meshOrRef))
    return emitError() << "expects a mesh, mesh<...>, or its symbol, found " << meshOrRef;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (!dim.getPriority())
      continue;
    // A priority is not negative.
    if (*dim.getPriority() < 0)
      return emitError() << "dimension " << index << ": expects a priority of at least 0, found "
                         << *dim.getPriority();
    // A dimension that is empty and closed has no priority.
    if (dim.getIsClosed() && dim.emptyAxes())
      return emitError() << "dimension " << index
                         << ": a closed dimension without axes has no use for a priority";
  }
  return success();
}

LogicalResult TensorShardingAttr::verifyForType(Type type, MeshAttr mesh, EmitError emitError,
                                                bool checkDivisibility) const {
  bool hasAxes = getRank() != 0 || !getReplicatedAxes().empty() || !getUnreducedAxes().empty();
  // A sharding on a maximal mesh has neither dimensions nor axes.
  if (mesh.isMaximal()) {
    if (hasAxes)
      return emitError() << "a sharding on a maximal mesh has neither dimensions nor axes, found "
                         << *this;
    return success();
  }
  if (auto tuple = dyn_cast_or_null<TupleType>(type); tuple && tuple.size() == 1)
    type = tuple.getType(0);
  auto shaped = dyn_cast_or_null<ShapedType>(type);
  // A value that is no tensor has neither dimensions nor axes.
  if (!shaped) {
    if (!hasAxes)
      return success();
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "only a tensor can be split by a sharding, found ";
    return type ? diagnostic << type : diagnostic << "no value";
  }
  // The tensor has a rank, and the sharding the same.
  if (!shaped.hasRank())
    return emitError() << "only a ranked tensor can have a sharding, found " << type;
  if (shaped.getRank() != getRank())
    return emitError() << "expects " << shaped.getRank() << " dimension shardings for " << type
                       << ", found " << getRank()
                       << "; give each dimension one, {} where it is not split";

  AxisChecker axes(mesh, emitError);
  for (auto [index, dim, size] : llvm::enumerate(getDimShardings(), shaped.getShape())) {
    if (failed(axes.add(dim.getAxes(), "dimension " + Twine(index))))
      return failure();
    if (!checkDivisibility || ShapedType::isDynamic(size))
      continue;
    if (int64_t parts = dim.getShardedSize(mesh); size % parts != 0)
      return emitError() << "expects the size " << size << " of dimension " << index
                         << " to be divisible by the " << parts << " parts it is split into";
  }
  // Replicated and unreduced axes are in the order of the mesh.
  for (auto [kind, list] :
       {std::pair<StringRef, ArrayRef<AxisRefAttr>>("replicated", getReplicatedAxes()),
        {"unreduced", getUnreducedAxes()}}) {
    if (failed(axes.add(list, "the " + kind + " axes")))
      return failure();
    if (!llvm::is_sorted(list, AxisRefAttr::getMeshComparator(mesh)))
      return emitError() << "expects " << kind << " axes in the order of the mesh " << mesh;
  }
  return success();
}

LogicalResult sdy::verifySharding(Operation *op, TensorShardingAttr sharding, Type type,
                                  EmitError emitError) {
  // The mesh exists.
  MeshAttr mesh = sharding.getMesh(op);
  if (!mesh)
    return emitError() << "unknown mesh " << sharding.getMeshOrRef() << "; define it: sdy.mesh "
                       << sharding.getMeshOrRef() << " = <[...]>";
  if (failed(sharding.verifyForType(type, mesh, emitError, /*checkDivisibility=*/false)))
    return failure();
  // Axes that a manual computation around the op is manual on do not occur.
  for (auto manual = op->getParentOfType<ManualComputationOp>(); manual;
       manual = manual->getParentOfType<ManualComputationOp>())
    for (StringAttr axis : manual.getManualAxes())
      if (sharding.isBound(axis)) {
        InFlightDiagnostic diagnostic = emitError() << "uses axis " << axis;
        for (auto [dim, dimSharding] : llvm::enumerate(sharding.getDimShardings()))
          if (llvm::any_of(dimSharding.getAxes(),
                           [&](AxisRefAttr ref) { return ref.getName() == axis.getValue(); }))
            diagnostic << " in dimension " << dim;
        diagnostic << ", which is manual in an sdy.manual_computation around it; inside it only "
                   << "free axes can split a value, so leave it out";
        diagnostic.attachNote(manual.getLoc()) << "made manual here";
        return diagnostic;
      }
  return success();
}

LogicalResult sdy::verifyShardings(Operation *op, TensorShardingPerValueAttr shardings,
                                   TypeRange types, StringRef kind) {
  // An op without results may be bound to a mesh by one sharding without axes.
  if (types.empty() && shardings.size() == 1 && shardings.getSharding(0).emptyAxes())
    return verifySharding(op, shardings.getSharding(0), Type(), [&] { return op->emitOpError(); });
  // There is one sharding per value.
  if (shardings.size() != static_cast<int64_t>(types.size()))
    return op->emitOpError("expects ")
           << types.size() << " " << kind << " shardings, found " << shardings.size();
  for (auto [index, sharding, type] : llvm::enumerate(shardings.getShardings(), types)) {
    auto emit = [&, index = index] { return op->emitOpError() << kind << " " << index << ": "; };
    if (failed(verifySharding(op, sharding, type, emit)))
      return failure();
  }
  return success();
}

//===-- Ops with one sharding
//-------------------------------------------------------------------===//

LogicalResult ShardingConstraintOp::verify() {
  return verifySharding(*this, getSharding(), getType(), [&] { return emitOpError(); });
}

LogicalResult ReshardOp::verify() {
  return verifySharding(*this, getSharding(), getType(), [&] { return emitOpError(); });
}

LogicalResult PropagationBarrierOp::verify() {
  // A barrier blocks at least one direction.
  if (getAllowedDirection() == PropagationDirection::BOTH)
    return emitOpError("expects FORWARD, BACKWARD or NONE as allowed_direction, found BOTH, which "
                       "blocks nothing");
  return success();
}

LogicalResult DataFlowEdgeOp::verify() {
  // The tensor has a static shape.
  if (!cast<ShapedType>(getType()).hasStaticShape())
    return emitOpError("expects a static shape, found ") << getType();
  // The edge is its input's only user.
  if (!getInput().hasOneUse())
    return emitOpError("expects to be the only user of its input");
  // The input is not the result of an sdy op.
  Operation *producer = getInput().getDefiningOp();
  if (producer && producer->getName().getDialectNamespace() == SdyDialect::getDialectNamespace() &&
      !isa<NamedComputationOp>(producer))
    return emitOpError("expects an input that no sdy op but named_computation defines, found ")
           << producer->getName();
  if (std::optional<TensorShardingAttr> sharding = getSharding())
    return verifySharding(*this, *sharding, getType(), [&] { return emitOpError(); });
  return success();
}

//===-- Ops with a body
//-------------------------------------------------------------------------===//

/// "a", "b":(1)2
static std::string listAxes(const AxisRefAttr *begin, const AxisRefAttr *end) {
  std::string text;
  for (const AxisRefAttr *axis = begin; axis != end; ++axis)
    text += (axis == begin ? "" : ", ") + axis->toString();
  return text;
}

/// Operands against block arguments, or results against returned values: shardings are valid,
/// manual axes come first, divide the dimension, and lead from the global to the local type.
static LogicalResult verifyManualValues(ManualComputationOp op, TypeRange globalTypes,
                                        TypeRange localTypes, TensorShardingPerValueAttr shardings,
                                        StringRef kind, StringRef localKind) {
  if (failed(verifyShardings(op, shardings, globalTypes, kind)))
    return failure();
  // There are as many values inside as outside.
  if (globalTypes.size() != localTypes.size())
    return op.emitOpError("expects ") << globalTypes.size() << " " << localKind << "s, one per "
                                      << kind << ", found " << localTypes.size();

  ManualAxesAttr manualAxes = op.getManualAxesAttr();
  auto isManual = [&](AxisRefAttr axis) { return manualAxes.contains(axis.getName()); };
  for (auto [index, global, local] : llvm::enumerate(globalTypes, localTypes)) {
    // An op without results may have one sharding more than values; never fewer.
    TensorShardingAttr sharding = shardings.getSharding(index);
    auto globalType = cast<RankedTensorType>(global);
    MeshAttr mesh = sharding.getMesh(op);
    SmallVector<int64_t> localShape(globalType.getShape());
    if (!mesh.isMaximal()) {
      for (auto [dim, dimSharding] : llvm::enumerate(sharding.getDimShardings())) {
        // Manual axes come before free ones.
        ArrayRef<AxisRefAttr> axes = dimSharding.getAxes();
        const AxisRefAttr *firstFree = llvm::find_if_not(axes, isManual);
        const AxisRefAttr *late = std::find_if(firstFree, axes.end(), isManual);
        if (late != axes.end())
          return op.emitOpError() << kind << " " << index
                                  << ": expects manual axes before free ones "
                                  << "in dimension " << dim << ", found " << late->toString()
                                  << " after " << firstFree->toString();
        // Manual axes divide the dimension.
        int64_t parts = 1;
        for (AxisRefAttr axis : llvm::make_range(axes.begin(), firstFree))
          parts *= axis.getSize(mesh);
        if (ShapedType::isDynamic(localShape[dim]))
          continue;
        if (localShape[dim] % parts != 0)
          return op.emitOpError() << kind << " " << index << ": expects the size "
                                  << localShape[dim] << " of dimension " << dim
                                  << " to be divisible by the " << parts
                                  << " parts along manual axes "
                                  << listAxes(axes.begin(), firstFree)
                                  << "; pad the array to a multiple of " << parts
                                  << ", or leave an axis out of the sharding";
        localShape[dim] /= parts;
      }
    }
    // Inside, the type is the local one.
    Type expected = RankedTensorType::get(localShape, globalType.getElementType());
    if (expected != local)
      return op.emitOpError() << kind << " " << index << ": expects " << localKind << " of type "
                              << expected << ", the local type along manual axes, found " << local
                              << "; write the local type, or change the axes of the sharding";
  }
  return success();
}

LogicalResult ManualComputationOp::verify() {
  // No computation around this one is manual on the same axis.
  for (auto outer = (*this)->getParentOfType<ManualComputationOp>(); outer;
       outer = outer->getParentOfType<ManualComputationOp>())
    for (StringAttr axis : getManualAxes())
      if (outer.getManualAxesAttr().contains(axis)) {
        InFlightDiagnostic diagnostic =
            emitOpError("is manual on axis ")
            << axis << ", which is manual in an sdy.manual_computation around it";
        diagnostic.attachNote(outer.getLoc()) << "made manual here";
        return diagnostic;
      }
  // Manual axes are unique.
  ArrayRef<StringAttr> manualAxes = getManualAxes();
  for (auto [index, axis] : llvm::enumerate(manualAxes))
    if (llvm::is_contained(manualAxes.take_front(index), axis))
      return emitOpError("expects unique manual axes, found ") << axis << " twice";

  Operation *terminator = getBody().front().getTerminator();
  if (failed(verifyManualValues(*this, getTensors().getTypes(), getBody().getArgumentTypes(),
                                getInShardings(), "operand", "block argument")) ||
      failed(verifyManualValues(*this, getResultTypes(), terminator->getOperandTypes(),
                                getOutShardings(), "result", "returned value")))
    return failure();

  // All shardings are on one mesh (or on an empty or maximal one), and it has the manual axes.
  MeshAttr mesh;
  for (TensorShardingPerValueAttr shardings : {getInShardings(), getOutShardings()})
    for (TensorShardingAttr sharding : shardings.getShardings()) {
      MeshAttr other = sharding.getMesh(getOperation());
      if (!other || other.getAxes().empty())
        continue;
      if (mesh && mesh != other)
        return emitOpError("expects all shardings on one mesh, found ") << mesh << " and " << other;
      mesh = other;
    }
  for (StringAttr axis : manualAxes) {
    if (mesh && !mesh.hasAxis(axis))
      return emitOpError("unknown manual axis ") << axis << " in mesh " << mesh;
    // Without shardings nothing tells the mesh of the manual axes.
    if (!mesh && !isa<ReturnOp>(getBody().front().front()))
      return emitOpError("has manual axes but no sharding that tells their mesh");
  }
  return success();
}

static LogicalResult verifySameTypes(NamedComputationOp op, TypeRange inner, TypeRange outer,
                                     StringRef innerKind, StringRef outerKind) {
  if (inner.size() != outer.size())
    return op.emitOpError("expects ") << outer.size() << " " << innerKind << "s, one per "
                                      << outerKind << ", found " << inner.size();
  for (auto [index, innerType, outerType] : llvm::enumerate(inner, outer))
    if (innerType != outerType)
      return op.emitOpError("expects ") << innerKind << " " << index << " of the " << outerKind
                                        << "'s type " << outerType << ", found " << innerType;
  return success();
}

LogicalResult NamedComputationOp::verify() {
  Operation *terminator = getBody().front().getTerminator();
  if (failed(verifySameTypes(*this, getBody().getArgumentTypes(), getOperandTypes(),
                             "block argument", "operand")) ||
      failed(verifySameTypes(*this, terminator->getOperandTypes(), getResultTypes(),
                             "returned value", "result")))
    return failure();
  if (auto shardings = getInShardings();
      shardings && failed(verifyShardings(*this, *shardings, getOperandTypes(), "operand")))
    return failure();
  if (auto shardings = getOutShardings();
      shardings && failed(verifyShardings(*this, *shardings, getResultTypes(), "result")))
    return failure();
  return success();
}
