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
#ifndef TANDEM_SCHEDULE_PROBLEM_H
#define TANDEM_SCHEDULE_PROBLEM_H

#include <cstdint>
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
  };

  // In an order that is allowed: every predecessor of a node is before it.
  std::vector<Node> nodes;
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

// Whether every node comes after its predecessors.
bool isAllowed(const ScheduleProblem &problem, const ScheduleOrder &order);

// Picoseconds from the first issue to the end of the last node. `computePercent`: what compute
// takes of what the problem says, to see how an order bears a model that is wrong. `idle`, if
// given: for each place of the order, how long compute waits there.
int64_t stepTime(const ScheduleProblem &problem, const ScheduleOrder &order,
                 int64_t computePercent = 100, std::vector<int64_t> *idle = nullptr);

// Most bytes live at one time.
int64_t peakBytes(const ScheduleProblem &problem, const ScheduleOrder &order);

// No order takes less: the larger of what the busiest engine has to do and the longest chain.
int64_t stepBound(const ScheduleProblem &problem);

} // namespace tandem

#endif // TANDEM_SCHEDULE_PROBLEM_H
