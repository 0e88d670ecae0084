// First fit of items into the gaps of bins.
#include "tandem/Analysis/Bins.h"

#include <numeric>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tandem {
namespace {

constexpr int64_t kMostLooks = 4'000'000;

bool meet(llvm::ArrayRef<Interval> a, llvm::ArrayRef<Interval> b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].end <= b[j].begin)
      ++i;
    else if (b[j].end <= a[i].begin)
      ++j;
    else
      return true;
  }
  return false;
}

} // namespace

std::vector<BinPlace> placeInBins(llvm::ArrayRef<PlacementItem> items, llvm::ArrayRef<Bin> bins,
                                  int64_t alignmentBytes) {
  std::vector<BinPlace> places(items.size());
  std::vector<unsigned> order(items.size()), bySize(bins.size());
  std::iota(order.begin(), order.end(), 0);
  std::iota(bySize.begin(), bySize.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return items[a].bytes > items[b].bytes; });
  std::vector<int64_t> pressure = pressures(items);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return pressure[a] > pressure[b]; });
  llvm::stable_sort(bySize, [&](unsigned a, unsigned b) { return bins[a].bytes < bins[b].bytes; });
  std::vector<std::vector<unsigned>> within(bins.size());
  std::vector<std::pair<int64_t, int64_t>> taken;
  int64_t looks = 0;
  for (unsigned item : order) {
    const int64_t bytes = items[item].bytes;
    if (bytes == 0)
      continue;
    auto first =
        llvm::partition_point(bySize, [&](unsigned bin) { return bins[bin].bytes < bytes; });
    for (; first != bySize.end(); ++first) {
      if (++looks > kMostLooks)
        return places;
      const Bin &bin = bins[*first];
      if (meet(bin.busy, items[item].live))
        continue;
      taken.clear();
      looks += static_cast<int64_t>(within[*first].size());
      for (unsigned other : within[*first])
        if (meet(items[other].live, items[item].live))
          taken.push_back({places[other].offset, places[other].offset + items[other].bytes});
      llvm::sort(taken);
      int64_t offset = 0;
      for (auto [from, to] : taken) {
        if (from - offset >= bytes)
          break;
        offset = std::max<int64_t>(offset, llvm::alignTo(to, alignmentBytes));
      }
      if (offset + bytes > bin.bytes)
        continue;
      places[item] = {*first, offset};
      within[*first].push_back(item);
      break;
    }
  }
  return places;
}

} // namespace tandem
