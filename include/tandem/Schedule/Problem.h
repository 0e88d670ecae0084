// One block as a scheduling problem: what must come before what, what each op takes of which
// engine, and the bytes it makes live. No IR: blocks of our programs and computations of foreign
// dumps are scheduled by the same code.
//
// Engines (as in Cost/EventSimulation.h, whose figures an order of a block reproduces): the host,
// which issues nodes in order and takes no time; compute; one wire for each link level and for
// each copy engine. An engine does its nodes in the order of issue, each when the engine is free
// and what the node depends on is complete. A wait is of a done: it holds up compute until its
// start has landed. A node that holds wires (a loop with collectives in it) waits for them, keeps
// them and the host busy until its end.
//
// Bytes are counted by class, the values that share bytes: a class is live from the first node
// that defines it to the last that defines or reads it. What a start reads is read by its done
// too. Classes that are live whatever the order are left out. Live is meant in the order of issue:
// that a start may have to wait until compute is through with the bytes it reuses is not priced.
//
// Candidate copies (DESIGN.md, D1): a copy whose two sides can share bytes in an order takes no
// time and no bytes in it. That is no edge: an order that needs the copy pays for it.
#ifndef TANDEM_SCHEDULE_PROBLEM_H
#define TANDEM_SCHEDULE_PROBLEM_H

#include <cstdint>
#include <utility>
#include <vector>

namespace tandem {

struct ScheduleProblem {
  enum class Engine { None, Compute, Wire, Wait };

  struct Node {
    int64_t picoseconds = 0;
    Engine engine = Engine::None;
    unsigned wire = 0;      // of starts: which, less than 64
    unsigned awaits = ~0u;  // of waits, if startsFollowCompute: the start
    uint64_t heldWires = 0; // of compute: bit per wire that is busy meanwhile
    bool holdsHost = false; // of compute: nothing after it is issued before its end
    int64_t heldBytes = 0;  // while it runs, on top of what is live
    std::vector<unsigned> predecessors, successors; // nodes, sorted
    std::vector<unsigned> defines, reads;           // classes
    // A class defined here, and one read here whose bytes it takes over if nothing uses them later.
    std::vector<std::pair<unsigned, unsigned>> inPlace;
  };

  // Costs nothing in an order in which every one of `before` comes before `writer`: the last
  // readers of bytes, and the node that first writes the value that takes them over.
  struct Copy {
    unsigned node = 0, writer = 0;
    std::vector<unsigned> before;
    unsigned savedClass = ~0u; // of `node` or what it copies: takes no bytes of its own then
  };

  // In an order that is allowed: every predecessor of a node is before it.
  std::vector<Node> nodes;
  std::vector<Copy> copies;
  std::vector<int64_t> classBytes;
  // Order is all that edges ask for, as where one queue feeds the streams: computation goes on
  // unless a wait of a start holds it up, and a start does not begin before the computation that
  // was issued before it ends. Else a node begins when what it depends on is complete.
  bool startsFollowCompute = false;

  unsigned size() const { return static_cast<unsigned>(nodes.size()); }
  // from < to.
  void addEdge(unsigned from, unsigned to);
};

using ScheduleOrder = std::vector<unsigned>; // a permutation of the nodes

// The place of each node.
std::vector<unsigned> placesIn(const ScheduleOrder &order);

// The node at place `from` goes to `to`, those between move by one; `places` follows.
void moveNode(ScheduleOrder &order, std::vector<unsigned> &places, unsigned from, unsigned to);

// Whether every node comes after its predecessors.
bool isAllowed(const ScheduleProblem &problem, const ScheduleOrder &order);

// Per candidate copy, whether the order needs it.
std::vector<bool> neededCopies(const ScheduleProblem &problem, const ScheduleOrder &order);

// What the copies that the order needs take.
int64_t copyTime(const ScheduleProblem &problem, const ScheduleOrder &order);

// The problem with an edge for each pair that a copy's being needless asks for, as far as that is
// possible without a circle, dearest copies first; those then take no time. `numbers`: of each of
// its nodes, the node here (its nodes are numbered in an order that is allowed). `kept`, if given:
// the copies that have their edges.
ScheduleProblem withCopyEdges(const ScheduleProblem &problem, std::vector<unsigned> &numbers,
                              std::vector<bool> *kept = nullptr);

// Picoseconds from the first issue to the end of the last node. `computePercent`: what compute
// takes of what the problem says, to see how an order bears a model that is wrong. `idle`, if
// given: for each place of the order, how long compute waits there.
int64_t stepTime(const ScheduleProblem &problem, const ScheduleOrder &order,
                 int64_t computePercent = 100, std::vector<int64_t> *idle = nullptr);

// The same if starts do follow compute, whatever the problem says.
int64_t queuedStepTime(const ScheduleProblem &problem, const ScheduleOrder &order);

struct ScheduleTimes {
  std::vector<int64_t> clock;  // per place: until when compute has work of what is issued before
  std::vector<int64_t> finish; // per node: its end
};
ScheduleTimes scheduleTimes(const ScheduleProblem &problem, const ScheduleOrder &order,
                            bool startsFollowCompute);

// Most bytes live at one time, if nothing is written in place, and if all is that can be.
struct SchedulePeaks {
  int64_t bytes = 0, inPlaceBytes = 0;
};
SchedulePeaks peaks(const ScheduleProblem &problem, const ScheduleOrder &order);
int64_t peakBytes(const ScheduleProblem &problem, const ScheduleOrder &order);

// Per place the bytes live while its node runs, without those that it holds.
std::vector<int64_t> liveBytes(const ScheduleProblem &problem, const ScheduleOrder &order);

// No order takes less: the larger of what the busiest engine has to do and the longest chain.
int64_t stepBound(const ScheduleProblem &problem);

} // namespace tandem

#endif // TANDEM_SCHEDULE_PROBLEM_H
