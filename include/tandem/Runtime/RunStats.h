// What a step did and how long it took.
#ifndef TANDEM_RUNTIME_RUNSTATS_H
#define TANDEM_RUNTIME_RUNSTATS_H

#include <cstdint>
#include <vector>

#include "tandem/Runtime/Program.h"

namespace tandem::runtime {

struct RunStats {
  // One row per kind and element type (of the first operand), in that order.
  struct CollectiveRow {
    program::CollectiveKind kind;
    program::DType dtype;
    // Per device, for the device with the most; every trip of a loop counts.
    uint64_t count = 0;     // collectives issued
    uint64_t operands = 0;  // arrays in them (a combined collective has several)
    uint64_t wireBytes = 0; // sent, by the cost model's formula
  };
  std::vector<CollectiveRow> collectives;

  double stepSeconds = 0; // wall time of the step

  // Copy commands of the program, and copies made because an aliased argument was not donated;
  // sums over the devices.
  uint64_t copies = 0;
  uint64_t copyBytes = 0;
  uint64_t undonatedCopies = 0;
  uint64_t undonatedCopyBytes = 0;
  uint64_t commands = 0; // stream commands executed, all devices

  // Per device: arguments + results with bytes of their own + temporaries.
  uint64_t argumentBytes = 0;
  uint64_t resultBytes = 0;
  uint64_t tempBytes = 0;
  uint64_t peakBytes() const { return argumentBytes + resultBytes + tempBytes; }
  uint64_t constantBytes = 0; // one copy for all devices

  // Sums over the devices. A collective communicates from the arrival of its last device to its
  // completion, and waits from a device's own arrival to that of the last one. Hidden is the
  // part of communication during which the same device's compute stream was busy.
  double computeSeconds = 0;
  double communicationSeconds = 0;
  double hiddenSeconds = 0;
  double waitSeconds = 0;

  // 0 .. 1; 1 when there is no communication.
  double hiddenShare() const {
    return communicationSeconds > 0 ? hiddenSeconds / communicationSeconds : 1;
  }
};

} // namespace tandem::runtime

#endif
