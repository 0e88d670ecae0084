// What the kernel compiler can compile, decided by op name, types and regions.

#include "tandem/Codegen/KernelOps.h"

#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tandem {
namespace {

enum class OpClass { None, Elementwise, Elemental, Looping, Terminator };

OpClass classify(StringRef name) {
  static const llvm::StringSet<> elementwise = {
      // Arithmetic and logic.
      "stablehlo.abs", "stablehlo.add", "stablehlo.and", "stablehlo.clamp", "stablehlo.compare",
      "stablehlo.complex", "stablehlo.convert", "stablehlo.count_leading_zeros", "stablehlo.divide",
      "stablehlo.imag", "stablehlo.is_finite", "stablehlo.maximum", "stablehlo.minimum",
      "stablehlo.multiply", "stablehlo.negate", "stablehlo.not", "stablehlo.or", "stablehlo.popcnt",
      "stablehlo.real", "stablehlo.reduce_precision", "stablehlo.remainder", "stablehlo.select",
      "stablehlo.shift_left", "stablehlo.shift_right_arithmetic", "stablehlo.shift_right_logical",
      "stablehlo.sign", "stablehlo.subtract", "stablehlo.xor", "chlo.is_inf", "chlo.is_neg_inf",
      "chlo.is_pos_inf", "chlo.next_after", "chlo.square", "chlo.conj",
      // Rounding.
      "stablehlo.ceil", "stablehlo.floor", "stablehlo.round_nearest_afz",
      "stablehlo.round_nearest_even",
      // Functions.
      "stablehlo.atan2", "stablehlo.cbrt", "stablehlo.cosine", "stablehlo.exponential",
      "stablehlo.exponential_minus_one", "stablehlo.log", "stablehlo.log_plus_one",
      "stablehlo.logistic", "stablehlo.power", "stablehlo.rsqrt", "stablehlo.sine",
      "stablehlo.sqrt", "stablehlo.tan", "stablehlo.tanh", "chlo.acos", "chlo.acosh", "chlo.asin",
      "chlo.asinh", "chlo.atan", "chlo.atanh", "chlo.cosh", "chlo.digamma", "chlo.erf",
      "chlo.erf_inv", "chlo.erfc", "chlo.lgamma", "chlo.sinh", "chlo.tan", "chlo.bessel_i1e",
      "chlo.polygamma", "chlo.zeta"};
  static const llvm::StringSet<> elemental = {"stablehlo.bitcast_convert",
                                              "stablehlo.broadcast_in_dim",
                                              "stablehlo.concatenate",
                                              "stablehlo.constant",
                                              "stablehlo.dynamic_slice",
                                              "stablehlo.dynamic_update_slice",
                                              "stablehlo.gather",
                                              "stablehlo.iota",
                                              "stablehlo.pad",
                                              "stablehlo.reshape",
                                              "stablehlo.reverse",
                                              "stablehlo.slice",
                                              "stablehlo.transpose",
                                              "chlo.constant",
                                              "stablehlo.broadcast"};
  static const llvm::StringSet<> looping = {"stablehlo.convolution",
                                            "stablehlo.dot_general",
                                            "stablehlo.reduce",
                                            "stablehlo.reduce_window",
                                            "stablehlo.rng_bit_generator",
                                            "stablehlo.scatter",
                                            "stablehlo.select_and_scatter",
                                            "stablehlo.sort"};
  if (elementwise.contains(name))
    return OpClass::Elementwise;
  if (elemental.contains(name))
    return OpClass::Elemental;
  if (looping.contains(name))
    return OpClass::Looping;
  if (name == "stablehlo.return" || name == "tandem.yield")
    return OpClass::Terminator;
  return OpClass::None;
}

bool isEmittableTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && isKernelElementType(tensor.getElementType());
}

bool typesAreEmittable(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), isEmittableTensor) &&
         llvm::all_of(op->getResultTypes(), isEmittableTensor);
}

/// Reducers and comparators: one block of elementwise ops on scalars.
bool regionIsEmittable(Region &region) {
  if (!region.hasOneBlock())
    return false;
  auto isScalar = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0;
  };
  for (Operation &op : region.front()) {
    OpClass opClass = classify(op.getName().getStringRef());
    bool known = opClass == OpClass::Elementwise || opClass == OpClass::Terminator ||
                 opClass == OpClass::Elemental;
    if (!known || !typesAreEmittable(&op) || op.getNumRegions() != 0)
      return false;
    // Scalars alone, so that a reducer can run on a vector of accumulators.
    if (!llvm::all_of(op.getResultTypes(), isScalar) ||
        !llvm::all_of(op.getOperandTypes(), isScalar))
      return false;
  }
  return true;
}

/// Bits in whole bytes from a state of 64-bit words.
bool isEmittableGenerator(stablehlo::RngBitGeneratorOp op) {
  auto state = cast<RankedTensorType>(op.getInitialState().getType());
  Type element = cast<RankedTensorType>(op.getOutput().getType()).getElementType();
  bool hasWords = state.getElementType().isInteger(64) && state.getRank() == 1 &&
                  (state.getDimSize(0) == 2 || state.getDimSize(0) == 3);
  return hasWords && element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0;
}

OpClass classOfEmittable(Operation *op) {
  OpClass opClass = classify(op->getName().getStringRef());
  if (opClass == OpClass::None || opClass == OpClass::Terminator || !typesAreEmittable(op))
    return OpClass::None;
  for (Region &region : op->getRegions())
    if (!regionIsEmittable(region))
      return OpClass::None;
  if (auto generator = dyn_cast<stablehlo::RngBitGeneratorOp>(op))
    if (!isEmittableGenerator(generator))
      return OpClass::None;
  return opClass;
}

} // namespace

bool isKernelElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64 && llvm::isPowerOf2_32(integer.getWidth());
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() || complex.getElementType().isF64();
  if (auto floating = dyn_cast<FloatType>(type))
    return floating.isF64() || floating.isF32() || floating.isF16() || floating.isBF16() ||
           (floating.getWidth() == 8 && !isa<Float8E8M0FNUType>(floating));
  return false;
}

bool canEmit(Operation *op) { return classOfEmittable(op) != OpClass::None; }

bool isElemental(Operation *op) {
  OpClass opClass = classOfEmittable(op);
  return opClass == OpClass::Elementwise || opClass == OpClass::Elemental;
}

bool isElementwise(Operation *op) { return classOfEmittable(op) == OpClass::Elementwise; }

} // namespace tandem
