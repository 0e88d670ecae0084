//===- IndexingOps.td - stablehlo: reads and writes at computed positions ------===//

#ifndef TANDEM_IR_STABLEHLO_INDEXING
#define TANDEM_IR_STABLEHLO_INDEXING

include "tandem/IR/StableHLO/StableHLOAttrs.td"

def StableHLO_GatherOp : StableHLO_Op<"gather", [HLO_TypesInferred, Pure]> {
  let summary = "slices of the operand at the given start indices, out of range ones clamped";
  let arguments = (ins HLO_Tensor:$operand, HLO_IndexTensor:$start_indices,
                       HLO_GatherDimensionNumbersAttr:$dimension_numbers,
                       DenseI64ArrayAttr:$slice_sizes,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_DynamicGatherOp : StableHLO_Op<"dynamic_gather", [Pure]> {
  let summary = "gather with slice sizes given as an operand";
  let arguments = (ins HLO_Tensor:$operand, HLO_IndexTensor:$start_indices,
                       HLO_DimensionTensor:$slice_sizes,
                       HLO_GatherDimensionNumbersAttr:$dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs HLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_ScatterOp : StableHLO_Op<"scatter",
    !listconcat([HLO_TypesInferred, SameVariadicOperandSize], HLO_PureRegion)> {
  let summary = "inputs with updates combined in at the given indices, out of range ones dropped";
  let arguments = (ins Variadic<HLO_Tensor>:$inputs, HLO_IndexTensor:$scatter_indices,
                       Variadic<HLO_Tensor>:$updates,
                       HLO_ScatterDimensionNumbersAttr:$scatter_dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let regions = (region SizedRegion<1>:$update_computation);
  let results = (outs Variadic<HLO_Tensor>);
}

def StableHLO_DynamicSliceOp : StableHLO_Op<"dynamic_slice", [HLO_TypesInferred, Pure]> {
  let summary = "a slice of fixed size at a computed start, clamped into range";
  let arguments = (ins HLO_Tensor:$operand, Variadic<HLO_ScalarIntTensor>:$start_indices,
                       DenseI64ArrayAttr:$slice_sizes);
  let results = (outs HLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` custom<VariadicOperandWithAttribute>($start_indices) `sizes` `=` $slice_sizes
    attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_DynamicUpdateSliceOp : StableHLO_Op<"dynamic_update_slice", [HLO_TypesInferred, Pure]> {
  let summary = "operand with a slice replaced at a computed start, clamped into range";
  let arguments = (ins HLO_Tensor:$operand, HLO_Tensor:$update,
                       Variadic<HLO_ScalarIntTensor>:$start_indices);
  let results = (outs HLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def StableHLO_TorchIndexSelectOp : StableHLO_Op<"torch_index_select", [HLO_TypesInferred, Pure]> {
  let summary = "whole slices picked along one dimension (older programs)";
  let arguments = (ins HLO_Tensor:$operand, HLO_Tensor:$index, I64Attr:$dim, I64Attr:$batch_dims);
  let results = (outs HLO_Tensor:$result);
}

#endif // TANDEM_IR_STABLEHLO_INDEXING
