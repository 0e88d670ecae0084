// Follows the reads of a kernel's operand to the results; the numbers are InPlace.h's.

#include "tandem/IR/Tandem/InPlace.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tandem {

namespace {

/// Whether `op` computes each result element from the operand elements at the same index.
/// Operands of another shape (scalars of clamp and select) are the caller's to tell apart.
bool isElementwise(Operation *op) {
  // By name: this library does not know the interchange dialects' classes.
  static const llvm::StringSet<> stablehlo = {"abs",
                                              "add",
                                              "and",
                                              "atan2",
                                              "bitcast_convert",
                                              "cbrt",
                                              "ceil",
                                              "clamp",
                                              "compare",
                                              "complex",
                                              "convert",
                                              "cosine",
                                              "count_leading_zeros",
                                              "divide",
                                              "exponential",
                                              "exponential_minus_one",
                                              "floor",
                                              "imag",
                                              "is_finite",
                                              "log",
                                              "log_plus_one",
                                              "logistic",
                                              "maximum",
                                              "minimum",
                                              "multiply",
                                              "negate",
                                              "not",
                                              "or",
                                              "popcnt",
                                              "power",
                                              "real",
                                              "reduce_precision",
                                              "remainder",
                                              "round_nearest_afz",
                                              "round_nearest_even",
                                              "rsqrt",
                                              "select",
                                              "shift_left",
                                              "shift_right_arithmetic",
                                              "shift_right_logical",
                                              "sign",
                                              "sine",
                                              "sqrt",
                                              "subtract",
                                              "tan",
                                              "tanh",
                                              "xor"};
  static const llvm::StringSet<> notElementwiseInChlo = {
      "constant",        "constant_like",           "top_k", "ragged_dot", "scan",
      "dynamic_reshape", "minimum_broadcast_shapes"};
  auto [dialect, name] = op->getName().getStringRef().split('.');
  if (dialect == "stablehlo")
    return stablehlo.contains(name);
  return dialect == "chlo" && !notElementwiseInChlo.contains(name) &&
         !name.starts_with("broadcast_");
}

/// A value that depends on the operand: all of it, or the slice of it that `slice` reads.
struct Reached {
  Value value;
  Operation *slice = nullptr; // the dynamic_slice, null for all of it
  bool operator==(const Reached &) const = default;
};

bool isNamed(Operation *op, StringRef name) { return op->getName().getStringRef() == name; }

/// Whether `op` is a broadcast in whose result only dimensions of one element are new, if it has
/// as many elements as what it is of.
bool addsOnlyOnes(Operation *op) {
  if (!isNamed(op, "stablehlo.broadcast_in_dim"))
    return false;
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("broadcast_dimensions");
  return dims && llvm::is_sorted(dims.asArrayRef());
}

int64_t numElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getNumElements() : -1;
}

/// Whether `value`, which is yielded, can be computed in the loops that write `result`, an element
/// of both before either is written.
bool isBeside(Value value, BlockArgument arg, Value result) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto resultType = dyn_cast<RankedTensorType>(result.getType());
  return value != arg && type && resultType && type.getShape() == resultType.getShape();
}

std::string alsoReadBy(unsigned result) {
  return "result " + std::to_string(result) + " also reads it";
}

std::string describe(Operation *op) { return "'" + op->getName().getStringRef().str() + "'"; }

} // namespace

bool haveSameElements(Type a, Type b) {
  auto from = dyn_cast<RankedTensorType>(a), to = dyn_cast<RankedTensorType>(b);
  return from && to && from.getElementType() == to.getElementType() &&
         from.getNumElements() == to.getNumElements();
}

std::optional<std::string> whyNotInPlace(KernelOp kernel, unsigned result, unsigned operand) {
  Block &body = kernel.getBody().front();
  BlockArgument arg = body.getArgument(operand);
  YieldOp yield = kernel.getYield();
  Operation *definingOp = yield.getValues()[result].getDefiningOp();

  // 4. A scatter needs its input for itself; its updates it reads while it writes.
  if (definingOp && isNamed(definingOp, "stablehlo.scatter") && arg.hasOneUse() &&
      arg.use_begin()->getOwner() == definingOp && arg.use_begin()->getOperandNumber() == 0 &&
      definingOp->getResult(0) == yield.getValues()[result])
    return std::nullopt;

  SmallVector<Reached> worklist = {{arg}};
  bool reachesResult = false, hasWindow = false;
  std::optional<unsigned> beside;
  // Grows only by values not seen yet; kernels are small.
  for (size_t next = 0; next < worklist.size(); ++next) {
    Reached from = worklist[next];
    auto reach = [&](Value value, Operation *slice) {
      Reached reached{value, slice};
      if (!llvm::is_contained(worklist, reached))
        worklist.push_back(reached);
    };
    for (OpOperand &use : from.value.getUses()) {
      Operation *user = use.getOwner();
      if (user == yield) {
        unsigned number = use.getOperandNumber();
        if (from.slice ||
            (number != result && !isBeside(from.value, arg, yield.getValues()[result])))
          return alsoReadBy(number);
        if (number == result)
          reachesResult = true;
        else
          beside = number; // 5
      } else if (user->getBlock() != &body) {
        return "the region of " + describe(user->getParentOp()) + " reads it";
      } else if ((isElementwise(user) || isNamed(user, "stablehlo.reshape") ||
                  addsOnlyOnes(user)) && // 1
                 numElements(user->getResult(0)) == numElements(from.value)) {
        reach(user->getResult(0), from.slice);
      } else if (isNamed(user, "stablehlo.dynamic_update_slice") && !from.slice && // 2
                 use.getOperandNumber() == 0) {
        hasWindow = true;
        reach(user->getResult(0), nullptr);
      } else if (isNamed(user, "stablehlo.dynamic_slice") && !from.slice && // 3
                 use.getOperandNumber() == 0) {
        hasWindow = true;
        reach(user->getResult(0), user);
      } else if (isNamed(user, "stablehlo.dynamic_update_slice") && from.slice && // 3
                 use.getOperandNumber() == 1 &&
                 from.value.getType() == from.slice->getResult(0).getType() &&
                 llvm::equal(user->getOperands().drop_front(2),
                             from.slice->getOperands().drop_front(1))) {
        hasWindow = true;
        reach(user->getResult(0), nullptr);
      } else {
        return describe(user) + " reads it at another index than the one written";
      }
    }
  }
  if (beside && hasWindow)
    return alsoReadBy(*beside);
  if (!reachesResult)
    return std::string("the result does not depend on it");
  return std::nullopt;
}

} // namespace tandem
