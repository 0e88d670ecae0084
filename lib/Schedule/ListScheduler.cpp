// The greedy scheduler, in both directions. "Later" is where it goes: towards the end of the
// block when it goes forward, towards the begin when it goes backward.
#include "tandem/Schedule/ListScheduler.h"

#include <algorithm>
#include <map>
#include <set>

namespace tandem {
namespace {

using Engine = ScheduleProblem::Engine;

class Scheduler {
public:
  Scheduler(const ScheduleProblem &problem, const ListOptions &options)
      : problem(problem), options(options),
        forward(options.direction == ScheduleDirection::Forward), waitingFor(problem.size()),
        readyAt(problem.size(), 0), live(problem.classBytes.size(), false),
        unclosed(problem.classBytes.size(), 0) {
    for (unsigned node = 0; node < problem.size(); ++node)
      for (unsigned cls : closes(node))
        ++unclosed[cls];
    setPriorities();
  }

  std::vector<unsigned> run() {
    for (unsigned node = 0; node < problem.size(); ++node) {
      waitingFor[node] = earlier(node).size();
      if (waitingFor[node] == 0)
        makeReady(node);
    }
    while (order.size() < problem.size()) {
      if (!free.empty()) {
        unsigned node = free.begin()->second;
        free.erase(free.begin());
        place(node, readyAt[node]);
        continue;
      }
      if (fillWires())
        continue;
      unsigned chosen = compute.empty() ? 0 : choose();
      if (!flying.empty() && (compute.empty() || landsFirst(*flying.begin(), chosen))) {
        auto [time, node] = *flying.begin();
        flying.erase(flying.begin());
        now = std::max(now, time);
        place(node, time);
        continue;
      }
      if (compute.empty()) {
        // Every wire that has work is busy: wait for the next one.
        int64_t next = std::numeric_limits<int64_t>::max();
        for (auto &[wire, queue] : waiting)
          if (!queue.empty())
            next = std::min(next, wireFree[wire]);
        now = next;
        continue;
      }
      compute.erase({priority[chosen], rank(chosen)});
      now = std::max(now, readyAt[chosen]) + duration(chosen);
      place(chosen, now);
    }
    if (!forward)
      std::reverse(order.begin(), order.end());
    return std::move(order);
  }

private:
  // Ops with a larger key are placed first.
  using Key = std::pair<int64_t, unsigned>;

  // Among equals, forward the first of the program is placed first, backward the last.
  unsigned rank(unsigned node) const { return forward ? problem.size() - 1 - node : node; }
  unsigned nodeOf(unsigned rank) const { return forward ? problem.size() - 1 - rank : rank; }

  const std::vector<unsigned> &earlier(unsigned node) const {
    return forward ? problem.nodes[node].predecessors : problem.nodes[node].successors;
  }
  const std::vector<unsigned> &later(unsigned node) const {
    return forward ? problem.nodes[node].successors : problem.nodes[node].predecessors;
  }
  // Classes that become live with a node at the latest, and those that are not needed beyond it.
  const std::vector<unsigned> &opens(unsigned node) const {
    return forward ? problem.nodes[node].defines : problem.nodes[node].reads;
  }
  const std::vector<unsigned> &closes(unsigned node) const {
    return forward ? problem.nodes[node].reads : problem.nodes[node].defines;
  }

  int64_t duration(unsigned node) const {
    const ScheduleProblem::Node &info = problem.nodes[node];
    return info.engine == Engine::Compute ? info.picoseconds * options.computePercent / 100
                                          : info.picoseconds;
  }

  void setPriorities() {
    priority.assign(problem.size(), 0);
    // From the far end, where this schedule stops.
    for (unsigned index = 0; index < problem.size(); ++index) {
      unsigned node = nodeOf(index);
      if (options.priority == SchedulePriority::Program) {
        priority[node] = index;
        continue;
      }
      int64_t beyond = 0;
      for (unsigned next : later(node))
        beyond = std::max(beyond, priority[next]);
      priority[node] = beyond + duration(node);
    }
  }

  void makeReady(unsigned node) {
    const ScheduleProblem::Node &info = problem.nodes[node];
    if (info.engine == Engine::Wire)
      waiting[info.wire].insert({priority[node], rank(node)});
    else if (info.engine == Engine::Compute)
      compute.insert({priority[node], rank(node)});
    else if (readyAt[node] <= now)
      free.insert({rank(node), node});
    else
      flying.insert({readyAt[node], node});
  }

  // Gives each free wire its next start; true when that placed one. Backward, the start is
  // placed when its flight ends, which is its begin in the program.
  bool fillWires() {
    for (auto &[wire, queue] : waiting) {
      int64_t &until = wireFree[wire];
      while (!queue.empty() && until <= now) {
        unsigned node = nodeOf(std::prev(queue.end())->second);
        queue.erase(std::prev(queue.end()));
        until = std::max(until, readyAt[node]) + problem.nodes[node].picoseconds;
        if (forward)
          return place(node, until), true;
        flying.insert({until, node});
      }
    }
    return false;
  }

  bool landsFirst(std::pair<int64_t, unsigned> flight, unsigned chosen) const {
    auto [time, node] = flight;
    if (time <= now)
      return true;
    return options.patient && priority[node] > priority[chosen] && time < now + duration(chosen);
  }

  // Bytes that become live minus those that cease to be when `node` is placed next.
  int64_t change(unsigned node) const {
    int64_t bytes = 0;
    for (unsigned cls : opens(node))
      if (!live[cls])
        bytes += problem.classBytes[cls];
    for (unsigned cls : closes(node))
      if (live[cls] && unclosed[cls] == 1)
        bytes -= problem.classBytes[cls];
    return bytes;
  }

  unsigned choose() const {
    unsigned best = nodeOf(compute.rbegin()->second);
    int64_t bestChange = change(best);
    if (liveBytes + bestChange <= options.capBytes || compute.size() == 1)
      return best;
    unsigned looked = 0;
    for (auto it = compute.rbegin(); it != compute.rend() && looked < 64; ++it, ++looked) {
      int64_t candidate = change(nodeOf(it->second));
      if (candidate < bestChange) {
        best = nodeOf(it->second);
        bestChange = candidate;
      }
    }
    return best;
  }

  // `time`: when what is later may begin.
  void place(unsigned node, int64_t time) {
    order.push_back(node);
    for (unsigned cls : opens(node))
      if (!live[cls]) {
        live[cls] = true;
        liveBytes += problem.classBytes[cls];
      }
    for (unsigned cls : closes(node))
      if (--unclosed[cls] == 0 && live[cls]) {
        live[cls] = false;
        liveBytes -= problem.classBytes[cls];
      }
    for (unsigned next : later(node)) {
      // Only a wait has to do with the end of a flight.
      bool ordered = problem.startsFollowCompute && forward &&
                     problem.nodes[node].engine == Engine::Wire &&
                     problem.nodes[next].awaits != node;
      readyAt[next] = std::max(readyAt[next], ordered ? now : time);
      if (--waitingFor[next] == 0)
        makeReady(next);
    }
  }

  const ScheduleProblem &problem;
  const ListOptions &options;
  const bool forward;
  std::vector<int64_t> priority;
  std::vector<size_t> waitingFor; // of the ops before it on the way, those not placed yet
  std::vector<int64_t> readyAt;
  std::vector<bool> live;
  std::vector<unsigned> unclosed;        // nodes that close a class, not placed yet
  std::set<Key, std::greater<Key>> free; // take no time and wait for none
  std::set<Key> compute;
  std::map<unsigned, std::set<Key>> waiting; // starts, by wire
  std::map<unsigned, int64_t> wireFree;
  std::set<std::pair<int64_t, unsigned>> flying; // starts or dones by when their flight ends
  std::vector<unsigned> order;
  int64_t now = 0, liveBytes = 0;
};

} // namespace

ScheduleOrder listSchedule(const ScheduleProblem &problem, const ListOptions &options) {
  return Scheduler(problem, options).run();
}

} // namespace tandem
