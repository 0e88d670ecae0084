//===- ElementwiseOps.cpp - stablehlo: operations of ElementwiseOps.td ---===//

#include "tandem/IR/StableHLO/AssemblyFormat.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ElementwiseOps.cpp.inc"

void StablehloDialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/StableHLO/ElementwiseOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Result types
//===----------------------------------------------------------------------===//

/// The tensor type `like` with another element type, or failure if it is not a tensor.
static FailureOr<Type> withElementType(Type like, function_ref<Type(Type)> convert) {
  auto tensor = dyn_cast<ShapedType>(like);
  if (!tensor)
    return failure();
  return Type(tensor.clone(convert(tensor.getElementType())));
}

static LogicalResult inferWithElementType(Type like, function_ref<Type(Type)> convert,
                                          SmallVectorImpl<Type> &types) {
  FailureOr<Type> type = withElementType(like, convert);
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

static Type realElement(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

static Type booleanElement(Type element) { return IntegerType::get(element.getContext(), 1); }

#define TANDEM_INFER(OP, OPERAND, CONVERT)                                                         \
  LogicalResult OP::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands,  \
                                     DictionaryAttr, OpaqueProperties, RegionRange,                \
                                     SmallVectorImpl<Type> &types) {                               \
    return inferWithElementType(operands[OPERAND].getType(), CONVERT, types);                      \
  }
TANDEM_INFER(AbsOp, 0, realElement)
TANDEM_INFER(ImagOp, 0, realElement)
TANDEM_INFER(RealOp, 0, realElement)
TANDEM_INFER(IsFiniteOp, 0, booleanElement)
TANDEM_INFER(CompareOp, 0, booleanElement)
TANDEM_INFER(ComplexOp, 0, [](Type element) -> Type { return ComplexType::get(element); })
TANDEM_INFER(ClampOp, 1, [](Type element) { return element; })
TANDEM_INFER(SelectOp, 1, [](Type element) { return element; })
#undef TANDEM_INFER
