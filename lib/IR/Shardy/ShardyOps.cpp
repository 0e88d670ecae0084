// Methods of the `sdy` ops, verifiers apart.

#include "ShardyAssembly.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::sdy;

#define GET_OP_CLASSES
#include "tandem/IR/Shardy/ShardyOps.cpp.inc"

//===-- ManualComputationOp
//---------------------------------------------------------------------===//

void ManualComputationOp::setInShardings(ArrayRef<TensorShardingAttr> shardings) {
  setInShardingsAttr(TensorShardingPerValueAttr::get(getContext(), shardings));
}

void ManualComputationOp::setOutShardings(ArrayRef<TensorShardingAttr> shardings) {
  setOutShardingsAttr(TensorShardingPerValueAttr::get(getContext(), shardings));
}

void ManualComputationOp::setInSharding(int64_t index, TensorShardingAttr sharding) {
  setInShardingsAttr(getInShardings().replaceValueSharding(index, sharding));
}

void ManualComputationOp::setOutSharding(int64_t index, TensorShardingAttr sharding) {
  setOutShardingsAttr(getOutShardings().replaceValueSharding(index, sharding));
}

/// The axes of a list that are not manual.
static SmallVector<AxisRefAttr> freeAxes(ArrayRef<AxisRefAttr> axes, ManualAxesAttr manual) {
  SmallVector<AxisRefAttr> result;
  llvm::copy_if(axes, std::back_inserter(result),
                [&](AxisRefAttr axis) { return !manual.contains(axis.getName()); });
  return result;
}

static TensorShardingAttr withoutManualAxes(TensorShardingAttr sharding, ManualAxesAttr manual) {
  SmallVector<DimensionShardingAttr> dims;
  for (DimensionShardingAttr dim : sharding.getDimShardings()) {
    SmallVector<AxisRefAttr> axes = freeAxes(dim.getAxes(), manual);
    // A closed dimension must not keep a priority once it has no axis left.
    std::optional<int64_t> priority = dim.getPriority();
    if (axes.empty() && dim.getIsClosed())
      priority.reset();
    dims.push_back(
        DimensionShardingAttr::get(sharding.getContext(), axes, dim.getIsClosed(), priority));
  }
  return TensorShardingAttr::get(sharding.getContext(), sharding.getMeshOrRef(), dims,
                                 freeAxes(sharding.getReplicatedAxes(), manual),
                                 freeAxes(sharding.getUnreducedAxes(), manual));
}

/// `sharding`, over free axes, with the manual axes that `original` has in front.
static TensorShardingAttr withManualAxesOf(TensorShardingAttr original, TensorShardingAttr sharding,
                                           ManualAxesAttr manual, MeshAttr mesh) {
  auto manualAxes = [&](ArrayRef<AxisRefAttr> axes) {
    SmallVector<AxisRefAttr> result;
    llvm::copy_if(axes, std::back_inserter(result),
                  [&](AxisRefAttr axis) { return manual.contains(axis.getName()); });
    return result;
  };
  SmallVector<DimensionShardingAttr> dims;
  for (auto [before, after] :
       llvm::zip_equal(original.getDimShardings(), sharding.getDimShardings())) {
    SmallVector<AxisRefAttr> axes = manualAxes(before.getAxes());
    llvm::append_range(axes, after.getAxes());
    dims.push_back(DimensionShardingAttr::get(original.getContext(), axes, after.getIsClosed(),
                                              after.getPriority()));
  }
  auto merged = [&](ArrayRef<AxisRefAttr> before, ArrayRef<AxisRefAttr> after) {
    SmallVector<AxisRefAttr> axes = manualAxes(before);
    llvm::append_range(axes, after);
    if (mesh)
      llvm::sort(axes, AxisRefAttr::getMeshComparator(mesh));
    return axes;
  };
  return TensorShardingAttr::get(original.getContext(), original.getMeshOrRef(), dims,
                                 merged(original.getReplicatedAxes(), sharding.getReplicatedAxes()),
                                 merged(original.getUnreducedAxes(), sharding.getUnreducedAxes()));
}

TensorShardingAttr ManualComputationOp::getInShardingWithoutManualAxes(int64_t index) {
  return withoutManualAxes(getInSharding(index), getManualAxesAttr());
}

TensorShardingAttr ManualComputationOp::getOutShardingWithoutManualAxes(int64_t index) {
  return withoutManualAxes(getOutSharding(index), getManualAxesAttr());
}

void ManualComputationOp::setInShardingAddingManualAxes(int64_t index,
                                                        TensorShardingAttr sharding) {
  TensorShardingAttr original = getInSharding(index);
  setInSharding(index, withManualAxesOf(original, sharding, getManualAxesAttr(),
                                        original.getMesh(getOperation())));
}

void ManualComputationOp::setOutShardingAddingManualAxes(int64_t index,
                                                         TensorShardingAttr sharding) {
  TensorShardingAttr original = getOutSharding(index);
  setOutSharding(index, withManualAxesOf(original, sharding, getManualAxesAttr(),
                                         original.getMesh(getOperation())));
}

//===-- ConstantOp, DataFlowEdgeOp
//--------------------------------------------------------------===//

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                           ConstantOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &inferred) {
  inferred.push_back(adaptor.getValue().getType());
  return success();
}

DataFlowEdgeOp DataFlowEdgeOp::getDataFlowEdgeUser(Value root) {
  return root && root.hasOneUse() ? dyn_cast<DataFlowEdgeOp>(*root.user_begin()) : DataFlowEdgeOp();
}
