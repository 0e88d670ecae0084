// Collectives in whole programs: order checks, missing devices, the emulated
// link, repeatability.
#include <algorithm>
#include <cstring>
#include <random>

#include "tandem/Runtime/Client.h"
#include "tests/runtime/IrObject.h"
#include "tests/runtime/ProgramBuilder.h"
#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

std::unique_ptr<Client> makeClient(int devices, int threads = 2,
                                   std::optional<EmulatedLink> link = std::nullopt) {
  absl::StatusOr<std::unique_ptr<Client>> client =
      Client::create({.devices = devices, .threads = threads, .link = link});
  EXPECT_OK(client);
  return std::move(*client);
}

// Device i takes branch i (the last one for the rest); `body(i)` adds its
// commands.
template <typename Body>
std::unique_ptr<program::ProgramT> perDevice(ProgramBuilder &b, size_t branches, Body body) {
  uint32_t ready = b.event();
  BufferRef id = b.temp(4);
  b.writeDeviceId(id, {.signal = static_cast<int32_t>(ready)});
  uint32_t branch = b.branch(id, {ready}, branches);
  std::vector<uint32_t> ends;
  for (size_t i = 0; i < branches; ++i) {
    b.setTarget(branch, b.here(), i);
    body(i);
    ends.push_back(b.jump());
  }
  for (uint32_t end : ends)
    b.setTarget(end, b.here());
  b.ret();
  return b.take();
}

absl::Status runStatus(Client &client, std::unique_ptr<program::ProgramT> program) {
  auto executable = client.load(std::move(program));
  if (!executable.ok())
    return executable.status();
  absl::Status first = (*executable)->run({}, {}).status();
  // A failed step leaves nothing behind: the next one fails in the same way.
  EXPECT_EQ((*executable)->run({}, {}).status().code(), first.code());
  return first;
}

TEST(CollectiveStep, deviceThatEndsWithoutJoiningIsNamed) {
  std::unique_ptr<Client> client = makeClient(4);
  ProgramBuilder b(4);
  BufferRef x = b.temp(16), y = b.temp(16);
  uint32_t sum = b.allReduce(DType::F32, {4});
  auto program = perDevice(b, 3, [&](size_t i) {
    if (i != 1)
      b.collective(sum, {x}, {y}, {.name = "grad.sum"});
  });
  expectError(runStatus(*client, std::move(program)), absl::StatusCode::kFailedPrecondition,
              {"all-reduce", "'grad.sum'", "missing: device 1 has ended"});
}

TEST(CollectiveStep, differentOrderIsNamed) {
  std::unique_ptr<Client> client = makeClient(2);
  ProgramBuilder b(2);
  BufferRef x = b.temp(16), y = b.temp(32);
  uint32_t sum = b.allReduce(DType::F32, {4}), gather = b.allGather(DType::F32, {4});
  auto program = perDevice(b, 2, [&](size_t i) {
    if (i == 0)
      b.collective(sum, {x}, {y}, {.name = "grads"});
    b.collective(gather, {x}, {y}, {.name = "params"});
    if (i == 1)
      b.collective(sum, {x}, {y}, {.name = "grads"});
  });
  expectError(
      runStatus(*client, std::move(program)), absl::StatusCode::kFailedPrecondition,
      {"disagree on the order of collectives", "all-reduce", "all-gather", "'grads'", "'params'"});
}

// Three devices wait for each other in pairs, each in another pair: nobody is
// out of order in any one communicator, and nothing can ever happen.
TEST(CollectiveStep, cycleOfGroupsIsReportedNotAHang) {
  std::unique_ptr<Client> client = makeClient(3);
  ProgramBuilder b(3);
  BufferRef x = b.temp(16), y = b.temp(16);
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> pairs = {{{0, 1}}, {{1, 2}}, {{2, 0}}};
  std::vector<uint32_t> ops;
  for (const auto &pair : pairs)
    ops.push_back(b.permute(DType::F32, {4}, pair));
  auto program = perDevice(b, 3, [&](size_t i) {
    b.collective(ops[i], {x}, {y}, {.name = "step"});
    b.collective(ops[(i + 1) % 3], {x}, {y}, {.name = "other"});
    b.collective(ops[(i + 2) % 3], {x}, {y}, {.name = "third"});
  });
  expectError(runStatus(*client, std::move(program)), absl::StatusCode::kFailedPrecondition,
              {"stalled", "collective-permute", "device 0 waits in", "device 1 waits in"});
}

TEST(CollectiveStep, permutesAmongSomeDoNotWaitForTheOthers) {
  // Devices 0 and 1 swap; 2 and 3 have no pair and get zeros, without any
  // rendezvous: they may take another path through the program.
  std::unique_ptr<Client> client = makeClient(4);
  ProgramBuilder b(4);
  BufferRef out = b.result(DType::UI32, {4}, {1}, {0, 1, 2, 3}), x = b.temp(4);
  uint32_t swap = b.permute(DType::UI32, {1}, {{0, 1}, {1, 0}});
  uint32_t ready = b.event();
  b.writeDeviceId(x, {.signal = static_cast<int32_t>(ready)});
  b.collective(swap, {x}, {out}, {.waits = {ready}});
  auto executable = client->load(perDevice(b, 4, [&](size_t i) {
    if (i >= 2)
      b.collective(swap, {x}, {out}, {.waits = {ready}});
  }));
  ASSERT_OK(executable);
  auto results = (*executable)->run({}, {});
  ASSERT_OK(results);
  EXPECT_THAT((*results)[0].toHost()->as<uint32_t>(), testing::ElementsAre(1, 0, 0, 0));
}

// Sums of numbers of very different size depend on the order, which must not
// vary.
TEST(CollectiveStep, sumsAreBitwiseRepeatable) {
  constexpr uint32_t kDevices = 8;
  constexpr int64_t kElements = 5000;
  std::mt19937 random(1);
  std::vector<float> values(kDevices * kElements);
  for (float &value : values)
    value =
        std::ldexp(static_cast<float>(random()) / 1e9f - 2, static_cast<int>(random() % 40) - 20);
  HostArray input = hostArray<float>(DType::F32, {kDevices * kElements}, values);
  std::vector<float> expected(kElements);
  for (int64_t i = 0; i < kElements; ++i)
    for (uint32_t device = 0; device < kDevices; ++device)
      expected[static_cast<size_t>(i)] =
          device == 0 ? values[static_cast<size_t>(i)]
                      : expected[static_cast<size_t>(i)] +
                            values[device * kElements + static_cast<size_t>(i)];
  for (int threads : {1, 2, 5}) {
    std::unique_ptr<Client> client = makeClient(kDevices, threads);
    ProgramBuilder b(kDevices);
    BufferRef in =
        b.argument(DType::F32, {kDevices * kElements}, {kElements}, {0, 1, 2, 3, 4, 5, 6, 7});
    BufferRef out = b.result(DType::F32, {kElements});
    b.collective(b.allReduce(DType::F32, {kElements}), {in}, {out}, {});
    b.ret();
    auto executable = client->load(b.take());
    ASSERT_OK(executable);
    for (int run = 0; run < 3; ++run) {
      std::vector<Buffer> arguments;
      arguments.push_back(*(*executable)->makeArgument(0, input));
      auto results = (*executable)->run(absl::MakeSpan(arguments), {});
      ASSERT_OK(results);
      HostArray sum = *(*results)[0].toHost();
      EXPECT_EQ(std::memcmp(sum.bytes.data(), expected.data(), sum.bytes.size()), 0);
    }
  }
}

// x on compute; a gather over a slow link; independent kernels meanwhile.
struct Overlap {
  std::unique_ptr<program::ProgramT> program;
  explicit Overlap(int64_t elements, int kernels) {
    ProgramBuilder b(2);
    uint64_t bytes = static_cast<uint64_t>(elements) * 4;
    BufferRef in = b.argument(DType::F32, {elements}), out = b.result(DType::F32, {2 * elements});
    BufferRef x = b.temp(bytes), gathered = b.temp(2 * bytes), scratch = b.temp(bytes);
    uint32_t computed = b.event(), done = b.event();
    b.copy(in, x, bytes, {.signal = static_cast<int32_t>(computed), .name = "produce"});
    b.collective(b.allGather(DType::F32, {elements}), {x}, {gathered},
                 {.waits = {computed}, .signal = static_cast<int32_t>(done), .name = "gather"});
    for (int i = 0; i < kernels; ++i)
      b.copy(in, scratch, bytes, {.name = "independent"});
    b.copy(gathered, out, 2 * bytes, {.waits = {done}, .name = "consume"});
    b.ret();
    program = b.take();
  }
};

TEST(CollectiveStep, emulatedLinkTakesItsTimeWhileComputeGoesOn) {
  constexpr int64_t kElements = 1000;
  // 4000 bytes at 40 kB/s and 25 ms: 125 ms, long against a pause of a busy machine.
  EmulatedLink link{25'000'000, 40e3};
  std::unique_ptr<Client> client = makeClient(2, 2, link);
  auto executable = client->load(Overlap(kElements, 3).program);
  ASSERT_OK(executable);
  std::vector<Buffer> arguments;
  arguments.push_back(*(*executable)->makeArgument(0, HostArray::zeros(DType::F32, {kElements})));
  Trace trace;
  RunStats stats;
  RunOptions options;
  options.trace = &trace;
  options.stats = &stats;
  ASSERT_OK((*executable)->run(absl::MakeSpan(arguments), options));
  for (uint32_t device = 0; device < 2; ++device) {
    int64_t transfer = 0, gathered = 0, lastIndependent = 0, consume = 0;
    for (const TraceEvent &event : trace.getEvents()) {
      if (event.device != device)
        continue;
      if (event.name == "gather") {
        transfer = event.transferNanoseconds;
        gathered = event.endNanoseconds;
      } else if (event.name == "independent") {
        lastIndependent = event.endNanoseconds;
      } else if (event.name == "consume") {
        consume = event.beginNanoseconds;
      }
    }
    EXPECT_GE(gathered - transfer, 125'000'000);
    EXPECT_LT(lastIndependent, gathered); // microseconds of work
    EXPECT_GE(consume, gathered);
  }
  EXPECT_GE(stats.communicationSeconds, 2 * 0.125);
  EXPECT_GT(stats.hiddenSeconds, 0);
  EXPECT_LT(stats.hiddenShare(), 1);
}

TEST(CollectiveStep, transfersOfOneStreamAreSerialAndOfTwoLevelsAreNot) {
  EmulatedLink link{100'000'000, 0}; // 100 ms each
  for (uint32_t levels : {1u, 2u}) {
    std::unique_ptr<Client> client = makeClient(2, 2, link);
    ProgramBuilder b(2, levels);
    BufferRef x = b.temp(16), y = b.temp(16), z = b.temp(16);
    b.collective(b.allReduce(DType::F32, {4}), {x}, {y}, {.name = "a"});
    b.collective(b.allReduce(DType::F32, {4}, {}, levels - 1), {x}, {z}, {.name = "b"});
    b.ret();
    auto executable = client->load(b.take());
    ASSERT_OK(executable);
    Trace trace;
    RunOptions options;
    options.trace = &trace;
    ASSERT_OK((*executable)->run({}, options));
    std::map<std::string, TraceEvent> events;
    for (const TraceEvent &event : trace.getEvents())
      if (event.device == 0)
        events[std::string(event.name)] = event;
    ASSERT_EQ(events.size(), 2u);
    if (levels == 1) {
      EXPECT_GE(events["b"].transferNanoseconds, events["a"].endNanoseconds);
      EXPECT_GE(events["b"].endNanoseconds - events["a"].transferNanoseconds, 200'000'000);
    } else {
      EXPECT_LT(events["b"].transferNanoseconds, events["a"].endNanoseconds);
    }
  }
}

TEST(CollectiveStep, failureDoesNotWaitForSlowLinks) {
  EmulatedLink link{3'600'000'000'000, 0}; // an hour
  std::unique_ptr<Client> client = makeClient(4, 2, link);
  ProgramBuilder b(4);
  BufferRef x = b.temp(16), y = b.temp(16);
  uint32_t pairs = b.allReduce(DType::F32, {4}, {{0, 1}, {2, 3}});
  auto program = perDevice(b, 4, [&](size_t i) {
    if (i != 3)
      b.collective(pairs, {x}, {y}, {.name = "pairs"});
  });
  expectError(runStatus(*client, std::move(program)), absl::StatusCode::kFailedPrecondition,
              {"missing: device 3 has ended"});
}

} // namespace
} // namespace tandem::runtime
