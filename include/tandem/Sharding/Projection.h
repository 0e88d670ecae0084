// Shardings seen through a rule: which atoms split which factor.
//
//   tensor [{"a","b"}] with factors [i=2, j=4] and a=2, b=4:   i -> a, j -> b
//   A dimension's sharding is readable this way only while every factor but the last one
//   used is split completely; what does not fit is overflow.
//
// Pure functions on values.
#ifndef TANDEM_SHARDING_PROJECTION_H
#define TANDEM_SHARDING_PROJECTION_H

#include "tandem/Sharding/Rule.h"
#include "tandem/Sharding/Sharding.h"

namespace tandem {

/// Atoms per factor of a rule.
using FactorAtoms = llvm::SmallVector<Atoms>;

struct TensorProjection {
  FactorAtoms atoms;                 // by factor; empty where not in the tensor
  llvm::SmallVector<bool> mapped;    // by factor: occurs in the tensor
  llvm::SmallVector<bool> open;      // by factor: its dimension may be split further
  llvm::SmallVector<bool> overflows; // by factor: atoms of its dimension fit no factor
};

/// How a tensor's sharding reads in terms of the rule's factors.
TensorProjection project(const Sharding &sharding, const DimFactors &dims, const ShardingRule &rule,
                         const DeviceMesh &mesh);

/// The tensor sharding that an assignment of atoms to factors gives. In a dimension of
/// several factors, atoms of a factor behind one that is not split completely are left out
/// and reported in `dropped` if that is not null.
Sharding unproject(const FactorAtoms &atoms, const DimFactors &dims, const ShardingRule &rule,
                   const DeviceMesh &mesh, bool *dropped = nullptr);

} // namespace tandem

#endif // TANDEM_SHARDING_PROJECTION_H
