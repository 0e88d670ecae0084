// Types of the tandem dialect.
#ifndef TANDEM_IR_TANDEM_TANDEMTYPES
#define TANDEM_IR_TANDEM_TANDEMTYPES

include "mlir/IR/AttrTypeBase.td"
include "tandem/IR/Tandem/TandemBase.td"

class Tandem_Type<string name, string typeMnemonic>
    : TypeDef<Tandem_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tandem_Future : Tandem_Type<"Future", "future"> {
  let summary = "tensors in flight: what a tandem.start yields";
  let description = [{
    A linear value: it has exactly one use, in its own block, and that use is a
    `tandem.done`, a `tandem.yield`, or an init of a `tandem.loop`. Its elements
    are the results of the operations in the start's region.

    ```
    !tandem.future<tensor<4xf32>>
    !tandem.future<tensor<4xf32>, tensor<2x2xbf16>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` $types `>`";
  let genVerifyDecl = 1;
}

def Tandem_Token : Tandem_Type<"Token", "token"> {
  let summary = "orders ops of one block where no value does";
  let description = [{
    A start's token means "issued", any other op's token means "complete". Used
    only in `after(...)`, and only in the block that defines it.
  }];
}

#endif // TANDEM_IR_TANDEM_TANDEMTYPES
