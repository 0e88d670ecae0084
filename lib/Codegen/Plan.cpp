// Which values a kernel writes to memory, and when.

#include "Plan.h"

#include "ElementKind.h"
#include "IndexMaps.h"

#include "tandem/Codegen/KernelOps.h"

using namespace mlir;
namespace hlo = mlir::stablehlo;

namespace tandem::codegen {
namespace {

/// What writing an element to memory and reading it again costs, in simple ops.
constexpr double memoryWeight = 24;
constexpr double functionWeight = 15;

/// Index maps over loop levels: the innermost loop that an index depends on.
struct LoopLevel {
  using Expr = int;
  llvm::SmallVector<std::pair<Value, llvm::SmallVector<int>>> loads;

  Expr constant(int64_t) { return -1; }
  Expr add(Expr a, Expr b) { return std::max(a, b); }
  Expr add(Expr a, int64_t) { return a; }
  Expr sub(Expr a, Expr b) { return std::max(a, b); }
  Expr mul(Expr a, int64_t) { return a; }
  Expr div(Expr a, int64_t) { return a; }
  Expr rem(Expr a, int64_t) { return a; }
  Expr loaded(Value indices, ArrayRef<Expr> at, int64_t) {
    loads.push_back({indices, llvm::SmallVector<int>(at)});
    Expr level = -1;
    for (Expr e : at)
      level = std::max(level, e);
    return level;
  }
  Expr guarded(Expr position, int64_t, int64_t, bool) { return position; }
};

bool isCheapArithmetic(Operation *op) {
  StringRef name = op->getName().stripDialect();
  return llvm::is_contained(
      {"add",       "subtract", "multiply", "divide",     "maximum",
       "minimum",   "and",      "or",       "xor",        "not",
       "negate",    "abs",      "select",   "compare",    "convert",
       "sqrt",      "rsqrt",    "square",   "clamp",      "sign",
       "is_finite", "floor",    "ceil",     "shift_left", "shift_right_logical"},
      name);
}

} // namespace

bool isBufferOp(Operation *op) {
  return isa<hlo::RngBitGeneratorOp, hlo::ScatterOp, hlo::SortOp, hlo::SelectAndScatterOp>(op);
}

bool isWindowOp(Operation *op) {
  if (auto pad = dyn_cast<hlo::PadOp>(op))
    return llvm::all_of(pad.getEdgePaddingLow(), [](int64_t p) { return p >= 0; }) &&
           llvm::all_of(pad.getEdgePaddingHigh(), [](int64_t p) { return p >= 0; });
  return isa<hlo::ConcatenateOp, hlo::DynamicUpdateSliceOp>(op);
}

Plan::Plan(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  countWeights(body);
  for (Value result : body.getTerminator()->getOperands())
    if (isa<OpResult>(result))
      written.insert(result);
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    if (isBufferOp(&op)) {
      bool isUsed = llvm::any_of(op.getResults(),
                                 [&](Value v) { return written.contains(v) || uses.contains(v); });
      if (!isUsed)
        continue;
      for (Value result : op.getResults())
        written.insert(result);
      propagateBufferOp(&op);
      continue;
    }
    for (Value result : op.getResults()) {
      if (!written.contains(result) && isTooOften(result))
        written.insert(result);
      if (written.contains(result)) {
        Use own;
        own.loops.assign(shapeOf(result).begin(), shapeOf(result).end());
        for (unsigned d = 0; d < own.loops.size(); ++d)
          own.levels.push_back(d);
        propagate(result, own);
        continue;
      }
      // A copy: propagating adds to `uses`, which may move them.
      for (const Use &use : uses.lookup(result)) {
        if (!isElemental(&op))
          loopingLevel = std::min(loopingLevel, use.innermost());
        propagate(result, use);
      }
    }
  }
  orderSteps(body);
}

int Plan::Use::innermost() const {
  int innermost = -1;
  for (int level : levels)
    innermost = std::max(innermost, level);
  return innermost;
}

double Plan::Use::evaluations() const {
  double count = share;
  for (int64_t extent : ArrayRef(loops).take_front(innermost() + 1))
    count *= extent;
  return count;
}

void Plan::countWeights(Block &body) {
  for (Operation &op : body.without_terminator()) {
    double own = isElementwise(&op) ? (isCheapArithmetic(&op) ? 1 : functionWeight) : 0;
    double operands = 0;
    for (Value operand : op.getOperands())
      operands += weights.lookup(operand);
    double turns = isElemental(&op) ? 1 : 2 + elementsOf(innerExtents(&op));
    if (!isElemental(&op))
      own = 1;
    for (Value result : op.getResults())
      weights[result] = std::min(1e9, own * turns + operands * turns);
  }
}

bool Plan::isTooOften(Value value) const {
  auto found = uses.find(value);
  if (found == uses.end())
    return false;
  double evaluations = 0;
  for (const Use &use : found->second)
    evaluations += use.evaluations();
  double elements = elementsOf(shapeOf(value)), weight = weights.lookup(value);
  // Recomputing dearer than computing once, writing, and reading.
  return evaluations * weight > elements * (weight + memoryWeight) + evaluations * 2;
}

void Plan::addUse(Value value, Use use) {
  if (!isa<OpResult>(value))
    return;
  auto &known = uses[value];
  // Two uses at one place share an element.
  if (!llvm::is_contained(known, use))
    known.push_back(std::move(use));
}

void Plan::propagate(Value value, const Use &use) {
  Operation *op = value.getDefiningOp();
  LoopLevel levels;
  IndexMap<LoopLevel> map(levels);
  Use at = use;
  llvm::SmallVector<int> inner;
  llvm::SmallVector<int64_t> extents = innerExtents(op);
  if (!isElemental(op)) {
    // Its loops stand inside those on which its index depends, and no others.
    int innermost = -1;
    for (int level : use.levels)
      innermost = std::max(innermost, level);
    at.loops.truncate(innermost + 1);
    for (int64_t extent : extents) {
      inner.push_back(at.loops.size());
      at.loops.push_back(extent);
    }
  }
  double elements = std::max<int64_t>(1, elementsOf(shapeOf(value)));
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    Use asked = at;
    // Start indices are asked for by the index map of operand 0.
    if (isa<hlo::GatherOp>(op) && number > 0)
      continue;
    llvm::SmallVector<int> index = map.operand(op, number, use.levels, inner);
    asked.levels.assign(index.begin(), index.end());
    bool isPart = isa<hlo::ConcatenateOp, hlo::PadOp>(op) ||
                  (isa<hlo::DynamicUpdateSliceOp>(op) && number == 1);
    if (isPart && !shapeOf(operand).empty())
      asked.share *= elementsOf(shapeOf(operand)) / elements;
    addUse(operand, std::move(asked));
  }
  for (auto &[indices, index] : levels.loads) {
    Use asked = at;
    asked.levels = index;
    addUse(indices, std::move(asked));
  }
}

void Plan::propagateBufferOp(Operation *op) {
  // Elements are asked for once, in the operand's own order, or by select_and_scatter for each
  // window twice.
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    Use use;
    use.loops.assign(shapeOf(operand).begin(), shapeOf(operand).end());
    for (unsigned d = 0; d < use.loops.size(); ++d)
      use.levels.push_back(d);
    if (isa<hlo::SelectAndScatterOp>(op) && number == 0) {
      int64_t window = 1;
      for (const WindowDim &dim : windowOf(op))
        window *= dim.size;
      use.share = 2.0 * window * elementsOf(shapeOf(op->getOperand(1))) /
                  std::max<int64_t>(1, elementsOf(shapeOf(operand)));
    }
    addUse(operand, std::move(use));
  }
}

//===--- Steps ---===//

void Plan::orderSteps(Block &body) {
  // What a value needs of the nest that is open, the last of the steps.
  enum Need {
    Nothing,  // no element that it computes
    OwnIndex, // only elements at the index where this one is needed
    Anything,
  };
  // Values after the nest's first, until the next step begins; those not listed need nothing.
  llvm::DenseMap<Value, Need> needs;
  auto needOf = [&](Operation *op) {
    Need need = Nothing;
    for (Value operand : op->getOperands())
      if (Need found = needs.lookup(operand))
        need = std::max(need, isElementwise(op) ? found : Anything);
    return need;
  };
  auto begin = [&](Step step) {
    order.push_back(std::move(step));
    needs.clear();
  };
  for (Operation &op : body.without_terminator()) {
    if (isBufferOp(&op)) {
      if (written.contains(op.getResult(0)))
        begin({Step::Buffers, llvm::SmallVector<Value>(op.getResults())});
      continue;
    }
    Need need = needOf(&op);
    for (Value result : op.getResults()) {
      if (!written.contains(result)) {
        if (need)
          needs[result] = need;
        continue;
      }
      if (isWindowOp(&op)) {
        begin({Step::Windows, {result}});
        continue;
      }
      // Together with the step before, if that writes values of the same shape in a nest, and
      // all elements of theirs that this one needs are those at its own index.
      bool joins = !order.empty() && order.back().kind == Step::Nest && need != Anything &&
                   shapeOf(order.back().values.front()) == shapeOf(result);
      if (joins)
        order.back().values.push_back(result);
      else
        begin({Step::Nest, {result}});
      need = joins ? need : Nothing; // of the new nest, for the op's other results
      needs[result] = OwnIndex;
    }
  }
}

} // namespace tandem::codegen
