// What an order of a scheduling problem takes.
#include "tandem/Schedule/Problem.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <set>

namespace tandem {

using Engine = ScheduleProblem::Engine;
constexpr unsigned kWires = 64;

static void forEachWire(uint64_t wires, auto visit) {
  for (; wires; wires &= wires - 1)
    visit(std::countr_zero(wires));
}

void ScheduleProblem::addEdge(unsigned from, unsigned to) {
  auto insert = [](std::vector<unsigned> &sorted, unsigned node) {
    auto it = std::lower_bound(sorted.begin(), sorted.end(), node);
    if (it == sorted.end() || *it != node)
      sorted.insert(it, node);
  };
  insert(nodes[from].successors, to);
  insert(nodes[to].predecessors, from);
}

std::vector<unsigned> placesIn(const ScheduleOrder &order) {
  std::vector<unsigned> places(order.size());
  for (unsigned place = 0; place < order.size(); ++place)
    places[order[place]] = place;
  return places;
}

void moveNode(ScheduleOrder &order, std::vector<unsigned> &places, unsigned from, unsigned to) {
  auto begin = order.begin();
  if (from < to)
    std::rotate(begin + from, begin + from + 1, begin + to + 1);
  else
    std::rotate(begin + to, begin + from, begin + from + 1);
  for (unsigned place = std::min(from, to); place <= std::max(from, to); ++place)
    places[order[place]] = place;
}

bool isAllowed(const ScheduleProblem &problem, const ScheduleOrder &order) {
  if (order.size() != problem.size())
    return false;
  std::vector<unsigned> place(order.size(), problem.size());
  for (unsigned i = 0; i < order.size(); ++i) {
    if (order[i] >= problem.size() || place[order[i]] != problem.size())
      return false;
    place[order[i]] = i;
  }
  for (unsigned node = 0; node < problem.size(); ++node)
    for (unsigned before : problem.nodes[node].predecessors)
      if (place[before] > place[node])
        return false;
  return true;
}

std::vector<bool> neededCopies(const ScheduleProblem &problem, const ScheduleOrder &order) {
  std::vector<bool> needed(problem.copies.size(), false);
  if (needed.empty())
    return needed;
  const std::vector<unsigned> place = placesIn(order);
  for (size_t i = 0; i < needed.size(); ++i) {
    const ScheduleProblem::Copy &copy = problem.copies[i];
    needed[i] = std::any_of(copy.before.begin(), copy.before.end(),
                            [&](unsigned reader) { return place[reader] > place[copy.writer]; });
  }
  return needed;
}

int64_t copyTime(const ScheduleProblem &problem, const ScheduleOrder &order) {
  int64_t time = 0;
  std::vector<bool> needed = neededCopies(problem, order);
  for (size_t i = 0; i < needed.size(); ++i)
    if (needed[i])
      time += problem.nodes[problem.copies[i].node].picoseconds;
  return time;
}

// Whether `to` depends on `from`, directly or not.
static bool reaches(const std::vector<std::vector<unsigned>> &successors, unsigned from,
                    unsigned to) {
  std::vector<bool> seen(successors.size(), false);
  std::vector<unsigned> pending = {from};
  seen[from] = true;
  while (!pending.empty()) {
    unsigned node = pending.back();
    pending.pop_back();
    if (node == to)
      return true;
    for (unsigned next : successors[node])
      if (!seen[next]) {
        seen[next] = true;
        pending.push_back(next);
      }
  }
  return false;
}

ScheduleProblem withCopyEdges(const ScheduleProblem &problem, std::vector<unsigned> &numbers,
                              std::vector<bool> *kept) {
  std::vector<std::vector<unsigned>> successors;
  successors.reserve(problem.nodes.size());
  for (const ScheduleProblem::Node &node : problem.nodes)
    successors.push_back(node.successors);
  std::vector<unsigned> byCost(problem.copies.size());
  std::iota(byCost.begin(), byCost.end(), 0);
  std::stable_sort(byCost.begin(), byCost.end(), [&](unsigned a, unsigned b) {
    return problem.nodes[problem.copies[a].node].picoseconds >
           problem.nodes[problem.copies[b].node].picoseconds;
  });
  std::vector<std::pair<unsigned, unsigned>> edges;
  std::vector<bool> ordered(problem.copies.size(), false);
  for (unsigned index : byCost) {
    const ScheduleProblem::Copy &copy = problem.copies[index];
    size_t known = edges.size();
    bool fits = true;
    for (unsigned reader : copy.before) {
      if (std::find(successors[reader].begin(), successors[reader].end(), copy.writer) !=
          successors[reader].end())
        continue;
      if (reaches(successors, copy.writer, reader)) {
        fits = false;
        break;
      }
      successors[reader].push_back(copy.writer);
      edges.push_back({reader, copy.writer});
    }
    ordered[index] = fits;
    for (; !fits && edges.size() > known; edges.pop_back())
      successors[edges.back().first].pop_back();
  }

  // Numbered anew: of the nodes that can be next, the first of the program.
  std::vector<unsigned> waiting(problem.size(), 0), newNumber(problem.size());
  for (const auto &list : successors)
    for (unsigned next : list)
      ++waiting[next];
  std::set<unsigned> ready;
  for (unsigned node = 0; node < problem.size(); ++node)
    if (waiting[node] == 0)
      ready.insert(node);
  numbers.clear();
  while (!ready.empty()) {
    unsigned node = *ready.begin();
    ready.erase(ready.begin());
    newNumber[node] = static_cast<unsigned>(numbers.size());
    numbers.push_back(node);
    for (unsigned next : successors[node])
      if (--waiting[next] == 0)
        ready.insert(next);
  }

  ScheduleProblem result = problem;
  for (unsigned node = 0; node < problem.size(); ++node) {
    ScheduleProblem::Node &info = result.nodes[newNumber[node]];
    info = problem.nodes[node];
    if (info.awaits != ~0u)
      info.awaits = newNumber[info.awaits];
    for (std::vector<unsigned> *list : {&info.predecessors, &info.successors}) {
      for (unsigned &other : *list)
        other = newNumber[other];
      std::sort(list->begin(), list->end());
    }
  }
  for (ScheduleProblem::Copy &copy : result.copies) {
    copy.node = newNumber[copy.node];
    copy.writer = newNumber[copy.writer];
    for (unsigned &reader : copy.before)
      reader = newNumber[reader];
  }
  for (auto [from, to] : edges)
    result.addEdge(newNumber[from], newNumber[to]);
  for (size_t index = 0; index < ordered.size(); ++index)
    if (ordered[index])
      result.nodes[result.copies[index].node].picoseconds = 0;
  if (kept)
    *kept = std::move(ordered);
  return result;
}

static int64_t play(const ScheduleProblem &problem, const ScheduleOrder &order,
                    int64_t computePercent, bool startsFollowCompute, std::vector<int64_t> *idle,
                    ScheduleTimes *times = nullptr) {
  std::vector<bool> isFree;
  if (!problem.copies.empty()) {
    isFree.assign(problem.size(), false);
    std::vector<bool> needed = neededCopies(problem, order);
    for (size_t i = 0; i < needed.size(); ++i)
      isFree[problem.copies[i].node] = !needed[i];
  }
  std::vector<int64_t> finish(problem.size(), 0);
  std::array<int64_t, kWires> wires{};
  int64_t step = 0, compute = 0, host = 0;
  if (idle)
    idle->assign(order.size(), 0);
  if (times)
    times->clock.assign(order.size(), 0);
  for (unsigned place = 0; place < order.size(); ++place) {
    const ScheduleProblem::Node &node = problem.nodes[order[place]];
    if (times)
      times->clock[place] = compute;
    int64_t ready = 0;
    if (!startsFollowCompute)
      for (unsigned before : node.predecessors)
        ready = std::max(ready, finish[before]);
    else if (node.engine != Engine::Wait)
      ready = compute;
    else if (node.awaits != ~0u)
      ready = finish[node.awaits];
    int64_t end = ready;
    switch (node.engine) {
    case Engine::None:
      break;
    case Engine::Wait:
      if (idle)
        (*idle)[place] = std::max<int64_t>(ready - compute, 0);
      compute = std::max(compute, ready);
      break;
    case Engine::Wire:
      end = wires[node.wire] = std::max({host, wires[node.wire], ready}) + node.picoseconds;
      break;
    case Engine::Compute: {
      if (!isFree.empty() && isFree[order[place]])
        break;
      int64_t begin = std::max({host, compute, ready});
      forEachWire(node.heldWires, [&](int wire) { begin = std::max(begin, wires[wire]); });
      if (idle)
        (*idle)[place] = begin - compute;
      end = compute = begin + node.picoseconds * computePercent / 100;
      forEachWire(node.heldWires, [&](int wire) { wires[wire] = end; });
      if (node.holdsHost)
        host = end;
      break;
    }
    }
    finish[order[place]] = end;
    step = std::max(step, end);
  }
  if (times)
    times->finish = std::move(finish);
  return std::max(step, compute);
}

int64_t stepTime(const ScheduleProblem &problem, const ScheduleOrder &order, int64_t computePercent,
                 std::vector<int64_t> *idle) {
  return play(problem, order, computePercent, problem.startsFollowCompute, idle);
}

int64_t queuedStepTime(const ScheduleProblem &problem, const ScheduleOrder &order) {
  return play(problem, order, 100, true, nullptr);
}

ScheduleTimes scheduleTimes(const ScheduleProblem &problem, const ScheduleOrder &order,
                            bool startsFollowCompute) {
  ScheduleTimes times;
  play(problem, order, 100, startsFollowCompute, nullptr, &times);
  return times;
}

// Calls `visit` with each place of the order, the bytes live while its node runs, and how many of
// those it writes in place.
static void forEachPlace(const ScheduleProblem &problem, const ScheduleOrder &order, auto visit) {
  size_t numClasses = problem.classBytes.size();
  std::vector<unsigned> remaining(numClasses, 0);
  for (const ScheduleProblem::Node &node : problem.nodes)
    for (const std::vector<unsigned> *classes : {&node.defines, &node.reads})
      for (unsigned cls : *classes)
        ++remaining[cls];
  std::vector<bool> live(numClasses, false);
  std::vector<bool> needed = neededCopies(problem, order);
  for (size_t i = 0; i < needed.size(); ++i)
    if (!needed[i] && problem.copies[i].savedClass != ~0u)
      live[problem.copies[i].savedClass] = true, remaining[problem.copies[i].savedClass] = ~0u;
  int64_t bytes = 0;
  for (unsigned place = 0; place < order.size(); ++place) {
    const ScheduleProblem::Node &node = problem.nodes[order[place]];
    for (unsigned cls : node.defines)
      if (!live[cls]) {
        live[cls] = true;
        bytes += problem.classBytes[cls];
      }
    int64_t shared = 0;
    for (auto [defined, read] : node.inPlace)
      if (live[read] && remaining[read] == 1)
        shared += std::min(problem.classBytes[defined], problem.classBytes[read]);
    visit(place, bytes, shared);
    for (const std::vector<unsigned> *classes : {&node.defines, &node.reads})
      for (unsigned cls : *classes)
        if (--remaining[cls] == 0 && live[cls]) {
          live[cls] = false;
          bytes -= problem.classBytes[cls];
        }
  }
}

int64_t peakBytes(const ScheduleProblem &problem, const ScheduleOrder &order) {
  return peaks(problem, order).bytes;
}

SchedulePeaks peaks(const ScheduleProblem &problem, const ScheduleOrder &order) {
  SchedulePeaks most;
  forEachPlace(problem, order, [&](unsigned place, int64_t bytes, int64_t shared) {
    bytes += problem.nodes[order[place]].heldBytes;
    most.bytes = std::max(most.bytes, bytes);
    most.inPlaceBytes = std::max(most.inPlaceBytes, bytes - shared);
  });
  return most;
}

std::vector<int64_t> liveBytes(const ScheduleProblem &problem, const ScheduleOrder &order) {
  std::vector<int64_t> live(order.size());
  forEachPlace(problem, order,
               [&](unsigned place, int64_t bytes, int64_t) { live[place] = bytes; });
  return live;
}

int64_t stepBound(const ScheduleProblem &problem) {
  std::vector<int64_t> finish(problem.size(), 0);
  std::array<int64_t, kWires> wires{};
  int64_t compute = 0, bound = 0;
  std::vector<bool> isCopy(problem.size(), false);
  for (const ScheduleProblem::Copy &copy : problem.copies)
    isCopy[copy.node] = true;
  for (unsigned index = 0; index < problem.size(); ++index) {
    const ScheduleProblem::Node &node = problem.nodes[index];
    for (unsigned before : node.predecessors)
      finish[index] = std::max(finish[index], finish[before]);
    if (isCopy[index])
      continue;
    finish[index] += node.picoseconds;
    bound = std::max(bound, finish[index]);
    if (node.engine == Engine::Compute)
      compute += node.picoseconds;
    if (node.engine == Engine::Wire)
      wires[node.wire] += node.picoseconds;
    forEachWire(node.heldWires, [&](int wire) { wires[wire] += node.picoseconds; });
  }
  return std::max({bound, compute, *std::max_element(wires.begin(), wires.end())});
}

} // namespace tandem
