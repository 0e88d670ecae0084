// The order of a scheduling problem: greedy orders from both ends, the better ones improved by a
// bounded local search.
//
// A move exchanges two neighbouring runs of nodes, when nothing in the second depends on anything
// in the first. Small problems try every such move, and start again from disturbed orders; large
// ones try moves around the places where compute waits, the longest wait first. Up to 3,000 nodes,
// random nodes then go to random places, also from the fastest order if that needs too many bytes.
// The work is bounded by nodes looked at, not by time: the same problem gives the same order
// everywhere.
#ifndef TANDEM_SCHEDULE_SEARCH_H
#define TANDEM_SCHEDULE_SEARCH_H

#include <limits>

#include "tandem/Schedule/Problem.h"

namespace tandem {

struct SearchOptions {
  // No order above it is returned unless every order found is above it; then the smallest is.
  int64_t capBytes = std::numeric_limits<int64_t>::max();
  // Whether bytes are those of orders in which all is written in place that can be. A result that
  // is not needs more, so to count on it is for where bytes must be had.
  bool inPlace = false;
  // Bound of the search, in nodes looked at, for which some greedy orders are left out of very
  // large problems; 0: greedy orders only, all of them.
  int64_t effort = 20'000'000;
  // Weight, of 128, of the step where a start waits for the compute issued before it, beside that
  // of the step by the problem's own rule: for those who cannot know which it will be.
  int64_t queuedWeight = 0;
  // How much longer than the fastest order found, in thousandths, one may take that needs fewer
  // bytes: of those the one with the lowest peak is returned.
  int64_t slackPermille = 0;
};

struct SearchResult {
  ScheduleOrder order;
  int64_t step = 0, peak = 0;
  int64_t greedyStep = 0, greedyPeak = 0; // of the best greedy order
  int64_t time = 0;                       // what orders are compared by, in no unit
};

// `problem.nodes` in their own order is one of the candidates.
SearchResult searchOrder(const ScheduleProblem &problem, const SearchOptions &options);

} // namespace tandem

#endif // TANDEM_SCHEDULE_SEARCH_H
