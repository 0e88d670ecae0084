// One step of a Program on all its devices.
//
// Who executes what:
//   - compute and copy streams: a worker takes the stream's task, executes the head, and goes on
//     with the next command of the same stream while it is ready, so that a chain of kernels
//     costs no queueing. Between two commands it serves urgent tasks, and after a time slice it
//     goes to the back of the queue when others wait.
//   - communication streams: whoever completes the last thing a collective waited for joins it
//     at once, without a worker. The collectives' session completes it later.
//   - the program counter: whoever completes what it was parked on.
//
// A step ends when the pool is quiescent. If some device has not reached its end by then the
// step is stalled, and every pending collective is reported.
#ifndef TANDEM_RUNTIME_EXECUTOR_STEP_H
#define TANDEM_RUNTIME_EXECUTOR_STEP_H

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/executor/Device.h"
#include "runtime/executor/Memory.h"
#include "tandem/Runtime/Client.h"

namespace tandem::runtime {

// Created once per executable; run() again and again, one at a time.
class Step : public CollectiveObserver {
public:
  Step(const ResolvedProgram &program, WorkerPool &pool);

  // Loads the collectives and allocates what workers need.
  absl::Status prepare(CollectiveBackend &backend, BlockCache &cache);

  // Device::bases must be set. Blocks until no device runs any more. `progress` as in RunOptions.
  absl::Status run(bool recordTrace, const std::function<void(const RunProgress &)> &progress,
                   double progressSeconds);

  std::deque<Device> devices;
  int64_t beginNanoseconds = 0, endNanoseconds = 0; // of the last run

  void collectiveFailed(const PendingCollective &pending, int64_t other,
                        uint32_t otherDevice) override;

private:
  // Per worker thread.
  struct WorkerScratch {
    std::vector<void *> pointers;
    std::vector<TandemArray> arrays;
    Block gemm;
  };
  struct StartTask : Task {
    StartTask(Function run) : Task(run) {}
    Step *step = nullptr;
    Device *device = nullptr;
  };

  static void runStart(Task *task);
  static void runStream(Task *task);
  static void completeJoin(CollectiveJoin *join);
  static void becomeIdle(void *context);

  absl::Status execute(Device &device, Device::Stream &stream, const Command &command,
                       WorkerScratch &scratch);
  absl::Status runSequence(Device &device, Device::Stream &stream, const Sequence &sequence,
                           WorkerScratch &scratch);
  // With the help of idle workers.
  absl::Status launchShared(const Command &command, void *const *pointers);
  absl::Status multiplyShared(const Command &command, void *const *pointers);
  // Retires the head of `stream` and returns the streams that became ready, now active.
  StreamMask completeHead(Device &device, uint32_t stream, int64_t begin, int64_t end,
                          int64_t transfer);
  // Resumes the program counter and collects ready streams; the device is locked.
  StreamMask proceed(Device &device, bool &justEnded);
  // Starts active streams; `when` is the time of the completion that made them ready.
  void dispatch(Device &device, StreamMask ready, int64_t when);
  void joinCollective(Device &device, uint32_t stream, const Command &command, int64_t when);
  void record(Device &device, Device::Stream &stream, const Command &command, int64_t begin,
              int64_t end, int64_t transfer);
  void fail(absl::Status status);
  std::string describePending(const PendingCollective &pending);

  const ResolvedProgram &program;
  WorkerPool &pool;
  std::unique_ptr<CollectiveSession> session;
  std::vector<WorkerScratch> scratches;
  std::deque<StartTask> starts;
  bool recordTrace = false;

  std::atomic<bool> failed{false};
  std::mutex mutex; // guards what follows
  std::condition_variable idle;
  bool isIdle = false;
  absl::Status status;
};

} // namespace tandem::runtime

#endif
