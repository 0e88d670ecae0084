// The backends that the conformance suite runs against.
//
// To add one: a fixture that makes its sessions, and a line in
// allCollectiveFixtures(). A backend whose hardware or library is missing says
// so through skipReason(), and its tests are skipped.
#ifndef TANDEM_TESTS_CONFORMANCE_BACKENDS_H
#define TANDEM_TESTS_CONFORMANCE_BACKENDS_H

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/base/WorkerPool.h"
#include "runtime/collectives/Collectives.h"

namespace tandem::runtime {

// A backend with what it needs to run in a test.
class CollectiveFixture {
public:
  virtual ~CollectiveFixture() = default;
  virtual CollectiveBackend &backend() = 0;
  // Runs `issue` and returns when nothing is left to happen.
  virtual void runUntilIdle(const std::function<void()> &issue) = 0;
};

struct CollectiveFixtureEntry {
  std::string name;
  std::function<std::string()> skipReason; // empty: available
  std::function<std::unique_ptr<CollectiveFixture>()> make;
};

std::vector<CollectiveFixtureEntry> allCollectiveFixtures();

} // namespace tandem::runtime

#endif
