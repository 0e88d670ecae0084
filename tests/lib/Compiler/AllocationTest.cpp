// A step takes no memory from the system: arenas, queues and scratch are there from loading on.
//
// This executable's malloc counts while a step runs. Workers must not call it at all, unless a
// library does (oneDNN's bookkeeping of a call); the caller makes its results' handles, a few
// small objects whose number does not depend on what the program does.
#include "tandem/Compiler/Compilation.h"
#include "tandem/Runtime/Client.h"
#include "tandem/Runtime/Npz.h"

#include "gtest/gtest.h"

#include <atomic>
#include <cerrno>
#include <fstream>
#include <sstream>

// What the C library calls its own.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

struct Counts {
  std::atomic<int64_t> calls{0}, largest{0};
  void add(size_t bytes) {
    calls.fetch_add(1);
    int64_t seen = largest.load();
    while (seen < static_cast<int64_t>(bytes) &&
           !largest.compare_exchange_weak(seen, static_cast<int64_t>(bytes))) {
    }
  }
  void clear() { calls = largest = 0; }
};

std::atomic<bool> counting{false};
Counts ofCaller, ofOthers;
thread_local bool isCaller = false;

void count(size_t bytes) {
  if (counting.load(std::memory_order_relaxed))
    (isCaller ? ofCaller : ofOthers).add(bytes);
}

} // namespace

extern "C" {
void *malloc(size_t bytes) {
  count(bytes);
  return __libc_malloc(bytes);
}
void *calloc(size_t number, size_t bytes) {
  count(number * bytes);
  return __libc_calloc(number, bytes);
}
void *realloc(void *old, size_t bytes) {
  count(bytes);
  return __libc_realloc(old, bytes);
}
void *memalign(size_t alignment, size_t bytes) {
  count(bytes);
  return __libc_memalign(alignment, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void **result, size_t alignment, size_t bytes) {
  *result = memalign(alignment, bytes);
  return *result ? 0 : ENOMEM;
}
}

namespace tandem {
namespace {

using namespace runtime;

std::string fileText(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(file.good()) << path;
  return text.str();
}

struct Step {
  int64_t callerCalls, callerLargest, workerCalls, workerLargest;
};

// The third step of a program, its aliased arguments donated.
Step thirdStep(const std::string &text, const std::vector<HostArray> &given) {
  Source source{"test.mlir", text, Source::Kind::Unknown};
  source.kind = kindOf(source.bytes);
  auto compilation = Compilation::parse(source, CompileOptions());
  EXPECT_TRUE(compilation.ok()) << compilation.status();
  EXPECT_TRUE((*compilation)->run().ok());
  std::unique_ptr<program::ProgramT> program = (*compilation)->takeProgram();
  ClientOptions options;
  options.devices = static_cast<int>(program->num_devices);
  options.threads = 2;
  auto client = Client::create(options);
  EXPECT_TRUE(client.ok());
  auto executable = (*client)->load(std::move(program));
  EXPECT_TRUE(executable.ok()) << executable.status();
  std::vector<Buffer> arguments;
  for (size_t i = 0; i < (*executable)->getProgram().arguments.size(); ++i) {
    const program::ArgumentT &argument = *(*executable)->getProgram().arguments[i];
    auto buffer = (*executable)
                      ->makeArgument(i, i < given.size() ? given[i]
                                                         : HostArray::zeros(argument.type->dtype,
                                                                            argument.type->dims));
    EXPECT_TRUE(buffer.ok()) << buffer.status();
    arguments.push_back(std::move(*buffer));
  }
  RunOptions run;
  run.donate = (*executable)->aliasedArguments();
  for (int step = 0; step < 3; ++step) {
    ofCaller.clear();
    ofOthers.clear();
    isCaller = true;
    counting = step == 2;
    auto results = (*executable)->run(absl::MakeSpan(arguments), run);
    counting = false;
    EXPECT_TRUE(results.ok()) << results.status();
    (*executable)->feedBack(absl::MakeSpan(*results), absl::MakeSpan(arguments));
  }
  return {ofCaller.calls, ofCaller.largest, ofOthers.calls, ofOthers.largest};
}

// Kernels in a row, one of them in a loop, with sums across two devices; or one kernel.
std::string chain(int length) {
  std::stringstream text;
  text << R"(module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %start = stablehlo.constant dense<0> : tensor<i32>
    %v0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x64xf32>, tensor<f32>) -> tensor<64xf32>
)";
  for (int i = 0; i < length; ++i)
    text << "    %b" << i << " = stablehlo.broadcast_in_dim %v" << i
         << ", dims = [1] : (tensor<64xf32>) -> tensor<8x64xf32>\n    %t" << i
         << " = stablehlo.multiply %x, %b" << i << " : tensor<8x64xf32>\n    %v" << i + 1
         << " = stablehlo.reduce(%t" << i
         << " init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x64xf32>, "
            "tensor<f32>) -> tensor<64xf32>\n";
  text << "    %w:2 = stablehlo.while(%i = %start, %y = %v" << length
       << R"() : tensor<i32>, tensor<64xf32>
    cond {
      %n = stablehlo.constant dense<50> : tensor<i32>
      %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %z = stablehlo.tanh %y : tensor<64xf32>
      stablehlo.return %j, %z : tensor<i32>, tensor<64xf32>
    }
    return %w#1 : tensor<64xf32>
  }
})";
  return text.str();
}

TEST(Allocation, KernelsLoopsAndCollectivesTakeNone) {
  Step few = thirdStep(chain(0), {}), many = thirdStep(chain(40), {});
  for (const Step &step : {few, many}) {
    EXPECT_EQ(step.workerCalls, 0) << step.workerLargest;
    EXPECT_LT(step.callerLargest, 512);
  }
  EXPECT_EQ(few.callerCalls, many.callerCalls);
}

// The counters count.
TEST(Allocation, IsSeen) {
  ofCaller.clear();
  isCaller = true;
  counting = true;
  void *number = ::operator new(7); // a call, which no compiler leaves out
  void *aligned = nullptr;
  EXPECT_EQ(posix_memalign(&aligned, 64, 1 << 20), 0);
  counting = false;
  EXPECT_GE(ofCaller.calls, 2);
  EXPECT_GE(ofCaller.largest, 1 << 20);
  ::operator delete(number);
  free(aligned);
}

// Training steps with products by libraries: no array is made anew. A library may take a little by
// itself (OpenBLAS packs the edge of a small product into 1 KiB on some processors); the arrays of
// these programs are larger.
TEST(Allocation, TrainingStepsMakeNoArrays) {
  for (const char *name : {"dp_mlp", "mnist_train", "tensor_parallel_fwd"}) {
    Step step = thirdStep(fileText(std::string(TANDEM_CORPUS "/") + name + ".stablehlo.mlir"), {});
    EXPECT_LT(step.callerLargest, 1024) << name;
    EXPECT_LE(step.workerLargest, 1024) << name;
  }
}

} // namespace
} // namespace tandem
