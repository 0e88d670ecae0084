// Worker threads, a fair queue of tasks, and timers.
//
//   struct Work : Task { ... };
//   pool.push(&work, WorkerPool::Normal);          // runs work.run(&work) on some worker
//   pool.pushAt(&work, WorkerPool::now() + 20000); // ... on the timer thread, 20 us from now
//
// Tasks are intrusive: pushing allocates nothing, and a task must not be pushed again before it
// has begun to run. Urgent tasks (data movement of collectives and copies: engines of their own
// on a real device) go before normal ones; both queues are first in, first out.
//
// Timers run on one thread of their own, which sleeps until the earliest deadline and does no
// other work: a worker never sleeps while a task is queued, and a deadline is met while all
// workers are busy in long kernels. A timer's task must be short.
//
// Quiescence: the pool counts tasks that are queued, running or timed. When the count falls to
// zero the idle handler runs on the thread that finished last: nothing can happen any more
// unless somebody outside pushes. This is how a step ends, and how a stalled one is noticed.
//
// Sharing: a worker that runs a long task may offer the rest of it to workers that have nothing to
// do. They take pieces until none is left or a task of their own turns up, so that there are never
// more threads at work than workers:
//
//   pool.share(rows, 16, [](void *context, int64_t begin, int64_t end) { ... }, &work, true);
//
// All members may be called from any thread unless they say otherwise.
#ifndef TANDEM_RUNTIME_BASE_WORKERPOOL_H
#define TANDEM_RUNTIME_BASE_WORKERPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace tandem::runtime {

struct Task {
  using Function = void (*)(Task *task);

  explicit Task(Function run) : run(run) {}

  Function run;
  Task *next = nullptr;
  int64_t deadline = 0;
};

class WorkerPool {
public:
  enum Priority { Urgent, Normal };
  static constexpr int kNoWorker = -1;

  // `onStart` runs first on every worker thread.
  explicit WorkerPool(int threads, void (*onStart)() = nullptr);
  ~WorkerPool(); // the pool must be quiescent

  int size() const { return static_cast<int>(workers.size()); }

  // Monotonic nanoseconds.
  static int64_t now();
  // Index of the calling worker, kNoWorker on other threads.
  static int currentWorker();

  void push(Task *task, Priority priority);
  void pushAt(Task *task, int64_t deadline);
  // All timers are due from now on, new ones too, until called with false.
  void expireTimers(bool expire);

  // For a task that runs for long: is an urgent task waiting? One relaxed load.
  bool hasUrgent() const { return urgentCount.load(std::memory_order_relaxed) != 0; }
  bool hasNormal() const { return normalCount.load(std::memory_order_relaxed) != 0; }
  // Runs the urgent tasks that wait, on this worker.
  void runUrgent();

  // Is a worker without work, so that share() with this `wake` may find help?
  bool hasIdle(bool wake) const {
    return idleCount.load(std::memory_order_relaxed) != 0 ||
           (wake && sleeping.load(std::memory_order_relaxed) != 0);
  }
  // Calls body(context, begin, end) for pieces of at most `grain` that make up [0, count), on this
  // worker and on idle ones; returns when all are done. `wake`: sleeping workers too. Workers only,
  // and not from within a body.
  using Body = void (*)(void *context, int64_t begin, int64_t end);
  void share(int64_t count, int64_t grain, Body body, void *context, bool wake);

  // Counts as a task until released, so that the pool is not idle while work is being pushed.
  void hold() { outstanding.fetch_add(1, std::memory_order_relaxed); }
  void release() { finish(); }

  // Set while the pool is quiescent.
  void setIdleHandler(void (*handler)(void *context), void *context);

private:
  struct Queue {
    Task *head = nullptr;
    Task **tail = &head;
    bool empty() const { return !head; }
    void append(Task *task);
    Task *take();
  };

  // What one worker shares. Helpers count themselves in before they look whether it is open, and
  // the owner waits for them after it has closed it, so that an open offer does not change.
  struct alignas(64) Offer {
    std::atomic<bool> open{false};
    std::atomic<int> helpers{0};
    std::atomic<int64_t> next{0};
    int64_t count = 0, grain = 1;
    Body body = nullptr;
    void *context = nullptr;
  };

  void help();
  bool hasWork() const {
    return hasUrgent() || hasNormal() || openOffers.load(std::memory_order_seq_cst) != 0;
  }
  void workerLoop(int index, void (*onStart)());
  void timerLoop();
  Task *takeLocked(bool urgentOnly);
  void finish();

  std::atomic<int64_t> outstanding{0};
  void (*idleHandler)(void *) = nullptr;
  void *idleContext = nullptr;

  std::mutex mutex; // guards the queues and `sleeping`
  std::condition_variable wake;
  Queue urgent, normal;
  std::atomic<int> sleeping{0}; // changes under the mutex
  bool stopping = false;
  std::atomic<uint32_t> urgentCount{0}, normalCount{0};
  std::atomic<int> idleCount{0}, openOffers{0};
  std::unique_ptr<Offer[]> offers; // by worker

  std::mutex timerMutex; // guards the heap
  std::condition_variable timerWake;
  std::vector<Task *> timers; // a heap, earliest first
  bool allDue = false;
  std::thread timerThread; // started with the first timer

  std::vector<std::thread> workers;
};

} // namespace tandem::runtime

#endif
