// The tandem dialect itself: name, documentation, hooks.
#ifndef TANDEM_IR_TANDEM_TANDEMBASE
#define TANDEM_IR_TANDEM_TANDEMBASE

include "mlir/IR/DialectBase.td"

def Tandem_Dialect : Dialect {
  let name = "tandem";
  let cppNamespace = "::tandem";
  let summary = "Per-device programs with explicit asynchrony, kernels and buffers";
  let description = [{
    What a program consists of once it is partitioned: values in flight
    (`!tandem.future`), their issue and completion (`tandem.start`,
    `tandem.done`), loops that may carry them (`tandem.loop`), and the units of
    execution (`tandem.kernel`, `tandem.gemm`, `tandem.call`, ...). All shapes
    are local, that is per device.

    Discardable attributes of this dialect that its verifier checks:

    | attribute | on | holds |
    |---|---|---|
    | `tandem.buffers` | ops | one `#tandem.buffer` per tensor the op defines: tensor results, and the elements of future results, in order; tokens have none |
    | `tandem.arg_buffers` | `tandem.loop` | likewise for the body's arguments |
    | `tandem.buffer` | function arguments | one `#tandem.buffer` |
    | `tandem.stream` | ops | a `#tandem.stream` |
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    void registerOps();
  }];
}

#endif // TANDEM_IR_TANDEM_TANDEMBASE
