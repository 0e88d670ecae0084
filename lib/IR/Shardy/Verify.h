// What the verifiers of the `sdy` dialect share. Every function emits a diagnostic when it fails.

#ifndef TANDEM_LIB_IR_SHARDY_VERIFY_H
#define TANDEM_LIB_IR_SHARDY_VERIFY_H

#include "tandem/IR/Shardy/Shardy.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::sdy {

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

/// Checks lists of axes that must not overlap one another: known to the mesh, used once, parts
/// within their axis, neighbours merged. Lists are added one by one; finish() is called once.
class AxisChecker {
public:
  AxisChecker(MeshAttr mesh, EmitError emitError) : mesh(mesh), emitError(emitError) {}
  /// `place` names where the axes stand, for messages: "dimension 1".
  LogicalResult add(ArrayRef<AxisRefAttr> axes, const llvm::Twine &place = "");

private:
  LogicalResult checkPart(AxisRefAttr axis);

  MeshAttr mesh;
  EmitError emitError;
  llvm::SmallVector<AxisRefAttr> seen;
};

/// The sharding of a value of the type, on a mesh visible from `op`, inside the manual
/// computations around `op`.
LogicalResult verifySharding(Operation *op, TensorShardingAttr sharding, Type type,
                             EmitError emitError);

/// One sharding per type. `kind` names the values in messages: "operand" or "result".
LogicalResult verifyShardings(Operation *op, TensorShardingPerValueAttr shardings, TypeRange types,
                              StringRef kind);

/// The rule against the operand and result types of `op`.
LogicalResult verifyShardingRule(Operation *op, OpShardingRuleAttr rule);

} // namespace mlir::sdy

#endif // TANDEM_LIB_IR_SHARDY_VERIFY_H
