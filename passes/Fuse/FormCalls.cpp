// Turns custom calls, what only a library computes, and device ids into tandem ops.
//
// The kernel of a call sees dense row-major arrays. Where a custom call asks for another layout,
// the array is transposed to the order in which its dimensions lie in memory, outermost first.

#include "passes/Fuse/Passes.h"

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tandem {
#define GEN_PASS_DEF_FORMCALLSPASS
#include "passes/Fuse/Passes.h.inc"

namespace {

/// JAX leaves the configuration of typed calls in this discardable attribute.
constexpr StringLiteral kConfigAttr = "mhlo.backend_config";
constexpr StringLiteral kPlacementTarget = "annotate_device_placement";

DictionaryAttr getConfig(stablehlo::CustomCallOp op) {
  if (auto config = op->getAttrOfType<DictionaryAttr>(kConfigAttr))
    return config;
  Attribute config = op.getBackendConfigAttr();
  if (auto dictionary = dyn_cast_or_null<DictionaryAttr>(config))
    return dictionary;
  auto text = dyn_cast_or_null<StringAttr>(config);
  if (!text || text.empty())
    return nullptr;
  Builder builder(op.getContext());
  return builder.getDictionaryAttr(builder.getNamedAttr("backend_config", text));
}

using Order = SmallVector<int64_t>;

/// The dimensions of array `index` in memory, outermost first; empty if row-major.
Order getMemoryOrder(ArrayAttr layouts, size_t index) {
  if (!layouts || index >= layouts.size())
    return {};
  Order order;
  for (const APInt &dim : cast<DenseIntElementsAttr>(layouts[index]).getValues<APInt>())
    order.insert(order.begin(), dim.getSExtValue());
  return llvm::is_sorted(order) ? Order() : order;
}

Type reorder(Type type, ArrayRef<int64_t> order) {
  if (order.empty())
    return type;
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(
      llvm::map_to_vector(order, [&](int64_t dim) { return tensor.getDimSize(dim); }),
      tensor.getElementType());
}

Value transpose(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> order) {
  if (order.empty())
    return value;
  return stablehlo::TransposeOp::create(builder, loc, reorder(value.getType(), order), value,
                                        builder.getDenseI64ArrayAttr(order));
}

Value convert(OpBuilder &builder, Location loc, Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  return stablehlo::ConvertOp::create(builder, loc, type.clone(element), value);
}

/// Replaces `op` by a call of the built-in `target`. Floats that the library lacks are widened.
void formLibraryCall(Operation *op, StringRef target, ArrayRef<NamedAttribute> config) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  auto isNarrow = [](Type element) {
    return isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  };
  SmallVector<Value> operands(op->getOperands());
  for (Value &operand : operands)
    if (isNarrow(cast<RankedTensorType>(operand.getType()).getElementType()))
      operand = convert(builder, loc, operand, builder.getF32Type());
  Type element = type.getElementType();
  Type wide = isNarrow(element) ? Type(builder.getF32Type()) : element;
  auto call = CallOp::create(builder, loc, TypeRange{type.clone(wide)}, target, operands);
  call.setConfigAttr(builder.getDictionaryAttr(config));
  op->getResult(0).replaceAllUsesWith(convert(builder, loc, call.getOutputs()[0], element));
  op->erase();
}

void formLibraryCall(Operation *op) {
  Builder b(op->getContext());
  auto named = [&](StringRef name, Attribute value) { return b.getNamedAttr(name, value); };
  if (auto cholesky = dyn_cast<stablehlo::CholeskyOp>(op))
    return formLibraryCall(op, "tandem.cholesky",
                           {named("lower", b.getBoolAttr(cholesky.getLower()))});
  if (auto fft = dyn_cast<stablehlo::FftOp>(op))
    return formLibraryCall(
        op, "tandem.fft",
        {named("length", b.getI64ArrayAttr(fft.getFftLength())),
         named("type", b.getStringAttr(stablehlo::stringifyFftType(fft.getFftType())))});
  auto solve = cast<stablehlo::TriangularSolveOp>(op);
  formLibraryCall(
      op, "tandem.triangular_solve",
      {named("left_side", b.getBoolAttr(solve.getLeftSide())),
       named("lower", b.getBoolAttr(solve.getLower())),
       named("transpose", b.getStringAttr(stablehlo::stringifyTranspose(solve.getTransposeA()))),
       named("unit_diagonal", b.getBoolAttr(solve.getUnitDiagonal()))});
}

struct FormCallsPass : impl::FormCallsPassBase<FormCallsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    llvm::SetVector<StringAttr> computations;
    getOperation().walk([&](Operation *op) {
      if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
        for (auto callee : call.getCalledComputations().getAsRange<FlatSymbolRefAttr>())
          computations.insert(callee.getAttr());
      if (isa<stablehlo::CholeskyOp, stablehlo::CustomCallOp, stablehlo::FftOp,
              stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp, stablehlo::TriangularSolveOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto call = dyn_cast<stablehlo::CustomCallOp>(op)) {
        if (failed(formCall(call)))
          return signalPassFailure();
        ++numCalls;
        continue;
      }
      if (!isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp>(op)) {
        formLibraryCall(op);
        ++numLibraryCalls;
        continue;
      }
      OpBuilder builder(op);
      op->replaceAllUsesWith(DeviceIdOp::create(builder, op->getLoc()));
      op->erase();
    }
    // A kernel gets no computations.
    for (StringAttr name : computations)
      if (Operation *function = SymbolTable::lookupSymbolIn(getOperation(), name))
        function->erase();
  }

  static LogicalResult formCall(stablehlo::CustomCallOp op) {
    // Where an array lives; on a CPU host memory is the device's.
    if (op.getCallTargetName() == kPlacementTarget && op->getNumOperands() == 1 &&
        op->getOperandTypes() == op->getResultTypes()) {
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
      return success();
    }
    auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
    if (!llvm::all_of(op->getOperandTypes(), isTensor) ||
        !llvm::all_of(op->getResultTypes(), isTensor))
      return op.emitError("expected a custom call on tensors, found ")
             << FunctionType::get(op.getContext(), op->getOperandTypes(), op->getResultTypes());

    OpBuilder builder(op);
    SmallVector<Value> operands;
    for (auto [index, operand] : llvm::enumerate(op.getInputs()))
      operands.push_back(transpose(builder, op.getLoc(), operand,
                                   getMemoryOrder(op.getOperandLayoutsAttr(), index)));
    SmallVector<Order> orders;
    SmallVector<Type> types;
    for (auto [index, type] : llvm::enumerate(op->getResultTypes())) {
      orders.push_back(getMemoryOrder(op.getResultLayoutsAttr(), index));
      types.push_back(reorder(type, orders.back()));
    }

    SmallVector<int64_t> aliases;
    for (Attribute attr : op.getOutputOperandAliases()) {
      auto alias = cast<stablehlo::OutputOperandAliasAttr>(attr);
      if (alias.getOutputTupleIndices().size() > 1 || !alias.getOperandTupleIndices().empty())
        return op.emitError("expected aliases of tensors, found one inside of a tuple");
      int64_t result =
          alias.getOutputTupleIndices().empty() ? 0 : alias.getOutputTupleIndices().front();
      // In another layout the bytes are others: no alias then.
      if (types[result] == operands[alias.getOperandIndex()].getType())
        aliases.append({result, alias.getOperandIndex()});
    }

    auto call = CallOp::create(builder, op.getLoc(), types, op.getCallTargetName(), operands);
    if (DictionaryAttr config = getConfig(op))
      call.setConfigAttr(config);
    call.setHasSideEffect(op.getHasSideEffect());
    if (!aliases.empty())
      call.setOperandAliases(aliases);
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (attr.getName() != kConfigAttr)
        call->setDiscardableAttr(attr.getName(), attr.getValue());
    for (auto [old, output, order] : llvm::zip_equal(op->getResults(), call.getOutputs(), orders)) {
      // Back: dimension d lies where the order names it.
      Order back(order.size());
      for (auto [place, dim] : llvm::enumerate(order))
        back[dim] = place;
      old.replaceAllUsesWith(transpose(builder, op.getLoc(), output, back));
    }
    op->erase();
    return success();
  }
};

} // namespace
} // namespace tandem
