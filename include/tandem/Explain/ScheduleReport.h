// What a schedule achieves and what limits it: `tandem simulate`, `explain --schedule`,
// `explain --memory`, `diff`.
//
//   ScheduleReport report = reportOn(schedule, target);
//   llvm::outs() << formatSummary(report) << formatTransfers(report);
//
// Queries over a schedule from either source; nothing is edited. The schedule must outlive the
// report. Times in picoseconds, bytes on one device.
#pragma once

#include "tandem/Cost/LiveBytes.h"
#include "tandem/Cost/Simulation.h"
#include "tandem/Cost/Target.h"

#include <string>
#include <vector>

namespace tandem {

// Why a transfer is exposed.
struct TransferLimit {
  enum class Why {
    None,         // it is hidden
    Synchronous,  // nothing stands between its start and its done
    NothingToRun, // too little work is independent of it
    Queue,        // its link was busy with others
    Edge,         // an ordering edge holds its start, or what could hide it
    Order,        // independent work stands before its start or after its done
    Carried,      // started in an earlier trip, or outside its loop
  };
  Why why = Why::None;
  int64_t independent = 0; // compute time in its block that neither feeds nor needs it
  int64_t before = 0;      // of it, after its operands are there and before its start
  int64_t after = 0;       // of it, between its done and the first use of its result
  std::string text;        // a sentence
};

// An edge that exists for order alone.
struct OrderingEdge {
  ItemId before = 0, after = 0;
  int64_t savedCopyBytes = 0; // of a buffer that `before` reads and `after` writes; 0: none found
  ValueId buffer = ~0u;       // that buffer, if found in the schedule
  int64_t cost = -1;          // what it adds to a run of its block; -1: not known
};

// As XLA's tools count: starts and dones in one computation.
struct PairCounts {
  int64_t async = 0, synchronous = 0, overlapped = 0;
};

struct ScheduleReport {
  const Schedule *schedule = nullptr;
  std::string target;
  SimulationResult times;
  int64_t bound = 0;
  MemoryPeak peak;
  int64_t hostPeakBytes = 0;
  PairCounts pairs;
  std::vector<TransferLimit> limits; // one per times.transfers
  std::vector<OrderingEdge> edges;
  std::vector<std::string> errors, warnings;

  double gap() const;
  double overlap() const; // hidden / busy time of links; 1 without communication
};

ScheduleReport reportOn(const Schedule &schedule, const Target &target);
PairCounts countPairs(const Schedule &schedule);

std::string formatSummary(const ScheduleReport &report);   // one screen
std::string formatTransfers(const ScheduleReport &report); // every transfer and edge
std::string formatCopies(const ScheduleReport &report);    // by cause
std::string formatMemory(const ScheduleReport &report, size_t most = 20);
std::string reportJson(const ScheduleReport &report);
std::string formatComparison(const std::string &nameA, const ScheduleReport &a,
                             const std::string &nameB, const ScheduleReport &b);
// Chrome/Perfetto trace events of one predicted step, as process `pid`; measured events of the
// same form may be passed and are put beside them as they are.
std::string traceJson(const ScheduleReport &report, const std::string &measured = "");

} // namespace tandem
