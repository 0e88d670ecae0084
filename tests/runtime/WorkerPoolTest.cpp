// The pool: every task runs once, urgent ones first, timers in order,
// quiescence.
#include "runtime/base/WorkerPool.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <vector>

#include <gtest/gtest.h>

namespace tandem::runtime {
namespace {

// Waits until the pool is quiescent.
class IdleWaiter {
public:
  explicit IdleWaiter(WorkerPool &pool) : pool(pool) {
    pool.setIdleHandler(
        [](void *context) {
          IdleWaiter &self = *static_cast<IdleWaiter *>(context);
          std::lock_guard lock(self.mutex);
          self.idle = true;
          self.condition.notify_one();
        },
        this);
    pool.hold();
  }
  void wait() {
    pool.release();
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return idle; });
    lock.unlock();
    pool.setIdleHandler(nullptr, nullptr);
  }

private:
  WorkerPool &pool;
  std::mutex mutex;
  std::condition_variable condition;
  bool idle = false;
};

struct Chain : Task {
  Chain(WorkerPool &pool, std::atomic<int> &count, int length)
      : Task([](Task *task) {
          Chain &self = *static_cast<Chain *>(task);
          ++self.count;
          if (--self.length > 0)
            self.pool.push(task, WorkerPool::Normal);
        }),
        pool(pool), count(count), length(length) {}
  WorkerPool &pool;
  std::atomic<int> &count;
  int length;
};

TEST(WorkerPool, runsEveryTaskOnceAndBecomesIdle) {
  for (int threads : {1, 2, 4}) {
    WorkerPool pool(threads);
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> count{0};
      std::deque<Chain> chains;
      IdleWaiter waiter(pool);
      for (int i = 0; i < 10; ++i)
        pool.push(&chains.emplace_back(pool, count, 100), WorkerPool::Normal);
      waiter.wait();
      EXPECT_EQ(count, 1000);
    }
  }
}

struct Recorder : Task {
  Recorder(std::vector<int> &order, int id)
      : Task([](Task *task) {
          Recorder &self = *static_cast<Recorder *>(task);
          self.order.push_back(self.id);
        }),
        order(order), id(id) {}
  std::vector<int> &order;
  int id;
};

// Pushes others while the only worker is busy with it.
struct Pusher : Task {
  Pusher(WorkerPool &pool, std::deque<Recorder> &others)
      : Task([](Task *task) {
          Pusher &self = *static_cast<Pusher *>(task);
          for (size_t i = 0; i < self.others.size(); ++i)
            self.pool.push(&self.others[i], i < 2 ? WorkerPool::Normal : WorkerPool::Urgent);
        }),
        pool(pool), others(others) {}
  WorkerPool &pool;
  std::deque<Recorder> &others;
};

TEST(WorkerPool, urgentTasksGoFirstAndOrderIsKept) {
  WorkerPool pool(1);
  std::vector<int> order;
  std::deque<Recorder> recorders;
  for (int i = 0; i < 4; ++i)
    recorders.emplace_back(order, i);
  Pusher pusher(pool, recorders);
  IdleWaiter waiter(pool);
  pool.push(&pusher, WorkerPool::Normal);
  waiter.wait();
  EXPECT_EQ(order, (std::vector<int>{2, 3, 0, 1}));
}

TEST(WorkerPool, timersFireInOrderAndNotEarly) {
  WorkerPool pool(1);
  std::vector<int> order; // written by the timer thread alone
  std::deque<Recorder> recorders;
  for (int i = 0; i < 5; ++i)
    recorders.emplace_back(order, i);
  int64_t begin = WorkerPool::now();
  {
    IdleWaiter waiter(pool);
    for (int i = 0; i < 5; ++i)
      pool.pushAt(&recorders[static_cast<size_t>(i)], begin + (5 - i) * 2'000'000);
    waiter.wait();
  }
  EXPECT_EQ(order, (std::vector<int>{4, 3, 2, 1, 0}));
  EXPECT_GE(WorkerPool::now() - begin, 10'000'000);
}

TEST(WorkerPool, timersCanBeExpired) {
  WorkerPool pool(1);
  std::vector<int> order;
  Recorder recorder(order, 7);
  IdleWaiter waiter(pool);
  pool.pushAt(&recorder, WorkerPool::now() + 3'600'000'000'000);
  pool.expireTimers(true);
  waiter.wait();
  EXPECT_EQ(order, std::vector<int>{7});
}

TEST(WorkerPool, workersKnowTheirIndex) {
  EXPECT_EQ(WorkerPool::currentWorker(), WorkerPool::kNoWorker);
  WorkerPool pool(1);
  static int seen;
  seen = -2;
  Task task([](Task *) { seen = WorkerPool::currentWorker(); });
  IdleWaiter waiter(pool);
  pool.push(&task, WorkerPool::Normal);
  waiter.wait();
  EXPECT_EQ(seen, 0);
}

// Many offers one after the other, from several workers at once, with and without waking.
TEST(WorkerPool, sharedWorkIsDoneOnceAndEndsWithTheCall) {
  constexpr int64_t kCount = 1000;
  struct Owner : Task {
    Owner() : Task(&Owner::work) {}
    WorkerPool *pool = nullptr;
    std::vector<std::atomic<int>> visits = std::vector<std::atomic<int>>(kCount);
    std::atomic<int> wrong{0};
    static void work(Task *task) {
      Owner &self = *static_cast<Owner *>(task);
      for (int round = 1; round <= 200; ++round) {
        self.pool->share(
            kCount, 1 + round % 7,
            [](void *context, int64_t begin, int64_t end) {
              for (int64_t i = begin; i < end; ++i)
                static_cast<Owner *>(context)->visits[static_cast<size_t>(i)].fetch_add(1);
            },
            &self, round % 2 == 0);
        for (const std::atomic<int> &count : self.visits)
          self.wrong += count.load() != round;
      }
    }
  };
  WorkerPool pool(3);
  std::deque<Owner> owners(2);
  IdleWaiter idle(pool);
  for (Owner &owner : owners) {
    owner.pool = &pool;
    pool.push(&owner, WorkerPool::Normal);
  }
  idle.wait();
  for (const Owner &owner : owners)
    EXPECT_EQ(owner.wrong.load(), 0);
}

TEST(WorkerPool, sleepersAreWokenForSharedWork) {
  // Each of the two pieces waits for the other, so that both workers have to take one.
  struct Owner : Task {
    Owner() : Task(&Owner::work) {}
    WorkerPool *pool = nullptr;
    std::atomic<int> entered{0};
    bool sawSleeper = false;
    static void work(Task *task) {
      Owner &self = *static_cast<Owner *>(task);
      int64_t deadline = WorkerPool::now() + 10'000'000'000;
      // The other one polls for a while, then sleeps: idle only for who wakes.
      while (self.pool->hasIdle(false) || !self.pool->hasIdle(true))
        if (WorkerPool::now() > deadline)
          return;
      self.sawSleeper = true;
      self.pool->share(
          2, 1,
          [](void *context, int64_t, int64_t) {
            auto &entered = static_cast<Owner *>(context)->entered;
            int64_t deadline = WorkerPool::now() + 10'000'000'000;
            for (++entered; entered.load() != 2;)
              if (WorkerPool::now() > deadline)
                return;
          },
          &self, true);
    }
  };
  WorkerPool pool(2);
  Owner owner;
  IdleWaiter idle(pool);
  owner.pool = &pool;
  int64_t start = WorkerPool::now();
  pool.push(&owner, WorkerPool::Normal);
  idle.wait();
  EXPECT_TRUE(owner.sawSleeper);
  EXPECT_LT(WorkerPool::now() - start, 9'000'000'000);
}

} // namespace
} // namespace tandem::runtime
