// Ops of the `sdy` dialect. Textual forms follow the public Shardy documentation.

#ifndef TANDEM_IR_SHARDY_SHARDYOPS_TD
#define TANDEM_IR_SHARDY_SHARDYOPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tandem/IR/Shardy/ShardyAttrs.td"

class Sdy_Op<string mnemonic, list<Trait> traits = []> : Op<Sdy_Dialect, mnemonic, traits>;

def Sdy_MeshOp : Sdy_Op<"mesh", [Symbol, HasParent<"ModuleOp">]> {
  let summary = "a named mesh, `sdy.mesh @mesh = <[\"x\"=8]>`";
  let arguments = (ins SymbolNameAttr:$sym_name, Sdy_Mesh:$mesh);
  let assemblyFormat = "$sym_name `=` $mesh attr-dict";
}

def Sdy_ShardingConstraintOp : Sdy_Op<"sharding_constraint",
    [Elementwise, SameOperandsAndResultType]> {
  let summary = "fixes the sharding of its result, or of its operand when the result is unused";
  let arguments = (ins AnyTensor:$input, Sdy_TensorSharding:$sharding);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Sdy_ReshardOp : Sdy_Op<"reshard", [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = "changes the sharding of a tensor";
  let arguments = (ins AnyTensor:$input, Sdy_TensorSharding:$sharding);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Sdy_ShardingGroupOp : Sdy_Op<"sharding_group"> {
  let summary = "puts a tensor into the group of tensors that are to be sharded alike";
  let arguments = (ins AnyRankedTensor:$input, I64Attr:$group_id);
  let assemblyFormat = "$input `group_id` `` `=` `` $group_id attr-dict `:` type($input)";
}

def Sdy_ReturnOp : Sdy_Op<"return", [Pure, Terminator]> {
  let summary = "ends the region of an sdy op";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

def Sdy_ManualComputationOp : Sdy_Op<"manual_computation",
    [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">, IsolatedFromAbove]> {
  let summary = "a computation written per device over its manual axes";
  let description = [{
    Operands and results are global; inside, types are local with respect to `manual_axes`, and
    collectives are explicit. In every dimension the manual axes come before the free ones.

        %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"a"}, {} ]>]
             out_shardings=[<@mesh, [{"a"}, {} ]>] manual_axes={"a"} (%arg1: tensor<8x32xf32>) {
          sdy.return %arg1 : tensor<8x32xf32>
        } : (tensor<16x32xf32>) -> tensor<16x32xf32>
  }];
  let arguments = (ins
    Variadic<AnyRankedTensor>:$tensors,
    Sdy_TensorShardingPerValue:$in_shardings,
    Sdy_TensorShardingPerValue:$out_shardings,
    Sdy_ManualAxes:$manual_axes);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $tensors `)`
    `in_shardings` `` `=` `` custom<ShardingList>($in_shardings)
    `out_shardings` `` `=` `` custom<ShardingList>($out_shardings)
    `manual_axes` `` `=` `` $manual_axes
    custom<BodyWithArguments>($body) attr-dict
    `:` functional-type($tensors, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    TensorShardingAttr getInSharding(int64_t index) { return getInShardings().getSharding(index); }
    TensorShardingAttr getOutSharding(int64_t index) { return getOutShardings().getSharding(index); }
    void setInShardings(::llvm::ArrayRef<TensorShardingAttr> shardings);
    void setOutShardings(::llvm::ArrayRef<TensorShardingAttr> shardings);
    void setInSharding(int64_t index, TensorShardingAttr sharding);
    void setOutSharding(int64_t index, TensorShardingAttr sharding);
    /// The sharding over the free axes, which is what holds inside the body.
    TensorShardingAttr getInShardingWithoutManualAxes(int64_t index);
    TensorShardingAttr getOutShardingWithoutManualAxes(int64_t index);
    /// Sets the sharding over the free axes and keeps the manual ones.
    void setInShardingAddingManualAxes(int64_t index, TensorShardingAttr sharding);
    void setOutShardingAddingManualAxes(int64_t index, TensorShardingAttr sharding);
  }];
}

def Sdy_NamedComputationOp : Sdy_Op<"named_computation",
    [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlockImplicitTerminator<"ReturnOp">,
     IsolatedFromAbove]> {
  let summary = "a named group of ops, to sharding as if it were inlined";
  let arguments = (ins
    StrAttr:$name,
    Variadic<AnyType>:$operands,
    OptionalAttr<Sdy_TensorShardingPerValue>:$in_shardings,
    OptionalAttr<Sdy_TensorShardingPerValue>:$out_shardings);
  let results = (outs Variadic<AnyType>);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `<` $name `>` `` `(` $operands `)`
    (`in_shardings` `` `=` `` custom<ShardingList>($in_shardings)^)?
    (`out_shardings` `` `=` `` custom<ShardingList>($out_shardings)^)?
    custom<BodyWithArguments>($body) attr-dict
    `:` functional-type($operands, results)
  }];
  let hasVerifier = 1;
}

def Sdy_PropagationBarrierOp : Sdy_Op<"propagation_barrier",
    [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = "an identity that lets shardings pass in one direction only, or not at all";
  let arguments = (ins AnyRankedTensor:$input, Sdy_PropagationDirection:$allowed_direction);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat =
    "$input `allowed_direction` `` `=` `` $allowed_direction attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def Sdy_ConstantOp : Sdy_Op<"constant", [Pure, InferTypeOpAdaptor]> {
  let summary = "a constant that is not folded into others, so that each use has its own sharding";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyTensor:$output);
  let hasCustomAssemblyFormat = 1;
}

def Sdy_DataFlowEdgeOp : Sdy_Op<"data_flow_edge", [SameOperandsAndResultType]> {
  let summary = "ties what flows into and out of a region op at one position to one sharding";
  let arguments = (ins AnyShaped:$input, OptionalAttr<Sdy_TensorSharding>:$sharding);
  let results = (outs AnyShaped:$result);
  let assemblyFormat = "$input (`sharding` `` `=` `` $sharding^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input), [{
      build($_builder, $_state, input.getType(), input, TensorShardingAttr());
    }]>
  ];
  let extraClassDeclaration = [{
    /// The edge that is the only user of `root`, or null.
    static DataFlowEdgeOp getDataFlowEdgeUser(Value root);
  }];
}

//===-- Collectives in terms of shardings; types stay global ------------------------------------===//

class Sdy_CollectiveOp<string mnemonic> : Sdy_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let results = (outs AnyTensor:$result);
  let hasVerifier = 1;
}

def Sdy_AllGatherOp : Sdy_CollectiveOp<"all_gather"> {
  let summary = "takes axes off the minor side of each dimension's sharding";
  let arguments = (ins AnyTensor:$tensor, Sdy_ListOfAxisRefLists:$gathering_axes,
                       Sdy_TensorSharding:$out_sharding);
  let assemblyFormat =
    "$gathering_axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def Sdy_AllSliceOp : Sdy_CollectiveOp<"all_slice"> {
  let summary = "adds axes on the minor side of each dimension's sharding; no communication";
  let arguments = (ins AnyTensor:$tensor, Sdy_ListOfAxisRefLists:$slicing_axes,
                       Sdy_TensorSharding:$out_sharding);
  let assemblyFormat =
    "$slicing_axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def Sdy_AllToAllOp : Sdy_CollectiveOp<"all_to_all"> {
  let summary = "moves axes from the minor side of one dimension to that of another";
  let arguments = (ins AnyTensor:$tensor, Sdy_AllToAllParamList:$params,
                       Sdy_TensorSharding:$out_sharding);
  let assemblyFormat =
    "$params $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def Sdy_CollectivePermuteOp : Sdy_CollectiveOp<"collective_permute"> {
  let summary = "exchanges axes, or the order of the devices; local shapes stay as they are";
  let arguments = (ins AnyTensor:$tensor, Sdy_TensorSharding:$out_sharding);
  let assemblyFormat =
    "$tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def Sdy_AllReduceOp : Sdy_CollectiveOp<"all_reduce"> {
  let summary = "adds up partial sums along axes";
  let arguments = (ins AnyTensor:$tensor, Sdy_AxisRefList:$reduction_axes,
                       Sdy_TensorSharding:$out_sharding);
  let assemblyFormat =
    "$reduction_axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def Sdy_ReduceScatterOp : Sdy_CollectiveOp<"reduce_scatter"> {
  let summary = "adds up partial sums along axes and splits the dimensions by them";
  let arguments = (ins AnyTensor:$tensor, Sdy_ListOfAxisRefLists:$reduce_scatter_axes,
                       Sdy_TensorSharding:$out_sharding);
  let assemblyFormat = [{
    $reduce_scatter_axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)
  }];
}

def Sdy_ShardedToUnreducedOp : Sdy_CollectiveOp<"sharded_to_unreduced"> {
  let summary = "turns axes on the minor side of dimensions into unreduced axes; no communication";
  let arguments = (ins AnyTensor:$tensor, Sdy_ListOfAxisRefLists:$axes,
                       Sdy_TensorSharding:$out_sharding);
  let assemblyFormat =
    "$axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

def Sdy_ReplicatedToUnreducedOp : Sdy_CollectiveOp<"replicated_to_unreduced"> {
  let summary = "turns unused axes into unreduced ones; no communication";
  let arguments = (ins AnyTensor:$tensor, Sdy_AxisRefList:$axes,
                       Sdy_TensorSharding:$out_sharding);
  let assemblyFormat =
    "$axes $tensor `out_sharding` `` `=` `` $out_sharding attr-dict `:` type($result)";
}

#endif // TANDEM_IR_SHARDY_SHARDYOPS_TD
