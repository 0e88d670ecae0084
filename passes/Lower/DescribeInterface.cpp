// Devices, mesh, arguments and results of a Program.
#include <algorithm>

#include "passes/Lower/ProgramParts.h"
#include "tandem/Analysis/Aliasing.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/Sharding/Layout.h"

namespace tandem {

using mlir::RankedTensorType;

namespace {

// The mesh that says how many devices the program has: the largest; none when there is no mesh
// or the program runs unpartitioned.
mlir::sdy::MeshOp programMesh(mlir::ModuleOp module) {
  mlir::sdy::MeshOp largest;
  if (module->hasAttr("tandem.unpartitioned"))
    return largest;
  int64_t most = 0;
  for (auto mesh : module.getOps<mlir::sdy::MeshOp>()) {
    int64_t devices = mesh.getMesh().getTotalSize();
    if (devices > most) {
      most = devices;
      largest = mesh;
    }
  }
  return largest;
}

// Name of a source location that is one ("args[0]['w']"), else empty.
std::string locationName(mlir::Location location) {
  std::string name;
  location->walk([&](mlir::Location inner) {
    if (auto named = llvm::dyn_cast<mlir::NameLoc>(inner)) {
      name = named.getName().str();
      return mlir::WalkResult::interrupt();
    }
    return mlir::WalkResult::advance();
  });
  return name;
}

struct Describer {
  mlir::func::FuncOp func;
  mlir::ModuleOp module = func->getParentOfType<mlir::ModuleOp>();
  mlir::sdy::MeshOp mesh = programMesh(module);
  int64_t numDevices = mesh ? std::max<int64_t>(mesh.getMesh().getTotalSize(), 1) : 1;

  // Type and layout of an argument or result from its attributes and its local type.
  template <typename Described>
  llvm::LogicalResult describe(Described &target, mlir::Type localType, mlir::Attribute globalAttr,
                               mlir::Attribute shardingAttr, const llvm::Twine &what) {
    auto local = llvm::dyn_cast<RankedTensorType>(localType);
    if (!local || !dtypeOf(local.getElementType()))
      return func.emitError() << what << " has type " << localType
                              << ", expected a tensor of integers, floats or complex numbers";
    RankedTensorType global = local;
    if (auto attr = llvm::dyn_cast_or_null<mlir::TypeAttr>(globalAttr))
      global = llvm::cast<RankedTensorType>(attr.getValue());
    auto sharding = llvm::dyn_cast_or_null<mlir::sdy::TensorShardingAttr>(shardingAttr);
    mlir::sdy::MeshAttr meshAttr = mesh ? mesh.getMesh() : mlir::sdy::MeshAttr();
    if (!mesh)
      sharding = nullptr;
    if (sharding && meshAttr)
      if (mlir::sdy::MeshAttr own = sharding.getMesh(module))
        meshAttr = own;
    mlir::FailureOr<Layout> layout = computeLayout(sharding, meshAttr, global, numDevices);
    if (mlir::failed(layout))
      return func.emitError() << what << " of type " << global
                              << " has a sharding that does not fit its mesh: " << shardingAttr;
    if (llvm::ArrayRef<int64_t>(layout->localShape) != local.getShape())
      return func.emitError() << what << " is " << local << " on a device, expected "
                              << RankedTensorType::get(layout->localShape, global.getElementType())
                              << " from " << global << " and its sharding " << shardingAttr;
    target.type = tensorTypeOf(global);
    target.layout = std::make_unique<program::LayoutT>();
    target.layout->local.assign(layout->localShape.begin(), layout->localShape.end());
    // One row per device; a mesh smaller than the program's repeats its tiles.
    for (int64_t device = 0; device < numDevices; ++device)
      for (int64_t tile : layout->tiles[device % layout->tiles.size()])
        target.layout->tiles.push_back(static_cast<uint32_t>(tile));
    return mlir::success();
  }
};

} // namespace

llvm::LogicalResult describeInterface(mlir::func::FuncOp func, program::ProgramT &program) {
  Describer describer{func};
  program.num_devices = describer.numDevices;
  if (describer.mesh)
    for (mlir::sdy::MeshAxisAttr axis : describer.mesh.getMesh().getAxes()) {
      auto entry = std::make_unique<program::MeshAxisT>();
      entry->name = axis.getName().str();
      entry->size = axis.getSize();
      program.mesh.push_back(std::move(entry));
    }
  for (unsigned index = 0; index < func.getNumArguments(); ++index) {
    auto argument = std::make_unique<program::ArgumentT>();
    argument->name = locationName(func.getArgument(index).getLoc());
    if (argument->name.empty())
      argument->name = "arg" + std::to_string(index);
    if (mlir::failed(describer.describe(
            *argument, func.getArgumentTypes()[index], func.getArgAttr(index, "tandem.global_type"),
            func.getArgAttr(index, "tandem.sharding"), "argument " + llvm::Twine(index))))
      return mlir::failure();
    if (std::optional<unsigned> result = donatedResult(func, index))
      argument->alias_result = static_cast<int32_t>(*result);
    program.arguments.push_back(std::move(argument));
  }
  for (unsigned index = 0; index < func.getNumResults(); ++index) {
    auto result = std::make_unique<program::ResultT>();
    if (auto info = func.getResultAttrOfType<mlir::StringAttr>(index, "jax.result_info"))
      result->name = info.getValue().str();
    if (result->name.empty())
      result->name = "out" + std::to_string(index);
    if (mlir::failed(describer.describe(
            *result, func.getResultTypes()[index], func.getResultAttr(index, "tandem.global_type"),
            func.getResultAttr(index, "tandem.sharding"), "result " + llvm::Twine(index))))
      return mlir::failure();
    program.results.push_back(std::move(result));
  }
  for (auto [index, argument] : llvm::enumerate(program.arguments))
    if (argument->alias_result >= 0)
      program.results[argument->alias_result]->alias_argument = static_cast<int32_t>(index);
  return mlir::success();
}

} // namespace tandem
