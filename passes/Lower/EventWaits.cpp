// Derives waits from the bytes that commands touch.
#include "passes/Lower/EventWaits.h"

#include <algorithm>

namespace tandem {

EventWaits::EventWaits(std::vector<IssuedCommand> &commands, unsigned numStreams)
    : commands(commands), numStreams(numStreams), issued(commands.size(), 0),
      before(commands.size()) {}

void EventWaits::run(const std::vector<ProgramItem> &items) {
  State state;
  state.known.assign(numStreams + 1, std::vector<int64_t>(numStreams, 0));
  play(items, state);
}

void EventWaits::play(const std::vector<ProgramItem> &items, State &state) {
  for (const ProgramItem &item : items) {
    if (item.kind == ProgramItem::Kind::Command)
      issue(item.command, state);
    if (item.kind == ProgramItem::Kind::Loop)
      playLoop(item, state);
    if (item.kind == ProgramItem::Kind::Branches)
      playBranches(item, state);
  }
}

void EventWaits::require(unsigned waiter, Ref ref, State &state) {
  int waiterStream = commands[waiter].stream, stream = commands[ref.command].stream;
  // The host's reads are over before it issues more; a stream is in order.
  if (stream == IssuedCommand::kHost || stream == waiterStream)
    return;
  std::vector<int64_t> &host = state.known[numStreams];
  std::vector<int64_t> &known =
      waiterStream == IssuedCommand::kHost ? host : state.known[waiterStream];
  int64_t time = issued[ref.command];
  if (time <= std::max(known[stream], host[stream]))
    return;
  commands[waiter].waits.insert(ref.command);
  if (!ref.certain)
    return;
  known[stream] = std::max(known[stream], time);
  for (unsigned other = 0; other < numStreams; ++other)
    known[other] = std::max(known[other], before[ref.command][other]);
}

void EventWaits::split(Space &space, int64_t begin, int64_t end) {
  auto cut = [&](int64_t at) {
    auto it = space.upper_bound(at);
    if (it == space.begin())
      return;
    --it;
    if (it->first == at || it->second.end <= at)
      return;
    Segment tail = it->second;
    it->second.end = at;
    space.emplace(at, std::move(tail));
  };
  cut(begin);
  cut(end);
  for (int64_t at = begin; at < end;) {
    auto it = space.lower_bound(at);
    if (it != space.end() && it->first == at) {
      at = it->second.end;
      continue;
    }
    int64_t next = it == space.end() ? end : std::min(end, it->first);
    space.emplace(at, Segment{next, {}, {}});
    at = next;
  }
}

void EventWaits::touch(unsigned command, const ByteAccess &access, State &state, Refs &required) {
  if (access.begin >= access.end)
    return;
  Space &space = state.spaces[access.space];
  split(space, access.begin, access.end);
  int stream = commands[command].stream;
  for (auto it = space.lower_bound(access.begin); it != space.end() && it->first < access.end;
       ++it) {
    Segment &segment = it->second;
    required.insert(required.end(), segment.writers.begin(), segment.writers.end());
    if (access.write) {
      required.insert(required.end(), segment.readers.begin(), segment.readers.end());
      segment.readers.clear();
      segment.writers = {{command, true}};
    } else {
      // What the same stream did before is before this.
      std::erase_if(segment.readers,
                    [&](Ref ref) { return commands[ref.command].stream == stream; });
      segment.readers.push_back({command, true});
    }
  }
}

void EventWaits::issue(unsigned command, State &state) {
  IssuedCommand &info = commands[command];
  Refs required;
  // Reads first: a command that writes what it reads would hide the write it needs.
  for (bool write : {false, true})
    for (const ByteAccess &access : info.accesses)
      if (access.write == write)
        touch(command, access, state, required);
  for (unsigned earlier : info.after)
    required.push_back({earlier, false});
  // The latest first: what follows from it is not waited for again.
  std::sort(required.begin(), required.end(), [&](Ref a, Ref b) {
    return std::pair(a.certain, issued[a.command]) > std::pair(b.certain, issued[b.command]);
  });
  for (Ref ref : required)
    if (ref.command != command || info.stream == IssuedCommand::kHost)
      require(command, ref, state);
  issued[command] = ++clock;
  if (info.stream != IssuedCommand::kHost) {
    std::vector<int64_t> &known = state.known[info.stream];
    for (unsigned other = 0; other < numStreams; ++other)
      known[other] = std::max(known[other], state.known[numStreams][other]);
    known[info.stream] = clock;
    before[command] = known;
  }
}

void EventWaits::collect(const std::vector<ProgramItem> &items, std::set<unsigned> &commands) {
  for (const ProgramItem &item : items) {
    if (item.kind == ProgramItem::Kind::Command)
      commands.insert(item.command);
    for (const std::vector<ProgramItem> &body : item.bodies)
      collect(body, commands);
  }
}

void EventWaits::forget(State &state, const std::set<unsigned> &commands) {
  for (auto &[id, space] : state.spaces)
    for (auto &[begin, segment] : space)
      for (Refs *refs : {&segment.writers, &segment.readers})
        for (Ref &ref : *refs)
          if (commands.count(ref.command))
            ref.certain = false;
}

void EventWaits::merge(State &into, const State &from) {
  for (const auto &[id, space] : from.spaces) {
    Space &target = into.spaces[id];
    for (const auto &[begin, segment] : space) {
      split(target, begin, segment.end);
      for (auto it = target.lower_bound(begin); it != target.end() && it->first < segment.end; ++it)
        for (auto [mine, theirs] : {std::pair(&it->second.writers, &segment.writers),
                                    std::pair(&it->second.readers, &segment.readers)})
          for (Ref ref : *theirs) {
            auto same = std::find_if(mine->begin(), mine->end(),
                                     [&](Ref other) { return other.command == ref.command; });
            if (same == mine->end())
              mine->push_back(ref);
            else
              same->certain &= ref.certain;
          }
    }
  }
  for (size_t s = 0; s < into.known.size(); ++s)
    for (size_t t = 0; t < into.known[s].size(); ++t)
      into.known[s][t] = std::min(into.known[s][t], from.known[s][t]);
}

void EventWaits::rotate(State &state, const RotatingRegion &region, bool smear) {
  auto it = state.spaces.find(region.space);
  if (it == state.spaces.end())
    return;
  Space &space = it->second;
  int64_t end = region.begin + region.slots * region.stride;
  split(space, region.begin, end);
  Space old;
  for (auto first = space.lower_bound(region.begin); first != space.end() && first->first < end;) {
    // Segments do not straddle slots: cut them there.
    old.insert(*first);
    first = space.erase(first);
  }
  State moved;
  for (unsigned slot = 0; slot < region.slots; ++slot) {
    int64_t from = region.begin + slot * region.stride;
    split(old, from, from + region.stride);
    for (unsigned other = 0; other < region.slots; ++other) {
      if (!smear && other != (slot + region.slots - 1) % region.slots)
        continue;
      int64_t shift = (static_cast<int64_t>(other) - static_cast<int64_t>(slot)) * region.stride;
      State piece;
      for (auto s = old.lower_bound(from); s != old.end() && s->first < from + region.stride; ++s)
        piece.spaces[region.space].emplace(
            s->first + shift, Segment{s->second.end + shift, s->second.writers, s->second.readers});
      merge(moved, piece);
    }
  }
  for (auto &[begin, segment] : moved.spaces[region.space])
    space[begin] = segment;
}

void EventWaits::playLoop(const ProgramItem &loop, State &state) {
  std::set<unsigned> inside;
  collect(loop.bodies[0], inside);
  State entry = state;
  for (int trip = 0; trip < 2; ++trip) {
    State body = entry;
    play(loop.bodies[0], body);
    forget(body, inside);
    for (const RotatingRegion &region : loop.rotating)
      rotate(body, region, /*smear=*/false);
    merge(entry, body);
  }
  for (const RotatingRegion &region : loop.rotating)
    rotate(entry, region, /*smear=*/true);
  state = std::move(entry);
}

void EventWaits::playBranches(const ProgramItem &branches, State &state) {
  std::set<unsigned> inside;
  for (const std::vector<ProgramItem> &body : branches.bodies)
    collect(body, inside);
  State result;
  bool first = true;
  for (const std::vector<ProgramItem> &body : branches.bodies) {
    State branch = state;
    play(body, branch);
    forget(branch, inside);
    if (first)
      result = std::move(branch);
    else
      merge(result, branch);
    first = false;
  }
  state = std::move(result);
}

} // namespace tandem
