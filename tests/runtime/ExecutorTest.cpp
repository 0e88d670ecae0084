// Buffers, donation, statistics, traces, custom calls and errors of a step.
#include <atomic>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

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

// state += 1, aliased; state lies replicated on two devices.
std::unique_ptr<program::ProgramT> counter() {
  ProgramBuilder b(2);
  BufferRef state = b.argument(DType::I32, {});
  b.aliasResult(0);
  b.launch(b.kernel("inc", scalarKernels()), {state}, {.name = "count"});
  b.ret();
  return b.take();
}

TEST(Executor, donatedArgumentIsOverwrittenInPlace) {
  std::unique_ptr<Client> client = makeClient(2);
  auto executable = client->load(counter());
  ASSERT_OK(executable);
  std::vector<Buffer> arguments;
  arguments.push_back(*(*executable)->makeArgument(0, hostArray<int32_t>(DType::I32, {}, {41})));
  const void *bytes = arguments[0].data(1);
  RunOptions options;
  RunStats stats;
  options.stats = &stats;
  options.donate = (*executable)->aliasedArguments();
  EXPECT_EQ(options.donate, std::vector<bool>{true});
  auto results = (*executable)->run(absl::MakeSpan(arguments), options);
  ASSERT_OK(results);
  EXPECT_TRUE(arguments[0].isEmpty());
  EXPECT_EQ((*results)[0].data(1), bytes);
  EXPECT_EQ((*results)[0].toHost()->as<int32_t>()[0], 42);
  EXPECT_EQ(stats.undonatedCopies, 0u);
  EXPECT_EQ(stats.argumentBytes, 4u);
  EXPECT_EQ(stats.resultBytes, 0u);
  expectError((*executable)->run(absl::MakeSpan(arguments), options),
              absl::StatusCode::kInvalidArgument, {"arg0", "donated"});
}

// Whole arrays and outermost tiles are read where they lie; inner tiles are copied, and what the
// program overwrites is copied although it is donated.
TEST(Executor, borrowedArgumentsAreNotCopied) {
  std::unique_ptr<Client> client = makeClient(2);
  ProgramBuilder b(2);
  constexpr uint64_t kTile = 4 * sizeof(int32_t);
  BufferRef whole = b.argument(DType::I32, {4});
  BufferRef tiled = b.argument(DType::I32, {4, 2}, {2, 2}, {0, 1});
  b.argument(DType::I32, {2, 4}, {2, 2}, {0, 0});
  b.get().arguments[2]->layout->tiles = {0, 0, 0, 1};
  BufferRef first = b.result(DType::I32, {8}, {4}, {0, 1});
  BufferRef second = b.result(DType::I32, {8}, {4}, {0, 1});
  b.copy(whole, first, kTile);
  b.copy(tiled, second, kTile);
  b.ret();
  auto executable = client->load(b.take());
  ASSERT_OK(executable);
  std::vector<HostArray> arrays = {hostArray<int32_t>(DType::I32, {4}, {1, 2, 3, 4}),
                                   hostArray<int32_t>(DType::I32, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
                                   HostArray::zeros(DType::I32, {2, 4})};
  std::vector<Buffer> arguments;
  for (size_t i = 0; i < arrays.size(); ++i) {
    auto buffer = (*executable)->borrowArgument(i, arrays[i]);
    ASSERT_OK(buffer);
    arguments.push_back(std::move(*buffer));
  }
  const std::byte *bytes = arrays[1].bytes.data();
  EXPECT_EQ(arguments[0].data(0), arrays[0].bytes.data());
  EXPECT_EQ(arguments[0].data(1), arrays[0].bytes.data());
  EXPECT_EQ(arguments[1].data(0), bytes);
  EXPECT_EQ(arguments[1].data(1), bytes + kTile);
  for (int device : {0, 1}) {
    auto *data = static_cast<const std::byte *>(arguments[2].data(device));
    const std::byte *begin = arrays[2].bytes.data();
    EXPECT_TRUE(data < begin || data >= begin + arrays[2].bytes.size());
  }
  auto results = (*executable)->run(absl::MakeSpan(arguments), RunOptions());
  ASSERT_OK(results);
  EXPECT_EQ((*results)[1].toHost()->as<int32_t>()[6], 7);
  expectError((*executable)->borrowArgument(0, arrays[1]), absl::StatusCode::kInvalidArgument,
              {"arg0"});

  auto counting = client->load(counter());
  ASSERT_OK(counting);
  HostArray state = hostArray<int32_t>(DType::I32, {}, {41});
  std::vector<Buffer> states;
  states.push_back(*(*counting)->borrowArgument(0, state));
  RunOptions options;
  RunStats stats;
  options.stats = &stats;
  options.donate = {true};
  auto counted = (*counting)->run(absl::MakeSpan(states), options);
  ASSERT_OK(counted);
  EXPECT_EQ((*counted)[0].toHost()->as<int32_t>()[0], 42);
  EXPECT_EQ(state.as<int32_t>()[0], 41);
  EXPECT_EQ(stats.undonatedCopies, 2u);
}

TEST(Executor, argumentThatIsNotDonatedKeepsItsValue) {
  std::unique_ptr<Client> client = makeClient(2);
  auto executable = client->load(counter());
  ASSERT_OK(executable);
  std::vector<Buffer> arguments;
  arguments.push_back(*(*executable)->makeArgument(0, hostArray<int32_t>(DType::I32, {}, {41})));
  RunStats stats;
  RunOptions options;
  options.stats = &stats;
  auto results = (*executable)->run(absl::MakeSpan(arguments), options);
  ASSERT_OK(results);
  EXPECT_EQ(arguments[0].toHost()->as<int32_t>()[0], 41);
  EXPECT_EQ((*results)[0].toHost()->as<int32_t>()[0], 42);
  EXPECT_EQ(stats.undonatedCopies, 2u);
  EXPECT_EQ(stats.undonatedCopyBytes, 8u);
}

// A temporary that is read before it is written, a result that is not written, and an argument
// whose place a result takes: only this one has a value.
TEST(Executor, poisonShowsWhatIsReadUnwritten) {
  ProgramBuilder b(2);
  BufferRef state = b.argument(DType::F32, {});
  b.aliasResult(0);
  BufferRef copied = b.result(DType::F32, {});
  b.result(DType::F32, {});
  BufferRef temp = b.temp(4);
  b.copy(temp, copied, 4);
  b.copy(state, temp, 4); // what a second step would find there
  b.ret();
  std::unique_ptr<Client> client = makeClient(2);
  auto executable = client->load(b.take());
  ASSERT_OK(executable);
  std::vector<Buffer> arguments;
  arguments.push_back(*(*executable)->makeArgument(0, hostArray<float>(DType::F32, {}, {41})));
  RunOptions options;
  options.poison = true;
  for (bool donate : {false, true})
    for (int step = 0; step < 2; ++step) {
      options.donate = {donate};
      auto results = (*executable)->run(absl::MakeSpan(arguments), options);
      ASSERT_OK(results);
      EXPECT_EQ((*results)[0].toHost()->as<float>()[0], 41);
      EXPECT_TRUE(std::isnan((*results)[1].toHost()->as<float>()[0]));
      EXPECT_TRUE(std::isnan((*results)[2].toHost()->as<float>()[0]));
      (*executable)->feedBack(absl::MakeSpan(*results), absl::MakeSpan(arguments));
    }
}

TEST(Executor, feedBackMovesAliasedResultsWithoutCopies) {
  std::unique_ptr<Client> client = makeClient(2);
  auto executable = client->load(counter());
  ASSERT_OK(executable);
  std::vector<Buffer> arguments;
  arguments.push_back(*(*executable)->makeArgument(0, hostArray<int32_t>(DType::I32, {}, {0})));
  const void *bytes = arguments[0].data(0);
  RunStats stats;
  RunOptions options;
  options.stats = &stats;
  options.donate = {true};
  for (int step = 0; step < 100; ++step) {
    auto results = (*executable)->run(absl::MakeSpan(arguments), options);
    ASSERT_OK(results);
    EXPECT_EQ(stats.undonatedCopies, 0u);
    (*executable)->feedBack(absl::MakeSpan(*results), absl::MakeSpan(arguments));
    EXPECT_TRUE((*results)[0].isEmpty());
  }
  EXPECT_EQ(arguments[0].data(0), bytes);
  EXPECT_EQ(arguments[0].toHost()->as<int32_t>()[0], 100);
}

TEST(Executor, errorsOfArguments) {
  std::unique_ptr<Client> client = makeClient(2);
  auto executable = client->load(counter());
  ASSERT_OK(executable);
  expectError((*executable)->makeArgument(0, HostArray::zeros(DType::F32, {}), "in.npz"),
              absl::StatusCode::kInvalidArgument, {"in.npz: arg0: found f32[], expected i32[]"});
  expectError((*executable)->makeArgument(0, HostArray::zeros(DType::I32, {3})),
              absl::StatusCode::kInvalidArgument, {"found i32[3], expected i32[]"});
  expectError((*executable)->makeArgument(1, HostArray::zeros(DType::I32, {})),
              absl::StatusCode::kInvalidArgument, {"argument 1 of 1"});
  expectError((*executable)->run({}, {}), absl::StatusCode::kInvalidArgument,
              {"found 0 arguments, expected 1"});
  expectError(makeClient(1)->load(counter()), absl::StatusCode::kInvalidArgument,
              {"needs 2 devices, the client has 1"});
  expectError(Client::create({.devices = 0, .threads = 0, .link = std::nullopt}),
              absl::StatusCode::kInvalidArgument, {"found 0 devices"});
}

TEST(Executor, uint16IsTheBitsOfBf16) {
  std::unique_ptr<Client> client = makeClient(1);
  ProgramBuilder b(1);
  BufferRef in = b.argument(DType::BF16, {2}), out = b.result(DType::BF16, {2});
  b.copy(in, out, 4);
  b.ret();
  auto executable = client->load(b.take());
  ASSERT_OK(executable);
  std::vector<Buffer> arguments;
  arguments.push_back(
      *(*executable)->makeArgument(0, hostArray<uint16_t>(DType::UI16, {2}, {0x3F80, 0x4000})));
  auto results = (*executable)->run(absl::MakeSpan(arguments), {});
  ASSERT_OK(results);
  HostArray array = *(*results)[0].toHost();
  EXPECT_EQ(array.dtype, DType::BF16);
  EXPECT_EQ(array.as<uint16_t>()[1], 0x4000);
}

TEST(Executor, replicasThatDifferAreAnError) {
  std::unique_ptr<Client> client = makeClient(3);
  ProgramBuilder b(3);
  BufferRef out = b.result(DType::I32, {2, 2});
  b.copy(b.constant<int32_t>({1, 2, 3, 4}), out, 16);
  auto id = std::make_unique<program::BufferT>(*b.get().buffers[out.buffer()]);
  id->offset = 8;
  id->bytes = 4;
  b.get().buffers.push_back(std::move(id));
  b.writeDeviceId(BufferRef(static_cast<uint32_t>(b.get().buffers.size() - 1), 0));
  b.ret();
  auto executable = client->load(b.take());
  ASSERT_OK(executable);
  auto results = (*executable)->run({}, {});
  ASSERT_OK(results);
  expectError((*results)[0].toHost(), absl::StatusCode::kInternal,
              {"devices 0 and 1", "i32[2,2]", "[1, 0]"});
}

TEST(Executor, matrixProduct) {
  std::unique_ptr<Client> client = makeClient(1);
  ProgramBuilder b(1);
  BufferRef lhs = b.argument(DType::F32, {2, 3}), rhs = b.argument(DType::F32, {3, 2});
  BufferRef out = b.result(DType::F32, {2, 2});
  b.gemm(2, 2, 3, lhs, rhs, out);
  b.ret();
  auto executable = client->load(b.take());
  ASSERT_OK(executable);
  std::vector<Buffer> arguments;
  arguments.push_back(
      *(*executable)->makeArgument(0, hostArray<float>(DType::F32, {2, 3}, {1, 2, 3, 4, 5, 6})));
  arguments.push_back(
      *(*executable)->makeArgument(1, hostArray<float>(DType::F32, {3, 2}, {1, 0, 0, 1, 1, 1})));
  auto results = (*executable)->run(absl::MakeSpan(arguments), {});
  ASSERT_OK(results);
  HostArray array = *(*results)[0].toHost();
  EXPECT_THAT(array.as<float>(), testing::ElementsAre(4, 5, 10, 11));
}

int doubleIt(const TandemCustomCallFrame *frame) {
  const float *x = static_cast<const float *>(frame->operands[0].data);
  float *y = static_cast<float *>(frame->results[0].data);
  for (int64_t i = 0; i < frame->operands[0].dims[0]; ++i)
    y[i] = 2 * x[i];
  ++*static_cast<std::atomic<int> *>(frame->user_data);
  return 0;
}

int refuse(const TandemCustomCallFrame *frame) {
  std::strncpy(frame->message, "not today", frame->message_size);
  return frame->device == 1 ? 7 : 0;
}

std::unique_ptr<program::ProgramT> customCall(const std::string &target) {
  ProgramBuilder b(2);
  BufferRef in = b.argument(DType::F32, {4}, {2}, {0, 1});
  BufferRef out = b.result(DType::F32, {4}, {2}, {0, 1});
  b.customCall(target, DType::F32, {2}, in, out, {.name = "call.1"});
  b.ret();
  return b.take();
}

TEST(Executor, customCallRunsOnEveryDevice) {
  std::unique_ptr<Client> client = makeClient(2);
  std::atomic<int> calls{0};
  client->registerCustomCall("double", doubleIt, &calls);
  auto executable = client->load(customCall("double"));
  ASSERT_OK(executable);
  std::vector<Buffer> arguments;
  arguments.push_back(
      *(*executable)->makeArgument(0, hostArray<float>(DType::F32, {4}, {1, 2, 3, 4})));
  auto results = (*executable)->run(absl::MakeSpan(arguments), {});
  ASSERT_OK(results);
  HostArray array = *(*results)[0].toHost();
  EXPECT_THAT(array.as<float>(), testing::ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(calls, 2);
}

TEST(Executor, unknownCustomCallIsAnErrorAtLoad) {
  std::unique_ptr<Client> client = makeClient(2);
  client->registerCustomCall("double", doubleIt);
  expectError(client->load(customCall("triple")), absl::StatusCode::kNotFound,
              {"commands[0] 'call.1'", "'triple'", "registered: double"});
}

TEST(Executor, failingCustomCallEndsTheStepAndTheNextOneRuns) {
  std::unique_ptr<Client> client = makeClient(2);
  client->registerCustomCall("refuse", refuse);
  auto executable = client->load(customCall("refuse"));
  ASSERT_OK(executable);
  for (int i = 0; i < 3; ++i) {
    std::vector<Buffer> arguments;
    arguments.push_back(
        *(*executable)->makeArgument(0, hostArray<float>(DType::F32, {4}, {1, 2, 3, 4})));
    expectError((*executable)->run(absl::MakeSpan(arguments), {}),
                absl::StatusCode::kFailedPrecondition,
                {"'refuse' failed on device 1 with code 7: not today"});
  }
}

TEST(Executor, tracesOneTrackPerDeviceAndStream) {
  std::unique_ptr<Client> client = makeClient(2);
  ProgramBuilder b(2);
  BufferRef in = b.argument(DType::F32, {4}), out = b.result(DType::F32, {4});
  BufferRef x = b.temp(16), y = b.temp(16);
  uint32_t computed = b.event(), reduced = b.event();
  b.copy(in, x, 16, {.signal = static_cast<int32_t>(computed), .name = "first"});
  b.collective(b.allReduce(DType::F32, {4}), {x}, {y},
               {.waits = {computed}, .signal = static_cast<int32_t>(reduced), .name = "sum"});
  b.copy(y, out, 16, {.stream = kCopyStream, .waits = {reduced}, .name = "last"});
  b.ret();
  auto executable = client->load(b.take());
  ASSERT_OK(executable);
  std::vector<Buffer> arguments;
  arguments.push_back(
      *(*executable)->makeArgument(0, hostArray<float>(DType::F32, {4}, {1, 2, 3, 4})));
  Trace trace;
  RunStats stats;
  RunOptions options;
  options.trace = &trace;
  options.stats = &stats;
  auto results = (*executable)->run(absl::MakeSpan(arguments), options);
  ASSERT_OK(results);
  EXPECT_THAT((*results)[0].toHost()->as<float>(), testing::ElementsAre(2, 4, 6, 8));

  std::map<std::string, std::pair<double, double>> spans; // of device 1
  std::set<std::string> tracks;
  nlohmann::json json = nlohmann::json::parse(trace.toJson());
  for (const auto &event : json["traceEvents"]) {
    if (event["name"] == "thread_name")
      tracks.insert(std::to_string(event["pid"].get<int>()) + " " +
                    event["args"]["name"].get<std::string>());
    if (event["ph"] == "X" && event["pid"] == 1)
      spans[event["name"]] = {event["ts"], event["ts"].get<double>() + event["dur"].get<double>()};
  }
  EXPECT_THAT(tracks, testing::ElementsAre("0 communication 0", "0 compute", "0 copy",
                                           "1 communication 0", "1 compute", "1 copy"));
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_LE(spans["first"].second, spans["sum"].first + 0.001);
  EXPECT_LE(spans["sum"].second, spans["last"].first + 0.001);

  EXPECT_EQ(stats.copies, 4u);
  EXPECT_EQ(stats.copyBytes, 64u);
  EXPECT_EQ(stats.commands, 6u);
  ASSERT_EQ(stats.collectives.size(), 1u);
  EXPECT_EQ(stats.collectives[0].count, 1u);
  EXPECT_EQ(stats.collectives[0].wireBytes, 16u);
  EXPECT_EQ(stats.peakBytes(), 16u + 16u + 128u);
}

TEST(Executor, programsCanBeSavedLoadedAndRun) {
  std::unique_ptr<Client> client = makeClient(2);
  std::string bytes = serializeProgram(*counter());
  auto program = parseProgram(bytes, "memory");
  ASSERT_OK(program);
  EXPECT_EQ(serializeProgram(**program), bytes);
  auto executable = client->load(std::move(*program));
  ASSERT_OK(executable);
}

} // namespace
} // namespace tandem::runtime
