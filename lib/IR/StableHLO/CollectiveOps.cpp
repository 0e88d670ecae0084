//===- CollectiveOps.cpp - stablehlo: operations of CollectiveOps.td ---===//

#include "tandem/IR/StableHLO/AssemblyFormat.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/CollectiveOps.cpp.inc"

void StablehloDialect::registerCollectiveOps() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/StableHLO/CollectiveOps.cpp.inc"
      >();
}

/// A device's index is a ui32 scalar.
static LogicalResult inferDeviceId(MLIRContext *context, SmallVectorImpl<Type> &types) {
  types.push_back(RankedTensorType::get({}, IntegerType::get(context, 32, IntegerType::Unsigned)));
  return success();
}

LogicalResult PartitionIdOp::inferReturnTypes(MLIRContext *context, std::optional<Location>,
                                              ValueRange, DictionaryAttr, OpaqueProperties,
                                              RegionRange, SmallVectorImpl<Type> &types) {
  return inferDeviceId(context, types);
}

LogicalResult ReplicaIdOp::inferReturnTypes(MLIRContext *context, std::optional<Location>,
                                            ValueRange, DictionaryAttr, OpaqueProperties,
                                            RegionRange, SmallVectorImpl<Type> &types) {
  return inferDeviceId(context, types);
}
