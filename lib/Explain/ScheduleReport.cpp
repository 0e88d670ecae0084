// Judges a schedule: simulation, bound, memory, and why each transfer is exposed.
#include "tandem/Explain/ScheduleReport.h"

#include "tandem/Explain/Table.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

namespace tandem {
namespace {

using Kind = ScheduledItem::Kind;

// What the counts of pairs take for computation, by HLO's names and ours.
bool isComputation(llvm::StringRef opcode) {
  return llvm::is_contained(llvm::ArrayRef<llvm::StringRef>{"fusion", "custom-call", "dot",
                                                            "convolution", "kernel", "gemm", "conv",
                                                            "call"},
                            opcode);
}

std::string view(llvm::StringRef text) { return text.str(); }

// Answers about one block: who depends on whom.
class BlockGraph {
public:
  BlockGraph(const Schedule &schedule, BlockId id) : items(schedule.blocks[id].items) {
    for (size_t i = 0; i < items.size(); ++i)
      place[items[i]] = i;
    needs.resize(items.size());
    feeds.resize(items.size());
    for (size_t i = 0; i < items.size(); ++i) {
      const ScheduledItem &item = schedule.items[items[i]];
      auto depend = [&](ValueId value) {
        auto it = place.find(schedule.values[value].item);
        if (it == place.end() || it->second >= i)
          return;
        needs[i].push_back(it->second);
        feeds[it->second].push_back(i);
      };
      for (ValueId value : item.operands)
        depend(value);
      for (ValueId value : item.captures)
        depend(value);
    }
  }

  size_t size() const { return items.size(); }
  ItemId item(size_t i) const { return items[i]; }
  size_t placeOf(ItemId id) const { return place.at(id); }
  bool holds(ItemId id) const { return place.contains(id); }

  // All that `from` reaches over `edges`, itself included.
  std::vector<bool> reach(size_t from, bool forward) const {
    std::vector<bool> seen(items.size(), false);
    std::vector<size_t> todo{from};
    seen[from] = true;
    while (!todo.empty()) {
      size_t i = todo.back();
      todo.pop_back();
      for (size_t next : forward ? feeds[i] : needs[i])
        if (!seen[next]) {
          seen[next] = true;
          todo.push_back(next);
        }
    }
    return seen;
  }
  size_t lastNeed(size_t i) const {
    return needs[i].empty() ? 0 : *std::max_element(needs[i].begin(), needs[i].end());
  }
  size_t firstUse(size_t i) const {
    return feeds[i].empty() ? items.size() : *std::min_element(feeds[i].begin(), feeds[i].end());
  }

private:
  const std::vector<ItemId> &items;
  std::unordered_map<ItemId, size_t> place; // not a DenseMap: ~0 stands for parameters
  std::vector<std::vector<size_t>> needs, feeds;
};

class Judge {
public:
  Judge(const Schedule &schedule, const SimulationResult &times)
      : schedule(schedule), times(times) {}

  TransferLimit limitOf(const TransferTimes &row) {
    const ScheduledItem &start = schedule.items[row.item];
    TransferLimit limit;
    if (row.exposed <= 0)
      return limit;
    const BlockGraph &graph = graphOf(start.block);
    size_t at = graph.placeOf(row.item), done = findDone(graph, at);
    // The time of one execution of an item, over those of this block.
    auto runs = std::max<int64_t>(row.count, 1);
    auto timeOf = [&](size_t i) { return workOf(graph.item(i)) / runs; };
    std::vector<bool> before = graph.reach(at, /*forward=*/false), behind = graph.reach(at, true);
    size_t ready = graph.lastNeed(at);
    size_t used = done < graph.size() ? graph.firstUse(done) : graph.size();
    for (size_t i = 0; i < graph.size(); ++i) {
      if (before[i] || behind[i])
        continue;
      int64_t time = timeOf(i);
      limit.independent += time;
      if (i > ready && i < at)
        limit.before += time;
      if (done < graph.size() && i > done && i < used)
        limit.after += time;
    }
    int64_t exposed = row.exposed / runs;
    using Why = TransferLimit::Why;
    const std::string have =
        absl::StrCat(timeText(limit.independent), " of independent work in its block");
    ItemId edge = heldBy(graph, at, done, ready);
    if (limit.independent < exposed / 20) {
      limit.why = start.synchronous ? Why::Synchronous : Why::NothingToRun;
      limit.text = absl::StrCat(start.synchronous ? "synchronous: " : "",
                                "nothing independent to run (", have, ")");
    } else if (edge != ~0u) {
      limit.why = Why::Edge;
      limit.text =
          absl::StrCat("ordering edge: held behind ", view(schedule.items[edge].name), " (",
                       view(schedule.items[edge].opcode), "), not by its data; ", have);
    } else if (start.synchronous) {
      limit.why = Why::Synchronous;
      limit.text = absl::StrCat(
          "synchronous: nothing stands between start and done, though there is ", have);
    } else if (row.queued / runs > exposed / 2) {
      limit.why = Why::Queue;
      limit.text = absl::StrCat("its link is busy: queued ", timeText(row.queued / runs),
                                " behind other transfers");
    } else if (done == graph.size()) {
      limit.why = Why::Carried;
      limit.text = absl::StrCat("carried around its loop; one trip has too little work to hide it");
    } else {
      limit.why = Why::Order;
      limit.text = limit.before + limit.after > 0
                       ? absl::StrCat("order: of ", have, ", ", timeText(limit.before),
                                      " stands before its start and ", timeText(limit.after),
                                      " between its done and the first use")
                       : absl::StrCat("order: ", have,
                                      " stands before its operands are there or after its use");
    }
    return limit;
  }

private:
  const BlockGraph &graphOf(BlockId id) {
    auto it = graphs.find(id);
    if (it == graphs.end())
      it = graphs.try_emplace(id, std::make_unique<BlockGraph>(schedule, id)).first;
    return *it->second;
  }

  // Compute time of an item, loops and branches with all that is in them.
  int64_t workOf(ItemId id) {
    const ScheduledItem &item = schedule.items[id];
    if (item.kind == Kind::Work || (item.kind == Kind::Start && item.cost.engine == kComputeEngine))
      return times.itemTimes[id];
    int64_t sum = 0;
    for (BlockId block : item.blocks)
      for (ItemId inner : schedule.blocks[block].items)
        sum += workOf(inner);
    return sum;
  }

  // The done in its own block; the graph's size when it is elsewhere.
  size_t findDone(const BlockGraph &graph, size_t start) const {
    for (size_t i = start + 1; i < graph.size(); ++i) {
      const ScheduledItem &item = schedule.items[graph.item(i)];
      if (item.kind != Kind::Done)
        continue;
      for (ValueId value : item.operands)
        if (schedule.values[value].item == graph.item(start))
          return i;
    }
    return graph.size();
  }

  // The item that an ordering edge puts between a transfer's data and its start: on the start
  // itself, or on what its operands come from.
  ItemId heldBy(const BlockGraph &graph, size_t start, size_t done, size_t ready) const {
    ItemId held = ~0u;
    auto check = [&](size_t i, size_t floor) {
      for (ItemId before : schedule.items[graph.item(i)].after)
        if (graph.holds(before) && graph.placeOf(before) > floor &&
            workBetween(graph, floor, graph.placeOf(before)))
          held = before;
    };
    check(start, ready);
    // Work that could hide it must wait for the done: an edge from the done to it.
    if (held == ~0u && done < graph.size())
      for (size_t i = done + 1; i < graph.size() && held == ~0u; ++i)
        if (llvm::is_contained(schedule.items[graph.item(i)].after, graph.item(done)))
          held = graph.item(i);
    return held;
  }
  bool workBetween(const BlockGraph &graph, size_t from, size_t to) const {
    for (size_t i = from + 1; i <= to; ++i)
      if (schedule.items[graph.item(i)].kind == Kind::Work ||
          schedule.items[graph.item(i)].kind == Kind::Loop)
        return true;
    return false;
  }

  const Schedule &schedule;
  const SimulationResult &times;
  std::map<BlockId, std::unique_ptr<BlockGraph>> graphs;
};

std::vector<OrderingEdge> orderingEdges(const Schedule &schedule, const LiveBytes &live) {
  std::vector<OrderingEdge> edges;
  for (ItemId id = 0; id < schedule.items.size(); ++id)
    for (ItemId before : schedule.items[id].after) {
      OrderingEdge edge{before, id};
      // What `before` reads and `id` writes over.
      const ScheduledItem &writer = schedule.items[id], &reader = schedule.items[before];
      for (ValueId read : reader.operands)
        for (ValueId written : writer.results)
          if (schedule.values[written].bytes > edge.savedCopyBytes &&
              live.shareBytes(read, written)) {
            edge.savedCopyBytes = schedule.values[written].bytes;
            edge.buffer = read;
          }
      for (const ScheduledItem::CopyEdge &known : writer.copyEdges)
        if (known.before == before) {
          edge.savedCopyBytes = known.savedBytes;
          edge.cost = known.picoseconds;
        }
      edges.push_back(edge);
    }
  return edges;
}

} // namespace

double ScheduleReport::gap() const {
  return bound ? static_cast<double>(times.step) / static_cast<double>(bound) - 1 : 0;
}

double ScheduleReport::overlap() const {
  int64_t busy = times.linkBusy();
  return busy ? static_cast<double>(times.hidden) / static_cast<double>(busy) : 1;
}

PairCounts countPairs(const Schedule &schedule) {
  PairCounts counts;
  for (const ScheduledBlock &block : schedule.blocks) {
    std::unordered_map<ItemId, int64_t> startedAt; // start -> computations issued before it
    int64_t computations = 0;
    for (ItemId id : block.items) {
      const ScheduledItem &item = schedule.items[id];
      if (item.kind == Kind::Start && !item.awaited && item.collective >= 0) {
        startedAt[id] = computations;
      } else if (item.kind == Kind::Done) {
        std::set<ItemId> starts;
        for (ValueId value : item.operands)
          if (startedAt.contains(schedule.values[value].item))
            starts.insert(schedule.values[value].item);
        if (starts.size() != 1)
          continue;
        ItemId start = *starts.begin();
        bool sync = schedule.items[start].synchronous;
        ++(sync ? counts.synchronous : counts.async);
        counts.overlapped += !sync && computations > startedAt[start];
      } else if (item.kind == Kind::Loop ||
                 (item.kind == Kind::Work && isComputation(item.opcode))) {
        ++computations;
      }
    }
  }
  return counts;
}

ScheduleReport reportOn(const Schedule &schedule, const Target &target) {
  ScheduleReport report;
  report.schedule = &schedule;
  report.target = target.name;
  SimulationOptions options;
  options.spans = true;
  report.times = simulate(schedule, options);
  report.bound = lowerBound(schedule);
  LiveBytes live(schedule);
  report.peak = live.peak();
  report.hostPeakBytes = live.peak(/*host=*/true).bytes;
  report.pairs = countPairs(schedule);
  Judge judge(schedule, report.times);
  for (const TransferTimes &row : report.times.transfers)
    report.limits.push_back(judge.limitOf(row));
  report.edges = orderingEdges(schedule, live);
  for (auto [list, into] :
       {std::pair(&schedule.errors, &report.errors), {&schedule.warnings, &report.warnings}})
    llvm::append_range(*into, *list);
  llvm::append_range(report.errors, report.times.errors);
  llvm::append_range(report.errors, live.getErrors());
  llvm::append_range(report.warnings, report.times.warnings);
  llvm::append_range(report.warnings, live.getWarnings());
  return report;
}

} // namespace tandem
