//===- ContractionOps.td - stablehlo: products, convolutions, transforms, solvers ---===//

#ifndef TANDEM_IR_STABLEHLO_CONTRACTION
#define TANDEM_IR_STABLEHLO_CONTRACTION

include "tandem/IR/StableHLO/StableHLOAttrs.td"

def StableHLO_DotGeneralOp : StableHLO_Op<"dot_general", [HLO_TypesInferable, Pure]> {
  let summary = "sums of products over contracting dimensions";
  let description = [{
    The result's dimensions are the batching ones, then the rest of lhs, then the rest
    of rhs, in order.
  }];
  let arguments = (ins HLO_Tensor:$lhs, HLO_Tensor:$rhs,
                       HLO_DotDimensionNumbersAttr:$dot_dimension_numbers,
                       OptionalAttr<HLO_PrecisionConfigAttr>:$precision_config,
                       OptionalAttr<HLO_DotAlgorithmAttr>:$algorithm);
  let results = (outs HLO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensionNumbers>($dot_dimension_numbers) ``
    custom<PrecisionConfigAndAlgorithm>($precision_config, $algorithm)
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_DotOp : StableHLO_Op<"dot", [HLO_TypesInferable, Pure]> {
  let summary = "product of vectors or matrices (older programs)";
  let arguments = (ins HLO_Tensor:$lhs, HLO_Tensor:$rhs,
                       OptionalAttr<HLO_PrecisionConfigAttr>:$precision_config);
  let results = (outs HLO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<PrecisionConfig>($precision_config)
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_EinsumOp : StableHLO_Op<"einsum", [Pure]> {
  let summary = "product in Einstein notation (older programs)";
  let arguments = (ins HLO_Tensor:$lhs, HLO_Tensor:$rhs, StrAttr:$einsum_config);
  let results = (outs HLO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_UnaryEinsumOp : StableHLO_Op<"unary_einsum", [Pure]> {
  let summary = "sum in Einstein notation (older programs)";
  let arguments = (ins HLO_Tensor:$operand, StrAttr:$einsum_config);
  let results = (outs HLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `config` `=` $einsum_config attr-dict `:` functional-type(operands, results)
  }];
}

defvar HLO_ConvolutionAttrs = (ins
  OptionalAttr<DenseI64ArrayAttr>:$window_strides,
  OptionalAttr<I64ElementsAttr>:$padding,
  OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
  OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
  OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
  HLO_ConvDimensionNumbersAttr:$dimension_numbers,
  I64Attr:$feature_group_count, I64Attr:$batch_group_count,
  OptionalAttr<HLO_PrecisionConfigAttr>:$precision_config);

def StableHLO_ConvolutionOp : StableHLO_Op<"convolution", [HLO_TypesInferable, Pure]> {
  let summary = "sums of products over windows";
  let arguments = !con((ins HLO_Tensor:$lhs, HLO_Tensor:$rhs), HLO_ConvolutionAttrs);
  let results = (outs HLO_Tensor:$result);
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=` custom<ConvolutionDimensions>($dimension_numbers) `,`
    `window` `=` `{` custom<WindowAttributes>($window_strides, $padding, $lhs_dilation,
                                              $rhs_dilation, $window_reversal) `}`
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_DynamicConvOp : StableHLO_Op<"dynamic_conv", [Pure]> {
  let summary = "convolution with padding given as an operand";
  let arguments = (ins HLO_Tensor:$lhs, HLO_Tensor:$rhs, HLO_IndexTensor:$padding,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
                       OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
                       OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
                       HLO_ConvDimensionNumbersAttr:$dimension_numbers,
                       I64Attr:$feature_group_count, I64Attr:$batch_group_count,
                       OptionalAttr<HLO_PrecisionConfigAttr>:$precision_config);
  let results = (outs HLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_FftOp : StableHLO_Op<"fft", [HLO_TypesInferred, Pure]> {
  let summary = "Fourier transform over the last dimensions";
  let arguments = (ins HLO_FpOrComplexTensor:$operand, HLO_FftTypeAttr:$fft_type,
                       DenseI64ArrayAttr:$fft_length);
  let results = (outs HLO_FpOrComplexTensor:$result);
  let assemblyFormat = [{
    $operand `,` `type` `=` `` $fft_type `,` `length` `=` $fft_length
    attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_CholeskyOp : StableHLO_Op<"cholesky", [Pure, SameOperandsAndResultType]> {
  let summary = "triangular factor of symmetric positive-definite matrices";
  let arguments = (ins HLO_FpOrComplexTensor:$a,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs HLO_FpOrComplexTensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict `:`
    custom<SameOperandsAndResultType>(type($a), type($result))
  }];
  let hasVerifier = 1;
}

def StableHLO_TriangularSolveOp : StableHLO_Op<"triangular_solve", [HLO_TypesInferred, Pure]> {
  let summary = "x of op(a) x = b, or x op(a) = b, for triangular a";
  let arguments = (ins HLO_FpOrComplexTensor:$a, HLO_FpOrComplexTensor:$b, BoolAttr:$left_side,
                       BoolAttr:$lower, BoolAttr:$unit_diagonal, HLO_TransposeAttr:$transpose_a);
  let results = (outs HLO_FpOrComplexTensor:$result);
}

//===----------------------------------------------------------------------===//
// Batch normalisation
//===----------------------------------------------------------------------===//

def StableHLO_BatchNormTrainingOp : StableHLO_Op<"batch_norm_training", [HLO_TypesInferred, Pure]> {
  let summary = "normalisation over a batch, with its mean and variance";
  let arguments = (ins HLO_FpTensor:$operand, HLO_FpTensor:$scale, HLO_FpTensor:$offset,
                       F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs HLO_FpTensor:$output, HLO_FpTensor:$batch_mean, HLO_FpTensor:$batch_var);
}

def StableHLO_BatchNormInferenceOp : StableHLO_Op<"batch_norm_inference", [HLO_TypesInferred, Pure]> {
  let summary = "normalisation by given mean and variance";
  let arguments = (ins HLO_FpTensor:$operand, HLO_FpTensor:$scale, HLO_FpTensor:$offset,
                       HLO_FpTensor:$mean, HLO_FpTensor:$variance,
                       F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs HLO_FpTensor:$result);
}

def StableHLO_BatchNormGradOp : StableHLO_Op<"batch_norm_grad", [HLO_TypesInferred, Pure]> {
  let summary = "gradient of batch_norm_training";
  let arguments = (ins HLO_FpTensor:$operand, HLO_FpTensor:$scale, HLO_FpTensor:$mean,
                       HLO_FpTensor:$variance, HLO_FpTensor:$grad_output,
                       F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs HLO_FpTensor:$grad_operand, HLO_FpTensor:$grad_scale, HLO_FpTensor:$grad_offset);
}

#endif // TANDEM_IR_STABLEHLO_CONTRACTION
