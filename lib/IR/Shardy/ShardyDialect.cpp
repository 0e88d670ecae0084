// Registration of the `sdy` dialect and its discardable attributes.

#include "Verify.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sdy;

#include "tandem/IR/Shardy/ShardyDialect.cpp.inc"
#include "tandem/IR/Shardy/ShardyEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tandem/IR/Shardy/ShardyAttrs.cpp.inc"

namespace {
/// Calls may be inlined into functions and regions with sdy ops, and functions with sdy ops into
/// any region.
struct ShardyInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void SdyDialect::initialize() {
  addInterfaces<ShardyInlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tandem/IR/Shardy/ShardyAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/Shardy/ShardyOps.cpp.inc"
      >();
}

LogicalResult SdyDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  if (attr.getName() == kShardingAttr) {
    auto shardings = dyn_cast<TensorShardingPerValueAttr>(attr.getValue());
    if (!shardings)
      return op->emitOpError("expects '")
             << kShardingAttr << "' to be a #sdy.sharding_per_value<[...]>, found "
             << attr.getValue();
    return verifyShardings(op, shardings, op->getResultTypes(), "result");
  }
  if (attr.getName() == kShardingRuleAttr) {
    auto rule = dyn_cast<OpShardingRuleAttr>(attr.getValue());
    if (!rule)
      return op->emitOpError("expects '")
             << kShardingRuleAttr << "' to be a #sdy.op_sharding_rule<...>, found "
             << attr.getValue();
    return verifyShardingRule(op, rule);
  }
  return success();
}

/// An attribute of a function's argument or result.
static LogicalResult verifyFunctionAttribute(Operation *op, NamedAttribute attr, Type type,
                                             StringRef kind, unsigned index) {
  if (attr.getName() != kShardingAttr)
    return success();
  auto emit = [&] { return op->emitOpError() << kind << " " << index << ": "; };
  auto sharding = dyn_cast<TensorShardingAttr>(attr.getValue());
  if (!sharding)
    return emit() << "expects '" << kShardingAttr << "' to be a #sdy.sharding<...>, found "
                  << attr.getValue();
  return verifySharding(op, sharding, type, emit);
}

LogicalResult SdyDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                                   unsigned argIndex, NamedAttribute attr) {
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return verifyFunctionAttribute(op, attr, function.getArgumentTypes()[argIndex], "argument",
                                   argIndex);
  return success();
}

LogicalResult SdyDialect::verifyRegionResultAttribute(Operation *op, unsigned regionIndex,
                                                      unsigned resultIndex, NamedAttribute attr) {
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return verifyFunctionAttribute(op, attr, function.getResultTypes()[resultIndex], "result",
                                   resultIndex);
  return success();
}
