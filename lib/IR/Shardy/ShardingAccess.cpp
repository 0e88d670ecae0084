// Reads and writes the sharding of a value where its owner keeps it.

#include "tandem/IR/Shardy/ShardingAccess.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sdy;

//===-- Meshes
//----------------------------------------------------------------------------------===//

MeshAttr sdy::getMeshAttr(Operation *op, StringRef name) {
  auto mesh =
      SymbolTable::lookupNearestSymbolFrom<MeshOp>(op, StringAttr::get(op->getContext(), name));
  return mesh ? mesh.getMesh() : MeshAttr();
}

MeshAttr sdy::getMeshAttr(const SymbolTable &symbolTable, StringRef name) {
  auto mesh = symbolTable.lookup<MeshOp>(name);
  return mesh ? mesh.getMesh() : MeshAttr();
}

MeshAttr sdy::getMeshOrLookup(Operation *op, Attribute meshOrRef) {
  if (auto mesh = dyn_cast<MeshAttr>(meshOrRef))
    return mesh;
  return getMeshAttr(op, cast<FlatSymbolRefAttr>(meshOrRef).getValue());
}

MeshAttr sdy::getMeshOrLookup(const SymbolTable &symbolTable, Attribute meshOrRef) {
  if (auto mesh = dyn_cast<MeshAttr>(meshOrRef))
    return mesh;
  return getMeshAttr(symbolTable, cast<FlatSymbolRefAttr>(meshOrRef).getValue());
}

//===-- Values
//----------------------------------------------------------------------------------===//

/// The attribute of an op that has one result and its sharding as an inherent attribute.
static std::optional<StringRef> inherentShardingName(Operation *op) {
  if (isa<ShardingConstraintOp, ReshardOp, DataFlowEdgeOp>(op))
    return StringRef("sharding");
  if (isa<AllGatherOp, AllSliceOp, AllToAllOp, CollectivePermuteOp, AllReduceOp, ReduceScatterOp,
          ShardedToUnreducedOp, ReplicatedToUnreducedOp>(op))
    return StringRef("out_sharding");
  return std::nullopt;
}

/// The result of the parent op that a block argument carries (see the header), or null.
static Value carriedResult(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (!parent || isa<FunctionOpInterface>(parent) ||
      TypeRange(argument.getOwner()->getArgumentTypes()) != TypeRange(parent->getResultTypes()))
    return {};
  return parent->getResult(argument.getArgNumber());
}

static TensorShardingAttr entryOf(TensorShardingPerValueAttr shardings, int64_t index) {
  return shardings && index < shardings.size() ? shardings.getSharding(index)
                                               : TensorShardingAttr();
}

static TensorShardingAttr getResultSharding(OpResult result) {
  Operation *op = result.getOwner();
  if (std::optional<StringRef> name = inherentShardingName(op))
    return op->getAttrOfType<TensorShardingAttr>(*name);
  if (auto manual = dyn_cast<ManualComputationOp>(op))
    return manual.getOutSharding(result.getResultNumber());
  if (auto named = dyn_cast<NamedComputationOp>(op))
    return entryOf(named.getOutShardingsAttr(), result.getResultNumber());
  return entryOf(op->getAttrOfType<TensorShardingPerValueAttr>(kShardingAttr),
                 result.getResultNumber());
}

TensorShardingAttr sdy::getSharding(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return getResultSharding(result);
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned index = argument.getArgNumber();
  if (auto function = dyn_cast_or_null<FunctionOpInterface>(parent))
    return argument.getOwner()->isEntryBlock()
               ? function.getArgAttrOfType<TensorShardingAttr>(index, kShardingAttr)
               : TensorShardingAttr();
  if (auto manual = dyn_cast_or_null<ManualComputationOp>(parent))
    return manual.getInShardingWithoutManualAxes(index);
  if (auto named = dyn_cast_or_null<NamedComputationOp>(parent))
    return entryOf(named.getInShardingsAttr(), index);
  if (Value result = carriedResult(argument))
    return getSharding(result);
  return {};
}

TensorShardingAttr sdy::getOrCreateSharding(Value value, StringRef meshName) {
  if (TensorShardingAttr sharding = getSharding(value))
    return sharding;
  auto shaped = dyn_cast<ShapedType>(value.getType());
  return TensorShardingAttr::getFullyOpen(value.getContext(), shaped ? shaped.getRank() : 0,
                                          meshName);
}

/// `shardings` (or fully open ones on the mesh of `sharding` when null) with one entry replaced.
static TensorShardingPerValueAttr replaceEntry(TensorShardingPerValueAttr shardings,
                                               TypeRange types, int64_t index,
                                               TensorShardingAttr sharding) {
  if (shardings && shardings.size() == static_cast<int64_t>(types.size()))
    return shardings.replaceValueSharding(index, sharding);
  SmallVector<TensorShardingAttr> list;
  for (Type type : types) {
    auto shaped = dyn_cast<ShapedType>(type);
    SmallVector<DimensionShardingAttr> dims(
        shaped && shaped.hasRank() ? shaped.getRank() : 0,
        DimensionShardingAttr::get(sharding.getContext(), {}, /*is_closed=*/false));
    list.push_back(TensorShardingAttr::get(sharding.getContext(), sharding.getMeshOrRef(), dims,
                                           ArrayRef<AxisRefAttr>(), ArrayRef<AxisRefAttr>()));
  }
  list[index] = sharding;
  return TensorShardingPerValueAttr::get(sharding.getContext(), list);
}

static void setResultSharding(OpResult result, TensorShardingAttr sharding) {
  Operation *op = result.getOwner();
  unsigned index = result.getResultNumber();
  if (std::optional<StringRef> name = inherentShardingName(op))
    op->setAttr(*name, sharding);
  else if (auto manual = dyn_cast<ManualComputationOp>(op))
    manual.setOutSharding(index, sharding);
  else if (auto named = dyn_cast<NamedComputationOp>(op))
    named.setOutShardingsAttr(
        replaceEntry(named.getOutShardingsAttr(), op->getResultTypes(), index, sharding));
  else
    op->setAttr(kShardingAttr,
                replaceEntry(op->getAttrOfType<TensorShardingPerValueAttr>(kShardingAttr),
                             op->getResultTypes(), index, sharding));
}

void sdy::setSharding(Value value, TensorShardingAttr sharding) {
  if (auto result = dyn_cast<OpResult>(value))
    return setResultSharding(result, sharding);
  auto argument = cast<BlockArgument>(value);
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned index = argument.getArgNumber();
  if (auto function = dyn_cast_or_null<FunctionOpInterface>(parent)) {
    if (argument.getOwner()->isEntryBlock())
      function.setArgAttr(index, kShardingAttr, sharding);
  } else if (auto manual = dyn_cast_or_null<ManualComputationOp>(parent)) {
    manual.setInShardingAddingManualAxes(index, sharding);
  } else if (auto named = dyn_cast_or_null<NamedComputationOp>(parent)) {
    named.setInShardingsAttr(
        replaceEntry(named.getInShardingsAttr(), parent->getOperandTypes(), index, sharding));
  } else if (Value result = carriedResult(argument)) {
    setSharding(result, sharding);
  }
}

bool sdy::canHoldSharding(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return true;
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa_and_nonnull<FunctionOpInterface>(parent))
    return argument.getOwner()->isEntryBlock();
  return isa_and_nonnull<ManualComputationOp, NamedComputationOp>(parent) ||
         carriedResult(argument);
}

SmallVector<TensorShardingAttr> sdy::getShardings(Operation *op) {
  SmallVector<TensorShardingAttr> shardings;
  for (OpResult result : op->getResults()) {
    TensorShardingAttr sharding = getResultSharding(result);
    if (!sharding)
      return {};
    shardings.push_back(sharding);
  }
  return shardings;
}

void sdy::setShardings(Operation *op, ArrayRef<TensorShardingAttr> shardings) {
  assert(shardings.size() == op->getNumResults() && "one sharding per result");
  for (auto [result, sharding] : llvm::zip_equal(op->getResults(), shardings))
    setResultSharding(result, sharding);
}

void sdy::removeShardings(Operation *op) { op->removeDiscardableAttr(kShardingAttr); }

//===-- Functions and rules
//---------------------------------------------------------------------===//

TensorShardingAttr sdy::getFuncResultSharding(FunctionOpInterface func, unsigned index) {
  return func.getResultAttrOfType<TensorShardingAttr>(index, kShardingAttr);
}

void sdy::setFuncResultSharding(FunctionOpInterface func, unsigned index,
                                TensorShardingAttr sharding) {
  func.setResultAttr(index, kShardingAttr, sharding);
}

OpShardingRuleAttr sdy::getShardingRule(Operation *op) {
  return op->getAttrOfType<OpShardingRuleAttr>(kShardingRuleAttr);
}

void sdy::setShardingRule(Operation *op, OpShardingRuleAttr rule) {
  op->setAttr(kShardingRuleAttr, rule);
}
