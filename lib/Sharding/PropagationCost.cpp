// What a propagation's shardings would cost, op by op as the partitioner would choose.
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "tandem/Sharding/Assignment.h"
#include "tandem/Sharding/Propagation.h"
#include "tandem/Sharding/Reshard.h"

namespace tandem {
using namespace mlir;

namespace {

/// Made again in any sharding for nothing.
bool isFree(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<stablehlo::BroadcastInDimOp>(op))
    return cast<RankedTensorType>(broadcast.getOperand().getType()).getRank() == 0;
  return isa_and_nonnull<stablehlo::ConstantOp, sdy::ConstantOp, stablehlo::IotaOp>(op);
}

} // namespace

Propagation::Cost Propagation::estimateCost(const WorkWeights &weights) const {
  Cost total;
  for (const Edge &edge : edges) {
    if (!edge.op) {
      // Sources flow into targets.
      for (unsigned target : ArrayRef(edge.nodes).drop_front(edge.numOperands))
        for (unsigned source : ArrayRef(edge.nodes).take_front(edge.numOperands))
          total.sent +=
              edge.trips * getCostBytes(planReshard(nodes[source].sharding, nodes[target].sharding,
                                                    nodes[target].type, mesh));
      continue;
    }
    if (edge.op->getNumResults() == 1 && isFree(edge.op->getResult(0)))
      continue;
    SmallVector<SmallVector<Sharding, 2>, 4> have;
    for (auto [index, operand] : llvm::enumerate(edge.op->getOperands())) {
      have.emplace_back();
      if (!isFree(operand))
        have.back().push_back(nodes[edge.nodes[index]].sharding);
    }
    SmallVector<Sharding> wanted;
    for (unsigned node : ArrayRef(edge.nodes).drop_front(edge.numOperands))
      wanted.push_back(nodes[node].sharding);
    Assignment assignment =
        chooseAssignment(edge.op, edge.rule, have, wanted, mesh, weights, /*uneven=*/true);
    total.sent += edge.trips * (assignment.costBytes - assignment.workBytes);
    total.work += edge.trips * assignment.workBytes;
  }
  return total;
}

FailureOr<PropagationChoice> propagateShardings(func::FuncOp func, const MeshSet &meshes,
                                                const WorkWeights &weights) {
  PropagationChoice choice;
  choice.propagation = std::make_unique<Propagation>(func, meshes);
  if (failed(choice.propagation->build()))
    return failure();
  choice.sweeps = choice.propagation->run();
  if (!choice.propagation->hasDonated())
    return choice;
  // Where data and parameters disagree about a value, the cheaper one leads. Only a clear gain
  // departs from the first answer.
  auto dataFirst = std::make_unique<Propagation>(func, meshes);
  dataFirst->setQuiet();
  if (failed(dataFirst->build()))
    return failure();
  choice.sweeps += dataFirst->run(/*dataFirst=*/true);
  if (dataFirst->sameAs(*choice.propagation))
    return choice;
  const Propagation::Cost before = choice.propagation->estimateCost(weights),
                          after = dataFirst->estimateCost(weights);
  if (after.sent + after.work < before.sent + before.work - before.sent / 20) {
    choice.propagation = std::move(dataFirst);
    choice.dataFirst = true;
  }
  return choice;
}

} // namespace tandem
