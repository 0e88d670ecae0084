// sort: each row by merging, bottom up; stable, whatever `is_stable` says.
//
// The operands are written to the results' buffers first. A row is copied to contiguous scratch,
// and merged to and fro between two such, in runs of 1, 2, 4, ...; then written back.

#include "KernelEmitter.h"

using namespace mlir;
namespace hlo = mlir::stablehlo;

namespace tandem::codegen {

void KernelEmitter::emitSort(hlo::SortOp op, ArrayRef<Buffer> to) {
  unsigned count = op.getInputs().size();
  for (unsigned n = 0; n < count; ++n)
    emitInto(op.getInputs()[n], wholeOf(to[n]));
  ArrayRef<int64_t> shape = to[0].shape;
  int64_t rank = shape.size();
  int64_t dim = op.getDimension() < 0 ? op.getDimension() + rank : op.getDimension();
  int64_t size = shape[dim];
  if (size <= 1 || elementsOf(shape) == 0)
    return;

  llvm::SmallVector<Buffer> rows;
  for (int side = 0; side < 2; ++side)
    for (unsigned n = 0; n < count; ++n)
      rows.push_back(scratch(to[n].kind.element, {size}));
  auto loadAt = [&](unsigned n, Value base, Value at) {
    Index index;
    index.linear = at;
    return elements.load({base, {size}, to[n].kind}, index, /*invariant=*/false);
  };
  auto storeAt = [&](unsigned n, Value base, Value at, Value element) {
    Index index;
    index.linear = at;
    elements.store(element, {base, {size}, to[n].kind}, index);
  };
  auto min = [&](Value a, Value b) { return k.make<arith::MinSIOp>(a, b); };
  auto less = [&](Value a, Value b) {
    return k.make<arith::CmpIOp>(arith::CmpIPredicate::slt, a, b);
  };
  Value end = k.index(size), lastAt = k.index(size - 1);

  llvm::SmallVector<int64_t> others(shape);
  others[dim] = 1;
  k.nest(others, [&](ValueRange outer) {
    auto rowIndex = [&](Value at) {
      Index index;
      index.dims.assign(outer.begin(), outer.end());
      index.dims[dim] = at;
      return index;
    };
    k.loop(0, size, 1, [&](Value at) {
      for (unsigned n = 0; n < count; ++n)
        storeAt(n, rows[n].base, at, elements.load(to[n], rowIndex(at), /*invariant=*/false));
    });

    // Merges runs [low, middle) and [middle, high) of `from` into `into`.
    auto merge = [&](Value low, Value middle, Value high, ArrayRef<Value> from,
                     ArrayRef<Value> into) {
      k.loop(low, high, 1, ValueRange{low, middle}, [&](Value out, ValueRange heads) {
        Value left = heads[0], right = heads[1];
        Values lefts, rights, arguments;
        for (unsigned n = 0; n < count; ++n) {
          lefts.push_back(loadAt(n, from[n], min(left, lastAt)));
          rights.push_back(loadAt(n, from[n], min(right, lastAt)));
          // The comparator's arguments come in pairs; the right one goes first only if it is
          // less, so that equal ones keep their order.
          arguments.push_back(rights.back());
          arguments.push_back(lefts.back());
        }
        Value isLess = elements.inlineRegion(op.getComparator(), arguments)[0];
        Value leftIsOut = k.make<arith::CmpIOp>(arith::CmpIPredicate::sge, left, middle);
        Value takesRight =
            k.make<arith::AndIOp>(less(right, high), k.make<arith::OrIOp>(leftIsOut, isLess));
        for (unsigned n = 0; n < count; ++n)
          storeAt(n, into[n], out, s.select(takesRight, rights[n], lefts[n]));
        Value one = k.index(1);
        return Values{s.select(takesRight, left, k.addI(left, one)),
                      s.select(takesRight, k.addI(right, one), right)};
      });
    };

    // Carried: the width of the runs, the buffers to read, those to write.
    Values inits{k.index(1)};
    for (const Buffer &row : rows)
      inits.push_back(row.base);
    Values sorted = k.whileLoop(
        inits, [&](ValueRange carried) { return less(carried[0], end); },
        [&](ValueRange carried) {
          Value width = carried[0];
          Values from(carried.slice(1, count)), into(carried.slice(1 + count, count));
          k.whileLoop(
              ValueRange{k.index(0)}, [&](ValueRange low) { return less(low[0], end); },
              [&](ValueRange low) {
                Value middle = min(k.addI(low[0], width), end);
                Value high = min(k.addI(middle, width), end);
                merge(low[0], middle, high, from, into);
                return Values{high};
              });
          Values next{k.addI(width, width)};
          next.append(into);
          next.append(from);
          return next;
        });
    k.loop(0, size, 1, [&](Value at) {
      for (unsigned n = 0; n < count; ++n)
        elements.store(loadAt(n, sorted[1 + n], at), to[n], rowIndex(at));
    });
  });
}

} // namespace tandem::codegen
