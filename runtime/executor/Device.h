// A virtual device: a resumable program counter and serial streams.
//
// The program counter walks the commands in program order. It issues stream commands to the
// queues of their streams and executes control commands itself; where one must wait (a predicate
// that is not computed yet, a full queue, the end of the step) it parks: its position is kept,
// the thread goes on with other work, and the completion it waits for resumes it.
//
// Events need no objects. The commands of a stream complete in the order of issue, so "the most
// recent signal of event e issued before this wait" is a pair (stream, how many commands were
// issued to it up to the signal), and it has completed when that many have. The pair is looked
// up when the waiting command is issued; from then on a later signal of e does not matter.
//
// Buffers that rotate with a loop are resolved at issue too, when the iteration is known.
//
// Locking: every member is guarded by `mutex`, except that the head of an active stream belongs
// to whoever executes it.
#ifndef TANDEM_RUNTIME_EXECUTOR_DEVICE_H
#define TANDEM_RUNTIME_EXECUTOR_DEVICE_H

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/base/WorkerPool.h"
#include "runtime/collectives/Collectives.h"
#include "runtime/executor/Commands.h"

namespace tandem::runtime {

class Device;
class Step;

// What a worker runs: the head of one stream of one device.
struct StreamTask : Task {
  StreamTask(Function run) : Task(run) {}
  Step *step = nullptr;
  Device *device = nullptr;
  uint32_t stream = 0;
};

struct StreamJoin : CollectiveJoin {
  Step *step = nullptr;
  Device *owner = nullptr;
  uint32_t stream = 0;
  std::vector<void *> pointers; // operands, then results
};

// A set of streams of one device.
using StreamMask = uint64_t;
inline StreamMask maskOf(uint32_t stream) { return StreamMask{1} << stream; }

struct Interval {
  int64_t begin, end;
};

// One executed command, for traces.
struct Execution {
  uint32_t command;
  int64_t begin, end;
  int64_t transfer; // collectives: the last arrival; else -1
};

class Device {
public:
  // Queue of one stream: the issued commands from the head on.
  struct Stream {
    uint64_t issued = 0;    // commands issued so far in this step
    uint64_t completed = 0; // of these, completed
    bool active = false;    // the head is being executed
    uint32_t turns = 1;     // how often the head, a sequence, has run; the executor's
    // Rings of kQueueCapacity entries.
    std::vector<uint32_t> commands;
    std::vector<StreamMask> waitMasks; // streams whose counts matter
    std::vector<uint64_t> waitCounts;  // [entry][stream]
    std::vector<uint64_t> rotations;   // [entry][n-th rotating reference]: slot x stride
    StreamTask task{nullptr};
    StreamJoin join;

    bool isEmpty() const { return issued == completed; }
    uint32_t headSlot() const { return static_cast<uint32_t>(completed % kQueueCapacity); }
  };

  // How far a stream's queue may run behind the program counter.
  static constexpr uint64_t kQueueCapacity = 128;

  Device(const ResolvedProgram &program, uint32_t index);

  // Back to the first command, with nothing issued. `singly`: without sequences.
  void reset(bool singly);

  // Issues commands until the program counter parks or ends; false when it ended. `abandon`
  // stops it early.
  bool advance(const std::atomic<bool> &abandon);
  // Streams whose head may start now and is not executing yet; marks them active.
  StreamMask takeReady();
  // The head of a stream has completed.
  void retireHead(Stream &stream) {
    ++stream.completed;
    stream.active = false;
  }
  // Has something completed that a parked program counter waits for?
  bool canResume() const {
    for (StreamMask mask = parkMask; mask != 0; mask &= mask - 1) {
      uint32_t stream = static_cast<uint32_t>(std::countr_zero(mask));
      if (streams[stream].completed < parkCounts[stream])
        return false;
    }
    return true;
  }

  // Addresses of a command's operands; `rotation` points to its resolved rotations.
  void resolve(const Command &command, const uint64_t *rotation, void **pointers) const {
    const Reference *reference = program.references.data() + command.firstReference;
    if (!command.rotates) {
      for (uint32_t i = 0; i < command.numReferences; ++i)
        pointers[i] = bases[reference[i].base] + reference[i].offset;
      return;
    }
    for (uint32_t i = 0; i < command.numReferences; ++i)
      pointers[i] = bases[reference[i].base] + reference[i].offset +
                    (reference[i].rotation ? *rotation++ : 0);
  }
  const Command &headCommand(const Stream &stream) const {
    return program.commands[stream.commands[stream.headSlot()]];
  }
  const uint64_t *headRotation(const Stream &stream) const {
    return stream.rotations.data() + stream.headSlot() * program.maxRotations;
  }

  // "is in all-gather ... and waits for ...", for errors. Takes the mutex.
  std::string describe();

  const ResolvedProgram &program;
  const uint32_t index;
  std::mutex mutex;
  std::vector<Stream> streams;
  std::vector<std::byte *> bases;
  bool ended = false;

  // Statistics of this step.
  std::vector<Interval> computing;        // ascending, disjoint
  std::vector<Execution> communicating;   // collectives, in the order of completion
  std::vector<uint64_t> collectiveCounts; // by collective
  std::vector<Execution> trace;
  uint64_t copies = 0, copyBytes = 0;
  std::atomic<uint64_t> executed{0}; // written under the mutex

private:
  bool executeControl(const Command &command, const std::atomic<bool> &abandon);
  bool parkUntilWaitsComplete(const Command &command);
  void parkUntil(uint32_t stream, uint64_t count) {
    parkMask |= maskOf(stream);
    parkCounts[stream] = count;
  }
  void issue(uint32_t commandIndex, const Command &command);
  void signal(uint32_t event, const Stream &stream, uint32_t streamIndex) {
    lastSignals[event] = stream.issued << kStreamBits | streamIndex;
  }
  uint64_t rotationBytes(const Rotation &rotation) const;

  bool singly = false;
  uint32_t programCounter = 0;
  StreamMask parkMask = 0; // streams the program counter waits for
  std::vector<uint64_t> parkCounts;
  std::vector<uint64_t> iterations; // by loop
  // By event: count << kStreamBits | stream; 0: not signalled yet.
  std::vector<uint64_t> lastSignals;
  static constexpr int kStreamBits = 6;
};

} // namespace tandem::runtime

#endif
