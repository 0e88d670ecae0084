// `--mesh`: rewrites the sizes of named mesh axes before anything reads them.
#include "tandem/Import/Import.h"

#include "mlir/IR/Builders.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tandem {
using namespace mlir;

namespace {

/// The dictionary JAX keeps beside the mesh, {axes = [{name = "x", size = 8}]}.
DictionaryAttr meshDictionary(sdy::MeshAttr mesh) {
  Builder b(mesh.getContext());
  SmallVector<Attribute> axes;
  for (sdy::MeshAxisAttr axis : mesh.getAxes())
    axes.push_back(
        b.getDictionaryAttr({b.getNamedAttr("name", b.getStringAttr(axis.getName())),
                             b.getNamedAttr("size", b.getI64IntegerAttr(axis.getSize()))}));
  return b.getDictionaryAttr({b.getNamedAttr("axes", b.getArrayAttr(axes))});
}

} // namespace

LogicalResult overrideMesh(ModuleOp module, ArrayRef<std::pair<std::string, int64_t>> axisSizes) {
  if (axisSizes.empty())
    return success();
  MLIRContext *ctx = module.getContext();
  llvm::StringSet<> found, changed;
  SmallVector<std::string> known;
  int64_t devices = 0;
  for (auto op : module.getOps<sdy::MeshOp>()) {
    sdy::MeshAttr mesh = op.getMesh();
    if (mesh.getAxes().empty())
      continue;
    SmallVector<sdy::MeshAxisAttr> axes;
    bool touched = false;
    for (sdy::MeshAxisAttr axis : mesh.getAxes()) {
      known.push_back(axis.getName().str());
      int64_t size = axis.getSize();
      for (const auto &[name, newSize] : axisSizes)
        if (axis.getName() == name) {
          if (newSize < 1)
            return op.emitError() << "mesh axis \"" << name << "\" cannot have size " << newSize
                                  << "; expected at least 1";
          found.insert(name);
          if (size != newSize) {
            touched = true;
            changed.insert(name);
          }
          size = newSize;
        }
      axes.push_back(sdy::MeshAxisAttr::get(ctx, axis.getName(), size));
    }
    int64_t total = sdy::MeshAttr::get(ctx, axes, {}).getTotalSize();
    if (touched) {
      if (!mesh.getDeviceIds().empty() && total != mesh.getTotalSize())
        return op.emitError()
               << "mesh @" << op.getSymName() << " lists " << mesh.getTotalSize()
               << " device ids but would have " << total
               << " devices; an override must keep the number of devices of such a mesh";
      op.setMeshAttr(sdy::MeshAttr::get(ctx, axes, mesh.getDeviceIds()));
      if (op->hasAttr("stablehlo.mesh"))
        op->setAttr("stablehlo.mesh", meshDictionary(op.getMesh()));
    }
    devices = std::max(devices, total);
  }
  for (const auto &entry : axisSizes)
    if (!found.contains(entry.first))
      return module.emitError() << "no mesh has an axis \"" << entry.first
                                << "\"; axes are: " << llvm::join(known, ", ");
  WalkResult walk = module.walk([&](sdy::ManualComputationOp op) {
    for (StringAttr axis : op.getManualAxes())
      if (changed.contains(axis.getValue())) {
        op.emitError() << "mesh axis \"" << axis.getValue()
                       << "\" is manual here and its local shapes are part of the program; "
                          "only axes that no manual computation uses can be overridden";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (module->hasAttr("mhlo.num_partitions"))
    module->setAttr("mhlo.num_partitions", IntegerAttr::get(IntegerType::get(ctx, 32), devices));
  return success();
}

} // namespace tandem
