// Shorter flights: what a start reads and makes is live until its wait, so both should be no
// further apart than the transfer takes.
//
//   start a; k1; start b; k2; k3; k4; wait a; wait b     a lands during k1, b during k3
//   start a; k1; wait a; k2; start b; k3; wait b; k4     the step is the same, fewer bytes are live
//
// A wait goes to the first place at which its transfer has landed; that costs nothing. A start that
// makes more bytes than it reads goes to later places, one that reads more than it makes (a
// reduce-scatter) to earlier ones, if the caller accepts the order.
#ifndef TANDEM_SCHEDULE_FLIGHTS_H
#define TANDEM_SCHEDULE_FLIGHTS_H

#include <functional>

#include "tandem/Schedule/Problem.h"

namespace tandem {

// The order with every wait as early as it holds nothing up, whether or not starts follow compute.
// Takes the same time and no more bytes.
ScheduleOrder withEarlyWaits(const ScheduleProblem &problem, ScheduleOrder order);

// The order with every wait just before what first depends on it.
ScheduleOrder withLateWaits(const ScheduleProblem &problem, const ScheduleOrder &order);

// Moves starts wherever `accepts`, which sees the changed order, says so; each is tried at a few
// places. The order is what was accepted last. Ends when `effort`, in nodes looked at, is used up;
// `accepts` may take its share of it.
void moveStarts(const ScheduleProblem &problem, ScheduleOrder &order, int64_t &effort,
                const std::function<bool(const ScheduleOrder &)> &accepts);

// Moves starts whose waits hold compute up to earlier places, with what they depend on, likewise.
void hideStarts(const ScheduleProblem &problem, ScheduleOrder &order, int64_t &effort,
                const std::function<bool(const ScheduleOrder &)> &accepts);

} // namespace tandem

#endif // TANDEM_SCHEDULE_FLIGHTS_H
