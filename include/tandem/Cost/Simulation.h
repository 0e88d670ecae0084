// Plays a schedule against a machine's engines: what the schedule achieves (DESIGN.md, D5).
//
//   SimulationResult result = simulate(schedule);
//   result.step, result.exposed, result.transfers[0].hidden ...
//
// The model. Every engine does its items in order of issue; T is the clock of the compute engine.
//   Work      T += its time, longer where transfers slow computation down (target)
//   Start     a transfer begins at max(T, its engine's clock); T stays
//   Done      T = max(T, end of the transfer that its operand is now); the wait is exposed time
//   Loop      its body trip after trip, engines and transfers as the last trip left them, until
//             two trips leave the same queues behind; what the last trip added then counts for
//             each further one. A future that the loop carries is awaited trips later.
//   Branches  every one from the same state; the one that ends last is kept
// step = T at the end, after all transfers. hidden = time in which a transfer runs while the
// compute engine is busy; exposed = time in which the compute engine waits; overlap = hidden /
// busy time of the links (as Holistic Trace Analysis defines it).
//
// Worked example, kernels of 3, a transfer of 5:
//   start f | kernel a | done f | kernel b     T: 0, 3, 5, 8; exposed 2, hidden 3, overlap 0.6
//
// Deterministic integer arithmetic. Linear in items times simulated trips.
#pragma once

#include "tandem/Cost/Schedule.h"

namespace tandem {

// Of one Start over all its executions.
struct TransferTimes {
  ItemId item = 0;
  int64_t count = 0, each = 0; // executions, and what each takes
  int64_t hidden = 0, exposed = 0;
  // Of the first execution: when it was issued, began, ended, and was awaited.
  int64_t issued = 0, begin = 0, end = 0, awaited = 0;
  int64_t queued = 0; // in all: issued, but its engine was busy

  int64_t total() const { return count * each; }
};

// For traces: one execution, of those that were simulated.
struct SimulatedSpan {
  ItemId item;
  unsigned engine;
  int64_t begin, end;
};

struct SimulationResult {
  int64_t step = 0;
  std::vector<int64_t> busy;       // by engine
  int64_t matmulBusy = 0;          // arithmetic of dots alone
  int64_t hidden = 0, exposed = 0; // of transfers on links
  int64_t exposedHost = 0;         // waiting for the copy engine
  int64_t flops = 0, kernels = 0, copies = 0, copyBytes = 0, wireBytes = 0, memoryBytes = 0;
  int64_t depth = 0;                    // most trips between a start and its done
  std::vector<TransferTimes> transfers; // in order of first issue; links and copy engine
  std::vector<int64_t> itemTimes;       // by item: time on its engine, all executions
  std::vector<int64_t> itemCounts;      // by item: executions
  std::vector<SimulatedSpan> spans;     // if asked for
  std::vector<std::string> warnings, errors;

  int64_t linkBusy() const;
  // The busiest engine: no order of these items can be faster.
  int64_t busiest() const;
  int64_t idle() const { return step - busy[kComputeEngine]; }
};

struct SimulationOptions {
  bool spans = false;
};

SimulationResult simulate(const Schedule &schedule, const SimulationOptions &options = {});

// No order of the same items is faster (DESIGN.md, D5), transfers carried around loops included:
// the critical path, what an item needs and causes on one engine before and after it, and for
// each engine the earliest start of its first item + its work + the shortest remainder after its
// last. Loops count trips x the busiest engine of their body, or what a trip has to do between a
// carried value and its next one.
int64_t lowerBound(const Schedule &schedule);

} // namespace tandem
