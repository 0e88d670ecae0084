// Finding sequences.
#include "runtime/executor/Sequences.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tandem::runtime {

using program::CommandBody;

namespace {

// A sequence that is no loop delays what waits for its stream: no longer than this, roughly.
constexpr double kMaxNanoseconds = 20'000;

class Finder {
public:
  explicit Finder(ResolvedProgram &program) : program(program), commands(program.commands) {
    isTarget.resize(commands.size() + 1);
    for (const Command &command : commands) {
      if (command.kind == CommandBody::Jump || command.kind == CommandBody::JumpIfNot)
        isTarget[command.target] = true;
      if (command.kind == CommandBody::Switch)
        for (uint32_t i = 0; i < command.targets.count; ++i)
          isTarget[program.targets[command.targets.first + i]] = true;
    }
  }

  void run() {
    const auto count = static_cast<uint32_t>(commands.size());
    for (uint32_t begin = 0; begin < count;) {
      uint32_t end = begin;
      while (end < count && isShort(commands[end]) && (end == begin || !isTarget[end]))
        ++end;
      if (end == begin) {
        ++begin;
        continue;
      }
      if (std::optional<uint32_t> predicate = predicateOf(begin, end))
        add(begin, end, predicate);
      else
        addRuns(begin, end);
      begin = end;
    }
  }

private:
  bool isShort(const Command &command) const {
    bool runs = command.kind == CommandBody::Launch || command.kind == CommandBody::Gemm ||
                command.kind == CommandBody::Copy || command.kind == CommandBody::WriteDeviceId;
    return runs && command.stream == kComputeStream && !command.rotates && command.grain == 0 &&
           command.nanoseconds < kMaxNanoseconds;
  }

  // The test by which the loop with the body [begin, end) goes on, if there is one.
  std::optional<uint32_t> predicateOf(uint32_t begin, uint32_t end) const {
    auto kindAt = [&](uint32_t index) {
      return index < commands.size() ? commands[index].kind : CommandBody::NONE;
    };
    if (kindAt(end) != CommandBody::LoopNext)
      return std::nullopt;
    uint32_t test = end + 1;
    if (kindAt(test) == CommandBody::JumpIfNot) { // at the end of the body
      if (kindAt(test + 1) != CommandBody::Jump || commands[test + 1].target != begin ||
          isTarget[end] || isTarget[test] || isTarget[test + 1])
        return std::nullopt;
    } else { // or at its front
      if (kindAt(test) != CommandBody::Jump || commands[test].target + 1 != begin ||
          isTarget[begin] || isTarget[end] || isTarget[test])
        return std::nullopt;
      test = commands[test].target;
      if (kindAt(test) != CommandBody::JumpIfNot)
        return std::nullopt;
    }
    const Command &command = commands[test];
    if (command.rotates)
      return std::nullopt;
    // The body alone decides.
    for (uint32_t i = 0; i < command.numWaits; ++i) {
      auto event = static_cast<int32_t>(program.waits[command.firstWait + i]);
      if (std::none_of(commands.begin() + begin, commands.begin() + end,
                       [&](const Command &inside) { return inside.signal == event; }))
        return std::nullopt;
    }
    // The iteration is not counted turn by turn.
    uint32_t loop = commands[end].loop;
    for (const Rotation &rotation : program.rotations)
      if (rotation.loop == loop)
        return std::nullopt;
    return test;
  }

  // Parts of [begin, end) in which nobody waits, signals in the middle, or takes long.
  void addRuns(uint32_t begin, uint32_t end) {
    while (begin < end) {
      uint32_t last = begin;
      double nanoseconds = commands[begin].nanoseconds;
      while (commands[last].signal < 0 && last + 1 < end && commands[last + 1].numWaits == 0 &&
             nanoseconds + commands[last + 1].nanoseconds < kMaxNanoseconds)
        nanoseconds += commands[++last].nanoseconds;
      if (last > begin)
        add(begin, last + 1, std::nullopt);
      begin = last + 1;
    }
  }

  void add(uint32_t begin, uint32_t end, std::optional<uint32_t> predicate) {
    Sequence sequence = {};
    sequence.begin = begin;
    sequence.end = end;
    sequence.repeats = predicate.has_value();
    if (predicate)
      sequence.predicate = program.references[commands[*predicate].firstReference];
    Command command = {};
    command.kind = CommandBody::NONE;
    command.stream = kComputeStream;
    command.signal = -1;
    command.firstWait = static_cast<uint32_t>(program.waits.size());
    std::set<uint32_t> waits;
    sequence.firstSignal = static_cast<uint32_t>(program.signals.size());
    uint32_t references = 0;
    for (uint32_t i = begin; i < end; ++i) {
      const Command &inside = commands[i];
      for (uint32_t w = 0; w < inside.numWaits; ++w)
        waits.insert(program.waits[inside.firstWait + w]);
      if (inside.signal >= 0)
        program.signals.push_back(static_cast<uint32_t>(inside.signal));
      references += inside.numReferences;
    }
    program.waits.insert(program.waits.end(), waits.begin(), waits.end());
    command.numWaits = static_cast<uint32_t>(waits.size());
    sequence.numSignals = static_cast<uint32_t>(program.signals.size()) - sequence.firstSignal;
    program.maxReferences = std::max(program.maxReferences, references);
    command.sequence = static_cast<uint32_t>(program.sequences.size());
    program.sequences.push_back(sequence);
    commands[begin].startsSequence = static_cast<uint32_t>(commands.size());
    commands.push_back(command);
  }

  ResolvedProgram &program;
  std::vector<Command> &commands;
  std::vector<bool> isTarget;
};

} // namespace

void findSequences(ResolvedProgram &program) { Finder(program).run(); }

} // namespace tandem::runtime
