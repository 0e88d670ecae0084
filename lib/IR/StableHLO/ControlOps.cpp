//===- ControlOps.cpp - stablehlo: operations of ControlOps.td ---===//

#include "tandem/IR/StableHLO/AssemblyFormat.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::stablehlo;

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ControlOps.cpp.inc"

void StablehloDialect::registerControlOps() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/StableHLO/ControlOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// WhileOp
//===----------------------------------------------------------------------===//

void WhileOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "iterArg");
}

void WhileOp::print(OpAsmPrinter &p) {
  // Both regions are printed under one set of names, the body's.
  Block &body = getBody().front();
  p.shadowRegionArgs(getCond(), body.getArguments());
  p << '(';
  llvm::interleaveComma(llvm::zip_equal(body.getArguments(), getOperand()), p, [&](auto pair) {
    p.printOperand(std::get<0>(pair));
    p << " = " << std::get<1>(pair);
  });
  p << ')';
  if (getNumOperands() != 0)
    p << " : " << getOperandTypes();
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  p.printNewline();
  p << "cond ";
  p.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  p << " do ";
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<OpAsmParser::Argument> arguments;
  auto parseBinding = [&] {
    return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseBinding))
    return failure();
  SmallVector<Type> types;
  if (!operands.empty())
    if (parser.parseColon() || parser.parseTypeList(types) ||
        parser.resolveOperands(operands, types, loc, result.operands))
      return failure();
  result.addTypes(types);
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  return failure(parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseKeyword("cond") ||
                 parser.parseRegion(*result.addRegion(), arguments) || parser.parseKeyword("do") ||
                 parser.parseRegion(*result.addRegion(), arguments));
}

//===----------------------------------------------------------------------===//
// Calls outside
//===----------------------------------------------------------------------===//

/// One that has side effects may do anything; the others compute their results only.
void CustomCallOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!getHasSideEffect())
    return;
  effects.emplace_back(MemoryEffects::Allocate::get());
  effects.emplace_back(MemoryEffects::Free::get());
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getDecompositionAttr());
  if (!function)
    return emitOpError() << "expected the decomposition '" << getDecomposition()
                         << "' to be a function of this module";
  if (function.getArgumentTypes() != getOperandTypes() ||
      function.getResultTypes() != getResultTypes())
    return emitOpError() << "expected the types of the decomposition '" << getDecomposition()
                         << "', found operands (" << getOperandTypes() << ") and results ("
                         << getResultTypes() << ")";
  return success();
}
