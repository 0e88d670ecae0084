// Waits as early and starts as late, or as early, as is of use.
#include "tandem/Schedule/Flights.h"

#include <algorithm>

namespace tandem {

using Engine = ScheduleProblem::Engine;

ScheduleOrder withEarlyWaits(const ScheduleProblem &problem, ScheduleOrder order) {
  const ScheduleTimes own = scheduleTimes(problem, order, problem.startsFollowCompute);
  const ScheduleTimes queued = scheduleTimes(problem, order, true);
  const std::vector<unsigned> places = placesIn(order);
  // Waits by the place that they go to, in the order they have.
  std::vector<std::pair<unsigned, unsigned>> moves;
  std::vector<bool> moved(order.size(), false);
  for (unsigned place = 0; place < order.size(); ++place) {
    const ScheduleProblem::Node &node = problem.nodes[order[place]];
    if (node.engine != Engine::Wait || node.awaits == ~0u)
      continue;
    unsigned to = 0;
    for (unsigned before : node.predecessors)
      to = std::max(to, places[before] + 1);
    for (const ScheduleTimes *times : {&own, &queued}) {
      auto from = times->clock.begin() + std::min<unsigned>(to, place);
      auto landed =
          std::lower_bound(from, times->clock.begin() + place, times->finish[node.awaits]);
      to = std::max<unsigned>(to, landed - times->clock.begin());
    }
    if (to >= place)
      continue;
    moves.push_back({to, order[place]});
    moved[order[place]] = true;
  }
  if (moves.empty())
    return order;
  std::stable_sort(moves.begin(), moves.end(),
                   [](const auto &a, const auto &b) { return a.first < b.first; });
  ScheduleOrder result;
  result.reserve(order.size());
  auto next = moves.begin();
  for (unsigned place = 0; place < order.size(); ++place) {
    for (; next != moves.end() && next->first == place; ++next)
      result.push_back(next->second);
    if (!moved[order[place]])
      result.push_back(order[place]);
  }
  return result;
}

ScheduleOrder withLateWaits(const ScheduleProblem &problem, const ScheduleOrder &order) {
  ScheduleOrder result;
  result.reserve(order.size());
  std::vector<bool> emitted(order.size(), false);
  auto isWait = [&](unsigned node) { return problem.nodes[node].engine == Engine::Wait; };
  auto put = [&](auto &&self, unsigned node) -> void {
    // A wait that waits for another is rare, and chains of them are short.
    for (unsigned before : problem.nodes[node].predecessors)
      if (!emitted[before] && isWait(before))
        self(self, before);
    emitted[node] = true;
    result.push_back(node);
  };
  for (unsigned node : order)
    if (!isWait(node))
      put(put, node);
  for (unsigned node : order)
    if (!emitted[node])
      put(put, node);
  return result;
}

namespace {

class StartMover {
public:
  StartMover(const ScheduleProblem &problem, ScheduleOrder &order, int64_t &effort,
             const std::function<bool(const ScheduleOrder &)> &accepts)
      : problem(problem), order(order), effort(effort), accepts(accepts), places(placesIn(order)) {}

  // Starts whose waits hold compute up go to earlier places.
  void hide() {
    const ScheduleOrder program = order;
    for (unsigned wait : program) {
      const unsigned start = problem.nodes[wait].awaits;
      if (effort <= 0)
        return;
      if (problem.nodes[wait].engine != Engine::Wait || start == ~0u)
        continue;
      const ScheduleTimes times = queuedTimes();
      const int64_t needed = times.clock[places[wait]];
      if (times.finish[start] <= needed)
        continue;
      auto it = std::upper_bound(times.clock.begin(), times.clock.begin() + places[start],
                                 needed - problem.nodes[start].picoseconds);
      unsigned to = it == times.clock.begin() ? 0 : it - times.clock.begin() - 1;
      for (int tries = 0; tries < kTries && to < places[start]; ++tries) {
        if (bringForward(start, to))
          break;
        to += (places[start] - to + 1) / 2;
      }
    }
  }

  // The start and what it depends on to `to`, as far as that is behind it.
  bool bringForward(unsigned start, unsigned to) {
    std::vector<unsigned> group = {start};
    for (size_t next = 0; next < group.size(); ++next)
      for (unsigned before : problem.nodes[group[next]].predecessors)
        if (places[before] >= to && std::find(group.begin(), group.end(), before) == group.end()) {
          if (group.size() == kMaxGroup)
            return false;
          group.push_back(before);
        }
    std::sort(group.begin(), group.end(),
              [&](unsigned a, unsigned b) { return places[a] < places[b]; });
    std::vector<unsigned> from;
    for (size_t i = 0; i < group.size(); ++i) {
      from.push_back(places[group[i]]);
      move(from[i], to + i);
    }
    if (accepts(order))
      return true;
    for (size_t i = group.size(); i-- > 0;)
      move(to + i, from[i]);
    return false;
  }

  void run() {
    std::vector<unsigned> starts;
    for (unsigned node : order)
      if (problem.nodes[node].engine == Engine::Wire)
        starts.push_back(node);
    // The last first, so that those before find room.
    for (auto it = starts.rbegin(); it != starts.rend(); ++it)
      if (effort > 0 && gain(*it) > 0)
        moveLater(*it);
    for (unsigned start : starts)
      if (effort > 0 && gain(start) < 0)
        moveEarlier(start);
  }

private:
  // Bytes that are live because of it, minus those that only it keeps.
  int64_t gain(unsigned start) const {
    const ScheduleProblem::Node &node = problem.nodes[start];
    int64_t bytes = 0;
    for (unsigned cls : node.defines)
      if (std::find(node.reads.begin(), node.reads.end(), cls) == node.reads.end())
        bytes += problem.classBytes[cls];
    for (unsigned cls : node.reads)
      if (std::find(node.defines.begin(), node.defines.end(), cls) == node.defines.end())
        bytes -= problem.classBytes[cls];
    return bytes;
  }

  ScheduleTimes queuedTimes() {
    effort -= problem.size();
    return scheduleTimes(problem, order, true);
  }

  void moveLater(unsigned start) {
    const unsigned from = places[start];
    unsigned last = problem.size() - 1;
    for (unsigned next : problem.nodes[start].successors)
      last = std::min(last, places[next] - 1);
    if (last <= from)
      return;
    // So late that it has landed when it is waited for, if nothing holds it up.
    const ScheduleProblem::Node &node = problem.nodes[start];
    const ScheduleTimes times = queuedTimes();
    int64_t latest = times.clock[last];
    for (unsigned place = from + 1; place <= last; ++place) {
      const ScheduleProblem::Node &other = problem.nodes[order[place]];
      if (other.engine != Engine::Wire || other.wire != node.wire)
        continue;
      latest = std::min(latest, times.finish[order[place]] - other.picoseconds);
      break;
    }
    latest -= node.picoseconds;
    // Just before the last node that is issued by then: those between move forward by one.
    auto it = std::upper_bound(times.clock.begin() + from, times.clock.begin() + last + 1, latest);
    const auto behind = static_cast<unsigned>(it - times.clock.begin());
    if (behind > from + 2)
      tryPlaces(start, std::min(behind - 2, last));
  }

  // To the first gap on its wire that is long enough, and its wait to where it has landed.
  void moveEarlier(unsigned start) {
    const ScheduleProblem::Node &node = problem.nodes[start];
    unsigned to = 0;
    for (unsigned before : node.predecessors)
      to = std::max(to, places[before] + 1);
    const unsigned from = places[start];
    const ScheduleTimes times = queuedTimes();
    auto tryBoth = [&](int64_t begin) {
      const int64_t end = begin + node.picoseconds;
      move(from, to);
      unsigned wait = ~0u, waitFrom = 0, waitTo = 0;
      for (unsigned next : node.successors)
        if (problem.nodes[next].awaits == start)
          wait = next;
      if (wait != ~0u) {
        waitFrom = places[wait];
        // Clocks of before the move: places up to `from` have shifted by one.
        for (unsigned before : problem.nodes[wait].predecessors)
          waitTo = std::max(waitTo, places[before] + 1);
        while (waitTo < waitFrom && times.clock[waitTo <= from ? waitTo - 1 : waitTo] < end)
          ++waitTo;
        move(waitFrom, waitTo);
      }
      if (accepts(order))
        return true;
      if (wait != ~0u)
        move(waitTo, waitFrom);
      move(to, from);
      return false;
    };
    int64_t wireFree = 0;
    int numTries = 0;
    for (unsigned place = 0; place < from && numTries < kTries; ++place) {
      const ScheduleProblem::Node &other = problem.nodes[order[place]];
      if (other.engine != Engine::Wire || other.wire != node.wire)
        continue;
      const int64_t next = times.finish[order[place]] - other.picoseconds;
      if (to <= place) {
        const int64_t begin = std::max(wireFree, times.clock[to]);
        if (begin + node.picoseconds <= next) {
          if (tryBoth(begin))
            return;
          ++numTries;
        }
      }
      wireFree = times.finish[order[place]];
      to = std::max(to, place + 1);
    }
    // Behind the last one before it.
    if (to < from)
      tryBoth(std::max(wireFree, times.clock[to]));
  }

  // That place, then nearer ones.
  void tryPlaces(unsigned start, unsigned to) {
    const unsigned from = places[start];
    for (int tries = 0; tries < kTries && to != from; ++tries) {
      if (tryPlace(from, to))
        return;
      to = to > from ? from + (to - from) / 2 : from - (from - to) / 2;
    }
  }

  bool tryPlace(unsigned from, unsigned to) {
    move(from, to);
    if (accepts(order))
      return true;
    move(to, from);
    return false;
  }

  void move(unsigned from, unsigned to) { moveNode(order, places, from, to); }

  static constexpr int kTries = 6;
  static constexpr size_t kMaxGroup = 8;

  const ScheduleProblem &problem;
  ScheduleOrder &order;
  int64_t &effort;
  const std::function<bool(const ScheduleOrder &)> &accepts;
  std::vector<unsigned> places;
};

} // namespace

void moveStarts(const ScheduleProblem &problem, ScheduleOrder &order, int64_t &effort,
                const std::function<bool(const ScheduleOrder &)> &accepts) {
  StartMover(problem, order, effort, accepts).run();
}

void hideStarts(const ScheduleProblem &problem, ScheduleOrder &order, int64_t &effort,
                const std::function<bool(const ScheduleOrder &)> &accepts) {
  StartMover(problem, order, effort, accepts).hide();
}

} // namespace tandem
