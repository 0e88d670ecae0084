// select_and_scatter: the initial value everywhere; then, for each element of the source, the
// place in its window that `select` prefers is found, and the element scattered there.
//
// Windows that are small, lie wholly inside and do not overlap (those of pooling) need no scatter:
// each place is written once, with the initial value or what scattering makes of it, many windows
// at a time along the last dimension.

#include "KernelEmitter.h"

using namespace mlir;
namespace hlo = mlir::stablehlo;

namespace tandem::codegen {
namespace {

/// The places of a window, at most so many, are written out one by one.
constexpr int64_t maxPlaces = 16;

} // namespace

bool KernelEmitter::scattersApart(hlo::SelectAndScatterOp op) {
  ArrayRef<int64_t> from = shapeOf(op.getSource()), to = shapeOf(op.getOperand());
  llvm::SmallVector<WindowDim> window = windowOf(op);
  if (window.empty() || window.back().size != 1 || window.back().stride != 1 ||
      elementKind(op.getOperand()).isComplex() || elementKind(op.getSource()).isComplex())
    return false;
  int64_t places = 1;
  for (auto [dim, count, size] : llvm::zip_equal(window, from, to)) {
    places *= dim.size;
    if (dim.padLow != 0 || dim.size > dim.stride || count == 0 ||
        (count - 1) * dim.stride + dim.size > size || from.back() != to.back())
      return false;
  }
  return places <= maxPlaces;
}

bool KernelEmitter::coversAll(hlo::SelectAndScatterOp op) {
  for (auto [dim, count, size] :
       llvm::zip_equal(windowOf(op), shapeOf(op.getSource()), shapeOf(op.getOperand())))
    if (dim.size != dim.stride || count * dim.stride != size)
      return false;
  return true;
}

void KernelEmitter::emitScatterApart(hlo::SelectAndScatterOp op, Buffer to, bool sliced) {
  Value operand = op.getOperand(), source = op.getSource();
  llvm::SmallVector<WindowDim> window = windowOf(op);
  int last = int(to.shape.size()) - 1;
  if (!coversAll(op))
    fill(elements.scalar(op.getInitValue()), wholeOf(to), to.shape);
  llvm::SmallVector<llvm::SmallVector<int64_t>> places = {{}};
  for (const WindowDim &dim : window) {
    llvm::SmallVector<llvm::SmallVector<int64_t>> longer;
    for (const llvm::SmallVector<int64_t> &place : places)
      for (int64_t at = 0; at < dim.size; ++at) {
        longer.push_back(place);
        longer.back().push_back(at);
      }
    places = std::move(longer);
  }
  bool inLanes = to.shape[last] >= elements.lanes() / 2 &&
                 elements.supportsLanes(operand, {last, 1}) &&
                 elements.supportsLanes(source, {last, 1});
  visitRows(shapeOf(source).drop_back(), sliced, [&](ValueRange outer) {
    visitChunks(to.shape[last], inLanes, 1, [&](Value at, int64_t lanes, Value mask) {
      auto lanesOf = [&](Index index) {
        if (inLanes) {
          index.lane = {last, 1};
          index.lanes = lanes;
          index.mask = mask;
        }
        return index;
      };
      auto splat = [&](Value value) { return s.splat(value, inLanes ? lanes : 1); };
      llvm::SmallVector<Index> indices;
      for (const llvm::SmallVector<int64_t> &place : places) {
        Index index;
        for (int d = 0; d < last; ++d)
          index.dims.push_back(k.addI(k.mulI(outer[d], window[d].stride), place[d]));
        index.dims.push_back(at);
        indices.push_back(lanesOf(index));
      }
      Value best = splat(elements.element(operand, indices[0])), chosen;
      for (size_t i = 1; i < indices.size(); ++i) {
        Value candidate = splat(elements.element(operand, indices[i]));
        Value stays = splat(elements.inlineRegion(op.getSelect(), {best, candidate})[0]);
        best = s.select(stays, best, candidate);
        Value number = splat(s.i(s.intType(32), i));
        chosen = s.select(stays, chosen ? chosen : splat(s.i(s.intType(32), 0)), number);
      }
      Index from;
      from.dims.assign(outer.begin(), outer.end());
      from.dims.push_back(at);
      Value init = splat(elements.scalar(op.getInitValue()));
      Value update = splat(elements.element(source, lanesOf(from)));
      Value scattered = splat(elements.inlineRegion(op.getScatter(), {init, update})[0]);
      for (size_t i = 0; i < indices.size(); ++i) {
        Value element = scattered;
        if (chosen)
          element = s.select(s.cmp(arith::CmpIPredicate::eq, chosen, i), scattered, init);
        elements.store(element, to, indices[i]);
      }
    });
  });
}

void KernelEmitter::emitSelectAndScatter(hlo::SelectAndScatterOp op, Buffer to) {
  Value operand = op.getOperand(), source = op.getSource();
  size_t rank = to.shape.size();
  if (elementsOf(to.shape) == 0)
    return;
  if (scattersApart(op))
    return emitScatterApart(op, to, mayBeSliced);
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
