// Tensor shardings to factors and back.
#include "tandem/Sharding/Projection.h"

#include "llvm/Support/MathExtras.h"

namespace tandem {
using namespace mlir;

TensorProjection project(const Sharding &sharding, const DimFactors &dims, const ShardingRule &rule,
                         const DeviceMesh &mesh) {
  size_t n = rule.factors.size();
  TensorProjection result;
  result.atoms.resize(n);
  result.mapped.resize(n);
  result.open.resize(n);
  result.overflows.resize(n);
  for (auto [dim, factors] : llvm::enumerate(dims)) {
    AtomsRef rest = sharding.dims[dim];
    for (unsigned factor : factors) {
      result.mapped[factor] = true;
      result.open[factor] = sharding.open[dim];
      int64_t left = rule.factors[factor].size;
      bool mayBeUneven = rule.factors[factor].alone;
      while (!rest.empty() && left > 1 && (mayBeUneven || left % mesh.getSize(rest.front()) == 0)) {
        left = llvm::divideCeil(left, mesh.getSize(rest.front()));
        result.atoms[factor].push_back(rest.front());
        rest = rest.drop_front();
      }
      bool last = factor == factors.back();
      if (!rest.empty() && (last || left > 1)) {
        // Nothing after this factor can be read.
        for (unsigned other : factors)
          result.overflows[other] = true;
        for (unsigned other : factors) {
          result.mapped[other] = true;
          result.open[other] = sharding.open[dim];
        }
        break;
      }
    }
  }
  return result;
}

Sharding unproject(const FactorAtoms &atoms, const DimFactors &dims, const ShardingRule &rule,
                   const DeviceMesh &mesh, bool *dropped) {
  Sharding result(dims.size(), /*isOpen=*/false);
  for (auto [dim, factors] : llvm::enumerate(dims)) {
    bool complete = true;
    for (unsigned factor : factors) {
      if (!complete) {
        if (dropped && !atoms[factor].empty())
          *dropped = true;
        continue;
      }
      result.dims[dim].append(atoms[factor]);
      complete = mesh.getSize(atoms[factor]) == rule.factors[factor].size;
    }
  }
  return result;
}

} // namespace tandem
