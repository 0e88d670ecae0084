// Walks a schedule once, joining values that share bytes, then sweeps over the positions.
#include "tandem/Cost/LiveBytes.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace tandem {

LiveBytes::LiveBytes(const Schedule &schedule) : schedule(schedule) {
  itemAt.push_back(~0u);
  now.assign(schedule.values.size(), -1);
  const ScheduledBlock &entry = schedule.blocks[schedule.entry];
  parameters = freshAll(entry.parameters);
  bind(entry.parameters, parameters);
  outs = walk(schedule.entry, parameters);
  auto parameter = [&](ValueId value) {
    auto it = llvm::find(entry.parameters, value);
    return parameters[it - entry.parameters.begin()];
  };
  for (auto [result, argument] : schedule.donated) {
    auto it = llvm::find(entry.results, result);
    if (it != entry.results.end())
      join(outs[it - entry.results.begin()], parameter(argument));
  }
  lent.insert(parameters.begin(), parameters.end());
  for (ValueId value : schedule.given)
    lent.erase(parameter(value));
  enter();
  checkWrites();
}

LiveBytes::Live LiveBytes::fresh(ValueId value) {
  Live number = static_cast<Live>(parent.size());
  parent.push_back(number);
  valueOf.push_back(value);
  begins.push_back(pos);
  ends.push_back(pos);
  return number;
}

std::vector<LiveBytes::Live> LiveBytes::freshAll(llvm::ArrayRef<ValueId> list) {
  std::vector<Live> lives;
  for (ValueId value : list)
    lives.push_back(fresh(value));
  return lives;
}

std::vector<LiveBytes::Live> LiveBytes::current(llvm::ArrayRef<ValueId> list) const {
  std::vector<Live> lives;
  for (ValueId value : list)
    lives.push_back(now[value]);
  return lives;
}

void LiveBytes::bind(llvm::ArrayRef<ValueId> list, llvm::ArrayRef<Live> lives) {
  for (size_t i = 0; i < list.size() && i < lives.size(); ++i)
    now[list[i]] = lives[i];
}

LiveBytes::Live LiveBytes::find(Live x) const {
  while (parent[x] != x)
    x = parent[x] = parent[parent[x]];
  return x;
}

void LiveBytes::use(llvm::ArrayRef<Live> lives) {
  for (Live x : lives) {
    if (x < 0)
      continue;
    ends[x] = pos;
    auto it = flying.find(x);
    if (it == flying.end())
      continue;
    for (const auto *list : {&flights[it->second].leaves, &flights[it->second].sources})
      for (Live y : *list)
        ends[y] = pos;
  }
}

bool LiveBytes::busy(Live value) const {
  return llvm::any_of(flying, [&](const auto &entry) { return find(entry.first) == find(value); });
}

std::vector<LiveBytes::Live> LiveBytes::walk(BlockId block, llvm::ArrayRef<Live> arguments) {
  using Kind = ScheduledItem::Kind;
  const ScheduledBlock &list = schedule.blocks[block];
  bind(list.parameters, arguments);
  for (ItemId id : list.items) {
    const ScheduledItem &item = schedule.items[id];
    ++pos;
    itemAt.push_back(id);
    std::vector<Live> operands = current(item.operands);
    use(operands);
    if (item.kind == Kind::Work || item.kind == Kind::Start)
      for (Live x : operands)
        if (auto it = flying.find(x);
            it != flying.end() && llvm::is_contained(flights[it->second].result, x)) {
          std::string text =
              (item.name + " uses the result of " + schedule.items[flights[it->second].item].name +
               ", which is in flight")
                  .str();
          if (!llvm::is_contained(errors, text))
            errors.push_back(text);
        }
    define(id, item, operands);
    use(current(item.captures));
  }
  ++pos;
  itemAt.push_back(list.items.empty() ? ~0u : list.items.back());
  std::vector<Live> results = current(list.results);
  use(results);
  return results;
}

void LiveBytes::define(ItemId id, const ScheduledItem &item, llvm::ArrayRef<Live> operands) {
  using Kind = ScheduledItem::Kind;
  if (item.kind == Kind::Done)
    return land(item, operands);
  if (item.kind == Kind::Loop)
    return loop(item, operands);
  if (item.kind == Kind::Branches && !item.blocks.empty())
    return branch(item);
  if (item.kind == Kind::Start && !item.awaited)
    start(id, item, operands);
  else
    bind(item.results, freshAll(item.results));
  std::vector<Live> results = current(item.results);
  if (item.isConstant)
    constants.insert(constants.end(), results.begin(), results.end());
  else
    for (Live x : results)
      writes.push_back({pos, x, id});
  for (auto [operand, result] : item.mustShare)
    if (!item.isInPlaceReduction || !busy(now[operand]))
      join(now[operand], now[result]);
  for (auto [operand, result] : item.mayShare)
    takeovers.push_back({pos, now[operand], now[result]});
}

void LiveBytes::start(ItemId id, const ScheduledItem &item, llvm::ArrayRef<Live> operands) {
  Flight flight{id, pos, {}, {}, {}, {}};
  for (size_t i = 0; i < item.heldOperands.size(); ++i) {
    Live held = fresh(item.heldOperands[i]);
    now[item.heldOperands[i]] = held;
    if (i < operands.size() && operands[i] >= 0)
      join(operands[i], held);
    flight.leaves.push_back(held);
  }
  flight.result = freshAll(item.results);
  bind(item.results, flight.result);
  flight.leaves.insert(flight.leaves.end(), flight.result.begin(), flight.result.end());
  for (ValueId handle : item.handles)
    flight.leaves.push_back(now[handle] = fresh(handle));
  if (item.holdsSources)
    for (Live x : operands)
      if (x >= 0)
        flight.sources.push_back(x);
  fly(std::move(flight));
}

void LiveBytes::fly(Flight flight) {
  flight.buffers = flight.leaves;
  for (Live leaf : flight.leaves)
    flying[leaf] = static_cast<int>(flights.size());
  flights.push_back(std::move(flight));
}

void LiveBytes::land(const ScheduledItem &item, llvm::ArrayRef<Live> operands) {
  int found = -1;
  for (Live x : operands)
    if (auto it = flying.find(x); it != flying.end() && found < 0)
      found = it->second;
  std::vector<Live> results;
  if (found >= 0) {
    Flight &flight = flights[found];
    flight.end = pos;
    for (Live leaf : flight.leaves)
      flying.erase(leaf);
    results = flight.result;
  }
  for (size_t i = results.size(); i < item.results.size(); ++i)
    results.push_back(fresh(item.results[i])); // without a start: the simulator reports it
  bind(item.results, results);
}

std::map<LiveBytes::Live, LiveBytes::Live>
LiveBytes::carry(llvm::ArrayRef<Live> after, llvm::ArrayRef<Live> before, const Flying &from) {
  std::map<Live, Live> origin;
  std::vector<int> seen;
  for (Live old : before)
    if (auto it = from.find(old); it != from.end() && !llvm::is_contained(seen, it->second))
      seen.push_back(it->second);
  for (int number : seen) {
    std::map<Live, Live> names;
    for (size_t i = 0; i < before.size() && i < after.size(); ++i)
      if (auto it = from.find(before[i]); it != from.end() && it->second == number)
        names[before[i]] = after[i];
    Flight flight{flights[number].item, pos, {}, {}, {}, {}};
    // Leaves that are not carried live on with those that are.
    for (Live leaf : flights[number].leaves) {
      if (!names.count(leaf))
        names[leaf] = fresh(valueOf[leaf]);
      flight.leaves.push_back(names[leaf]);
    }
    for (Live leaf : flights[number].result)
      flight.result.push_back(names.count(leaf) ? names[leaf] : leaf);
    fly(std::move(flight));
    for (auto [old, renamed] : names)
      origin[renamed] = old;
  }
  return origin;
}

void LiveBytes::loop(const ScheduledItem &item, llvm::ArrayRef<Live> inits) {
  Live since = static_cast<Live>(parent.size());
  BlockId body = item.blocks.front();
  std::vector<Live> state = freshAll(schedule.blocks[body].parameters);
  Flying outside = flying;
  std::map<Live, Live> origin = carry(state, inits, outside);
  std::map<Live, int> held;
  for (auto [x, old] : origin) {
    held[x] = flying.at(x);
    entries.push_back({x, old});
  }
  for (size_t i = 0; i < state.size() && i < inits.size(); ++i)
    if (!origin.count(state[i]) && inits[i] >= 0)
      join(state[i], inits[i]);
  if (item.blocks.size() > 1)
    walk(item.blocks[1], state);
  std::vector<Live> yielded = walk(body, state);

  std::vector<std::pair<Live, Live>> slots;
  std::map<Live, Live> pairs; // value at a trip's start -> at its end
  for (size_t i = 0; i < state.size() && i < yielded.size(); ++i) {
    Live x = state[i], y = yielded[i];
    slots.push_back({x, y});
    auto inner = flying.find(y);
    if (held.count(x) && inner != flying.end()) {
      const Flight &from = flights[held[x]], &to = flights[inner->second];
      for (size_t k = 0; k < from.leaves.size() && k < to.leaves.size(); ++k)
        pairs[from.leaves[k]] = to.leaves[k];
    } else {
      pairs[x] = y;
    }
  }
  guard(slots, pairs, held, origin);
  alike(pairs, origin);
  share(pairs, since, held);
  ++pos;
  itemAt.push_back(schedule.blocks[body].items.empty() ? ~0u : schedule.blocks[body].items.back());
  std::vector<Live> results = freshAll(item.results);
  for (size_t i = 0; i < results.size() && i < state.size(); ++i)
    join(results[i], state[i]);
  Flying heldFlights(held.begin(), held.end());
  for (auto [x, y] : carry(results, state, heldFlights))
    join(x, y);
  bind(item.results, results);
}

// A transfer may have been started on the value of a slot: on what the loop began with, on what
// a trip left there, or on either in an earlier trip, if the slot has kept the buffer since. That
// buffer stays in use, and must not be written, up to the done.
void LiveBytes::guard(llvm::ArrayRef<std::pair<Live, Live>> slots,
                      const std::map<Live, Live> &pairs, const std::map<Live, int> &held,
                      const std::map<Live, Live> &origin) {
  std::map<Live, std::set<Live>> at;
  for (auto [x, flight] : held) {
    std::set<Live> &places = at[x];
    auto next = pairs.find(x);
    for (auto [s, y] : slots)
      if (find(origin.at(x)) == find(s) || (next != pairs.end() && find(next->second) == find(y)))
        places.insert(s);
  }
  for (size_t round = 0; round < held.size(); ++round) // as many trips as there may be slots
    for (auto [x, flight] : held) {
      auto next = pairs.find(x);
      if (next == pairs.end() || !at.count(next->second))
        continue;
      std::set<Live> more;
      for (Live s : at[next->second])
        for (auto [t, y] : slots)
          if (find(s) == find(y))
            more.insert(t);
      at[x].insert(more.begin(), more.end());
    }
  for (auto [x, flight] : held) {
    flights[flight].buffers.insert(flights[flight].buffers.end(), at[x].begin(), at[x].end());
    for (Live s : at[x])
      ends[s] = std::max(ends[s], ends[x]);
  }
}

// What is one buffer before a loop and again at each trip's end is one in each trip: say, an
// operand that the loop keeps.
void LiveBytes::alike(const std::map<Live, Live> &pairs, const std::map<Live, Live> &origin) {
  for (bool joined = true; joined;) {
    joined = false;
    std::map<std::pair<Live, Live>, Live> seen;
    for (auto [x, next] : pairs) {
      auto from = origin.find(x);
      Live before = find(from == origin.end() ? x : from->second);
      Live y = seen.try_emplace({before, find(next)}, x).first->second;
      if (find(x) != find(y)) {
        join(y, x);
        joined = true;
      }
    }
  }
}

// A slot's old and new values share a buffer unless both are live at once.
void LiveBytes::share(const std::map<Live, Live> &pairs, Live since,
                      const std::map<Live, int> &held) {
  std::map<Live, Spans> spans;
  for (Live x = since; x < static_cast<Live>(parent.size()); ++x)
    spans[find(x)].push_back({begins[x], ends[x]});
  for (auto [x, y] : pairs) {
    Live a = find(x), b = find(y);
    if (a == b || ((schedule.isScheduled || held.count(x)) && meet(spans[a], spans[b])))
      continue;
    join(x, y);
    Spans other = spans[b];
    spans[a].insert(spans[a].end(), other.begin(), other.end());
  }
}

void LiveBytes::branch(const ScheduledItem &item) {
  Flying before = flying;
  std::vector<std::pair<std::vector<Live>, Flying>> ways;
  for (BlockId block : item.blocks) {
    flying = before;
    std::vector<Live> results = walk(block, {});
    ways.push_back({std::move(results), flying});
  }
  ++pos;
  itemAt.push_back(itemAt.back());
  std::vector<Live> outcome = freshAll(item.results);
  std::vector<std::map<Live, Live>> origins;
  for (auto &[results, flown] : ways)
    origins.push_back(carry(outcome, results, flown));
  for (size_t way = 0; way < ways.size(); ++way) {
    std::vector<std::pair<Live, Live>> ties;
    for (size_t i = 0; i < outcome.size() && i < ways[way].first.size(); ++i)
      ties.push_back({outcome[i], ways[way].first[i]});
    ties.insert(ties.end(), origins[way].begin(), origins[way].end());
    for (auto [x, y] : ties) {
      std::set<Live> sources;
      for (const std::map<Live, Live> &origin : origins)
        if (auto it = origin.find(x); it != origin.end())
          sources.insert(find(it->second));
      if (!origins[way].count(x) || sources.size() == 1)
        if (y >= 0)
          join(x, y);
    }
  }
  bind(item.results, outcome);
}

// The transfers that a loop or branch hands on keep their buffers, unless these have another use
// then or later.
void LiveBytes::enter() {
  if (entries.empty())
    return;
  std::map<Live, Spans> spans;
  std::set<Live> kept;
  for (const auto *list : {&parameters, &constants})
    for (Live x : *list)
      kept.insert(find(x));
  for (Live x = 0; x < static_cast<Live>(parent.size()); ++x)
    spans[find(x)].push_back({begins[x], ends[x]});
  for (auto [x, before] : entries) {
    Live a = find(before), b = find(x);
    if (a == b || kept.count(a) || meet(spans[a], spans[b]))
      continue;
    join(a, b);
    Spans other = spans[b];
    spans[a].insert(spans[a].end(), other.begin(), other.end());
  }
}

bool LiveBytes::meet(const Spans &a, const Spans &b) {
  for (Span s : a)
    for (Span t : b)
      if (std::max(s.begin, t.begin) < std::min(s.end, t.end))
        return true;
  return false;
}

// Writes into a buffer of a transfer in flight are errors; others that destroy a value still in
// use are warned about.
void LiveBytes::checkWrites() {
  std::map<Live, std::vector<Write>> byRoot;
  std::set<ItemId> bad;
  for (const Write &write : writes)
    byRoot[find(write.value)].push_back(write);
  for (const Flight &flight : flights) {
    int end = flight.end;
    if (end < 0)
      for (Live leaf : flight.leaves)
        end = std::max(end, ends[leaf]);
    std::set<Live> roots;
    for (Live x : flight.buffers)
      roots.insert(find(x));
    for (Live root : roots)
      for (const Write &write : byRoot[root])
        if (flight.begin < write.at && write.at < end && bad.insert(write.item).second)
          errors.push_back((schedule.items[write.item].name + " writes into a buffer of " +
                            schedule.items[flight.item].name + ", which is in flight")
                               .str());
  }
  if (!schedule.isScheduled)
    return;
  int destroyed = 0;
  for (Live x = 0; x < static_cast<Live>(parent.size()); ++x) {
    auto it = byRoot.find(find(x));
    if (it == byRoot.end())
      continue;
    for (const Write &write : it->second) {
      const ScheduledItem &item = schedule.items[write.item];
      bool inUse = begins[x] < write.at && (write.at < ends[x] || lent.count(x));
      if (inUse && !item.isInPlaceReduction &&
          !(item.kind == ScheduledItem::Kind::Start && !item.awaited) &&
          bad.insert(write.item).second)
        ++destroyed;
    }
  }
  if (destroyed)
    warnings.push_back("write over a value still in use (x" + std::to_string(destroyed) + ")");
}

// steps[p]: how occupied bytes change at position p.
void LiveBytes::sweep(bool host, std::vector<int64_t> &steps,
                      std::map<Live, Spans> *occupied) const {
  int last = pos + 1;
  std::vector<int> begin = begins, end = ends;
  std::set<Live> outRoots, kept, given;
  for (Live x : outs)
    outRoots.insert(find(x));
  for (const auto *list : {&parameters, &constants})
    for (Live x : *list)
      kept.insert(find(x));
  auto isWhole = [&](Live root) { return kept.count(root) && !outRoots.count(root); };
  for (Live x : outs)
    end[x] = last;
  auto bytesOf = [&](Live x) { return schedule.values[valueOf[x]].bytes; };
  for (const Takeover &takeover : takeovers) { // the taker then starts just after the giver ends
    Live a = takeover.from, b = takeover.to;
    if (a < 0 || b < 0 || end[a] != takeover.at || begin[b] != takeover.at || given.count(a) ||
        isWhole(find(a)) || find(a) == find(b) || bytesOf(a) != bytesOf(b))
      continue;
    ++begin[b];
    given.insert(a);
  }
  std::map<Live, Spans> spans;
  std::map<Live, int64_t> size;
  for (Live x = 0; x < static_cast<Live>(parent.size()); ++x) {
    if (schedule.values[valueOf[x]].onHost != host)
      continue;
    Live root = find(x);
    spans[root].push_back(isWhole(root) ? Span{0, last}
                                        : Span{begin[x], std::max(begin[x], end[x])});
    size[root] = std::max(size[root], bytesOf(x));
  }
  struct Entry {
    int64_t bytes;
    int first;
    Live root;
  };
  std::vector<Entry> bySize;
  for (auto &[root, list] : spans) {
    int first = last;
    for (Span span : list)
      first = std::min(first, span.begin);
    bySize.push_back({size[root], first, root});
  }
  std::stable_sort(bySize.begin(), bySize.end(), [](const Entry &a, const Entry &b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.first < b.first;
  });
  std::vector<Live> hosts;
  for (const Entry &entry : bySize)
    if (outRoots.count(entry.root))
      hosts.push_back(entry.root);
  steps.assign(last + 2, 0);
  for (const Entry &entry : bySize) {
    Live root = entry.root;
    bool reserved = kept.count(root) || outRoots.count(root);
    if (!reserved && entry.bytes > 0) {
      auto fits = [&](Live candidate) {
        if (size[candidate] < entry.bytes)
          return false;
        for (Span s : spans[root])
          for (Span t : spans[candidate])
            if (s.end >= t.begin && s.begin <= t.end)
              return false;
        return true;
      };
      auto place = llvm::find_if(hosts, fits);
      if (place != hosts.end()) {
        Spans mine = spans[root];
        spans[*place].insert(spans[*place].end(), mine.begin(), mine.end());
        continue;
      }
    }
    Spans list = reserved ? Spans{{0, last}} : spans[root];
    std::sort(list.begin(), list.end(),
              [](Span a, Span b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    int covered = -1;
    for (Span span : list) {
      int from = std::max(span.begin, covered + 1);
      if (from > span.end)
        continue;
      steps[from] += entry.bytes;
      steps[span.end + 1] -= entry.bytes;
      covered = span.end;
    }
    if (occupied)
      (*occupied)[root] = std::move(list);
  }
}

MemoryPeak LiveBytes::peak(bool host) const {
  std::vector<int64_t> steps;
  std::map<Live, Spans> occupied;
  sweep(host, steps, &occupied);
  MemoryPeak result;
  int64_t total = 0;
  int at = 0;
  for (size_t position = 0; position < steps.size(); ++position) {
    total += steps[position];
    if (total > result.bytes) {
      result.bytes = total;
      at = static_cast<int>(position);
    }
  }
  auto itemOf = [&](int position) {
    return position > 0 && position < static_cast<int>(itemAt.size()) ? itemAt[position] : ~0u;
  };
  result.at = itemOf(at);
  std::set<Live> parameterRoots, constantRoots, outRoots;
  for (Live x : parameters)
    parameterRoots.insert(find(x));
  for (Live x : constants)
    constantRoots.insert(find(x));
  for (Live x : outs)
    outRoots.insert(find(x));
  std::map<Live, LiveTensor> tensors;
  for (auto &[root, spans] : occupied)
    if (llvm::any_of(spans, [&](Span s) { return s.begin <= at && at <= s.end; }))
      tensors[root] = {};
  std::set<Live> inFlight;
  for (const Flight &flight : flights)
    if (flight.begin <= at && (flight.end < 0 || at <= flight.end))
      for (Live leaf : flight.leaves)
        inFlight.insert(find(leaf));
  for (Live x = 0; x < static_cast<Live>(parent.size()); ++x) {
    Live root = find(x);
    auto it = tensors.find(root);
    const ScheduledValue &value = schedule.values[valueOf[x]];
    if (it == tensors.end() || value.onHost != host)
      continue;
    LiveTensor &tensor = it->second;
    bool liveNow = begins[x] <= at && at <= ends[x];
    tensor.bytes = std::max(tensor.bytes, value.bytes);
    // The first that is live now names the bytes; else the first at all.
    if (tensor.lastUser == ~0u || (liveNow && tensor.definedBy == ~0u)) {
      tensor.value = valueOf[x];
      tensor.definedBy = value.item;
      tensor.lastUser = itemOf(ends[x]);
    }
    tensor.why = parameterRoots.count(root)  ? LiveTensor::Why::Argument
                 : constantRoots.count(root) ? LiveTensor::Why::Constant
                 : outRoots.count(root)      ? LiveTensor::Why::Result
                 : inFlight.count(root)      ? LiveTensor::Why::InFlight
                                             : LiveTensor::Why::Used;
  }
  for (auto &[root, tensor] : tensors)
    if (tensor.bytes > 0)
      result.tensors.push_back(tensor);
  llvm::stable_sort(result.tensors,
                    [](const LiveTensor &a, const LiveTensor &b) { return a.bytes > b.bytes; });
  return result;
}

std::vector<std::pair<ItemId, int64_t>> LiveBytes::curve() const {
  std::vector<int64_t> steps;
  sweep(false, steps);
  std::vector<std::pair<ItemId, int64_t>> points;
  int64_t total = 0;
  for (size_t position = 0; position < steps.size(); ++position) {
    total += steps[position];
    if (position < itemAt.size() && itemAt[position] != ~0u)
      points.push_back({itemAt[position], total});
  }
  return points;
}

} // namespace tandem
