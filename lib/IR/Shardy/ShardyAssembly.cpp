// Parsers and printers that the declarative formats cannot express.

#include "ShardyAssembly.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::sdy;

//===-- Attributes
//------------------------------------------------------------------------------===//

static ParseResult parseAxisRefs(AsmParser &parser, SmallVectorImpl<AxisRefAttr> &axes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&] {
    FailureOr<AxisRefAttr> axis = FieldParser<AxisRefAttr>::parse(parser);
    if (failed(axis))
      return failure();
    axes.push_back(*axis);
    return success();
  });
}

static void printAxisRefs(AsmPrinter &printer, ArrayRef<AxisRefAttr> axes) {
  printer << '{';
  llvm::interleaveComma(axes, printer, [&](AxisRefAttr axis) { printer << axis.toString(); });
  printer << '}';
}

// {"a", "b", ?}p1
Attribute DimensionShardingAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxisRefAttr> axes;
  bool closed = true;
  auto parseAxisOrOpen = [&]() -> ParseResult {
    if (!closed)
      return parser.emitError(parser.getCurrentLocation(),
                              "'?' must be the last entry of a dimension sharding");
    if (succeeded(parser.parseOptionalQuestion())) {
      closed = false;
      return success();
    }
    FailureOr<AxisRefAttr> axis = FieldParser<AxisRefAttr>::parse(parser);
    if (failed(axis))
      return failure();
    axes.push_back(*axis);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseAxisOrOpen))
    return {};

  std::optional<int64_t> priority;
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&keyword))) {
    int64_t value = 0;
    if (!keyword.consume_front("p") || keyword.getAsInteger(10, value)) {
      parser.emitError(loc, "expected a priority, 'p' and a number such as p1");
      return {};
    }
    priority = value;
  }
  return DimensionShardingAttr::get(parser.getContext(), axes, closed, priority);
}

void DimensionShardingAttr::print(AsmPrinter &printer) const {
  printer << '{';
  llvm::interleaveComma(getAxes(), printer, [&](AxisRefAttr axis) { printer << axis.toString(); });
  if (!getIsClosed())
    printer << (emptyAxes() ? "?" : ", ?");
  printer << '}';
  if (getPriority())
    printer << 'p' << *getPriority();
}

// <@mesh, [..], replicated={..}, unreduced={..}>, with @mesh or mesh<..>
Attribute TensorShardingAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  Attribute meshOrRef;
  if (succeeded(parser.parseOptionalKeyword("mesh"))) {
    FailureOr<MeshAttr> mesh = FieldParser<MeshAttr>::parse(parser);
    if (failed(mesh))
      return {};
    meshOrRef = *mesh;
  } else {
    StringAttr name;
    if (parser.parseSymbolName(name))
      return {};
    meshOrRef = FlatSymbolRefAttr::get(name);
  }

  SmallVector<DimensionShardingAttr> dims;
  auto parseDim = [&]() -> ParseResult {
    FailureOr<DimensionShardingAttr> dim = FieldParser<DimensionShardingAttr>::parse(parser);
    if (failed(dim))
      return failure();
    dims.push_back(*dim);
    return success();
  };
  if (parser.parseComma() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim))
    return {};

  SmallVector<AxisRefAttr> replicated, unreduced;
  bool hasReplicated = false, hasUnreduced = false;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    if (!hasReplicated && !hasUnreduced && succeeded(parser.parseOptionalKeyword("replicated"))) {
      hasReplicated = true;
      if (parser.parseEqual() || parseAxisRefs(parser, replicated))
        return {};
    } else if (!hasUnreduced && succeeded(parser.parseOptionalKeyword("unreduced"))) {
      hasUnreduced = true;
      if (parser.parseEqual() || parseAxisRefs(parser, unreduced))
        return {};
    } else {
      parser.emitError(loc,
                       "expected replicated={...} and then unreduced={...}, each at most once");
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return TensorShardingAttr::getChecked([&] { return parser.emitError(start); },
                                        parser.getContext(), meshOrRef, ArrayRef(dims),
                                        ArrayRef(replicated), ArrayRef(unreduced));
}

void TensorShardingAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (auto mesh = dyn_cast<MeshAttr>(getMeshOrRef())) {
    printer << "mesh";
    printer.printStrippedAttrOrType(mesh);
  } else {
    printer << getMeshOrRef();
  }
  printer << ", [";
  llvm::interleaveComma(getDimShardings(), printer,
                        [&](DimensionShardingAttr dim) { dim.print(printer); });
  printer << ']';
  if (!getReplicatedAxes().empty()) {
    printer << ", replicated=";
    printAxisRefs(printer, getReplicatedAxes());
  }
  if (!getUnreducedAxes().empty()) {
    printer << ", unreduced=";
    printAxisRefs(printer, getUnreducedAxes());
  }
  printer << '>';
}

/// Takes one factor symbol, a letter from 'i' on or 'z_N', off the front of `text`.
static std::optional<int64_t> consumeFactor(StringRef &text) {
  constexpr int64_t kLetters = 'z' - 'i' + 1;
  if (text.empty() || text.front() < 'i' || text.front() > 'z')
    return std::nullopt;
  int64_t index = text.front() - 'i';
  text = text.drop_front();
  if (index != kLetters - 1 || !text.consume_front("_"))
    return index;
  int64_t number = 0;
  if (text.consumeInteger(10, number) || number < 1)
    return std::nullopt;
  return kLetters - 1 + number;
}

// ij, or the factors of a dimension that maps to none: *
Attribute DimMappingAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> factors;
  if (succeeded(parser.parseOptionalStar()))
    return DimMappingAttr::get(parser.getContext(), factors);
  SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  if (parser.parseKeyword(&text))
    return {};
  while (!text.empty()) {
    StringRef rest = text;
    std::optional<int64_t> factor = consumeFactor(text);
    if (!factor) {
      parser.emitError(loc, "expected factors from i to z, then z_1, z_2, ..., found '")
          << rest << "'";
      return {};
    }
    factors.push_back(*factor);
  }
  return DimMappingAttr::get(parser.getContext(), factors);
}

void DimMappingAttr::print(AsmPrinter &printer) const {
  if (getFactorIndices().empty())
    printer << '*';
  for (int64_t factor : getFactorIndices())
    printer << OpShardingRuleAttr::getFactorSymbol(factor);
}

static ParseResult parseFactor(AsmParser &parser, int64_t &factor) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  StringRef rest = text;
  std::optional<int64_t> parsed = consumeFactor(rest);
  if (!parsed || !rest.empty())
    return parser.emitError(loc, "expected one factor from i to z, z_1, z_2, ..., found '")
           << text << "'";
  factor = *parsed;
  return success();
}

static ParseResult parseMappings(AsmParser &parser, SmallVectorImpl<TensorMappingAttr> &mappings) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() -> ParseResult {
    FailureOr<TensorMappingAttr> mapping = FieldParser<TensorMappingAttr>::parse(parser);
    if (failed(mapping))
      return failure();
    mappings.push_back(*mapping);
    return success();
  });
}

// <([i, k], [k, j])->([i, j]) {i=8, j=16, k=8} reduction={k} ..., custom>
Attribute OpShardingRuleAttr::parse(AsmParser &parser, Type) {
  SmallVector<TensorMappingAttr> operands, results;
  if (parser.parseLess() || parseMappings(parser, operands) || parser.parseArrow() ||
      parseMappings(parser, results))
    return {};

  SmallVector<int64_t> sizes;
  auto parseSize = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    int64_t factor = 0, size = 0;
    if (parseFactor(parser, factor) || parser.parseEqual() || parser.parseInteger(size))
      return failure();
    if (factor != static_cast<int64_t>(sizes.size()))
      return parser.emitError(loc, "expected the size of factor ")
             << getFactorSymbol(sizes.size()) << " here, found that of " << getFactorSymbol(factor);
    sizes.push_back(size);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalBraces, parseSize))
    return {};

  auto parseSpecial = [&](StringRef keyword, SmallVectorImpl<int64_t> &factors) -> ParseResult {
    if (failed(parser.parseOptionalKeyword(keyword)))
      return success();
    return failure(parser.parseEqual() ||
                   parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&] {
                     return parseFactor(parser, factors.emplace_back());
                   }));
  };
  SmallVector<int64_t> reduction, replication, permutation, blocked;
  if (parseSpecial("reduction", reduction) || parseSpecial("need_replication", replication) ||
      parseSpecial("permutation", permutation) || parseSpecial("blocked_propagation", blocked))
    return {};
  bool custom = succeeded(parser.parseOptionalComma());
  if ((custom && parser.parseKeyword("custom")) || parser.parseGreater())
    return {};
  return OpShardingRuleAttr::get(parser.getContext(), sizes, operands, results, reduction,
                                 replication, permutation, blocked, custom);
}

void OpShardingRuleAttr::print(AsmPrinter &printer) const {
  auto printMappings = [&](ArrayRef<TensorMappingAttr> mappings) {
    printer << '(';
    llvm::interleaveComma(mappings, printer, [&](TensorMappingAttr mapping) {
      printer << '[';
      llvm::interleaveComma(mapping.getDimMappings(), printer,
                            [&](DimMappingAttr dim) { dim.print(printer); });
      printer << ']';
    });
    printer << ')';
  };
  auto printSpecial = [&](StringRef keyword, ArrayRef<int64_t> factors) {
    if (factors.empty())
      return;
    printer << ' ' << keyword << "={";
    llvm::interleaveComma(factors, printer,
                          [&](int64_t factor) { printer << getFactorSymbol(factor); });
    printer << '}';
  };
  printer << '<';
  printMappings(getOperandMappings());
  printer << "->";
  printMappings(getResultMappings());
  if (!getFactorSizes().empty()) {
    printer << " {";
    llvm::interleaveComma(llvm::enumerate(getFactorSizes()), printer, [&](auto factor) {
      printer << getFactorSymbol(factor.index()) << '=' << factor.value();
    });
    printer << '}';
  }
  printSpecial("reduction", getReductionFactors());
  printSpecial("need_replication", getNeedReplicationFactors());
  printSpecial("permutation", getPermutationFactors());
  printSpecial("blocked_propagation", getBlockedPropagationFactors());
  printer << (getIsCustomRule() ? ", custom>" : ">");
}

//===-- Directives of the op formats
//------------------------------------------------------------===//

// [<@mesh, [..]>, ..]
ParseResult sdy::parseShardingList(OpAsmParser &parser, TensorShardingPerValueAttr &shardings) {
  SmallVector<TensorShardingAttr> list;
  auto parseOne = [&]() -> ParseResult {
    FailureOr<TensorShardingAttr> sharding = FieldParser<TensorShardingAttr>::parse(parser);
    if (failed(sharding))
      return failure();
    list.push_back(*sharding);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  shardings = TensorShardingPerValueAttr::get(parser.getContext(), list);
  return success();
}

void sdy::printShardingList(OpAsmPrinter &printer, Operation *,
                            TensorShardingPerValueAttr shardings) {
  printer << '[';
  llvm::interleaveComma(shardings.getShardings(), printer,
                        [&](TensorShardingAttr sharding) { sharding.print(printer); });
  printer << ']';
}

// (%arg: type, ..) { .. }
ParseResult sdy::parseBodyWithArguments(OpAsmParser &parser, Region &region) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren, /*allowType=*/true,
                               /*allowAttrs=*/true) ||
      parser.parseRegion(region, arguments))
    return failure();
  if (region.empty())
    region.emplaceBlock();
  OpBuilder builder(parser.getContext());
  if (region.front().empty() || !region.front().back().hasTrait<OpTrait::IsTerminator>()) {
    builder.setInsertionPointToEnd(&region.front());
    ReturnOp::create(builder, parser.getEncodedSourceLoc(parser.getNameLoc()), ValueRange{});
  }
  return success();
}

void sdy::printBodyWithArguments(OpAsmPrinter &printer, Operation *, Region &region) {
  printer << '(';
  llvm::interleaveComma(region.getArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseAttribute(value, getValueAttrName(result.name), result.attributes))
    return failure();
  result.addTypes(value.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDict((*this)->getAttrs(), {getValueAttrName()});
  printer << ' ' << getValueAttr();
}
