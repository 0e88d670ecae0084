// The one place to read the whole compiler. A comment stands only where a place is forced.
#include "passes/Pipeline.h"

#include "mlir/Pass/PassRegistry.h"
#include "passes/Fuse/Passes.h"
#include "passes/Import/Passes.h"
#include "passes/Lower/Passes.h"
#include "passes/Memory/Passes.h"
#include "passes/Overlap/Passes.h"
#include "passes/Partition/Passes.h"
#include "passes/Schedule/Passes.h"
#include "passes/Shard/Passes.h"
#include "passes/Simplify/Passes.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {
namespace {

constexpr bool kMandatory = true, kOptional = false;

// One dialect family, calls inlined, custom calls understood.
const PipelineStep kImport[] = {
    // Before inlining, which would dissolve the functions written per device.
    {"import-gspmd", kMandatory, createImportGspmdPass},
    {"expand-parallel", kMandatory, createExpandParallelPass},
    {"inline-calls", kMandatory, createInlineCallsPass},
    {"form-checks", kMandatory, createFormChecksPass},
    {"normalize-ops", kMandatory, createNormalizeOpsPass},
    // After calls are inlined and tuples taken apart, which may hold tokens.
    {"drop-tokens", kMandatory, createDropTokensPass},
    {"decompose-chlo", kMandatory, createDecomposeChloPass},
    {"remove-identities", kOptional, createRemoveIdentitiesPass},
    {"verify-import", kOptional, createVerifyImportPass},
};

// Every value gets a sharding.
const PipelineStep kShard[] = {
    // Before propagation, which would tie the users of one constant together.
    {"split-constants", kOptional, createSplitConstantsPass},
    {"propagate-shardings", kMandatory, createPropagateShardingsPass},
    // After propagation, which decides what is split how; before anything asks for a device's part.
    {"pad-uneven", kMandatory, createPadUnevenPass},
    {"verify-shard", kOptional, createVerifyShardPass},
};

// The per-device program, its collectives explicit.
const PipelineStep kPartition[] = {
    // One of the two does nothing: the first runs a whole program on one device.
    {"expand-manual", kMandatory, createExpandManualPass},
    {"partition", kMandatory, createPartitionPass},
    {"remove-identities", kOptional, createRemoveIdentitiesPass},
    {"verify-partition", kOptional, createVerifyPartitionPass},
};

// Collectives in flight, loops as tandem.loop.
const PipelineStep kOverlap[] = {
    {"form-loops", kMandatory, createFormLoopsPass},
    {"form-cases", kMandatory, createFormCasesPass},
    // After loops: a condition's collectives are cloned with it.
    {"make-collectives-async", kMandatory, createMakeCollectivesAsyncPass},
    {"check-uniformity", kOptional, createCheckUniformityPass},
    {"verify-overlap", kOptional, createVerifyOverlapPass},
};

// Kernels and library calls.
const PipelineStep kFuse[] = {
    // Before fusion, which leaves what these take out of kernels.
    {"form-calls", kMandatory, createFormCallsPass},
    {"form-gemms", kMandatory, createFormGemmsPass},
    {"fuse-kernels", kMandatory, createFuseKernelsPass},
    {"form-constants", kMandatory, createFormConstantsPass},
    {"verify-fuse", kOptional, createVerifyFusePass},
};

// What must share bytes can.
const PipelineStep kMemory[] = {
    // Before all that asks which values must share bytes; after partition, which decides the tiles.
    {"pair-donors", kOptional, createPairDonorsPass},
    // Before copies, which are inserted for the values there are.
    {"rebuild-values", kOptional, createRebuildValuesPass},
    {"pair-in-place", kOptional, createPairInPlacePass},
    {"insert-copies", kMandatory, createInsertCopiesPass},
    {"verify-memory", kOptional, createVerifyMemoryPass},
};

// Order, streams, addresses.
const PipelineStep kSchedule[] = {
    // Before anything that reads block order as issue order.
    {"latency-hiding-schedule", kOptional, createLatencyHidingSchedulePass},
    // Only the final order tells which copies it needs.
    {"rotate-loop-state", kOptional, createRotateLoopStatePass},
    {"assign-streams", kMandatory, createAssignStreamsPass},
    // Addresses follow from live ranges, so from the final order.
    {"assign-buffers", kMandatory, createAssignBuffersPass},
    {"verify-schedule", kOptional, createVerifySchedulePass},
};

// Ready for tandem::lowerToProgram.
const PipelineStep kLower[] = {
    {"share-kernels", kMandatory, createShareKernelsPass},
    {"verify-lower", kOptional, createVerifyLowerPass},
};

const Phase kPhases[] = {
    {"import", kImport}, {"shard", kShard},   {"partition", kPartition}, {"overlap", kOverlap},
    {"fuse", kFuse},     {"memory", kMemory}, {"schedule", kSchedule},   {"lower", kLower},
};

llvm::StringRef flagOf(llvm::StringRef name) {
  name.consume_front("--");
  name.consume_front("tandem-");
  return name;
}

bool isDisabled(const PipelineStep &step, const PipelineOptions &options) {
  return llvm::any_of(options.disabled,
                      [&](const std::string &name) { return flagOf(name) == step.name; });
}

llvm::Error failure(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Expected<size_t> phaseIndex(llvm::StringRef name) {
  std::string known;
  for (auto [index, phase] : llvm::enumerate(getPhases())) {
    if (phase.name == name)
      return index;
    known += (index ? ", " : "") + phase.name.str();
  }
  return failure("unknown phase '" + name + "', expected one of: " + known);
}

struct PipelineCliOptions : mlir::PassPipelineOptions<PipelineCliOptions> {
  Option<std::string> from{*this, "from", llvm::cl::desc("first phase"), llvm::cl::init("")};
  Option<std::string> to{*this, "to", llvm::cl::desc("last phase"), llvm::cl::init("")};
  ListOption<std::string> disable{*this, "disable", llvm::cl::desc("passes to leave out")};
};

} // namespace

void Phase::build(mlir::OpPassManager &pm, const PipelineOptions &options) const {
  for (const PipelineStep &step : steps)
    if (!isDisabled(step, options))
      pm.addPass(step.create());
}

llvm::ArrayRef<Phase> getPhases() { return kPhases; }

llvm::Expected<llvm::ArrayRef<Phase>> selectPhases(const PipelineOptions &options) {
  size_t first = 0, last = std::size(kPhases) - 1;
  if (!options.from.empty()) {
    llvm::Expected<size_t> index = phaseIndex(options.from);
    if (!index)
      return index.takeError();
    first = *index;
  }
  if (!options.to.empty()) {
    llvm::Expected<size_t> index = phaseIndex(options.to);
    if (!index)
      return index.takeError();
    last = *index;
  }
  if (first > last)
    return failure("phase '" + options.from + "', the first to run, comes after '" + options.to +
                   "', the last");
  for (const std::string &name : options.disabled) {
    const PipelineStep *found = nullptr;
    for (const Phase &phase : kPhases)
      for (const PipelineStep &step : phase.steps)
        if (step.name == flagOf(name))
          found = &step;
    if (!found)
      return failure("unknown pass '" + name + "' to disable");
    if (found->mandatory)
      return failure("pass '" + found->name + "' is mandatory and cannot be disabled");
  }
  return llvm::ArrayRef(kPhases).slice(first, last - first + 1);
}

void buildEntryCheck(mlir::OpPassManager &pm, const PipelineOptions &options) {
  auto first =
      llvm::find_if(kPhases, [&](const Phase &phase) { return phase.name == options.from; });
  if (first == std::end(kPhases))
    return;
  // What phases import and shard ensure, partition replaces.
  auto from = std::min(first, kPhases + 2);
  if (from > kPhases && from == first)
    --from;
  for (const Phase &phase : llvm::make_range(from, first))
    if (!isDisabled(phase.steps.back(), options))
      pm.addPass(phase.steps.back().create());
}

llvm::Error buildPipeline(mlir::OpPassManager &pm, const PipelineOptions &options) {
  llvm::Expected<llvm::ArrayRef<Phase>> phases = selectPhases(options);
  if (!phases)
    return phases.takeError();
  for (const Phase &phase : *phases)
    phase.build(pm, options);
  return llvm::Error::success();
}

void registerPipelines() {
  registerTandemImportPasses();
  registerTandemSimplifyPasses();
  registerTandemShardPasses();
  registerTandemPartitionPasses();
  registerTandemOverlapPasses();
  registerTandemFusePasses();
  registerTandemLowerPasses();
  registerTandemMemoryPasses();
  registerTandemSchedulePasses();
  for (const Phase &phase : kPhases)
    mlir::registerPassPipeline(
        "tandem-phase-" + phase.name.str(), "Run phase " + phase.name.str(),
        [&phase](mlir::OpPassManager &pm, llvm::StringRef,
                 llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)>) {
          phase.build(pm, {});
          return mlir::success();
        },
        [](llvm::function_ref<void(const mlir::detail::PassOptions &)>) {});
  static mlir::PassPipelineRegistration<PipelineCliOptions> pipeline(
      "tandem-pipeline", "Run the phases from one to another",
      [](mlir::OpPassManager &pm, const PipelineCliOptions &cli) {
        PipelineOptions options{cli.from, cli.to, {cli.disable.begin(), cli.disable.end()}};
        if (llvm::Error error = buildPipeline(pm, options))
          llvm::report_fatal_error(std::move(error), /*gen_crash_diag=*/false);
      });
}

} // namespace tandem
