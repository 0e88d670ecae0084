// Time and bytes of ops, the one cost model of every pass (DESIGN.md, D4).
//
// Integer picoseconds on one device; shapes are local. Formulas (sources in CostModel.cpp):
//   kernel      launch + max(memory bytes / bandwidth, scalar ops / rate) + matmul flops / rate
//   gemm, conv  launch + max(flops / matmul rate of the type, memory bytes / bandwidth)
//   copy        launch + bytes / copy bandwidth
//   collective  latency of the link level + wire bytes / its bandwidth
//   loop        trip count (target's default when unknown) x one trip of its body
//   case        its dearest branch
//
//   FailureOr<CostModel> cost = CostModel::forModule(module);
//   int64_t ps = cost->picoseconds(kernel);
//
// Immutable after construction, thread-safe.
#ifndef TANDEM_COST_COSTMODEL_H
#define TANDEM_COST_COSTMODEL_H

#include "llvm/Support/LogicalResult.h"
#include "mlir/IR/BuiltinOps.h"
#include "tandem/Cost/Target.h"
#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {

// What one execution of an op asks of its device.
struct Work {
  int64_t scalarOps = 0;    // element operations, dear functions counted several times
  int64_t matmulFlops = 0;  // of dots and convolutions
  int64_t memoryBytes = 0;  // read and written, operands and results once each
  bool operator==(const Work &) const = default;
};

class CostModel {
 public:
  explicit CostModel(Target target) : target(std::move(target)) {}

  // For the module's `tandem.target` (default "host"), every link replaced by
  // `tandem.emulated_link` ("latency=20us,bandwidth=25GB/s") when that is set. Errors are
  // emitted on the module.
  static llvm::FailureOr<CostModel> forModule(mlir::ModuleOp module);

  const Target &getTarget() const { return target; }

  // Time of one execution on the op's own engine; 0 for what does no work (done, yield).
  int64_t picoseconds(mlir::Operation *op) const;
  Work work(mlir::Operation *op) const;
  int64_t tripCount(LoopOp loop) const;

  // Bytes that a device sends for a collective over g devices with B bytes of operands on a
  // device: all-reduce 2B(g-1)/g, all-gather B(g-1), reduce-scatter and all-to-all B(g-1)/g,
  // permute and broadcast B.
  static int64_t wireBytes(mlir::Operation *collective);
  static bool isCollective(mlir::Operation *op);
  // Devices of one group; 2 for a permute.
  static int64_t groupSize(mlir::Operation *collective);
  // The innermost link level that joins each of the collective's groups.
  unsigned linkLevel(mlir::Operation *collective) const;

 private:
  Target target;
};

}  // namespace tandem

#endif  // TANDEM_COST_COSTMODEL_H
