// Costs of ops, see FusionLimits.h.

#include "passes/Fuse/FusionLimits.h"

#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tandem {
namespace {

int64_t sizeOf(Value value) { return cast<RankedTensorType>(value.getType()).getNumElements(); }

} // namespace

int64_t elementCost(Operation *op) {
  int64_t cost =
      TypeSwitch<Operation *, int64_t>(op)
          .Case<stablehlo::ConstantOp, stablehlo::IotaOp, stablehlo::ReshapeOp,
                stablehlo::BroadcastInDimOp, stablehlo::TransposeOp, stablehlo::SliceOp,
                stablehlo::ReverseOp, stablehlo::BitcastConvertOp, stablehlo::RealOp,
                stablehlo::ImagOp, stablehlo::ComplexOp>([](auto) { return 0; })
          .Case<stablehlo::ConcatenateOp, stablehlo::PadOp, stablehlo::GatherOp,
                stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp, stablehlo::ClampOp>(
              [](auto) { return 2; })
          .Case<stablehlo::DivOp, stablehlo::RemOp, stablehlo::SqrtOp, stablehlo::RsqrtOp>(
              [](auto) { return 4; })
          .Case<stablehlo::ExpOp, stablehlo::Expm1Op, stablehlo::LogOp, stablehlo::Log1pOp,
                stablehlo::LogisticOp, stablehlo::TanhOp, stablehlo::TanOp, stablehlo::SineOp,
                stablehlo::CosineOp, stablehlo::PowOp, stablehlo::Atan2Op, stablehlo::CbrtOp>(
              [](auto) { return 16; })
          .Default([](Operation *other) {
            // Of chlo, all but a few are functions with long expansions.
            return isa<chlo::ChloDialect>(other->getDialect()) &&
                           other->getName().getStringRef() != "chlo.square"
                       ? 16
                       : 1;
          });
  Type element = op->getNumResults() != 0
                     ? cast<RankedTensorType>(op->getResult(0).getType()).getElementType()
                     : Type();
  return element && isa<ComplexType>(element) ? 4 * cost : cost;
}

int64_t loopTurns(Operation *op) {
  return TypeSwitch<Operation *, int64_t>(op)
      .Case<stablehlo::ReduceOp>([](stablehlo::ReduceOp reduce) {
        return std::max<int64_t>(1, sizeOf(reduce.getInputs().front()) /
                                        std::max<int64_t>(1, sizeOf(reduce->getResult(0))));
      })
      .Case<stablehlo::DotGeneralOp>([](stablehlo::DotGeneralOp dot) {
        auto lhs = cast<RankedTensorType>(dot.getLhs().getType());
        int64_t turns = 1;
        for (int64_t dim : dot.getDotDimensionNumbers().getLhsContractingDimensions())
          turns *= lhs.getDimSize(dim);
        return turns;
      })
      .Case<stablehlo::ConvolutionOp>([](stablehlo::ConvolutionOp conv) {
        // Each element of the result reads the kernel once, one output feature of it.
        auto kernel = cast<RankedTensorType>(conv.getRhs().getType());
        int64_t features =
            kernel.getDimSize(conv.getDimensionNumbers().getKernelOutputFeatureDimension());
        return std::max<int64_t>(1, kernel.getNumElements() / std::max<int64_t>(1, features));
      })
      .Case<stablehlo::ReduceWindowOp>([](stablehlo::ReduceWindowOp window) {
        int64_t turns = 1;
        for (int64_t size : window.getWindowDimensions())
          turns *= size;
        return turns;
      })
      .Default([](Operation *) { return 1; });
}

} // namespace tandem
