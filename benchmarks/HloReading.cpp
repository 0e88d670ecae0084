// How fast HLO text is read and written: MB/s over modules that are made here, of two sizes, so
// that growth faster than the text shows. With a file as TANDEM_HLO_FILE, over that.
#include "tandem/Import/HloText.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace {

// `layers` times what a scheduled module repeats: fusions, a gather pair, a dot.
std::string makeModule(int layers) {
  std::string text = "HloModule made, is_scheduled=true, num_partitions=8\n\n\n";
  std::string entry = "ENTRY %main (p: f32[512,4096]) -> f32[512,4096] {\n"
                      "  %p = f32[512,4096]{1,0} parameter(0)\n";
  std::string last = "p";
  for (int i = 0; i < layers; ++i) {
    const std::string n = std::to_string(i);
    text += "%fused." + n +
            " (a: f32[512,4096], b: f32[4096,4096]) -> f32[512,4096] {\n"
            "  %a = f32[512,4096]{1,0} parameter(0)\n  %b = f32[4096,4096]{1,0} parameter(1)\n"
            "  %c = f32[] constant(0.0883883461)\n"
            "  %m = f32[512,4096]{1,0} broadcast(%c), dimensions={}\n"
            "  %d = f32[512,4096]{1,0} dot(%a, %b), lhs_contracting_dims={1}, "
            "rhs_contracting_dims={0}, backend_config={\"sizes\":[\"16\"]}\n"
            "  ROOT %r = f32[512,4096]{1,0} multiply(%d, %m), metadata={op_name=\"jit(step)/mul\" "
            "source_file=\"model.py\" source_line=12}\n}\n\n";
    entry += "  %start." + n + " = (f32[512,4096]{1,0}, f32[4096,4096]{1,0}) all-gather-start(%" +
             last + "), channel_id=" + n +
             ", replica_groups=mesh['axis_0'=8] {'axis_0'}, "
             "dimensions={0}, use_global_device_ids=true, backend_config={\"is_sync\":false}\n"
             "  %done." +
             n + " = f32[4096,4096]{1,0} all-gather-done(%start." + n +
             ")\n"
             "  %fusion." +
             n + " = f32[512,4096]{1,0} fusion(%" + last + ", %done." + n +
             "), kind=kCustom, calls=%fused." + n + "\n";
    last = "fusion." + n;
  }
  return text + entry + "  ROOT %out = f32[512,4096]{1,0} negate(%" + last + ")\n}\n\n";
}

std::string textFor(int64_t layers) {
  if (const char *path = std::getenv("TANDEM_HLO_FILE")) {
    std::stringstream bytes;
    bytes << std::ifstream(path).rdbuf();
    return bytes.str();
  }
  return makeModule(static_cast<int>(layers));
}

void readText(benchmark::State &state) {
  const std::string text = textFor(state.range(0));
  for (auto _ : state) {
    auto module = tandem::hlo::parse(text, "made");
    if (!module) {
      state.SkipWithError(llvm::toString(module.takeError()).c_str());
      return;
    }
    benchmark::DoNotOptimize(module->get());
    state.counters["arena bytes per byte"] =
        static_cast<double>((*module)->getArena().getTotalMemory()) / text.size();
  }
  state.SetBytesProcessed(state.iterations() * text.size());
}
BENCHMARK(readText)->Arg(100)->Arg(10000)->Unit(benchmark::kMillisecond);

void writeText(benchmark::State &state) {
  auto module = tandem::hlo::parse(textFor(state.range(0)), "made");
  if (!module) {
    state.SkipWithError(llvm::toString(module.takeError()).c_str());
    return;
  }
  size_t bytes = 0;
  for (auto _ : state)
    bytes += tandem::hlo::print(**module).size();
  state.SetBytesProcessed(bytes);
}
BENCHMARK(writeText)->Arg(10000)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
