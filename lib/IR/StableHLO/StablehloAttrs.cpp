//===- StablehloAttrs.cpp - spelling of stablehlo's attributes and types ------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tandem/IR/StableHLO/AssemblyFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "tandem/IR/StableHLO/StableHLOEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tandem/IR/StableHLO/StableHLOTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tandem/IR/StableHLO/StableHLOAttrs.cpp.inc"

namespace mlir::stablehlo {

void StablehloDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tandem/IR/StableHLO/StableHLOAttrs.cpp.inc"
      >();
}

void StablehloDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tandem/IR/StableHLO/StableHLOTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Structs of lists and numbers
//===----------------------------------------------------------------------===//

namespace {

/// Prints `<name = value, ...>`; `list` and `number` leave out empty lists and zeros.
class StructPrinter {
public:
  explicit StructPrinter(AsmPrinter &printer, StringRef opening = "<") : printer(printer) {
    printer << opening;
  }
  ~StructPrinter() { printer << '>'; }

  StructPrinter &list(StringRef name, ArrayRef<int64_t> values) {
    if (!values.empty())
      alwaysList(name, values);
    return *this;
  }
  StructPrinter &number(StringRef name, int64_t value) {
    if (value != 0)
      alwaysNumber(name, value);
    return *this;
  }
  StructPrinter &alwaysList(StringRef name, ArrayRef<int64_t> values) {
    printer << StringRef(comma) << name << " = ";
    printIntegerList(printer, values);
    return *this;
  }
  StructPrinter &alwaysNumber(StringRef name, int64_t value) {
    printer << StringRef(comma) << name << " = " << value;
    return *this;
  }

private:
  AsmPrinter &printer;
  llvm::ListSeparator comma;
};

} // namespace

void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  StructPrinter(printer)
      .list("offset_dims", getOffsetDims())
      .list("collapsed_slice_dims", getCollapsedSliceDims())
      .list("operand_batching_dims", getOperandBatchingDims())
      .list("start_indices_batching_dims", getStartIndicesBatchingDims())
      .list("start_index_map", getStartIndexMap())
      .number("index_vector_dim", getIndexVectorDim());
}

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> offset, collapsed, operandBatching, indicesBatching, indexMap;
  int64_t indexVectorDim = 0;
  auto list = [&](SmallVectorImpl<int64_t> &values) {
    return [&] { return parseIntegerList(parser, values); };
  };
  auto parseOffset = list(offset), parseCollapsed = list(collapsed),
       parseOperandBatching = list(operandBatching), parseIndicesBatching = list(indicesBatching),
       parseIndexMap = list(indexMap);
  auto parseVectorDim = [&]() -> ParseResult { return parser.parseInteger(indexVectorDim); };
  if (parseAsmFields(parser, {{"offset_dims", parseOffset},
                              {"collapsed_slice_dims", parseCollapsed},
                              {"operand_batching_dims", parseOperandBatching},
                              {"start_indices_batching_dims", parseIndicesBatching},
                              {"start_index_map", parseIndexMap},
                              {"index_vector_dim", parseVectorDim}}))
    return {};
  return get(parser.getContext(), offset, collapsed, operandBatching, indicesBatching, indexMap,
             indexVectorDim);
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  StructPrinter(printer)
      .list("update_window_dims", getUpdateWindowDims())
      .list("inserted_window_dims", getInsertedWindowDims())
      .list("input_batching_dims", getInputBatchingDims())
      .list("scatter_indices_batching_dims", getScatterIndicesBatchingDims())
      .list("scatter_dims_to_operand_dims", getScatterDimsToOperandDims())
      .number("index_vector_dim", getIndexVectorDim());
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> updateWindow, insertedWindow, inputBatching, indicesBatching, toOperand;
  int64_t indexVectorDim = 0;
  auto list = [&](SmallVectorImpl<int64_t> &values) {
    return [&] { return parseIntegerList(parser, values); };
  };
  auto parseUpdateWindow = list(updateWindow), parseInsertedWindow = list(insertedWindow),
       parseInputBatching = list(inputBatching), parseIndicesBatching = list(indicesBatching),
       parseToOperand = list(toOperand);
  auto parseVectorDim = [&]() -> ParseResult { return parser.parseInteger(indexVectorDim); };
  if (parseAsmFields(parser, {{"update_window_dims", parseUpdateWindow},
                              {"inserted_window_dims", parseInsertedWindow},
                              {"input_batching_dims", parseInputBatching},
                              {"scatter_indices_batching_dims", parseIndicesBatching},
                              {"scatter_dims_to_operand_dims", parseToOperand},
                              {"index_vector_dim", parseVectorDim}}))
    return {};
  return get(parser.getContext(), updateWindow, insertedWindow, inputBatching, indicesBatching,
             toOperand, indexVectorDim);
}

void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  StructPrinter(printer)
      .list("lhs_batching_dimensions", getLhsBatchingDimensions())
      .list("rhs_batching_dimensions", getRhsBatchingDimensions())
      .list("lhs_contracting_dimensions", getLhsContractingDimensions())
      .list("rhs_contracting_dimensions", getRhsContractingDimensions());
}

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  auto list = [&](SmallVectorImpl<int64_t> &values) {
    return [&] { return parseIntegerList(parser, values); };
  };
  auto parseLhsBatching = list(lhsBatching), parseRhsBatching = list(rhsBatching),
       parseLhsContracting = list(lhsContracting), parseRhsContracting = list(rhsContracting);
  if (parseAsmFields(parser, {{"lhs_batching_dimensions", parseLhsBatching},
                              {"rhs_batching_dimensions", parseRhsBatching},
                              {"lhs_contracting_dimensions", parseLhsContracting},
                              {"rhs_contracting_dimensions", parseRhsContracting}}))
    return {};
  return get(parser.getContext(), lhsBatching, rhsBatching, lhsContracting, rhsContracting);
}

void OutputOperandAliasAttr::print(AsmPrinter &printer) const {
  StructPrinter(printer)
      .alwaysList("output_tuple_indices", getOutputTupleIndices())
      .alwaysNumber("operand_index", getOperandIndex())
      .alwaysList("operand_tuple_indices", getOperandTupleIndices());
}

Attribute OutputOperandAliasAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> output, operand;
  int64_t index = 0;
  auto parseOutput = [&] { return parseIntegerList(parser, output); };
  auto parseOperand = [&] { return parseIntegerList(parser, operand); };
  auto parseIndex = [&]() -> ParseResult { return parser.parseInteger(index); };
  if (parseAsmFields(parser, {{"output_tuple_indices", parseOutput},
                              {"operand_index", parseIndex},
                              {"operand_tuple_indices", parseOperand}}))
    return {};
  return get(parser.getContext(), output, index, operand);
}

//===----------------------------------------------------------------------===//
// Convolution dimensions
//===----------------------------------------------------------------------===//

/// Whether each of the dimensions 0, 1, ... is named once, so that their order says it all.
static bool isPermutation(int64_t first, int64_t second, ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> dims(spatial);
  dims.append({first, second});
  llvm::sort(dims);
  return llvm::all_of(llvm::enumerate(dims), [](auto entry) {
    return entry.value() == static_cast<int64_t>(entry.index());
  });
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  if (!isPermutation(getInputBatchDimension(), getInputFeatureDimension(),
                     getInputSpatialDimensions()) ||
      !isPermutation(getKernelInputFeatureDimension(), getKernelOutputFeatureDimension(),
                     getKernelSpatialDimensions()) ||
      !isPermutation(getOutputBatchDimension(), getOutputFeatureDimension(),
                     getOutputSpatialDimensions())) {
    // Only in a program that does not verify; kept as it is all the same.
    StructPrinter(printer, "<raw ")
        .alwaysNumber("input_batch_dimension", getInputBatchDimension())
        .alwaysNumber("input_feature_dimension", getInputFeatureDimension())
        .alwaysList("input_spatial_dimensions", getInputSpatialDimensions())
        .alwaysNumber("kernel_input_feature_dimension", getKernelInputFeatureDimension())
        .alwaysNumber("kernel_output_feature_dimension", getKernelOutputFeatureDimension())
        .alwaysList("kernel_spatial_dimensions", getKernelSpatialDimensions())
        .alwaysNumber("output_batch_dimension", getOutputBatchDimension())
        .alwaysNumber("output_feature_dimension", getOutputFeatureDimension())
        .alwaysList("output_spatial_dimensions", getOutputSpatialDimensions());
    return;
  }
  printer << '<';
  printConvolutionDimensions(printer, *this);
  printer << '>';
}

static Attribute parseRawConvDimensions(AsmParser &parser) {
  int64_t inputBatch = 0, inputFeature = 0, kernelInput = 0, kernelOutput = 0, outputBatch = 0,
          outputFeature = 0;
  SmallVector<int64_t> inputSpatial, kernelSpatial, outputSpatial;
  auto number = [&](int64_t &value) {
    return [&]() -> ParseResult { return parser.parseInteger(value); };
  };
  auto list = [&](SmallVectorImpl<int64_t> &values) {
    return [&] { return parseIntegerList(parser, values); };
  };
  std::pair<StringRef, int64_t *> numbers[] = {{"input_batch_dimension", &inputBatch},
                                               {"input_feature_dimension", &inputFeature},
                                               {"kernel_input_feature_dimension", &kernelInput},
                                               {"kernel_output_feature_dimension", &kernelOutput},
                                               {"output_batch_dimension", &outputBatch},
                                               {"output_feature_dimension", &outputFeature}};
  std::pair<StringRef, SmallVector<int64_t> *> lists[] = {
      {"input_spatial_dimensions", &inputSpatial},
      {"kernel_spatial_dimensions", &kernelSpatial},
      {"output_spatial_dimensions", &outputSpatial}};
  // Kept alive while AsmField refers to them.
  SmallVector<std::function<ParseResult()>> parsers;
  parsers.reserve(std::size(numbers) + std::size(lists));
  SmallVector<AsmField> fields;
  for (auto &[name, value] : numbers)
    fields.push_back({name, parsers.emplace_back(number(*value))});
  for (auto &[name, values] : lists)
    fields.push_back({name, parsers.emplace_back(list(*values))});
  if (parseAsmFieldsUntilGreater(parser, fields))
    return {};
  return ConvDimensionNumbersAttr::get(parser.getContext(), inputBatch, inputFeature, inputSpatial,
                                       kernelInput, kernelOutput, kernelSpatial, outputBatch,
                                       outputFeature, outputSpatial);
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeyword("raw")))
    return parseRawConvDimensions(parser);
  ConvDimensionNumbersAttr dims;
  if (parseConvolutionDimensions(parser, dims) || parser.parseGreater())
    return {};
  return dims;
}

//===----------------------------------------------------------------------===//
// Accuracy, bounds
//===----------------------------------------------------------------------===//

void ResultAccuracyAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (!getAtol().isZero())
    printer << "atol = " << getAtol() << ", ";
  if (!getRtol().isZero())
    printer << "rtol = " << getRtol() << ", ";
  if (getUlps() != 0)
    printer << "ulps = " << getUlps() << ", ";
  printer << "mode = " << getMode() << '>';
}

Attribute ResultAccuracyAttr::parse(AsmParser &parser, Type) {
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  ResultAccuracyModeAttr mode;
  auto parseAtol = [&] { return parser.parseFloat(atol); };
  auto parseRtol = [&] { return parser.parseFloat(rtol); };
  auto parseUlps = [&]() -> ParseResult { return parser.parseInteger(ulps); };
  auto parseMode = [&]() -> ParseResult { return parser.parseAttribute(mode); };
  SMLoc loc = parser.getCurrentLocation();
  if (parseAsmFields(
          parser,
          {{"atol", parseAtol}, {"rtol", parseRtol}, {"ulps", parseUlps}, {"mode", parseMode}}))
    return {};
  if (!mode) {
    parser.emitError(loc, "field 'mode' is missing");
    return {};
  }
  return get(parser.getContext(), APFloat(atol), APFloat(rtol), ulps, mode);
}

void TypeExtensionsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getBounds(), printer, [&](int64_t bound) {
    if (ShapedType::isDynamic(bound))
      printer << '?';
    else
      printer << bound;
  });
  printer << '>';
}

Attribute TypeExtensionsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> bounds;
  auto parseBound = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      bounds.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(bounds.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseBound))
    return {};
  return get(parser.getContext(), bounds);
}

} // namespace mlir::stablehlo
