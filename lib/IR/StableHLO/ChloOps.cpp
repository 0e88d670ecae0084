//===- ChloOps.cpp - the chlo dialect -----------------------------------------===//

#include "tandem/IR/StableHLO/ChloOps.h"

#include "mlir/Transforms/InliningUtils.h"

#include "tandem/IR/StableHLO/ChloDialect.cpp.inc"

using namespace mlir;
using namespace mlir::chlo;

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ChloOps.cpp.inc"

namespace {

struct ChloInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

void ChloDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/StableHLO/ChloOps.cpp.inc"
      >();
  addInterfaces<ChloInlinerInterface>();
}

/// The operand's shape with the last dimension k: the values, and i32 positions.
LogicalResult TopKOp::inferReturnTypes(MLIRContext *context, std::optional<Location> location,
                                       ValueRange operands, DictionaryAttr attributes,
                                       OpaqueProperties properties, RegionRange regions,
                                       SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto operand = dyn_cast<RankedTensorType>(adaptor.getOperand().getType());
  if (!operand || operand.getRank() == 0)
    return emitOptionalError(location, "expected an operand of rank at least one");
  auto k = static_cast<int64_t>(adaptor.getK());
  SmallVector<int64_t> shape(operand.getShape());
  if (k < 0 || (!ShapedType::isDynamic(shape.back()) && k > shape.back()))
    return emitOptionalError(location, "expected k between 0 and the last dimension's size ",
                             shape.back(), ", found ", k);
  shape.back() = k;
  types.push_back(RankedTensorType::get(shape, operand.getElementType()));
  types.push_back(RankedTensorType::get(shape, IntegerType::get(context, 32)));
  return success();
}
