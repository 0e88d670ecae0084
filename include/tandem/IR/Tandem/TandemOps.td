// Operations of the tandem dialect.
//
// Common to all of them:
// - Shapes are local (per device); tensors are ranked and static.
// - An op with `after(...)` starts only after the events of the given tokens, and may
//   return a token as its last result. Tokens never leave their block.
// - The regions of start, kernel, gemm, conv and remat are isolated from above. Their
//   inputs are bound one to one to block arguments, and written so:
//       tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<4xf32> {
//         %0 = stablehlo.add %a, %b : tensor<4xf32>
//         tandem.yield %0 : tensor<4xf32>
//       }
#ifndef TANDEM_IR_TANDEM_TANDEMOPS
#define TANDEM_IR_TANDEM_TANDEMOPS

include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tandem/IR/Tandem/TandemAttrs.td"
include "tandem/IR/Tandem/TandemInterfaces.td"
include "tandem/IR/Tandem/TandemTypes.td"

class Tandem_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tandem_Dialect, mnemonic, traits>;

// Ops that may define futures and tokens, which are printed under those names.
class Tandem_FlowOp<string mnemonic, list<Trait> traits = []>
    : Tandem_Op<mnemonic, !listconcat(
        [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>], traits)>;

def Tandem_Tensor : Type<AnyStaticShapeTensor.predicate, "statically shaped tensor", "::mlir::RankedTensorType">;
def Tandem_Carried : AnyTypeOf<[Tandem_Tensor, Tandem_Future]>;
def Tandem_Predicate : Type<And<[CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">,
    CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() == 0">,
    CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getElementType().isInteger(1)">]>,
    "tensor<i1>", "::mlir::RankedTensorType">;
def Tandem_Index : Type<And<[CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">,
    CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() == 0">,
    CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getElementType().isInteger(32)">]>,
    "tensor<i32>", "::mlir::RankedTensorType">;

//===-- Asynchrony ---------------------------------------------------------------===//

def Tandem_StartOp : Tandem_FlowOp<"start", [
    IsolatedFromAbove, SingleBlock, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "issues collectives or a copy and returns what is in flight";
  let description = [{
    The region holds one or more stablehlo collectives of one kind and the same
    groups, or one `tandem.copy`, on the block arguments, and a yield of their
    results. The types of the future are those yielded. Operands and results stay
    live from the start to its done.

    ```mlir
    %f, %t = tandem.start(%a = %x : tensor<4xf32>) after(%t0) -> (!tandem.future<tensor<8xf32>>, !tandem.token) {
      %0 = "stablehlo.all_gather"(%a) <{...}> : (tensor<4xf32>) -> tensor<8xf32>
      tandem.yield %0 : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Tandem_Tensor>:$inputs, Variadic<Tandem_Token>:$after);
  let results = (outs Tandem_Future:$future, Optional<Tandem_Token>:$token);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::tandem::FutureType":$future, "::mlir::ValueRange":$inputs)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The first operation of the region; all collectives of it are of its kind.
    ::mlir::Operation *getCollective() { return &getBody().front().front(); }
    ::tandem::YieldOp getYield();
  }];
}

def Tandem_DoneOp : Tandem_FlowOp<"done", [
    AttrSizedResultSegments, DeclareOpInterfaceMethods<Tandem_AliasOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "waits for a future and returns its tensors";
  let description = [{
    Result i is element i of the future, in the same bytes. A token result is
    written after the future's type.

    ```mlir
    %r:2 = tandem.done %f : !tandem.future<tensor<4xf32>, tensor<8xf32>>
    %r, %t = tandem.done %f after(%t0) : !tandem.future<tensor<4xf32>> -> !tandem.token
    ```
  }];
  let arguments = (ins Tandem_Future:$future, Variadic<Tandem_Token>:$after);
  let results = (outs Variadic<Tandem_Tensor>:$outputs, Optional<Tandem_Token>:$token);
  let builders = [OpBuilder<(ins "::mlir::Value":$future)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===-- Control ------------------------------------------------------------------===//

def Tandem_LoopOp : Tandem_FlowOp<"loop", [
    SingleBlock, AttrSizedOperandSegments, AttrSizedResultSegments, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<Tandem_AliasOpInterface, ["getTiedValues"]>]> {
  let summary = "runs its body while a predicate holds";
  let description = [{
    Runs the body if `predicate` is true, and again as long as the predicate that
    the body yields first is true. Carried values (init, block argument, yielded
    value, result) are tied by position: same type, same bytes. With a false
    initial predicate the results are the inits. `trip_count` is the number of
    times the body runs, present when proved. The body may use values from above.

    ```mlir
    %r:2 = tandem.loop %p (%i = %i0 : tensor<i32>, %x = %x0 : tensor<4xf32>) trip_count 10 {
      ...
      tandem.yield %next_p, %next_i, %next_x : tensor<i1>, tensor<i32>, tensor<4xf32>
    }
    %r, %t = tandem.loop %p (%i = %i0 : tensor<i32>) after(%t0) -> !tandem.token { ... }
    ```
  }];
  let arguments = (ins Tandem_Predicate:$predicate, Variadic<Tandem_Carried>:$inits,
                       Variadic<Tandem_Token>:$after,
                       OptionalAttr<I64Attr>:$trip_count);
  let results = (outs Variadic<Tandem_Carried>:$outputs, Optional<Tandem_Token>:$token);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::mlir::Value":$predicate, "::mlir::ValueRange":$inits)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::tandem::YieldOp getYield();
    /// The predicate yielded by the body: whether to run it once more.
    ::mlir::Value getNextPredicate();
    /// The carried values yielded by the body, in the order of inits.
    ::mlir::OperandRange getYieldedValues();
    ::llvm::MutableArrayRef<::mlir::BlockArgument> getIterArgs() {
      return getBody().getArguments();
    }
  }];
}

def Tandem_CaseOp : Tandem_FlowOp<"case", [
    AttrSizedResultSegments, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<Tandem_AliasOpInterface, ["getTiedValues"]>]> {
  let summary = "runs one of its branches";
  let description = [{
    Runs the branch with number `index`; any number out of range runs the last
    one. Branches have no arguments and may use values from above.

    ```mlir
    %r = tandem.case %i -> tensor<4xf32> {
      tandem.yield %x : tensor<4xf32>
    }, {
      tandem.yield %y : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Tandem_Index:$index, Variadic<Tandem_Token>:$after);
  let results = (outs Variadic<Tandem_Carried>:$outputs, Optional<Tandem_Token>:$token);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$outputs, "::mlir::Value":$index, "unsigned":$numBranches)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Tandem_YieldOp : Tandem_Op<"yield", [
    Pure, Terminator,
    ParentOneOf<["StartOp", "LoopOp", "CaseOp", "KernelOp", "GemmOp", "ConvOp", "RematOp"]>]> {
  let summary = "ends a region and returns its values";
  let arguments = (ins Variadic<Tandem_Carried>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ }]>];
}

//===-- Units of execution ---------------------------------------------------------===//

class Tandem_UnitOp<string mnemonic, list<Trait> traits = []>
    : Tandem_FlowOp<mnemonic, !listconcat([
        IsolatedFromAbove, SingleBlock, AttrSizedOperandSegments, AttrSizedResultSegments,
        Pure], traits)> {
  let results = (outs Variadic<Tandem_Tensor>:$outputs, Optional<Tandem_Token>:$token);
  let regions = (region SizedRegion<1>:$body);
  let builders = [
    // Makes the body's block with one argument per input; the caller fills it.
    OpBuilder<(ins "::mlir::ValueRange":$inputs, "::mlir::TypeRange":$outputs)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  code yieldDeclaration = "::tandem::YieldOp getYield();";
  let extraClassDeclaration = yieldDeclaration;
}

def Tandem_KernelOp : Tandem_UnitOp<"kernel", [
    DeclareOpInterfaceMethods<Tandem_AliasOpInterface>]> {
  let summary = "ops that run as one kernel";
  let description = [{
    The region holds stablehlo and chlo operations without control flow and
    without collectives. `in_place` lists pairs (result, operand): the result may
    be written over that operand, which the buffer assignment decides. That needs
    every other read of the operand in the kernel to use the index being written:
    either the operand is used elementwise only, or it is the first operand of
    one dynamic_update_slice or scatter (or the target of the only update) and is
    otherwise only read by dynamic_slices at the same place. `symbol` names the
    compiled kernel that structurally equal ones share.

    ```mlir
    %0 = tandem.kernel(%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<4xf32>
        attributes {in_place = array<i64: 0, 0>} {
      %1 = stablehlo.add %a, %b : tensor<4xf32>
      tandem.yield %1 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Tandem_Tensor>:$inputs, Variadic<Tandem_Token>:$after,
                       OptionalAttr<DenseI64ArrayAttr>:$in_place,
                       OptionalAttr<StrAttr>:$symbol);
  let extraClassDeclaration = yieldDeclaration # [{
    /// (result, operand) pairs of `in_place`.
    ::llvm::SmallVector<std::pair<unsigned, unsigned>> getInPlacePairs();
  }];
}

def Tandem_GemmOp : Tandem_UnitOp<"gemm"> {
  let summary = "a matrix product done by a library";
  let description = [{
    The region holds one `stablehlo.dot_general` whose operands are the first two
    block arguments, in a form that a library reads in place
    (tandem/Codegen/GemmShape.h).

    ```mlir
    %0 = tandem.gemm(%a = %x : tensor<4x8xf32>, %b = %y : tensor<8x2xf32>) -> tensor<4x2xf32> {
      %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      tandem.yield %1 : tensor<4x2xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Tandem_Tensor>:$inputs, Variadic<Tandem_Token>:$after);
}

def Tandem_ConvOp : Tandem_UnitOp<"conv"> {
  let summary = "a convolution done by a library";
  let description = [{
    The region holds one `stablehlo.convolution` whose operands are the first two
    block arguments. Written like `tandem.gemm`.
  }];
  let arguments = (ins Variadic<Tandem_Tensor>:$inputs, Variadic<Tandem_Token>:$after);
}

def Tandem_RematOp : Tandem_UnitOp<"remat"> {
  let summary = "a region whose results are recomputed where they are used";
  let description = [{
    `policy` says which values of it may be kept instead.

    ```mlir
    %0 = tandem.remat(%a = %x : tensor<4xf32>) -> tensor<4xf32> attributes {policy = #tandem.policy<nothing>} {
      %1 = stablehlo.exponential %a : tensor<4xf32>
      tandem.yield %1 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Tandem_Tensor>:$inputs, Variadic<Tandem_Token>:$after,
                       Tandem_RematPolicyAttr:$policy);
  // The policy has no default, so callers use the generated builders.
  let builders = [];
}

def Tandem_CallOp : Tandem_FlowOp<"call", [
    AttrSizedOperandSegments, AttrSizedResultSegments,
    DeclareOpInterfaceMethods<Tandem_AliasOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "calls a registered library or custom kernel";
  let description = [{
    `operand_aliases` lists pairs (result, operand) that must share bytes: the
    kernel works in place. `config` is handed to the kernel.

    ```mlir
    %0 = tandem.call "lapack_spotrf_ffi"(%x) {config = {uplo = 76 : ui8}, operand_aliases = array<i64: 0, 0>}
        : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Tandem_Tensor>:$inputs, Variadic<Tandem_Token>:$after,
                       StrAttr:$call_target_name,
                       OptionalAttr<DictionaryAttr>:$config,
                       UnitAttr:$has_side_effect,
                       OptionalAttr<DenseI64ArrayAttr>:$operand_aliases);
  let results = (outs Variadic<Tandem_Tensor>:$outputs, Optional<Tandem_Token>:$token);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$outputs, "::mlir::StringRef":$target,
                                 "::mlir::ValueRange":$inputs)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// (result, operand) pairs of `operand_aliases`.
    ::llvm::SmallVector<std::pair<unsigned, unsigned>> getAliasedPairs();
  }];
}

def Tandem_CopyOp : Tandem_FlowOp<"copy", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a new buffer with the same value";
  let description = [{
    Never folded or merged: whether it stays is decided when buffers are.

    ```mlir
    %1 = tandem.copy %0 : tensor<4xf32>
    %1, %t = tandem.copy %0 after(%t0) : tensor<4xf32> -> !tandem.token
    ```
  }];
  let arguments = (ins Tandem_Tensor:$input, Variadic<Tandem_Token>:$after);
  let results = (outs Tandem_Tensor:$output, Optional<Tandem_Token>:$token);
  let builders = [OpBuilder<(ins "::mlir::Value":$input)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tandem_ConstantOp : Tandem_Op<"constant", [
    Pure, ConstantLike, AllTypesMatch<["value", "output"]>]> {
  let summary = "a constant in the program's read-only memory";
  let description = [{
    ```mlir
    %0 = tandem.constant dense<[1.0, 2.0]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Tandem_Tensor:$output);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Tandem_DeviceIdOp : Tandem_Op<"device_id", [Pure]> {
  let summary = "the linear index of the device in the program, from 0";
  let description = [{
    ```mlir
    %0 = tandem.device_id : tensor<ui32>
    ```
  }];
  let results = (outs Tandem_Tensor:$output);
  let builders = [OpBuilder<(ins)>];
  let assemblyFormat = "attr-dict `:` type($output)";
  let hasVerifier = 1;
}

#endif // TANDEM_IR_TANDEM_TANDEMOPS
