//===- InterpreterOps.td - the interpreter dialect: programs side by side -------===//
//
// In the public spelling of StableHLO's own tests. Import makes a manual computation of it.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_IR_CHECK_INTERPRETEROPS
#define TANDEM_IR_CHECK_INTERPRETEROPS

include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"

def Interpreter_Dialect : Dialect {
  let name = "interpreter";
  let cppNamespace = "::mlir::interpreter";
  let summary = "How tests run one program on several processes";
}

def Interpreter_RunParallelOp : Op<Interpreter_Dialect, "run_parallel"> {
  let summary = "runs functions side by side, one for each replica and partition";
  let description = [{
    `programs` has a list of functions, one for each partition, for each replica. Inputs and
    results are those of the first process, then those of the second, and so on.

        %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@f], [@f]]}
          : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, ArrayAttr:$programs);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
}

#endif // TANDEM_IR_CHECK_INTERPRETEROPS
