// Where the sharding of a value is kept, and how to read and write it.
//
//   value                                   kept in
//   function argument                       arg attr `sdy.sharding`
//   result of sharding_constraint, reshard, the op's own attribute
//     data_flow_edge or an sdy collective
//   result of manual_/named_computation     out_shardings
//   argument of manual_/named_computation   in_shardings (manual axes left out)
//   other op result                         `sdy.sharding`, one entry per result
//   other block argument, when its block    that op's result of the same index (loops, whose
//     has as many arguments of the same       arguments carry the op's results)
//     types as the parent op has results
//   anything else                           nowhere: get gives null, set does nothing
//
// None of these look at neighbouring ops. Cost: a dictionary look-up, plus a walk over the
// symbols of the module where a mesh is looked up by name. Not for concurrent writers.

#ifndef TANDEM_IR_SHARDY_SHARDINGACCESS_H
#define TANDEM_IR_SHARDY_SHARDINGACCESS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tandem/IR/Shardy/Shardy.h"

namespace mlir::sdy {

/// The mesh that `@name` stands for, seen from `op`; null when there is none.
MeshAttr getMeshAttr(Operation *op, StringRef name);
MeshAttr getMeshAttr(const SymbolTable &symbolTable, StringRef name);
/// The mesh written in place, or the one that the symbol names.
MeshAttr getMeshOrLookup(Operation *op, Attribute meshOrRef);
MeshAttr getMeshOrLookup(const SymbolTable &symbolTable, Attribute meshOrRef);

/// The sharding of a value; null when it has none.
TensorShardingAttr getSharding(Value value);
/// The sharding of a value, or a fully open one on the mesh when it has none.
TensorShardingAttr getOrCreateSharding(Value value, StringRef meshName);
/// Sets the sharding of a value. The other results of an op without `sdy.sharding` get fully open
/// shardings on the same mesh. Does nothing for a value that cannot hold one.
void setSharding(Value value, TensorShardingAttr sharding);
/// Whether setSharding has a place for this value's sharding.
bool canHoldSharding(Value value);

/// Shardings of all results of an op, in order; empty when it has none.
SmallVector<TensorShardingAttr> getShardings(Operation *op);
void setShardings(Operation *op, ArrayRef<TensorShardingAttr> shardings);
void removeShardings(Operation *op);

/// The `sdy.sharding` of a function's result.
TensorShardingAttr getFuncResultSharding(FunctionOpInterface func, unsigned index);
void setFuncResultSharding(FunctionOpInterface func, unsigned index, TensorShardingAttr sharding);

/// The rule attached as `sdy.sharding_rule`; null when there is none.
OpShardingRuleAttr getShardingRule(Operation *op);
void setShardingRule(Operation *op, OpShardingRuleAttr rule);

} // namespace mlir::sdy

#endif // TANDEM_IR_SHARDY_SHARDINGACCESS_H
