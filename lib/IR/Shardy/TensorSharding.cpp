// Questions about shardings and the functions that derive one sharding from another.

#include "tandem/IR/Shardy/ShardingAccess.h"
#include "tandem/IR/Shardy/Shardy.h"

using namespace mlir;
using namespace mlir::sdy;

//===-- DimensionShardingAttr
//-------------------------------------------------------------------===//

int64_t DimensionShardingAttr::getShardedSize(MeshAttr mesh) const {
  int64_t size = 1;
  for (AxisRefAttr axis : getAxes())
    size *= axis.getSize(mesh);
  return size;
}

DimensionShardingAttr DimensionShardingAttr::getSharded(StringRef axisName) const {
  SmallVector<AxisRefAttr> axes(getAxes());
  axes.push_back(AxisRefAttr::get(getContext(), axisName));
  return get(getContext(), axes, getIsClosed(), getPriority());
}

DimensionShardingAttr DimensionShardingAttr::sliceShardingAxes(size_t drop, size_t keep) const {
  return get(getContext(), getAxes().slice(drop, keep), getIsClosed(), getPriority());
}

DimensionShardingAttr DimensionShardingAttr::dropFrontShardingAxes(size_t count) const {
  return sliceShardingAxes(count, getAxes().size() - count);
}

DimensionShardingAttr DimensionShardingAttr::takeFrontShardingAxes(size_t count) const {
  return sliceShardingAxes(0, count);
}

DimensionShardingAttr DimensionShardingAttr::dropPriority() const {
  return get(getContext(), getAxes(), getIsClosed());
}

DimensionShardingAttr DimensionShardingAttr::getClosedLike(DimensionShardingAttr sharding) {
  return get(sharding.getContext(), sharding.getAxes(), /*is_closed=*/true, sharding.getPriority());
}

//===-- TensorShardingAttr: questions
//-----------------------------------------------------------===//

bool TensorShardingAttr::isFullyClosed() const {
  return llvm::all_of(getDimShardings(), [](DimensionShardingAttr d) { return d.getIsClosed(); });
}

bool TensorShardingAttr::isFullyReplicated() const {
  return getUnreducedAxes().empty() &&
         llvm::all_of(getDimShardings(), [](DimensionShardingAttr d) { return d.emptyAxes(); });
}

MeshAttr TensorShardingAttr::getMesh(const SymbolTable &symbolTable) const {
  return getMeshOrLookup(symbolTable, getMeshOrRef());
}

MeshAttr TensorShardingAttr::getMesh(Operation *op) const {
  return getMeshOrLookup(op, getMeshOrRef());
}

bool TensorShardingAttr::emptyAxes() const {
  return isFullyReplicated() && getReplicatedAxes().empty();
}

bool TensorShardingAttr::anyOfAxisRef(function_ref<bool(AxisRefAttr)> predicate) const {
  return llvm::any_of(
             getDimShardings(),
             [&](DimensionShardingAttr d) { return llvm::any_of(d.getAxes(), predicate); }) ||
         llvm::any_of(getReplicatedAxes(), predicate) ||
         llvm::any_of(getUnreducedAxes(), predicate);
}

void TensorShardingAttr::forEachAxisRef(function_ref<void(AxisRefAttr)> callback) const {
  anyOfAxisRef([&](AxisRefAttr axis) {
    callback(axis);
    return false;
  });
}

bool TensorShardingAttr::isBound(StringRef axisName) const {
  return anyOfAxisRef([&](AxisRefAttr axis) { return axis.getName() == axisName; });
}

bool TensorShardingAttr::canShard(int64_t dim, StringRef axisName) const {
  return !isClosed(dim) && !isBound(axisName);
}

bool TensorShardingAttr::canReplicate(StringRef axisName) const { return !isBound(axisName); }

//===-- TensorShardingAttr: derived shardings
//---------------------------------------------------===//

static TensorShardingAttr withDims(TensorShardingAttr sharding,
                                   ArrayRef<DimensionShardingAttr> dims) {
  return TensorShardingAttr::get(sharding.getContext(), sharding.getMeshOrRef(), dims,
                                 sharding.getReplicatedAxes(), sharding.getUnreducedAxes());
}

static TensorShardingAttr setClosed(TensorShardingAttr sharding, ArrayRef<int64_t> dims,
                                    bool closed) {
  SmallVector<DimensionShardingAttr> result(sharding.getDimShardings());
  for (int64_t dim : dims)
    result[dim] = DimensionShardingAttr::get(sharding.getContext(), result[dim].getAxes(), closed,
                                             result[dim].getPriority());
  return withDims(sharding, result);
}

/// Every dimension unsplit.
static TensorShardingAttr withoutAxes(MLIRContext *context, int64_t rank, Attribute meshOrRef,
                                      bool closed) {
  SmallVector<DimensionShardingAttr> dims(rank, DimensionShardingAttr::get(context, {}, closed));
  return TensorShardingAttr::get(context, meshOrRef, dims, {}, {});
}

TensorShardingAttr TensorShardingAttr::closeShardingDims(ArrayRef<int64_t> dims) const {
  return setClosed(*this, dims, true);
}

TensorShardingAttr TensorShardingAttr::openShardingDims(ArrayRef<int64_t> dims) const {
  return setClosed(*this, dims, false);
}

TensorShardingAttr TensorShardingAttr::replaceDimSharding(int64_t dim,
                                                          DimensionShardingAttr sharding) const {
  SmallVector<DimensionShardingAttr> dims(getDimShardings());
  dims[dim] = sharding;
  return withDims(*this, dims);
}

TensorShardingAttr TensorShardingAttr::replaceReplicatedAxes(ArrayRef<AxisRefAttr> axes) const {
  return get(getContext(), getMeshOrRef(), getDimShardings(), axes, getUnreducedAxes());
}

TensorShardingAttr TensorShardingAttr::replaceUnreducedAxes(ArrayRef<AxisRefAttr> axes) const {
  return get(getContext(), getMeshOrRef(), getDimShardings(), getReplicatedAxes(), axes);
}

TensorShardingAttr TensorShardingAttr::getSharded(int64_t dim, StringRef axisName) const {
  assert(canShard(dim, axisName) && "the dimension is closed or the axis is in use");
  return replaceDimSharding(dim, getDimSharding(dim).getSharded(axisName));
}

TensorShardingAttr TensorShardingAttr::getReplicated(StringRef axisName, MeshAttr mesh) const {
  assert(canReplicate(axisName) && "the axis is in use");
  SmallVector<AxisRefAttr> axes(getReplicatedAxes());
  axes.push_back(AxisRefAttr::get(getContext(), axisName));
  llvm::sort(axes, AxisRefAttr::getMeshComparator(mesh));
  return replaceReplicatedAxes(axes);
}

TensorShardingAttr TensorShardingAttr::getFullyClosed(MLIRContext *context, int64_t rank,
                                                      Attribute meshOrRef) {
  return withoutAxes(context, rank, meshOrRef, true);
}

TensorShardingAttr TensorShardingAttr::getFullyClosed(MLIRContext *context, int64_t rank,
                                                      StringRef meshName) {
  return withoutAxes(context, rank, FlatSymbolRefAttr::get(context, meshName), true);
}

TensorShardingAttr TensorShardingAttr::getFullyClosedLike(TensorShardingAttr sharding) {
  return withoutAxes(sharding.getContext(), sharding.getRank(), sharding.getMeshOrRef(), true);
}

TensorShardingAttr TensorShardingAttr::getClosedLike(TensorShardingAttr sharding) {
  return setClosed(sharding, llvm::to_vector(llvm::seq<int64_t>(0, sharding.getRank())), true);
}

TensorShardingAttr TensorShardingAttr::getFullyOpen(MLIRContext *context, int64_t rank,
                                                    StringRef meshName) {
  return withoutAxes(context, rank, FlatSymbolRefAttr::get(context, meshName), false);
}

TensorShardingAttr TensorShardingAttr::getFullyOpenLike(TensorShardingAttr sharding) {
  return withoutAxes(sharding.getContext(), sharding.getRank(), sharding.getMeshOrRef(), false);
}

RankedTensorType TensorShardingAttr::getLocalTensorType(RankedTensorType globalType,
                                                        MeshAttr mesh) const {
  SmallVector<int64_t> shape(globalType.getShape());
  for (auto [size, dim] : llvm::zip(shape, getDimShardings()))
    if (!ShapedType::isDynamic(size))
      size = llvm::divideCeil(size, dim.getShardedSize(mesh));
  return RankedTensorType::get(shape, globalType.getElementType(), globalType.getEncoding());
}

RankedTensorType TensorShardingAttr::getGlobalTensorType(RankedTensorType localType,
                                                         MeshAttr mesh) const {
  SmallVector<int64_t> shape(localType.getShape());
  for (auto [size, dim] : llvm::zip(shape, getDimShardings()))
    if (!ShapedType::isDynamic(size))
      size *= dim.getShardedSize(mesh);
  return RankedTensorType::get(shape, localType.getElementType(), localType.getEncoding());
}

//===-- TensorShardingPerValueAttr
//--------------------------------------------------------------===//

TensorShardingPerValueAttr
TensorShardingPerValueAttr::replaceValueSharding(int64_t index, TensorShardingAttr sharding) const {
  SmallVector<TensorShardingAttr> shardings(getShardings());
  shardings[index] = sharding;
  return get(getContext(), shardings);
}

static TensorShardingPerValueAttr perType(MLIRContext *context, TypeRange types, StringRef meshName,
                                          bool closed) {
  SmallVector<TensorShardingAttr> shardings;
  for (Type type : types) {
    auto shaped = dyn_cast<ShapedType>(type);
    int64_t rank = shaped && shaped.hasRank() ? shaped.getRank() : 0;
    shardings.push_back(
        withoutAxes(context, rank, FlatSymbolRefAttr::get(context, meshName), closed));
  }
  return TensorShardingPerValueAttr::get(context, shardings);
}

TensorShardingPerValueAttr TensorShardingPerValueAttr::getFullyOpen(MLIRContext *context,
                                                                    TypeRange types,
                                                                    StringRef meshName) {
  return perType(context, types, meshName, false);
}

TensorShardingPerValueAttr TensorShardingPerValueAttr::getFullyClosed(MLIRContext *context,
                                                                      TypeRange types,
                                                                      StringRef meshName) {
  return perType(context, types, meshName, true);
}

//===-- OpShardingRuleAttr
//----------------------------------------------------------------------===//

bool OpShardingRuleAttr::isReductionFactor(int64_t factor) const {
  return llvm::is_contained(getReductionFactors(), factor);
}
bool OpShardingRuleAttr::isNeedReplicationFactor(int64_t factor) const {
  return llvm::is_contained(getNeedReplicationFactors(), factor);
}
bool OpShardingRuleAttr::isPermutationFactor(int64_t factor) const {
  return llvm::is_contained(getPermutationFactors(), factor);
}
bool OpShardingRuleAttr::isPassThroughFactor(int64_t factor) const {
  return !isReductionFactor(factor) && !isNeedReplicationFactor(factor) &&
         !isPermutationFactor(factor);
}
bool OpShardingRuleAttr::isBlockedPropagationFactor(int64_t factor) const {
  return llvm::is_contained(getBlockedPropagationFactors(), factor);
}

SmallVector<int64_t> OpShardingRuleAttr::getTensorSizes(TensorMappingAttr mapping) const {
  SmallVector<int64_t> sizes;
  for (DimMappingAttr dim : mapping.getDimMappings()) {
    int64_t size = 1;
    for (int64_t factor : dim.getFactorIndices())
      size *= getFactorSize(factor);
    sizes.push_back(size);
  }
  return sizes;
}

std::string OpShardingRuleAttr::getFactorSymbol(int64_t factorIndex) {
  constexpr int64_t kLetters = 'z' - 'i' + 1;
  if (factorIndex < kLetters)
    return std::string(1, static_cast<char>('i' + factorIndex));
  return "z_" + std::to_string(factorIndex - kLetters + 1);
}
