//===- ReductionOps.cpp - stablehlo: operations of ReductionOps.td ---===//

#include "tandem/IR/StableHLO/AssemblyFormat.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ReductionOps.cpp.inc"

void StablehloDialect::registerReductionOps() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/StableHLO/ReductionOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

/// The body's one operation if the short form can express it: commutative, of the reduce's
/// own dialect, without attributes, on the two arguments in order, and returned.
static Operation *getShortFormOp(ReduceOp reduce) {
  if (reduce.getInputs().size() != 1)
    return nullptr;
  Block &block = reduce.getBody().front();
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2))
    return nullptr;
  Operation &inner = block.front();
  Type element = getElementTypeOrSelf(reduce.getInputs().front().getType());
  Type scalar = RankedTensorType::get({}, element);
  auto isScalar = [&](Type type) { return type == scalar; };
  if (inner.getDialect() != reduce->getDialect() || !inner.hasTrait<OpTrait::IsCommutative>() ||
      inner.getNumResults() != 1 || inner.getNumRegions() != 0 ||
      !inner.getAttrDictionary().empty() ||
      !llvm::equal(inner.getOperands(), block.getArguments()) ||
      !llvm::all_of(inner.getOperandTypes(), isScalar) ||
      !llvm::all_of(inner.getResultTypes(), isScalar))
    return nullptr;
  auto terminator = dyn_cast<ReturnOp>(block.back());
  if (!terminator || !terminator->getDiscardableAttrs().empty() ||
      !llvm::equal(terminator.getOperands(), inner.getResults()))
    return nullptr;
  return &inner;
}

void ReduceOp::print(OpAsmPrinter &p) {
  size_t count = getInputs().size();
  llvm::interleaveComma(llvm::zip_equal(getInputs(), getInitValues()), p, [&](auto pair) {
    p << '(' << std::get<0>(pair) << " init: " << std::get<1>(pair) << ')';
  });
  Operation *inner = getShortFormOp(*this);
  if (inner)
    p << " applies " << inner->getName();
  p << " across dimensions = ";
  printIntegerList(p, getDimensions());
  p.printOptionalAttrDict((*this)->getAttrs(), {"dimensions"});
  p << " : ";
  p.printFunctionalType(*this);
  if (inner)
    return;
  p.printNewline();
  p << " reducer";
  // Left and right argument of each input side by side.
  Block &block = getBody().front();
  for (size_t i = 0; i < count; ++i) {
    p << '(';
    p.printRegionArgument(block.getArgument(i));
    p << ", ";
    p.printRegionArgument(block.getArgument(i + count));
    p << ") ";
  }
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// Makes the body that `applies NAME` stands for.
static ParseResult buildShortFormBody(OpAsmParser &parser, SMLoc loc, StringRef name,
                                      OperationState &result, Type input, Location location) {
  MLIRContext *context = parser.getContext();
  std::optional<RegisteredOperationName> inner = RegisteredOperationName::lookup(name, context);
  if (!inner || inner->getDialectNamespace() != StablehloDialect::getDialectNamespace() ||
      !inner->hasTrait<OpTrait::IsCommutative>())
    return parser.emitError(loc) << "expected a commutative stablehlo operation, found '" << name
                                 << "'; write others as a reducer region";
  Type scalar = RankedTensorType::get({}, getElementTypeOrSelf(input));
  Block &block = result.addRegion()->emplaceBlock();
  block.addArguments({scalar, scalar}, {location, location});
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(&block);
  OperationState state(location, *inner);
  state.addOperands(block.getArguments());
  state.addTypes(scalar);
  Operation *op = builder.create(state);
  ReturnOp::create(builder, location, op->getResults());
  return success();
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc operandLoc = parser.getCurrentLocation();
  Location location = parser.getEncodedSourceLoc(operandLoc);
  SmallVector<OpAsmParser::UnresolvedOperand> operands, inits;
  do {
    if (parser.parseLParen() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  size_t count = operands.size();
  operands.append(inits);

  std::optional<FailureOr<OperationName>> inner;
  SMLoc innerLoc;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    innerLoc = parser.getCurrentLocation();
    inner = parser.parseCustomOperationName();
    if (failed(*inner))
      return failure();
    if (count != 1)
      return parser.emitError(innerLoc, "'applies' takes one input; write a reducer region");
  }

  SmallVector<int64_t> dimensions;
  SMLoc typeLoc;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") || parser.parseEqual() ||
      parseIntegerList(parser, dimensions) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColon() || parser.getCurrentLocation(&typeLoc) || parser.parseType(type))
    return failure();
  result.addAttribute("dimensions", parser.getBuilder().getDenseI64ArrayAttr(dimensions));
  if (parser.resolveOperands(operands, type.getInputs(), operandLoc, result.operands))
    return failure();
  result.addTypes(type.getResults());

  if (inner) {
    // The body is located where the operation is, whose location comes last in the text.
    std::optional<Location> trailing;
    if (parser.parseOptionalLocationSpecifier(trailing))
      return failure();
    if (trailing)
      result.location = location = *trailing;
    return buildShortFormBody(parser, innerLoc, (*inner)->getStringRef(), result, type.getInput(0),
                              location);
  }

  if (parser.parseKeyword("reducer"))
    return failure();
  SmallVector<OpAsmParser::Argument> lefts, rights;
  for (size_t i = 0; i < count; ++i)
    if (parser.parseLParen() || parser.parseArgument(lefts.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() || parser.parseArgument(rights.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  lefts.append(rights);
  return parser.parseRegion(*result.addRegion(), lefts);
}
