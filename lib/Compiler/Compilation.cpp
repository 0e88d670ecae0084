// Drives one module through the phases; what the phases are is passes/Pipeline.cpp.
#include "tandem/Compiler/Compilation.h"

#include "DiagnosticLog.h"
#include "Nesting.h"
#include "PhaseTimer.h"
#include "passes/Lower/LowerToProgram.h"
#include "passes/Pipeline.h"
#include "tandem/Cost/Profile.h"
#include "tandem/Cost/Target.h"
#include "tandem/IR/Register.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/Import/HloImport.h"
#include "tandem/Import/HloText.h"
#include "tandem/Import/Import.h"
#include "tandem/Runtime/AtomicFile.h"
#include "tandem/Runtime/Program.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace tandem {
namespace {

absl::Status invalid(const std::string &text) { return absl::InvalidArgumentError(text); }

std::string takeText(llvm::Error error) { return llvm::toString(std::move(error)); }

// Remembers which pass of a run failed first.
class FailureRecorder : public mlir::PassInstrumentation {
public:
  explicit FailureRecorder(std::string *failed) : failed(failed) {}
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *) override {
    if (failed->empty() && !pass->getArgument().empty())
      *failed = pass->getArgument().str();
  }

private:
  std::string *failed;
};

PipelineOptions pipelineOptions(const CompileOptions &options) {
  return {options.from, options.to, options.disable};
}

// Only import looks at the user's program as it is: what its verifier refuses is unsupported
// input. What a later verifier refuses, a pass of ours has broken.
bool isOurFault(llvm::StringRef pass) {
  return pass.starts_with("tandem-verify-") && pass != "tandem-verify-import";
}

} // namespace

Compilation::Compilation(std::unique_ptr<mlir::MLIRContext> owned, mlir::MLIRContext *used,
                         CompileOptions options)
    : ownedContext(std::move(owned)), context(used), options(std::move(options)),
      timer(this->options.timing ? std::make_unique<PhaseTimer>() : nullptr) {}

Compilation::~Compilation() = default;

absl::StatusOr<std::unique_ptr<Compilation>> Compilation::parse(const Source &source,
                                                                CompileOptions options) {
  absl::StatusOr<std::unique_ptr<Compilation>> compilation = read(source, std::move(options));
  if (!compilation.ok())
    return compilation;
  if (absl::Status status = (*compilation)->applyOptions(); !status.ok())
    return status;
  return compilation;
}

absl::StatusOr<std::unique_ptr<Compilation>> Compilation::read(const Source &source,
                                                               CompileOptions options) {
  switch (source.kind) {
  case Source::Kind::Mlir:
  case Source::Kind::HloText:
    break;
  case Source::Kind::Program:
    return invalid(absl::StrCat(source.name, ": already compiled, a serialised Program; expected a "
                                             "module ('tandem run' runs it as it is)"));
  case Source::Kind::Unknown:
    return invalid(absl::StrCat(source.name, ": ",
                                llvm::StringRef(source.bytes).trim().empty() ? "empty" : "not text",
                                "; expected a module in StableHLO text"));
  }
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(registry);
  context->loadAllAvailableDialects();
  mlir::MLIRContext *used = context.get();
  std::unique_ptr<Compilation> compilation(
      new Compilation(std::move(context), used, std::move(options)));
  compilation->log = std::make_unique<DiagnosticLog>(used, source.name, source.bytes);
  if (source.kind == Source::Kind::HloText) {
    if (absl::Status status = compilation->importHlo(source); !status.ok())
      return status;
    return compilation;
  }
  constexpr unsigned kDeepest = 1000;
  if (std::optional<size_t> place = findTooDeep(source.bytes, kDeepest)) {
    llvm::StringRef before = llvm::StringRef(source.bytes).take_front(*place);
    mlir::emitError(mlir::FileLineColLoc::get(used, source.name, before.count('\n') + 1,
                                              *place - (before.rfind('\n') + 1) + 1))
        << "brackets are nested deeper than " << kDeepest << ", expected fewer";
    return invalid(compilation->log->errors());
  }
  {
    mlir::TimingScope scope =
        compilation->timer ? compilation->timer->nest("parse") : mlir::TimingScope();
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(source.bytes, source.name,
                                                                /*RequiresNullTerminator=*/true),
                               llvm::SMLoc());
    compilation->module = mlir::parseSourceFile<mlir::ModuleOp>(sources, used);
  }
  if (!compilation->module)
    return invalid(compilation->log->errors());
  return compilation;
}

absl::Status Compilation::importHlo(const Source &source) {
  mlir::TimingScope scope = timer ? timer->nest("parse") : mlir::TimingScope();
  auto parse = [](const Source &text) { return hlo::parse(text.bytes, text.name); };
  llvm::Expected<std::unique_ptr<hlo::Module>> text = parse(source);
  if (!text)
    return invalid(takeText(text.takeError()));
  std::unique_ptr<hlo::Module> before;
  if (!options.shardingsFrom.empty()) {
    absl::StatusOr<Source> other = readSource(options.shardingsFrom);
    if (!other.ok())
      return other.status();
    if (other->kind != Source::Kind::HloText)
      return invalid(absl::StrCat(other->name, ": expected the HLO text of the module before "
                                               "partitioning"));
    llvm::Expected<std::unique_ptr<hlo::Module>> parsed = parse(*other);
    if (!parsed)
      return invalid(takeText(parsed.takeError()));
    before = std::move(*parsed);
  }
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> imported =
      hlo::toStablehlo(**text, context, before.get());
  if (!imported) {
    std::string message = takeText(imported.takeError());
    return invalid(log->errors().empty() ? message : absl::StrCat(message, "\n", log->errors()));
  }
  module = std::move(*imported);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Compilation>>
Compilation::adopt(mlir::OwningOpRef<mlir::ModuleOp> module, CompileOptions options) {
  std::unique_ptr<Compilation> compilation(
      new Compilation(nullptr, module->getContext(), std::move(options)));
  compilation->log = std::make_unique<DiagnosticLog>(module->getContext(), "", "");
  compilation->module = std::move(module);
  if (mlir::failed(mlir::verify(compilation->getModule())))
    return invalid(compilation->log->errors());
  if (absl::Status status = compilation->applyOptions(); !status.ok())
    return status;
  return compilation;
}

// Options become attributes of the module, where phases read them. What the module says already
// (it is resumed with --from) stays unless the options say otherwise.
absl::Status Compilation::applyOptions() {
  if (llvm::Expected<llvm::ArrayRef<Phase>> phases = selectPhases(pipelineOptions(options));
      !phases)
    return invalid(takeText(phases.takeError()));
  if (!options.mesh.empty() && mlir::failed(overrideMesh(getModule(), options.mesh)))
    return invalid(log->errors());

  mlir::Builder builder(context);
  mlir::ModuleOp op = getModule();
  auto set = [&](llvm::StringRef name, mlir::Attribute value) {
    op->setAttr(("tandem." + name).str(), value);
  };
  mlir::sdy::MeshOp largest;
  for (auto mesh : op.getOps<mlir::sdy::MeshOp>())
    if (!largest || mesh.getMesh().getTotalSize() > largest.getMesh().getTotalSize())
      largest = mesh;
  const int64_t needed = largest && !options.unpartitioned ? largest.getMesh().getTotalSize() : 1;
  if (options.devices && needed > options.devices) {
    std::string smaller;
    for (mlir::sdy::MeshAxisAttr axis : largest.getMesh().getAxes())
      absl::StrAppend(&smaller, smaller.empty() ? "" : ",", axis.getName().str(), "=...");
    largest.emitError() << "mesh @" << largest.getSymName() << " has " << needed
                        << " devices, expected at most the " << options.devices
                        << " of --devices; pass --devices " << needed
                        << ", or give the mesh other sizes with --mesh " << smaller;
    return invalid(log->errors());
  }
  if (!op->hasAttr("tandem.num_devices") || options.from.empty())
    set("num_devices", builder.getI64IntegerAttr(needed));
  if (options.unpartitioned)
    set("unpartitioned", builder.getUnitAttr());
  if (!op->hasAttr("tandem.target") || options.from.empty()) {
    // A user's own description travels in the module as its text, so that --from needs no file.
    llvm::Expected<Target> target = Target::load(options.target);
    if (!target)
      return invalid(takeText(target.takeError()));
    const bool file = llvm::StringRef(options.target).ends_with(".json");
    set("target", builder.getStringAttr(file ? target->toJson() : options.target));
  }
  if (!options.emulatedLink.empty())
    set("emulated_link", builder.getStringAttr(options.emulatedLink));
  if (!options.profile.empty()) {
    llvm::Expected<Profile> profile = Profile::load(options.profile);
    if (!profile)
      return invalid(takeText(profile.takeError()));
    set("profile", builder.getStringAttr(profile->toJson()));
  }
  if (!options.disable.empty()) {
    llvm::SmallVector<llvm::StringRef> names(options.disable.begin(), options.disable.end());
    set("disable", builder.getStrArrayAttr(names));
  }
  if (options.memoryLimitBytes)
    set("memory_limit", builder.getI64IntegerAttr(options.memoryLimitBytes));
  if (!options.copyRegionAnalysis.empty())
    set("copy_region_analysis", builder.getStringAttr(options.copyRegionAnalysis));
  if (!options.reductionDtype.empty())
    set("reduction_dtype", builder.getStringAttr(options.reductionDtype));
  return absl::OkStatus();
}

absl::Status Compilation::dump(size_t number, llvm::StringRef phase) {
  if (options.dumpDirectory.empty())
    return absl::OkStatus();
  const bool isNew = !llvm::sys::fs::exists(options.dumpDirectory);
  if (std::error_code error = llvm::sys::fs::create_directories(options.dumpDirectory))
    return invalid(
        absl::StrCat("cannot make the folder '", options.dumpDirectory, "': ", error.message()));
  const std::string path = absl::StrCat(options.dumpDirectory, "/", number < 10 ? "0" : "", number,
                                        "-", phase.str(), ".mlir");
  absl::Status written = runtime::writeFileAtomically(path, {print()});
  if (written.ok())
    return written;
  if (isNew)
    (void)llvm::sys::fs::remove(options.dumpDirectory);
  return invalid(std::string(written.message())); // the user's disk, no limit of the program
}

std::string Compilation::print() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  getModule()->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  os << '\n';
  return text;
}

absl::Status Compilation::run() {
  llvm::ArrayRef<Phase> all = getPhases();
  llvm::Expected<llvm::ArrayRef<Phase>> selected = selectPhases(pipelineOptions(options));
  if (!selected)
    return invalid(takeText(selected.takeError()));
  const size_t first = selected->begin() - all.begin();
  if (absl::Status status = dump(first, first == 0 ? "parse" : "input"); !status.ok())
    return status;
  if (absl::Status status = checkEntry(); !status.ok())
    return status;
  for (size_t index = first; index < first + selected->size(); ++index) {
    if (absl::Status status = runPhase(index); !status.ok())
      return status;
    if (absl::Status status = dump(index + 1, all[index].name); !status.ok())
      return status;
    if (all[index].name == "schedule")
      reportProfileUse();
  }
  return absl::OkStatus();
}

// A profile of part of the program, or of what it was before, is fine, and said.
void Compilation::reportProfileUse() {
  auto text = getModule()->getAttrOfType<mlir::StringAttr>("tandem.profile");
  llvm::Expected<Profile> profile = Profile::parse(text ? text.getValue() : "", "tandem.profile");
  if (!profile)
    return llvm::consumeError(profile.takeError());
  ProfileUse use = useOf(*profile, getModule());
  if (use.predicted || use.unused)
    mlir::emitWarning(mlir::UnknownLoc::get(context))
        << "the profile has times for " << use.measured << " of " << use.measured + use.predicted
        << " ops, the others are predicted; " << use.unused << " of its "
        << profile->getEntries().size() << " entries fit no op";
}

absl::Status Compilation::checkEntry() {
  if (options.from.empty() || options.from == getPhases().front().name) {
    auto main = getModule().lookupSymbol<mlir::func::FuncOp>("main");
    auto isDone = [](mlir::DictionaryAttr attributes) {
      return attributes.contains("tandem.global_type");
    };
    llvm::SmallVector<mlir::DictionaryAttr> all;
    if (main) {
      main.getAllArgAttrs(all);
      main.getAllResultAttrs(all);
    }
    if (!llvm::any_of(all, isDone))
      return absl::OkStatus();
    main.emitError() << "the program is partitioned already (tandem.global_type); expected one "
                        "before phase import, or 'tandem compile --from' with the phase to go on "
                        "with";
    return invalid(log->errors());
  }
  mlir::PassManager pm(context, mlir::ModuleOp::getOperationName());
  pm.enableVerifier(false);
  buildEntryCheck(pm, pipelineOptions(options));
  if (mlir::succeeded(pm.run(getModule())))
    return absl::OkStatus();
  return invalid(absl::StrCat(log->errors(), "the module is not one that phase ", options.from,
                              " can take up; expected what the phase before leaves "
                              "(--to, --dump-dir)\n"));
}

absl::Status Compilation::runPhase(size_t index) {
  const Phase &phase = getPhases()[index];
  mlir::TimingScope scope = timer ? timer->nest(phase.name) : mlir::TimingScope();
  std::string failedPass;
  mlir::PassManager pm(context, mlir::ModuleOp::getOperationName());
  // Once per phase, below, instead of once per pass.
  pm.enableVerifier(false);
  if (timer)
    pm.enableTiming(scope);
  pm.addInstrumentation(std::make_unique<FailureRecorder>(&failedPass));
  phase.build(pm, pipelineOptions(options));
  const bool passesFailed = mlir::failed(pm.run(getModule()));
  const bool invalidIr = !passesFailed && mlir::failed(mlir::verify(getModule()));
  const bool lowers = index + 1 == getPhases().size();
  if (!passesFailed && !invalidIr && lowers) {
    mlir::TimingScope lowering = scope.nest("lower-to-program");
    llvm::Expected<std::unique_ptr<program::ProgramT>> lowered = lowerToProgram(getModule());
    if (lowered) {
      program = std::move(*lowered);
      return absl::OkStatus();
    }
    const std::string text = takeText(lowered.takeError());
    if (log->hasErrors())
      return invalid(log->errors());
    return absl::InternalError(absl::StrCat("phase lower: ", text));
  }
  if (!passesFailed && !invalidIr)
    return absl::OkStatus();
  const std::string at =
      absl::StrCat("phase ", phase.name.str(),
                   failedPass.empty() ? "" : absl::StrCat(", pass ", failedPass), "\n");
  if (invalidIr || isOurFault(failedPass) || !log->hasErrors())
    return absl::InternalError(absl::StrCat(at, log->errors()));
  if (auto peak = getModule()->getAttrOfType<mlir::IntegerAttr>("tandem.peak_bytes"))
    if (options.memoryLimitBytes && peak.getInt() > options.memoryLimitBytes)
      return absl::ResourceExhaustedError(log->errors());
  return invalid(log->errors());
}

int64_t Compilation::getProgramDevices() const {
  auto devices = getModule()->getAttrOfType<mlir::IntegerAttr>("tandem.num_devices");
  return devices ? devices.getInt() : 1;
}

std::unique_ptr<program::ProgramT> Compilation::takeProgram() { return std::move(program); }

std::string Compilation::getWarnings() const { return log->warnings(); }

std::string Compilation::getRemarksYaml() const { return log->remarksYaml(); }

std::string Compilation::timingTable() { return timer ? timer->table() : ""; }

} // namespace tandem
