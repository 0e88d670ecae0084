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

// How long a worker without work polls before it sleeps: about the cost of a wake-up. Somewhat
// longer while tasks run elsewhere, which may end in work for it or be shared.
constexpr int64_t kPollNanoseconds = 10'000, kBusyPollNanoseconds = 100'000;

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
  offers = std::make_unique<Offer[]>(static_cast<size_t>(threads));
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

void WorkerPool::share(int64_t count, int64_t grain, Body body, void *context, bool wakeSleepers) {
  Offer &offer = offers[static_cast<size_t>(workerIndex)];
  offer.next.store(0, std::memory_order_relaxed);
  offer.count = count;
  offer.grain = grain;
  offer.body = body;
  offer.context = context;
  offer.open.store(true, std::memory_order_seq_cst);
  openOffers.fetch_add(1, std::memory_order_seq_cst);
  if (wakeSleepers && sleeping.load(std::memory_order_seq_cst) > 0) {
    // Whoever is about to sleep has seen the offer, or sleeps already.
    {
      std::lock_guard lock(mutex);
    }
    wake.notify_all();
  }
  for (;;) {
    int64_t begin = offer.next.fetch_add(grain, std::memory_order_relaxed);
    if (begin >= count)
      break;
    body(context, begin, std::min(begin + grain, count));
  }
  openOffers.fetch_sub(1, std::memory_order_relaxed);
  offer.open.store(false, std::memory_order_seq_cst);
  while (offer.helpers.load(std::memory_order_seq_cst) != 0)
    relax();
}

void WorkerPool::help() {
  for (size_t i = 0; i < workers.size(); ++i) {
    Offer &offer = offers[i];
    if (!offer.open.load(std::memory_order_relaxed))
      continue;
    offer.helpers.fetch_add(1, std::memory_order_seq_cst);
    if (offer.open.load(std::memory_order_seq_cst)) {
      while (!hasUrgent() && !hasNormal()) {
        int64_t begin = offer.next.fetch_add(offer.grain, std::memory_order_relaxed);
        if (begin >= offer.count)
          break;
        offer.body(offer.context, begin, std::min(begin + offer.grain, offer.count));
      }
    }
    offer.helpers.fetch_sub(1, std::memory_order_release);
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
          sleeping.fetch_add(1, std::memory_order_seq_cst);
          wake.wait(lock, [&] { return stopping || hasWork(); });
          sleeping.fetch_sub(1, std::memory_order_seq_cst);
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
    bool isBusy = outstanding.load(std::memory_order_relaxed) != 0;
    pollUntil = now() + (isBusy ? kBusyPollNanoseconds : kPollNanoseconds);
    idleCount.fetch_add(1, std::memory_order_relaxed);
    while (!hasUrgent() && !hasNormal() && now() < pollUntil) {
      if (openOffers.load(std::memory_order_relaxed) != 0) {
        help();
        pollUntil = now() + kBusyPollNanoseconds;
      }
      relax();
    }
    idleCount.fetch_sub(1, std::memory_order_relaxed);
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
