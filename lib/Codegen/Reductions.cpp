// Elements that take a loop: reduce, reduce_window, dot_general, convolution.
//
// Where a reduction's operand lies contiguously along the innermost reduced dimension (or all
// reduced dimensions together), it runs in vector registers: some accumulators side by side, put
// together at the end, the rest under a mask. The order is fixed by the shape alone. Sums in narrow
// floats accumulate in f32 and are rounded once; those of windows are rounded at each step, so that
// a cumulative sum does not depend on how it is written.

#include "Elements.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
namespace hlo = mlir::stablehlo;

namespace tandem::codegen {
namespace {

/// Loops over all `extents`, carrying values.
Values carryingNest(KernelBuilder &k, ArrayRef<int64_t> extents, ValueRange inits,
                    llvm::function_ref<Values(ArrayRef<Value> ivs, ValueRange carried)> body) {
  Values ivs;
  std::function<Values(ValueRange)> descend = [&](ValueRange carried) {
    if (ivs.size() == extents.size())
      return body(ivs, carried);
    return k.loop(0, extents[ivs.size()], 1, carried, [&](Value iv, ValueRange inside) {
      ivs.push_back(iv);
      Values results = descend(inside);
      ivs.pop_back();
      return results;
    });
  };
  return descend(inits);
}

/// What a combiner does, in registers that are not rounded.
struct Combiner {
  Operation *op;
  ElementKind kind;

  bool isAdd() const { return isa<hlo::AddOp>(op); }
  bool isMul() const { return isa<hlo::MulOp>(op); }
  bool isMax() const { return isa<hlo::MaxOp>(op); }
  bool isMin() const { return isa<hlo::MinOp>(op); }

  Value combine(ScalarEmitter &s, Value a, Value b) const {
    Value values[] = {a, b};
    s.unify(values);
    if (kind.isComplex())
      return s.emit(op, values);
    if (isAdd())
      return s.addAny(values[0], values[1], kind);
    if (isMul())
      return s.mulAny(values[0], values[1], kind);
    if (isMax())
      return s.maxAny(values[0], values[1], kind);
    if (isMin())
      return s.minAny(values[0], values[1], kind);
    return s.emit(op, values);
  }

  /// x such that combine(x, y) is y.
  Value identity(ScalarEmitter &s, KernelBuilder &k) const {
    double inf = std::numeric_limits<double>::infinity();
    Type reg = kind.reg;
    if (kind.isFloat()) {
      double value = isAdd() ? -0.0 : isMul() ? 1.0 : isMax() ? -inf : inf;
      return k.make<arith::ConstantOp>(FloatAttr::get(reg, value));
    }
    unsigned width = kind.width();
    llvm::APInt value = llvm::APInt::getZero(width); // add, or, xor
    if (isMul())
      value = llvm::APInt(width, 1);
    else if (isa<hlo::AndOp>(op))
      value = llvm::APInt::getAllOnes(width);
    else if (isMax())
      value = kind.isUnsigned() ? value : llvm::APInt::getSignedMinValue(width);
    else if (isMin())
      value = kind.isUnsigned() ? llvm::APInt::getMaxValue(width)
                                : llvm::APInt::getSignedMaxValue(width);
    return k.make<arith::ConstantOp>(IntegerAttr::get(reg, value));
  }

  Value acrossLanes(KernelBuilder &k, Value vector) const {
    using vector::CombiningKind;
    CombiningKind how;
    if (isa<hlo::AndOp>(op) || (kind.isBool() && (isMul() || isMin())))
      how = CombiningKind::AND;
    else if (isa<hlo::OrOp>(op) || (kind.isBool() && (isAdd() || isMax())))
      how = CombiningKind::OR;
    else if (isa<hlo::XorOp>(op))
      how = CombiningKind::XOR;
    else if (isAdd())
      how = CombiningKind::ADD;
    else if (isMul())
      how = CombiningKind::MUL;
    else if (kind.isFloat())
      how = isMax() ? CombiningKind::MAXIMUMF : CombiningKind::MINIMUMF;
    else if (kind.isUnsigned())
      how = isMax() ? CombiningKind::MAXUI : CombiningKind::MINUI;
    else
      how = isMax() ? CombiningKind::MAXSI : CombiningKind::MINSI;
    return k.make<vector::ReductionOp>(how, vector, arith::FastMathFlags::reassoc);
  }
};

/// A reduction over loops of `extents`, the last of them `lanes` at a time, giving a vector of
/// partial results. `step` folds what stands at `inner` (`mask`: in these lanes only, null for all)
/// into `sum`; `join` puts two vectors of partial results together.
Value reduceLanes(KernelBuilder &k, ScalarEmitter &s, ArrayRef<int64_t> extents, int64_t lanes,
                  int64_t unroll, Value identity, llvm::function_ref<Value(int64_t)> maskOf,
                  llvm::function_ref<Value(ArrayRef<Value> inner, Value mask, Value sum)> step,
                  llvm::function_ref<Value(Value, Value)> join) {
  int64_t count = extents.back();
  if (count < 2 * lanes * unroll)
    unroll = 1;
  int64_t mainEnd = count - count % (lanes * unroll), wholeEnd = count - count % lanes;
  Values inits(unroll, s.splat(identity, lanes));
  Values sums =
      carryingNest(k, extents.drop_back(), inits, [&](ArrayRef<Value> outer, ValueRange carried) {
        Values inner(outer);
        inner.push_back(Value());
        Values partial =
            k.loop(0, mainEnd, lanes * unroll, carried, [&](Value at, ValueRange sums) {
              Values next;
              for (int64_t u = 0; u < unroll; ++u) {
                inner.back() = k.addI(at, u * lanes);
                next.push_back(step(inner, Value(), sums[u]));
              }
              return next;
            });
        partial[0] = k.loop(k.index(mainEnd), k.index(wholeEnd), lanes, ValueRange{partial[0]},
                            [&](Value at, ValueRange sums) {
                              inner.back() = at;
                              return Values{step(inner, Value(), sums[0])};
                            })[0];
        if (wholeEnd < count) {
          Value mask = maskOf(count - wholeEnd);
          inner.back() = k.index(wholeEnd);
          partial[0] = s.select(mask, step(inner, mask, partial[0]), partial[0]);
        }
        return partial;
      });
  while (sums.size() > 1) {
    for (size_t i = 0; i < sums.size() / 2; ++i)
      sums[i] = join(sums[i], sums[i + sums.size() / 2]);
    sums.resize(sums.size() / 2);
  }
  return sums[0];
}

int64_t unrollFor(int64_t weight) { return weight <= 4 ? 4 : weight <= 20 ? 2 : 1; }

} // namespace

//===--- reduce ---===//

Values Elements::reduceElement(hlo::ReduceOp op, const Index &index) {
  Operation *combiner = op.getInputs().size() == 1 ? combinerOf(op.getBody()) : nullptr;
  if (combiner && !index.lane)
    if (Value result = reduceInLanes(op, index, combiner))
      return {result};
  return reduceSerially(op, index);
}

Values Elements::reduceSerially(hlo::ReduceOp op, const Index &index) {
  unsigned count = op.getInputs().size();
  Operation *combinerOp = count == 1 ? combinerOf(op.getBody()) : nullptr;
  ElementKind kind = elementKind(op.getResult(0));
  Values inits;
  for (Value init : op.getInitValues())
    inits.push_back(splatFor(scalar(init), index));
  Values results =
      carryingNest(k, innerExtents(op), inits, [&](ArrayRef<Value> inner, ValueRange carried) {
        Values arguments(carried);
        for (unsigned n = 0; n < count; ++n)
          arguments.push_back(element(op.getInputs()[n], operandIndex(op, n, index, inner).first));
        if (combinerOp)
          return Values{
              splatFor(Combiner{combinerOp, kind}.combine(s, arguments[0], arguments[1]), index)};
        Values next = inlineRegion(op.getBody(), arguments);
        for (Value &value : next)
          value = splatFor(value, index);
        return next;
      });
  if (combinerOp)
    results[0] = s.round(results[0], kind);
  return results;
}

Value Elements::reduceInLanes(hlo::ReduceOp op, const Index &index, Operation *combinerOp) {
  Value input = op.getInputs()[0];
  Combiner combiner{combinerOp, elementKind(op.getResult(0))};
  if (combiner.kind.isComplex() || op.getDimensions().empty())
    return nullptr;
  ArrayRef<int64_t> shape = shapeOf(input);
  llvm::SmallVector<int64_t> extents = innerExtents(op);
  // Reduced dimensions that are the last ones together count as one.
  int64_t firstReduced = *llvm::min_element(op.getDimensions());
  bool isTrailing = true;
  for (int64_t d = firstReduced; d < int64_t(shape.size()); ++d)
    isTrailing &= shape[d] == 1 || llvm::is_contained(op.getDimensions(), d);
  bool fillsRow = llvm::any_of(kept, [&](auto &entry) { return entry.second.reduce == op; });
  bool isLinear = isTrailing && !fillsRow && supportsLinearLanes(input);
  Lane innermost;
  if (!isLinear) {
    auto lane = operandLane(op, 0, Lane(), extents.size() - 1);
    if (!lane || !*lane || !supportsLanes(input, *lane, /*mayGather=*/false))
      return nullptr;
    innermost = *lane;
  }
  Value base;
  if (isLinear) {
    int64_t count = elementsOf(extents);
    // Where the reduced part begins: the kept dimensions before it, the reduced ones zero.
    Values zeros(extents.size(), k.index(0));
    base = positionOf(shape, operandIndex(op, 0, index, zeros).first);
    extents = {count};
  }
  if (extents.back() < lanes() / 2 || elementsOf(extents) == 0)
    return nullptr;
  auto join = [&](Value a, Value b) { return combiner.combine(s, a, b); };
  Value partial = reduceLanes(
      k, s, extents, lanes(), unrollFor(weightOf(input)), combiner.identity(s, k),
      [&](int64_t count) { return maskOf(count); },
      [&](ArrayRef<Value> inner, Value mask, Value sum) {
        Index at;
        if (isLinear) {
          at.linear = k.addI(base, inner[0]);
          at.lane = {0, 1};
        } else {
          at = operandIndex(op, 0, index, inner).first;
          at.lane = innermost;
        }
        at.lanes = lanes();
        at.mask = mask;
        return join(sum, s.splat(element(input, at), lanes()));
      },
      join);
  Value result = combiner.acrossLanes(k, partial);
  return s.round(join(scalar(op.getInitValues()[0]), result), combiner.kind);
}

Values Elements::reduceWindowElement(hlo::ReduceWindowOp op, const Index &index) {
  unsigned count = op.getInputs().size();
  Operation *combinerOp = count == 1 ? combinerOf(op.getBody()) : nullptr;
  ElementKind kind = elementKind(op.getResult(0));
  Values inits;
  for (Value init : op.getInitValues())
    inits.push_back(splatFor(scalar(init), index));
  Values results =
      carryingNest(k, innerExtents(op), inits, [&](ArrayRef<Value> inner, ValueRange carried) {
        auto fold = [&] {
          Values arguments(carried);
          for (unsigned n = 0; n < count; ++n)
            arguments.push_back(
                element(op.getInputs()[n], operandIndex(op, n, index, inner).first));
          Values next;
          if (combinerOp) {
            Combiner combiner{combinerOp, kind};
            next = {s.round(combiner.combine(s, arguments[0], arguments[1]), kind)};
          } else {
            next = inlineRegion(op.getBody(), arguments);
          }
          for (Value &value : next)
            value = splatFor(value, index);
          return next;
        };
        Value isInside = operandIndex(op, 0, index, inner).second;
        if (!isInside)
          return fold();
        return k.branch(isInside, TypeRange(carried), fold, [&] { return Values(carried); });
      });
  return results;
}

//===--- Products ---===//

Value Elements::multiplyAdd(Value a, Value b, Value sum, const ElementKind &kind) {
  Value values[] = {a, b, sum};
  s.unify(values);
  if (kind.isComplex()) {
    Value product = k.make<complex::MulOp>(values[0], values[1]);
    return k.make<complex::AddOp>(values[2], product);
  }
  return s.addAny(values[2], s.mulAny(values[0], values[1], kind), kind);
}

Value Elements::productElement(Operation *op, const Index &index) {
  ElementKind kind = elementKind(op->getResult(0));
  llvm::SmallVector<int64_t> extents = innerExtents(op);
  auto operandAt = [&](unsigned number, const Index &at) {
    Value operand = op->getOperand(number);
    return s.convert(element(operand, at), elementKind(operand), kind);
  };
  auto add = [&](Value a, Value b) { return s.addAny(a, b, kind); };

  // In lanes along the last loop, where both operands are contiguous.
  bool inLanes = !index.lane && !kind.isComplex() && !extents.empty() && elementsOf(extents) > 0 &&
                 extents.back() >= lanes() / 2;
  std::optional<Lane> operandLanes[2];
  for (unsigned number = 0; inLanes && number < 2; ++number) {
    operandLanes[number] = operandLane(op, number, Lane(), extents.size() - 1);
    inLanes = operandLanes[number] && *operandLanes[number] &&
              supportsLanes(op->getOperand(number), *operandLanes[number], /*mayGather=*/false);
  }
  if (inLanes) {
    int64_t weight = weightOf(op->getOperand(0)) + weightOf(op->getOperand(1));
    Value partial = reduceLanes(
        k, s, extents, lanes(), unrollFor(weight), s.zero(kind),
        [&](int64_t count) { return maskOf(count); },
        [&](ArrayRef<Value> inner, Value mask, Value sum) {
          // A convolution's padding is the same for all lanes, as operandLane refuses others.
          auto [lhsAt, isInside] = operandIndex(op, 0, index, inner);
          auto fold = [&, lhsAt = lhsAt] {
            Index at[2] = {lhsAt, operandIndex(op, 1, index, inner).first};
            Value values[2];
            for (unsigned number = 0; number < 2; ++number) {
              at[number].lane = *operandLanes[number];
              at[number].lanes = lanes();
              at[number].mask = mask;
              values[number] = operandAt(number, at[number]);
            }
            return Values{s.splat(multiplyAdd(values[0], values[1], sum, kind), lanes())};
          };
          if (!isInside)
            return fold()[0];
          return k.branch(isInside, TypeRange{sum.getType()}, fold, [&] { return Values{sum}; })[0];
        },
        add);
    auto how = kind.isBool() ? vector::CombiningKind::OR : vector::CombiningKind::ADD;
    return s.round(k.make<vector::ReductionOp>(how, partial, arith::FastMathFlags::reassoc), kind);
  }

  Value zero = splatFor(s.zero(kind), index);
  Value sum =
      carryingNest(k, extents, ValueRange{zero}, [&](ArrayRef<Value> inner, ValueRange carried) {
        auto [lhsAt, isInside] = operandIndex(op, 0, index, inner);
        auto fold = [&, lhsAt = lhsAt] {
          Value lhs = operandAt(0, lhsAt);
          Value rhs = operandAt(1, operandIndex(op, 1, index, inner).first);
          return Values{splatFor(multiplyAdd(lhs, rhs, carried[0], kind), index)};
        };
        if (!isInside)
          return fold();
        return k.branch(isInside, TypeRange(carried), fold, [&] { return Values(carried); });
      })[0];
  return s.round(sum, kind);
}

} // namespace tandem::codegen
