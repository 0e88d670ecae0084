//===- StablehloDialect.cpp - registration of the stablehlo dialect -----------===//

#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/Transforms/InliningUtils.h"

#include "tandem/IR/StableHLO/StableHLODialect.cpp.inc"

using namespace mlir;
using namespace mlir::stablehlo;

namespace {

/// Functions are inlined into any region: no operation depends on where it stands.
struct StablehloInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

void StablehloDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerElementwiseOps();
  registerShapeOps();
  registerIndexingOps();
  registerReductionOps();
  registerContractionOps();
  registerCollectiveOps();
  registerControlOps();
  registerRandomOps();
  addInterfaces<StablehloInlinerInterface>();
}

Operation *StablehloDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                                 Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type || !isa<RankedTensorType>(type))
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}
