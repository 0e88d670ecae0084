// chlo.top_k -> stable sort of (values, indices) + slices. Other chlo ops are elementwise
// and stay.
#include "mlir/IR/Builders.h"
#include "passes/Import/Passes.h"
#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

namespace tandem {
#define GEN_PASS_DEF_DECOMPOSECHLOPASS
#include "passes/Import/Passes.h.inc"

using namespace mlir;
namespace {

void decomposeTopK(chlo::TopKOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  auto indexType = cast<RankedTensorType>(op.getIndices().getType());
  int64_t dim = type.getRank() - 1;
  auto iotaType = RankedTensorType::get(type.getShape(), indexType.getElementType());
  Value iota = stablehlo::IotaOp::create(b, loc, iotaType, b.getI64IntegerAttr(dim));
  auto sort = stablehlo::SortOp::create(
      b, loc, TypeRange{type, iotaType}, ValueRange{op.getOperand(), iota},
      b.getI64IntegerAttr(dim), b.getBoolAttr(true));
  {
    OpBuilder::InsertionGuard guard(b);
    auto scalar = RankedTensorType::get({}, type.getElementType());
    auto index = RankedTensorType::get({}, indexType.getElementType());
    Block *block = b.createBlock(&sort.getComparator(), {}, {scalar, scalar, index, index},
                                 {loc, loc, loc, loc});
    auto kind = isa<FloatType>(type.getElementType())
                    ? stablehlo::ComparisonType::TOTALORDER
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
  SmallVector<int64_t> start(type.getRank(), 0), stride(type.getRank(), 1),
      limit(cast<RankedTensorType>(op.getValues().getType()).getShape());
  for (auto [result, sorted] : llvm::zip_equal(op->getResults(), sort->getResults()))
    result.replaceAllUsesWith(stablehlo::SliceOp::create(
        b, loc, result.getType(), sorted, b.getDenseI64ArrayAttr(start),
        b.getDenseI64ArrayAttr(limit), b.getDenseI64ArrayAttr(stride)));
  op.erase();
}

struct DecomposeChloPass : impl::DecomposeChloPassBase<DecomposeChloPass> {
  void runOnOperation() override {
    SmallVector<chlo::TopKOp> ops;
    getOperation().walk([&](chlo::TopKOp op) { ops.push_back(op); });
    for (chlo::TopKOp op : ops)
      decomposeTopK(op);
    numTopK += ops.size();
  }
};

}  // namespace
}  // namespace tandem
