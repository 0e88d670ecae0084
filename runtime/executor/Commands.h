// A Program's commands with everything looked up: what a step walks.
//
// All tables are flat arrays. Dispatching a command touches its Command record, its references
// and the device's base addresses, and nothing else.
#ifndef TANDEM_RUNTIME_EXECUTOR_COMMANDS_H
#define TANDEM_RUNTIME_EXECUTOR_COMMANDS_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cpu/CustomCalls.h"
#include "runtime/cpu/Gemm.h"
#include "runtime/cpu/KernelLibrary.h"

namespace tandem::runtime {

// Address = bases[base] + offset, plus the slot's bytes where it rotates.
struct Reference {
  uint64_t offset;
  uint32_t base;     // arguments, results, temp, constants, in this order
  uint32_t rotation; // 1 + index in rotations, 0: none
};

struct Rotation {
  uint32_t loop;
  uint32_t slots;
  int64_t shift; // added to the iteration
  uint64_t stride;
};

struct Command {
  program::CommandBody kind;
  uint8_t stream;
  bool rotates; // some reference does
  int32_t signal;
  uint32_t firstReference, numReferences;
  uint32_t firstWait, numWaits;
  // Launch and Gemm: units of the work, and how many are worth handing to another worker; a
  // grain of zero: it is not divided.
  int64_t units, grain;
  bool wakes;        // it is worth waking one
  float nanoseconds; // the runtime's guess, 0 unknown
  // The command of the sequence that begins here; 0: none.
  uint32_t startsSequence;
  union {
    KernelFunction kernel;
    const GemmPlan *gemm;
    const CustomCallPlan *customCall;
    uint64_t bytes; // Copy
    uint32_t collective;
    uint32_t target; // Jump, JumpIfNot
    uint32_t loop;   // LoopBegin, LoopNext
    struct {
      uint32_t first, count;
    } targets;         // Switch
    uint32_t sequence; // NONE: a sequence
  };

  bool isControl() const { return kind >= program::CommandBody::Jump; }
};

// Commands that are dispatched as one, see Sequences.h.
struct Sequence {
  uint32_t begin, end; // commands
  bool repeats;        // while the i1 at `predicate` is true
  Reference predicate;
  uint32_t firstSignal, numSignals; // events that the commands signal
};

class ResolvedProgram {
public:
  // The program must be verified and outlive the result.
  static absl::StatusOr<std::unique_ptr<ResolvedProgram>>
  create(const program::ProgramT &program, GemmLibrary &gemms,
         const CustomCallRegistry &customCalls);

  const program::ProgramT &program;
  // Those of the program in its order, then one for each sequence.
  std::vector<Command> commands;
  std::vector<Sequence> sequences;
  std::vector<uint32_t> signals; // of sequences
  std::vector<Reference> references;
  std::vector<Rotation> rotations;
  std::vector<uint32_t> waits;
  std::vector<uint32_t> targets;

  // The command of the program that stands for commands[index], in messages and traces.
  uint32_t sourceOf(uint32_t index) const {
    const Command &command = commands[index];
    return command.kind == program::CommandBody::NONE ? sequences[command.sequence].begin : index;
  }

  uint32_t numBases = 0;
  uint32_t tempBase = 0, constantBase = 0;
  uint32_t maxReferences = 0; // of one command
  uint32_t maxRotations = 0;  // of one command
  uint32_t maxCustomCallArrays = 0;
  size_t gemmScratchBytes = 0;

private:
  explicit ResolvedProgram(const program::ProgramT &program) : program(program) {}
  absl::Status addCommand(const program::CommandT &source, GemmLibrary &gemms,
                          const CustomCallRegistry &customCalls);
  void addReference(Command &command, const program::BufferRef &ref);

  std::unique_ptr<KernelLibrary> kernels;
  std::map<std::string, std::shared_ptr<GemmPlan>> gemmPlans;
  std::vector<std::unique_ptr<CustomCallPlan>> customCallPlans;
};

} // namespace tandem::runtime

#endif
