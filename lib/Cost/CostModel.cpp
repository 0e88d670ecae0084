// Source of the roofline: S. Williams, A. Waterman, D. Patterson, CACM 52(4), 2009 (time is the
// larger of arithmetic and memory traffic).
#include "tandem/Cost/CostModel.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace tandem {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;
namespace stablehlo = mlir::stablehlo;

namespace {

int64_t bytesOf(mlir::Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  return tensor ? getByteSize(tensor) : 0;
}

int64_t elementsOf(Value value) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(value.getType());
  return tensor ? tensor.getNumElements() : 0;
}

// How many element operations one element of the result costs: polynomials of some 16 terms
// for transcendentals, a handful for division and roots.
int64_t weightOf(Operation *op) {
  if (llvm::isa<stablehlo::ExpOp, stablehlo::Expm1Op, stablehlo::LogOp, stablehlo::Log1pOp,
                stablehlo::LogisticOp, stablehlo::TanhOp, stablehlo::SineOp, stablehlo::CosineOp,
                stablehlo::TanOp, stablehlo::PowOp, stablehlo::Atan2Op, stablehlo::CbrtOp>(op))
    return 16;
  if (op->getName().getDialectNamespace() == "chlo")
    return 16;
  if (llvm::isa<stablehlo::DivOp, stablehlo::RemOp, stablehlo::SqrtOp, stablehlo::RsqrtOp>(op))
    return 4;
  return 1;
}

// 2 x result elements x contracted elements.
int64_t dotFlops(stablehlo::DotGeneralOp dot) {
  auto lhs = llvm::cast<RankedTensorType>(dot.getLhs().getType());
  int64_t contracted = 1;
  for (int64_t dim : dot.getDotDimensionNumbers().getLhsContractingDimensions())
    contracted *= lhs.getDimSize(dim);
  return 2 * elementsOf(dot.getResult()) * contracted;
}

// 2 x result elements x kernel elements per output feature.
int64_t convolutionFlops(stablehlo::ConvolutionOp conv) {
  auto kernel = llvm::cast<RankedTensorType>(conv.getRhs().getType());
  int64_t features =
      kernel.getDimSize(conv.getDimensionNumbers().getKernelOutputFeatureDimension());
  return 2 * elementsOf(conv.getResult()) *
         (kernel.getNumElements() / std::max<int64_t>(features, 1));
}

// The element type of the wider of a dot's or convolution's operands.
std::string widestOperand(Operation *op) {
  mlir::Type widest;
  for (Value operand : op->getOperands().take_front(2)) {
    mlir::Type type = llvm::cast<RankedTensorType>(operand.getType()).getElementType();
    auto width = [](mlir::Type t) {
      if (auto complex = llvm::dyn_cast<mlir::ComplexType>(t))
        return 2 * complex.getElementType().getIntOrFloatBitWidth();
      return t.getIntOrFloatBitWidth();
    };
    if (!widest || width(type) > width(widest))
      widest = type;
  }
  std::string name;
  llvm::raw_string_ostream(name) << widest;
  return name;
}

void addElementWork(Operation *op, Work &work) {
  if (auto dot = llvm::dyn_cast<stablehlo::DotGeneralOp>(op)) {
    bool complex = llvm::isa<mlir::ComplexType>(mlir::getElementTypeOrSelf(dot.getLhs().getType()));
    work.matmulFlops += (complex ? 4 : 1) * dotFlops(dot);
  } else if (auto conv = llvm::dyn_cast<stablehlo::ConvolutionOp>(op)) {
    work.matmulFlops += convolutionFlops(conv);
  } else if (llvm::isa<stablehlo::SortOp>(op)) {
    int64_t elements = elementsOf(op->getOperand(0));
    work.scalarOps += 4 * elements * (llvm::Log2_64_Ceil(std::max<int64_t>(elements, 2)));
  } else if (llvm::isa<stablehlo::ReduceOp, stablehlo::ScatterOp>(op)) {
    for (Value operand : op->getOperands())
      work.scalarOps += elementsOf(operand);
  } else if (auto window = llvm::dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    int64_t size = 1;
    for (int64_t dim : window.getWindowDimensions())
      size *= dim;
    for (Value result : op->getResults())
      work.scalarOps += size * elementsOf(result);
  } else if (llvm::isa<stablehlo::DynamicUpdateSliceOp>(op)) {
    work.scalarOps += elementsOf(op->getOperand(1));
  } else if (!llvm::isa<stablehlo::ConstantOp, stablehlo::ReshapeOp>(op)) {
    for (Value result : op->getResults())
      work.scalarOps += weightOf(op) * elementsOf(result);
  }
}

// Bytes a unit reads of one operand: slices of it when nothing else reads it.
int64_t bytesRead(Value argument) {
  int64_t sliced = 0;
  for (mlir::OpOperand &use : argument.getUses()) {
    Operation *user = use.getOwner();
    bool slices =
        llvm::isa<stablehlo::SliceOp, stablehlo::DynamicSliceOp, stablehlo::GatherOp>(user);
    bool updated = llvm::isa<stablehlo::DynamicUpdateSliceOp>(user);
    if (use.getOperandNumber() != 0 || (!slices && !updated))
      return bytesOf(argument.getType());
    // Written in place: what is not updated is neither read nor written.
    sliced += slices ? bytesOf(user->getResult(0).getType()) : 0;
  }
  return std::min(sliced, bytesOf(argument.getType()));
}

int64_t bytesWritten(Value yielded) {
  if (auto update = yielded.getDefiningOp<stablehlo::DynamicUpdateSliceOp>())
    return bytesOf(update.getUpdate().getType());
  return bytesOf(yielded.getType());
}

} // namespace

llvm::FailureOr<CostModel> CostModel::forModule(mlir::ModuleOp module) {
  auto name = module->getAttrOfType<mlir::StringAttr>("tandem.target");
  llvm::Expected<Target> target = Target::named(name ? name.getValue() : "host");
  if (!target)
    return module.emitError() << llvm::toString(target.takeError()), mlir::failure();
  if (auto text = module->getAttrOfType<mlir::StringAttr>("tandem.emulated_link")) {
    llvm::Expected<Link> link = parseLink(text.getValue());
    if (!link)
      return module.emitError() << llvm::toString(link.takeError()), mlir::failure();
    for (Link &level : target->links) {
      level.latencyPicoseconds = link->latencyPicoseconds;
      level.bytesPerSecond = link->bytesPerSecond;
      level.hopPicoseconds = 0;
      level.efficiencyPermille = 1000;
    }
  }
  CostModel model(std::move(*target));
  if (auto text = module->getAttrOfType<mlir::StringAttr>("tandem.profile")) {
    llvm::Expected<Profile> profile = Profile::parse(text.getValue(), "tandem.profile");
    if (!profile)
      return module.emitError() << llvm::toString(profile.takeError()), mlir::failure();
    model.setProfile(std::move(*profile));
  }
  return model;
}

bool CostModel::isCollective(Operation *op) {
  return llvm::isa<stablehlo::AllReduceOp, stablehlo::AllGatherOp, stablehlo::ReduceScatterOp,
                   stablehlo::AllToAllOp, stablehlo::CollectivePermuteOp,
                   stablehlo::CollectiveBroadcastOp>(op);
}

int64_t CostModel::groupSize(Operation *op) {
  if (llvm::isa<stablehlo::CollectivePermuteOp>(op))
    return 2;
  auto groups = op->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups");
  if (!groups || groups.getType().getRank() != 2)
    return 1;
  return groups.getType().getDimSize(1);
}

CollectiveKind CostModel::kindOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, CollectiveKind>(op)
      .Case<stablehlo::AllReduceOp>([](auto) { return CollectiveKind::AllReduce; })
      .Case<stablehlo::AllGatherOp>([](auto) { return CollectiveKind::AllGather; })
      .Case<stablehlo::ReduceScatterOp>([](auto) { return CollectiveKind::ReduceScatter; })
      .Case<stablehlo::AllToAllOp>([](auto) { return CollectiveKind::AllToAll; })
      .Case<stablehlo::CollectivePermuteOp>([](auto) { return CollectiveKind::Permute; })
      .Default([](Operation *) { return CollectiveKind::Broadcast; });
}

int64_t CostModel::fullBytes(Operation *op) {
  int64_t bytes = 0;
  for (Value operand : op->getOperands())
    bytes += bytesOf(operand.getType());
  return llvm::isa<stablehlo::AllGatherOp>(op) ? bytes * groupSize(op) : bytes;
}

int64_t CostModel::wireBytes(Operation *op) {
  return wireBytesOf(kindOf(op), fullBytes(op), groupSize(op));
}

DeviceGroups CostModel::deviceGroups(Operation *op) {
  auto ids = op->getAttrOfType<mlir::DenseIntElementsAttr>(
      llvm::isa<stablehlo::CollectivePermuteOp>(op) ? "source_target_pairs" : "replica_groups");
  DeviceGroups groups;
  if (!ids || ids.getType().getRank() != 2)
    return groups;
  groups.resize(ids.getType().getDimSize(0));
  int64_t index = 0, size = std::max<int64_t>(ids.getType().getDimSize(1), 1);
  for (int64_t id : ids.getValues<int64_t>())
    groups[index++ / size].push_back(id);
  return groups;
}

unsigned CostModel::linkLevel(Operation *op) const {
  DeviceGroups groups = deviceGroups(op);
  if (groups.empty())
    return target.links.size() - 1;
  return shapeOf(target, kindOf(op), groups).level;
}

CollectivePrice CostModel::price(llvm::ArrayRef<Operation *> collectives) const {
  Operation *first = collectives.front();
  DeviceGroups groups = deviceGroups(first);
  GroupShape shape = shapeOf(target, kindOf(first), groups);
  shape.size = std::max<int64_t>(groupSize(first), 1);
  if (groups.empty())
    shape.level = target.links.size() - 1;
  int64_t bytes = 0;
  for (Operation *op : collectives)
    bytes += fullBytes(op);
  return priceOf(target, kindOf(first), bytes, shape);
}

int64_t CostModel::tripCount(LoopOp loop) const {
  return loop.getTripCount() ? static_cast<int64_t>(*loop.getTripCount()) : target.defaultTripCount;
}

Work CostModel::work(Operation *op) const {
  Work work;
  if (llvm::isa<KernelOp, GemmOp, ConvOp, RematOp>(op)) {
    mlir::Block &body = op->getRegion(0).front();
    bool loops = llvm::isa<KernelOp, RematOp>(op) && target.kernelMatmulFlopsPerSecond;
    for (Operation &inner : body.without_terminator()) {
      int64_t before = work.matmulFlops;
      addElementWork(&inner, work);
      if (work.matmulFlops == before)
        continue;
      int64_t rate =
          loops ? target.kernelMatmulFlopsPerSecond : target.matmulRate(widestOperand(&inner));
      work.matmulPicoseconds += picosecondsFor(work.matmulFlops - before, rate);
    }
    for (Value argument : body.getArguments())
      work.memoryBytes += bytesRead(argument);
    for (Value yielded : body.getTerminator()->getOperands())
      work.memoryBytes += bytesWritten(yielded);
  } else if (llvm::isa<CallOp>(op)) {
    for (Value operand : op->getOperands())
      work.memoryBytes += bytesOf(operand.getType());
    for (Value result : op->getResults())
      work.memoryBytes += bytesOf(result.getType());
  } else if (auto copy = llvm::dyn_cast<CopyOp>(op)) {
    work.memoryBytes = 2 * bytesOf(copy.getOutput().getType());
  }
  return work;
}

int64_t CostModel::picoseconds(Operation *op) const {
  if (profile)
    if (std::optional<int64_t> measured = profile->find(profileKey(op)))
      return *measured;
  return predicted(op);
}

int64_t CostModel::predicted(Operation *op) const {
  auto sumOf = [&](mlir::Region &region) {
    int64_t sum = 0;
    for (Operation &inner : region.getOps())
      sum += picoseconds(&inner);
    return sum;
  };
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<KernelOp, CallOp, RematOp>([&](Operation *unit) {
        Work need = work(unit);
        int64_t scalars = target.scalarOpsPerSecond
                              ? picosecondsFor(need.scalarOps, target.scalarOpsPerSecond)
                              : 0;
        int64_t traffic = std::max(picosecondsFor(need.memoryBytes, target.memoryRate()), scalars);
        return target.launchPicoseconds + (target.kernelMatmulFlopsPerSecond
                                               ? traffic + need.matmulPicoseconds
                                               : std::max(traffic, need.matmulPicoseconds));
      })
      .Case<GemmOp, ConvOp>([&](Operation *unit) {
        Work need = work(unit);
        return target.launchPicoseconds +
               std::max(need.matmulPicoseconds,
                        picosecondsFor(need.memoryBytes, target.memoryRate()));
      })
      .Case<CopyOp>(
          [&](CopyOp copy) { return target.copyPicoseconds(bytesOf(copy.getOutput().getType())); })
      .Case<StartOp>([&](StartOp start) {
        Operation *first = start.getCollective();
        if (!isCollective(first))
          return picoseconds(first);
        llvm::SmallVector<Operation *> collectives;
        for (Operation &inner : start.getBody().front().without_terminator())
          collectives.push_back(&inner);
        return price(collectives).picoseconds;
      })
      .Case<LoopOp>([&](LoopOp loop) { return tripCount(loop) * sumOf(loop.getBody()); })
      .Case<CaseOp>([&](CaseOp branches) {
        int64_t dearest = 0;
        for (mlir::Region &region : branches.getBranches())
          dearest = std::max(dearest, sumOf(region));
        return dearest;
      })
      .Case<DeviceIdOp>([&](Operation *) { return target.launchPicoseconds; })
      .Default([](Operation *) { return int64_t(0); });
}

} // namespace tandem
