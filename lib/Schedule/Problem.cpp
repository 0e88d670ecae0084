// What an order of a scheduling problem takes.
#include "tandem/Schedule/Problem.h"

#include <algorithm>
#include <array>
#include <bit>

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

int64_t stepTime(const ScheduleProblem &problem, const ScheduleOrder &order, int64_t computePercent,
                 std::vector<int64_t> *idle) {
  std::vector<int64_t> finish(problem.size(), 0);
  std::array<int64_t, kWires> wires{};
  int64_t step = 0, compute = 0, host = 0;
  if (idle)
    idle->assign(order.size(), 0);
  for (unsigned place = 0; place < order.size(); ++place) {
    const ScheduleProblem::Node &node = problem.nodes[order[place]];
    int64_t ready = 0;
    if (!problem.startsFollowCompute)
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
  return std::max(step, compute);
}

int64_t peakBytes(const ScheduleProblem &problem, const ScheduleOrder &order) {
  size_t numClasses = problem.classBytes.size();
  std::vector<unsigned> remaining(numClasses, 0);
  for (const ScheduleProblem::Node &node : problem.nodes)
    for (const std::vector<unsigned> *classes : {&node.defines, &node.reads})
      for (unsigned cls : *classes)
        ++remaining[cls];
  std::vector<bool> live(numClasses, false);
  int64_t bytes = 0, peak = 0;
  for (unsigned index : order) {
    const ScheduleProblem::Node &node = problem.nodes[index];
    for (unsigned cls : node.defines)
      if (!live[cls]) {
        live[cls] = true;
        bytes += problem.classBytes[cls];
      }
    peak = std::max(peak, bytes + node.heldBytes);
    for (const std::vector<unsigned> *classes : {&node.defines, &node.reads})
      for (unsigned cls : *classes)
        if (--remaining[cls] == 0 && live[cls]) {
          live[cls] = false;
          bytes -= problem.classBytes[cls];
        }
  }
  return peak;
}

int64_t stepBound(const ScheduleProblem &problem) {
  std::vector<int64_t> finish(problem.size(), 0);
  std::array<int64_t, kWires> wires{};
  int64_t compute = 0, bound = 0;
  for (unsigned index = 0; index < problem.size(); ++index) {
    const ScheduleProblem::Node &node = problem.nodes[index];
    for (unsigned before : node.predecessors)
      finish[index] = std::max(finish[index], finish[before]);
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
