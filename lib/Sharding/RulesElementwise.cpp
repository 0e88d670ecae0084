// Rules of ops whose operands and results all have one shape (or are scalars beside it).
#include "mlir/IR/BuiltinTypes.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Sharding/Rule.h"
#include "llvm/ADT/StringSwitch.h"

namespace tandem {
using namespace mlir;

namespace {

bool isElementwise(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  StringRef name = op->getName().stripDialect();
  if (dialect == "chlo")
    return name != "top_k" && name != "ragged_dot" && name != "constant";
  if (dialect == "sdy")
    return name == "sharding_constraint" || name == "reshard";
  if (dialect == "tandem")
    return name == "copy";
  if (dialect != "stablehlo")
    return false;
  if (auto call = dyn_cast<stablehlo::CustomCallOp>(op))
    return call.getCallTargetName() == "annotate_device_placement";
  return llvm::StringSwitch<bool>(name)
      .Cases({"abs", "add", "and", "atan2", "cbrt", "ceil", "clamp", "compare"}, true)
      .Cases({"complex", "convert", "cosine", "count_leading_zeros", "divide"}, true)
      .Cases({"exponential", "exponential_minus_one", "floor", "imag", "is_finite"}, true)
      .Cases({"log", "log_plus_one", "logistic", "map", "maximum", "minimum"}, true)
      .Cases({"multiply", "negate", "not", "or", "popcnt", "power", "real"}, true)
      .Cases({"reduce_precision", "remainder", "round_nearest_afz"}, true)
      .Cases({"round_nearest_even", "rsqrt", "select", "shift_left"}, true)
      .Cases({"shift_right_arithmetic", "shift_right_logical", "sign", "sine"}, true)
      .Cases({"sqrt", "subtract", "tan", "tanh", "xor"}, true)
      .Cases({"all_reduce", "collective_permute", "collective_broadcast"}, true)
      .Default(false);
}

} // namespace

bool addElementwiseRule(Operation *op, RuleBuilder &builder) {
  if (!isElementwise(op) || op->getNumResults() == 0)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return false;
  for (Type other : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto ranked = dyn_cast<RankedTensorType>(other);
    if (!ranked || (ranked.getRank() != 0 && ranked.getShape() != type.getShape()))
      return false;
  }
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    builder.addAll(dim, type.getShape());
  return true;
}

} // namespace tandem
