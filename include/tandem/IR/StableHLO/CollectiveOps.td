//===- CollectiveOps.td - stablehlo: communication between devices -------------===//
//
// A collective has no side effect in the program's own terms: unused ones may be dropped and
// equal ones merged, on all devices alike. It is not speculatable: executed on a path that
// did not have it, it would wait for partners that never come.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_IR_STABLEHLO_COLLECTIVE
#define TANDEM_IR_STABLEHLO_COLLECTIVE

include "tandem/IR/StableHLO/StableHLOAttrs.td"

class HLO_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, !listconcat([NoMemoryEffect], traits)>;
class HLO_ReducingCollectiveOp<string mnemonic, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, !listconcat([RecursiveMemoryEffects, SingleBlock], traits)>;

def StableHLO_AllGatherOp : HLO_CollectiveOp<"all_gather", [HLO_TypesInferable]> {
  let summary = "operands of a group's devices concatenated on each of them";
  let arguments = (ins Variadic<HLO_Tensor>:$operands, I64Attr:$all_gather_dim,
                       I64ElementsAttr:$replica_groups,
                       OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<HLO_Tensor>);
  let hasVerifier = 1;
}

def StableHLO_AllReduceOp : HLO_ReducingCollectiveOp<"all_reduce", [HLO_TypesInferred]> {
  let summary = "operands of a group's devices combined on each of them";
  let arguments = (ins Variadic<HLO_Tensor>:$operands, I64ElementsAttr:$replica_groups,
                       OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Variadic<HLO_Tensor>);
}

def StableHLO_AllToAllOp : HLO_CollectiveOp<"all_to_all", [HLO_TypesInferred]> {
  let summary = "parts along one dimension exchanged and joined along another";
  let arguments = (ins Variadic<HLO_Tensor>:$operands, I64Attr:$split_dimension,
                       I64Attr:$concat_dimension, I64Attr:$split_count,
                       I64ElementsAttr:$replica_groups,
                       OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle);
  let results = (outs Variadic<HLO_Tensor>);
}

def StableHLO_CollectiveBroadcastOp
    : HLO_CollectiveOp<"collective_broadcast", [SameOperandsAndResultType]> {
  let summary = "operand of each group's first device on all of the group";
  let arguments = (ins HLO_Tensor:$operand, I64ElementsAttr:$replica_groups,
                       OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle);
  let results = (outs HLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_CollectivePermuteOp
    : HLO_CollectiveOp<"collective_permute", [SameOperandsAndResultType]> {
  let summary = "operand sent from source to target; zero where nothing arrives";
  let arguments = (ins HLO_Tensor:$operand, I64ElementsAttr:$source_target_pairs,
                       OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle);
  let results = (outs HLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_ReduceScatterOp : HLO_ReducingCollectiveOp<"reduce_scatter", [HLO_TypesInferable]> {
  let summary = "operands combined, each device keeping its part";
  let arguments = (ins HLO_Tensor:$operand, I64Attr:$scatter_dimension,
                       I64ElementsAttr:$replica_groups,
                       OptionalAttr<HLO_ChannelHandleAttr>:$channel_handle,
                       UnitAttr:$use_global_device_ids);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs HLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_CrossReplicaSumOp
    : HLO_CollectiveOp<"cross-replica-sum", [SameOperandsAndResultType]> {
  let summary = "sum over replicas (older programs)";
  let arguments = (ins HLO_Tensor:$operand, I64ElementsAttr:$replica_groups);
  let results = (outs HLO_Tensor:$result);
  let hasVerifier = 1;
}

class HLO_DeviceIdOp<string mnemonic>
    : StableHLO_Op<mnemonic, [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let results = (outs 0DTensorOf<[UI32]>:$result);
  let assemblyFormat = "attr-dict `:` type(results)";
}
def StableHLO_PartitionIdOp : HLO_DeviceIdOp<"partition_id"> {
  let summary = "index of this device among the partitions";
}
def StableHLO_ReplicaIdOp : HLO_DeviceIdOp<"replica_id"> {
  let summary = "index of this device among the replicas";
}

//===----------------------------------------------------------------------===//
// Point to point and host transfers. Their order is that of their tokens.
//===----------------------------------------------------------------------===//

def StableHLO_SendOp : StableHLO_Op<"send"> {
  let summary = "operands sent on a channel";
  let arguments = (ins Variadic<HLO_Tensor>:$inputs, StableHLO_TokenType:$token,
                       HLO_ChannelHandleAttr:$channel_handle,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
                       OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs StableHLO_TokenType:$result);
  let hasVerifier = 1;
}

def StableHLO_RecvOp : StableHLO_Op<"recv"> {
  let summary = "values received on a channel, then a token";
  let arguments = (ins StableHLO_TokenType:$token, HLO_ChannelHandleAttr:$channel_handle,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
                       OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs Variadic<HLO_TensorOrToken>);
  let hasVerifier = 1;
}

def StableHLO_InfeedOp : StableHLO_Op<"infeed"> {
  let summary = "values read from the host's feed, then a token";
  let arguments = (ins StableHLO_TokenType:$token,
                       DefaultValuedOptionalAttr<StrAttr, "\"\"">:$infeed_config,
                       OptionalAttr<ArrayAttr>:$layout);
  let results = (outs Variadic<HLO_TensorOrToken>);
  let hasVerifier = 1;
}

def StableHLO_OutfeedOp : StableHLO_Op<"outfeed"> {
  let summary = "operands written to the host's feed";
  let arguments = (ins Variadic<HLO_Tensor>:$inputs, StableHLO_TokenType:$token,
                       DefaultValuedOptionalAttr<StrAttr, "\"\"">:$outfeed_config);
  let results = (outs StableHLO_TokenType:$result);
  let hasVerifier = 1;
}

#endif // TANDEM_IR_STABLEHLO_COLLECTIVE
