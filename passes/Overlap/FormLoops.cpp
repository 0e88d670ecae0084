// Turns stablehlo.while into tandem.loop.
//
//   1. Carried values that the body passes on unchanged become captures.
//   2. The trip count is worked out, if the counter's init, bound and step are constants.
//   3. The condition is cloned before the loop and at the body's end.

#include "passes/Overlap/Passes.h"

#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;

namespace tandem {
#define GEN_PASS_DEF_FORMLOOPSPASS
#include "passes/Overlap/Passes.h.inc"

namespace {

using Wide = __int128;
using stablehlo::ComparisonDirection;

/// The value of a constant integer scalar.
std::optional<int64_t> getConstant(Value value) {
  DenseIntElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) || attr.getNumElements() != 1)
    return std::nullopt;
  auto type = cast<IntegerType>(attr.getElementType());
  APInt bits = *attr.begin();
  if (type.isUnsigned())
    return bits.getActiveBits() < 64 ? std::optional<int64_t>(bits.getZExtValue()) : std::nullopt;
  return bits.getSExtValue();
}

/// A carried integer that goes from `init` in steps of `step` while `direction` `bound` holds.
struct Counter {
  int64_t init, step, bound;
  ComparisonDirection direction;
  IntegerType type;
};

/// How often the body runs, or nullopt if the counter wraps or never ends.
std::optional<int64_t> getTripCount(const Counter &counter) {
  Wide init = counter.init, step = counter.step, bound = counter.bound;
  Wide trips;
  auto ceilDiv = [](Wide a, Wide b) { return (a + b - 1) / b; };
  switch (counter.direction) {
  case ComparisonDirection::NE:
    if (step == 0 ? init != bound : (bound - init) % step != 0 || (bound - init) / step < 0)
      return std::nullopt;
    trips = step == 0 ? 0 : (bound - init) / step;
    break;
  case ComparisonDirection::EQ:
    if (init == bound && step == 0)
      return std::nullopt;
    trips = init == bound ? 1 : 0;
    break;
  case ComparisonDirection::GT:
  case ComparisonDirection::GE:
    init = -init, step = -step, bound = -bound;
    [[fallthrough]];
  case ComparisonDirection::LT:
  case ComparisonDirection::LE:
    if (counter.direction == ComparisonDirection::LE ||
        counter.direction == ComparisonDirection::GE)
      ++bound;
    if (init >= bound)
      trips = 0;
    else if (step <= 0)
      return std::nullopt;
    else
      trips = ceilDiv(bound - init, step);
    break;
  }
  unsigned bits = counter.type.getWidth();
  bool isUnsigned = counter.type.isUnsigned();
  Wide low = isUnsigned ? 0 : -(Wide(1) << (bits - 1));
  Wide high = isUnsigned ? (Wide(1) << bits) - 1 : (Wide(1) << (bits - 1)) - 1;
  Wide last = Wide(counter.init) + trips * Wide(counter.step);
  if (last < low || last > high || trips > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return static_cast<int64_t>(trips);
}

ComparisonDirection swapSides(ComparisonDirection direction) {
  switch (direction) {
  case ComparisonDirection::LT:
    return ComparisonDirection::GT;
  case ComparisonDirection::LE:
    return ComparisonDirection::GE;
  case ComparisonDirection::GT:
    return ComparisonDirection::LT;
  case ComparisonDirection::GE:
    return ComparisonDirection::LE;
  default:
    return direction;
  }
}

/// The counter that decides when `loop` ends.
std::optional<Counter> findCounter(stablehlo::WhileOp loop) {
  Block &cond = loop.getCond().front();
  auto compare = cond.getTerminator()->getOperand(0).getDefiningOp<stablehlo::CompareOp>();
  if (!compare)
    return std::nullopt;
  Value carried = compare.getLhs(), bound = compare.getRhs();
  ComparisonDirection direction = compare.getComparisonDirection();
  if (!isa<BlockArgument>(carried)) {
    std::swap(carried, bound);
    direction = swapSides(direction);
  }
  auto arg = dyn_cast<BlockArgument>(carried);
  auto tensor = cast<RankedTensorType>(carried.getType());
  auto type = dyn_cast<IntegerType>(tensor.getElementType());
  if (!arg || arg.getOwner() != &cond || !type || tensor.getRank() != 0)
    return std::nullopt;

  unsigned index = arg.getArgNumber();
  Block &body = loop.getBody().front();
  Operation *update = body.getTerminator()->getOperand(index).getDefiningOp();
  if (!isa_and_nonnull<stablehlo::AddOp, stablehlo::SubtractOp>(update))
    return std::nullopt;
  Value base = update->getOperand(0), amount = update->getOperand(1);
  if (isa<stablehlo::AddOp>(update) && amount == body.getArgument(index))
    std::swap(base, amount);
  std::optional<int64_t> init = getConstant(loop.getOperand()[index]);
  std::optional<int64_t> step = getConstant(amount);
  std::optional<int64_t> last = getConstant(bound);
  if (base != body.getArgument(index) || !init || !step || !last ||
      *step == std::numeric_limits<int64_t>::min())
    return std::nullopt;
  return Counter{*init, isa<stablehlo::AddOp>(update) ? *step : -*step, *last, direction, type};
}

struct FormLoopsPass : impl::FormLoopsPassBase<FormLoopsPass> {
  void runOnOperation() override {
    SmallVector<stablehlo::WhileOp> loops; // inner ones first
    getOperation().walk([&](stablehlo::WhileOp op) { loops.push_back(op); });
    // Outer loops first: what they capture makes more of the inner loops' inits constant.
    for (stablehlo::WhileOp loop : llvm::reverse(loops)) {
      for (Type type : loop->getResultTypes()) {
        if (!isa<RankedTensorType>(type)) {
          loop.emitError("expected a loop that carries tensors, found ") << type;
          return signalPassFailure();
        }
      }
      captureInvariants(loop);
      formLoop(loop);
      ++numLoops;
    }
  }

  /// 1. The value itself stays carried until formLoop leaves it out; nothing uses it.
  void captureInvariants(stablehlo::WhileOp loop) {
    Block &cond = loop.getCond().front(), &body = loop.getBody().front();
    Operation *end = body.getTerminator();
    for (unsigned i = 0, e = end->getNumOperands(); i < e; ++i) {
      Value init = loop.getOperand()[i];
      if (end->getOperand(i) != body.getArgument(i))
        continue;
      cond.getArgument(i).replaceAllUsesWith(init);
      body.getArgument(i).replaceUsesWithIf(init, [&](OpOperand &use) {
        return use.getOwner() != end || use.getOperandNumber() != i;
      });
      loop->getResult(i).replaceAllUsesWith(init);
      ++numInvariants;
    }
  }

  /// Clones the condition on `carried` at the builder's place and returns the predicate.
  static Value cloneCondition(OpBuilder &builder, Block &cond, ValueRange carried) {
    IRMapping mapping;
    mapping.map(cond.getArguments(), carried);
    for (Operation &op : cond.without_terminator())
      builder.clone(op, mapping);
    return mapping.lookupOrDefault(cond.getTerminator()->getOperand(0));
  }

  void formLoop(stablehlo::WhileOp source) {
    std::optional<Counter> counter = findCounter(source); // 2
    std::optional<int64_t> trips = counter ? getTripCount(*counter) : std::nullopt;

    Block &cond = source.getCond().front(), &oldBody = source.getBody().front();
    Operation *end = oldBody.getTerminator();
    SmallVector<unsigned> kept;
    for (unsigned i = 0, e = end->getNumOperands(); i < e; ++i)
      if (end->getOperand(i) != oldBody.getArgument(i))
        kept.push_back(i);
    auto select = [&](ValueRange values) {
      return llvm::map_to_vector(kept, [&](unsigned i) -> Value { return values[i]; });
    };

    OpBuilder builder(source);
    Value predicate = cloneCondition(builder, cond, source.getOperand()); // 3
    auto loop = LoopOp::create(builder, source.getLoc(), predicate, select(source.getOperand()));
    loop->setDiscardableAttrs(source->getDiscardableAttrDictionary());
    if (trips) {
      loop.setTripCount(*trips);
      ++numTripCounts;
    }

    Block &body = loop.getBody().front();
    SmallVector<Value> next(end->getOperands());
    for (auto [i, arg] : llvm::zip_equal(kept, body.getArguments()))
      oldBody.getArgument(i).replaceAllUsesWith(arg);
    // A yielded value may be another position's argument: swapped values.
    for (Value &value : next)
      if (auto arg = dyn_cast<BlockArgument>(value); arg && arg.getOwner() == &oldBody)
        value = end->getOperand(&value - next.data());
    body.getOperations().splice(body.end(), oldBody.getOperations());
    builder.setInsertionPoint(end);
    SmallVector<Value> yielded = {cloneCondition(builder, cond, next)};
    llvm::append_range(yielded, select(next));
    YieldOp::create(builder, end->getLoc(), yielded);
    end->erase();

    for (auto [i, result] : llvm::zip_equal(kept, loop.getOutputs()))
      source->getResult(i).replaceAllUsesWith(result);
    source.erase();
  }
};

} // namespace
} // namespace tandem
