// One interface for all ways of doing collectives.
//
//   std::unique_ptr<CollectiveSession> session = *backend.load(program.collectives, 8, observer);
//   session->begin();               // a step begins
//   session->join(&join);           // a device's communication stream has reached a collective
//   ... join.complete(&join) ...    // its results are written
//   session->leave(device);         // the device's program has ended
//
// No function blocks on other devices. Every group of devices that communicate over one link
// level is a communicator; its devices must issue the same collectives in the same order, one at
// a time (their streams are serial). A session checks this: a mismatch, or a device that ends
// without joining, is reported to the observer, never a hang.
//
// Sums are formed in rank order, so that results are bitwise repeatable. A result may coincide
// with an operand of the same device exactly where kinds keep shapes (all-reduce, permute,
// broadcast); other overlaps are not allowed.
#ifndef TANDEM_RUNTIME_COLLECTIVES_COLLECTIVES_H
#define TANDEM_RUNTIME_COLLECTIVES_COLLECTIVES_H

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tandem/Runtime/Program.h"

namespace tandem::runtime {

// One device's part in one collective; owned by the caller, not moved until complete() runs.
struct CollectiveJoin {
  uint32_t device = 0;
  uint32_t op = 0;                 // collectives[op] of the Program
  void *const *operands = nullptr; // pointers valid until complete() runs
  void *const *results = nullptr;
  int64_t arrivalNanoseconds = 0; // WorkerPool::now()'s clock
  // Runs once, on any thread, with no lock of the session held; may call join() and leave().
  // Does not run when the step fails.
  void (*complete)(CollectiveJoin *join) = nullptr;

  // Set before complete(): when the last device arrived, and when the collective ended.
  int64_t transferNanoseconds = 0;
  int64_t endNanoseconds = 0;
};

// A collective that some devices wait in.
struct PendingCollective {
  uint32_t op = 0;
  std::vector<uint32_t> arrived; // ascending
  std::vector<uint32_t> missing; // ascending
};

// Called on any thread with no lock of the session held; at least once per failed step. The step
// is over for the session: the caller lets running tasks end and then calls begin() or destroys it.
class CollectiveObserver {
public:
  virtual ~CollectiveObserver() = default;

  // `other`, negative if none, is a collective that a device issued in place of pending.op.
  virtual void collectiveFailed(const PendingCollective &pending, int64_t other,
                                uint32_t otherDevice) = 0;
};

// The collectives of one Program on one set of devices.
class CollectiveSession {
public:
  virtual ~CollectiveSession() = default;

  // Forgets everything about the last step. Nothing of it may be running.
  virtual void begin() = 0;
  virtual void join(CollectiveJoin *join) = 0;
  virtual void leave(uint32_t device) = 0;
  // What waits now, in the order of communicators; for messages about a step that stalled.
  virtual std::vector<PendingCollective> pending() = 0;
};

class CollectiveBackend {
public:
  virtual ~CollectiveBackend() = default;

  // Prepares the collectives of a verified program. The ops and the observer must outlive the
  // session.
  virtual absl::StatusOr<std::unique_ptr<CollectiveSession>>
  load(absl::Span<const std::unique_ptr<program::CollectiveOpT>> ops, uint32_t numDevices,
       CollectiveObserver &observer) = 0;
};

} // namespace tandem::runtime

#endif
