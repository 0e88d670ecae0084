// Greedy by size with best fit over a segment tree of live intervals.
#include "tandem/Analysis/Placement.h"

#include <map>

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

} // namespace

Placement placeAll(llvm::ArrayRef<PlacementItem> items, int64_t alignmentBytes) {
  Placement result;
  result.offsets.assign(items.size(), 0);
  int64_t positions = 0;
  std::map<int64_t, int64_t> changes;
  std::vector<unsigned> order;
  for (auto [index, item] : llvm::enumerate(items)) {
    order.push_back(index);
    for (Interval interval : item.live) {
      positions = std::max(positions, interval.end);
      changes[interval.begin] += item.bytes;
      changes[interval.end] -= item.bytes;
    }
  }
  int64_t alive = 0;
  for (auto [position, change] : changes) {
    alive += change;
    result.liveBytes = std::max(result.liveBytes, alive);
  }

  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(-items[a].bytes, a) < std::pair(-items[b].bytes, b);
  });
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
    llvm::sort(found);
    found.erase(llvm::unique(found), found.end());
    taken.clear();
    for (unsigned other : found)
      taken.push_back({result.offsets[other],
                       result.offsets[other] + llvm::alignTo(items[other].bytes, alignmentBytes)});
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
  return result;
}

} // namespace tandem
