// A bound that no order of a schedule's items can beat.
//
// Of a set of items with dependences, each of a length and with work for the engines:
//   completion(v) = when v can be complete at the earliest: after the longest chain to it, and
//                   after all work of one engine that v depends on, counted from the begin or
//                   from the completion of a transfer
//   rest(v)       = what is left then at least: the longest chain from it, and all work of one
//                   engine that depends on v
// and the bound is the largest completion(v) + rest(v), or the work of the busiest engine.
//
// A loop takes trips x the busiest engine at least. Where a trip's outcome of a carried value
// depends on the value that it began with, what lies between the two is done within one stretch
// of time for each trip, and these stretches do not overlap: trips x the bound of that set.
#include "tandem/Cost/Simulation.h"

#include <algorithm>

#include <unordered_map>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {
namespace {

// Sets of items per item cost their square; larger blocks are bounded by chains and engines.
constexpr size_t kMostItems = 4000;
constexpr size_t kMostPairs = 200'000'000; // items x items x transfers

struct Graph {
  size_t engines = 0;
  std::vector<int64_t> length;
  std::vector<std::vector<int64_t>> work; // by engine; empty: none
  std::vector<std::vector<size_t>> before;

  size_t size() const { return length.size(); }

  // What each item depends on, itself included; empty where that would be too much.
  std::vector<llvm::BitVector> ancestors() const {
    std::vector<llvm::BitVector> sets;
    if (size() > kMostItems)
      return sets;
    sets.assign(size(), llvm::BitVector(static_cast<unsigned>(size())));
    for (size_t i = 0; i < size(); ++i) {
      sets[i].set(static_cast<unsigned>(i));
      for (size_t on : before[i])
        sets[i] |= sets[on];
    }
    return sets;
  }

  int64_t bound(const llvm::BitVector &in) const {
    std::vector<int64_t> completion(size(), 0), rest(size(), 0), busy(engines, 0);
    std::vector<llvm::BitVector> sets = ancestors();
    // By item and engine: work of what it depends on, and of what depends on it.
    std::vector<std::vector<int64_t>> needed(size()), caused(size());
    for (unsigned i : in.set_bits()) {
      add(busy, work[i]);
      if (sets.empty())
        continue;
      needed[i].assign(engines, 0);
      caused[i].assign(engines, 0);
      for (unsigned on : sets[i].set_bits()) {
        if (on == i || !in.test(on))
          continue;
        add(needed[i], work[on]);
        add(caused[on], work[i]);
      }
    }
    const std::vector<Stretch> stretches = stretchesIn(in, sets);
    // By item: those that begin or end there.
    std::vector<std::vector<const Stretch *>> from(size()), to(size());
    for (const Stretch &stretch : stretches) {
      from[stretch.from].push_back(&stretch);
      to[stretch.to].push_back(&stretch);
    }
    int64_t most = 0;
    for (unsigned i : in.set_bits()) {
      for (const Stretch *stretch : to[i])
        completion[i] = std::max(completion[i], completion[stretch->from] + stretch->work);
      for (size_t on : before[i])
        if (in.test(static_cast<unsigned>(on)))
          completion[i] = std::max(completion[i], completion[on]);
      if (!needed[i].empty())
        completion[i] = std::max(completion[i], *llvm::max_element(needed[i]));
      completion[i] += length[i];
    }
    for (size_t i = size(); i-- > 0;) {
      if (!in.test(static_cast<unsigned>(i)))
        continue;
      for (const Stretch *stretch : from[i])
        rest[i] = std::max(rest[i], stretch->work + length[stretch->to] + rest[stretch->to]);
      if (!caused[i].empty())
        rest[i] = std::max(rest[i], *llvm::max_element(caused[i]));
      for (size_t on : before[i])
        rest[on] = std::max(rest[on], rest[i] + length[i]);
      most = std::max(most, completion[i] + rest[i]);
    }
    for (size_t engine = 0; engine < engines; ++engine) {
      int64_t head = INT64_MAX, tail = INT64_MAX;
      for (unsigned i : in.set_bits())
        if (!work[i].empty() && work[i][engine] > 0) {
          head = std::min(head, completion[i] - length[i]);
          tail = std::min(tail, rest[i]);
        }
      if (head != INT64_MAX)
        most = std::max(most, head + busy[engine] + tail);
    }
    return most;
  }

  // What the busiest engine has to do between two items of which one is a transfer.
  struct Stretch {
    unsigned from, to;
    int64_t work;
  };
  std::vector<Stretch> stretchesIn(const llvm::BitVector &in,
                                   const std::vector<llvm::BitVector> &ancestors) const {
    std::vector<Stretch> stretches;
    llvm::SmallVector<unsigned> transfers;
    for (unsigned i : in.set_bits())
      if (!work[i].empty() && work[i][kComputeEngine] == 0 && length[i] > 0)
        transfers.push_back(i);
    if (ancestors.empty() || size() * size() * transfers.size() > kMostPairs)
      return stretches;
    for (unsigned transfer : transfers) {
      llvm::BitVector after(static_cast<unsigned>(size()));
      for (unsigned i : in.set_bits())
        if (i != transfer && ancestors[i].test(transfer))
          after.set(i);
      auto between = [&](unsigned a, unsigned b, llvm::BitVector set) {
        std::vector<int64_t> sum(engines, 0);
        for (unsigned i : set.set_bits())
          if (i != a && i != b)
            add(sum, work[i]);
        stretches.push_back({a, b, *llvm::max_element(sum)});
      };
      for (unsigned i : in.set_bits()) {
        if (after.test(i)) {
          between(transfer, i, llvm::BitVector(after) &= ancestors[i]);
        } else if (i != transfer && ancestors[transfer].test(i)) {
          llvm::BitVector set(static_cast<unsigned>(size()));
          for (unsigned k : ancestors[transfer].set_bits())
            if (in.test(k) && ancestors[k].test(i))
              set.set(k);
          between(i, transfer, std::move(set));
        }
      }
    }
    return stretches;
  }

  static void add(std::vector<int64_t> &sum, const std::vector<int64_t> &more) {
    for (size_t engine = 0; engine < more.size(); ++engine)
      sum[engine] += more[engine];
  }
};

class Bounds {
public:
  explicit Bounds(const Schedule &schedule) : schedule(schedule) {}

  // Of one execution of a block.
  int64_t ofBlock(BlockId id, std::vector<int64_t> &busy) {
    Graph graph = graphOf(id, busy);
    return graph.bound(llvm::BitVector(static_cast<unsigned>(graph.size()), true));
  }

private:
  Graph graphOf(BlockId id, std::vector<int64_t> &busy) {
    const ScheduledBlock &block = schedule.blocks[id];
    Graph graph;
    graph.engines = schedule.engines;
    graph.length.resize(block.items.size());
    graph.work.resize(block.items.size());
    graph.before.resize(block.items.size());
    busy.assign(schedule.engines, 0);
    std::unordered_map<ItemId, size_t> place; // not a DenseMap: ~0 stands for parameters
    for (size_t i = 0; i < block.items.size(); ++i) {
      const ScheduledItem &item = schedule.items[block.items[i]];
      graph.length[i] = ofItem(item, graph.work[i]);
      Graph::add(busy, graph.work[i]);
      for (ValueId value : llvm::concat<const ValueId>(item.operands, item.captures))
        if (auto it = place.find(schedule.values[value].item); it != place.end())
          graph.before[i].push_back(it->second);
      place[block.items[i]] = i;
    }
    return graph;
  }

  int64_t ofItem(const ScheduledItem &item, std::vector<int64_t> &work) {
    using Kind = ScheduledItem::Kind;
    if (item.kind == Kind::Work || item.kind == Kind::Start) {
      work.assign(schedule.engines, 0);
      work[item.cost.engine] = item.cost.picoseconds;
      return item.cost.picoseconds;
    }
    int64_t most = 0;
    if (item.kind == Kind::Loop) {
      most = item.trips * ofTrip(item.blocks.front(), work);
      for (int64_t &busy : work)
        busy *= item.trips;
    } else if (item.kind == Kind::Branches) {
      for (BlockId block : item.blocks) {
        std::vector<int64_t> busy;
        int64_t bound = ofBlock(block, busy);
        if (bound < most && !work.empty())
          continue;
        most = bound;
        work = std::move(busy);
      }
    }
    return most;
  }

  // Of a trip among others, which may run into each other.
  int64_t ofTrip(BlockId id, std::vector<int64_t> &busy) {
    Graph graph = graphOf(id, busy);
    int64_t most = *llvm::max_element(busy);
    std::vector<llvm::BitVector> ancestors = graph.ancestors();
    if (ancestors.empty())
      return most;
    const ScheduledBlock &block = schedule.blocks[id];
    std::unordered_map<ItemId, unsigned> place;
    for (auto [i, item] : llvm::enumerate(block.items))
      place[item] = static_cast<unsigned>(i);
    std::vector<llvm::BitVector> seen;
    for (auto [parameter, result] : llvm::zip(block.parameters, block.results)) {
      auto last = place.find(schedule.values[result].item);
      if (last == place.end())
        continue;
      llvm::BitVector users(static_cast<unsigned>(graph.size()));
      for (auto [i, item] : llvm::enumerate(block.items))
        if (llvm::is_contained(schedule.items[item].operands, parameter) ||
            llvm::is_contained(schedule.items[item].captures, parameter))
          users.set(static_cast<unsigned>(i));
      llvm::BitVector between(static_cast<unsigned>(graph.size()));
      for (unsigned i : ancestors[last->second].set_bits())
        if (ancestors[i].anyCommon(users))
          between.set(i);
      if (between.none() || llvm::is_contained(seen, between))
        continue;
      most = std::max(most, graph.bound(between));
      seen.push_back(std::move(between));
    }
    return most;
  }

  const Schedule &schedule;
};

} // namespace

int64_t lowerBound(const Schedule &schedule) {
  std::vector<int64_t> busy;
  return Bounds(schedule).ofBlock(schedule.entry, busy);
}

} // namespace tandem
