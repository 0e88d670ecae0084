// What one instruction of an HLO module asks of its device: flops, bytes, and which operands and
// results share bytes. Shapes are a device's.
//
//   HloWork work(module, target);
//   ItemCost cost = work.compute(*instruction);
//
// Bytes: every operand is read once and every output written once at the instruction's boundary,
// except: slice, dynamic-slice and gather read only what they take; dynamic-update-slice writes
// the update into its buffer and reads nothing there; scatter moves twice its updates. In a fusion
// this holds if the sliced value is a parameter and, for updates, the op also an output. Free:
// parameter, constant, tuple, get-tuple-element, bitcast, reshape and the like.
#pragma once

#include "tandem/Cost/Collectives.h"
#include "tandem/Cost/Schedule.h"
#include "tandem/Cost/Target.h"
#include "tandem/Import/Hlo.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <optional>

namespace tandem {

class HloWork {
public:
  HloWork(const hlo::Module &module, const Target &target) : module(module), target(target) {}

  // As an instruction of the compute engine (or of the copy engine, by its hostBytes).
  ItemCost compute(const hlo::Instruction &instruction);
  // Of what is a collective or starts one.
  struct Collective {
    CollectiveKind kind;
    llvm::StringRef name;
    int64_t bytes = 0, operands = 0, picoseconds = 0;
    DeviceGroups groups;
    GroupShape shape;
    std::map<llvm::StringRef, int64_t> wireBytes; // by element type
    llvm::StringRef algorithm;
  };
  std::optional<Collective> collective(const hlo::Instruction &instruction);
  // (operand number, result leaf number) pairs in one buffer.
  std::vector<std::pair<int64_t, int64_t>> inPlace(const hlo::Instruction &instruction);
  // The same for a result that may be written over an operand that dies there.
  std::vector<std::pair<int64_t, int64_t>> mayTakeOver(const hlo::Instruction &instruction);
  std::optional<int64_t> tripCount(const hlo::Instruction &loop);
  static bool isFree(hlo::Opcode opcode);
  static bool isAlias(hlo::Opcode opcode);
  // The computation that the instruction runs as one kernel, or null.
  static const hlo::Computation *fused(const hlo::Instruction &instruction);

  std::map<std::string, int64_t> warnings; // what was costed by a default rule, how often

private:
  using Instructions = llvm::SmallVector<const hlo::Instruction *, 2>;
  const Instructions &users(const hlo::Instruction &instruction);
  struct Chain {
    const hlo::Instruction *parameter = nullptr; // updated in place
    int64_t moved = 0;
    Instructions ops;
  };
  static Chain updateChain(const hlo::Instruction *instruction);
  struct Flops {
    int64_t flops = 0, picoseconds = 0;
  };
  Flops flops(const hlo::Instruction &instruction);
  int64_t readBytes(const hlo::Instruction &value,
                    llvm::ArrayRef<const hlo::Instruction *> inPlaceOps);
  std::pair<int64_t, int64_t> traffic(const hlo::Instruction &instruction);

  const hlo::Module &module;
  const Target &target;
  llvm::DenseMap<const hlo::Instruction *, Instructions> userLists;
  llvm::DenseMap<const hlo::Computation *, bool> haveUsers;
};

} // namespace tandem
