//===- ControlOps.td - stablehlo: control flow, tuples, tokens, calls outside --===//

#ifndef TANDEM_IR_STABLEHLO_CONTROL
#define TANDEM_IR_STABLEHLO_CONTROL

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "tandem/IR/StableHLO/StableHLOAttrs.td"

def StableHLO_ReturnOp : StableHLO_Op<"return", [Pure, Terminator]> {
  let summary = "ends a region with its results";
  let arguments = (ins Variadic<HLO_TensorTokenOrTuple>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

class HLO_ControlOp<string mnemonic, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, !listconcat(
        [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">], traits)>;

def StableHLO_IfOp : HLO_ControlOp<"if"> {
  let summary = "one of two branches, by a scalar predicate";
  let arguments = (ins HLO_PredTensor:$pred);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
  let results = (outs Variadic<HLO_TensorOrToken>);
  let hasVerifier = 1;
}

def StableHLO_CaseOp : HLO_ControlOp<"case"> {
  let summary = "one of several branches, by index; the last one if out of range";
  let arguments = (ins 0DTensorOf<[I32]>:$index);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let results = (outs Variadic<HLO_TensorOrToken>);
  let hasVerifier = 1;
}

def StableHLO_WhileOp : HLO_ControlOp<"while",
    [HLO_TypesInferred, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "body repeated while the condition holds";
  let description = [{
    ```mlir
    %0 = stablehlo.while(%iterArg = %x) : tensor<i32>
    cond { ... } do { ... }
    ```
    Both regions take the carried values; in the pretty form they share the names.
  }];
  let arguments = (ins Variadic<HLO_TensorTokenOrTuple>:$operand);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let results = (outs Variadic<HLO_TensorTokenOrTuple>);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_OptimizationBarrierOp : StableHLO_Op<"optimization_barrier",
    [Pure, HLO_TypesInferred]> {
  let summary = "identity across which values are not merged, moved or recomputed together";
  let arguments = (ins Variadic<HLO_TensorOrToken>:$operand);
  let results = (outs Variadic<HLO_TensorOrToken>:$result);
  let assemblyFormat = [{
    attr-dict ($operand^ `:` custom<PairwiseOpType>(type($operand), type($result))):(`(` `)`)?
  }];
}

//===----------------------------------------------------------------------===//
// Tuples and tokens
//===----------------------------------------------------------------------===//

def StableHLO_TupleOp : StableHLO_Op<"tuple", [Pure, HLO_TypesInferred]> {
  let summary = "values as one tuple";
  let arguments = (ins Variadic<HLO_TensorTokenOrTuple>:$val);
  let results = (outs HLO_Tuple:$result);
  let assemblyFormat = "$val attr-dict `:` custom<TupleOpType>(type($val), type($result))";
}

def StableHLO_GetTupleElementOp : StableHLO_Op<"get_tuple_element", [HLO_TypesInferred, Pure]> {
  let summary = "one value of a tuple";
  let arguments = (ins HLO_Tuple:$operand, I32Attr:$index);
  let results = (outs HLO_TensorTokenOrTuple);
  let assemblyFormat = [{
    $operand `[` $index `]` attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_AfterAllOp : StableHLO_Op<"after_all", [Pure]> {
  let summary = "a token that is ready when all given ones are";
  let arguments = (ins Variadic<StableHLO_TokenType>:$inputs);
  let results = (outs StableHLO_TokenType:$result);
  let assemblyFormat = [{
    $inputs attr-dict `:`
    custom<VariadicSameOperandsAndResultType>(ref($inputs), type($inputs), type($result))
  }];
}

def StableHLO_CreateTokenOp : StableHLO_Op<"create_token", [Pure]> {
  let summary = "a token that is ready (older programs)";
  let results = (outs StableHLO_TokenType:$output);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def StableHLO_TraceOp : StableHLO_Op<"trace"> {
  let summary = "reports a value (older programs)";
  let arguments = (ins HLO_Tensor:$operand, StrAttr:$tag);
  let assemblyFormat = "$operand `,` $tag attr-dict `:` type($operand)";
}

//===----------------------------------------------------------------------===//
// Calls outside
//===----------------------------------------------------------------------===//

def StableHLO_CustomCallOp : StableHLO_Op<"custom_call",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a call of a function registered with the runtime";
  let arguments = (ins Variadic<HLO_CustomCallValue>:$inputs, StrAttr:$call_target_name,
      DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
      OptionalAttr<AnyAttrOf<[StrAttr, DictionaryAttr]>>:$backend_config,
      DefaultValuedOptionalAttr<HLO_CustomCallApiVersionAttr,
          "::mlir::stablehlo::CustomCallApiVersion::API_VERSION_ORIGINAL">:$api_version,
      DefaultValuedOptionalAttr<TypedArrayAttrBase<FlatSymbolRefAttr, "array of symbols">,
          "{}">:$called_computations,
      OptionalAttr<ArrayAttr>:$operand_layouts,
      OptionalAttr<ArrayAttr>:$result_layouts,
      DefaultValuedOptionalAttr<HLO_OutputOperandAliasArrayAttr, "{}">:$output_operand_aliases);
  let results = (outs Variadic<HLO_CustomCallValue>);
  let assemblyFormat = [{
    custom<CustomCallTarget>($call_target_name) `(` $inputs `)`
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_CompositeOp : StableHLO_Op<"composite",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a named operation defined by its decomposition";
  let arguments = (ins Variadic<HLO_TensorTokenOrTuple>:$inputs, StrAttr:$name,
      DefaultValuedOptionalAttr<DictionaryAttr, "{}">:$composite_attributes,
      FlatSymbolRefAttr:$decomposition,
      DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let results = (outs Variadic<HLO_TensorTokenOrTuple>);
  let assemblyFormat = [{
    $name $inputs attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // TANDEM_IR_STABLEHLO_CONTROL
