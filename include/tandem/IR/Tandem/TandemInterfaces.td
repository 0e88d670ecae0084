// Op interfaces of the tandem dialect.
#ifndef TANDEM_IR_TANDEM_TANDEMINTERFACES
#define TANDEM_IR_TANDEM_TANDEMINTERFACES

include "mlir/IR/OpBase.td"

def Tandem_AliasOpInterface : OpInterface<"AliasOpInterface"> {
  let cppNamespace = "::tandem";
  let description = [{
    Which operands and results of an op share bytes. Buffers are attributes, so
    this is the only place where aliasing is stated. An op that does not
    implement it defines only new bytes.
  }];
  let methods = [
    InterfaceMethod<[{
      The pairs of operand and result that must, or may, share bytes. Indices
      count all operands and all results of the op. A future stands for all of
      its elements: `done` ties element i of its future to its result i.
    }], "::llvm::SmallVector<::tandem::AliasPair>", "getAliasPairs">,
    InterfaceMethod<[{
      Sets of values that must share bytes across the op's regions. One set per
      carried value of a loop {init, body argument, yielded value, result}, one
      per result of a case {yielded value of each branch, result}.
    }], "::llvm::SmallVector<::llvm::SmallVector<::mlir::Value>>", "getTiedValues",
      (ins), "", [{ return {}; }]>
  ];
}

#endif // TANDEM_IR_TANDEM_TANDEMINTERFACES
