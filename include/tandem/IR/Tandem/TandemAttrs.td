// Attributes of the tandem dialect.
#ifndef TANDEM_IR_TANDEM_TANDEMATTRS
#define TANDEM_IR_TANDEM_TANDEMATTRS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "tandem/IR/Tandem/TandemBase.td"

class Tandem_Attr<string name, string attrMnemonic>
    : AttrDef<Tandem_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Tandem_Arena : I32EnumAttr<"Arena", "the allocation that bytes are part of", [
    I32EnumAttrCase<"Argument", 0, "argument">,
    I32EnumAttrCase<"Result", 1, "result">,
    I32EnumAttrCase<"Temp", 2, "temp">,
    I32EnumAttrCase<"Constant", 3, "constant">]> {
  let cppNamespace = "::tandem";
  let genSpecializedAttr = 0;
}

def Tandem_StreamKind : I32EnumAttr<"StreamKind", "what a stream executes", [
    I32EnumAttrCase<"Compute", 0, "compute">,
    I32EnumAttrCase<"Copy", 1, "copy">,
    I32EnumAttrCase<"Communication", 2, "communication">]> {
  let cppNamespace = "::tandem";
  let genSpecializedAttr = 0;
}

def Tandem_RematKind : I32EnumAttr<"RematKind", "which values of a remat region are kept", [
    I32EnumAttrCase<"Nothing", 0, "nothing">,
    I32EnumAttrCase<"Names", 1, "names">,
    I32EnumAttrCase<"Dots", 2, "dots">,
    I32EnumAttrCase<"Offload", 3, "offload">]> {
  let cppNamespace = "::tandem";
  let genSpecializedAttr = 0;
}

def Tandem_BufferAttr : Tandem_Attr<"Buffer", "buffer"> {
  let summary = "where the bytes of one tensor live on each device";
  let description = [{
    `<arena [index], offset, bytes [, slots, stride]>`, sizes in bytes. `index`
    says which argument or result; the other arenas have one allocation. Offsets
    and strides are multiples of 64. With `slots` > 1 the buffer rotates: its
    address is offset + ((iteration + k) mod slots) * stride.

    ```
    #tandem.buffer<temp, 128, 4096>
    #tandem.buffer<argument 3, 0, 256>
    #tandem.buffer<temp, 0, 4096, 2, 4096>
    ```
  }];
  let parameters = (ins
    "::tandem::Arena":$arena,
    "uint32_t":$index,
    "int64_t":$offset,
    "int64_t":$bytes,
    DefaultValuedParameter<"int64_t", "1">:$slots,
    DefaultValuedParameter<"int64_t", "0">:$stride);
  let builders = [AttrBuilder<(ins "::tandem::Arena":$arena, "uint32_t":$index,
                                   "int64_t":$offset, "int64_t":$bytes), [{
    return $_get($_ctxt, arena, index, offset, bytes, int64_t(1), int64_t(0));
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Offsets and strides of buffers are multiples of this many bytes.
    static constexpr int64_t kAlignmentBytes = 64;
  }];
}

def Tandem_StreamAttr : Tandem_Attr<"Stream", "stream"> {
  let summary = "the stream of a device that executes an op";
  let description = [{
    `compute`, `copy`, or `communication N`, N being the link level (0 is the
    fastest).

    ```
    #tandem.stream<compute>
    #tandem.stream<communication 1>
    ```
  }];
  let parameters = (ins "::tandem::StreamKind":$kind,
                        DefaultValuedParameter<"uint32_t", "0">:$level);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tandem_CauseAttr : Tandem_Attr<"Cause", "cause"> {
  let summary = "why a pass created an op (DESIGN.md, D3)";
  let description = [{
    The rule that fired, the argument or result path (or op) it fired for, and
    the mesh axes concerned. Kept as the metadata of a fused location around the
    source op's location, see tandem/IR/Tandem/Cause.h.

    ```
    loc(fused<#tandem.cause<rule "all-reduce of partial sums",
                            for "params['w1']", axes ["data"]>>["step.py":7:0])
    ```
  }];
  let parameters = (ins
    StringRefParameter<"the rule that fired">:$rule,
    StringRefParameter<"argument or result path, or op">:$array,
    ArrayRefParameter<"::mlir::StringAttr">:$axes);
  let hasCustomAssemblyFormat = 1;
}

def Tandem_RematPolicyAttr : Tandem_Attr<"RematPolicy", "policy"> {
  let summary = "what a remat region may keep instead of recomputing it";
  let description = [{
    ```
    #tandem.policy<nothing>
    #tandem.policy<names ["attention", "mlp"]>
    #tandem.policy<dots>
    #tandem.policy<offload>
    ```
  }];
  let parameters = (ins "::tandem::RematKind":$kind,
                        ArrayRefParameter<"::mlir::StringAttr">:$names);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // TANDEM_IR_TANDEM_TANDEMATTRS
