// Textual forms of the tandem ops. Three shapes cover them all:
//   bound    op (%a = %x : T, ...) [after(%t, ...)] -> results [attributes {...}] {body}
//   control  loop and case
//   plain    op operands [after(%t, ...)] [{...}] : types [-> !tandem.token]

#include "tandem/IR/Tandem/Tandem.h"

using namespace mlir;
using namespace tandem;

namespace {

using Unresolved = OpAsmParser::UnresolvedOperand;

/// `after(%t, ...)`, if there; resolved into `operands`.
FailureOr<int32_t> parseAfter(OpAsmParser &parser, SmallVectorImpl<Value> &operands) {
  SmallVector<Unresolved> tokens;
  if (succeeded(parser.parseOptionalKeyword("after")) &&
      parser.parseOperandList(tokens, OpAsmParser::Delimiter::Paren))
    return failure();
  if (parser.resolveOperands(tokens, TokenType::get(parser.getContext()), operands))
    return failure();
  return static_cast<int32_t>(tokens.size());
}

void printAfter(OpAsmPrinter &p, OperandRange after) {
  if (!after.empty())
    p << " after(" << after << ")";
}

/// `(%a = %x : T, ...)`; arguments go to `args`, operands are resolved into `operands`.
ParseResult parseBindings(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &args,
                          SmallVectorImpl<Value> &operands) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    OpAsmParser::Argument arg;
    Unresolved operand;
    if (parser.parseArgument(arg) || parser.parseEqual() || parser.parseOperand(operand) ||
        parser.parseColonType(arg.type) || parser.resolveOperand(operand, arg.type, operands))
      return failure();
    args.push_back(arg);
    return success();
  });
}

void printBindings(OpAsmPrinter &p, Block::BlockArgListType args, OperandRange operands) {
  p << "(";
  llvm::interleaveComma(llvm::zip_equal(args, operands), p, [&](auto pair) {
    auto [arg, operand] = pair;
    p << arg << " = " << operand << " : " << arg.getType();
  });
  p << ")";
}

/// ` -> T` or ` -> (T, ...)`
void printResults(OpAsmPrinter &p, Operation *op) {
  p.printOptionalArrowTypeList(op->getResultTypes());
}

ArrayRef<StringRef> segments() {
  static constexpr StringRef names[] = {"operandSegmentSizes", "resultSegmentSizes"};
  return names;
}

bool endsInToken(TypeRange types) { return !types.empty() && isa<TokenType>(types.back()); }

/// How many leading results and whether a token follows, as segment sizes.
std::array<int32_t, 2> resultSizes(TypeRange types) {
  int32_t token = endsInToken(types);
  return {static_cast<int32_t>(types.size()) - token, token};
}

/// Optional ` -> !tandem.token` at the end of forms that infer their other results.
ParseResult parseOptionalToken(OpAsmParser &parser, SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalArrow()))
    return success();
  TokenType token;
  if (parser.parseType(token))
    return failure();
  types.push_back(token);
  return success();
}

void printOptionalToken(OpAsmPrinter &p, Value token) {
  if (token)
    p << " -> " << token.getType();
}

/// The bound form.
template <typename Op> ParseResult parseBound(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> args;
  if (parseBindings(parser, args, result.operands))
    return failure();
  int32_t numInputs = result.operands.size();
  FailureOr<int32_t> numAfter = parseAfter(parser, result.operands);
  if (failed(numAfter) || parser.parseOptionalArrowTypeList(result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), args))
    return failure();
  auto &properties = result.getOrAddProperties<typename Op::Properties>();
  properties.operandSegmentSizes = {numInputs, *numAfter};
  if constexpr (Op::template hasTrait<OpTrait::AttrSizedResultSegments>())
    properties.resultSegmentSizes = resultSizes(result.types);
  return success();
}

template <typename Op> void printBound(OpAsmPrinter &p, Op op) {
  printBindings(p, op.getBody().getArguments(), op.getInputs());
  printAfter(p, op.getAfter());
  printResults(p, op);
  p.printOptionalAttrDictWithKeyword(op->getAttrs(), segments());
  p << " ";
  p.printRegion(op.getBody(), /*printEntryBlockArgs=*/false);
}

void nameResults(Operation *op, OpAsmSetValueNameFn setName) {
  for (Value result : op->getResults()) {
    if (isa<FutureType>(result.getType()))
      setName(result, "future");
    else if (isa<TokenType>(result.getType()))
      setName(result, "token");
  }
}

} // namespace

#define TANDEM_RESULT_NAMES(Op)                                                                    \
  void Op::getAsmResultNames(OpAsmSetValueNameFn setName) { nameResults(*this, setName); }

TANDEM_RESULT_NAMES(StartOp)
TANDEM_RESULT_NAMES(DoneOp)
TANDEM_RESULT_NAMES(LoopOp)
TANDEM_RESULT_NAMES(CaseOp)
TANDEM_RESULT_NAMES(KernelOp)
TANDEM_RESULT_NAMES(GemmOp)
TANDEM_RESULT_NAMES(ConvOp)
TANDEM_RESULT_NAMES(RematOp)
TANDEM_RESULT_NAMES(CallOp)
TANDEM_RESULT_NAMES(CopyOp)

#define TANDEM_BOUND_SYNTAX(Op)                                                                    \
  ParseResult Op::parse(OpAsmParser &parser, OperationState &result) {                             \
    return parseBound<Op>(parser, result);                                                         \
  }                                                                                                \
  void Op::print(OpAsmPrinter &p) { printBound(p, *this); }

TANDEM_BOUND_SYNTAX(StartOp)
TANDEM_BOUND_SYNTAX(KernelOp)
TANDEM_BOUND_SYNTAX(GemmOp)
TANDEM_BOUND_SYNTAX(ConvOp)
TANDEM_BOUND_SYNTAX(RematOp)

//===-- loop, case ------------------------------------------------------------------------===//

ParseResult LoopOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved predicate;
  Type i1 = RankedTensorType::get({}, parser.getBuilder().getI1Type());
  SmallVector<OpAsmParser::Argument> args;
  if (parser.parseOperand(predicate) || parser.resolveOperand(predicate, i1, result.operands) ||
      parseBindings(parser, args, result.operands))
    return failure();
  int32_t numInits = args.size();
  FailureOr<int32_t> numAfter = parseAfter(parser, result.operands);
  if (failed(numAfter))
    return failure();
  for (OpAsmParser::Argument &arg : args)
    result.types.push_back(arg.type);
  auto &properties = result.getOrAddProperties<Properties>();
  if (succeeded(parser.parseOptionalKeyword("trip_count"))) {
    int64_t tripCount;
    if (parser.parseInteger(tripCount))
      return failure();
    properties.trip_count = parser.getBuilder().getI64IntegerAttr(tripCount);
  }
  if (parseOptionalToken(parser, result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), args))
    return failure();
  properties.operandSegmentSizes = {1, numInits, *numAfter};
  properties.resultSegmentSizes = resultSizes(result.types);
  return success();
}

void LoopOp::print(OpAsmPrinter &p) {
  p << " " << getPredicate() << " ";
  printBindings(p, getBody().getArguments(), getInits());
  printAfter(p, getAfter());
  if (IntegerAttr tripCount = getTripCountAttr())
    p << " trip_count " << tripCount.getInt();
  printOptionalToken(p, getToken());
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                     {"operandSegmentSizes", "resultSegmentSizes", "trip_count"});
  p << " ";
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult CaseOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved index;
  Type i32 = RankedTensorType::get({}, parser.getBuilder().getI32Type());
  if (parser.parseOperand(index) || parser.resolveOperand(index, i32, result.operands) ||
      failed(parseAfter(parser, result.operands)) ||
      parser.parseOptionalArrowTypeList(result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseCommaSeparatedList([&]() { return parser.parseRegion(*result.addRegion()); }))
    return failure();
  result.getOrAddProperties<Properties>().resultSegmentSizes = resultSizes(result.types);
  return success();
}

void CaseOp::print(OpAsmPrinter &p) {
  p << " " << getIndex();
  printAfter(p, getAfter());
  printResults(p, *this);
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(), segments());
  p << " ";
  llvm::interleaveComma(getBranches(), p, [&](Region &branch) { p.printRegion(branch); });
}

//===-- done, copy, call --------------------------------------------------------------------===//

ParseResult DoneOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved operand;
  SmallVector<Value> after;
  FutureType future;
  if (parser.parseOperand(operand) || failed(parseAfter(parser, after)) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(future) ||
      parser.resolveOperand(operand, future, result.operands))
    return failure();
  result.addOperands(after);
  result.addTypes(future.getTypes());
  if (parseOptionalToken(parser, result.types))
    return failure();
  result.getOrAddProperties<Properties>().resultSegmentSizes = resultSizes(result.types);
  return success();
}

void DoneOp::print(OpAsmPrinter &p) {
  p << " " << getFuture();
  printAfter(p, getAfter());
  p.printOptionalAttrDict((*this)->getAttrs(), segments());
  p << " : " << getFuture().getType();
  printOptionalToken(p, getToken());
}

ParseResult CopyOp::parse(OpAsmParser &parser, OperationState &result) {
  Unresolved operand;
  SmallVector<Value> after;
  Type type;
  if (parser.parseOperand(operand) || failed(parseAfter(parser, after)) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type) ||
      parser.resolveOperand(operand, type, result.operands))
    return failure();
  result.addOperands(after);
  result.addTypes(type);
  return parseOptionalToken(parser, result.types);
}

void CopyOp::print(OpAsmPrinter &p) {
  p << " " << getInput();
  printAfter(p, getAfter());
  p.printOptionalAttrDict((*this)->getAttrs(), segments());
  p << " : " << getInput().getType();
  printOptionalToken(p, getToken());
}

ParseResult CallOp::parse(OpAsmParser &parser, OperationState &result) {
  std::string target;
  SmallVector<Unresolved> inputs;
  SmallVector<Value> after;
  FunctionType type;
  if (parser.parseString(&target) || parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren))
    return failure();
  FailureOr<int32_t> numAfter = parseAfter(parser, after);
  SMLoc loc = parser.getCurrentLocation();
  if (failed(numAfter) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(inputs, type.getInputs(), loc, result.operands))
    return failure();
  result.addOperands(after);
  result.addTypes(type.getResults());
  auto &properties = result.getOrAddProperties<Properties>();
  properties.call_target_name = parser.getBuilder().getStringAttr(target);
  properties.operandSegmentSizes = {static_cast<int32_t>(inputs.size()), *numAfter};
  properties.resultSegmentSizes = resultSizes(result.types);
  return success();
}

void CallOp::print(OpAsmPrinter &p) {
  p << " ";
  p.printString(getCallTargetName());
  p << "(" << getInputs() << ")";
  printAfter(p, getAfter());
  p.printOptionalAttrDict((*this)->getAttrs(),
                          {"operandSegmentSizes", "resultSegmentSizes", "call_target_name"});
  p << " : ";
  p.printFunctionalType(getInputs().getTypes(), (*this)->getResultTypes());
}
