//===- ChloOps.td - the chlo dialect: functions above stablehlo that JAX emits -===//

#ifndef TANDEM_IR_STABLEHLO_CHLO
#define TANDEM_IR_STABLEHLO_CHLO

include "tandem/IR/StableHLO/StableHLOAttrs.td"

def Chlo_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::mlir::chlo";
  let summary = "Functions of mathematics that decompose into stablehlo";
}

class CHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<Chlo_Dialect, mnemonic, !listconcat([HLO_StaticShapes], traits)>;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

class CHLO_UnaryOp<string mnemonic, Type type, string sum>
    : CHLO_Op<mnemonic, [Pure, SameOperandsAndResultType, Elementwise]> {
  let summary = sum;
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}
class CHLO_UnaryPredicateOp<string mnemonic, string sum>
    : CHLO_Op<mnemonic, [Pure, SameOperandsAndResultShape, Elementwise]> {
  let summary = sum;
  let arguments = (ins HLO_FpTensor:$operand);
  let results = (outs HLO_PredTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

def CHLO_AcosOp : CHLO_UnaryOp<"acos", HLO_FpOrComplexTensor, "arc cosine">;
def CHLO_AcoshOp : CHLO_UnaryOp<"acosh", HLO_FpOrComplexTensor, "inverse hyperbolic cosine">;
def CHLO_AsinOp : CHLO_UnaryOp<"asin", HLO_FpOrComplexTensor, "arc sine">;
def CHLO_AsinhOp : CHLO_UnaryOp<"asinh", HLO_FpOrComplexTensor, "inverse hyperbolic sine">;
def CHLO_AtanOp : CHLO_UnaryOp<"atan", HLO_FpOrComplexTensor, "arc tangent">;
def CHLO_AtanhOp : CHLO_UnaryOp<"atanh", HLO_FpOrComplexTensor, "inverse hyperbolic tangent">;
def CHLO_BesselI1eOp : CHLO_UnaryOp<"bessel_i1e", HLO_FpTensor,
    "modified Bessel function of order one, scaled by exp(-|x|)">;
def CHLO_ConjOp : CHLO_UnaryOp<"conj", HLO_FpOrComplexTensor, "complex conjugate">;
def CHLO_CoshOp : CHLO_UnaryOp<"cosh", HLO_FpOrComplexTensor, "hyperbolic cosine">;
def CHLO_DigammaOp : CHLO_UnaryOp<"digamma", HLO_FpTensor, "derivative of lgamma">;
def CHLO_ErfInvOp : CHLO_UnaryOp<"erf_inv", HLO_FpTensor, "inverse of the error function">;
def CHLO_ErfOp : CHLO_UnaryOp<"erf", HLO_FpTensor, "error function">;
def CHLO_ErfcOp : CHLO_UnaryOp<"erfc", HLO_FpTensor, "one less the error function">;
def CHLO_LgammaOp : CHLO_UnaryOp<"lgamma", HLO_FpTensor, "logarithm of the gamma function's magnitude">;
def CHLO_SinhOp : CHLO_UnaryOp<"sinh", HLO_FpOrComplexTensor, "hyperbolic sine">;
def CHLO_SquareOp : CHLO_UnaryOp<"square", HLO_IntFpOrComplexTensor, "product with itself">;
def CHLO_TanOp : CHLO_UnaryOp<"tan", HLO_FpOrComplexTensor, "tangent">;

def CHLO_IsInfOp : CHLO_UnaryPredicateOp<"is_inf", "infinite of either sign">;
def CHLO_IsNegInfOp : CHLO_UnaryPredicateOp<"is_neg_inf", "negative infinity">;
def CHLO_IsPosInfOp : CHLO_UnaryPredicateOp<"is_pos_inf", "positive infinity">;

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

class CHLO_BinaryOp<string mnemonic, string sum>
    : CHLO_Op<mnemonic, [Pure, SameOperandsAndResultType, Elementwise]> {
  let summary = sum;
  let results = (outs HLO_FpTensor:$result);
}

def CHLO_NextAfterOp : CHLO_BinaryOp<"next_after", "value next to x towards y"> {
  let arguments = (ins HLO_FpTensor:$x, HLO_FpTensor:$y);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x) `,` type($y) `->` type($result)";
}
def CHLO_PolygammaOp : CHLO_BinaryOp<"polygamma", "n-th derivative of digamma at x"> {
  let arguments = (ins HLO_FpTensor:$n, HLO_FpTensor:$x);
  let assemblyFormat = "$n `,` $x attr-dict `:` type($n) `,` type($x) `->` type($result)";
}
def CHLO_ZetaOp : CHLO_BinaryOp<"zeta", "Hurwitz zeta function"> {
  let arguments = (ins HLO_FpTensor:$x, HLO_FpTensor:$q);
  let assemblyFormat = "$x `,` $q attr-dict `:` type($x) `,` type($q) `->` type($result)";
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def CHLO_TopKOp : CHLO_Op<"top_k", [Pure, HLO_TypesInferred]> {
  let summary = "the k largest elements of each row, largest first, and where they stand";
  let arguments = (ins HLO_Tensor:$operand, I64Attr:$k);
  let results = (outs HLO_Tensor:$values, HLO_Tensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k `)` attr-dict `:`
    type($operand) `->` `(` type($values) `,` type($indices) `)`
  }];
}

#endif // TANDEM_IR_STABLEHLO_CHLO
