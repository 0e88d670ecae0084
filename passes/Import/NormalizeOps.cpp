// Ops that are another spelling of simpler ones: map, tuples, dynamic ops of static shapes.
#include "passes/Import/Passes.h"
#include "tandem/Codegen/KernelOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tandem {
#define GEN_PASS_DEF_NORMALIZEOPSPASS
#include "passes/Import/Passes.h.inc"

using namespace mlir;
namespace {

using Sizes = SmallVector<int64_t>;

bool isStatic(Operation *op) {
  auto hasShape = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  return llvm::all_of(op->getResultTypes(), hasShape) &&
         llvm::all_of(op->getOperandTypes(), hasShape);
}

/// The integers of an operand, which must be a constant.
FailureOr<Sizes> constantOperand(Operation *op, Value operand, StringRef name) {
  DenseIntElementsAttr values;
  if (auto constant = operand.getDefiningOp<stablehlo::ConstantOp>())
    values = dyn_cast<DenseIntElementsAttr>(constant.getValue());
  if (!values)
    return op->emitError() << "expected a constant for '" << name << "' of '" << op->getName()
                           << "'; what is known at run time only needs dynamic shapes, which are "
                              "not supported";
  Sizes sizes;
  for (const APInt &value : values.getValues<APInt>())
    sizes.push_back(value.getSExtValue());
  return sizes;
}

template <typename Op, typename... Args> LogicalResult replace(Operation *op, Args &&...args) {
  OpBuilder b(op);
  Operation *simple =
      Op::create(b, op->getLoc(), op->getResult(0).getType(), std::forward<Args>(args)...);
  op->getResult(0).replaceAllUsesWith(simple->getResult(0));
  op->erase();
  return success();
}

LogicalResult makeStatic(stablehlo::DynamicPadOp op) {
  Builder b(op.getContext());
  FailureOr<Sizes> low = constantOperand(op, op.getEdgePaddingLow(), "edge_padding_low");
  FailureOr<Sizes> high = constantOperand(op, op.getEdgePaddingHigh(), "edge_padding_high");
  FailureOr<Sizes> interior = constantOperand(op, op.getInteriorPadding(), "interior_padding");
  if (failed(low) || failed(high) || failed(interior))
    return failure();
  return replace<stablehlo::PadOp>(op, op.getOperand(), op.getPaddingValue(),
                                   b.getDenseI64ArrayAttr(*low), b.getDenseI64ArrayAttr(*high),
                                   b.getDenseI64ArrayAttr(*interior));
}

LogicalResult makeStatic(stablehlo::DynamicGatherOp op) {
  Builder b(op.getContext());
  FailureOr<Sizes> sizes = constantOperand(op, op.getSliceSizes(), "slice_sizes");
  if (failed(sizes))
    return failure();
  return replace<stablehlo::GatherOp>(op, op.getOperand(), op.getStartIndices(),
                                      op.getDimensionNumbersAttr(), b.getDenseI64ArrayAttr(*sizes),
                                      b.getBoolAttr(op.getIndicesAreSorted()));
}

LogicalResult makeStatic(stablehlo::RealDynamicSliceOp op) {
  Builder b(op.getContext());
  FailureOr<Sizes> start = constantOperand(op, op.getStartIndices(), "start_indices");
  FailureOr<Sizes> limit = constantOperand(op, op.getLimitIndices(), "limit_indices");
  FailureOr<Sizes> strides = constantOperand(op, op.getStrides(), "strides");
  if (failed(start) || failed(limit) || failed(strides))
    return failure();
  return replace<stablehlo::SliceOp>(op, op.getOperand(), b.getDenseI64ArrayAttr(*start),
                                     b.getDenseI64ArrayAttr(*limit),
                                     b.getDenseI64ArrayAttr(*strides));
}

LogicalResult makeStatic(stablehlo::DynamicConvOp op) {
  FailureOr<Sizes> padding = constantOperand(op, op.getPadding(), "padding");
  if (failed(padding))
    return failure();
  OpBuilder b(op);
  NamedAttrList attributes(op->getAttrs());
  attributes.set("padding",
                 DenseIntElementsAttr::get(
                     RankedTensorType::get({int64_t(padding->size()) / 2, 2}, b.getI64Type()),
                     ArrayRef<int64_t>(*padding)));
  auto convolution =
      stablehlo::ConvolutionOp::create(b, op.getLoc(), TypeRange(op->getResultTypes()),
                                       ValueRange{op.getLhs(), op.getRhs()}, attributes.getAttrs());
  op->getResult(0).replaceAllUsesWith(convolution);
  op->erase();
  return success();
}

LogicalResult getDimensionSize(stablehlo::GetDimensionSizeOp op) {
  OpBuilder b(op);
  auto type = cast<RankedTensorType>(op.getResult().getType());
  int64_t size = cast<RankedTensorType>(op.getOperand().getType()).getDimSize(op.getDimension());
  auto value = DenseElementsAttr::get(type, b.getI32IntegerAttr(static_cast<int32_t>(size)));
  op.getResult().replaceAllUsesWith(stablehlo::ConstantOp::create(b, op.getLoc(), value));
  op->erase();
  return success();
}

/// The computation's ops on whole arrays; what does not depend on an argument is broadcast.
LogicalResult expandMap(stablehlo::MapOp op) {
  OpBuilder b(op);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getResult().getType()).getShape();
  auto widen = [&](Type type) {
    return RankedTensorType::get(shape, cast<RankedTensorType>(type).getElementType());
  };
  auto broadcast = [&](Value scalar) -> Value {
    return stablehlo::BroadcastInDimOp::create(b, op.getLoc(), widen(scalar.getType()), scalar,
                                               b.getDenseI64ArrayAttr({}));
  };
  Block &body = op.getComputation().front();
  IRMapping map;
  map.map(body.getArguments(), op.getInputs());
  auto lookup = [&](Value value) {
    if (!map.contains(value))
      map.map(value, broadcast(value)); // from outside
    return map.lookup(value);
  };
  for (Operation &inner : body.without_terminator()) {
    if (isa<stablehlo::ConstantOp>(inner)) {
      map.map(inner.getResult(0), broadcast(b.clone(inner)->getResult(0)));
      continue;
    }
    if (!isElementwise(&inner))
      return inner.emitError() << "expected elementwise ops in the computation of "
                                  "'stablehlo.map', found '"
                               << inner.getName() << "'";
    for (Value operand : inner.getOperands())
      lookup(operand);
    Operation *clone = b.clone(inner, map);
    for (Value result : clone->getResults())
      result.setType(widen(result.getType()));
  }
  op.getResult().replaceAllUsesWith(lookup(body.getTerminator()->getOperand(0)));
  op->erase();
  return success();
}

LogicalResult normalize(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](stablehlo::MapOp map) { return expandMap(map); })
      .Case([](stablehlo::GetDimensionSizeOp size) { return getDimensionSize(size); })
      .Case([](stablehlo::DynamicReshapeOp reshape) {
        return replace<stablehlo::ReshapeOp>(reshape, reshape.getOperand());
      })
      .Case([](stablehlo::DynamicIotaOp iota) {
        return replace<stablehlo::IotaOp>(iota, iota.getIotaDimensionAttr());
      })
      .Case([](stablehlo::DynamicBroadcastInDimOp broadcast) {
        return replace<stablehlo::BroadcastInDimOp>(broadcast, broadcast.getOperand(),
                                                    broadcast.getBroadcastDimensionsAttr());
      })
      .Case<stablehlo::DynamicPadOp, stablehlo::DynamicGatherOp, stablehlo::RealDynamicSliceOp,
            stablehlo::DynamicConvOp>([](auto dynamic) { return makeStatic(dynamic); })
      .Default([](Operation *) { return success(); });
}

/// An element of a tuple made here is what it was made of.
void forwardTuples(ModuleOp module) {
  SmallVector<stablehlo::TupleOp> tuples;
  SmallVector<stablehlo::GetTupleElementOp> elements;
  module.walk([&](Operation *op) {
    if (auto tuple = dyn_cast<stablehlo::TupleOp>(op))
      tuples.push_back(tuple);
    else if (auto element = dyn_cast<stablehlo::GetTupleElementOp>(op))
      elements.push_back(element);
  });
  for (stablehlo::GetTupleElementOp element : elements)
    if (auto tuple = element.getOperand().getDefiningOp<stablehlo::TupleOp>()) {
      element->getResult(0).replaceAllUsesWith(tuple.getVal()[element.getIndex()]);
      element->erase();
    }
  for (stablehlo::TupleOp tuple : llvm::reverse(tuples))
    if (tuple->use_empty())
      tuple->erase();
}

struct NormalizeOpsPass : impl::NormalizeOpsPassBase<NormalizeOpsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<stablehlo::MapOp, stablehlo::GetDimensionSizeOp, stablehlo::DynamicReshapeOp,
              stablehlo::DynamicIotaOp, stablehlo::DynamicBroadcastInDimOp, stablehlo::DynamicPadOp,
              stablehlo::DynamicGatherOp, stablehlo::DynamicConvOp, stablehlo::RealDynamicSliceOp>(
              op) &&
          isStatic(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(normalize(op)))
        return signalPassFailure();
    numOps += ops.size();
    forwardTuples(getOperation());
  }
};

} // namespace
} // namespace tandem
