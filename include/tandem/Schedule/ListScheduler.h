// One greedy order of a block, made from its begin to its end or from its end to its begin.
//
// Backward, time runs from the terminator. An op can be placed when all that depend on it are.
//  - A done is placed as soon as it can be: in the program, just before its first reader.
//  - Its start then takes the next free time on its wire, and is placed once the computation
//    placed since covers that time, or when nothing else can be: in the program, just early
//    enough to be hidden, so that its bytes are live no longer than needed.
//  - Among computations the one with the highest priority is placed; when bytes would exceed the
//    cap, the one that leaves the fewest live, of the 64 with the highest priority.
// Forward is the mirror image: a start is placed as soon as its wire is free, its done once the
// computation placed since covers the time, or when nothing else can be. What waits for a wire
// is then as early as it can be, and computation that nothing waits for comes late, where it
// still hides a wire that is slower than the model has it.
// Patient, it lets the computation rest until a flight lands that is on a longer chain than what
// could be computed meanwhile, when the latter would end only after the landing.
// Priorities: the longest chain of time between an op and the far end (Chain), or the program's
// own order (Program). Deterministic. Cost: n log n.
#ifndef TANDEM_SCHEDULE_LISTSCHEDULER_H
#define TANDEM_SCHEDULE_LISTSCHEDULER_H

#include <limits>

#include "tandem/Schedule/Problem.h"

namespace tandem {

enum class SchedulePriority { Chain, Program };
enum class ScheduleDirection { Forward, Backward };

struct ListOptions {
  ScheduleDirection direction = ScheduleDirection::Backward;
  SchedulePriority priority = SchedulePriority::Chain;
  int64_t capBytes = std::numeric_limits<int64_t>::max();
  bool patient = false;
  int64_t computePercent = 100; // what compute takes of what the problem says
};

// An order that is allowed.
ScheduleOrder listSchedule(const ScheduleProblem &problem, const ListOptions &options);

} // namespace tandem

#endif // TANDEM_SCHEDULE_LISTSCHEDULER_H
