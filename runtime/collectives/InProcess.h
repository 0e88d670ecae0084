// Collectives among devices that share this process's memory.
//
// The last device to arrive queues the data movement of its group as one urgent task; a worker
// moves the bytes for all of them. With an emulated link the completion waits for the wire on
// the pool's timer thread. No thread ever blocks.
#ifndef TANDEM_RUNTIME_COLLECTIVES_INPROCESS_H
#define TANDEM_RUNTIME_COLLECTIVES_INPROCESS_H

#include <optional>

#include "runtime/base/WorkerPool.h"
#include "runtime/collectives/Collectives.h"
#include "tandem/Runtime/EmulatedLink.h"

namespace tandem::runtime {

class InProcessBackend : public CollectiveBackend {
public:
  // The pool must outlive the backend's sessions.
  InProcessBackend(WorkerPool &pool, std::optional<EmulatedLink> link) : pool(pool), link(link) {}

  absl::StatusOr<std::unique_ptr<CollectiveSession>>
  load(absl::Span<const std::unique_ptr<program::CollectiveOpT>> ops, uint32_t numDevices,
       CollectiveObserver &observer) override;

private:
  WorkerPool &pool;
  std::optional<EmulatedLink> link;
};

} // namespace tandem::runtime

#endif
