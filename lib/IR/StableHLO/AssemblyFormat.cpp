//===- AssemblyFormat.cpp - pieces of stablehlo's pretty forms ----------------===//

#include "tandem/IR/StableHLO/AssemblyFormat.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::stablehlo {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ParseResult parseSameOperandsAndResultTypes(OpAsmParser &parser, ArrayRef<Type *> operands,
                                            Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  auto function = dyn_cast<FunctionType>(type);
  if (!function) {
    for (Type *operand : operands)
      *operand = type;
    result = type;
    return success();
  }
  if (function.getNumInputs() != operands.size() || function.getNumResults() != 1)
    return parser.emitError(loc) << "expected " << operands.size() << " operand "
                                 << (operands.size() == 1 ? "type" : "types")
                                 << " and one result type, found " << function;
  for (auto [operand, input] : llvm::zip_equal(operands, function.getInputs()))
    *operand = input;
  result = function.getResult(0);
  return success();
}

void printSameOperandsAndResultTypes(OpAsmPrinter &p, ArrayRef<Type> operands, Type result) {
  if (llvm::all_of(operands, [&](Type type) { return type == result; }))
    p << result;
  else
    p.printFunctionalType(operands, ArrayRef<Type>(result));
}

ParseResult
parseVariadicSameOperandsAndResultType(OpAsmParser &parser,
                                       ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                                       SmallVectorImpl<Type> &operandTypes, Type &result) {
  if (parser.parseType(result))
    return failure();
  operandTypes.assign(operands.size(), result);
  return success();
}

void printVariadicSameOperandsAndResultType(OpAsmPrinter &p, Operation *, OperandRange, TypeRange,
                                            Type result) {
  p << result;
}

ParseResult parsePairwiseOpType(OpAsmParser &parser, SmallVectorImpl<Type> &operandTypes,
                                SmallVectorImpl<Type> &resultTypes) {
  if (parser.parseTypeList(operandTypes))
    return failure();
  resultTypes = operandTypes;
  return success();
}

void printPairwiseOpType(OpAsmPrinter &p, Operation *, TypeRange operandTypes, TypeRange) {
  llvm::interleaveComma(operandTypes, p);
}

ParseResult parseComplexOpType(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type)) {
    if (function.getNumInputs() != 2 || function.getNumResults() != 1)
      return parser.emitError(loc)
             << "expected two operand types and one result type, found " << function;
    lhs = function.getInput(0);
    rhs = function.getInput(1);
    result = function.getResult(0);
    return success();
  }
  auto tensor = dyn_cast<ShapedType>(type);
  auto complex = tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  if (!complex)
    return parser.emitError(loc) << "expected a tensor of complex type, found " << type;
  lhs = rhs = tensor.clone(complex.getElementType());
  result = type;
  return success();
}

void printComplexOpType(OpAsmPrinter &p, Operation *, Type lhs, Type rhs, Type result) {
  auto tensor = cast<ShapedType>(result);
  auto complex = dyn_cast<ComplexType>(tensor.getElementType());
  if (complex && lhs == rhs && lhs == tensor.clone(complex.getElementType()))
    p << result;
  else
    p.printFunctionalType(ArrayRef<Type>{lhs, rhs}, ArrayRef<Type>(result));
}

ParseResult parseSelectOpType(OpAsmParser &parser, Type &pred, Type &onTrue, Type &onFalse,
                              Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> types;
  if (parser.parseTypeList(types))
    return failure();
  if (types.size() == 2) {
    pred = types[0];
    onTrue = onFalse = result = types[1];
    return success();
  }
  auto function = types.size() == 1 ? dyn_cast<FunctionType>(types[0]) : FunctionType();
  if (!function || function.getNumInputs() != 3 || function.getNumResults() != 1)
    return parser.emitError(loc, "expected the predicate's and the values' type, or a function "
                                 "type of three operands and one result");
  pred = function.getInput(0);
  onTrue = function.getInput(1);
  onFalse = function.getInput(2);
  result = function.getResult(0);
  return success();
}

void printSelectOpType(OpAsmPrinter &p, Operation *, Type pred, Type onTrue, Type onFalse,
                       Type result) {
  if (onTrue == result && onFalse == result)
    p << pred << ", " << result;
  else
    p.printFunctionalType(ArrayRef<Type>{pred, onTrue, onFalse}, ArrayRef<Type>(result));
}

ParseResult parseTupleOpType(OpAsmParser &parser, SmallVectorImpl<Type> &operands, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  auto tuple = dyn_cast<TupleType>(result);
  if (!tuple)
    return parser.emitError(loc) << "expected a tuple type, found " << result;
  llvm::append_range(operands, tuple.getTypes());
  return success();
}

void printTupleOpType(OpAsmPrinter &p, Operation *, TypeRange, Type result) { p << result; }

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

ParseResult parseIntegerList(AsmParser &parser, SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

void printIntegerList(AsmPrinter &p, ArrayRef<int64_t> values) {
  p << '[';
  llvm::interleaveComma(values, p);
  p << ']';
}

ParseResult parseAsmFields(AsmParser &parser, ArrayRef<AsmField> fields) {
  return failure(parser.parseLess() || parseAsmFieldsUntilGreater(parser, fields));
}

ParseResult parseAsmFieldsUntilGreater(AsmParser &parser, ArrayRef<AsmField> fields) {
  if (succeeded(parser.parseOptionalGreater()))
    return success();
  llvm::SmallBitVector seen(fields.size());
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    const auto *field = llvm::find_if(fields, [&](const AsmField &f) { return f.name == name; });
    if (field == fields.end()) {
      auto error = parser.emitError(loc) << "unknown field '" << name << "', expected one of ";
      llvm::interleaveComma(fields, error, [&](const AsmField &f) { error << f.name; });
      return error;
    }
    if (seen.test(field - fields.begin()))
      return parser.emitError(loc) << "field '" << name << "' is given twice";
    seen.set(field - fields.begin());
    return failure(parser.parseEqual() || field->parse());
  };
  return failure(parser.parseCommaSeparatedList(parseField) || parser.parseGreater());
}

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

ParseResult
parseVariadicOperandWithAttribute(OpAsmParser &parser,
                                  SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  while (true) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult found = parser.parseOptionalOperand(operand);
    if (!found.has_value())
      return success();
    if (failed(*found) || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
}

void printVariadicOperandWithAttribute(OpAsmPrinter &p, Operation *, OperandRange operands) {
  llvm::interleave(operands, p, ", ");
  if (!operands.empty())
    p << ',';
}

ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &start,
                             DenseI64ArrayAttr &limit, DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> starts, limits, steps;
  auto parseRange = [&]() -> ParseResult {
    steps.push_back(1);
    if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limits.emplace_back()))
      return failure();
    return succeeded(parser.parseOptionalColon()) ? parser.parseInteger(steps.back())
                                                  : ParseResult(success());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  start = parser.getBuilder().getDenseI64ArrayAttr(starts);
  limit = parser.getBuilder().getDenseI64ArrayAttr(limits);
  strides = parser.getBuilder().getDenseI64ArrayAttr(steps);
  return success();
}

void printSliceRanges(OpAsmPrinter &p, Operation *, DenseI64ArrayAttr start,
                      DenseI64ArrayAttr limit, DenseI64ArrayAttr strides) {
  p << '[';
  // The three may differ in length only in a program that does not verify; what there is is
  // printed all the same.
  llvm::interleaveComma(
      llvm::zip_longest(start.asArrayRef(), limit.asArrayRef(), strides.asArrayRef()), p,
      [&](auto range) {
        auto [from, to, step] = range;
        p << from.value_or(0) << ':' << to.value_or(0);
        if (step.value_or(1) != 1)
          p << ':' << *step;
      });
  p << ']';
}

ParseResult parseExponentMantissa(OpAsmParser &parser, IntegerAttr &exponent,
                                  IntegerAttr &mantissa) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef format;
  if (parser.parseKeyword(&format))
    return failure();
  StringRef rest = format;
  unsigned exponentBits = 0, mantissaBits = 0;
  if (!rest.consume_front("e") || rest.consumeInteger(10, exponentBits) ||
      !rest.consume_front("m") || rest.consumeInteger(10, mantissaBits) || !rest.empty())
    return parser.emitError(loc) << "expected a format such as e5m10, found '" << format << "'";
  exponent = parser.getBuilder().getI32IntegerAttr(exponentBits);
  mantissa = parser.getBuilder().getI32IntegerAttr(mantissaBits);
  return success();
}

void printExponentMantissa(OpAsmPrinter &p, Operation *, IntegerAttr exponent,
                           IntegerAttr mantissa) {
  p << 'e' << exponent.getInt() << 'm' << mantissa.getInt();
}

ParseResult parseCustomCallTarget(OpAsmParser &parser, StringAttr &target) {
  return parser.parseSymbolName(target);
}

void printCustomCallTarget(OpAsmPrinter &p, Operation *, StringAttr target) {
  p.printSymbolName(target.getValue());
}

ParseResult parseDotDimensionNumbers(OpAsmParser &parser, DotDimensionNumbersAttr &dims) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  auto parsePair = [&](SmallVectorImpl<int64_t> &lhs,
                       SmallVectorImpl<int64_t> &rhs) -> ParseResult {
    return failure(parser.parseEqual() || parseIntegerList(parser, lhs) ||
                   parser.parseKeyword("x") || parseIntegerList(parser, rhs));
  };
  if (succeeded(parser.parseOptionalKeyword("batching_dims")))
    if (parsePair(lhsBatch, rhsBatch) || parser.parseComma())
      return failure();
  if (parser.parseKeyword("contracting_dims") || parsePair(lhsContract, rhsContract))
    return failure();
  dims = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatch, rhsBatch, lhsContract,
                                      rhsContract);
  return success();
}

void printDotDimensionNumbers(OpAsmPrinter &p, Operation *, DotDimensionNumbersAttr dims) {
  if (!dims.getLhsBatchingDimensions().empty() || !dims.getRhsBatchingDimensions().empty()) {
    p << "batching_dims = ";
    printIntegerList(p, dims.getLhsBatchingDimensions());
    p << " x ";
    printIntegerList(p, dims.getRhsBatchingDimensions());
    p << ", ";
  }
  p << "contracting_dims = ";
  printIntegerList(p, dims.getLhsContractingDimensions());
  p << " x ";
  printIntegerList(p, dims.getRhsContractingDimensions());
}

/// `= [DEFAULT, ...]` after the keyword.
static ParseResult parsePrecisionList(OpAsmParser &parser, ArrayAttr &precision) {
  SmallVector<Attribute> values;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    std::optional<Precision> value = symbolizePrecision(name);
    if (!value)
      return parser.emitError(loc)
             << "expected DEFAULT, HIGH, HIGHEST or PACKED_NIBBLE, found '" << name << "'";
    values.push_back(PrecisionAttr::get(parser.getContext(), *value));
    return success();
  };
  if (parser.parseEqual() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  precision = parser.getBuilder().getArrayAttr(values);
  return success();
}

ParseResult parsePrecisionConfig(OpAsmParser &parser, ArrayAttr &precision) {
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(parser.parseKeyword("precision") || parsePrecisionList(parser, precision));
}

void printPrecisionConfig(OpAsmPrinter &p, Operation *, ArrayAttr precision) {
  if (!precision)
    return;
  p << ", precision = [";
  llvm::interleaveComma(precision.getAsRange<PrecisionAttr>(), p,
                        [&](PrecisionAttr attr) { p << stringifyPrecision(attr.getValue()); });
  p << ']';
}

ParseResult parsePrecisionConfigAndAlgorithm(OpAsmParser &parser, ArrayAttr &precision,
                                             DotAlgorithmAttr &algorithm) {
  if (failed(parser.parseOptionalComma()))
    return success();
  if (succeeded(parser.parseOptionalKeyword("precision"))) {
    if (parsePrecisionList(parser, precision))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
  }
  if (parser.parseKeyword("algorithm", " or 'precision'") || parser.parseEqual())
    return failure();
  Attribute parsed = DotAlgorithmAttr::parse(parser, Type());
  algorithm = llvm::dyn_cast_if_present<DotAlgorithmAttr>(parsed);
  return success(static_cast<bool>(algorithm));
}

void printPrecisionConfigAndAlgorithm(OpAsmPrinter &p, Operation *op, ArrayAttr precision,
                                      DotAlgorithmAttr algorithm) {
  printPrecisionConfig(p, op, precision);
  if (algorithm) {
    p << ", algorithm = ";
    p.printStrippedAttrOrType(algorithm);
  }
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// `[b, 0, 1, f]`: the position of each letter and of each spatial dimension.
static ParseResult parseLabelledDims(AsmParser &parser, StringRef firstLabel, int64_t &first,
                                     StringRef secondLabel, int64_t &second,
                                     SmallVectorImpl<int64_t> &spatial) {
  SMLoc loc = parser.getCurrentLocation();
  first = second = -1;
  SmallVector<std::pair<int64_t, int64_t>> found; // spatial dimension, position
  int64_t position = 0;
  auto parseOne = [&]() -> ParseResult {
    SMLoc here = parser.getCurrentLocation();
    int64_t dim;
    OptionalParseResult integer = parser.parseOptionalInteger(dim);
    if (integer.has_value()) {
      found.push_back({dim, position++});
      return *integer;
    }
    StringRef label;
    if (parser.parseKeyword(&label))
      return failure();
    int64_t *slot = label == firstLabel ? &first : label == secondLabel ? &second : nullptr;
    if (!slot)
      return parser.emitError(here) << "expected '" << firstLabel << "', '" << secondLabel
                                    << "' or a spatial dimension, found '" << label << "'";
    if (*slot >= 0)
      return parser.emitError(here) << "'" << label << "' is given twice";
    *slot = position++;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  for (auto [label, value] : {std::pair(firstLabel, first), std::pair(secondLabel, second)})
    if (value < 0)
      return parser.emitError(loc) << "dimension '" << label << "' is missing";
  llvm::sort(found);
  for (auto [index, entry] : llvm::enumerate(found)) {
    if (entry.first != static_cast<int64_t>(index))
      return parser.emitError(loc)
             << "expected each spatial dimension from 0 to " << found.size() - 1 << " once";
    spatial.push_back(entry.second);
  }
  return success();
}

ParseResult parseConvolutionDimensions(AsmParser &parser, ConvDimensionNumbersAttr &dims) {
  int64_t inputBatch, inputFeature, kernelInput, kernelOutput, outputBatch, outputFeature;
  SmallVector<int64_t> inputSpatial, kernelSpatial, outputSpatial;
  if (parseLabelledDims(parser, "b", inputBatch, "f", inputFeature, inputSpatial) ||
      parser.parseKeyword("x") ||
      parseLabelledDims(parser, "i", kernelInput, "o", kernelOutput, kernelSpatial) ||
      parser.parseArrow() ||
      parseLabelledDims(parser, "b", outputBatch, "f", outputFeature, outputSpatial))
    return failure();
  dims = ConvDimensionNumbersAttr::get(parser.getContext(), inputBatch, inputFeature, inputSpatial,
                                       kernelInput, kernelOutput, kernelSpatial, outputBatch,
                                       outputFeature, outputSpatial);
  return success();
}

static void printLabelledDims(AsmPrinter &p, StringRef firstLabel, int64_t first,
                              StringRef secondLabel, int64_t second, ArrayRef<int64_t> spatial) {
  SmallVector<std::pair<int64_t, std::string>> labels{{first, firstLabel.str()},
                                                      {second, secondLabel.str()}};
  for (auto [index, position] : llvm::enumerate(spatial))
    labels.push_back({position, std::to_string(index)});
  llvm::sort(labels);
  p << '[';
  llvm::interleaveComma(llvm::make_second_range(labels), p);
  p << ']';
}

void printConvolutionDimensions(AsmPrinter &p, ConvDimensionNumbersAttr dims) {
  printLabelledDims(p, "b", dims.getInputBatchDimension(), "f", dims.getInputFeatureDimension(),
                    dims.getInputSpatialDimensions());
  p << 'x';
  printLabelledDims(p, "i", dims.getKernelInputFeatureDimension(), "o",
                    dims.getKernelOutputFeatureDimension(), dims.getKernelSpatialDimensions());
  p << "->";
  printLabelledDims(p, "b", dims.getOutputBatchDimension(), "f", dims.getOutputFeatureDimension(),
                    dims.getOutputSpatialDimensions());
}

ParseResult parseWindowAttributes(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                                  DenseIntElementsAttr &padding, DenseI64ArrayAttr &lhsDilation,
                                  DenseI64ArrayAttr &rhsDilation, DenseBoolArrayAttr &reversal) {
  Builder &builder = parser.getBuilder();
  auto parseDims = [&](DenseI64ArrayAttr &attr) -> ParseResult {
    SmallVector<int64_t> values;
    if (parseIntegerList(parser, values))
      return failure();
    attr = builder.getDenseI64ArrayAttr(values);
    return success();
  };
  auto parsePadding = [&]() -> ParseResult {
    SmallVector<int64_t> values;
    int64_t rows = 0;
    auto parseRow = [&]() -> ParseResult {
      SMLoc loc = parser.getCurrentLocation();
      if (parseIntegerList(parser, values))
        return failure();
      if (static_cast<int64_t>(values.size()) != 2 * ++rows)
        return parser.emitError(loc, "expected a pair of low and high padding");
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRow))
      return failure();
    padding =
        DenseIntElementsAttr::get(RankedTensorType::get({rows, 2}, builder.getI64Type()), values);
    return success();
  };
  auto parseReversal = [&]() -> ParseResult {
    SmallVector<bool> values;
    auto parseOne = [&]() -> ParseResult {
      if (succeeded(parser.parseOptionalKeyword("true")))
        values.push_back(true);
      else if (succeeded(parser.parseKeyword("false", " or 'true'")))
        values.push_back(false);
      else
        return failure();
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
      return failure();
    reversal = builder.getDenseBoolArrayAttr(values);
    return success();
  };
  // An empty window is written `{ }`.
  llvm::SmallBitVector seen(5);
  do {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (failed(parser.parseOptionalKeyword(
            &name, {"stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"}))) {
      if (seen.none())
        return success();
      return parser.emitError(loc, "expected stride, pad, lhs_dilate, rhs_dilate or reverse");
    }
    unsigned field = llvm::StringSwitch<unsigned>(name)
                         .Case("stride", 0)
                         .Case("pad", 1)
                         .Case("lhs_dilate", 2)
                         .Case("rhs_dilate", 3)
                         .Default(4);
    if (seen.test(field))
      return parser.emitError(loc) << "'" << name << "' is given twice";
    seen.set(field);
    if (parser.parseEqual())
      return failure();
    ParseResult parsed = field == 0   ? parseDims(strides)
                         : field == 1 ? parsePadding()
                         : field == 2 ? parseDims(lhsDilation)
                         : field == 3 ? parseDims(rhsDilation)
                                      : parseReversal();
    if (failed(parsed))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return success();
}

void printWindowAttributes(OpAsmPrinter &p, Operation *, DenseI64ArrayAttr strides,
                           DenseIntElementsAttr padding, DenseI64ArrayAttr lhsDilation,
                           DenseI64ArrayAttr rhsDilation, DenseBoolArrayAttr reversal) {
  llvm::ListSeparator comma;
  auto printDims = [&](StringRef name, DenseI64ArrayAttr dims) {
    if (!dims)
      return;
    p << StringRef(comma) << name << " = ";
    printIntegerList(p, dims);
  };
  printDims("stride", strides);
  if (padding) {
    p << StringRef(comma) << "pad = [";
    auto values = llvm::to_vector(padding.getValues<int64_t>());
    for (size_t row = 0; row + 1 < values.size(); row += 2) {
      p << (row ? ", " : "");
      printIntegerList(p, {values[row], values[row + 1]});
    }
    p << ']';
  }
  printDims("lhs_dilate", lhsDilation);
  printDims("rhs_dilate", rhsDilation);
  if (reversal) {
    p << StringRef(comma) << "reverse = [";
    llvm::interleaveComma(reversal.asArrayRef(), p,
                          [&](bool value) { p << (value ? "true" : "false"); });
    p << ']';
  }
}

} // namespace mlir::stablehlo
