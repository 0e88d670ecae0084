// The event simulation: one walk over the items in issue order.
#include "tandem/Cost/Simulation.h"

#include <algorithm>
#include <array>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace tandem {
namespace {

constexpr size_t kMostRuns = 100; // of a loop's body that does not reach a steady state

enum Count { kMatmul, kFlops, kKernels, kCopies, kCopyBytes, kMemoryBytes, kNumCounts };

struct Transfer {
  ItemId item;
  unsigned engine;
  int64_t begin, end;
  int64_t count = 1, hidden = 0, exposed = 0, queued = 0;
  int64_t issued = 0, awaited = -1;
  bool done = false, reported = true;
};

// All that changes; copied for each branch of a conditional.
struct State {
  std::vector<int64_t> clock, busy, exposed; // by engine
  std::vector<int64_t> counts = std::vector<int64_t>(kNumCounts, 0);
  std::vector<int64_t> itemTimes, itemCounts;
  std::vector<Transfer> transfers;
  std::vector<unsigned> inFlight; // transfers that may not have ended yet
  std::vector<unsigned> awaited;  // in order
  std::vector<int32_t> holds;     // by value: the transfer it is, or -1
  std::vector<SimulatedSpan> spans;
  int64_t depth = 0;
};

class Simulator {
public:
  Simulator(const Schedule &schedule, const SimulationOptions &options)
      : schedule(schedule), options(options) {
    state.clock.assign(schedule.engines, 0);
    state.busy = state.exposed = state.clock;
    state.itemTimes.assign(schedule.items.size(), 0);
    state.itemCounts = state.itemTimes;
    state.holds.assign(schedule.values.size(), -1);
  }

  SimulationResult run() {
    run(schedule.entry);
    for (unsigned engine = kCopyEngine; engine < schedule.engines; ++engine)
      wait(engine, state.clock[engine]);
    for (const Transfer &transfer : state.transfers)
      if (!transfer.done)
        error(transfer.item, "is never awaited");
    return report();
  }

private:
  int64_t &now() { return state.clock[kComputeEngine]; }

  void error(ItemId item, const llvm::Twine &text) {
    std::string message = (schedule.items[item].name + " " + text).str();
    if (std::find(errors.begin(), errors.end(), message) == errors.end())
      errors.push_back(std::move(message));
  }
  void warn(const llvm::Twine &text) {
    std::string message = text.str();
    if (std::find(warnings.begin(), warnings.end(), message) == warnings.end())
      warnings.push_back(std::move(message));
  }

  // Moves the compute clock; transfers that run meanwhile are hidden or exposed.
  void advance(int64_t to, int64_t Transfer::*how) {
    if (to <= now())
      return;
    size_t kept = 0;
    for (unsigned number : state.inFlight) {
      Transfer &transfer = state.transfers[number];
      int64_t overlap = std::min(to, transfer.end) - std::max(now(), transfer.begin);
      if (overlap > 0)
        transfer.*how += overlap;
      if (transfer.end > to)
        state.inFlight[kept++] = number;
    }
    state.inFlight.resize(kept);
    now() = to;
  }

  void wait(unsigned engine, int64_t until) {
    state.exposed[engine] += std::max<int64_t>(0, until - now());
    advance(until, &Transfer::exposed);
  }

  // When work of this length ends that begins now.
  int64_t endOfWork(int64_t picoseconds) const {
    int64_t time = state.clock[kComputeEngine];
    int64_t permille = schedule.computeDuringTransfersPermille;
    if (permille == 1000)
      return time + picoseconds;
    int64_t left = picoseconds;
    while (left > 0) {
      int64_t next = INT64_MAX;
      bool slowed = false;
      for (unsigned number : state.inFlight) {
        const Transfer &transfer = state.transfers[number];
        if (transfer.begin <= time && time < transfer.end) {
          slowed = true;
          next = std::min(next, transfer.end);
        } else if (transfer.begin > time) {
          next = std::min(next, transfer.begin);
        }
      }
      int64_t rate = slowed ? permille : 1000;
      int64_t needed = (left * 1000 + rate - 1) / rate;
      if (next == INT64_MAX || time + needed <= next)
        return time + needed;
      left -= (next - time) * rate / 1000;
      time = next;
    }
    return time;
  }

  void run(BlockId block) {
    for (ItemId item : schedule.blocks[block].items)
      issue(item);
  }

  void issue(ItemId id) {
    const ScheduledItem &item = schedule.items[id];
    switch (item.kind) {
    case ScheduledItem::Kind::Mark:
      return;
    case ScheduledItem::Kind::Loop:
      return loop(id, item);
    case ScheduledItem::Kind::Branches:
      return branch(item);
    case ScheduledItem::Kind::Done:
      return finish(id, item);
    case ScheduledItem::Kind::Start:
      return start(id, item);
    case ScheduledItem::Kind::Work:
      return work(id, item.cost);
    }
  }

  void count(ItemId id, const ItemCost &cost) {
    ++state.itemCounts[id];
    state.itemTimes[id] += cost.picoseconds;
    if (cost.isCopy) {
      ++state.counts[kCopies];
      state.counts[kCopyBytes] += cost.copyBytes;
    }
  }

  void work(ItemId id, const ItemCost &cost) {
    count(id, cost);
    state.counts[kKernels] += cost.isKernel;
    state.counts[kMatmul] += cost.matmulPicoseconds;
    state.counts[kFlops] += cost.flops;
    state.counts[kMemoryBytes] += cost.memoryBytes;
    int64_t end = endOfWork(cost.picoseconds);
    state.busy[kComputeEngine] += end - now();
    if (options.spans && end > now())
      state.spans.push_back({id, kComputeEngine, now(), end});
    advance(end, &Transfer::hidden);
  }

  void start(ItemId id, const ScheduledItem &item) {
    unsigned engine = item.cost.engine, number = static_cast<unsigned>(state.transfers.size());
    Transfer transfer{id, engine, now(), now()};
    transfer.issued = now();
    if (engine == kComputeEngine) {
      // Runs at its start: an async computation without an engine of its own.
      transfer.reported = false;
      transfer.done = item.awaited;
      work(id, item.cost);
    } else {
      count(id, item.cost);
      transfer.begin = std::max(now(), state.clock[engine]);
      transfer.queued = transfer.begin - now();
      transfer.end = state.clock[engine] = transfer.begin + item.cost.picoseconds;
      state.busy[engine] += item.cost.picoseconds;
      state.inFlight.push_back(number);
      if (options.spans)
        state.spans.push_back({id, engine, transfer.begin, transfer.end});
    }
    state.transfers.push_back(transfer);
    for (const auto *leaves : {&item.results, &item.heldOperands, &item.handles})
      for (ValueId leaf : *leaves)
        state.holds[leaf] = item.awaited ? -1 : static_cast<int32_t>(number);
    if (item.synchronous && engine != kComputeEngine) {
      wait(engine, transfer.end);
      state.transfers[number].awaited = now();
      state.transfers[number].done = item.awaited;
    }
  }

  void finish(ItemId id, const ScheduledItem &item) {
    llvm::SmallVector<int32_t, 2> found;
    for (ValueId operand : item.operands)
      if (int32_t number = state.holds[operand]; number >= 0 && !llvm::is_contained(found, number))
        found.push_back(number);
    for (ValueId result : item.results)
      state.holds[result] = -1;
    if (found.size() != 1) {
      error(id, found.empty() ? "awaits a transfer whose start cannot be found"
                              : "awaits several transfers at once");
      for (unsigned engine = kFirstLinkEngine; engine < schedule.engines; ++engine)
        wait(engine, state.clock[engine]);
      return;
    }
    Transfer &transfer = state.transfers[found[0]];
    if (transfer.done)
      error(id, "awaits " + schedule.items[transfer.item].name + ", which was awaited before");
    transfer.done = true;
    state.awaited.push_back(found[0]);
    if (transfer.engine != kComputeEngine)
      wait(transfer.engine, transfer.end);
    if (transfer.awaited < 0)
      state.transfers[found[0]].awaited = now();
  }

  llvm::SmallVector<int32_t> held(llvm::ArrayRef<ValueId> values) const {
    llvm::SmallVector<int32_t> numbers;
    for (ValueId value : values)
      numbers.push_back(state.holds[value]);
    return numbers;
  }
  void hold(llvm::ArrayRef<ValueId> values, llvm::ArrayRef<int32_t> numbers) {
    for (size_t i = 0; i < values.size() && i < numbers.size(); ++i)
      state.holds[values[i]] = numbers[i];
  }

  // Picoseconds for which the loop's engines and transfers keep on from here.
  std::vector<int64_t> queue(unsigned own, llvm::ArrayRef<int32_t> carried) const {
    std::vector<bool> engines(schedule.engines, false);
    for (size_t number = own; number < state.transfers.size(); ++number)
      engines[state.transfers[number].engine] = true;
    std::vector<int64_t> times;
    auto add = [&](int64_t time) {
      times.push_back(std::max<int64_t>(0, time - state.clock[kComputeEngine]));
    };
    for (unsigned engine = kCopyEngine; engine < schedule.engines; ++engine)
      if (engines[engine])
        add(state.clock[engine]);
    std::vector<int32_t> numbers(carried.begin(), carried.end());
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (int32_t number : numbers)
      if (number >= static_cast<int32_t>(own)) {
        add(state.transfers[number].begin);
        add(state.transfers[number].end);
      }
    return times;
  }

  struct Snapshot {
    std::vector<int64_t> clock, busy, exposed, counts, itemTimes, itemCounts;
    std::vector<std::array<int64_t, 4>> transfers; // count, hidden, exposed, queued
  };
  Snapshot snapshot() const {
    Snapshot shot{state.clock,      state.busy, state.exposed, state.counts, state.itemTimes,
                  state.itemCounts, {}};
    for (const Transfer &t : state.transfers)
      shot.transfers.push_back({t.count, t.hidden, t.exposed, t.queued});
    return shot;
  }

  void loop(ItemId id, const ScheduledItem &item) {
    BlockId body = item.blocks.front();
    const ScheduledBlock &block = schedule.blocks[body];
    if (!item.tripsKnown)
      warn("loop " + item.name + " has an unknown trip count, taken to be " +
           llvm::Twine(item.trips));
    llvm::SmallVector<int32_t> carried = held(item.operands);
    std::vector<unsigned> runs; // number of the first transfer of each
    std::vector<int64_t> last;
    bool haveLast = false, steady = false;
    int64_t depth = 0;
    Snapshot before;
    while (static_cast<int64_t>(runs.size()) < item.trips) {
      before = snapshot();
      size_t awaited = state.awaited.size();
      runs.push_back(static_cast<unsigned>(state.transfers.size()));
      hold(block.parameters, carried);
      run(body);
      carried = held(block.results);
      if (!item.tripsKnown && item.blocks.size() > 1) {
        hold(schedule.blocks[item.blocks[1]].parameters, carried);
        run(item.blocks[1]);
      }
      // Trips since the start; entering the loop counts as one.
      for (size_t i = awaited; i < state.awaited.size(); ++i) {
        auto behind = std::upper_bound(runs.begin(), runs.end(), state.awaited[i]);
        depth = std::max<int64_t>(depth, runs.end() - behind);
      }
      std::vector<int64_t> queued = queue(runs.front(), carried);
      steady = haveLast && queued == last;
      last = std::move(queued);
      haveLast = true;
      if (static_cast<int64_t>(runs.size()) >= depth + 2 &&
          (steady || runs.size() >= depth + kMostRuns))
        break;
    }
    if (!runs.empty() && item.trips > static_cast<int64_t>(runs.size())) {
      if (!steady)
        warn("loop " + item.name + " reaches no steady state in " + llvm::Twine(runs.size()) +
             " trips");
      repeat(item.trips - static_cast<int64_t>(runs.size()), runs.front(), before);
    }
    state.depth = std::max(state.depth, depth);
    hold(item.results, carried);
  }

  // What the last trip added, `times` more; `own`: the loop's first transfer.
  void repeat(int64_t times, unsigned own, const Snapshot &before) {
    int64_t begin = now();
    std::vector<int64_t> shift(schedule.engines);
    for (unsigned engine = 0; engine < schedule.engines; ++engine)
      shift[engine] = times * (state.clock[engine] - before.clock[engine]);
    int64_t waits = 0;
    for (unsigned engine = 0; engine < schedule.engines; ++engine)
      waits += times * (state.exposed[engine] - before.exposed[engine]);
    int64_t span = std::max<int64_t>(shift[kComputeEngine], 1);
    auto extend = [&](std::vector<int64_t> &values, const std::vector<int64_t> &old) {
      for (size_t i = 0; i < values.size(); ++i)
        values[i] += times * (values[i] - old[i]);
    };
    extend(state.busy, before.busy);
    extend(state.exposed, before.exposed);
    extend(state.counts, before.counts);
    extend(state.itemTimes, before.itemTimes);
    extend(state.itemCounts, before.itemCounts);
    for (unsigned engine = 0; engine < schedule.engines; ++engine)
      state.clock[engine] += shift[engine];
    for (size_t i = 0; i < state.transfers.size(); ++i) {
      Transfer &transfer = state.transfers[i];
      if (i < own) {
        // Runs on behind the trips that are skipped, as far as it gets.
        int64_t overlap = std::min(transfer.end, now()) - std::max(transfer.begin, begin);
        if (overlap > 0) {
          auto waited = static_cast<int64_t>(static_cast<__int128>(overlap) * waits / span);
          transfer.exposed += waited;
          transfer.hidden += overlap - waited;
        }
        continue;
      }
      std::array<int64_t, 4> was{};
      if (i < before.transfers.size())
        was = before.transfers[i];
      transfer.count += times * (transfer.count - was[0]);
      transfer.hidden += times * (transfer.hidden - was[1]);
      transfer.exposed += times * (transfer.exposed - was[2]);
      transfer.queued += times * (transfer.queued - was[3]);
      transfer.begin += shift[transfer.engine];
      transfer.end += shift[transfer.engine];
    }
  }

  void branch(const ScheduledItem &item) {
    if (item.blocks.empty())
      return;
    State begin = state, best;
    bool have = false;
    for (BlockId block : item.blocks) {
      state = begin;
      run(block);
      hold(item.results, held(schedule.blocks[block].results));
      if (have && now() <= best.clock[kComputeEngine])
        continue;
      best = state;
      have = true;
    }
    state = std::move(best);
  }

  SimulationResult report() {
    SimulationResult result;
    result.step = now();
    result.busy = state.busy;
    result.matmulBusy = state.counts[kMatmul];
    result.flops = state.counts[kFlops];
    result.kernels = state.counts[kKernels];
    result.copies = state.counts[kCopies];
    result.copyBytes = state.counts[kCopyBytes];
    result.memoryBytes = state.counts[kMemoryBytes];
    for (unsigned engine = kFirstLinkEngine; engine < schedule.engines; ++engine)
      result.exposed += state.exposed[engine];
    result.exposedHost = state.exposed[kCopyEngine];
    result.depth = state.depth;
    llvm::DenseMap<ItemId, size_t> rows;
    for (const Transfer &transfer : state.transfers) {
      if (!transfer.reported)
        continue;
      const ScheduledItem &item = schedule.items[transfer.item];
      auto [it, isNew] = rows.try_emplace(transfer.item, result.transfers.size());
      if (isNew) {
        TransferTimes row;
        row.item = transfer.item;
        row.each = item.cost.picoseconds;
        row.issued = transfer.issued;
        row.begin = transfer.begin;
        row.end = transfer.end;
        row.awaited = transfer.awaited;
        result.transfers.push_back(row);
      }
      TransferTimes &row = result.transfers[it->second];
      row.count += transfer.count;
      row.hidden += transfer.hidden;
      row.exposed += transfer.exposed;
      row.queued += transfer.queued;
    }
    for (const TransferTimes &row : result.transfers) {
      const ScheduledItem &item = schedule.items[row.item];
      if (item.cost.engine >= kFirstLinkEngine)
        result.hidden += row.hidden;
      if (item.collective >= 0)
        result.wireBytes += row.count * schedule.collectives[item.collective].wire();
    }
    result.itemTimes = std::move(state.itemTimes);
    result.itemCounts = std::move(state.itemCounts);
    result.spans = std::move(state.spans);
    result.warnings = std::move(warnings);
    result.errors = std::move(errors);
    return result;
  }

  const Schedule &schedule;
  SimulationOptions options;
  State state;
  std::vector<std::string> warnings, errors;
};

} // namespace

int64_t SimulationResult::linkBusy() const {
  int64_t sum = 0;
  for (size_t engine = kFirstLinkEngine; engine < busy.size(); ++engine)
    sum += busy[engine];
  return sum;
}

int64_t SimulationResult::busiest() const { return *std::max_element(busy.begin(), busy.end()); }

SimulationResult simulate(const Schedule &schedule, const SimulationOptions &options) {
  return Simulator(schedule, options).run();
}

} // namespace tandem
