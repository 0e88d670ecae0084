// Builders, accessors, effects and aliases of the tandem ops.

#include "tandem/IR/Tandem/Tandem.h"

using namespace mlir;
using namespace tandem;

#include "tandem/IR/Tandem/TandemInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "tandem/IR/Tandem/TandemOps.cpp.inc"

void TandemDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/Tandem/TandemOps.cpp.inc"
      >();
}

/// Adds a block to `region` with one argument per value.
static void addBodyBlock(OpBuilder &builder, Region *region, ValueRange values) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locs;
  for (Value value : values)
    locs.push_back(value.getLoc());
  builder.createBlock(region, {}, values.getTypes(), locs);
}

static YieldOp yieldOf(Region &region) { return cast<YieldOp>(region.front().getTerminator()); }

YieldOp StartOp::getYield() { return yieldOf(getBody()); }
YieldOp LoopOp::getYield() { return yieldOf(getBody()); }
YieldOp KernelOp::getYield() { return yieldOf(getBody()); }
YieldOp GemmOp::getYield() { return yieldOf(getBody()); }
YieldOp ConvOp::getYield() { return yieldOf(getBody()); }
YieldOp RematOp::getYield() { return yieldOf(getBody()); }

/// Splits the flat array of an `in_place`-like attribute into its pairs.
static SmallVector<std::pair<unsigned, unsigned>> toPairs(std::optional<ArrayRef<int64_t>> flat) {
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  if (flat)
    for (size_t i = 0; i + 1 < flat->size(); i += 2)
      pairs.emplace_back((*flat)[i], (*flat)[i + 1]);
  return pairs;
}

//===-- start, done, copy -----------------------------------------------------------------===//

void StartOp::build(OpBuilder &builder, OperationState &state, FutureType future,
                    ValueRange inputs) {
  build(builder, state, future, Type(), inputs, ValueRange());
  addBodyBlock(builder, state.regions[0].get(), inputs);
}

void StartOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0));
}

void DoneOp::build(OpBuilder &builder, OperationState &state, Value future) {
  build(builder, state, cast<FutureType>(future.getType()).getTypes(), Type(), future,
        ValueRange());
}

void DoneOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Free::get(), &getFutureMutable());
}

SmallVector<AliasPair> DoneOp::getAliasPairs() {
  SmallVector<AliasPair> pairs;
  for (unsigned i = 0, e = getOutputs().size(); i < e; ++i)
    pairs.push_back({0, i, AliasKind::Must});
  return pairs;
}

void CopyOp::build(OpBuilder &builder, OperationState &state, Value input) {
  build(builder, state, input.getType(), Type(), input, ValueRange());
}

void CopyOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0));
}

//===-- loop, case ------------------------------------------------------------------------===//

void LoopOp::build(OpBuilder &builder, OperationState &state, Value predicate, ValueRange inits) {
  build(builder, state, inits.getTypes(), Type(), predicate, inits, ValueRange(), IntegerAttr());
  addBodyBlock(builder, state.regions[0].get(), inits);
}

Value LoopOp::getNextPredicate() { return getYield().getValues().front(); }

OperandRange LoopOp::getYieldedValues() { return getYield().getValues().drop_front(); }

SmallVector<AliasPair> LoopOp::getAliasPairs() {
  SmallVector<AliasPair> pairs;
  // Operand 0 is the predicate.
  for (unsigned i = 0, e = getInits().size(); i < e; ++i)
    pairs.push_back({i + 1, i, AliasKind::Must});
  return pairs;
}

SmallVector<SmallVector<Value>> LoopOp::getTiedValues() {
  SmallVector<SmallVector<Value>> sets;
  for (auto [init, argument, next, result] :
       llvm::zip_equal(getInits(), getIterArgs(), getYieldedValues(), getOutputs()))
    sets.push_back({init, argument, next, result});
  return sets;
}

void CaseOp::build(OpBuilder &builder, OperationState &state, TypeRange outputs, Value index,
                   unsigned numBranches) {
  build(builder, state, outputs, Type(), index, ValueRange(), numBranches);
  for (std::unique_ptr<Region> &region : state.regions)
    addBodyBlock(builder, region.get(), {});
}

SmallVector<AliasPair> CaseOp::getAliasPairs() { return {}; }

SmallVector<SmallVector<Value>> CaseOp::getTiedValues() {
  SmallVector<SmallVector<Value>> sets;
  for (auto [i, result] : llvm::enumerate(getOutputs())) {
    SmallVector<Value> &set = sets.emplace_back();
    for (Region &branch : getBranches())
      set.push_back(yieldOf(branch).getValues()[i]);
    set.push_back(result);
  }
  return sets;
}

//===-- kernel, gemm, conv, call ------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs,
                     TypeRange outputs) {
  build(builder, state, outputs, Type(), inputs, ValueRange(), DenseI64ArrayAttr(), StringAttr());
  addBodyBlock(builder, state.regions[0].get(), inputs);
}

SmallVector<std::pair<unsigned, unsigned>> KernelOp::getInPlacePairs() {
  return toPairs(getInPlace());
}

SmallVector<AliasPair> KernelOp::getAliasPairs() {
  SmallVector<AliasPair> pairs;
  for (auto [result, operand] : getInPlacePairs())
    pairs.push_back({operand, result, AliasKind::May});
  return pairs;
}

void GemmOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs,
                   TypeRange outputs) {
  build(builder, state, outputs, Type(), inputs, ValueRange());
  addBodyBlock(builder, state.regions[0].get(), inputs);
}

void ConvOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs,
                   TypeRange outputs) {
  build(builder, state, outputs, Type(), inputs, ValueRange());
  addBodyBlock(builder, state.regions[0].get(), inputs);
}

void CallOp::build(OpBuilder &builder, OperationState &state, TypeRange outputs, StringRef target,
                   ValueRange inputs) {
  build(builder, state, outputs, Type(), inputs, ValueRange(), builder.getStringAttr(target),
        DictionaryAttr(), UnitAttr(), DenseI64ArrayAttr());
}

void CallOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!getHasSideEffect())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

SmallVector<std::pair<unsigned, unsigned>> CallOp::getAliasedPairs() {
  return toPairs(getOperandAliases());
}

SmallVector<AliasPair> CallOp::getAliasPairs() {
  SmallVector<AliasPair> pairs;
  for (auto [result, operand] : getAliasedPairs())
    pairs.push_back({operand, result, AliasKind::Must});
  return pairs;
}

//===-- constant, device_id -----------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

void DeviceIdOp::build(OpBuilder &builder, OperationState &state) {
  build(builder, state, RankedTensorType::get({}, builder.getIntegerType(32, false)));
}
