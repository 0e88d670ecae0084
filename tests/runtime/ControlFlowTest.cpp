// Program counters: loops, branches, events, rotating buffers, collectives in
// conditions.
#include "tandem/Runtime/Client.h"
#include "tests/runtime/IrObject.h"
#include "tests/runtime/ProgramBuilder.h"
#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

std::unique_ptr<Client> makeClient(int devices, int threads = 2) {
  absl::StatusOr<std::unique_ptr<Client>> client =
      Client::create({.devices = devices, .threads = threads, .link = std::nullopt});
  EXPECT_OK(client);
  return std::move(*client);
}

// Runs with global arguments and returns the global results.
absl::StatusOr<std::vector<HostArray>> runOnce(Client &client,
                                               std::unique_ptr<program::ProgramT> program,
                                               const std::vector<HostArray> &inputs,
                                               RunStats *stats = nullptr) {
  absl::StatusOr<std::unique_ptr<Executable>> executable = client.load(std::move(program));
  if (!executable.ok())
    return executable.status();
  std::vector<Buffer> arguments;
  for (size_t i = 0; i < inputs.size(); ++i) {
    absl::StatusOr<Buffer> buffer = (*executable)->makeArgument(i, inputs[i]);
    if (!buffer.ok())
      return buffer.status();
    arguments.push_back(std::move(*buffer));
  }
  RunOptions options;
  options.stats = stats;
  absl::StatusOr<std::vector<Buffer>> results =
      (*executable)->run(absl::MakeSpan(arguments), options);
  if (!results.ok())
    return results.status();
  std::vector<HostArray> outputs;
  for (const Buffer &result : *results) {
    absl::StatusOr<HostArray> array = result.toHost();
    if (!array.ok())
      return array.status();
    outputs.push_back(std::move(*array));
  }
  return outputs;
}

constexpr int64_t kScalarBytes = 4;

// for (x = 0; x < n; ++x), with the predicate computed by a kernel.
TEST(ControlFlow, loopRunsWhileThePredicateHolds) {
  for (int32_t trips : {0, 1, 7, 1000}) {
    std::unique_ptr<Client> client = makeClient(1);
    ProgramBuilder b(1);
    BufferRef n = b.argument(DType::I32, {}), out = b.result(DType::I32, {});
    BufferRef x = b.temp(kScalarBytes), p = b.temp(1);
    BufferRef zero = b.constant<int32_t>({0});
    uint32_t inc = b.kernel("inc", scalarKernels()), less = b.kernel("less", scalarKernels());
    b.get().kernels[less]->object = 0;
    b.get().objects.pop_back();
    uint32_t ready = b.event(), loop = b.loop();
    b.copy(zero, x, kScalarBytes);
    b.launch(less, {x, n, p}, {.signal = static_cast<int32_t>(ready)});
    b.loopBegin(loop);
    uint32_t head = b.jumpIfNot(p, {ready});
    b.launch(inc, {x});
    b.launch(less, {x, n, p}, {.signal = static_cast<int32_t>(ready)});
    b.loopNext(loop);
    b.jump(head);
    b.setTarget(head, b.here());
    b.copy(x, out, kScalarBytes);
    b.ret();
    auto outputs = runOnce(*client, b.take(), {hostArray<int32_t>(DType::I32, {}, {trips})});
    ASSERT_OK(outputs);
    EXPECT_EQ((*outputs)[0].as<int32_t>()[0], trips);
  }
}

TEST(ControlFlow, switchPicksTheBranchAndTheLastWhenOutOfRange) {
  for (auto [index, expected] : std::vector<std::pair<int32_t, int32_t>>{
           {0, 10}, {1, 20}, {2, 30}, {3, 30}, {-1, 30}, {INT32_MIN, 30}, {INT32_MAX, 30}}) {
    std::unique_ptr<Client> client = makeClient(1);
    ProgramBuilder b(1);
    BufferRef which = b.argument(DType::I32, {}), out = b.result(DType::I32, {});
    uint32_t branch = b.branch(which, {}, 3);
    std::vector<uint32_t> ends;
    for (int i = 0; i < 3; ++i) {
      b.setTarget(branch, b.here(), static_cast<size_t>(i));
      b.copy(b.constant<int32_t>({10 * (i + 1)}), out, kScalarBytes);
      ends.push_back(b.jump());
    }
    for (uint32_t end : ends)
      b.setTarget(end, b.here());
    b.ret();
    auto outputs = runOnce(*client, b.take(), {hostArray<int32_t>(DType::I32, {}, {index})});
    ASSERT_OK(outputs);
    EXPECT_EQ((*outputs)[0].as<int32_t>()[0], expected) << "index " << index;
  }
}

// Iteration i writes i to slot i mod 3 and adds up the value written two
// iterations earlier.
TEST(ControlFlow, rotatingBuffersFollowTheIteration) {
  std::unique_ptr<Client> client = makeClient(1);
  ProgramBuilder b(1);
  BufferRef n = b.argument(DType::I32, {}), out = b.result(DType::I32, {});
  uint32_t loop = b.loop(), ready = b.event();
  BufferRef x = b.temp(kScalarBytes), sum = b.temp(kScalarBytes), p = b.temp(1);
  BufferRef slot = b.rotatingTemp(kScalarBytes, 3, loop);
  BufferRef twoBack(slot.buffer(), -2);
  BufferRef zero = b.constant<int32_t>({0});
  uint32_t inc = b.kernel("inc", scalarKernels());
  uint32_t less = b.kernel("less", scalarKernels()), add = b.kernel("add", scalarKernels());
  for (uint32_t kernel : {less, add})
    b.get().kernels[kernel]->object = 0;
  b.get().objects.resize(1);
  b.copy(zero, x, kScalarBytes);
  b.copy(zero, sum, kScalarBytes);
  b.launch(less, {x, n, p}, {.signal = static_cast<int32_t>(ready)});
  b.loopBegin(loop);
  // Slots -2 and -1 of the first iterations are slots 1 and 2: clear all three.
  for (int i = 0; i < 3; ++i)
    b.copy(zero, BufferRef(slot.buffer(), i), kScalarBytes);
  uint32_t head = b.jumpIfNot(p, {ready});
  b.copy(x, slot, kScalarBytes);
  b.launch(add, {sum, twoBack, sum});
  b.launch(inc, {x});
  b.launch(less, {x, n, p}, {.signal = static_cast<int32_t>(ready)});
  b.loopNext(loop);
  b.jump(head);
  b.setTarget(head, b.here());
  b.copy(sum, out, kScalarBytes);
  b.ret();
  auto outputs = runOnce(*client, b.take(), {hostArray<int32_t>(DType::I32, {}, {10})});
  ASSERT_OK(outputs);
  EXPECT_EQ((*outputs)[0].as<int32_t>()[0], 0 + 1 + 2 + 3 + 4 + 5 + 6 + 7);
}

// A wait refers to the signal issued before it, although the event is signalled
// again later.
TEST(ControlFlow, waitRefersToTheLastSignalIssuedBefore) {
  std::unique_ptr<Client> client = makeClient(1);
  ProgramBuilder b(1);
  BufferRef out = b.result(DType::I32, {2});
  BufferRef x = b.temp(kScalarBytes);
  uint32_t event = b.event(), copied = b.event();
  // A wait for an event that nobody has signalled does not wait.
  b.copy(b.constant<int32_t>({1}), x, kScalarBytes,
         {.waits = {event}, .signal = static_cast<int32_t>(event)});
  auto buffer = std::make_unique<program::BufferT>(*b.get().buffers[out.buffer()]);
  buffer->bytes = kScalarBytes;
  buffer->offset = kScalarBytes;
  BufferRef first(out.buffer(), 0);
  b.get().buffers.push_back(std::move(buffer));
  BufferRef second(static_cast<uint32_t>(b.get().buffers.size() - 1), 0);
  b.copy(x, first, kScalarBytes,
         {.stream = kCopyStream, .waits = {event}, .signal = static_cast<int32_t>(copied)});
  b.copy(b.constant<int32_t>({2}), x, kScalarBytes,
         {.waits = {copied}, .signal = static_cast<int32_t>(event)});
  b.copy(x, second, kScalarBytes, {.stream = kCopyStream, .waits = {event}});
  b.ret();
  auto outputs = runOnce(*client, b.take(), {});
  ASSERT_OK(outputs);
  EXPECT_EQ((*outputs)[0].as<int32_t>()[0], 1);
  EXPECT_EQ((*outputs)[0].as<int32_t>()[1], 2);
}

// More commands than a stream's queue holds, on two streams that wait for each
// other.
TEST(ControlFlow, programCounterParksOnFullQueues) {
  std::unique_ptr<Client> client = makeClient(2, 1);
  ProgramBuilder b(2);
  BufferRef out = b.result(DType::I32, {});
  BufferRef x = b.temp(kScalarBytes), y = b.temp(kScalarBytes);
  uint32_t inc = b.kernel("inc", scalarKernels());
  uint32_t produced = b.event(), consumed = b.event();
  b.copy(b.constant<int32_t>({0}), x, kScalarBytes);
  for (int i = 0; i < 500; ++i) {
    b.launch(inc, {x}, {.waits = {consumed}, .signal = static_cast<int32_t>(produced)});
    b.copy(x, y, kScalarBytes,
           {.stream = kCopyStream, .waits = {produced}, .signal = static_cast<int32_t>(consumed)});
  }
  b.copy(y, out, kScalarBytes, {.stream = kCopyStream});
  b.ret();
  auto outputs = runOnce(*client, b.take(), {});
  ASSERT_OK(outputs);
  EXPECT_EQ((*outputs)[0].as<int32_t>()[0], 500);
}

// do { x += device + 1; total = all-reduce(x) } while (total < n), on many
// devices and two threads: the predicate of every trip depends on a collective.
std::unique_ptr<program::ProgramT> loopWithCollectiveInCondition(uint32_t devices) {
  ProgramBuilder b(devices);
  BufferRef n = b.argument(DType::I32, {}), out = b.result(DType::I32, {});
  BufferRef id = b.temp(kScalarBytes), x = b.temp(kScalarBytes), total = b.temp(kScalarBytes);
  BufferRef p = b.temp(1);
  uint32_t inc = b.kernel("inc", scalarKernels());
  uint32_t less = b.kernel("less", scalarKernels()), add = b.kernel("add", scalarKernels());
  for (uint32_t kernel : {less, add})
    b.get().kernels[kernel]->object = 0;
  b.get().objects.resize(1);
  uint32_t sum = b.allReduce(DType::I32, {});
  uint32_t computed = b.event(), reduced = b.event(), ready = b.event(), loop = b.loop();
  b.writeDeviceId(id);
  b.copy(b.constant<int32_t>({0}), x, kScalarBytes);
  b.loopBegin(loop);
  uint32_t body = b.here();
  b.launch(add, {x, id, x}, {.waits = {reduced}});
  b.launch(inc, {x}, {.signal = static_cast<int32_t>(computed)});
  b.collective(sum, {x}, {total},
               {.waits = {computed}, .signal = static_cast<int32_t>(reduced), .name = "sum"});
  b.launch(less, {total, n, p}, {.waits = {reduced}, .signal = static_cast<int32_t>(ready)});
  uint32_t end = b.jumpIfNot(p, {ready});
  b.loopNext(loop);
  b.jump(body);
  b.setTarget(end, b.here());
  b.copy(total, out, kScalarBytes);
  b.ret();
  return b.take();
}

TEST(ControlFlow, collectiveInALoopConditionOn64DevicesAndTwoThreads) {
  constexpr uint32_t kDevices = 64;
  constexpr int32_t kPerTrip = kDevices * (kDevices + 1) / 2, kTrips = 200;
  std::unique_ptr<Client> client = makeClient(kDevices, 2);
  RunStats stats;
  auto outputs = runOnce(*client, loopWithCollectiveInCondition(kDevices),
                         {hostArray<int32_t>(DType::I32, {}, {kPerTrip * kTrips})}, &stats);
  ASSERT_OK(outputs);
  EXPECT_EQ((*outputs)[0].as<int32_t>()[0], kPerTrip * kTrips);
  ASSERT_EQ(stats.collectives.size(), 1u);
  EXPECT_EQ(stats.collectives[0].count, static_cast<uint64_t>(kTrips));
  EXPECT_EQ(stats.collectives[0].dtype, DType::I32);
}

TEST(ControlFlow, sameProgramOnOneThread) {
  std::unique_ptr<Client> client = makeClient(64, 1);
  auto outputs = runOnce(*client, loopWithCollectiveInCondition(64),
                         {hostArray<int32_t>(DType::I32, {}, {2080 * 3})});
  ASSERT_OK(outputs);
  EXPECT_EQ((*outputs)[0].as<int32_t>()[0], 2080 * 3);
}

} // namespace
} // namespace tandem::runtime
