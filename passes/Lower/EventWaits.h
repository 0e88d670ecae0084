// Which events each command of a Program waits for: the fewest that order every read after the
// write it needs and every write after the reads and writes before it, by bytes.
//
// Input is the structure of the program (items) and what each command touches. Commands of one
// stream are in order; the host issues in order and blocks only on control commands. A wait is
// left out when it follows from one already made: directly, or because the command waited for
// had itself waited. What another iteration, a loop that may not run or a branch that may not be
// taken has issued is waited for, but nothing is concluded from it. Bodies of loops are played
// twice, which reaches a fixed point: what a body leaves behind does not depend on what it found.
//
//   EventWaits waits(commands, numStreams);
//   waits.run(items);   // commands[i].waits: indices of commands
//
// Rotating buffers: slot numbers are relative to the present iteration; the back edge renames
// them, the exit forgets them. Cost: linear in commands and touched segments, times 2 per level.
#ifndef TANDEM_PASSES_LOWER_EVENTWAITS_H
#define TANDEM_PASSES_LOWER_EVENTWAITS_H

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tandem {

// Bytes that a command reads or writes. `space` numbers an allocation (arena and index).
struct ByteAccess {
  unsigned space;
  int64_t begin, end;
  bool write;
};

struct IssuedCommand {
  static constexpr int kHost = -1; // a control command
  int stream = 0;
  std::vector<ByteAccess> accesses;
  std::vector<unsigned> after; // commands that must be complete, whatever the bytes
  std::set<unsigned> waits;    // out
};

// A region of the program whose slots rotate with a loop.
struct RotatingRegion {
  unsigned space;
  int64_t begin, stride;
  unsigned slots;
};

struct ProgramItem {
  enum class Kind { Command, Loop, Branches } kind = Kind::Command;
  unsigned command = 0;
  std::vector<std::vector<ProgramItem>> bodies; // one of a loop, one per branch
  std::vector<RotatingRegion> rotating;         // of a loop
};

class EventWaits {
public:
  EventWaits(std::vector<IssuedCommand> &commands, unsigned numStreams);
  void run(const std::vector<ProgramItem> &items);

private:
  // A command that touched bytes; `certain` when it was issued on every way to here, in this
  // iteration of every loop around it.
  struct Ref {
    unsigned command;
    bool certain;
    bool operator<(const Ref &other) const { return command < other.command; }
  };
  using Refs = std::vector<Ref>;
  struct Segment {
    int64_t end;
    Refs writers, readers;
  };
  using Space = std::map<int64_t, Segment>; // by begin
  struct State {
    std::map<unsigned, Space> spaces;
    // known[s][t]: what stream s (or the host, last) is after: the time of issue on stream t.
    std::vector<std::vector<int64_t>> known;
  };

  void play(const std::vector<ProgramItem> &items, State &state);
  void issue(unsigned command, State &state);
  void playLoop(const ProgramItem &loop, State &state);
  void playBranches(const ProgramItem &branches, State &state);
  void require(unsigned waiter, Ref ref, State &state);
  void touch(unsigned command, const ByteAccess &access, State &state, Refs &required);
  // Cuts segments at begin and end and fills holes, so that [begin, end) is whole segments.
  static void split(Space &space, int64_t begin, int64_t end);
  static void merge(State &into, const State &from);
  static void collect(const std::vector<ProgramItem> &items, std::set<unsigned> &commands);
  static void forget(State &state, const std::set<unsigned> &commands);
  static void rotate(State &state, const RotatingRegion &region, bool smear);

  std::vector<IssuedCommand> &commands;
  unsigned numStreams;
  int64_t clock = 0;
  std::vector<int64_t> issued;              // time of last issue of each command
  std::vector<std::vector<int64_t>> before; // known[stream of command] at its last issue
};

} // namespace tandem

#endif // TANDEM_PASSES_LOWER_EVENTWAITS_H
