// The greedy scheduler, from the end of the block to its begin.
#include "passes/Schedule/ListScheduler.h"

#include <algorithm>
#include <map>
#include <set>

namespace tandem {
namespace {

using Engine = BlockModel::Engine;

class Scheduler {
 public:
  Scheduler(const BlockModel &model, const ListOptions &options)
      : model(model), options(options), waitingFor(model.size()), readyAt(model.size(), 0),
        live(model.numClasses(), false), undefined(model.numClasses()) {
    for (unsigned cls = 0; cls < model.numClasses(); ++cls)
      undefined[cls] = model.numDefinitions(cls);
    setPriorities();
  }

  std::vector<unsigned> run() {
    for (unsigned node = 0; node < model.size(); ++node) {
      waitingFor[node] = model.dependences().successors(node).size();
      if (waitingFor[node] == 0) makeReady(node);
    }
    while (order.size() < model.size()) {
      if (!free.empty()) {
        unsigned node = *free.begin();
        free.erase(free.begin());
        place(node, readyAt[node]);
        continue;
      }
      fillWires();
      if (!flying.empty() && (flying.begin()->first.first <= now || compute.empty())) {
        auto [key, node] = *flying.begin();
        flying.erase(flying.begin());
        now = std::max(now, key.first);
        place(node, key.first);
        continue;
      }
      if (compute.empty()) {
        // Every wire that has work is busy: wait for the next one.
        int64_t next = std::numeric_limits<int64_t>::max();
        for (auto &[wire, queue] : waiting)
          if (!queue.empty()) next = std::min(next, wireFree[wire]);
        now = next;
        continue;
      }
      unsigned node = choose();
      compute.erase({priority[node], node});
      now = std::max(now, readyAt[node]) + model.node(node).picoseconds;
      place(node, now);
    }
    std::reverse(order.begin(), order.end());
    return std::move(order);
  }

 private:
  // Ops with a larger key are placed first, that is, come later in the program.
  using Key = std::pair<int64_t, unsigned>;

  void setPriorities() {
    priority.assign(model.size(), 0);
    for (unsigned node = 0; node < model.size(); ++node) {
      if (options.priority == SchedulePriority::Program) {
        priority[node] = node;
        continue;
      }
      int64_t before = 0;
      for (unsigned pred : model.dependences().predecessors(node))
        before = std::max(before, priority[pred]);
      priority[node] = before + model.node(node).picoseconds;
    }
  }

  void makeReady(unsigned node) {
    const BlockModel::Node &info = model.node(node);
    if (info.engine == Engine::None)
      free.insert({node});
    else if (info.engine == Engine::Wire)
      waiting[info.wire].insert({priority[node], node});
    else
      compute.insert({priority[node], node});
  }

  // Gives each free wire its next start.
  void fillWires() {
    for (auto &[wire, queue] : waiting) {
      int64_t &until = wireFree[wire];
      while (!queue.empty() && until <= now) {
        auto it = std::prev(queue.end());
        unsigned node = it->second;
        queue.erase(it);
        until = std::max(until, readyAt[node]) + model.node(node).picoseconds;
        flying.insert({{until, node}, node});
      }
    }
  }

  // Bytes that become live minus those that cease to be when `node` is placed next.
  int64_t change(unsigned node) const {
    int64_t bytes = 0;
    for (unsigned cls : model.node(node).reads)
      if (!live[cls]) bytes += model.bytesOf(cls);
    for (unsigned cls : model.node(node).defines)
      if (live[cls] && undefined[cls] == 1) bytes -= model.bytesOf(cls);
    return bytes;
  }

  unsigned choose() const {
    unsigned best = compute.rbegin()->second;
    int64_t bestChange = change(best);
    if (liveBytes + bestChange <= options.capBytes || compute.size() == 1) return best;
    unsigned looked = 0;
    for (auto it = compute.rbegin(); it != compute.rend() && looked < 64; ++it, ++looked) {
      int64_t candidate = change(it->second);
      if (candidate < bestChange) {
        best = it->second;
        bestChange = candidate;
      }
    }
    return best;
  }

  void place(unsigned node, int64_t time) {
    order.push_back(node);
    const BlockModel::Node &info = model.node(node);
    for (unsigned cls : info.reads)
      if (!live[cls]) {
        live[cls] = true;
        liveBytes += model.bytesOf(cls);
      }
    for (unsigned cls : info.defines)
      if (--undefined[cls] == 0 && live[cls]) {
        live[cls] = false;
        liveBytes -= model.bytesOf(cls);
      }
    for (unsigned pred : model.dependences().predecessors(node)) {
      readyAt[pred] = std::max(readyAt[pred], time);
      if (--waitingFor[pred] == 0) makeReady(pred);
    }
  }

  const BlockModel &model;
  const ListOptions &options;
  std::vector<int64_t> priority;
  std::vector<size_t> waitingFor;  // successors not placed yet
  std::vector<int64_t> readyAt;
  std::vector<bool> live;
  std::vector<unsigned> undefined;
  std::set<unsigned, std::greater<unsigned>> free;  // take no time
  std::set<Key> compute;
  std::map<unsigned, std::set<Key>> waiting;            // starts, by wire
  std::map<unsigned, int64_t> wireFree;
  std::map<std::pair<int64_t, unsigned>, unsigned> flying;  // starts with their time, by that
  std::vector<unsigned> order;
  int64_t now = 0, liveBytes = 0;
};

}  // namespace

std::vector<unsigned> listSchedule(const BlockModel &model, const ListOptions &options) {
  return Scheduler(model, options).run();
}

}  // namespace tandem
