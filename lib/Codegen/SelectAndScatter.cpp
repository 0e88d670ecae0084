// select_and_scatter: the initial value everywhere; then, for each element of the source, the
// place in its window that `select` prefers is found, and the element scattered there.

#include "KernelEmitter.h"

using namespace mlir;
namespace hlo = mlir::stablehlo;

namespace tandem::codegen {

void KernelEmitter::emitSelectAndScatter(hlo::SelectAndScatterOp op, Buffer to) {
  Value operand = op.getOperand(), source = op.getSource();
  size_t rank = to.shape.size();
  if (elementsOf(to.shape) == 0)
    return;
  fill(elements.scalar(op.getInitValue()), wholeOf(to), to.shape);
  llvm::SmallVector<WindowDim> window = windowOf(op);
  llvm::SmallVector<int64_t> windowShape;
  for (const WindowDim &dim : window)
    windowShape.push_back(dim.size);

  k.nest(shapeOf(source), [&](ValueRange at) {
    // Carried through the window: whether any place was inside, the best value, its place.
    Values best{s.i(s.intType(1), 0), s.zero(elementKind(operand))};
    best.append(rank, k.index(0));
    Values ivs;
    std::function<Values(ValueRange)> descend = [&](ValueRange carried) -> Values {
      if (ivs.size() < rank)
        return k.loop(0, windowShape[ivs.size()], 1, carried, [&](Value iv, ValueRange inside) {
          ivs.push_back(iv);
          Values results = descend(inside);
          ivs.pop_back();
          return results;
        });
      Index place;
      Value isInside;
      for (size_t d = 0; d < rank; ++d) {
        Value position = k.addI(k.addI(k.mulI(at[d], window[d].stride), ivs[d]), -window[d].padLow);
        isInside = k.andI1(isInside, k.isBetween(position, 0, to.shape[d]));
        place.dims.push_back(position);
      }
      return k.branch(
          isInside, TypeRange(carried),
          [&] {
            Value candidate = elements.element(operand, place);
            Value staysBest = elements.inlineRegion(op.getSelect(), {carried[1], candidate})[0];
            Value keeps = k.make<arith::AndIOp>(carried[0], staysBest);
            Values next{s.i(s.intType(1), -1), s.select(keeps, carried[1], candidate)};
            for (size_t d = 0; d < rank; ++d)
              next.push_back(s.select(keeps, carried[2 + d], place.dims[d]));
            return next;
          },
          [&] { return Values(carried); });
    };
    Values found = descend(best);
    k.when(found[0], [&] {
      Index place, from;
      place.dims.assign(found.begin() + 2, found.end());
      from.dims.assign(at.begin(), at.end());
      Value old = elements.load(to, place, /*invariant=*/false);
      Value update = elements.element(source, from);
      elements.store(elements.inlineRegion(op.getScatter(), {old, update})[0], to, place);
    });
  });
}

} // namespace tandem::codegen
