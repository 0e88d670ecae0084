//===- RandomOps.td - stablehlo: random numbers --------------------------------===//

#ifndef TANDEM_IR_STABLEHLO_RANDOM
#define TANDEM_IR_STABLEHLO_RANDOM

include "tandem/IR/StableHLO/StableHLOAttrs.td"

def StableHLO_RngBitGeneratorOp : StableHLO_Op<"rng_bit_generator", [Pure]> {
  let summary = "uniform bits from a state, and the next state";
  let arguments = (ins HLO_RngAlgorithmAttr:$rng_algorithm, HLO_IntOrFloatTensor:$initial_state);
  let results = (outs HLO_IntOrFloatTensor:$output_state, HLO_IntOrFloatTensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` `` $rng_algorithm
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

// Stateful: two equal ones draw different values, so it is not pure.
def StableHLO_RngOp : StableHLO_Op<"rng"> {
  let summary = "values drawn from a distribution with the runtime's own state";
  let arguments = (ins HLO_Tensor:$a, HLO_Tensor:$b, HLO_DimensionTensor:$shape,
                       HLO_RngDistributionAttr:$rng_distribution);
  let results = (outs HLO_Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=` `` $rng_distribution
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // TANDEM_IR_STABLEHLO_RANDOM
