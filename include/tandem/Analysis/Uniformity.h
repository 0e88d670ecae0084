// Which devices are sure to hold the same value.
//
// An abstract execution of a per-device program (tandem loops and cases, everything else as
// after phase 3 or 4) for all devices at once. Of each value it knows
//   - classes: devices of one class hold equal values. Constants have one class; an argument
//     as many as its sharding has tiles; an all-reduce's result is equal within a group;
//     any other op's result is equal where all of its operands are;
//   - for integer scalars and splats computed from constants and the device's index alone: the
//     value on each device.
//
// Example, two devices, %x replicated:
//   %d = stablehlo.partition_id               classes {0} {1}, values 0, 1
//   %e = stablehlo.compare EQ, %d, %c0        classes {0} {1}, values true, false
//   %s = stablehlo.add %x, %x                 class {0, 1}
//
// Loops run to the fixpoint of their carried values; a loop with collectives whose predicate is
// not proved uniform is also executed step by step, as long as its predicate is known.
// Complexity: O(ops x devices x depth of loops x rounds to a fixpoint). Holds pointers into the
// module, which must not change meanwhile. Not for concurrent use.
#pragma once

#include "tandem/IR/Tandem/Tandem.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlir {
class FunctionOpInterface;
}

namespace tandem {

class Uniformity {
public:
  /// Executes `function`, which is what each of `numDevices` devices runs.
  Uniformity(mlir::FunctionOpInterface function, int64_t numDevices);

  enum class Verdict { Uniform, Differs, Unknown };
  struct Answer {
    Verdict verdict;
    /// Two devices of the group and their values, when they differ.
    int64_t deviceA = 0, deviceB = 0;
    int64_t valueA = 0, valueB = 0;
  };

  /// Whether the predicates of a loop (the initial one and every next one), or the index of a
  /// case, are the same on all devices of `group`.
  Answer judge(mlir::Operation *loopOrCase, llvm::ArrayRef<int64_t> group) const;

  /// One number per device, equal ones for devices that hold equal values. `value` is a tensor.
  llvm::ArrayRef<unsigned> getClasses(mlir::Value value) const;

  /// The groups of devices that the collectives of a start connect (the pairs of a permute).
  static llvm::SmallVector<llvm::SmallVector<int64_t>> getGroups(StartOp start);

private:
  struct Info {
    llvm::SmallVector<unsigned> classes;
    std::optional<llvm::SmallVector<llvm::APInt>> known;
    bool operator==(const Info &) const = default;
  };
  using Infos = llvm::SmallVector<Info>; // of a future, one per element; of a tensor, one

  Info uniform() const;
  Info distinct() const;
  void refine(Info &info, const Info &by) const;
  void join(Infos &into, const Infos &other) const;
  Info ofArgument(mlir::FunctionOpInterface function, unsigned index) const;
  const Infos &lookup(mlir::Value value);

  void execute(mlir::Block &block);
  void execute(mlir::Operation *op);
  void executeStart(StartOp start);
  void executeLoop(LoopOp loop);
  void executeCase(CaseOp op);
  void trace(LoopOp loop);
  Info collective(mlir::Operation *op, const Info &operand) const;
  std::optional<llvm::SmallVector<llvm::APInt>> evaluate(mlir::Operation *op);

  int64_t numDevices;
  llvm::DenseMap<mlir::Value, Infos> infos;
  /// Predicates of loops in the order in which trace() met them.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Info>> traces;
  int64_t traceBudget;
};

} // namespace tandem
