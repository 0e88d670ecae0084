// Prices collectives: the formulas are in the header.
#include "tandem/Cost/Collectives.h"

#include <algorithm>

#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"

namespace tandem {

llvm::StringRef nameOf(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllReduce:
    return "all-reduce";
  case CollectiveKind::AllGather:
    return "all-gather";
  case CollectiveKind::ReduceScatter:
    return "reduce-scatter";
  case CollectiveKind::AllToAll:
    return "all-to-all";
  case CollectiveKind::Permute:
    return "collective-permute";
  case CollectiveKind::Broadcast:
    return "collective-broadcast";
  }
  return "collective";
}

GroupShape shapeOf(const Target &target, CollectiveKind kind, const DeviceGroups &groups) {
  GroupShape shape;
  for (const std::vector<int64_t> &group : groups)
    shape.size = std::max<int64_t>(shape.size, group.size());
  if (kind == CollectiveKind::Permute)
    shape.size = 2;
  auto domainsAt = [&](unsigned level) {
    int64_t span = target.links[level].devices, most = 1;
    if (span <= 0)
      return most;
    for (const std::vector<int64_t> &group : groups) {
      llvm::SmallSet<int64_t, 16> domains;
      for (int64_t id : group)
        if (id >= 0)
          domains.insert(id / span);
      most = std::max<int64_t>(most, domains.size());
    }
    return most;
  };
  for (unsigned level = 0; level + 1 < target.links.size(); ++level) {
    int64_t domains = domainsAt(level);
    if (domains == 1)
      break;
    shape.level = level + 1;
    shape.domains = domains;
  }
  return shape;
}

int64_t wireBytesOf(CollectiveKind kind, int64_t fullBytes, int64_t groupSize) {
  int64_t n = std::max<int64_t>(groupSize, 1);
  auto part = [&](int64_t times) {
    return static_cast<int64_t>(static_cast<__int128>(fullBytes) * times * (n - 1) / n);
  };
  switch (kind) {
  case CollectiveKind::AllReduce:
    return part(2);
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllToAll:
    return part(1);
  case CollectiveKind::Permute:
  case CollectiveKind::Broadcast:
    return fullBytes;
  }
  return fullBytes;
}

CollectivePrice priceOf(const Target &target, CollectiveKind kind, int64_t fullBytes,
                        const GroupShape &shape) {
  const Link &outer = target.links[shape.level];
  const Link &inner = target.links[shape.level ? shape.level - 1 : 0];
  int64_t n = shape.size, k = shape.domains, m = std::max<int64_t>(n / k, 1);
  int64_t wire = wireBytesOf(kind, fullBytes, n);
  auto within = [&](int64_t bytes) {
    return picosecondsFor(bytes, inner.effectiveBytesPerSecond());
  };
  auto across = [&](int64_t bytes) {
    return picosecondsFor(bytes, outer.effectiveBytesPerSecond());
  };
  // Steps of a ring, and its bandwidth.
  int64_t hops = shape.level ? outer.hopPicoseconds * (k - 1) + inner.hopPicoseconds * (n - k)
                             : inner.hopPicoseconds * (n - 1);
  int64_t ports = m * outer.effectiveBytesPerSecond();
  int64_t bandwidth = shape.level ? std::min(inner.effectiveBytesPerSecond(), ports)
                                  : outer.effectiveBytesPerSecond();

  CollectivePrice best{INT64_MAX, wire, "ring"};
  auto offer = [&](llvm::StringRef algorithm, int64_t picoseconds) {
    if (picoseconds < best.picoseconds) {
      best.picoseconds = picoseconds;
      best.algorithm = algorithm;
    }
  };
  bool reduction = kind == CollectiveKind::AllReduce;
  for (const std::string &algorithm : target.algorithms) {
    if (algorithm == "ring") {
      if (kind == CollectiveKind::AllToAll && shape.level)
        offer("pairwise",
              outer.latencyPicoseconds + hops +
                  std::max(across(fullBytes / n * (n - m)), within(fullBytes / n * (m - 1))));
      else if (kind == CollectiveKind::Permute)
        offer("direct", outer.latencyPicoseconds + outer.hopPicoseconds + across(wire));
      else
        offer("ring", outer.latencyPicoseconds + hops + picosecondsFor(wire, bandwidth));
    } else if (algorithm == "tree" && reduction) {
      offer("tree", outer.latencyPicoseconds +
                        2 * (outer.hopPicoseconds * llvm::Log2_64_Ceil(k) +
                             inner.hopPicoseconds * llvm::Log2_64_Ceil(m)) +
                        picosecondsFor(2 * fullBytes, bandwidth));
    } else if (algorithm == "hierarchical" && shape.level && m > 1 && k > 1 &&
               (reduction || kind == CollectiveKind::AllGather ||
                kind == CollectiveKind::ReduceScatter)) {
      int64_t phases = reduction ? 2 : 1;
      offer("hierarchical",
            outer.latencyPicoseconds +
                phases * (inner.latencyPicoseconds + inner.hopPicoseconds * (m - 1) +
                          within(wireBytesOf(CollectiveKind::AllGather, fullBytes, m)) +
                          outer.hopPicoseconds * (k - 1) +
                          across(wireBytesOf(CollectiveKind::AllGather, fullBytes / m, k))));
    }
  }
  if (best.picoseconds == INT64_MAX) // none of the target's algorithms does this kind
    offer("ring", outer.latencyPicoseconds + hops + picosecondsFor(wire, bandwidth));
  return best;
}

} // namespace tandem
