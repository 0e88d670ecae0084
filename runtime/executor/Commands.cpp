// Resolution of a Program.
#include "runtime/executor/Commands.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/executor/Sequences.h"

namespace tandem::runtime {

using namespace program;

namespace {

// Roughly, on one core; all that is asked is whether it is worth a hand-over.
double launchNanoseconds(const KernelT &kernel) {
  return static_cast<double>(kernel.bytes) / 16 + static_cast<double>(kernel.flops) / 8;
}

double gemmNanoseconds(const GemmT &gemm) {
  double multiplies =
      static_cast<double>(gemm.m) * static_cast<double>(gemm.n) * static_cast<double>(gemm.k);
  for (int64_t size : gemm.batch)
    multiplies *= static_cast<double>(size);
  return multiplies / 64;
}

// About 4 us for another worker that polls, ten times that for one that sleeps.
void divide(Command &command, int64_t units, double nanoseconds) {
  constexpr double kWorthSharing = 12'000, kWorthWaking = 80'000, kPiece = 4'000;
  command.units = units;
  command.grain = 0;
  command.nanoseconds = static_cast<float>(nanoseconds);
  if (units <= 1 || nanoseconds < kWorthSharing)
    return;
  command.grain =
      std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(units) * kPiece / nanoseconds));
  // Long work goes in few pieces all the same.
  command.grain = std::max(command.grain, units / 64);
  command.wakes = nanoseconds >= kWorthWaking;
}

} // namespace

void ResolvedProgram::addReference(Command &command, const BufferRef &ref) {
  const BufferT &buffer = *program.buffers[ref.buffer()];
  Reference reference;
  reference.offset = buffer.offset;
  reference.rotation = 0;
  switch (buffer.arena) {
  case Arena::Argument:
    reference.base = buffer.index;
    break;
  case Arena::Result:
    reference.base = static_cast<uint32_t>(program.arguments.size()) + buffer.index;
    break;
  case Arena::Temp:
    reference.base = tempBase;
    break;
  case Arena::Constant:
    reference.base = constantBase;
    break;
  }
  if (buffer.slots > 1) {
    rotations.push_back(
        {static_cast<uint32_t>(buffer.loop), buffer.slots, ref.rotation(), buffer.stride});
    reference.rotation = static_cast<uint32_t>(rotations.size());
    command.rotates = true;
  }
  references.push_back(reference);
  ++command.numReferences;
}

absl::Status ResolvedProgram::addCommand(const CommandT &source, GemmLibrary &gemms,
                                         const CustomCallRegistry &customCalls) {
  Command command = {};
  command.kind = source.body.type;
  command.stream = source.stream;
  command.signal = source.signal;
  command.firstReference = static_cast<uint32_t>(references.size());
  command.firstWait = static_cast<uint32_t>(waits.size());
  command.numWaits = static_cast<uint32_t>(source.waits.size());
  waits.insert(waits.end(), source.waits.begin(), source.waits.end());
  auto addReferences = [&](const std::vector<BufferRef> &refs) {
    for (const BufferRef &ref : refs)
      addReference(command, ref);
  };
  switch (source.body.type) {
  case CommandBody::Launch: {
    const LaunchT &launch = *source.body.AsLaunch();
    command.kernel = kernels->get(launch.kernel);
    const KernelT &kernel = *program.kernels[launch.kernel];
    divide(command, static_cast<int64_t>(kernel.units), launchNanoseconds(kernel));
    addReferences(launch.operands);
    break;
  }
  case CommandBody::Gemm: {
    const GemmT &gemm = *source.body.AsGemm();
    absl::StatusOr<std::shared_ptr<GemmPlan>> plan = gemms.plan(gemm, gemmPlans);
    if (!plan.ok())
      return plan.status();
    command.gemm = plan->get();
    divide(command, command.gemm->numPieces(), gemmNanoseconds(gemm));
    gemmScratchBytes = std::max(gemmScratchBytes, command.gemm->scratchBytes());
    for (const BufferRef *ref : {gemm.lhs.get(), gemm.rhs.get(), gemm.out.get()})
      addReference(command, *ref);
    break;
  }
  case CommandBody::CustomCall: {
    const CustomCallT &call = *source.body.AsCustomCall();
    absl::StatusOr<CustomCallPlan> plan = CustomCallPlan::create(call, customCalls);
    if (!plan.ok())
      return plan.status();
    customCallPlans.push_back(std::make_unique<CustomCallPlan>(std::move(*plan)));
    command.customCall = customCallPlans.back().get();
    maxCustomCallArrays =
        std::max(maxCustomCallArrays, static_cast<uint32_t>(command.customCall->numArrays()));
    addReferences(call.operands);
    addReferences(call.results);
    break;
  }
  case CommandBody::Copy: {
    const CopyT &copy = *source.body.AsCopy();
    command.bytes = copy.bytes;
    command.nanoseconds = static_cast<float>(copy.bytes) / 8;
    addReference(command, *copy.src);
    addReference(command, *copy.dst);
    break;
  }
  case CommandBody::WriteDeviceId:
    addReference(command, *source.body.AsWriteDeviceId()->dst);
    break;
  case CommandBody::Collective: {
    const CollectiveT &collective = *source.body.AsCollective();
    command.collective = collective.collective;
    addReferences(collective.operands);
    addReferences(collective.results);
    break;
  }
  case CommandBody::Jump:
    command.target = source.body.AsJump()->target;
    break;
  case CommandBody::JumpIfNot:
    command.target = source.body.AsJumpIfNot()->target;
    addReference(command, *source.body.AsJumpIfNot()->predicate);
    break;
  case CommandBody::Switch: {
    const SwitchT &branch = *source.body.AsSwitch();
    command.targets.first = static_cast<uint32_t>(targets.size());
    command.targets.count = static_cast<uint32_t>(branch.targets.size());
    targets.insert(targets.end(), branch.targets.begin(), branch.targets.end());
    addReference(command, *branch.index);
    break;
  }
  case CommandBody::LoopBegin:
    command.loop = source.body.AsLoopBegin()->loop;
    break;
  case CommandBody::LoopNext:
    command.loop = source.body.AsLoopNext()->loop;
    break;
  default:
    break;
  }
  uint32_t rotating = 0;
  for (uint32_t i = 0; i < command.numReferences; ++i)
    rotating += references[command.firstReference + i].rotation != 0;
  maxRotations = std::max(maxRotations, rotating);
  maxReferences = std::max(maxReferences, command.numReferences);
  commands.push_back(command);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<ResolvedProgram>>
ResolvedProgram::create(const ProgramT &program, GemmLibrary &gemms,
                        const CustomCallRegistry &customCalls) {
  std::unique_ptr<ResolvedProgram> result(new ResolvedProgram(program));
  result->tempBase = static_cast<uint32_t>(program.arguments.size() + program.results.size());
  result->constantBase = result->tempBase + 1;
  result->numBases = result->constantBase + 1;
  absl::StatusOr<std::unique_ptr<KernelLibrary>> kernels = KernelLibrary::load(program);
  if (!kernels.ok())
    return kernels.status();
  result->kernels = std::move(*kernels);
  result->commands.reserve(program.commands.size());
  for (uint32_t i = 0; i < program.commands.size(); ++i)
    if (absl::Status status = result->addCommand(*program.commands[i], gemms, customCalls);
        !status.ok())
      return absl::Status(status.code(),
                          absl::StrCat(describeCommand(program, i), ": ", status.message()));
  findSequences(*result);
  return result;
}

} // namespace tandem::runtime
