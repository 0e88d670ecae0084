// Time and wire bytes of one collective, by algorithm and link level (DESIGN.md, D4).
//
// A group of n devices whose outermost needed level is L spans k domains of the level below, m
// members in each. With F the whole payload of a device (gathered for all-gather), a(l), h(l),
// B(l) latency, latency per step and bandwidth of level l, in = L - 1:
//
//   wire        all-reduce 2F(n-1)/n; all-gather, reduce-scatter, all-to-all F(n-1)/n;
//               permute and broadcast F
//   ring        a(0) + h(0)(n-1) + wire / B(0) within one domain; else
//               a(L) + h(L)(k-1) + h(in)(n-k) + wire / min(B(in), m B(L)): a ring leaves a domain
//               once, over the ports of all its members
//   tree        of all-reduce: a(L) + 2 h(L) log2 k + 2 h(in) log2 m + 2F / min(B(in), m B(L))
//   hierarchical, of the reductions and gathers across domains: within, across on F/m, within
//   all-to-all  across domains: the larger of what stays within and what leaves, F(n-m)/n / B(L)
//   permute     a(L) + h(L) + F / B(L)
//
// Bandwidth terms: R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1), 2005, section 4. The
// cheapest of the target's algorithms is taken; all are deterministic integer arithmetic.
#ifndef TANDEM_COST_COLLECTIVES_H
#define TANDEM_COST_COLLECTIVES_H

#include "tandem/Cost/Target.h"
#include "llvm/ADT/ArrayRef.h"

namespace tandem {

enum class CollectiveKind { AllReduce, AllGather, ReduceScatter, AllToAll, Permute, Broadcast };

// Kinds that move the same bytes on every device; "all-gather" etc.
llvm::StringRef nameOf(CollectiveKind kind);

// How the groups lie on the machine.
struct GroupShape {
  int64_t size = 1;    // n, of the largest group; 2 for a permute
  unsigned level = 0;  // L: innermost level that joins every group
  int64_t domains = 1; // k: domains of the level below that a group spans, at most
};

using DeviceGroups = std::vector<std::vector<int64_t>>;

// For a permute the groups are its pairs. Ids below 0 are padding.
GroupShape shapeOf(const Target &target, CollectiveKind kind, const DeviceGroups &groups);

struct CollectivePrice {
  int64_t picoseconds = 0;
  int64_t wireBytes = 0;
  llvm::StringRef algorithm;
};

int64_t wireBytesOf(CollectiveKind kind, int64_t fullBytes, int64_t groupSize);
CollectivePrice priceOf(const Target &target, CollectiveKind kind, int64_t fullBytes,
                        const GroupShape &shape);

} // namespace tandem

#endif // TANDEM_COST_COLLECTIVES_H
