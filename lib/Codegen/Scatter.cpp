// scatter: the operand, then the updates over it, one after the other in row-major order.
//
// A window that does not lie in the operand as a whole is skipped. Within a window all elements are
// different ones, so a window's last dimension may run in lanes.

#include "KernelEmitter.h"

using namespace mlir;
namespace hlo = mlir::stablehlo;

namespace tandem::codegen {

void KernelEmitter::emitScatter(hlo::ScatterOp op, ArrayRef<Buffer> to) {
  unsigned count = op.getInputs().size();
  for (unsigned n = 0; n < count; ++n)
    emitInto(op.getInputs()[n], wholeOf(to[n]));

  auto numbers = op.getScatterDimensionNumbers();
  Value indices = op.getScatterIndices();
  ArrayRef<int64_t> shape = to[0].shape, updateShape = shapeOf(op.getUpdates()[0]);
  if (elementsOf(updateShape) == 0 || elementsOf(shape) == 0)
    return;
  int64_t vectorDim = numbers.getIndexVectorDim();
  int64_t indicesRank = shapeOf(indices).size();

  // The updates' dimensions: those that walk over the indices, then those of a window.
  llvm::SmallVector<int64_t> scatterDims, scatterExtents, windowExtents;
  for (int64_t d = 0; d < int64_t(updateShape.size()); ++d)
    if (!llvm::is_contained(numbers.getUpdateWindowDims(), d)) {
      scatterDims.push_back(d);
      scatterExtents.push_back(updateShape[d]);
    }
  for (int64_t d : numbers.getUpdateWindowDims())
    windowExtents.push_back(updateShape[d]);
  // The operand's dimension of each window dimension.
  llvm::SmallVector<int64_t> windowToOperand;
  for (int64_t d = 0; d < int64_t(shape.size()); ++d)
    if (!llvm::is_contained(numbers.getInsertedWindowDims(), d) &&
        !llvm::is_contained(numbers.getInputBatchingDims(), d))
      windowToOperand.push_back(d);

  int last = int(windowExtents.size()) - 1;
  bool inLanes = last >= 0 && windowExtents[last] >= elements.lanes() / 2 &&
                 stridesOf(shape)[windowToOperand[last]] == 1;
  int updateLaneDim = last >= 0 ? int(numbers.getUpdateWindowDims()[last]) : -1;
  for (unsigned n = 0; n < count; ++n)
    inLanes = inLanes && !to[n].kind.isComplex() &&
              elements.supportsLanes(op.getUpdates()[n], {updateLaneDim, 1});

  k.nest(scatterExtents, [&](ValueRange batch) {
    // Where the window begins, and whether it lies inside.
    Values starts(shape.size(), k.index(0));
    Value isInside;
    for (auto [component, d] : llvm::enumerate(numbers.getScatterDimsToOperandDims())) {
      Index at;
      at.dims.assign(batch.begin(), batch.end());
      if (vectorDim < indicesRank)
        at.dims.insert(at.dims.begin() + vectorDim, k.index(component));
      Value start =
          s.resizeInt(elements.element(indices, at), 64, elementKind(indices).isUnsigned());
      starts[d] = start;
      int64_t window = 1;
      for (auto [w, operandDim] : llvm::enumerate(windowToOperand))
        if (operandDim == d)
          window = windowExtents[w];
      isInside = k.andI1(isInside, k.isBetween(start, 0, shape[d] - window + 1));
    }
    for (auto [b, d] : llvm::enumerate(numbers.getInputBatchingDims())) {
      int64_t dim = numbers.getScatterIndicesBatchingDims()[b];
      starts[d] = batch[dim > vectorDim ? dim - 1 : dim];
    }

    auto updateElement = [&](ValueRange outerWindow, Value at, int64_t lanes, Value mask) {
      Values window(outerWindow);
      if (last >= 0)
        window.push_back(at);
      Index from, into;
      from.dims.resize(updateShape.size());
      for (auto [d, iv] : llvm::zip_equal(scatterDims, batch))
        from.dims[d] = iv;
      into.dims = starts;
      for (auto [w, iv] : llvm::enumerate(window)) {
        from.dims[numbers.getUpdateWindowDims()[w]] = iv;
        Value &position = into.dims[windowToOperand[w]];
        position = k.addI(position, iv);
      }
      if (inLanes) {
        from.lane = {updateLaneDim, 1};
        into.lane = {int(windowToOperand[last]), 1};
        from.lanes = into.lanes = lanes;
        from.mask = into.mask = mask;
      }
      Values arguments;
      for (unsigned n = 0; n < count; ++n)
        arguments.push_back(elements.load(to[n], into, /*invariant=*/false));
      for (unsigned n = 0; n < count; ++n)
        arguments.push_back(elements.element(op.getUpdates()[n], from));
      Values results = elements.inlineRegion(op.getUpdateComputation(), arguments);
      for (auto [result, buffer] : llvm::zip_equal(results, to))
        elements.store(result, buffer, into);
    };
    auto updateWindow = [&] {
      if (last < 0)
        return updateElement({}, Value(), 1, Value());
      k.nest(ArrayRef(windowExtents).drop_back(), [&](ValueRange outer) {
        visitChunks(windowExtents[last], inLanes, 1, [&](Value at, int64_t lanes, Value mask) {
          updateElement(outer, at, lanes, mask);
        });
      });
    };
    if (isInside)
      k.when(isInside, updateWindow);
    else
      updateWindow();
  });
}

} // namespace tandem::codegen
