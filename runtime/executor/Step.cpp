// Execution of a step.
#include "runtime/executor/Step.h"

#include <chrono>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tandem::runtime {

using program::CommandBody;

namespace {

// After so long on one stream a worker lets others go first.
constexpr int64_t kTimeSliceNanoseconds = 1'000'000;
// Turns of a sequence that repeats: until the clock is read, and at most.
constexpr uint32_t kTurnsPerLook = 16, kMaxTurns = 4096;

} // namespace

Step::Step(const ResolvedProgram &program, WorkerPool &pool) : program(program), pool(pool) {
  for (uint32_t i = 0; i < program.program.num_devices; ++i) {
    Device &device = devices.emplace_back(program, i);
    StartTask &start = starts.emplace_back(&Step::runStart);
    start.step = this;
    start.device = &device;
    for (uint32_t s = 0; s < device.streams.size(); ++s) {
      Device::Stream &stream = device.streams[s];
      stream.task.run = &Step::runStream;
      stream.task.step = stream.join.step = this;
      stream.task.device = stream.join.owner = &device;
      stream.task.stream = stream.join.stream = s;
      stream.join.device = i;
      stream.join.complete = &Step::completeJoin;
    }
  }
}

absl::Status Step::prepare(CollectiveBackend &backend, BlockCache &cache) {
  absl::StatusOr<std::unique_ptr<CollectiveSession>> loaded =
      backend.load(program.program.collectives, program.program.num_devices, *this);
  if (!loaded.ok())
    return loaded.status();
  session = std::move(*loaded);
  scratches.resize(static_cast<size_t>(pool.size()));
  for (WorkerScratch &scratch : scratches) {
    scratch.pointers.resize(program.maxReferences);
    scratch.arrays.resize(program.maxCustomCallArrays);
    absl::StatusOr<Block> block =
        cache.allocate(program.gemmScratchBytes, "the scratch of matrix products");
    if (!block.ok())
      return block.status();
    scratch.gemm = std::move(*block);
  }
  return absl::OkStatus();
}

absl::Status Step::run(bool trace, const std::function<void(const RunProgress &)> &progress,
                       double progressSeconds) {
  recordTrace = trace;
  failed.store(false, std::memory_order_relaxed);
  status = absl::OkStatus();
  isIdle = false;
  session->begin();
  for (Device &device : devices)
    device.reset(trace);
  pool.setIdleHandler(&Step::becomeIdle, this);
  beginNanoseconds = WorkerPool::now();
  pool.hold();
  for (StartTask &start : starts)
    pool.push(&start, WorkerPool::Normal);
  pool.release();
  {
    std::unique_lock lock(mutex);
    while (!isIdle) {
      if (!progress) {
        idle.wait(lock);
        continue;
      }
      auto interval = std::chrono::duration<double>(progressSeconds);
      if (idle.wait_for(lock, interval) == std::cv_status::no_timeout)
        continue;
      lock.unlock();
      RunProgress report;
      report.seconds = static_cast<double>(WorkerPool::now() - beginNanoseconds) * 1e-9;
      for (Device &device : devices)
        report.commands += device.executed.load(std::memory_order_relaxed);
      progress(report);
      lock.lock();
    }
  }
  endNanoseconds = WorkerPool::now();
  pool.setIdleHandler(nullptr, nullptr);
  pool.expireTimers(false);
  if (!status.ok())
    return status;
  std::string running;
  for (Device &device : devices)
    if (!device.ended)
      absl::StrAppend(&running, running.empty() ? "" : "; ", "device ", device.index, " ",
                      device.describe());
  if (running.empty())
    return absl::OkStatus();
  // Nothing can happen any more.
  std::string pending;
  for (const PendingCollective &collective : session->pending())
    absl::StrAppend(&pending, pending.empty() ? "" : ". ", describePending(collective));
  return absl::FailedPreconditionError(
      absl::StrCat("the step has stalled: ", pending.empty() ? running : pending));
}

void Step::becomeIdle(void *context) {
  Step &step = *static_cast<Step *>(context);
  std::lock_guard lock(step.mutex);
  step.isIdle = true;
  step.idle.notify_one();
}

void Step::fail(absl::Status error) {
  {
    std::lock_guard lock(mutex);
    if (status.ok())
      status = std::move(error);
  }
  failed.store(true, std::memory_order_relaxed);
  pool.expireTimers(true);
}

std::string Step::describePending(const PendingCollective &pending) {
  // The command by which the first arrived device waits gives the op its name.
  const program::ProgramT &source = program.program;
  std::string name(collectiveKindName(source.collectives[pending.op]->kind));
  {
    Device &device = devices[pending.arrived.front()];
    std::lock_guard lock(device.mutex);
    for (const Device::Stream &stream : device.streams) {
      if (!stream.active || stream.isEmpty())
        continue;
      const Command &command = device.headCommand(stream);
      if (command.kind == CommandBody::Collective && command.collective == pending.op)
        absl::StrAppend(&name, " ", describeCommand(source, stream.commands[stream.headSlot()]));
    }
  }
  std::string text =
      absl::StrCat(name, " cannot complete: device", pending.arrived.size() > 1 ? "s " : " ",
                   absl::StrJoin(pending.arrived, ", "),
                   pending.arrived.size() > 1 ? " have" : " has", " joined, ");
  constexpr size_t kMaxListed = 8;
  for (size_t i = 0; i < pending.missing.size() && i < kMaxListed; ++i)
    absl::StrAppend(&text, i ? "; " : "missing: ", "device ", pending.missing[i], " ",
                    devices[pending.missing[i]].describe());
  if (pending.missing.size() > kMaxListed)
    absl::StrAppend(&text, "; and ", pending.missing.size() - kMaxListed, " more devices");
  return text;
}

void Step::collectiveFailed(const PendingCollective &pending, int64_t other, uint32_t otherDevice) {
  if (failed.load(std::memory_order_relaxed))
    return;
  std::string text = describePending(pending);
  if (other >= 0)
    text = absl::StrCat("devices disagree on the order of collectives: device ", otherDevice,
                        " issued ", collectiveKindName(program.program.collectives[other]->kind),
                        " collectives[", other, "] where others issued collectives[", pending.op,
                        "]. ", text);
  fail(absl::FailedPreconditionError(text));
}

void Step::runStart(Task *task) {
  StartTask &start = *static_cast<StartTask *>(task);
  Step &step = *start.step;
  StreamMask ready;
  bool justEnded = false;
  {
    std::lock_guard lock(start.device->mutex);
    ready = step.proceed(*start.device, justEnded);
  }
  if (justEnded)
    step.session->leave(start.device->index);
  step.dispatch(*start.device, ready, WorkerPool::now());
}

StreamMask Step::proceed(Device &device, bool &justEnded) {
  if (!device.ended && device.canResume())
    justEnded = !device.advance(failed);
  return device.takeReady();
}

StreamMask Step::completeHead(Device &device, uint32_t streamIndex, int64_t begin, int64_t end,
                              int64_t transfer) {
  StreamMask ready;
  bool justEnded = false;
  {
    std::lock_guard lock(device.mutex);
    Device::Stream &stream = device.streams[streamIndex];
    record(device, stream, device.headCommand(stream), begin, end, transfer);
    device.retireHead(stream);
    ready = proceed(device, justEnded);
  }
  if (justEnded)
    session->leave(device.index);
  return ready;
}

void Step::record(Device &device, Device::Stream &stream, const Command &command, int64_t begin,
                  int64_t end, int64_t transfer) {
  uint64_t executed = 1;
  if (command.kind == CommandBody::NONE) {
    const Sequence &sequence = program.sequences[command.sequence];
    executed = uint64_t{sequence.end - sequence.begin} * stream.turns;
    for (uint32_t i = sequence.begin; i < sequence.end; ++i) {
      const Command &inside = program.commands[i];
      if (inside.kind == CommandBody::Copy) {
        device.copies += stream.turns;
        device.copyBytes += inside.bytes * stream.turns;
      }
    }
  }
  device.executed.store(device.executed.load(std::memory_order_relaxed) + executed,
                        std::memory_order_relaxed);
  uint32_t index = stream.commands[stream.headSlot()];
  if (command.kind == CommandBody::Collective) {
    ++device.collectiveCounts[command.collective];
    device.communicating.push_back({index, begin, end, transfer});
  } else if (command.stream == kComputeStream) {
    if (!device.computing.empty() && device.computing.back().end == begin)
      device.computing.back().end = end;
    else
      device.computing.push_back({begin, end});
  }
  if (command.kind == CommandBody::Copy) {
    ++device.copies;
    device.copyBytes += command.bytes;
  }
  if (recordTrace && command.kind != CommandBody::Nop)
    device.trace.push_back({index, begin, end, transfer});
}

void Step::dispatch(Device &device, StreamMask ready, int64_t when) {
  while (ready != 0) {
    uint32_t index = static_cast<uint32_t>(std::countr_zero(ready));
    ready &= ready - 1;
    Device::Stream &stream = device.streams[index];
    if (index < kFirstCommunicationStream) {
      pool.push(&stream.task, index == kComputeStream ? WorkerPool::Normal : WorkerPool::Urgent);
      continue;
    }
    const Command &command = device.headCommand(stream);
    if (command.kind == CommandBody::Nop)
      ready |= completeHead(device, index, when, when, -1);
    else
      joinCollective(device, index, command, when);
  }
}

void Step::joinCollective(Device &device, uint32_t streamIndex, const Command &command,
                          int64_t when) {
  Device::Stream &stream = device.streams[streamIndex];
  StreamJoin &join = stream.join;
  device.resolve(command, device.headRotation(stream), join.pointers.data());
  join.op = command.collective;
  join.operands = join.pointers.data();
  join.results = join.pointers.data() + command.numReferences / 2;
  join.arrivalNanoseconds = when;
  session->join(&join);
}

void Step::completeJoin(CollectiveJoin *base) {
  StreamJoin &join = *static_cast<StreamJoin *>(base);
  Step &step = *join.step;
  if (step.failed.load(std::memory_order_relaxed))
    return;
  // The join may be reused as soon as its stream has gone on.
  Device &device = *join.owner;
  int64_t end = join.endNanoseconds;
  step.dispatch(device,
                step.completeHead(device, join.stream, join.arrivalNanoseconds, end,
                                  join.transferNanoseconds),
                end);
}

void Step::runStream(Task *task) {
  StreamTask &streamTask = *static_cast<StreamTask *>(task);
  Step &step = *streamTask.step;
  Device &device = *streamTask.device;
  const uint32_t index = streamTask.stream;
  Device::Stream &stream = device.streams[index];
  WorkerScratch &scratch = step.scratches[static_cast<size_t>(WorkerPool::currentWorker())];
  WorkerPool &pool = step.pool;
  int64_t begin = WorkerPool::now();
  const int64_t sliceEnd = begin + kTimeSliceNanoseconds;
  while (!step.failed.load(std::memory_order_relaxed)) {
    absl::Status status = step.execute(device, stream, device.headCommand(stream), scratch);
    if (!status.ok()) {
      step.fail(std::move(status));
      return;
    }
    int64_t end = WorkerPool::now();
    StreamMask ready = step.completeHead(device, index, begin, end, -1);
    if (StreamMask others = ready & ~maskOf(index))
      step.dispatch(device, others, end);
    if (!(ready & maskOf(index)))
      return;
    begin = end;
    if (index == kComputeStream) {
      if (pool.hasUrgent()) {
        pool.runUrgent();
        begin = WorkerPool::now();
      }
      if (end > sliceEnd && pool.hasNormal()) {
        pool.push(task, WorkerPool::Normal);
        return;
      }
    } else if (pool.hasUrgent()) {
      pool.push(task, WorkerPool::Urgent);
      return;
    }
  }
}

absl::Status Step::launchShared(const Command &command, void *const *pointers) {
  struct Launch {
    KernelFunction kernel;
    void *const *pointers;
  } launch{command.kernel, pointers};
  pool.share(
      command.units, command.grain,
      [](void *context, int64_t begin, int64_t end) {
        const Launch &launch = *static_cast<Launch *>(context);
        launch.kernel(launch.pointers, begin, end);
      },
      &launch, command.wakes);
  return absl::OkStatus();
}

absl::Status Step::multiplyShared(const Command &command, void *const *pointers) {
  struct Product {
    Step *step;
    const GemmPlan *plan;
    void *const *pointers;
  } product{this, command.gemm, pointers};
  pool.share(
      command.units, 1,
      [](void *context, int64_t piece, int64_t) {
        const Product &product = *static_cast<Product *>(context);
        int worker = WorkerPool::currentWorker();
        absl::Status status = product.plan->runPiece(
            piece, product.pointers[0], product.pointers[1], product.pointers[2], worker,
            product.step->scratches[static_cast<size_t>(worker)].gemm.data());
        if (!status.ok())
          product.step->fail(std::move(status));
      },
      &product, command.wakes);
  return absl::OkStatus();
}

absl::Status Step::runSequence(Device &device, Device::Stream &stream, const Sequence &sequence,
                               WorkerScratch &scratch) {
  void **end = scratch.pointers.data();
  for (uint32_t i = sequence.begin; i < sequence.end; ++i) {
    device.resolve(program.commands[i], nullptr, end);
    end += program.commands[i].numReferences;
  }
  const std::byte *predicate =
      sequence.repeats ? device.bases[sequence.predicate.base] + sequence.predicate.offset
                       : nullptr;
  const int64_t sliceEnd = WorkerPool::now() + kTimeSliceNanoseconds;
  uint32_t turns = 0;
  bool goesOn;
  do {
    void **pointers = scratch.pointers.data();
    for (uint32_t i = sequence.begin; i < sequence.end; ++i) {
      const Command &command = program.commands[i];
      switch (command.kind) {
      case CommandBody::Launch:
        command.kernel(pointers, 0, command.units);
        break;
      case CommandBody::Gemm:
        if (absl::Status status =
                command.gemm->run(pointers[0], pointers[1], pointers[2],
                                  WorkerPool::currentWorker(), scratch.gemm.data());
            !status.ok())
          return status;
        break;
      case CommandBody::Copy:
        if (pointers[0] != pointers[1])
          std::memmove(pointers[1], pointers[0], command.bytes);
        break;
      default: // WriteDeviceId
        std::memcpy(pointers[0], &device.index, sizeof(device.index));
        break;
      }
      pointers += command.numReferences;
    }
    ++turns;
    goesOn = predicate && *predicate != std::byte{0} && turns < kMaxTurns && !pool.hasUrgent() &&
             !failed.load(std::memory_order_relaxed);
    if (goesOn && turns % kTurnsPerLook == 0 && pool.hasNormal())
      goesOn = WorkerPool::now() < sliceEnd;
  } while (goesOn);
  stream.turns = turns;
  return absl::OkStatus();
}

absl::Status Step::execute(Device &device, Device::Stream &stream, const Command &command,
                           WorkerScratch &scratch) {
  void **pointers = scratch.pointers.data();
  device.resolve(command, device.headRotation(stream), pointers);
  switch (command.kind) {
  case CommandBody::Launch:
    if (command.grain != 0 && pool.hasIdle(command.wakes))
      return launchShared(command, pointers);
    command.kernel(pointers, 0, command.units);
    return absl::OkStatus();
  case CommandBody::Gemm:
    if (command.grain != 0 && pool.hasIdle(command.wakes))
      return multiplyShared(command, pointers);
    return command.gemm->run(pointers[0], pointers[1], pointers[2], WorkerPool::currentWorker(),
                             scratch.gemm.data());
  case CommandBody::CustomCall:
    return command.customCall->run(pointers, device.index, program.program.num_devices,
                                   scratch.arrays.data());
  case CommandBody::Copy:
    if (pointers[0] != pointers[1])
      std::memmove(pointers[1], pointers[0], command.bytes);
    return absl::OkStatus();
  case CommandBody::WriteDeviceId:
    std::memcpy(pointers[0], &device.index, sizeof(device.index));
    return absl::OkStatus();
  case CommandBody::NONE:
    return runSequence(device, stream, program.sequences[command.sequence], scratch);
  default: // Nop
    return absl::OkStatus();
  }
}

} // namespace tandem::runtime
