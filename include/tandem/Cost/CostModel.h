// Time and bytes of ops, the one cost model of every pass (DESIGN.md, D4).
//
// Integer picoseconds on one device; shapes are local. Formulas (sources in CostModel.cpp):
//   kernel      launch + max(memory bytes / bandwidth, scalar ops / rate, matmuls); where the
//   target
//               has a rate of its own for dots in kernels, these are added
//   gemm, conv  launch + max(flops / matmul rate of the type, memory bytes / bandwidth)
//   copy        launch + bytes / copy bandwidth
//   collective  by algorithm and link level, tandem/Cost/Collectives.h
//   loop        trip count (target's default when unknown) x one trip of its body
//   case        its dearest branch
// A measured profile (Profile.h) has the last word on kernels, gemms, convs, calls, copies and
// starts that it knows.
//
//   FailureOr<CostModel> cost = CostModel::forModule(module);
//   int64_t ps = cost->picoseconds(kernel);
//
// Immutable after construction, thread-safe.
#ifndef TANDEM_COST_COSTMODEL_H
#define TANDEM_COST_COSTMODEL_H

#include <memory>

#include "mlir/IR/BuiltinOps.h"
#include "tandem/Cost/Collectives.h"
#include "tandem/Cost/Profile.h"
#include "tandem/Cost/Target.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "llvm/Support/LogicalResult.h"

namespace tandem {

// What one execution of an op asks of its device.
struct Work {
  int64_t scalarOps = 0;         // element operations, dear functions counted several times
  int64_t matmulFlops = 0;       // of dots and convolutions
  int64_t memoryBytes = 0;       // read and written, operands and results once each
  int64_t matmulPicoseconds = 0; // of the flops, each at the rate of its type
  bool operator==(const Work &) const = default;
};

class CostModel {
public:
  explicit CostModel(Target target) : target(std::move(target)) {}

  // For the module's `tandem.target` (default "host"), every link replaced by
  // `tandem.emulated_link` ("latency=20us,bandwidth=25GB/s") when that is set, with the profile
  // whose text is `tandem.profile`. Errors are emitted on the module.
  static llvm::FailureOr<CostModel> forModule(mlir::ModuleOp module);

  const Target &getTarget() const { return target; }
  void setProfile(Profile measured) {
    profile = std::make_shared<const Profile>(std::move(measured));
  }

  // Time of one execution on the op's own engine; 0 for what does no work (done, yield).
  int64_t picoseconds(mlir::Operation *op) const;
  Work work(mlir::Operation *op) const;
  int64_t tripCount(LoopOp loop) const;

  static bool isCollective(mlir::Operation *op);
  static CollectiveKind kindOf(mlir::Operation *collective);
  // A device's whole payload: the operands, for all-gather the results.
  static int64_t fullBytes(mlir::Operation *collective);
  // Bytes that a device sends (tandem/Cost/Collectives.h).
  static int64_t wireBytes(mlir::Operation *collective);
  // Replica groups, or a permute's pairs; empty when there are none: all devices.
  static DeviceGroups deviceGroups(mlir::Operation *collective);
  // Devices of one group; 2 for a permute.
  static int64_t groupSize(mlir::Operation *collective);
  // The innermost link level that joins each of the collective's groups.
  unsigned linkLevel(mlir::Operation *collective) const;
  // Of collectives of one kind and the same groups, combined into one.
  CollectivePrice price(llvm::ArrayRef<mlir::Operation *> collectives) const;

private:
  int64_t predicted(mlir::Operation *op) const;

  Target target;
  std::shared_ptr<const Profile> profile; // null: there is none
};

} // namespace tandem

#endif // TANDEM_COST_COSTMODEL_H
