//===- StableHLOAttrs.td - structured attributes of the stablehlo dialect -===//
//
// Dimension numbers and handles. Those spelled `name = value, ...` accept their fields in
// any order; fields that are empty or zero are left out when printed.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_IR_STABLEHLO_ATTRS
#define TANDEM_IR_STABLEHLO_ATTRS

include "mlir/IR/AttrTypeBase.td"
include "tandem/IR/StableHLO/StableHLOEnums.td"

class HLO_Attr<string name, string attrMnemonic> : AttrDef<Stablehlo_Dialect, name> {
  let mnemonic = attrMnemonic;
}
class HLO_Dims<string desc> : ArrayRefParameter<"int64_t", desc>;

def HLO_ChannelHandleAttr : HLO_Attr<"ChannelHandle", "channel_handle"> {
  let summary = "identity of a communication channel and its kind";
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
  let assemblyFormat = "`<` struct(params) `>`";
}

def HLO_OutputOperandAliasAttr : HLO_Attr<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "an output of a custom call that shares an operand's buffer";
  let parameters = (ins
    HLO_Dims<"path into the result tuple">:$output_tuple_indices,
    "int64_t":$operand_index,
    HLO_Dims<"path into the operand">:$operand_tuple_indices);
  let genVerifyDecl = 0;
  let hasCustomAssemblyFormat = 1;
}
def HLO_OutputOperandAliasArrayAttr
    : TypedArrayAttrBase<HLO_OutputOperandAliasAttr, "aliases of outputs with operands">;

def HLO_GatherDimensionNumbersAttr : HLO_Attr<"GatherDimensionNumbers", "gather"> {
  let summary = "how the dimensions of a gather's operands relate to its result's";
  let parameters = (ins
    HLO_Dims<"result dims that index within a slice">:$offset_dims,
    HLO_Dims<"operand dims dropped from the slices">:$collapsed_slice_dims,
    HLO_Dims<"operand dims walked along with the indices">:$operand_batching_dims,
    HLO_Dims<"the indices' dims for those">:$start_indices_batching_dims,
    HLO_Dims<"operand dim of each component of an index">:$start_index_map,
    "int64_t":$index_vector_dim);
  let hasCustomAssemblyFormat = 1;
}

def HLO_ScatterDimensionNumbersAttr : HLO_Attr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "how the dimensions of a scatter's updates relate to its input's";
  let parameters = (ins
    HLO_Dims<"update dims that index within a window">:$update_window_dims,
    HLO_Dims<"input dims of size one in the windows">:$inserted_window_dims,
    HLO_Dims<"input dims walked along with the indices">:$input_batching_dims,
    HLO_Dims<"the indices' dims for those">:$scatter_indices_batching_dims,
    HLO_Dims<"input dim of each component of an index">:$scatter_dims_to_operand_dims,
    "int64_t":$index_vector_dim);
  let hasCustomAssemblyFormat = 1;
}

def HLO_DotDimensionNumbersAttr : HLO_Attr<"DotDimensionNumbers", "dot"> {
  let summary = "batching and contracting dimensions of a dot_general";
  let parameters = (ins
    HLO_Dims<"">:$lhs_batching_dimensions, HLO_Dims<"">:$rhs_batching_dimensions,
    HLO_Dims<"">:$lhs_contracting_dimensions, HLO_Dims<"">:$rhs_contracting_dimensions);
  let hasCustomAssemblyFormat = 1;
}

def HLO_DotAlgorithmAttr : HLO_Attr<"DotAlgorithm", "dot_algorithm"> {
  let summary = "numerics that a dot_general must use";
  let parameters = (ins
    "::mlir::Type":$lhs_precision_type, "::mlir::Type":$rhs_precision_type,
    "::mlir::Type":$accumulation_type, "int64_t":$lhs_component_count,
    "int64_t":$rhs_component_count, "int64_t":$num_primitive_operations,
    "bool":$allow_imprecise_accumulation);
  let assemblyFormat = "`<` struct(params) `>`";
}

def HLO_ConvDimensionNumbersAttr : HLO_Attr<"ConvDimensionNumbers", "conv"> {
  let summary = "roles of the dimensions of a convolution's operands and result";
  let description = [{
    Spelled `<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`; also accepts `<raw` and the
    fields by name.
  }];
  let parameters = (ins
    "int64_t":$input_batch_dimension, "int64_t":$input_feature_dimension,
    HLO_Dims<"">:$input_spatial_dimensions,
    "int64_t":$kernel_input_feature_dimension, "int64_t":$kernel_output_feature_dimension,
    HLO_Dims<"">:$kernel_spatial_dimensions,
    "int64_t":$output_batch_dimension, "int64_t":$output_feature_dimension,
    HLO_Dims<"">:$output_spatial_dimensions);
  let hasCustomAssemblyFormat = 1;
}

def HLO_ResultAccuracyAttr : HLO_Attr<"ResultAccuracy", "result_accuracy"> {
  let summary = "accuracy asked of a transcendental function";
  let parameters = (ins
    APFloatParameter<"absolute tolerance">:$atol,
    APFloatParameter<"relative tolerance">:$rtol,
    "int64_t":$ulps, "::mlir::stablehlo::ResultAccuracyModeAttr":$mode);
  let hasCustomAssemblyFormat = 1;
}

def HLO_TypeExtensionsAttr
    : AttrDef<Stablehlo_Dialect, "TypeExtensions", [], "::mlir::Attribute"> {
  let mnemonic = "bounds";
  let summary = "upper bounds of a tensor's dynamic dimensions, as a tensor encoding";
  let parameters = (ins HLO_Dims<"bound per dimension, kDynamic where none">:$bounds);
  let hasCustomAssemblyFormat = 1;
}

#endif // TANDEM_IR_STABLEHLO_ATTRS
