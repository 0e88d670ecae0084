// The compiler as a list: phases, the passes of each in order (DESIGN.md, "How data flows").
//
//   tandem::PipelineOptions options;
//   options.to = "fuse";
//   options.disabled = {"latency-hiding-schedule"};
//   mlir::PassManager pm(context);
//   if (llvm::Error error = tandem::buildPipeline(pm, options)) ...
//
// Phase 7's last step, tandem::lowerToProgram (passes/Lower/LowerToProgram.h), leaves MLIR
// and so is a function, not a pass. Everything here is immutable and thread-safe.
#ifndef TANDEM_PASSES_PIPELINE_H
#define TANDEM_PASSES_PIPELINE_H

#include <memory>
#include <string>
#include <vector>

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tandem {

struct PipelineOptions {
  // First and last phase to run, by name; empty: from the first, to the last.
  std::string from, to;
  // Passes left out: flags, with or without the "tandem-" in front.
  std::vector<std::string> disabled;
};

// One line of the pipeline.
struct PipelineStep {
  llvm::StringRef name; // the pass's flag without "tandem-"
  bool mandatory;       // cannot be disabled
  std::unique_ptr<mlir::Pass> (*create)();
};

struct Phase {
  llvm::StringRef name;
  llvm::ArrayRef<PipelineStep> steps;

  // Adds the passes of this phase that options.disabled does not name.
  void build(mlir::OpPassManager &pm, const PipelineOptions &options) const;
};

// In order: import, shard, partition, overlap, fuse, memory, schedule, lower.
llvm::ArrayRef<Phase> getPhases();

// The phases from options.from to options.to; the error names a phase or pass that does not
// exist, phases in the wrong order, or a mandatory pass that was to be disabled.
llvm::Expected<llvm::ArrayRef<Phase>> selectPhases(const PipelineOptions &options);

// Adds what proves that a module is one that the first selected phase can take: the verifiers of
// the phases before whose invariants still hold, but for those that options disable.
void buildEntryCheck(mlir::OpPassManager &pm, const PipelineOptions &options);

// Adds the selected phases to a pass manager on builtin.module.
llvm::Error buildPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

// For tandem-opt: every pass of the pipeline, a pipeline --tandem-phase-<name> for each phase,
// and --tandem-pipeline="from=.. to=.. disable=a,b".
void registerPipelines();

} // namespace tandem

#endif // TANDEM_PASSES_PIPELINE_H
