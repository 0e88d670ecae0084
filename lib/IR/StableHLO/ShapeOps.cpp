//===- ShapeOps.cpp - stablehlo: operations of ShapeOps.td ---===//

#include "tandem/IR/StableHLO/AssemblyFormat.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ShapeOps.cpp.inc"

void StablehloDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/StableHLO/ShapeOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *, std::optional<Location> location,
                                           ValueRange operands, DictionaryAttr attributes,
                                           OpaqueProperties properties, RegionRange regions,
                                           SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  ElementsAttr value = adaptor.getValue();
  if (!value)
    return emitOptionalError(location, "expected a value");
  types.push_back(value.getType());
  return success();
}

/// %c for integers and booleans, %cst for the rest.
void ConstantOp::getAsmResultNames(function_ref<void(Value, StringRef)> setName) {
  setName(getOutput(), isa<IntegerType>(getElementTypeOrSelf(getOutput().getType())) ? "c" : "cst");
}
