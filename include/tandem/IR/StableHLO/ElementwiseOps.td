//===- ElementwiseOps.td - stablehlo: one result element per operand element ---===//

#ifndef TANDEM_IR_STABLEHLO_ELEMENTWISE
#define TANDEM_IR_STABLEHLO_ELEMENTWISE

include "tandem/IR/StableHLO/StableHLOAttrs.td"

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

// Operand and result of one type.
class HLO_UnaryOp<string mnemonic, Type type, string sum>
    : StableHLO_Op<mnemonic, [Pure, SameOperandsAndResultType, Elementwise]> {
  let summary = sum;
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}

// The same, with an accuracy that the user may ask for.
class HLO_AccurateUnaryOp<string mnemonic, string sum>
    : HLO_UnaryOp<mnemonic, HLO_FpOrComplexTensor, sum> {
  let arguments = (ins HLO_FpOrComplexTensor:$operand,
                       OptionalAttr<HLO_ResultAccuracyAttr>:$result_accuracy);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand, ResultAccuracyAttr());
  }]>, OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$operand), [{
    build($_builder, $_state, type, operand, ResultAccuracyAttr());
  }]>];
}

// Another element type in the result.
class HLO_UnaryConvertOp<string mnemonic, Type from, Type to, string sum, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultShape, Elementwise], traits)> {
  let summary = sum;
  let arguments = (ins from:$operand);
  let results = (outs to:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}

def StableHLO_AbsOp : HLO_UnaryConvertOp<"abs", HLO_SIntFpOrComplexTensor,
    HLO_IntOrFloatTensor, "magnitude; real for complex operands", [HLO_TypesInferred]>;
def StableHLO_CbrtOp : HLO_AccurateUnaryOp<"cbrt", "cube root">;
def StableHLO_CeilOp : HLO_UnaryOp<"ceil", HLO_FpTensor, "least integer not below">;
def StableHLO_ClzOp : HLO_UnaryOp<"count_leading_zeros", HLO_IntTensor, "number of leading zero bits">;
def StableHLO_ConvertOp : HLO_UnaryConvertOp<"convert", HLO_Tensor, HLO_Tensor,
    "value in another element type">;
def StableHLO_CosineOp : HLO_AccurateUnaryOp<"cosine", "cosine">;
def StableHLO_ExpOp : HLO_AccurateUnaryOp<"exponential", "e to the operand">;
def StableHLO_Expm1Op : HLO_AccurateUnaryOp<"exponential_minus_one", "e to the operand, less one">;
def StableHLO_FloorOp : HLO_UnaryOp<"floor", HLO_FpTensor, "greatest integer not above">;
def StableHLO_ImagOp : HLO_UnaryConvertOp<"imag", HLO_FpOrComplexTensor, HLO_FpTensor,
    "imaginary part; zero for real operands", [HLO_TypesInferred]>;
def StableHLO_IsFiniteOp : HLO_UnaryConvertOp<"is_finite", HLO_FpTensor, HLO_PredTensor,
    "neither infinite nor NaN", [HLO_TypesInferred]> {
  let arguments = (ins HLO_FpTensor:$x);
  let results = (outs HLO_PredTensor:$y);
  let assemblyFormat = [{
    $x attr-dict `:` custom<SameOperandsAndResultType>(type($x), type($y))
  }];
}
def StableHLO_Log1pOp : HLO_AccurateUnaryOp<"log_plus_one", "natural logarithm of one more">;
def StableHLO_LogOp : HLO_AccurateUnaryOp<"log", "natural logarithm">;
def StableHLO_LogisticOp : HLO_AccurateUnaryOp<"logistic", "1 / (1 + exp(-x))">;
def StableHLO_NegOp : HLO_UnaryOp<"negate", HLO_IntFpOrComplexTensor, "negation">;
def StableHLO_NotOp : HLO_UnaryOp<"not", HLO_PredOrIntTensor, "logical or bitwise complement">;
def StableHLO_PopulationCountOp : HLO_UnaryOp<"popcnt", HLO_IntTensor, "number of one bits">;
def StableHLO_RealOp : HLO_UnaryConvertOp<"real", HLO_FpOrComplexTensor, HLO_FpTensor,
    "real part", [HLO_TypesInferred]>;
def StableHLO_RoundNearestEvenOp : HLO_UnaryOp<"round_nearest_even", HLO_FpTensor,
    "nearest integer, ties to even">;
def StableHLO_RoundOp : HLO_UnaryOp<"round_nearest_afz", HLO_FpTensor,
    "nearest integer, ties away from zero">;
def StableHLO_RsqrtOp : HLO_AccurateUnaryOp<"rsqrt", "reciprocal of the square root">;
def StableHLO_SignOp : HLO_UnaryOp<"sign", HLO_SIntFpOrComplexTensor, "sign; z/|z| for complex">;
def StableHLO_SineOp : HLO_AccurateUnaryOp<"sine", "sine">;
def StableHLO_SqrtOp : HLO_AccurateUnaryOp<"sqrt", "square root">;
def StableHLO_TanOp : HLO_AccurateUnaryOp<"tan", "tangent">;
def StableHLO_TanhOp : HLO_AccurateUnaryOp<"tanh", "hyperbolic tangent">;

// Bits read as another type; a change of width adds or drops a minor dimension.
def StableHLO_BitcastConvertOp : StableHLO_Op<"bitcast_convert", [Pure]> {
  let summary = "bits of the operand read as another element type";
  let arguments = (ins HLO_Tensor:$operand);
  let results = (outs HLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def StableHLO_ReducePrecisionOp
    : StableHLO_Op<"reduce_precision", [Pure, SameOperandsAndResultType, Elementwise]> {
  let summary = "rounding to a format of fewer bits and back";
  let arguments = (ins HLO_FpTensor:$operand, I32Attr:$exponent_bits, I32Attr:$mantissa_bits);
  let results = (outs HLO_FpTensor:$output);
  let assemblyFormat = [{
    $operand `,` `format` `=` custom<ExponentMantissa>($exponent_bits, $mantissa_bits)
    attr-dict `:` custom<SameOperandsAndResultType>(type($operand), type($output))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

class HLO_BinaryOp<string mnemonic, Type type, string sum, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultType, Elementwise], traits)> {
  let summary = sum;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:`
    custom<SameOperandsAndResultType>(type($lhs), type($rhs), type($result))
  }];
}

def StableHLO_AddOp : HLO_BinaryOp<"add", HLO_Tensor, "sum; logical or for booleans", [Commutative]>;
def StableHLO_AndOp : HLO_BinaryOp<"and", HLO_PredOrIntTensor, "logical or bitwise and", [Commutative]>;
def StableHLO_Atan2Op : HLO_BinaryOp<"atan2", HLO_FpOrComplexTensor, "angle of the point (rhs, lhs)">;
def StableHLO_DivOp : HLO_BinaryOp<"divide", HLO_IntFpOrComplexTensor, "quotient, towards zero for integers">;
def StableHLO_MaxOp : HLO_BinaryOp<"maximum", HLO_Tensor, "larger of both; NaN if either is", [Commutative]>;
def StableHLO_MinOp : HLO_BinaryOp<"minimum", HLO_Tensor, "smaller of both; NaN if either is", [Commutative]>;
def StableHLO_MulOp : HLO_BinaryOp<"multiply", HLO_Tensor, "product; logical and for booleans", [Commutative]>;
def StableHLO_OrOp : HLO_BinaryOp<"or", HLO_PredOrIntTensor, "logical or bitwise or", [Commutative]>;
def StableHLO_PowOp : HLO_BinaryOp<"power", HLO_IntFpOrComplexTensor, "lhs to the power rhs">;
def StableHLO_RemOp : HLO_BinaryOp<"remainder", HLO_IntFpOrComplexTensor, "remainder with the sign of lhs">;
def StableHLO_ShiftLeftOp : HLO_BinaryOp<"shift_left", HLO_IntTensor, "bits moved up">;
def StableHLO_ShiftRightArithmeticOp : HLO_BinaryOp<"shift_right_arithmetic", HLO_IntTensor,
    "bits moved down, sign extended">;
def StableHLO_ShiftRightLogicalOp : HLO_BinaryOp<"shift_right_logical", HLO_IntTensor,
    "bits moved down, zero extended">;
def StableHLO_SubtractOp : HLO_BinaryOp<"subtract", HLO_IntFpOrComplexTensor, "difference">;
def StableHLO_XorOp : HLO_BinaryOp<"xor", HLO_PredOrIntTensor, "logical or bitwise exclusive or", [Commutative]>;

def StableHLO_CompareOp : StableHLO_Op<"compare",
    [HLO_TypesInferred, Elementwise, Pure]> {
  let summary = "elementwise relation";
  let arguments = (ins HLO_Tensor:$lhs, HLO_Tensor:$rhs,
                       HLO_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<HLO_ComparisonTypeAttr>:$compare_type);
  let results = (outs HLO_PredTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
      "::mlir::stablehlo::ComparisonDirection":$direction,
      CArg<"::mlir::stablehlo::ComparisonType", "::mlir::stablehlo::ComparisonType::NOTYPE">:$type), [{
    build($_builder, $_state, lhs, rhs,
          ComparisonDirectionAttr::get($_builder.getContext(), direction),
          type == ComparisonType::NOTYPE
              ? ComparisonTypeAttr()
              : ComparisonTypeAttr::get($_builder.getContext(), type));
  }]>];
  let assemblyFormat = [{
    `` $comparison_direction `,` $lhs `,` $rhs (`,` `` $compare_type^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_ComplexOp : StableHLO_Op<"complex",
    [HLO_TypesInferred, Elementwise, Pure]> {
  let summary = "complex number from its parts";
  let arguments = (ins HLO_Fp32Or64Tensor:$lhs, HLO_Fp32Or64Tensor:$rhs);
  let results = (outs HLO_ComplexTensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` custom<ComplexOpType>(type($lhs), type($rhs), type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Three operands
//===----------------------------------------------------------------------===//

def StableHLO_ClampOp : StableHLO_Op<"clamp", [Pure, HLO_TypesInferred]> {
  let summary = "operand forced between min and max, which may be scalars";
  let arguments = (ins HLO_Tensor:$min, HLO_Tensor:$operand, HLO_Tensor:$max);
  let results = (outs HLO_Tensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:`
    custom<SameOperandsAndResultType>(type($min), type($operand), type($max), type($result))
  }];
}

def StableHLO_SelectOp : StableHLO_Op<"select", [Pure, HLO_TypesInferred]> {
  let summary = "on_true where pred holds, else on_false; pred may be a scalar";
  let arguments = (ins HLO_PredTensor:$pred, HLO_Tensor:$on_true, HLO_Tensor:$on_false);
  let results = (outs HLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:`
    custom<SelectOpType>(type($pred), type($on_true), type($on_false), type($result))
  }];
}

#endif // TANDEM_IR_STABLEHLO_ELEMENTWISE
