// The program counter.
#include "runtime/executor/Device.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace tandem::runtime {

using program::CommandBody;

Device::Device(const ResolvedProgram &program, uint32_t index) : program(program), index(index) {
  uint32_t numStreams = program.program.num_streams;
  streams = std::vector<Stream>(numStreams);
  for (uint32_t i = 0; i < numStreams; ++i) {
    streams[i].commands.resize(kQueueCapacity);
    streams[i].waitMasks.resize(kQueueCapacity);
    streams[i].waitCounts.resize(kQueueCapacity * numStreams);
    streams[i].rotations.resize(kQueueCapacity * program.maxRotations);
    streams[i].join.pointers.resize(program.maxReferences);
  }
  bases.resize(program.numBases);
  parkCounts.resize(numStreams);
  iterations.resize(program.program.num_loops);
  lastSignals.resize(program.program.num_events);
  collectiveCounts.resize(program.program.collectives.size());
  // What a step records without loops needs no more memory.
  computing.reserve(program.commands.size());
  communicating.reserve(program.commands.size());
}

void Device::reset(bool withoutSequences) {
  singly = withoutSequences;
  for (Stream &stream : streams) {
    stream.issued = stream.completed = 0;
    stream.active = false;
  }
  ended = false;
  programCounter = 0;
  parkMask = 0;
  std::fill(iterations.begin(), iterations.end(), 0);
  std::fill(lastSignals.begin(), lastSignals.end(), 0);
  std::fill(collectiveCounts.begin(), collectiveCounts.end(), 0);
  computing.clear();
  communicating.clear();
  trace.clear();
  copies = copyBytes = 0;
  executed.store(0, std::memory_order_relaxed);
}

uint64_t Device::rotationBytes(const Rotation &rotation) const {
  int64_t slots = rotation.slots;
  int64_t slot = (static_cast<int64_t>(iterations[rotation.loop]) + rotation.shift) % slots;
  return static_cast<uint64_t>(slot < 0 ? slot + slots : slot) * rotation.stride;
}

void Device::issue(uint32_t commandIndex, const Command &command) {
  Stream &stream = streams[command.stream];
  uint64_t slot = stream.issued % kQueueCapacity;
  stream.commands[slot] = commandIndex;
  StreamMask mask = 0;
  uint64_t *counts = &stream.waitCounts[slot * streams.size()];
  for (uint32_t i = 0; i < command.numWaits; ++i) {
    uint64_t signal = lastSignals[program.waits[command.firstWait + i]];
    uint32_t on = static_cast<uint32_t>(signal & ((1 << kStreamBits) - 1));
    uint64_t count = signal >> kStreamBits;
    // Earlier commands of the same stream complete before this one anyway.
    if (on == command.stream || count <= streams[on].completed)
      continue;
    counts[on] = mask & maskOf(on) ? std::max(counts[on], count) : count;
    mask |= maskOf(on);
  }
  stream.waitMasks[slot] = mask;
  if (command.rotates) {
    uint64_t *bytes = &stream.rotations[slot * program.maxRotations];
    const Reference *reference = &program.references[command.firstReference];
    for (uint32_t i = 0; i < command.numReferences; ++i)
      if (reference[i].rotation)
        *bytes++ = rotationBytes(program.rotations[reference[i].rotation - 1]);
  }
  ++stream.issued;
  if (command.signal >= 0)
    signal(static_cast<uint32_t>(command.signal), stream, command.stream);
  if (command.kind == CommandBody::NONE) {
    const Sequence &sequence = program.sequences[command.sequence];
    for (uint32_t i = 0; i < sequence.numSignals; ++i)
      signal(program.signals[sequence.firstSignal + i], stream, command.stream);
  }
}

bool Device::parkUntilWaitsComplete(const Command &command) {
  for (uint32_t i = 0; i < command.numWaits; ++i) {
    uint64_t signal = lastSignals[program.waits[command.firstWait + i]];
    uint32_t on = static_cast<uint32_t>(signal & ((1 << kStreamBits) - 1));
    uint64_t count = signal >> kStreamBits;
    if (count <= streams[on].completed)
      continue;
    parkUntil(on, parkMask & maskOf(on) ? std::max(parkCounts[on], count) : count);
  }
  return parkMask != 0;
}

// False when the program counter cannot go on: it is parked, or the step has ended.
bool Device::executeControl(const Command &command, const std::atomic<bool> &abandon) {
  if (parkUntilWaitsComplete(command))
    return false;
  auto address = [&] {
    const Reference &reference = program.references[command.firstReference];
    uint64_t rotation =
        reference.rotation ? rotationBytes(program.rotations[reference.rotation - 1]) : 0;
    return bases[reference.base] + reference.offset + rotation;
  };
  uint32_t target = programCounter + 1;
  switch (command.kind) {
  case CommandBody::Jump:
    target = command.target;
    break;
  case CommandBody::JumpIfNot:
    if (*address() == std::byte{0})
      target = command.target;
    break;
  case CommandBody::Switch: {
    int32_t branch;
    std::memcpy(&branch, address(), sizeof(branch));
    uint32_t last = command.targets.count - 1;
    uint32_t picked = branch < 0 ? last : std::min(static_cast<uint32_t>(branch), last);
    target = program.targets[command.targets.first + picked];
    break;
  }
  case CommandBody::LoopBegin:
    iterations[command.loop] = 0;
    break;
  case CommandBody::LoopNext:
    ++iterations[command.loop];
    break;
  default: // Return
    for (uint32_t i = 0; i < streams.size(); ++i)
      if (!streams[i].isEmpty())
        parkUntil(i, streams[i].issued);
    ended = parkMask == 0;
    return false;
  }
  // A loop whose body issues nothing must notice that the step has failed.
  if (target <= programCounter && abandon.load(std::memory_order_relaxed))
    return false;
  programCounter = target;
  return true;
}

bool Device::advance(const std::atomic<bool> &abandon) {
  parkMask = 0;
  for (;;) {
    const Command &command = program.commands[programCounter];
    if (command.isControl()) {
      if (!executeControl(command, abandon))
        return !ended;
      continue;
    }
    Stream &stream = streams[command.stream];
    if (stream.issued - stream.completed == kQueueCapacity) {
      // Resume when a quarter is free, not for every single command.
      parkUntil(command.stream, stream.completed + kQueueCapacity / 4);
      return true;
    }
    if (command.startsSequence == 0 || singly) {
      issue(programCounter++, command);
      continue;
    }
    const Command &sequence = program.commands[command.startsSequence];
    issue(command.startsSequence, sequence);
    programCounter = program.sequences[sequence.sequence].end;
  }
}

StreamMask Device::takeReady() {
  StreamMask ready = 0;
  for (uint32_t i = 0; i < streams.size(); ++i) {
    Stream &stream = streams[i];
    if (stream.active || stream.isEmpty())
      continue;
    uint32_t slot = stream.headSlot();
    const uint64_t *counts = &stream.waitCounts[slot * streams.size()];
    StreamMask mask = stream.waitMasks[slot];
    while (mask != 0) {
      uint32_t on = static_cast<uint32_t>(std::countr_zero(mask));
      if (streams[on].completed < counts[on])
        break;
      mask &= mask - 1;
    }
    stream.waitMasks[slot] = mask; // what is left to wait for
    if (mask == 0) {
      stream.active = true;
      ready |= maskOf(i);
    }
  }
  return ready;
}

std::string Device::describe() {
  std::lock_guard lock(mutex);
  if (ended)
    return "has ended its program";
  const program::ProgramT &source = program.program;
  std::string text;
  for (uint32_t i = 0; i < streams.size(); ++i) {
    const Stream &stream = streams[i];
    if (stream.isEmpty())
      continue;
    uint32_t command = stream.commands[stream.headSlot()];
    bool isCollective = program.commands[command].kind == CommandBody::Collective;
    absl::StrAppend(&text, text.empty() ? "" : " and ",
                    !stream.active ? "waits on other streams before "
                    : isCollective ? "waits in "
                                   : "executes ",
                    describeCommand(source, program.sourceOf(command)));
  }
  if (text.empty())
    return absl::StrCat("stands at ", describeCommand(source, programCounter));
  return text;
}

} // namespace tandem::runtime
