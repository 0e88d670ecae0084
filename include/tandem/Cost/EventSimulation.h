// Prices an order of ops by playing it: the judge of every schedule (DESIGN.md, D5).
//
// Engines: the host, which issues ops in order and blocks only on predicates of loops and
// indices of cases; compute; the copy stream; one wire per link level. An engine does its items
// in the order of issue, each when the engine is free and its operands are ready. A done does
// no work: its readers wait for the future. Example, wire 5, kernels 3 each:
//
//   start f | kernel a | done f | kernel b(f)      step 8: b waits from 3 to 5, exposed 2
//
// A loop costs trips x one trip of its body, alone; it occupies compute, and the wires that its
// body uses, from its begin to its end. A case costs its dearest branch. Cost: linear in ops.
#ifndef TANDEM_COST_EVENTSIMULATION_H
#define TANDEM_COST_EVENTSIMULATION_H

#include "mlir/IR/Block.h"
#include "tandem/Cost/CostModel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tandem {

// All in picoseconds, loops counted as often as they run.
struct SimulatedTime {
  int64_t step = 0;          // from the first issue to the end of the last item
  int64_t compute = 0;       // work of the compute engine
  int64_t communication = 0; // work of wires and the copy stream
  // Time in which the compute engine had nothing to do: communication that nothing hid.
  int64_t exposed() const { return step - compute; }
};

class EventSimulation {
public:
  explicit EventSimulation(const CostModel &cost) : cost(cost) {}

  // The block's ops in the order given; bodies in the order they have.
  SimulatedTime run(llvm::ArrayRef<mlir::Operation *> order);
  SimulatedTime run(mlir::Block &block);

  // Time of one execution on its engine; remembered, as the bodies of loops are. Call forget
  // after changing the order of a body.
  int64_t duration(mlir::Operation *op);
  // Bit per link level that the op uses; bit 63 the copy stream.
  uint64_t wires(mlir::Operation *op) { return item(op).wires; }
  void forget(mlir::Operation *op) { remembered.erase(op); }

private:
  struct Item {
    SimulatedTime time;
    uint64_t wires = 0; // bit per link level used; bit 63 the copy stream
  };
  Item item(mlir::Operation *op);

  const CostModel &cost;
  llvm::DenseMap<mlir::Operation *, Item> remembered;
};

} // namespace tandem

#endif // TANDEM_COST_EVENTSIMULATION_H
