//===- ChloOps.cpp - the chlo dialect -----------------------------------------===//

#include "tandem/IR/StableHLO/ChloOps.h"

#include "mlir/Transforms/InliningUtils.h"

#include "tandem/IR/StableHLO/ChloDialect.cpp.inc"

using namespace mlir;
using namespace mlir::chlo;

#define GET_OP_CLASSES
#include "tandem/IR/StableHLO/ChloOps.cpp.inc"

namespace {

struct ChloInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

void ChloDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tandem/IR/StableHLO/ChloOps.cpp.inc"
      >();
  addInterfaces<ChloInlinerInterface>();
}
