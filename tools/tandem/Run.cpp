// tandem run: compile (unless it is compiled already), run, compare, report.
#include "Commands.h"
#include "Inputs.h"

#include "tandem/Compiler/Compilation.h"
#include "tandem/Cost/Profile.h"
#include "tandem/Explain/RunReport.h"
#include "tandem/Runtime/AtomicFile.h"
#include "tandem/Runtime/Client.h"
#include "tandem/Runtime/Compare.h"
#include "tandem/Runtime/Npz.h"
#include "tandem/Runtime/Program.h"
#include "tandem/Runtime/Trace.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unistd.h>

namespace tandem::tool {
namespace {

struct RunArguments {
  CompileOptions compile;
  std::string inputs, expected, outputs, trace, profile;
  std::optional<double> relative, absolute;
  std::optional<int64_t> seed;
  int64_t steps = 1, threads = 0;
  bool poison = false;
};

template <typename T, typename Make>
OptionTable::Parser optionalValue(std::optional<T> *destination, Make make) {
  return [=](absl::string_view text) {
    T value{};
    absl::Status status = make(&value)(text);
    if (status.ok())
      *destination = value;
    return status;
  };
}

// The median of each op's executions on all devices in all steps but the first, which warms up;
// of transfers from when all participants had arrived.
Profile profileOf(const runtime::Trace &trace) {
  std::map<absl::string_view, std::vector<const runtime::TraceEvent *>> events;
  int64_t last = 0;
  for (const runtime::TraceEvent &event : trace.getEvents())
    last = std::max(last, event.step);
  for (const runtime::TraceEvent &event : trace.getEvents())
    if (!event.key.empty() && (event.step > 0 || last == 0))
      events[event.key].push_back(&event);
  Profile profile;
  for (const auto &[key, found] : events) {
    std::vector<int64_t> times;
    for (const runtime::TraceEvent *event : found)
      times.push_back(event->endNanoseconds -
                      std::max(event->beginNanoseconds, event->transferNanoseconds));
    auto middle = times.begin() + times.size() / 2;
    std::nth_element(times.begin(), middle, times.end());
    profile.add(std::string(key), {1000 * *middle, static_cast<int64_t>(times.size()),
                                   std::string(found.front()->name)});
  }
  return profile;
}

OptionTable makeTable(RunArguments &run) {
  OptionTable table("run", "IN",
                    "Compiles IN (a module, or a Program that 'tandem compile' wrote), runs it on "
                    "virtual devices\nof this process and ends with a short report.");
  addCompileOptions(table, run.compile);
  table.value("--inputs", "F.npz", "arrays arg0, arg1, ... (default: made from --seed)",
              parseText(&run.inputs));
  table.value("--expect", "F.npz",
              "compare the results with out0, out1, ...; exit 1 if they differ",
              parseText(&run.expected));
  table.value("--rtol", "R", "passes when max|got - want| <= R * (max|want| + 1e-6) + A",
              optionalValue(&run.relative, [](double *value) { return parseReal(value); }));
  table.value("--atol", "A", "see --rtol (default 0)",
              optionalValue(&run.absolute, [](double *value) { return parseReal(value); }));
  table.value("--outputs", "F.npz", "write the results", parseText(&run.outputs));
  table.value("--steps", "K", "run K steps, results fed back into the arguments they alias",
              parseCount(&run.steps, 1));
  table.value("--seed", "S", "make missing inputs from this seed",
              optionalValue(&run.seed, [](int64_t *value) { return parseCount(value); }));
  table.value("--threads", "N", "worker threads (default: one per core)",
              parseCount(&run.threads, 1, runtime::kMaxThreads));
  table.flag("--poison", "fill temporary and result bytes with NaN before each step, to debug",
             &run.poison);
  table.value("--trace", "F.json", "write a timeline for Perfetto or chrome://tracing",
              parseText(&run.trace));
  table.value("--profile-out", "F.json", "write the measured times of ops, for --profile",
              parseText(&run.profile));
  return table;
}

absl::StatusOr<std::unique_ptr<program::ProgramT>> makeProgram(const std::string &path,
                                                               const CompileOptions &options) {
  absl::StatusOr<Source> source = readProgram(path, DumpStage::BeforeOptimizations);
  if (!source.ok())
    return source.status();
  if (source->kind == Source::Kind::Program)
    return runtime::parseProgram(source->bytes, source->name);
  absl::StatusOr<std::unique_ptr<Compilation>> compilation = Compilation::parse(*source, options);
  if (!compilation.ok())
    return compilation.status();
  absl::Status ran = (*compilation)->run();
  llvm::errs() << (*compilation)->getWarnings() << (*compilation)->timingTable();
  if (!ran.ok())
    return ran;
  return (*compilation)->takeProgram();
}

// A line that is rewritten while a step runs; only on a terminal.
class ProgressLine {
public:
  ProgressLine(int64_t steps) : steps(steps), active(isatty(STDERR_FILENO)) {}
  ~ProgressLine() {
    if (shown)
      llvm::errs() << "\r\033[K";
  }
  bool isActive() const { return active; }
  void show(int64_t step, const runtime::RunProgress &progress) {
    shown = true;
    llvm::errs() << absl::StrFormat("\r\033[Kstep %d of %d, %.1f s, %d commands done", step + 1,
                                    steps, progress.seconds, progress.commands);
  }

private:
  int64_t steps;
  bool active, shown = false;
};

// Results as global arrays named out0, out1, ...
absl::StatusOr<std::vector<runtime::NamedArray>>
collectResults(const std::vector<runtime::Buffer> &results) {
  std::vector<runtime::NamedArray> arrays;
  for (size_t i = 0; i < results.size(); ++i) {
    absl::StatusOr<runtime::HostArray> array = results[i].toHost();
    if (!array.ok())
      return absl::Status(array.status().code(),
                          absl::StrCat("out", i, ": ", array.status().message()));
    arrays.push_back({absl::StrCat("out", i), *std::move(array)});
  }
  return arrays;
}

// Prints the worst element of each result that differs.
absl::StatusOr<bool> compareResults(const RunArguments &run, const program::ProgramT &program,
                                    const std::vector<runtime::NamedArray> &results) {
  absl::StatusOr<std::map<int64_t, runtime::HostArray>> expected =
      runtime::readIndexedNpz(run.expected, "out");
  if (!expected.ok())
    return expected.status();
  if (!expected->empty() && expected->rbegin()->first >= static_cast<int64_t>(results.size()))
    return absl::InvalidArgumentError(
        absl::StrCat(run.expected, ": found out", expected->rbegin()->first, ", expected at most ",
                     results.size(), " arrays: the program has ", results.size(), " results"));
  size_t differing = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    const runtime::HostArray &got = results[i].array;
    auto found = expected->find(static_cast<int64_t>(i));
    const std::string where = absl::StrCat(run.expected, ": out", i);
    if (found == expected->end())
      return absl::InvalidArgumentError(absl::StrCat(where, " is missing; expected ", got.type(),
                                                     ", one array for each of the ", results.size(),
                                                     " results"));
    runtime::HostArray &want = found->second;
    if (absl::Status status = runtime::adaptTo(want, got.dtype, got.dims, where); !status.ok())
      return status;
    runtime::Tolerance tolerance = runtime::defaultTolerance(got.dtype);
    tolerance.relative = run.relative.value_or(tolerance.relative);
    tolerance.absolute = run.absolute.value_or(tolerance.absolute);
    const runtime::Comparison comparison = runtime::compareArrays(got, want, tolerance);
    if (comparison.equal)
      continue;
    ++differing;
    const std::string &name = program.results[i]->name;
    llvm::errs() << "tandem: out" << i
                 << (name.empty() || name == results[i].name ? "" : " '" + name + "'") << " ("
                 << got.type() << ") differs: " << comparison.describe() << "\n";
  }
  llvm::outs() << (differing ? absl::StrFormat("%-22s%d of %d results differ\n", "expected values",
                                               differing, results.size())
                             : absl::StrFormat("%-22s%d of %d results agree\n", "expected values",
                                               results.size(), results.size()));
  return differing == 0;
}

} // namespace

int runCommand(const std::vector<std::string> &arguments) {
  RunArguments run;
  const OptionTable table = makeTable(run);
  std::vector<std::string> positionals;
  int exitCode = kGood;
  if (!parseArguments(table, arguments, &positionals, 1, &exitCode))
    return exitCode;

  runtime::ClientOptions clientOptions;
  clientOptions.threads = static_cast<int>(run.threads);
  if (const std::string &text = run.compile.emulatedLink; !text.empty()) {
    absl::StatusOr<runtime::EmulatedLink> link = runtime::EmulatedLink::parse(text);
    if (!link.ok())
      return fail(absl::InvalidArgumentError(
          absl::StrCat("option '--emulate-link': ", link.status().message())));
    if (link->bytesPerSecond <= 0)
      return fail(absl::InvalidArgumentError(
          absl::StrCat("option '--emulate-link': found no bandwidth in '", text,
                       "'; expected e.g. latency=20us,bandwidth=25GB/s")));
    clientOptions.link = *link;
  }
  absl::StatusOr<std::unique_ptr<program::ProgramT>> program =
      makeProgram(positionals[0], run.compile);
  if (!program.ok())
    return fail(program.status());
  const int64_t needed = (*program)->num_devices;
  if (run.compile.devices && needed > run.compile.devices)
    return fail(absl::InvalidArgumentError(
        absl::StrCat(positionals[0], ": the Program needs ", needed, " devices, found --devices ",
                     run.compile.devices, "; pass at least ", needed)));
  clientOptions.devices = static_cast<int>(std::max(needed, run.compile.devices));

  absl::StatusOr<std::unique_ptr<runtime::Client>> client = runtime::Client::create(clientOptions);
  if (!client.ok())
    return fail(client.status());
  absl::StatusOr<std::unique_ptr<runtime::Executable>> executable =
      (*client)->load(*std::move(program));
  if (!executable.ok())
    return fail(executable.status());
  absl::StatusOr<std::vector<runtime::Buffer>> buffers =
      makeArguments(**executable, run.inputs, run.seed);
  if (!buffers.ok())
    return fail(buffers.status());

  runtime::Trace trace;
  std::vector<runtime::RunStats> stats;
  std::vector<runtime::Buffer> results;
  {
    ProgressLine line(run.steps);
    for (int64_t step = 0; step < run.steps; ++step) {
      runtime::RunOptions options;
      options.donate = (*executable)->aliasedArguments();
      options.trace = run.trace.empty() && run.profile.empty() ? nullptr : &trace;
      options.stats = &stats.emplace_back();
      options.poison = run.poison;
      if (line.isActive())
        options.progress = [&](const runtime::RunProgress &progress) { line.show(step, progress); };
      if (step > 0)
        (*executable)->feedBack(absl::MakeSpan(results), absl::MakeSpan(*buffers));
      absl::StatusOr<std::vector<runtime::Buffer>> produced =
          (*executable)->run(absl::MakeSpan(*buffers), options);
      if (!produced.ok())
        return fail(produced.status());
      results = *std::move(produced);
    }
  }

  absl::StatusOr<std::vector<runtime::NamedArray>> arrays;
  if (!run.expected.empty() || !run.outputs.empty()) {
    arrays = collectResults(results);
    if (!arrays.ok())
      return fail(arrays.status());
  }
  if (!run.outputs.empty())
    if (absl::Status status = runtime::writeNpz(run.outputs, *arrays); !status.ok())
      return failWriting(status);
  if (!run.trace.empty())
    if (absl::Status status = trace.write(run.trace); !status.ok())
      return failWriting(status);
  if (!run.profile.empty())
    if (absl::Status status =
            runtime::writeFileAtomically(run.profile, {profileOf(trace).toJson()});
        !status.ok())
      return failWriting(status);
  const program::ProgramT &ran = (*executable)->getProgram();
  bool agrees = true;
  if (!run.expected.empty()) {
    absl::StatusOr<bool> compared = compareResults(run, ran, *arrays);
    if (!compared.ok())
      return fail(compared.status());
    agrees = *compared;
  }
  llvm::outs() << formatRunReport(makeRunReport(ran, stats));
  return agrees ? kGood : kDiffers;
}

} // namespace tandem::tool
