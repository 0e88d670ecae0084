// Result types and constraints of control flow, tuples, tokens, calls outside and random numbers.

#include "Checks.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::stablehlo;

//===-- Control flow
//----------------------------------------------------------------------------===//

/// A branch takes nothing and returns the results of the op.
static LogicalResult checkBranch(Operation *op, StringRef name, Region &branch) {
  ErrorReporter error(op);
  // if C1, case C2
  if (branch.getNumArguments() != 0)
    return error() << "expects " << name << " to take no arguments, found "
                   << branch.getNumArguments();
  // if C2, C3, case C3, C4
  TypeRange returned = branch.front().getTerminator()->getOperandTypes();
  if (failed(checkCount(error, ("values returned by " + name).str(), returned.size(),
                        op->getNumResults())))
    return failure();
  for (auto [index, found, expected] : llvm::enumerate(returned, op->getResultTypes()))
    if (found != expected)
      return error() << "expects " << name << " to return " << expected << " as value " << index
                     << ", found " << found;
  return success();
}

LogicalResult IfOp::verify() {
  ErrorReporter error(*this);
  if (failed(checkSameShape(error, "pred", shapeOf(getPred()), {})) ||
      failed(checkBranch(*this, "true_branch", getTrueBranch())))
    return failure();
  return checkBranch(*this, "false_branch", getFalseBranch());
}

LogicalResult CaseOp::verify() {
  // C1
  if (getBranches().empty())
    return emitOpError("expects at least one branch, found none");
  for (auto [index, branch] : llvm::enumerate(getBranches()))
    if (failed(checkBranch(*this, "branch " + std::to_string(index), branch)))
      return failure();
  return success();
}

/// A region of while takes the carried values.
static LogicalResult checkCarried(const ErrorReporter &error, StringRef name, Region &region,
                                  TypeRange carried) {
  if (region.getNumArguments() != carried.size())
    return error() << "expects " << name << " to take " << carried.size()
                   << " arguments, one per operand, found " << region.getNumArguments();
  for (auto [index, found, expected] : llvm::enumerate(region.getArgumentTypes(), carried))
    if (found != expected)
      return error() << "expects argument " << index << " of " << name << " of type " << expected
                     << ", found " << found;
  return success();
}

/// What a region returns; empty while it is under construction.
static std::optional<TypeRange> returnedTypes(Region &region) {
  if (region.empty() || region.front().empty() ||
      !region.front().back().mightHaveTrait<OpTrait::IsTerminator>())
    return std::nullopt;
  return TypeRange(region.front().back().getOperandTypes());
}

LogicalResult WhileOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                  SmallVectorImpl<Type> &types) {
  TypeRange carried = op.getOperand().getTypes();
  Region &cond = op.getCond(), &body = op.getBody();
  // C1
  if (!cond.empty() && failed(checkCarried(error, "cond", cond, carried)))
    return failure();
  if (std::optional<TypeRange> returned = returnedTypes(cond)) {
    auto tensor = returned->size() == 1 ? dyn_cast<RankedTensorType>(returned->front()) : nullptr;
    if (!tensor || tensor.getRank() != 0 || !tensor.getElementType().isInteger(1)) {
      Error message = error() << "expects cond to return one tensor<i1>, found ";
      return returned->size() == 1 ? std::move(message) << returned->front()
                                   : std::move(message) << returned->size() << " values";
    }
  }
  // C2
  if (!body.empty() && failed(checkCarried(error, "body", body, carried)))
    return failure();
  if (std::optional<TypeRange> returned = returnedTypes(body)) {
    if (failed(checkCount(error, "values returned by body", returned->size(), carried.size())))
      return failure();
    for (auto [index, found, expected] : llvm::enumerate(*returned, carried))
      if (found != expected)
        return error() << "expects body to return " << expected << " as value " << index
                       << ", found " << found;
  }
  // C3
  llvm::append_range(types, carried);
  return success();
}

// C1
LogicalResult OptimizationBarrierOp::inferTypes(const ErrorReporter &, Adaptor op,
                                                SmallVectorImpl<Type> &types) {
  llvm::append_range(types, op.getOperand().getTypes());
  return success();
}

//===-- Tuples and tokens
//-----------------------------------------------------------------------===//

// C1
LogicalResult TupleOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                  SmallVectorImpl<Type> &types) {
  types.push_back(TupleType::get(error.getContext(), op.getVal().getTypes()));
  return success();
}

LogicalResult GetTupleElementOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                            SmallVectorImpl<Type> &types) {
  auto tuple = cast<TupleType>(op.getOperand().getType());
  // C1
  auto index = static_cast<int64_t>(static_cast<int32_t>(op.getIndex()));
  if (failed(checkRange(error, "index", {index}, 0, tuple.size())))
    return failure();
  // C2
  types.push_back(tuple.getType(index));
  return success();
}

//===-- Calls outside
//---------------------------------------------------------------------------===//

/// The types that a custom call's layouts and aliases count: those of a tuple one by one.
static SmallVector<Type> flattened(TypeRange types) {
  if (types.size() == 1)
    if (auto tuple = dyn_cast<TupleType>(types.front()))
      return llvm::to_vector(tuple.getTypes());
  return llvm::to_vector(types);
}

/// One layout per value: a permutation of the dimensions of a tensor, nothing for other values.
static LogicalResult checkLayouts(const ErrorReporter &error, StringRef what, ArrayAttr layouts,
                                  ArrayRef<Type> types) {
  if (failed(checkCount(error, what, layouts.size(), types.size())))
    return failure();
  for (auto [index, attr, type] : llvm::enumerate(layouts, types)) {
    auto elements = dyn_cast<DenseIntElementsAttr>(attr);
    if (!elements)
      return error() << "expects " << what << " of the form dense<[...]>, found " << attr;
    SmallVector<int64_t> layout;
    for (const APInt &value : elements.getValues<APInt>())
      layout.push_back(value.getSExtValue());
    auto tensor = dyn_cast<RankedTensorType>(type);
    int64_t rank = tensor ? tensor.getRank() : 0;
    SmallVector<int64_t> sorted(layout);
    llvm::sort(sorted);
    if (!llvm::equal(sorted, llvm::seq<int64_t>(0, rank)))
      return error() << "expects entry " << index << " of " << what << " to order the " << rank
                     << " dimensions of " << type << ", found " << toString(layout);
  }
  return success();
}

/// The type at a path into a tuple, or null.
static Type typeAt(Type type, Dims path) {
  for (int64_t index : path) {
    auto tuple = dyn_cast<TupleType>(type);
    if (!tuple || index < 0 || index >= static_cast<int64_t>(tuple.size()))
      return {};
    type = tuple.getType(index);
  }
  return type;
}

LogicalResult CustomCallOp::verify() {
  ErrorReporter error(*this);
  if (getOperandLayouts().has_value() != getResultLayouts().has_value())
    return error() << "expects operand_layouts and result_layouts both or neither";
  if (getOperandLayouts())
    if (failed(checkLayouts(error, "operand_layouts", *getOperandLayouts(),
                            llvm::to_vector(getInputs().getTypes()))) ||
        failed(checkLayouts(error, "result_layouts", *getResultLayouts(),
                            flattened(getResultTypes()))))
      return failure();

  for (auto alias : getOutputOperandAliases().getAsRange<OutputOperandAliasAttr>()) {
    int64_t index = alias.getOperandIndex();
    if (failed(checkRange(error, "operand_index", {index}, 0, getInputs().size())))
      return failure();
    Type operand = typeAt(getInputs()[index].getType(), alias.getOperandTupleIndices());
    if (!operand)
      return error() << "expects operand_tuple_indices into " << getInputs()[index].getType()
                     << ", found " << toString(alias.getOperandTupleIndices());
    // Several results count as a tuple.
    Type results = getNumResults() == 1 ? getResult(0).getType()
                                        : Type(TupleType::get(getContext(), getResultTypes()));
    Type output = typeAt(results, alias.getOutputTupleIndices());
    if (!output)
      return error() << "expects output_tuple_indices into " << results << ", found "
                     << toString(alias.getOutputTupleIndices());
    if (operand != output)
      return error() << "expects an alias between values of one type, found operand " << operand
                     << " and output " << output;
  }
  return success();
}

LogicalResult CompositeOp::verify() {
  // C1. C2 to C4 are checked with the symbols.
  StringRef dialect, rest;
  std::tie(dialect, rest) = getName().split('.');
  if (dialect.empty() || rest.empty())
    return emitOpError("expects a name of the form \"namespace.op\", found \"")
           << getName() << "\"";
  return success();
}

//===-- Random numbers
//--------------------------------------------------------------------------===//

LogicalResult RngBitGeneratorOp::verify() {
  ErrorReporter error(*this);
  // C1
  if (getOutputState().getType() != getInitialState().getType())
    return error() << "expects output_state of initial_state's type " << getInitialState().getType()
                   << ", found " << getOutputState().getType();
  // C2
  if (rankOf(getInitialState()) != 1)
    return error() << "expects initial_state of rank 1, found " << rankOf(getInitialState());
  int64_t size = shapeOf(getInitialState())[0];
  if (getRngAlgorithm() == RngAlgorithm::THREE_FRY && size != 2)
    return error() << "expects 2 elements of initial_state for THREE_FRY, found " << size;
  if (getRngAlgorithm() == RngAlgorithm::PHILOX && size != 2 && size != 3)
    return error() << "expects 2 or 3 elements of initial_state for PHILOX, found " << size;
  return success();
}

LogicalResult RngOp::verify() {
  ErrorReporter error(*this);
  // C1
  Type element = elementOf(getResult());
  for (auto [name, value] : {std::pair<StringRef, Value>("a", getA()), {"b", getB()}})
    if (failed(checkSameElement(error, name, elementOf(value), element)) ||
        failed(checkSameShape(error, name, shapeOf(value), {})))
      return failure();
  // C2
  if (getRngDistribution() == RngDistribution::NORMAL && !isa<FloatType>(element))
    return error() << "expects a float element type for NORMAL, found " << element;
  // C3, as far as known
  if (failed(checkCount(error, "result dimensions", rankOf(getResult()), shapeOf(getShape())[0])))
    return failure();
  DenseIntElementsAttr shape;
  if (!matchPattern(getShape(), m_Constant(&shape)))
    return success();
  SmallVector<int64_t> expected;
  for (const APInt &size : shape.getValues<APInt>())
    expected.push_back(size.getSExtValue());
  return checkSameShape(error, "result", shapeOf(getResult()), expected);
}
