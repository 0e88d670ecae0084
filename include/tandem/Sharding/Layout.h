// Where the tiles of a global array lie: what the Program records for each argument and
// result, so that a client can scatter and gather whole arrays.
//
//   mesh <["a"=2, "b"=2]>, tensor<8x6xf32>, [{"a"}, {"b"}]
//   localShape {4, 3}; tiles: device 0 {0,0}, 1 {0,1}, 2 {1,0}, 3 {1,1}
#ifndef TANDEM_SHARDING_LAYOUT_H
#define TANDEM_SHARDING_LAYOUT_H

#include <cstdint>

#include "mlir/IR/BuiltinTypes.h"
#include "tandem/IR/Shardy/Shardy.h"

namespace tandem {

struct Layout {
  /// Shape of one device's tile; the last tiles of a dimension that does not divide reach beyond
  /// the array, or lie there.
  llvm::SmallVector<int64_t> localShape;
  /// tiles[device id][dimension]: index of the tile the device holds; the tile starts at
  /// element index * localShape[dimension].
  llvm::SmallVector<llvm::SmallVector<int64_t>> tiles;
};

/// The layout of a global array. A null sharding (and one on a mesh without axes) means
/// replicated over the mesh's devices, or over `numDevices` when the mesh is null as well.
/// Fails without a diagnostic if the sharding does not fit the mesh. Device ids are those of the
/// mesh.
mlir::FailureOr<Layout> computeLayout(mlir::sdy::TensorShardingAttr sharding,
                                      mlir::sdy::MeshAttr mesh, mlir::RankedTensorType global,
                                      int64_t numDevices = 1);

} // namespace tandem

#endif // TANDEM_SHARDING_LAYOUT_H
