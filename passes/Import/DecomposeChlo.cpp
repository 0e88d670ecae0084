// chlo.top_k and custom calls @ApproxTopK -> stable sort of (values, indices) + slices. Other
// chlo ops are elementwise and stay.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Import/Passes.h"
#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

namespace tandem {
#define GEN_PASS_DEF_DECOMPOSECHLOPASS
#include "passes/Import/Passes.h.inc"

using namespace mlir;
namespace {

/// Replaces the results of `op` by the first elements of what was sorted.
void replaceByFirst(OpBuilder &b, Operation *op, stablehlo::SortOp sort) {
  for (auto [result, sorted] : llvm::zip_equal(op->getResults(), sort->getResults())) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<int64_t> start(type.getRank(), 0), stride(type.getRank(), 1),
        limit(type.getShape());
    result.replaceAllUsesWith(
        stablehlo::SliceOp::create(b, op->getLoc(), type, sorted, b.getDenseI64ArrayAttr(start),
                                   b.getDenseI64ArrayAttr(limit), b.getDenseI64ArrayAttr(stride)));
  }
  op->erase();
}

void decomposeTopK(chlo::TopKOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  auto indexType = cast<RankedTensorType>(op.getIndices().getType());
  int64_t dim = type.getRank() - 1;
  auto iotaType = RankedTensorType::get(type.getShape(), indexType.getElementType());
  Value iota = stablehlo::IotaOp::create(b, loc, iotaType, b.getI64IntegerAttr(dim));
  auto sort = stablehlo::SortOp::create(b, loc, TypeRange{type, iotaType},
                                        ValueRange{op.getOperand(), iota}, b.getI64IntegerAttr(dim),
                                        b.getBoolAttr(true));
  {
    OpBuilder::InsertionGuard guard(b);
    auto scalar = RankedTensorType::get({}, type.getElementType());
    auto index = RankedTensorType::get({}, indexType.getElementType());
    Block *block = b.createBlock(&sort.getComparator(), {}, {scalar, scalar, index, index},
                                 {loc, loc, loc, loc});
    auto kind = isa<FloatType>(type.getElementType()) ? stablehlo::ComparisonType::TOTALORDER
                : type.getElementType().isUnsignedInteger() || type.getElementType().isInteger(1)
                    ? stablehlo::ComparisonType::UNSIGNED
                    : stablehlo::ComparisonType::SIGNED;
    Value greater = stablehlo::CompareOp::create(
        b, loc, RankedTensorType::get({}, b.getI1Type()), block->getArgument(0),
        block->getArgument(1),
        stablehlo::ComparisonDirectionAttr::get(b.getContext(), stablehlo::ComparisonDirection::GT),
        stablehlo::ComparisonTypeAttr::get(b.getContext(), kind));
    stablehlo::ReturnOp::create(b, loc, greater);
  }
  replaceByFirst(b, op, sort);
}

/// The exact answer is one of those allowed. Operands: n arrays, n initial values; the called
/// computation compares as a sort's comparator does. What the results hold beyond the first k, when
/// parts are not joined yet, comes next in the order.
LogicalResult decomposeApproxTopK(stablehlo::CustomCallOp op) {
  auto config = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  if (!config)
    config = dyn_cast_or_null<DictionaryAttr>(op.getBackendConfigAttr());
  auto dimAttr = config ? config.getAs<IntegerAttr>("reduction_dim") : IntegerAttr();
  auto callees = op.getCalledComputations();
  size_t count = op->getNumResults();
  if (!dimAttr || callees.size() != 1 || count == 0 || op->getNumOperands() != 2 * count)
    return op.emitError(
        "expected @ApproxTopK of arrays and as many initial values, with one called "
        "computation and 'reduction_dim' in its backend_config");
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, cast<FlatSymbolRefAttr>(callees[0]).getAttr());
  if (!callee || !callee.getBody().hasOneBlock() || callee.getNumArguments() != 2 * count)
    return op.emitError() << "expected " << callees[0] << " to be a function of one block with "
                          << 2 * count << " arguments";
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  int64_t dim = dimAttr.getInt();
  if (type && dim < 0)
    dim += type.getRank();
  for (auto [array, result] :
       llvm::zip_equal(op->getOperands().take_front(count), op->getResults())) {
    auto from = dyn_cast<RankedTensorType>(array.getType()),
         to = dyn_cast<RankedTensorType>(result.getType());
    bool fits = from && to && from.getShape() == type.getShape() && dim >= 0 &&
                dim < from.getRank() && to.getRank() == from.getRank() &&
                to.getElementType() == from.getElementType();
    for (int64_t d = 0; fits && d < from.getRank(); ++d)
      fits = d == dim ? to.getDimSize(d) <= from.getDimSize(d)
                      : to.getDimSize(d) == from.getDimSize(d);
    if (!fits)
      return op.emitError() << "expected results no longer than the arrays along dimension " << dim
                            << ", found " << result.getType() << " of " << array.getType();
  }
  OpBuilder b(op);
  auto arrays = op->getOperands().take_front(count);
  auto sort = stablehlo::SortOp::create(b, op.getLoc(), TypeRange(arrays), arrays,
                                        b.getI64IntegerAttr(dim), b.getBoolAttr(true));
  IRMapping map;
  callee.getBody().cloneInto(&sort.getComparator(), map);
  Operation *end = sort.getComparator().front().getTerminator();
  if (!isa<stablehlo::ReturnOp>(end)) {
    OpBuilder inside(end);
    stablehlo::ReturnOp::create(inside, end->getLoc(), end->getOperands());
    end->erase();
  }
  replaceByFirst(b, op, sort);
  if (SymbolTable::symbolKnownUseEmpty(callee, callee->getParentOp()))
    callee.erase();
  return success();
}

struct DecomposeChloPass : impl::DecomposeChloPassBase<DecomposeChloPass> {
  void runOnOperation() override {
    SmallVector<chlo::TopKOp> ops;
    getOperation().walk([&](chlo::TopKOp op) { ops.push_back(op); });
    for (chlo::TopKOp op : ops)
      decomposeTopK(op);
    SmallVector<stablehlo::CustomCallOp> calls;
    getOperation().walk([&](stablehlo::CustomCallOp op) {
      if (op.getCallTargetName() == "ApproxTopK")
        calls.push_back(op);
    });
    for (stablehlo::CustomCallOp call : calls)
      if (failed(decomposeApproxTopK(call)))
        return signalPassFailure();
    numTopK += ops.size() + calls.size();
  }
};

} // namespace
} // namespace tandem
