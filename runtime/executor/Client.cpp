// The public Client and Executable.
#include "tandem/Runtime/Client.h"

#include <algorithm>
#include <cstring>
#include <sched.h>
#include <thread>

#include "absl/strings/str_cat.h"
#include "runtime/collectives/InProcess.h"
#include "runtime/cpu/Checks.h"
#include "runtime/cpu/Fft.h"
#include "runtime/cpu/Lapack.h"
#include "runtime/executor/Placement.h"
#include "runtime/executor/Statistics.h"
#include "runtime/executor/Step.h"

namespace tandem::runtime {

using namespace program;

struct Client::Impl {
  Impl(int devices, int threads, std::optional<EmulatedLink> link)
      : devices(devices), gemms(threads), pool(threads, &GemmLibrary::prepareThread),
        collectives(pool, link), origin(WorkerPool::now()) {
    addChecks(customCalls);
    addFftCalls(customCalls, fftPlans);
    addLapackCalls(customCalls);
  }

  const int devices;
  GemmLibrary gemms;
  FftPlanCache fftPlans;
  CustomCallRegistry customCalls;
  std::shared_ptr<BlockCache> cache = std::make_shared<BlockCache>();
  WorkerPool pool;
  InProcessBackend collectives;
  const int64_t origin; // of the times in traces
  std::mutex mutex;     // one step at a time
};

struct Executable::Impl {
  std::unique_ptr<ProgramT> program;
  Client::Impl *client = nullptr;
  std::vector<std::shared_ptr<const Placement>> arguments, results;
  std::unique_ptr<ResolvedProgram> resolved;
  std::unique_ptr<Step> step;
  std::vector<Block> temps; // by device
  Block constants;
  int64_t steps = 0; // run so far

  absl::Status prepare(Client::Impl &client);
  absl::Status checkArgument(size_t index, const Buffer &buffer) const;
};

namespace {

int usableCores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

std::string argumentName(const ProgramT &program, size_t index) {
  const std::string &name = program.arguments[index]->name;
  std::string plain = absl::StrCat("arg", index);
  return name.empty() || name == plain ? plain : absl::StrCat(plain, " (", name, ")");
}

// One-bits are NaN in every float type, and -1.
void poison(Block &block) {
  if (block.size() != 0)
    std::memset(block.data(), 0xFF, block.size());
}

} // namespace

absl::StatusOr<std::unique_ptr<Client>> Client::create(const ClientOptions &options) {
  if (options.devices < 1 || options.devices > kMaxDevices)
    return absl::InvalidArgumentError(
        absl::StrCat("found ", options.devices, " devices, expected 1 to ", kMaxDevices));
  if (options.threads < 0 || options.threads > kMaxThreads)
    return absl::InvalidArgumentError(absl::StrCat(
        "found ", options.threads, " threads, expected 0 (one per core) to ", kMaxThreads));
  int threads = options.threads ? options.threads : usableCores();
  return std::unique_ptr<Client>(
      new Client(std::make_unique<Impl>(options.devices, threads, options.link)));
}

Client::Client(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Client::~Client() = default;

int Client::numDevices() const { return impl->devices; }
int Client::numThreads() const { return impl->pool.size(); }

void Client::registerCustomCall(std::string target, TandemCustomCall function, void *userData) {
  impl->customCalls.add(std::move(target), function, userData);
}

absl::StatusOr<std::unique_ptr<Executable>> Client::load(std::unique_ptr<ProgramT> program) {
  if (absl::Status status = verifyProgram(*program); !status.ok())
    return status;
  if (program->num_devices > static_cast<uint32_t>(impl->devices))
    return absl::InvalidArgumentError(absl::StrCat("the program needs ", program->num_devices,
                                                   " devices, the client has ", impl->devices));
  auto executable = std::make_unique<Executable::Impl>();
  executable->program = std::move(program);
  if (absl::Status status = executable->prepare(*impl); !status.ok())
    return status;
  return std::unique_ptr<Executable>(new Executable(std::move(executable)));
}

absl::Status Executable::Impl::prepare(Client::Impl &owner) {
  client = &owner;
  for (const auto &argument : program->arguments)
    arguments.push_back(
        std::make_shared<Placement>(*argument->type, *argument->layout, program->num_devices));
  // A result and the argument it aliases have one placement.
  for (const auto &result : program->results)
    results.push_back(result->alias_argument >= 0
                          ? arguments[static_cast<size_t>(result->alias_argument)]
                          : std::make_shared<const Placement>(*result->type, *result->layout,
                                                              program->num_devices));
  absl::StatusOr<std::unique_ptr<ResolvedProgram>> commands =
      ResolvedProgram::create(*program, owner.gemms, owner.customCalls);
  if (!commands.ok())
    return commands.status();
  resolved = std::move(*commands);
  step = std::make_unique<Step>(*resolved, owner.pool);
  if (absl::Status status = step->prepare(owner.collectives, *owner.cache); !status.ok())
    return status;

  absl::StatusOr<Block> block = owner.cache->allocate(program->constants.size(), "the constants");
  if (!block.ok())
    return block.status();
  constants = std::move(*block);
  if (!program->constants.empty())
    std::memcpy(constants.data(), program->constants.data(), program->constants.size());
  for (Device &device : step->devices) {
    absl::StatusOr<Block> temp =
        owner.cache->allocate(program->temp_bytes, "the temporary values of a device");
    if (!temp.ok())
      return temp.status();
    temps.push_back(std::move(*temp));
    device.bases[resolved->tempBase] = temps.back().data();
    device.bases[resolved->constantBase] = constants.data();
  }
  return absl::OkStatus();
}

Executable::Executable(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Executable::~Executable() = default;

const ProgramT &Executable::getProgram() const { return *impl->program; }

absl::StatusOr<Buffer> Executable::makeArgument(size_t index, const HostArray &array,
                                                absl::string_view where) const {
  return place(index, array, where, /*borrows=*/false);
}

absl::StatusOr<Buffer> Executable::borrowArgument(size_t index, const HostArray &array,
                                                  absl::string_view where) const {
  return place(index, array, where, /*borrows=*/true);
}

absl::StatusOr<Buffer> Executable::place(size_t index, const HostArray &array,
                                         absl::string_view where, bool borrows) const {
  if (index >= impl->arguments.size())
    return absl::InvalidArgumentError(absl::StrCat(where, where.empty() ? "" : ": ", "argument ",
                                                   index, " of ", impl->arguments.size()));
  const std::shared_ptr<const Placement> &placement = impl->arguments[index];
  std::string name =
      absl::StrCat(where, where.empty() ? "" : ": ", argumentName(*impl->program, index));
  if (array.dtype != placement->dtype || array.dims != placement->dims) {
    // Only a spelling of the type may differ: try on an array without data.
    HostArray header;
    header.dtype = array.dtype;
    header.dims = array.dims;
    if (absl::Status status = adaptTo(header, placement->dtype, placement->dims, name);
        !status.ok())
      return status;
  }
  auto storage = std::make_unique<Buffer::Storage>();
  storage->placement = placement;
  for (uint32_t device = 0; device < placement->numDevices; ++device) {
    if (std::optional<int64_t> begin = borrows ? placement->stretch(device) : std::nullopt) {
      // Only read: a borrowed buffer is not donated.
      auto *bytes = const_cast<std::byte *>(array.bytes.data());
      storage->blocks.push_back(Block::borrow(bytes + *begin, placement->localBytes()));
      storage->isBorrowed = true;
      continue;
    }
    absl::StatusOr<Block> block =
        impl->client->cache->allocate(placement->localBytes(), "a device's part of an argument");
    if (!block.ok())
      return block.status();
    placement->scatter(array.bytes.data(), device, block->data());
    storage->blocks.push_back(std::move(*block));
  }
  return Buffer(std::move(storage));
}

absl::StatusOr<Buffer> Executable::makeArgumentFromShards(size_t index,
                                                          absl::Span<const HostArray> shards,
                                                          absl::string_view where) const {
  if (index >= impl->arguments.size())
    return absl::InvalidArgumentError(absl::StrCat(where, where.empty() ? "" : ": ", "argument ",
                                                   index, " of ", impl->arguments.size()));
  const std::shared_ptr<const Placement> &placement = impl->arguments[index];
  std::string name =
      absl::StrCat(where, where.empty() ? "" : ": ", argumentName(*impl->program, index));
  if (shards.size() != placement->numDevices)
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": found ", shards.size(), " shards, expected ", placement->numDevices));
  absl::StatusOr<std::unique_ptr<Buffer::Storage>> storage =
      allocateStorage(placement, *impl->client->cache);
  if (!storage.ok())
    return storage.status();
  for (uint32_t device = 0; device < placement->numDevices; ++device) {
    HostArray header;
    header.dtype = shards[device].dtype;
    header.dims = shards[device].dims;
    if (absl::Status status = adaptTo(header, placement->dtype, placement->local,
                                      absl::StrCat(name, " on device ", device));
        !status.ok())
      return status;
    if (placement->localBytes() != 0)
      std::memcpy((*storage)->blocks[device].data(), shards[device].bytes.data(),
                  placement->localBytes());
  }
  return Buffer(std::move(*storage));
}

std::vector<bool> Executable::aliasedArguments() const {
  std::vector<bool> aliased;
  for (const auto &argument : impl->program->arguments)
    aliased.push_back(argument->alias_result >= 0);
  return aliased;
}

absl::Status Executable::Impl::checkArgument(size_t index, const Buffer &buffer) const {
  if (!buffer.storage)
    return absl::InvalidArgumentError(
        absl::StrCat(argumentName(*program, index), ": the buffer is empty: it was donated"));
  const Placement &found = *buffer.storage->placement, &expected = *arguments[index];
  if (buffer.storage->placement == arguments[index] || found == expected)
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(argumentName(*program, index), ": found ", describeType(found.dtype, found.dims),
                   " as tiles of ", describeType(found.dtype, found.local), ", expected ",
                   describeType(expected.dtype, expected.dims), " as tiles of ",
                   describeType(expected.dtype, expected.local), " in the program's device order"));
}

absl::StatusOr<std::vector<Buffer>> Executable::run(absl::Span<Buffer> arguments,
                                                    const RunOptions &options) {
  const ProgramT &program = *impl->program;
  if (arguments.size() != program.arguments.size())
    return absl::InvalidArgumentError(absl::StrCat(
        "found ", arguments.size(), " arguments, expected ", program.arguments.size()));
  if (!options.donate.empty() && options.donate.size() != arguments.size())
    return absl::InvalidArgumentError(absl::StrCat(
        "found ", options.donate.size(), " donations, expected ", arguments.size(), " or none"));
  for (size_t i = 0; i < arguments.size(); ++i)
    if (absl::Status status = impl->checkArgument(i, arguments[i]); !status.ok())
      return status;

  std::lock_guard lock(impl->client->mutex);
  Step &step = *impl->step;
  uint64_t undonatedCopies = 0, undonatedCopyBytes = 0;
  // What results will own: the arguments they alias, or new memory.
  std::vector<std::unique_ptr<Buffer::Storage>> storages(program.results.size());
  for (size_t i = 0; i < storages.size(); ++i) {
    int32_t alias = program.results[i]->alias_argument;
    if (alias >= 0 && !options.donate.empty() && options.donate[static_cast<size_t>(alias)] &&
        !arguments[static_cast<size_t>(alias)].storage->isBorrowed) {
      storages[i] = std::move(arguments[static_cast<size_t>(alias)].storage);
      continue;
    }
    absl::StatusOr<std::unique_ptr<Buffer::Storage>> fresh =
        allocateStorage(impl->results[i], *impl->client->cache);
    if (!fresh.ok())
      return fresh.status();
    storages[i] = std::move(*fresh);
    if (alias < 0) {
      if (options.poison)
        std::for_each(storages[i]->blocks.begin(), storages[i]->blocks.end(), poison);
      continue;
    }
    const Buffer::Storage &source = *arguments[static_cast<size_t>(alias)].storage;
    for (size_t device = 0; device < source.blocks.size(); ++device) {
      std::memcpy(storages[i]->blocks[device].data(), source.blocks[device].data(),
                  source.blocks[device].size());
      ++undonatedCopies;
      undonatedCopyBytes += source.blocks[device].size();
    }
  }
  if (options.poison)
    std::for_each(impl->temps.begin(), impl->temps.end(), poison);
  for (Device &device : step.devices) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      int32_t alias = program.arguments[i]->alias_result;
      const Buffer::Storage &storage =
          alias >= 0 ? *storages[static_cast<size_t>(alias)] : *arguments[i].storage;
      device.bases[i] = storage.blocks[device.index].data();
    }
    for (size_t i = 0; i < storages.size(); ++i)
      device.bases[arguments.size() + i] = storages[i]->blocks[device.index].data();
  }

  absl::Status status =
      step.run(options.trace != nullptr, options.progress, options.progressSeconds);
  int64_t stepNumber = impl->steps++;
  if (!status.ok())
    return status;
  if (options.trace)
    collectTrace(step, program, impl->client->origin, stepNumber, *options.trace);
  if (options.stats) {
    *options.stats = collectStatistics(step, program);
    options.stats->undonatedCopies = undonatedCopies;
    options.stats->undonatedCopyBytes = undonatedCopyBytes;
  }
  std::vector<Buffer> results;
  results.reserve(storages.size());
  for (std::unique_ptr<Buffer::Storage> &storage : storages)
    results.emplace_back(std::move(storage));
  return results;
}

void Executable::feedBack(absl::Span<Buffer> results, absl::Span<Buffer> arguments) const {
  for (size_t i = 0; i < results.size(); ++i)
    if (int32_t alias = impl->program->results[i]->alias_argument; alias >= 0)
      arguments[static_cast<size_t>(alias)] = std::move(results[i]);
}

} // namespace tandem::runtime
