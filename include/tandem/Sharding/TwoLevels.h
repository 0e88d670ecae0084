// Collectives in steps on two link levels (rule A9): on the slow level every device moves only its
// share of what its neighbours on the fast one hold together.
//
//   node=2, gpu=4; all-reduce over both    reduce-scatter over gpu, all-reduce over node of a
//                                          quarter of the bytes, all-gather over gpu
//   all-gather of a dimension over both    all-gather over node, then over gpu
//   reduce-scatter over both               reduce-scatter over gpu, then over node
//
// Bytes sent are the same in all; time is not. Pure functions; what is cheaper is the cost
// model's word (tandem/Cost/Collectives.h). A target whose own collectives take these steps
// (`algorithms`) gets one.
#ifndef TANDEM_SHARDING_TWOLEVELS_H
#define TANDEM_SHARDING_TWOLEVELS_H

#include <optional>

#include "tandem/Cost/Collectives.h"
#include "tandem/Sharding/Mesh.h"

namespace tandem {

/// The atoms of a collective, in its order; neither is empty.
struct TwoLevels {
  Atoms fast; // groups along them stay within one domain of the level below
  Atoms slow;

  /// In which the blocks of a dimension lie when its steps are done: all fast ones, then the slow.
  Atoms getOrder() const;
};

/// None if groups over the atoms stay within one domain, or no atom does.
std::optional<TwoLevels> splitByLevel(AtomsRef atoms, const DeviceMesh &mesh, const Target &target);

/// The steps of a collective over the atoms, if they take less time than one collective.
/// `fullBytes`: the whole payload of a device (gathered, for an all-gather). An all-gather or
/// reduce-scatter whose dimension has a slow atom before a fast one also reorders the payload.
std::optional<TwoLevels> planTwoLevels(CollectiveKind kind, AtomsRef atoms, int64_t fullBytes,
                                       const DeviceMesh &mesh, const Target &target);

} // namespace tandem

#endif // TANDEM_SHARDING_TWOLEVELS_H
