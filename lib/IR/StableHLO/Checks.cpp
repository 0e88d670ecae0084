// Checks that the verifiers of several stablehlo ops share, and the reporter they report to.

#include "Checks.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::stablehlo;

//===-- Reporting
//-------------------------------------------------------------------------------===//

Error ErrorReporter::operator()() const {
  if (op)
    return Error(op->emitOpError());
  if (!location)
    return Error();
  InFlightDiagnostic diagnostic = emitError(*location);
  diagnostic << "'" << opName << "' op ";
  return Error(std::move(diagnostic));
}

LogicalResult stablehlo::verifyStaticShapes(const ErrorReporter &error, TypeRange types) {
  for (Type type : types)
    if (auto tensor = dyn_cast<RankedTensorType>(type); tensor && !tensor.hasStaticShape())
      return error() << "expects static shapes, found " << type
                     << "; export the program with concrete sizes";
  return success();
}

LogicalResult stablehlo::verifyResultTypes(Operation *op, TypeRange expected) {
  if (op->getNumResults() != expected.size())
    return op->emitOpError("expects ")
           << expected.size() << " results, found " << op->getNumResults();
  for (auto [index, found, type] : llvm::enumerate(op->getResultTypes(), expected))
    if (found != type)
      return op->emitOpError("expects result ")
             << index << " of type " << type << ", found " << found;
  return success();
}

std::string stablehlo::toString(Dims values) {
  std::string text = "[";
  for (auto [index, value] : llvm::enumerate(values))
    text += (index ? ", " : "") + std::to_string(value);
  return text + "]";
}

//===-- Lists of numbers
//------------------------------------------------------------------------===//

LogicalResult stablehlo::checkCount(const ErrorReporter &error, StringRef what, int64_t found,
                                    int64_t expected) {
  if (found == expected)
    return success();
  return error() << "expects " << expected << " " << what << ", found " << found;
}

LogicalResult stablehlo::checkRange(const ErrorReporter &error, StringRef what, Dims values,
                                    int64_t begin, int64_t end) {
  for (int64_t value : values) {
    if (value >= begin && value < end)
      continue;
    if (begin >= end)
      return error() << "expects no " << what << ", found " << value;
    return error() << "expects " << what << " from " << begin << " to " << end - 1 << ", found "
                   << value;
  }
  return success();
}

LogicalResult stablehlo::checkAtLeast(const ErrorReporter &error, StringRef what, Dims values,
                                      int64_t least) {
  for (int64_t value : values)
    if (value < least)
      return error() << "expects " << what << " of at least " << least << ", found " << value;
  return success();
}

LogicalResult stablehlo::checkUnique(const ErrorReporter &error, StringRef what, Dims values) {
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t value : values)
    if (!seen.insert(value).second)
      return error() << "expects unique " << what << ", found " << value << " twice";
  return success();
}

LogicalResult stablehlo::checkSorted(const ErrorReporter &error, StringRef what, Dims values) {
  if (llvm::is_sorted(values))
    return success();
  return error() << "expects sorted " << what << ", found " << toString(values);
}

LogicalResult stablehlo::checkSameShape(const ErrorReporter &error, StringRef what, Dims found,
                                        Dims expected) {
  if (found == expected)
    return success();
  return error() << "expects " << what << " of shape " << toString(expected) << ", found "
                 << toString(found);
}

LogicalResult stablehlo::checkSameElement(const ErrorReporter &error, StringRef what, Type found,
                                          Type expected) {
  if (found == expected)
    return success();
  return error() << "expects " << what << " of element type " << expected << ", found " << found;
}

LogicalResult stablehlo::checkSameShapes(const ErrorReporter &error, StringRef what,
                                         ValueRange values) {
  for (auto [index, value] : llvm::enumerate(values))
    if (shapeOf(value) != shapeOf(values.front()))
      return error() << "expects " << what << " of one shape, found "
                     << toString(shapeOf(values.front())) << " and, at " << index << ", "
                     << toString(shapeOf(value));
  return success();
}

//===-- Element types
//---------------------------------------------------------------------------===//

namespace {
enum class Kind { Boolean, SignedInt, UnsignedInt, Float, Complex, Other };
} // namespace

static Kind kindOf(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1 ? Kind::Boolean
           : integer.isUnsigned()  ? Kind::UnsignedInt
                                   : Kind::SignedInt;
  if (isa<FloatType>(type))
    return Kind::Float;
  return isa<ComplexType>(type) ? Kind::Complex : Kind::Other;
}

static unsigned widthOf(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * widthOf(complex.getElementType());
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

bool stablehlo::isSameKind(Type a, Type b) { return kindOf(a) == kindOf(b); }

bool stablehlo::isPromotable(Type from, Type to) {
  return from == to || (isSameKind(from, to) && widthOf(from) <= widthOf(to));
}

//===-- Regions
//---------------------------------------------------------------------------------===//

LogicalResult stablehlo::checkScalarRegion(const ErrorReporter &error, StringRef name,
                                           Region &region, int64_t numArguments,
                                           int64_t numReturned, SmallVectorImpl<Type> &arguments,
                                           SmallVectorImpl<Type> &returned) {
  if (region.empty())
    return success();
  Block &block = region.front();
  if (block.getNumArguments() != numArguments)
    return error() << "expects " << name << " to take " << numArguments << " arguments, found "
                   << block.getNumArguments();
  arguments.resize(numArguments);
  for (auto [index, type] : llvm::enumerate(block.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() != 0)
      return error() << "expects argument " << index << " of " << name
                     << " to be a scalar tensor, found " << type;
    if (arguments[index] && arguments[index] != tensor.getElementType())
      return error() << "expects argument " << index << " of " << name << " to be tensor<"
                     << arguments[index] << ">, found " << type;
    arguments[index] = tensor.getElementType();
  }
  // The region of an op under construction may lack its terminator.
  if (block.empty() || !block.back().mightHaveTrait<OpTrait::IsTerminator>())
    return success();
  Operation *terminator = &block.back();
  if (terminator->getNumOperands() != numReturned)
    return error() << "expects " << name << " to return " << numReturned << " values, found "
                   << terminator->getNumOperands();
  for (auto [index, type] : llvm::enumerate(terminator->getOperandTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() != 0)
      return error() << "expects value " << index << " returned by " << name
                     << " to be a scalar tensor, found " << type;
    returned.push_back(tensor.getElementType());
  }
  return success();
}

LogicalResult stablehlo::checkReducer(const ErrorReporter &error, StringRef name, Region &region,
                                      ArrayRef<Type> inputs, SmallVectorImpl<Type> &elements) {
  int64_t count = inputs.size();
  SmallVector<Type> arguments, returned;
  if (failed(checkScalarRegion(error, name, region, 2 * count, count, arguments, returned)))
    return failure();
  elements.assign(inputs.begin(), inputs.end());
  if (arguments.empty())
    return success();
  for (int64_t index = 0; index < count; ++index) {
    Type element = arguments[index];
    if (!isPromotable(inputs[index], element))
      return error() << "expects argument " << index << " of " << name
                     << " of an element type that can hold " << inputs[index] << ", found "
                     << element;
    if (arguments[count + index] != element)
      return error() << "expects arguments " << index << " and " << count + index << " of " << name
                     << " of one element type, found " << element << " and "
                     << arguments[count + index];
    if (!returned.empty() && returned[index] != element)
      return error() << "expects " << name << " to return tensor<" << element << "> as value "
                     << index << ", found tensor<" << returned[index] << ">";
    elements[index] = element;
  }
  return success();
}

//===-- Windows
//---------------------------------------------------------------------------------===//

int64_t Window::getCount(int64_t dim, int64_t size) const {
  int64_t dilated = size == 0 ? 0 : (size - 1) * baseDilations[dim] + 1;
  int64_t padded = padding[dim].first + dilated + padding[dim].second;
  int64_t window = dimensions[dim] == 0 ? 0 : (dimensions[dim] - 1) * dilations[dim] + 1;
  return padded <= 0 || window > padded ? 0 : (padded - window) / strides[dim] + 1;
}

FailureOr<Window>
stablehlo::checkWindow(const ErrorReporter &error, int64_t rank, std::optional<Dims> dimensions,
                       std::optional<Dims> strides, std::optional<Dims> baseDilations,
                       std::optional<Dims> dilations, std::optional<DenseIntElementsAttr> padding) {
  Window window;
  auto fill = [&](StringRef what, std::optional<Dims> values,
                  SmallVector<int64_t> &into) -> LogicalResult {
    if (!values) {
      into.assign(rank, 1);
      return success();
    }
    into.assign(values->begin(), values->end());
    if (failed(checkCount(error, what, values->size(), rank)))
      return failure();
    return checkAtLeast(error, what, *values, 1);
  };
  if (failed(fill("window_dimensions", dimensions, window.dimensions)) ||
      failed(fill("window_strides", strides, window.strides)) ||
      failed(fill("base_dilations", baseDilations, window.baseDilations)) ||
      failed(fill("window_dilations", dilations, window.dilations)))
    return failure();

  window.padding.assign(rank, {0, 0});
  if (!padding)
    return window;
  Dims shape = padding->getType().getShape();
  if (shape != Dims{rank, 2})
    return error() << "expects padding of shape " << toString({rank, 2}) << ", found "
                   << toString(shape);
  SmallVector<int64_t> values(padding->getValues<int64_t>());
  for (int64_t dim = 0; dim < rank; ++dim)
    window.padding[dim] = {values[2 * dim], values[2 * dim + 1]};
  return window;
}
