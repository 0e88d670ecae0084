//===- ReductionOps.td - stablehlo: computations given as a region of scalars --===//

#ifndef TANDEM_IR_STABLEHLO_REDUCTION
#define TANDEM_IR_STABLEHLO_REDUCTION

include "tandem/IR/StableHLO/StableHLOAttrs.td"

class HLO_RegionOp<string mnemonic, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, !listconcat(HLO_PureRegion, traits)>;

def StableHLO_ReduceOp : HLO_RegionOp<"reduce",
    [HLO_TypesInferred, SameVariadicOperandSize, SingleBlock]> {
  let summary = "values combined along dimensions";
  let description = [{
    ```mlir
    %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1]
       : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    ```
    is the short form of a body that is one commutative operation on its two arguments.
  }];
  let arguments = (ins Variadic<HLO_Tensor>:$inputs, Variadic<HLO_Tensor>:$init_values,
                       DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<HLO_Tensor>);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_ReduceWindowOp : HLO_RegionOp<"reduce_window",
    [HLO_TypesInferred, SameVariadicOperandSize, SingleBlock]> {
  let summary = "values combined within each position of a window";
  let arguments = (ins Variadic<HLO_Tensor>:$inputs, Variadic<HLO_Tensor>:$init_values,
                       DenseI64ArrayAttr:$window_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
                       OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<HLO_Tensor>);
}

def StableHLO_SelectAndScatterOp : HLO_RegionOp<"select_and_scatter", [HLO_TypesInferred]> {
  let summary = "each source value combined into the element its window selects";
  let arguments = (ins HLO_Tensor:$operand, HLO_Tensor:$source, HLO_Tensor:$init_value,
                       OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let results = (outs HLO_Tensor:$result);
}

def StableHLO_SortOp : HLO_RegionOp<"sort", [HLO_TypesInferred, SameOperandsAndResultShape]> {
  let summary = "operands sorted together along a dimension by a comparator";
  let arguments = (ins Variadic<HLO_Tensor>:$inputs,
                       DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let regions = (region SizedRegion<1>:$comparator);
  let results = (outs Variadic<HLO_Tensor>);
}

def StableHLO_MapOp : HLO_RegionOp<"map", [HLO_TypesInferred, SameOperandsAndResultShape, SingleBlock]> {
  let summary = "a scalar computation applied to each element";
  let arguments = (ins Variadic<HLO_Tensor>:$inputs, DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs HLO_Tensor:$result);
}

#endif // TANDEM_IR_STABLEHLO_REDUCTION
