// Result types and constraints of the ops whose computation is a region of scalars.

#include "Checks.h"

using namespace mlir;
using namespace mlir::stablehlo;

static Type tensorOf(Dims shape, Type element) { return RankedTensorType::get(shape, element); }

/// Inputs and their initial values: at least one, one initial value of the same element type each.
/// Fills the element types. Labels: reduce C1 to C3, reduce_window C1 to C3.
static LogicalResult checkInputs(const ErrorReporter &error, ValueRange inputs, ValueRange inits,
                                 SmallVectorImpl<Type> &elements) {
  // reduce C3, reduce_window C1
  if (inputs.empty() || inputs.size() != inits.size())
    return error() << "expects as many init_values as inputs, at least one, found " << inits.size()
                   << " and " << inputs.size();
  // reduce C1, reduce_window C2
  if (failed(checkSameShapes(error, "inputs", inputs)))
    return failure();
  for (auto [input, init] : llvm::zip_equal(inputs, inits)) {
    if (failed(checkSameShape(error, "init_values", shapeOf(init), {})))
      return failure();
    // reduce C2, reduce_window C3
    if (failed(checkSameElement(error, "init_values", elementOf(init), elementOf(input))))
      return failure();
    elements.push_back(elementOf(input));
  }
  return success();
}

LogicalResult ReduceOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                   SmallVectorImpl<Type> &types) {
  SmallVector<Type> inputElements, elements;
  // C1, C2, C3
  if (failed(checkInputs(error, op.getInputs(), op.getInitValues(), inputElements)))
    return failure();
  Dims dimensions = op.getDimensions(), shape = shapeOf(op.getInputs()[0]);
  // C4
  if (failed(checkRange(error, "dimensions", dimensions, 0, shape.size())))
    return failure();
  // C5
  if (failed(checkUnique(error, "dimensions", dimensions)))
    return failure();
  // C6
  if (failed(checkReducer(error, "body", op.getBody(), inputElements, elements)))
    return failure();
  // C7, C8
  SmallVector<int64_t> kept;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(dimensions, static_cast<int64_t>(dim)))
      kept.push_back(size);
  for (Type element : elements)
    types.push_back(tensorOf(kept, element));
  return success();
}

LogicalResult ReduceWindowOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                         SmallVectorImpl<Type> &types) {
  SmallVector<Type> inputElements, elements;
  // C1, C2, C3
  if (failed(checkInputs(error, op.getInputs(), op.getInitValues(), inputElements)))
    return failure();
  Dims shape = shapeOf(op.getInputs()[0]);
  // C4 to C12
  FailureOr<Window> window =
      checkWindow(error, shape.size(), op.getWindowDimensions(), op.getWindowStrides(),
                  op.getBaseDilations(), op.getWindowDilations(), op.getPadding());
  if (failed(window))
    return failure();
  // C13
  if (failed(checkReducer(error, "body", op.getBody(), inputElements, elements)))
    return failure();
  // C14, C15, C16
  SmallVector<int64_t> counts;
  for (auto [dim, size] : llvm::enumerate(shape))
    counts.push_back(window->getCount(dim, size));
  for (Type element : elements)
    types.push_back(tensorOf(counts, element));
  return success();
}

LogicalResult SelectAndScatterOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                             SmallVectorImpl<Type> &types) {
  Dims operand = shapeOf(op.getOperand());
  Type element = elementOf(op.getOperand());
  // C1
  if (failed(checkSameElement(error, "source", elementOf(op.getSource()), element)))
    return failure();
  // C3
  if (failed(checkSameElement(error, "init_value", elementOf(op.getInitValue()), element)) ||
      failed(checkSameShape(error, "init_value", shapeOf(op.getInitValue()), {})))
    return failure();
  // C4 to C8
  FailureOr<Window> window =
      checkWindow(error, operand.size(), op.getWindowDimensions(), op.getWindowStrides(),
                  std::nullopt, std::nullopt, op.getPadding());
  if (failed(window))
    return failure();
  // C2
  SmallVector<int64_t> counts;
  for (auto [dim, size] : llvm::enumerate(operand))
    counts.push_back(window->getCount(dim, size));
  if (failed(checkSameShape(error, "source", shapeOf(op.getSource()), counts)))
    return failure();
  // C9
  SmallVector<Type> arguments{element, element}, returned;
  if (failed(checkScalarRegion(error, "select", op.getSelect(), 2, 1, arguments, returned)))
    return failure();
  if (!returned.empty() && !returned[0].isInteger(1))
    return error() << "expects select to return tensor<i1>, found tensor<" << returned[0] << ">";
  // C10
  SmallVector<Type> elements;
  if (failed(checkReducer(error, "scatter", op.getScatter(), {element}, elements)))
    return failure();
  // C11, C12
  types.push_back(tensorOf(operand, elements[0]));
  return success();
}

LogicalResult SortOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                 SmallVectorImpl<Type> &types) {
  ValueRange inputs = op.getInputs();
  // C1
  if (inputs.empty())
    return error() << "expects at least one input, found none";
  // C3
  if (failed(checkSameShapes(error, "inputs", inputs)))
    return failure();
  // C4. A scalar has no dimension to sort; -1 is then the default that nobody wrote.
  int64_t rank = rankOf(inputs[0]), dimension = op.getDimension();
  if ((rank != 0 || dimension != -1) &&
      failed(checkRange(error, "dimension", {dimension}, -rank, rank)))
    return failure();
  // C5
  SmallVector<Type> arguments, returned;
  for (Value input : inputs)
    arguments.append(2, elementOf(input));
  if (failed(checkScalarRegion(error, "comparator", op.getComparator(), arguments.size(), 1,
                               arguments, returned)))
    return failure();
  if (!returned.empty() && !returned[0].isInteger(1))
    return error() << "expects comparator to return tensor<i1>, found tensor<" << returned[0]
                   << ">";
  // C2
  llvm::append_range(types, inputs.getTypes());
  return success();
}

LogicalResult MapOp::inferTypes(const ErrorReporter &error, Adaptor op,
                                SmallVectorImpl<Type> &types) {
  ValueRange inputs = op.getInputs();
  // C2
  if (inputs.empty())
    return error() << "expects at least one input, found none";
  // C1
  if (failed(checkSameShapes(error, "inputs", inputs)))
    return failure();
  // C3
  Dims dimensions = op.getDimensions();
  if (!llvm::equal(dimensions, llvm::seq<int64_t>(0, rankOf(inputs[0]))))
    return error() << "expects dimensions to be 0, 1, ... up to the rank " << rankOf(inputs[0])
                   << " of the inputs, found " << toString(dimensions);
  // C4
  SmallVector<Type> arguments, returned;
  for (Value input : inputs)
    arguments.push_back(elementOf(input));
  if (failed(checkScalarRegion(error, "computation", op.getComputation(), arguments.size(), 1,
                               arguments, returned)))
    return failure();
  types.push_back(
      tensorOf(shapeOf(inputs[0]), returned.empty() ? elementOf(inputs[0]) : returned[0]));
  return success();
}
