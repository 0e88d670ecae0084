// Which commands are dispatched as one, and that nobody can tell.
#include <gmock/gmock.h>

#include "runtime/executor/Commands.h"
#include "tandem/Runtime/Client.h"
#include "tests/runtime/IrObject.h"
#include "tests/runtime/ProgramBuilder.h"
#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int64_t kBytes = 4;

// The sequences of a program; a loop's end is negative.
std::vector<std::pair<int, int>> sequencesOf(const program::ProgramT &program) {
  GemmLibrary gemms(1);
  CustomCallRegistry customCalls;
  auto resolved = ResolvedProgram::create(program, gemms, customCalls);
  EXPECT_OK(resolved);
  std::vector<std::pair<int, int>> found;
  for (const Sequence &sequence : (*resolved)->sequences) {
    int end = static_cast<int>(sequence.end);
    found.push_back({static_cast<int>(sequence.begin), sequence.repeats ? -end : end});
    EXPECT_EQ((*resolved)->sourceOf((*resolved)->commands[sequence.begin].startsSequence),
              sequence.begin);
  }
  return found;
}

// do { x += 1; copies += x } while (x < n), and what comes before and after.
struct LoopProgram {
  ProgramBuilder b{1};
  BufferRef n = b.argument(DType::I32, {}), out = b.result(DType::I32, {});
  BufferRef x = b.temp(kBytes), y = b.temp(kBytes), p = b.temp(1);
  uint32_t inc = b.kernel("inc", scalarKernels()), less = b.kernel("less", scalarKernels());
  uint32_t ready = b.event(), loop = b.loop(), top = 0;
  std::vector<uint32_t> tests;

  LoopProgram() {
    b.get().kernels[less]->object = 0;
    b.get().objects.pop_back();
    b.copy(b.constant<int32_t>({0}), x, kBytes);
    b.launch(less, {x, n, p}, {.signal = static_cast<int32_t>(ready)});
    b.loopBegin(loop);
    tests.push_back(b.jumpIfNot(p, {ready}));
    top = b.here();
  }
  // The rest of the body stands before.
  void close() {
    b.launch(inc, {x});
    b.launch(less, {x, n, p}, {.signal = static_cast<int32_t>(ready)});
    b.loopNext(loop);
    tests.push_back(b.jumpIfNot(p, {ready}));
    b.jump(top);
    for (uint32_t test : tests)
      b.setTarget(test, b.here());
    b.copy(x, out, kBytes);
    b.ret();
  }
};

struct Outcome {
  int32_t value;
  uint64_t commands, copies, copyBytes;
  bool operator==(const Outcome &) const = default;
};

// `singly`: as a traced step, which has no sequences.
Outcome run(std::unique_ptr<program::ProgramT> program, int32_t n, bool singly) {
  auto client = Client::create({.devices = 1, .threads = 2, .link = std::nullopt});
  EXPECT_OK(client);
  auto executable = (*client)->load(std::move(program));
  EXPECT_OK(executable);
  std::vector<Buffer> arguments;
  auto argument = (*executable)->makeArgument(0, hostArray<int32_t>(DType::I32, {}, {n}));
  EXPECT_OK(argument);
  arguments.push_back(std::move(*argument));
  RunStats stats;
  Trace trace;
  RunOptions options;
  options.stats = &stats;
  if (singly)
    options.trace = &trace;
  auto results = (*executable)->run(absl::MakeSpan(arguments), options);
  EXPECT_OK(results);
  auto host = (*results)[0].toHost();
  EXPECT_OK(host);
  return {host->as<int32_t>()[0], stats.commands, stats.copies, stats.copyBytes};
}

TEST(Sequences, aLoopOfShortCommandsIsOne) {
  LoopProgram p;
  p.close();
  EXPECT_THAT(sequencesOf(p.b.get()), ElementsAre(std::pair(0, 2), std::pair(4, -6)));
}

TEST(Sequences, soIsOneThatTestsAtItsFront) {
  ProgramBuilder b(1);
  BufferRef n = b.argument(DType::I32, {}), x = b.temp(kBytes), p = b.temp(1);
  uint32_t less = b.kernel("less", scalarKernels());
  uint32_t ready = b.event(), loop = b.loop();
  b.launch(less, {x, n, p}, {.signal = static_cast<int32_t>(ready)});
  b.loopBegin(loop);
  uint32_t head = b.jumpIfNot(p, {ready});
  b.launch(less, {x, n, p}, {.signal = static_cast<int32_t>(ready)});
  b.loopNext(loop);
  b.jump(head);
  b.setTarget(head, b.here());
  b.ret();
  EXPECT_THAT(sequencesOf(b.get()), ElementsAre(std::pair(3, -4)));
}

// More turns than a sequence may take at once, and none.
TEST(Sequences, loopsCountAsEverWithThem) {
  for (int32_t n : {0, 1, 2, 15, 16, 17, 4096, 4097, 10000}) {
    auto make = [] {
      LoopProgram p;
      p.b.copy(p.x, p.y, kBytes);
      p.close();
      return p.b.take();
    };
    Outcome outcome = run(make(), n, /*singly=*/false);
    EXPECT_EQ(outcome, run(make(), n, /*singly=*/true)) << n;
    EXPECT_EQ(outcome.value, n);
    EXPECT_EQ(outcome.copies, static_cast<uint64_t>(n) + 2);
    EXPECT_EQ(outcome.copyBytes, (static_cast<uint64_t>(n) + 2) * kBytes);
  }
}

TEST(Sequences, otherStreamsRotationAndForeignPredicatesKeepALoopApart) {
  { // A copy engine takes part.
    LoopProgram p;
    p.b.copy(p.x, p.y, kBytes, {.stream = kCopyStream});
    p.close();
    EXPECT_THAT(sequencesOf(p.b.get()), ElementsAre(std::pair(0, 2), std::pair(5, 7)));
  }
  { // A buffer turns with the loop: the iteration must be known.
    LoopProgram p;
    BufferRef slots = p.b.rotatingTemp(kBytes, 2, p.loop);
    p.b.copy(p.x, slots, kBytes);
    p.close();
    EXPECT_THAT(sequencesOf(p.b.get()), ElementsAre(std::pair(0, 2), std::pair(5, 7)));
  }
  { // What the test waits for is signalled elsewhere.
    LoopProgram p;
    p.close();
    uint32_t other = p.b.event();
    p.b.get().commands[p.tests[1]]->waits = {other};
    EXPECT_THAT(sequencesOf(p.b.get()), ElementsAre(std::pair(0, 2), std::pair(4, 6)));
  }
}

TEST(Sequences, runsEndAtSignalsAndBeginAtWaits) {
  ProgramBuilder b(1);
  BufferRef x = b.temp(kBytes), y = b.temp(kBytes);
  uint32_t first = b.event(), second = b.event();
  b.copy(x, y, kBytes);
  b.copy(x, y, kBytes);
  b.copy(x, y, kBytes, {.signal = static_cast<int32_t>(first)});
  b.copy(x, y, kBytes);
  b.copy(x, y, kBytes);
  b.copy(y, x, kBytes,
         {.stream = kCopyStream, .waits = {first}, .signal = static_cast<int32_t>(second)});
  b.copy(x, y, kBytes, {.waits = {second}});
  b.copy(x, y, kBytes, {.waits = {second}});
  b.ret();
  EXPECT_THAT(sequencesOf(b.get()), ElementsAre(std::pair(0, 3), std::pair(3, 5)));
}

TEST(Sequences, longCommandsStayAlone) {
  ProgramBuilder b(1);
  constexpr uint64_t kLarge = 1 << 20;
  BufferRef x = b.temp(kLarge), y = b.temp(kLarge);
  for (int i = 0; i < 3; ++i)
    b.copy(x, y, kLarge);
  b.ret();
  EXPECT_THAT(sequencesOf(b.get()), IsEmpty());
}

// A jump into a run: what stands before the target is not part of it.
TEST(Sequences, jumpsEndRuns) {
  ProgramBuilder b(1);
  BufferRef which = b.argument(DType::I32, {}), x = b.temp(kBytes), y = b.temp(kBytes);
  uint32_t branch = b.branch(which, {}, 2);
  b.setTarget(branch, b.here(), 0);
  b.copy(x, y, kBytes);
  b.copy(x, y, kBytes);
  b.setTarget(branch, b.here(), 1);
  b.copy(x, y, kBytes);
  b.copy(x, y, kBytes);
  b.ret();
  EXPECT_THAT(sequencesOf(b.get()), ElementsAre(std::pair(1, 3), std::pair(3, 5)));
}

} // namespace
} // namespace tandem::runtime
