// Result types and constraints of chlo ops. Ops whose operands and results are of one type have a
// trait for it.

#include "Checks.h"
#include "tandem/IR/StableHLO/ChloOps.h"

using namespace mlir;
using namespace mlir::stablehlo;

LogicalResult chlo::TopKOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                       SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> shape(shapeOf(op.getOperand()));
  if (shape.empty())
    return error() << "expects an operand of rank at least 1, found a scalar";
  auto k = static_cast<int64_t>(op.getK());
  if (failed(checkRange(error, "k", {k}, 0, shape.back() + 1)))
    return failure();
  shape.back() = k;
  MLIRContext *context = op.getOperand().getContext();
  types.push_back(RankedTensorType::get(shape, elementOf(op.getOperand())));
  types.push_back(RankedTensorType::get(shape, IntegerType::get(context, 32)));
  return success();
}
