// Runs a few small programs on virtual devices and turns their times into a target.
#include "Measure.h"

#include "Inputs.h"

#include "tandem/Compiler/Compiler.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tandem::tool {
namespace {

constexpr int kRuns = 9;
constexpr double kPicoseconds = 1e12;

// A program of one argument per device whose body is `body`, from %x : tensor<ROWSxCOLSxT>.
std::string programText(int devices, int64_t rows, int64_t cols, const std::string &type,
                        const std::string &body) {
  const std::string local = absl::StrCat("tensor<", rows, "x", cols, "x", type, ">");
  const std::string whole = absl::StrCat("tensor<", rows * devices, "x", cols, "x", type, ">");
  return absl::StrReplaceAll(
      R"(module @measure {
  sdy.mesh @mesh = <["x"=DEVICES]>
  func.func public @main(%arg0: WHOLE {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (WHOLE {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%x: LOCAL) {
BODY
      sdy.return %y : LOCAL
    } : (WHOLE) -> WHOLE
    return %0 : WHOLE
  }
})",
      {{"DEVICES", absl::StrCat(devices)},
       {"WHOLE", whole},
       {"BODY", absl::StrReplaceAll(body, {{"LOCAL", local}})},
       {"LOCAL", local}});
}

// Median seconds of a step, after one to warm up: what `run` reports is a median too, and the least
// of several runs foretells a machine that nobody sees.
absl::StatusOr<double> secondsOf(const std::string &name, const std::string &text, int devices) {
  runtime::ClientOptions clientOptions;
  clientOptions.devices = devices;
  absl::StatusOr<std::unique_ptr<runtime::Client>> client = runtime::Client::create(clientOptions);
  if (!client.ok())
    return client.status();
  absl::StatusOr<std::unique_ptr<runtime::Executable>> step =
      compile(Source{name, text, Source::Kind::Mlir, ""}, CompileOptions(), **client);
  if (!step.ok())
    return step.status();
  absl::StatusOr<std::vector<runtime::Buffer>> arguments = makeArguments(**step, "", 0);
  if (!arguments.ok())
    return arguments.status();
  std::vector<double> times;
  for (int run = 0; run <= kRuns; ++run) {
    runtime::RunStats stats;
    runtime::RunOptions options;
    options.stats = &stats;
    absl::StatusOr<std::vector<runtime::Buffer>> results =
        (*step)->run(absl::MakeSpan(*arguments), options);
    if (!results.ok())
      return results.status();
    if (run > 0)
      times.push_back(stats.stepSeconds);
  }
  std::nth_element(times.begin(), times.begin() + kRuns / 2, times.end());
  return times[kRuns / 2];
}

// `times` lines of `line`, from %x over %v1, ... to %y; IN and OUT stand for the values.
std::string chain(int times, const std::string &line) {
  std::string text;
  for (int i = 0; i < times; ++i)
    absl::StrAppend(
        &text, "      ",
        absl::StrReplaceAll(line, {{"IN", i ? absl::StrCat("%v", i) : "%x"},
                                   {"OUT", i + 1 == times ? "%y" : absl::StrCat("%v", i + 1)}}),
        "\n");
  return text;
}

} // namespace

absl::StatusOr<Target> measureHost(int devices) {
  llvm::Expected<Target> host = Target::named("host");
  if (!host)
    return absl::InternalError(llvm::toString(host.takeError()));
  Target target = *host;
  target.comment = absl::StrCat("Measured here, ", devices, " devices at work at once.");
  target.sources = {"tandem targets --measure: the median of several runs of small programs"};
  absl::Status failed;
  auto seconds = [&](const char *name, int64_t rows, int64_t cols, const char *type,
                     const std::string &body) {
    if (!failed.ok())
      return 1.0;
    absl::StatusOr<double> time =
        secondsOf(name, programText(devices, rows, cols, type, body), devices);
    if (!time.ok()) {
      failed = time.status();
      return 1.0;
    }
    return *time;
  };
  auto perSecond = [](double amount, double time) {
    return std::max<int64_t>(1, static_cast<int64_t>(amount / std::max(time, 1e-9)));
  };

  // Launch and step: nothing to do, and a loop of kTrips trips with little in each.
  constexpr int64_t kSmall = 8, kTrips = 1000;
  const double idle =
      seconds("idle", kSmall, kSmall, "f32", chain(1, "OUT = stablehlo.negate IN : LOCAL"));
  const double loop = seconds("loop", kSmall, kSmall, "f32",
                              absl::StrReplaceAll(R"(
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %n = stablehlo.constant dense<TRIPS> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %i, %y = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, LOCAL
        cond {
        %less = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      } do {
        %next = stablehlo.add %k, %one : tensor<i32>
        %w = stablehlo.negate %v : LOCAL
        stablehlo.return %next, %w : tensor<i32>, LOCAL
      })",
                                                  {{"TRIPS", absl::StrCat(kTrips)}}));
  // The counter and the value are two launches at most.
  target.launchPicoseconds =
      std::max<int64_t>(0, static_cast<int64_t>((loop - idle) / (2 * kTrips) * kPicoseconds));
  auto busy = [&](double time) { return std::max(time - idle, time / 10); };

  // Products: several in a row, each needing the one before.
  constexpr int64_t kSide = 1024, kBigSide = 512;
  constexpr int kProducts = 4;
  for (auto &[type, rate] : target.matmulFlopsPerSecond) {
    if (type != "f32" && type != "bf16" && type != "f64")
      continue;
    const int64_t side = type == "f64" ? kBigSide : kSide;
    const double flops =
        2.0 * static_cast<double>(side) * static_cast<double>(side) * static_cast<double>(side);
    rate = perSecond(
        kProducts * flops,
        busy(seconds("matmul", side, side, type.c_str(),
                     chain(kProducts,
                           "OUT = stablehlo.dot_general IN, %x, contracting_dims = [1] x [0] : "
                           "(LOCAL, LOCAL) -> LOCAL"))));
  }
  for (auto &[type, rate] : target.matmulFlopsPerSecond)
    if (type == "f16")
      rate = target.matmulRate("f32");
  constexpr int64_t kLoopSide = 128;
  target.kernelMatmulFlopsPerSecond = perSecond(
      2.0 * kLoopSide * kLoopSide * kLoopSide,
      busy(seconds("integer matmul", kLoopSide, kLoopSide, "i32",
                   chain(1, "OUT = stablehlo.dot_general IN, %x, contracting_dims = [1] x [0] : "
                            "(LOCAL, LOCAL) -> LOCAL"))));
  // Traffic: read and write 16 MiB. Element operations: dear ones, counted as the model does.
  constexpr int64_t kRows = 4096, kCols = 1024, kElements = kRows * kCols, kSineWeight = 16;
  constexpr int kSines = 4;
  target.memoryBytesPerSecond = perSecond(
      2.0 * kElements * 4,
      busy(seconds("traffic", kRows, kCols, "f32", chain(1, "OUT = stablehlo.negate IN : LOCAL"))));
  target.copyBytesPerSecond = target.memoryBytesPerSecond / 2;
  target.scalarOpsPerSecond =
      perSecond(1.0 * kElements * kSines * kSineWeight,
                busy(seconds("sines", kRows, kCols, "f32",
                             chain(kSines, "OUT = stablehlo.sine IN : LOCAL"))));
  // The link: an exchange of little and of much; ring bytes by the model's formula.
  if (devices > 1) {
    std::string ids = "0";
    for (int id = 1; id < devices; ++id)
      absl::StrAppend(&ids, ", ", id);
    const std::string exchange =
        absl::StrReplaceAll(R"(OUT = "stablehlo.all_reduce"(IN) <{
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        replica_groups = dense<[[IDS]]> : tensor<1xNxi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (LOCAL) -> LOCAL)",
                            {{"IDS", ids}, {"1xN", absl::StrCat("1x", devices)}});
    constexpr int kExchanges = 32; // in a row: one alone is lost in what starts and ends a step
    const double little = seconds("exchange", kSmall, kSmall, "f32", chain(1, exchange));
    const double row = seconds("exchange", kSmall, kSmall, "f32", chain(kExchanges, exchange));
    const double much = seconds("exchange", kRows, kCols, "f32", chain(1, exchange));
    Link &link = target.links.front();
    link.latencyPicoseconds = std::max<int64_t>(
        0, static_cast<int64_t>((row - little) / (kExchanges - 1) * kPicoseconds));
    link.bytesPerSecond = perSecond(2.0 * kElements * 4 * (devices - 1) / devices, much - little);
  }
  if (!failed.ok())
    return failed;
  return target;
}

} // namespace tandem::tool
