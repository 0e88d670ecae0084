//===- RegisterPasses.cpp - the passes that tandem-opt offers -------------------===//
//
// One include and one line per area of passes, in the order of the phases; the area's library
// is added to this folder's CMakeLists.txt.
//
//===----------------------------------------------------------------------===//

#include "RegisterPasses.h"

#include "mlir/Transforms/Passes.h"
#include "passes/Pipeline.h"

void tandem::registerAllPasses() {
  mlir::registerTransformsPasses();
  tandem::registerPipelines();
}
