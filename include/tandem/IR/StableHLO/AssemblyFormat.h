//===- AssemblyFormat.h - pieces of stablehlo's pretty forms ------------------===//
//
// The functions behind `custom<Name>(...)` in the operations' formats: parseName reads what
// printName writes. Types elided in a pretty form are rebuilt from those that are given.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_IR_STABLEHLO_ASSEMBLYFORMAT_H
#define TANDEM_IR_STABLEHLO_ASSEMBLYFORMAT_H

#include "tandem/IR/StableHLO/StablehloOps.h"

namespace mlir::stablehlo {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// `: T` if operands and result are all of type T, else the whole function type.
ParseResult parseSameOperandsAndResultTypes(OpAsmParser &parser, ArrayRef<Type *> operands,
                                            Type &result);
void printSameOperandsAndResultTypes(OpAsmPrinter &p, ArrayRef<Type> operands, Type result);

inline ParseResult parseSameOperandsAndResultType(OpAsmParser &parser, Type &a, Type &result) {
  return parseSameOperandsAndResultTypes(parser, {&a}, result);
}
inline ParseResult parseSameOperandsAndResultType(OpAsmParser &parser, Type &a, Type &b,
                                                  Type &result) {
  return parseSameOperandsAndResultTypes(parser, {&a, &b}, result);
}
inline ParseResult parseSameOperandsAndResultType(OpAsmParser &parser, Type &a, Type &b, Type &c,
                                                  Type &result) {
  return parseSameOperandsAndResultTypes(parser, {&a, &b, &c}, result);
}
inline void printSameOperandsAndResultType(OpAsmPrinter &p, Operation *, Type a, Type result) {
  printSameOperandsAndResultTypes(p, {a}, result);
}
inline void printSameOperandsAndResultType(OpAsmPrinter &p, Operation *, Type a, Type b,
                                           Type result) {
  printSameOperandsAndResultTypes(p, {a, b}, result);
}
inline void printSameOperandsAndResultType(OpAsmPrinter &p, Operation *, Type a, Type b, Type c,
                                           Type result) {
  printSameOperandsAndResultTypes(p, {a, b, c}, result);
}

/// One type shared by any number of operands and the result (after_all).
ParseResult
parseVariadicSameOperandsAndResultType(OpAsmParser &parser,
                                       ArrayRef<OpAsmParser::UnresolvedOperand> operands,
                                       SmallVectorImpl<Type> &operandTypes, Type &result);
void printVariadicSameOperandsAndResultType(OpAsmPrinter &p, Operation *op, OperandRange operands,
                                            TypeRange operandTypes, Type result);

/// Results of the operands' types, one by one (optimization_barrier).
ParseResult parsePairwiseOpType(OpAsmParser &parser, SmallVectorImpl<Type> &operandTypes,
                                SmallVectorImpl<Type> &resultTypes);
void printPairwiseOpType(OpAsmPrinter &p, Operation *op, TypeRange operandTypes,
                         TypeRange resultTypes);

/// The result's type; the parts' are its real counterpart.
ParseResult parseComplexOpType(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result);
void printComplexOpType(OpAsmPrinter &p, Operation *op, Type lhs, Type rhs, Type result);

/// `predicate, value` if both values and the result are of one type.
ParseResult parseSelectOpType(OpAsmParser &parser, Type &pred, Type &onTrue, Type &onFalse,
                              Type &result);
void printSelectOpType(OpAsmPrinter &p, Operation *op, Type pred, Type onTrue, Type onFalse,
                       Type result);

/// The tuple's type; the operands' are its members'.
ParseResult parseTupleOpType(OpAsmParser &parser, SmallVectorImpl<Type> &operands, Type &result);
void printTupleOpType(OpAsmPrinter &p, Operation *op, TypeRange operands, Type result);

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

/// `%a, %b, ` each operand followed by a comma, since an attribute follows.
ParseResult
parseVariadicOperandWithAttribute(OpAsmParser &parser,
                                  SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands);
void printVariadicOperandWithAttribute(OpAsmPrinter &p, Operation *op, OperandRange operands);

/// `[0:4, 1:8:2]`: start, limit, and the stride unless it is one.
ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &start,
                             DenseI64ArrayAttr &limit, DenseI64ArrayAttr &strides);
void printSliceRanges(OpAsmPrinter &p, Operation *op, DenseI64ArrayAttr start,
                      DenseI64ArrayAttr limit, DenseI64ArrayAttr strides);

/// `e5m10`
ParseResult parseExponentMantissa(OpAsmParser &parser, IntegerAttr &exponent,
                                  IntegerAttr &mantissa);
void printExponentMantissa(OpAsmPrinter &p, Operation *op, IntegerAttr exponent,
                           IntegerAttr mantissa);

/// `@target`
ParseResult parseCustomCallTarget(OpAsmParser &parser, StringAttr &target);
void printCustomCallTarget(OpAsmPrinter &p, Operation *op, StringAttr target);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`
ParseResult parseDotDimensionNumbers(OpAsmParser &parser, DotDimensionNumbersAttr &dims);
void printDotDimensionNumbers(OpAsmPrinter &p, Operation *op, DotDimensionNumbersAttr dims);

/// `, precision = [DEFAULT, HIGHEST]`, or nothing.
ParseResult parsePrecisionConfig(OpAsmParser &parser, ArrayAttr &precision);
void printPrecisionConfig(OpAsmPrinter &p, Operation *op, ArrayAttr precision);

/// The same, then `, algorithm = <...>` or nothing.
ParseResult parsePrecisionConfigAndAlgorithm(OpAsmParser &parser, ArrayAttr &precision,
                                             DotAlgorithmAttr &algorithm);
void printPrecisionConfigAndAlgorithm(OpAsmPrinter &p, Operation *op, ArrayAttr precision,
                                      DotAlgorithmAttr algorithm);

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`
ParseResult parseConvolutionDimensions(AsmParser &parser, ConvDimensionNumbersAttr &dims);
void printConvolutionDimensions(AsmPrinter &p, ConvDimensionNumbersAttr dims);
inline void printConvolutionDimensions(OpAsmPrinter &p, Operation *,
                                       ConvDimensionNumbersAttr dims) {
  printConvolutionDimensions(p, dims);
}

/// `stride = [1, 1], pad = [[0, 0], [1, 1]], lhs_dilate = .., rhs_dilate = .., reverse = ..`,
/// those that are set.
ParseResult parseWindowAttributes(OpAsmParser &parser, DenseI64ArrayAttr &strides,
                                  DenseIntElementsAttr &padding, DenseI64ArrayAttr &lhsDilation,
                                  DenseI64ArrayAttr &rhsDilation, DenseBoolArrayAttr &reversal);
void printWindowAttributes(OpAsmPrinter &p, Operation *op, DenseI64ArrayAttr strides,
                           DenseIntElementsAttr padding, DenseI64ArrayAttr lhsDilation,
                           DenseI64ArrayAttr rhsDilation, DenseBoolArrayAttr reversal);

/// `[1, 2, 3]`
ParseResult parseIntegerList(AsmParser &parser, SmallVectorImpl<int64_t> &values);
void printIntegerList(AsmPrinter &p, ArrayRef<int64_t> values);

/// `<name = value, ...>`: fields in any order, each at most once; those left out keep the
/// value their variable had.
struct AsmField {
  StringRef name;
  llvm::function_ref<ParseResult()> parse;
};
ParseResult parseAsmFields(AsmParser &parser, ArrayRef<AsmField> fields);

/// The same where `<` has been read.
ParseResult parseAsmFieldsUntilGreater(AsmParser &parser, ArrayRef<AsmField> fields);

} // namespace mlir::stablehlo

#endif // TANDEM_IR_STABLEHLO_ASSEMBLYFORMAT_H
