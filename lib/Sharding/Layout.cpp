// Tile indices per device of a sharded array.
#include "tandem/Sharding/Layout.h"

#include "tandem/Sharding/Mesh.h"

#include "llvm/Support/MathExtras.h"

namespace tandem {
using namespace mlir;

FailureOr<Layout> computeLayout(sdy::TensorShardingAttr sharding, sdy::MeshAttr meshAttr,
                                RankedTensorType global, int64_t numDevices) {
  Layout layout;
  layout.localShape.assign(global.getShape().begin(), global.getShape().end());
  if (meshAttr && !meshAttr.getAxes().empty())
    numDevices = meshAttr.getTotalSize();
  layout.tiles.assign(numDevices, SmallVector<int64_t>(global.getRank(), 0));
  if (!sharding || !meshAttr || meshAttr.getAxes().empty())
    return layout;
  if (sharding.getRank() != global.getRank())
    return failure();
  DeviceMesh mesh(meshAttr, StringAttr());
  for (auto [dim, dimSharding] : llvm::enumerate(sharding.getDimShardings())) {
    std::optional<Atoms> atoms = mesh.getAtoms(dimSharding.getAxes());
    if (!atoms)
      return failure();
    layout.localShape[dim] = llvm::divideCeil(layout.localShape[dim], mesh.getSize(*atoms));
    for (int64_t position = 0; position < numDevices; ++position) {
      int64_t device = mesh.getDeviceId(position);
      if (device < 0 || device >= numDevices)
        return failure();
      layout.tiles[device][dim] = mesh.getCoordinate(position, *atoms);
    }
  }
  return layout;
}

} // namespace tandem
