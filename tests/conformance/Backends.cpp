// In-process collectives, with and without an emulated link.
#include "tests/conformance/Backends.h"

#include <condition_variable>
#include <mutex>

#include "runtime/collectives/InProcess.h"

namespace tandem::runtime {
namespace {

class InProcessFixture : public CollectiveFixture {
public:
  InProcessFixture(int threads, std::optional<EmulatedLink> link)
      : pool(threads), inProcess(pool, link) {}

  CollectiveBackend &backend() override { return inProcess; }

  void runUntilIdle(const std::function<void()> &issue) override {
    idle = false;
    pool.setIdleHandler(
        [](void *context) {
          InProcessFixture &self = *static_cast<InProcessFixture *>(context);
          std::lock_guard lock(self.mutex);
          self.idle = true;
          self.condition.notify_one();
        },
        this);
    pool.hold();
    issue();
    pool.release();
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return idle; });
    lock.unlock();
    pool.setIdleHandler(nullptr, nullptr);
  }

private:
  WorkerPool pool;
  InProcessBackend inProcess;
  std::mutex mutex;
  std::condition_variable condition;
  bool idle = false;
};

CollectiveFixtureEntry inProcess(std::string name, int threads, std::optional<EmulatedLink> link) {
  return {std::move(name), [] { return std::string(); },
          [=] { return std::make_unique<InProcessFixture>(threads, link); }};
}

} // namespace

std::vector<CollectiveFixtureEntry> allCollectiveFixtures() {
  return {inProcess("InProcess", 2, std::nullopt),
          inProcess("InProcessEmulatedLink", 2, EmulatedLink{2'000, 100e9})};
}

} // namespace tandem::runtime
