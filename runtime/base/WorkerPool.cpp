// Worker threads and the timer thread.
#include "runtime/base/WorkerPool.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <ctime>
#include <sys/prctl.h>

namespace tandem::runtime {
namespace {

thread_local int workerIndex = WorkerPool::kNoWorker;

// How long a worker without work polls before it sleeps: about the cost of a wake-up.
constexpr int64_t kPollNanoseconds = 10'000;

bool laterDeadline(const Task *a, const Task *b) { return a->deadline > b->deadline; }

inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

} // namespace

int64_t WorkerPool::now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

int WorkerPool::currentWorker() { return workerIndex; }

void WorkerPool::Queue::append(Task *task) {
  task->next = nullptr;
  *tail = task;
  tail = &task->next;
}

Task *WorkerPool::Queue::take() {
  Task *task = head;
  head = task->next;
  if (!head)
    tail = &head;
  return task;
}

WorkerPool::WorkerPool(int threads, void (*onStart)()) {
  assert(threads > 0);
  for (int i = 0; i < threads; ++i)
    workers.emplace_back([this, i, onStart] { workerLoop(i, onStart); });
}

WorkerPool::~WorkerPool() {
  assert(outstanding.load() == 0);
  {
    std::scoped_lock lock(mutex, timerMutex);
    stopping = true;
  }
  wake.notify_all();
  timerWake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
  if (timerThread.joinable())
    timerThread.join();
}

void WorkerPool::push(Task *task, Priority priority) {
  outstanding.fetch_add(1, std::memory_order_relaxed);
  bool wakeOne;
  {
    std::lock_guard lock(mutex);
    if (priority == Urgent) {
      urgent.append(task);
      urgentCount.fetch_add(1, std::memory_order_relaxed);
    } else {
      normal.append(task);
      normalCount.fetch_add(1, std::memory_order_relaxed);
    }
    wakeOne = sleeping > 0;
  }
  if (wakeOne)
    wake.notify_one();
}

Task *WorkerPool::takeLocked(bool urgentOnly) {
  if (!urgent.empty()) {
    urgentCount.fetch_sub(1, std::memory_order_relaxed);
    return urgent.take();
  }
  if (urgentOnly || normal.empty())
    return nullptr;
  normalCount.fetch_sub(1, std::memory_order_relaxed);
  return normal.take();
}

void WorkerPool::runUrgent() {
  while (hasUrgent()) {
    Task *task;
    {
      std::lock_guard lock(mutex);
      task = takeLocked(/*urgentOnly=*/true);
    }
    if (!task)
      return;
    task->run(task);
    finish();
  }
}

void WorkerPool::finish() {
  // Everything the finished tasks did happens before the idle handler.
  if (outstanding.fetch_sub(1, std::memory_order_acq_rel) == 1 && idleHandler)
    idleHandler(idleContext);
}

void WorkerPool::setIdleHandler(void (*handler)(void *), void *context) {
  assert(outstanding.load() == 0);
  idleHandler = handler;
  idleContext = context;
}

void WorkerPool::workerLoop(int index, void (*onStart)()) {
  workerIndex = index;
  if (onStart)
    onStart();
  int64_t pollUntil = 0;
  for (;;) {
    Task *task;
    {
      std::unique_lock lock(mutex);
      task = takeLocked(/*urgentOnly=*/false);
      if (!task) {
        if (stopping)
          return;
        if (pollUntil != 0 && now() >= pollUntil) {
          ++sleeping;
          wake.wait(lock, [&] { return stopping || !urgent.empty() || !normal.empty(); });
          --sleeping;
          pollUntil = 0;
          continue;
        }
      }
    }
    if (task) {
      task->run(task);
      finish();
      pollUntil = 0;
      continue;
    }
    pollUntil = now() + kPollNanoseconds;
    while (!hasUrgent() && !hasNormal() && now() < pollUntil)
      relax();
  }
}

void WorkerPool::pushAt(Task *task, int64_t deadline) {
  outstanding.fetch_add(1, std::memory_order_relaxed);
  task->deadline = deadline;
  bool isEarliest;
  {
    std::lock_guard lock(timerMutex);
    timers.push_back(task);
    std::push_heap(timers.begin(), timers.end(), laterDeadline);
    isEarliest = timers.front() == task;
    if (!timerThread.joinable())
      timerThread = std::thread([this] { timerLoop(); });
  }
  if (isEarliest)
    timerWake.notify_one();
}

void WorkerPool::expireTimers(bool expire) {
  {
    std::lock_guard lock(timerMutex);
    allDue = expire;
  }
  timerWake.notify_one();
}

void WorkerPool::timerLoop() {
  // The default slack of 50 us is as long as the latencies that are emulated.
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  std::unique_lock lock(timerMutex);
  while (!stopping) {
    if (timers.empty()) {
      timerWake.wait(lock);
      continue;
    }
    int64_t wait = timers.front()->deadline - now();
    if (wait > 0 && !allDue) {
      timerWake.wait_until(lock, std::chrono::steady_clock::now() + std::chrono::nanoseconds(wait));
      continue;
    }
    std::pop_heap(timers.begin(), timers.end(), laterDeadline);
    Task *task = timers.back();
    timers.pop_back();
    lock.unlock();
    task->run(task);
    finish();
    lock.lock();
  }
}

} // namespace tandem::runtime
