// A bound that no order of a schedule's items can beat.
#include "tandem/Cost/Simulation.h"

#include <algorithm>

#include <unordered_map>

namespace tandem {
namespace {

class Bounds {
public:
  explicit Bounds(const Schedule &schedule) : schedule(schedule) {}

  // Of one execution of a block: no order of it takes less. `busy`: work of each engine.
  int64_t ofBlock(BlockId id, std::vector<int64_t> &busy, bool withPaths) {
    const ScheduledBlock &block = schedule.blocks[id];
    size_t size = block.items.size();
    busy.assign(schedule.engines, 0);
    std::vector<int64_t> length(size), head(size, 0), tail(size, 0);
    std::vector<std::vector<int64_t>> work(size);
    for (size_t i = 0; i < size; ++i) {
      length[i] = ofItem(schedule.items[block.items[i]], work[i]);
      for (unsigned engine = 0; engine < schedule.engines; ++engine)
        busy[engine] += work[i].empty() ? 0 : work[i][engine];
    }
    int64_t bound = *std::max_element(busy.begin(), busy.end());
    if (!withPaths)
      return bound;

    std::vector<std::pair<size_t, size_t>> edges; // in program order of the second
    std::unordered_map<ItemId, size_t> place;     // not a DenseMap: ~0 stands for parameters
    for (size_t i = 0; i < size; ++i) {
      const ScheduledItem &item = schedule.items[block.items[i]];
      auto depend = [&](ItemId on) {
        if (auto it = place.find(on); it != place.end())
          edges.push_back({it->second, i});
      };
      for (ValueId value : item.operands)
        depend(schedule.values[value].item);
      for (ValueId value : item.captures)
        depend(schedule.values[value].item);
      place[block.items[i]] = i;
    }
    for (auto [from, to] : edges)
      head[to] = std::max(head[to], head[from] + length[from]);
    for (auto it = edges.rbegin(); it != edges.rend(); ++it)
      tail[it->first] = std::max(tail[it->first], tail[it->second] + length[it->second]);
    for (size_t i = 0; i < size; ++i)
      bound = std::max(bound, head[i] + length[i] + tail[i]);
    for (unsigned engine = 0; engine < schedule.engines; ++engine) {
      int64_t before = INT64_MAX, after = INT64_MAX;
      for (size_t i = 0; i < size; ++i)
        if (!work[i].empty() && work[i][engine] > 0) {
          before = std::min(before, head[i]);
          after = std::min(after, tail[i]);
        }
      if (before != INT64_MAX)
        bound = std::max(bound, before + busy[engine] + after);
    }
    return bound;
  }

private:
  int64_t ofItem(const ScheduledItem &item, std::vector<int64_t> &work) {
    using Kind = ScheduledItem::Kind;
    if (item.kind == Kind::Work || item.kind == Kind::Start) {
      work.assign(schedule.engines, 0);
      work[item.cost.engine] = item.cost.picoseconds;
      return item.cost.picoseconds;
    }
    int64_t most = 0;
    if (item.kind == Kind::Loop) {
      most = item.trips * ofBlock(item.blocks.front(), work, /*withPaths=*/false);
      for (int64_t &busy : work)
        busy *= item.trips;
    } else if (item.kind == Kind::Branches) {
      for (BlockId block : item.blocks) {
        std::vector<int64_t> busy;
        int64_t bound = ofBlock(block, busy, /*withPaths=*/true);
        if (bound < most && !work.empty())
          continue;
        most = bound;
        work = std::move(busy);
      }
    }
    return most;
  }

  const Schedule &schedule;
};

} // namespace

int64_t lowerBound(const Schedule &schedule) {
  std::vector<int64_t> busy;
  return Bounds(schedule).ofBlock(schedule.entry, busy, /*withPaths=*/true);
}

} // namespace tandem
