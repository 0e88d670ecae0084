// Result types and constraints of elementwise ops. Ops whose operands and results are of one type
// have a trait for it (C1).

#include "Checks.h"

using namespace mlir;
using namespace mlir::stablehlo;

/// The type of `like` with another element type.
static Type withElement(Value like, Type element) {
  return RankedTensorType::get(shapeOf(like), element);
}

static Type realElement(Value value) {
  Type element = elementOf(value);
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}

static Type booleanType(Value like) {
  return withElement(like, IntegerType::get(like.getContext(), 1));
}

//===-- One operand
//-----------------------------------------------------------------------------===//

// C1, C2
LogicalResult AbsOp::inferTypes(const ErrorReporter &, Adaptor op, SmallVectorImpl<Type> &types) {
  types.push_back(withElement(op.getOperand(), realElement(op.getOperand())));
  return success();
}

// C1, C2
LogicalResult ImagOp::inferTypes(const ErrorReporter &, Adaptor op, SmallVectorImpl<Type> &types) {
  types.push_back(withElement(op.getOperand(), realElement(op.getOperand())));
  return success();
}

// C1, C2
LogicalResult RealOp::inferTypes(const ErrorReporter &, Adaptor op, SmallVectorImpl<Type> &types) {
  types.push_back(withElement(op.getOperand(), realElement(op.getOperand())));
  return success();
}

// C1
LogicalResult IsFiniteOp::inferTypes(const ErrorReporter &, Adaptor op,
                                     SmallVectorImpl<Type> &types) {
  types.push_back(booleanType(op.getX()));
  return success();
}

LogicalResult ReducePrecisionOp::verify() {
  ErrorReporter error(*this);
  // C2
  if (failed(checkAtLeast(error, "exponent_bits", {getExponentBitsAttr().getInt()}, 1)))
    return failure();
  // C3
  return checkAtLeast(error, "mantissa_bits", {getMantissaBitsAttr().getInt()}, 0);
}

LogicalResult BitcastConvertOp::verify() {
  ErrorReporter error(*this);
  Type from = elementOf(getOperand()), to = elementOf(getResult());
  // C2
  if (isa<ComplexType>(from) != isa<ComplexType>(to))
    return error() << "expects both or neither element types to be complex, found " << from
                   << " and " << to;
  // C1
  auto bits = [](Type type) -> int64_t {
    if (auto complex = dyn_cast<ComplexType>(type))
      return 2 * complex.getElementType().getIntOrFloatBitWidth();
    return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  };
  int64_t fromBits = bits(from), toBits = bits(to);
  Dims operand = shapeOf(getOperand()), result = shapeOf(getResult());
  if (fromBits == toBits)
    return checkSameShape(error, "result", result, operand);
  int64_t wide = std::max(fromBits, toBits), narrow = std::min(fromBits, toBits);
  if (wide % narrow != 0)
    return error()
           << "expects element types of which one is a multiple as wide as the other, found "
           << from << " and " << to;
  SmallVector<int64_t> expected(operand);
  if (toBits < fromBits) {
    expected.push_back(wide / narrow);
  } else {
    if (expected.empty() || expected.back() != wide / narrow)
      return error() << "expects an operand whose last dimension is " << wide / narrow
                     << ", so that it joins into one " << to << ", found shape "
                     << toString(operand);
    expected.pop_back();
  }
  return checkSameShape(error, "result", result, expected);
}

//===-- Two operands
//----------------------------------------------------------------------------===//

LogicalResult CompareOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                    SmallVectorImpl<Type> &types) {
  // C1
  Type element = elementOf(op.getLhs());
  if (failed(checkSameElement(error, "rhs", elementOf(op.getRhs()), element)))
    return failure();
  // C2
  if (failed(checkSameShape(error, "rhs", shapeOf(op.getRhs()), shapeOf(op.getLhs()))))
    return failure();
  // C3
  if (std::optional<ComparisonType> type = op.getCompareType();
      type && *type != ComparisonType::NOTYPE) {
    SmallVector<ComparisonType, 2> allowed;
    if (isa<FloatType>(element))
      allowed = {ComparisonType::FLOAT, ComparisonType::TOTALORDER};
    else if (isa<ComplexType>(element))
      allowed = {ComparisonType::FLOAT};
    else if (element.isInteger(1) || element.isUnsignedInteger())
      allowed = {ComparisonType::UNSIGNED};
    else
      allowed = {ComparisonType::SIGNED};
    if (!llvm::is_contained(allowed, *type))
      return error() << "expects compare_type " << stringifyComparisonType(allowed.front())
                     << (allowed.size() > 1 ? " or TOTALORDER for " : " for ") << element
                     << ", found " << stringifyComparisonType(*type);
  }
  types.push_back(booleanType(op.getLhs()));
  return success();
}

LogicalResult ComplexOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                    SmallVectorImpl<Type> &types) {
  // C1
  if (op.getLhs().getType() != op.getRhs().getType())
    return error() << "expects lhs and rhs of one type, found " << op.getLhs().getType() << " and "
                   << op.getRhs().getType();
  // C2, C3
  types.push_back(withElement(op.getLhs(), ComplexType::get(elementOf(op.getLhs()))));
  return success();
}

//===-- Three operands
//--------------------------------------------------------------------------===//

LogicalResult ClampOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                  SmallVectorImpl<Type> &types) {
  // C1, C2
  for (auto [name, value] :
       {std::pair<StringRef, Value>("min", op.getMin()), {"max", op.getMax()}}) {
    if (rankOf(value) != 0 &&
        failed(checkSameShape(error, name, shapeOf(value), shapeOf(op.getOperand()))))
      return failure();
  }
  // C3
  for (auto [name, value] : {std::pair<StringRef, Value>("min", op.getMin()), {"max", op.getMax()}})
    if (failed(checkSameElement(error, name, elementOf(value), elementOf(op.getOperand()))))
      return failure();
  // C4
  types.push_back(op.getOperand().getType());
  return success();
}

LogicalResult SelectOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                   SmallVectorImpl<Type> &types) {
  // C1
  if (rankOf(op.getPred()) != 0 &&
      failed(checkSameShape(error, "pred", shapeOf(op.getPred()), shapeOf(op.getOnTrue()))))
    return failure();
  // C2
  if (op.getOnTrue().getType() != op.getOnFalse().getType())
    return error() << "expects on_true and on_false of one type, found " << op.getOnTrue().getType()
                   << " and " << op.getOnFalse().getType();
  types.push_back(op.getOnTrue().getType());
  return success();
}
