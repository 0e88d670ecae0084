// Sources of the formulas:
// - roofline: S. Williams, A. Waterman, D. Patterson, CACM 52(4), 2009 (time is the larger of
//   arithmetic and memory traffic);
// - wire bytes of ring and pairwise algorithms: R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA
//   19(1), 2005, tables of section 4, the bandwidth terms;
// - latency + bytes / bandwidth: see Target.h.
#include "tandem/Cost/CostModel.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

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
  if (op->getName().getDialectNamespace() == "chlo") return 16;
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
  return 2 * elementsOf(conv.getResult()) * (kernel.getNumElements() / std::max<int64_t>(features, 1));
}

void addElementWork(Operation *op, Work &work) {
  if (auto dot = llvm::dyn_cast<stablehlo::DotGeneralOp>(op)) {
    work.matmulFlops += dotFlops(dot);
  } else if (auto conv = llvm::dyn_cast<stablehlo::ConvolutionOp>(op)) {
    work.matmulFlops += convolutionFlops(conv);
  } else if (llvm::isa<stablehlo::SortOp>(op)) {
    int64_t elements = elementsOf(op->getOperand(0));
    work.scalarOps += 4 * elements * (llvm::Log2_64_Ceil(std::max<int64_t>(elements, 2)));
  } else if (llvm::isa<stablehlo::ReduceOp, stablehlo::ScatterOp>(op)) {
    for (Value operand : op->getOperands()) work.scalarOps += elementsOf(operand);
  } else if (auto window = llvm::dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    int64_t size = 1;
    for (int64_t dim : window.getWindowDimensions()) size *= dim;
    for (Value result : op->getResults()) work.scalarOps += size * elementsOf(result);
  } else if (llvm::isa<stablehlo::DynamicUpdateSliceOp>(op)) {
    work.scalarOps += elementsOf(op->getOperand(1));
  } else if (!llvm::isa<stablehlo::ConstantOp, stablehlo::ReshapeOp>(op)) {
    for (Value result : op->getResults()) work.scalarOps += weightOf(op) * elementsOf(result);
  }
}

// Bytes a unit reads of one operand: slices of it when nothing else reads it.
int64_t bytesRead(Value argument) {
  int64_t sliced = 0;
  for (mlir::OpOperand &use : argument.getUses()) {
    Operation *user = use.getOwner();
    bool slices = llvm::isa<stablehlo::SliceOp, stablehlo::DynamicSliceOp, stablehlo::GatherOp>(user);
    bool updated = llvm::isa<stablehlo::DynamicUpdateSliceOp>(user);
    if (use.getOperandNumber() != 0 || (!slices && !updated)) return bytesOf(argument.getType());
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

}  // namespace

llvm::FailureOr<CostModel> CostModel::forModule(mlir::ModuleOp module) {
  auto name = module->getAttrOfType<mlir::StringAttr>("tandem.target");
  llvm::Expected<Target> target = Target::named(name ? name.getValue() : "host");
  if (!target) return module.emitError() << llvm::toString(target.takeError()), mlir::failure();
  if (auto text = module->getAttrOfType<mlir::StringAttr>("tandem.emulated_link")) {
    llvm::Expected<Link> link = parseLink(text.getValue());
    if (!link) return module.emitError() << llvm::toString(link.takeError()), mlir::failure();
    for (Link &level : target->links) {
      level.latencyPicoseconds = link->latencyPicoseconds;
      level.bytesPerSecond = link->bytesPerSecond;
    }
  }
  return CostModel(std::move(*target));
}

bool CostModel::isCollective(Operation *op) {
  return llvm::isa<stablehlo::AllReduceOp, stablehlo::AllGatherOp, stablehlo::ReduceScatterOp,
                   stablehlo::AllToAllOp, stablehlo::CollectivePermuteOp,
                   stablehlo::CollectiveBroadcastOp>(op);
}

int64_t CostModel::groupSize(Operation *op) {
  if (llvm::isa<stablehlo::CollectivePermuteOp>(op)) return 2;
  auto groups = op->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups");
  if (!groups || groups.getType().getRank() != 2) return 1;
  return groups.getType().getDimSize(1);
}

int64_t CostModel::wireBytes(Operation *op) {
  int64_t bytes = 0;
  for (Value operand : op->getOperands()) bytes += bytesOf(operand.getType());
  int64_t size = std::max<int64_t>(groupSize(op), 1);
  if (llvm::isa<stablehlo::AllReduceOp>(op)) return 2 * bytes * (size - 1) / size;
  if (llvm::isa<stablehlo::AllGatherOp>(op)) return bytes * (size - 1);
  if (llvm::isa<stablehlo::ReduceScatterOp, stablehlo::AllToAllOp>(op))
    return bytes * (size - 1) / size;
  return bytes;
}

unsigned CostModel::linkLevel(Operation *op) const {
  auto groups = op->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups");
  if (llvm::isa<stablehlo::CollectivePermuteOp>(op))
    groups = op->getAttrOfType<mlir::DenseIntElementsAttr>("source_target_pairs");
  unsigned outermost = target.links.size() - 1;
  if (!groups || groups.getType().getRank() != 2) return outermost;
  int64_t size = std::max<int64_t>(groups.getType().getDimSize(1), 1);
  auto ids = llvm::to_vector(groups.getValues<int64_t>());
  for (unsigned level = 0; level < outermost; ++level) {
    int64_t span = target.links[level].devices;
    bool joined = true;
    for (size_t i = 0; i < ids.size() && span > 0; ++i)
      // Rows shorter than the longest group are padded with -1.
      if (ids[i] >= 0 && ids[i] / span != ids[i - i % size] / span) joined = false;
    if (joined) return level;
  }
  return outermost;
}

int64_t CostModel::tripCount(LoopOp loop) const {
  return loop.getTripCount() ? static_cast<int64_t>(*loop.getTripCount()) : target.defaultTripCount;
}

Work CostModel::work(Operation *op) const {
  Work work;
  if (llvm::isa<KernelOp, GemmOp, ConvOp, RematOp>(op)) {
    mlir::Block &body = op->getRegion(0).front();
    for (Operation &inner : body.without_terminator()) addElementWork(&inner, work);
    for (Value argument : body.getArguments()) work.memoryBytes += bytesRead(argument);
    for (Value yielded : body.getTerminator()->getOperands())
      work.memoryBytes += bytesWritten(yielded);
  } else if (llvm::isa<CallOp>(op)) {
    for (Value operand : op->getOperands()) work.memoryBytes += bytesOf(operand.getType());
    for (Value result : op->getResults()) work.memoryBytes += bytesOf(result.getType());
  } else if (auto copy = llvm::dyn_cast<CopyOp>(op)) {
    work.memoryBytes = 2 * bytesOf(copy.getOutput().getType());
  }
  return work;
}

int64_t CostModel::picoseconds(Operation *op) const {
  auto sumOf = [&](mlir::Region &region) {
    int64_t sum = 0;
    for (Operation &inner : region.getOps()) sum += picoseconds(&inner);
    return sum;
  };
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<KernelOp, CallOp, RematOp>([&](Operation *unit) {
        Work need = work(unit);
        // Dots inside kernels are plain loops, not a library's.
        return target.launchPicoseconds +
               std::max(picosecondsFor(need.memoryBytes, target.memoryBytesPerSecond),
                        picosecondsFor(need.scalarOps, target.scalarOpsPerSecond)) +
               picosecondsFor(need.matmulFlops, target.matmulRate("default"));
      })
      .Case<GemmOp, ConvOp>([&](Operation *unit) {
        Work need = work(unit);
        std::string element;
        llvm::raw_string_ostream(element)
            << llvm::cast<RankedTensorType>(unit->getOperand(0).getType()).getElementType();
        return target.launchPicoseconds +
               std::max(picosecondsFor(need.matmulFlops, target.matmulRate(element)),
                        picosecondsFor(need.memoryBytes, target.memoryBytesPerSecond));
      })
      .Case<CopyOp>([&](CopyOp copy) {
        return target.launchPicoseconds +
               picosecondsFor(bytesOf(copy.getOutput().getType()), target.copyBytesPerSecond);
      })
      .Case<StartOp>([&](StartOp start) {
        Operation *first = start.getCollective();
        if (!isCollective(first)) return picoseconds(first);
        int64_t wire = 0;
        for (Operation &inner : start.getBody().front().without_terminator())
          wire += wireBytes(&inner);
        return target.links[linkLevel(first)].picoseconds(wire);
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

}  // namespace tandem
