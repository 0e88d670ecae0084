// Best fit in several orders: greedy ones over a segment tree of live intervals, and sweeps.
#include "tandem/Analysis/Placement.h"

#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tandem {
namespace {

// Finds the items alive at the same time as a given one, in time proportional to their number.
// Every interval lies at O(log n) nodes; a node also knows all that lies below it.
class OverlapIndex {
public:
  explicit OverlapIndex(int64_t positions) {
    leaves = static_cast<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(positions, 1)));
    nodes.resize(2 * leaves);
  }

  void insert(unsigned item, Interval interval) {
    forEachCover(interval, [&](int64_t node) {
      nodes[node].here.push_back(item);
      for (int64_t above = node; above >= 1; above /= 2)
        if (nodes[above].below.empty() || nodes[above].below.back() != item)
          nodes[above].below.push_back(item);
    });
  }

  // Appends items, with duplicates.
  void query(Interval interval, std::vector<unsigned> &found) const {
    forEachCover(interval, [&](int64_t node) {
      llvm::append_range(found, nodes[node].below);
      for (int64_t above = node / 2; above >= 1; above /= 2)
        llvm::append_range(found, nodes[above].here);
    });
  }

private:
  template <typename Visit> void forEachCover(Interval interval, Visit visit) const {
    int64_t low = interval.begin + leaves, high = interval.end + leaves;
    for (; low < high; low /= 2, high /= 2) {
      if (low & 1)
        visit(low++);
      if (high & 1)
        visit(--high);
    }
  }

  struct Node {
    std::vector<unsigned> here, below;
  };
  int64_t leaves;
  std::vector<Node> nodes;
};

// Work that all greedy orders together may do, in pairs of things alive together.
constexpr int64_t kMostOverlaps = 4'000'000;

class Placer {
public:
  Placer(llvm::ArrayRef<PlacementItem> items, int64_t alignment)
      : items(items), alignment(alignment) {
    for (const PlacementItem &item : items)
      for (Interval interval : item.live)
        positions = std::max(positions, interval.end);
  }

  // Bytes alive at the worst time.
  int64_t liveBytes() const {
    std::map<int64_t, int64_t> changes;
    for (const PlacementItem &item : items)
      for (Interval interval : item.live) {
        changes[interval.begin] += item.bytes;
        changes[interval.end] -= item.bytes;
      }
    int64_t alive = 0, most = 0;
    for (auto [position, change] : changes)
      most = std::max(most, alive += change);
    return most;
  }

  // In the given order, each at the smallest gap between what is placed and alive with it. False
  // when that is too much work.
  bool greedy(llvm::ArrayRef<unsigned> order, Placement &result) {
    result.offsets.assign(items.size(), 0);
    result.totalBytes = 0;
    OverlapIndex index(positions);
    std::vector<unsigned> found;
    std::vector<std::pair<int64_t, int64_t>> taken;
    for (unsigned item : order) {
      int64_t bytes = items[item].bytes;
      if (bytes == 0)
        continue;
      found.clear();
      for (Interval interval : items[item].live)
        index.query(interval, found);
      if ((overlaps += static_cast<int64_t>(found.size())) > kMostOverlaps)
        return false;
      llvm::sort(found);
      found.erase(llvm::unique(found), found.end());
      taken.clear();
      for (unsigned other : found)
        taken.push_back({result.offsets[other],
                         result.offsets[other] + llvm::alignTo(items[other].bytes, alignment)});
      llvm::sort(taken);
      int64_t bestOffset = -1, bestGap = 0, end = 0;
      for (auto [from, to] : taken) {
        if (int64_t gap = from - end; gap >= bytes && (bestOffset < 0 || gap < bestGap)) {
          bestOffset = end;
          bestGap = gap;
        }
        end = std::max(end, to);
      }
      result.offsets[item] = bestOffset >= 0 ? bestOffset : end;
      result.totalBytes = std::max(result.totalBytes, result.offsets[item] + bytes);
      for (Interval interval : items[item].live)
        index.insert(item, interval);
    }
    return true;
  }

  // As an allocator would that sees one thing after the other, from the first time or from the
  // last: each at the smallest free gap. What lives at several times keeps its bytes in between.
  void sweep(bool backward, Placement &result) const {
    result.offsets.assign(items.size(), 0);
    result.totalBytes = 0;
    struct Event {
      int64_t time;
      bool begins; // ends come first
      int64_t rank;
      unsigned item;
    };
    std::vector<Event> events;
    for (auto [index, item] : llvm::enumerate(items)) {
      if (item.bytes == 0 || item.live.empty())
        continue;
      int64_t begin = item.live.front().begin, end = item.live.back().end;
      if (backward)
        std::tie(begin, end) = std::pair(-end, -begin);
      auto number = static_cast<unsigned>(index);
      events.push_back({begin, true, -item.bytes, number});
      events.push_back({end, false, 0, number});
    }
    llvm::sort(events, [](const Event &a, const Event &b) {
      return std::tie(a.time, a.begins, a.rank, a.item) <
             std::tie(b.time, b.begins, b.rank, b.item);
    });
    std::map<int64_t, int64_t> gaps;              // begin -> end
    std::set<std::pair<int64_t, int64_t>> bySize; // (size, begin)
    int64_t end = 0;
    auto addGap = [&](int64_t from, int64_t to) {
      if (auto next = gaps.find(to); next != gaps.end()) {
        bySize.erase({next->second - next->first, next->first});
        to = next->second;
        gaps.erase(next);
      }
      if (auto before = gaps.lower_bound(from); before != gaps.begin()) {
        --before;
        if (before->second == from) {
          bySize.erase({before->second - before->first, before->first});
          from = before->first;
          gaps.erase(before);
        }
      }
      gaps[from] = to;
      bySize.insert({to - from, from});
    };
    for (const Event &event : events) {
      int64_t size = llvm::alignTo(items[event.item].bytes, alignment);
      int64_t &offset = result.offsets[event.item];
      if (!event.begins) {
        addGap(offset, offset + size);
        continue;
      }
      auto fits = bySize.lower_bound({size, 0});
      if (fits == bySize.end()) {
        // At the top, beginning in the gap that is there.
        auto last = gaps.empty() ? gaps.end() : std::prev(gaps.end());
        offset = last != gaps.end() && last->second == end ? last->first : end;
        if (offset != end) {
          bySize.erase({last->second - last->first, last->first});
          gaps.erase(last);
        }
        end = offset + size;
      } else {
        auto [gap, from] = *fits;
        bySize.erase(fits);
        gaps.erase(from);
        offset = from;
        if (gap > size)
          addGap(from + size, from + gap);
      }
      result.totalBytes = std::max(result.totalBytes, offset + items[event.item].bytes);
    }
  }

private:
  llvm::ArrayRef<PlacementItem> items;
  int64_t alignment, positions = 0, overlaps = 0;
};

} // namespace

std::vector<int64_t> pressures(llvm::ArrayRef<PlacementItem> items) {
  // The bytes alive from each time of change on, and the most of every 2^k of them.
  std::map<int64_t, int64_t> changes;
  for (const PlacementItem &item : items)
    for (Interval interval : item.live) {
      changes[interval.begin] += item.bytes;
      changes[interval.end] -= item.bytes;
    }
  std::vector<int64_t> times;
  std::vector<std::vector<int64_t>> most(1);
  int64_t alive = 0;
  for (auto [time, change] : changes) {
    times.push_back(time);
    most[0].push_back(alive += change);
  }
  for (size_t width = 1; 2 * width <= times.size(); width *= 2) {
    const std::vector<int64_t> &half = most.back();
    std::vector<int64_t> whole;
    for (size_t i = 0; i + 2 * width <= times.size(); ++i)
      whole.push_back(std::max(half[i], half[i + width]));
    most.push_back(std::move(whole));
  }
  std::vector<int64_t> result;
  for (const PlacementItem &item : items) {
    int64_t highest = 0;
    for (Interval interval : item.live) {
      auto from = static_cast<size_t>(llvm::lower_bound(times, interval.begin) - times.begin());
      auto to = static_cast<size_t>(llvm::lower_bound(times, interval.end) - times.begin());
      if (from >= to)
        continue;
      unsigned level = llvm::Log2_64(to - from);
      highest = std::max({highest, most[level][from], most[level][to - (size_t(1) << level)]});
    }
    result.push_back(highest);
  }
  return result;
}

Placement placeAll(llvm::ArrayRef<PlacementItem> items, int64_t alignmentBytes) {
  Placer placer(items, alignmentBytes);
  Placement best;
  best.liveBytes = placer.liveBytes();
  bool placed = false;
  auto consider = [&](Placement &&one) {
    if (placed && one.totalBytes >= best.totalBytes)
      return;
    best.offsets = std::move(one.offsets);
    best.totalBytes = one.totalBytes;
    placed = true;
  };
  auto length = [&](unsigned item) {
    int64_t sum = 0;
    for (Interval interval : items[item].live)
      sum += interval.end - interval.begin;
    return sum;
  };
  std::vector<unsigned> bySize(items.size());
  std::iota(bySize.begin(), bySize.end(), 0);
  std::vector<unsigned> byArea = bySize;
  llvm::stable_sort(bySize,
                    [&](unsigned a, unsigned b) { return items[a].bytes > items[b].bytes; });
  std::vector<double> area;
  for (unsigned item = 0; item < items.size(); ++item)
    area.push_back(static_cast<double>(items[item].bytes) * static_cast<double>(length(item)));
  llvm::stable_sort(byArea, [&](unsigned a, unsigned b) { return area[a] > area[b]; });
  std::vector<int64_t> pressure = pressures(items);
  std::vector<unsigned> byPressure = bySize;
  llvm::stable_sort(byPressure, [&](unsigned a, unsigned b) { return pressure[a] > pressure[b]; });
  for (const std::vector<unsigned> *order : {&bySize, &byArea, &byPressure}) {
    Placement one;
    if ((!placed || best.totalBytes > best.liveBytes) && placer.greedy(*order, one))
      consider(std::move(one));
  }
  for (bool backward : {false, true}) {
    if (placed && best.totalBytes <= best.liveBytes)
      break;
    Placement one;
    placer.sweep(backward, one);
    consider(std::move(one));
  }
  return best;
}

} // namespace tandem
