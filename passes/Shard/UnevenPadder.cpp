// The walk over values, and resizing, masking and clamping.
#include "passes/Shard/UnevenPadder.h"

#include "tandem/IR/Shardy/ShardingAccess.h"
#include "tandem/IR/Tandem/Cause.h"
#include "tandem/IR/Tandem/FunctionAttrs.h"
#include "tandem/Sharding/Names.h"
#include "tandem/Sharding/Neutral.h"

namespace tandem {
using namespace mlir;

namespace {

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

RankedTensorType withShape(RankedTensorType type, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, type.getElementType(), type.getEncoding());
}

/// Loops, branches and the like: data flow, not computation.
bool isControl(Operation *op) {
  return isa<stablehlo::WhileOp, stablehlo::CaseOp, stablehlo::IfOp, sdy::ManualComputationOp,
             stablehlo::OptimizationBarrierOp, sdy::ShardingConstraintOp, sdy::ReshardOp>(op);
}

} // namespace

void UnevenPadder::run() {
  Block &block = main.getBody().front();
  if (!collect(block))
    return;
  // The program's own types stay known: they are what the user gives and gets.
  FunctionAttrs attrs(main);
  for (BlockArgument arg : block.getArguments()) {
    RankedTensorType padded = paddedType(arg);
    if (padded != arg.getType())
      attrs.argument(arg.getArgNumber()).set("tandem.global_type", TypeAttr::get(arg.getType()));
    setType(arg, padded);
  }
  for (auto [index, type] : llvm::enumerate(main.getResultTypes())) {
    resultTypes.push_back(resultSharding(index).getPaddedType(cast<RankedTensorType>(type), mesh));
    if (resultTypes.back() != type)
      attrs.result(index).set("tandem.global_type", TypeAttr::get(type));
  }
  attrs.apply();
  padBlock(block);
  main.setFunctionType(
      FunctionType::get(main.getContext(), block.getArgumentTypes(),
                        SmallVector<Type>(resultTypes.begin(), resultTypes.end())));
}

Sharding UnevenPadder::resultSharding(unsigned index) const {
  func::FuncOp func = main;
  return *Sharding::get(sdy::getFuncResultSharding(func, index),
                        cast<RankedTensorType>(func.getResultTypes()[index]).getRank(), meshes,
                        func);
}

Sharding UnevenPadder::shardingOf(Value value) const {
  Operation *op = value.getDefiningOp();
  sdy::TensorShardingAttr attr = sdy::getSharding(value);
  Operation *func = func::FuncOp(main);
  // What propagation wrote is valid.
  return *Sharding::get(attr, typeOf(value).getRank(), meshes, op ? op : func);
}

RankedTensorType UnevenPadder::paddedType(Value value) const {
  return shardingOf(value).getPaddedType(trueType(value), mesh);
}

RankedTensorType UnevenPadder::trueType(Value value) const {
  auto it = trueTypes.find(value);
  return it == trueTypes.end() ? typeOf(value) : it->second;
}

void UnevenPadder::setType(Value value, RankedTensorType type) {
  if (type == value.getType())
    return;
  trueTypes.try_emplace(value, typeOf(value));
  value.setType(type);
  ++numPadded;
}

void UnevenPadder::setShardings(Operation *op, ArrayRef<Sharding> shardings) {
  SmallVector<sdy::TensorShardingAttr> attrs;
  for (const Sharding &sharding : shardings)
    attrs.push_back(sharding.getAttr(mesh));
  sdy::setShardings(op, attrs);
}

bool UnevenPadder::collect(Block &block) {
  bool found = false;
  llvm::DenseSet<Value> uneven; // look-ups only
  for (BlockArgument arg : block.getArguments())
    if (!shardingOf(arg).divides(typeOf(arg), mesh))
      uneven.insert(arg);
  found = !uneven.empty();
  for (auto [index, type] : llvm::enumerate(main.getResultTypes()))
    found |= !resultSharding(index).divides(cast<RankedTensorType>(type), mesh);
  auto collectIn = [&](auto &self, Block &inner) -> void {
    for (Operation &op : inner) {
      for (Value result : op.getResults())
        if (isa<RankedTensorType>(result.getType()) && !isa<sdy::ManualComputationOp>(op) &&
            !shardingOf(result).divides(typeOf(result), mesh)) {
          uneven.insert(result);
          found = true;
        }
      if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
        for (auto [index, result] : llvm::enumerate(loop->getResults()))
          if (uneven.contains(result)) {
            uneven.insert(loop.getCond().getArgument(index));
            uneven.insert(loop.getBody().getArgument(index));
          }
      if (isControl(&op)) {
        for (Region &region : op.getRegions())
          for (Block &nested : region)
            self(self, nested);
        continue;
      }
      auto isUneven = [&](Value value) { return uneven.contains(value); };
      if (!op.hasTrait<OpTrait::IsTerminator>() && !isa<sdy::ShardingGroupOp>(op) &&
          (llvm::any_of(op.getOperands(), isUneven) || llvm::any_of(op.getResults(), isUneven)))
        rules.try_emplace(&op, getShardingRule(&op));
    }
  };
  collectIn(collectIn, block);
  return found;
}

void UnevenPadder::padBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    padOp(&op);
}

void UnevenPadder::padOp(Operation *op) {
  if (isControl(op))
    return padControl(op);
  if (auto join = dyn_cast<stablehlo::ConcatenateOp>(op); join && rules.contains(op))
    return padJoin(join);
  if (auto it = rules.find(op); it != rules.end())
    return padByRule(op, it->second);
  if (isa<func::ReturnOp>(op))
    for (OpOperand &operand : op->getOpOperands())
      fit(operand, resultTypes[operand.getOperandNumber()].getShape());
}

/// Operands become like the results they flow into.
void UnevenPadder::padControl(Operation *op) {
  auto manual = dyn_cast<sdy::ManualComputationOp>(op);
  SmallVector<RankedTensorType> types;
  for (Value result : op->getResults())
    types.push_back(manual ? typeOf(result) : paddedType(result));
  bool isBranch = isa<stablehlo::CaseOp, stablehlo::IfOp>(op);
  for (OpOperand &operand : op->getOpOperands())
    fit(operand, manual || isBranch ? trueType(operand.get()).getShape()
                                    : types[operand.getOperandNumber()].getShape());
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
    setType(result, type);
  for (Region &region : op->getRegions()) {
    Block &block = region.front();
    auto loop = dyn_cast<stablehlo::WhileOp>(op);
    if (loop)
      for (auto [arg, type] : llvm::zip_equal(block.getArguments(), types))
        setType(arg, type);
    padBlock(block);
    bool isCondition = loop && &region == &loop.getCond();
    for (OpOperand &operand : block.getTerminator()->getOpOperands())
      fit(operand, manual || isCondition ? trueType(operand.get()).getShape()
                                         : types[operand.getOperandNumber()].getShape());
  }
}

void UnevenPadder::padByRule(Operation *op, const ShardingRule &rule) {
  b.setInsertionPoint(op);
  Work work{op, rule, {}, {}, {}, {}};
  for (Value operand : op->getOperands())
    work.wanted.emplace_back(trueType(operand).getShape());
  const SmallVector<Shape> trueShapes = work.wanted;
  for (Value result : op->getResults()) {
    work.made.emplace_back(typeOf(result).getShape());
    work.shift.emplace_back(typeOf(result).getRank(), 0);
  }
  bool isOpaque = llvm::any_of(op->getResults(), [](Value result) {
    auto constant = result.getDefiningOp<stablehlo::ConstantOp>();
    return constant && !constant.getValue().isSplat();
  });
  for (auto [index, factor] : llvm::enumerate(rule.factors)) {
    if (!factor.alone || isOpaque || isa<sdy::ConstantOp>(op))
      continue;
    if (factor.kind == FactorKind::Permutation && factor.halo) {
      prepareRange(work, index);
      continue;
    }
    int64_t size = factor.size;
    auto hasFactor = [&](unsigned tensor, int64_t dim) {
      return rule.getTensor(tensor)[dim].front() == index;
    };
    unsigned numOperands = op->getNumOperands();
    if (factor.kind == FactorKind::PassThrough) {
      for (auto [i, result] : llvm::enumerate(op->getResults()))
        for (int64_t dim = 0; dim < typeOf(result).getRank(); ++dim)
          if (hasFactor(numOperands + i, dim) && size == factor.size)
            size = paddedType(result).getDimSize(dim);
    } else if (factor.kind == FactorKind::Reduction) {
      for (auto [i, operand] : llvm::enumerate(op->getOperands()))
        for (int64_t dim = 0; dim < typeOf(operand).getRank(); ++dim)
          if (hasFactor(i, dim))
            size = std::max(size, typeOf(operand).getDimSize(dim));
      if (size != factor.size && !prepareReduction(work, index, size))
        continue;
    }
    if (size == factor.size)
      continue;
    for (unsigned t = 0; t < rule.getNumTensors(); ++t)
      for (size_t dim = 0; dim < rule.getTensor(t).size(); ++dim)
        if (hasFactor(t, dim))
          (t < numOperands ? work.wanted[t] : work.made[t - numOperands])[dim] = size;
  }
  b.setInsertionPoint(op);
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned at = operand.getOperandNumber();
    fit(operand, work.wanted[at],
        shardingAt(rule, at, shardingOf(operand.get()),
                   withShape(typeOf(operand.get()), work.wanted[at])));
  }
  for (auto [at, dim, fill, fillOperand] : work.masks) {
    OpOperand &operand = op->getOpOperand(at);
    Type element = typeOf(operand.get()).getElementType();
    Value value = fill ? scalar(fill, element, op->getLoc()) : op->getOperand(fillOperand);
    operand.set(mask(operand.get(), dim, trueShapes[at][dim], value, op->getLoc()));
  }
  op = updateAttributes(work);
  SmallVector<Sharding> shardings;
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    shardings.push_back(shardingAt(rule, rule.operands.size() + index, shardingOf(result),
                                   withShape(typeOf(result), work.made[index])));
  b.setInsertionPointAfter(op);
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    RankedTensorType trueResult = typeOf(result), padded = paddedType(result);
    Sharding sharding = shardingOf(result);
    RankedTensorType made = withShape(trueResult, work.made[index]);
    result.setType(made);
    if (made == padded && llvm::all_of(work.shift[index], [](int64_t at) { return at == 0; })) {
      if (padded != trueResult) {
        trueTypes[result] = trueResult;
        ++numPadded;
      }
      continue;
    }
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : result.getUses())
      uses.push_back(&use);
    Value resized = resize(result, work.shift[index], padded.getShape(), sharding, op->getLoc());
    for (OpOperand *use : uses)
      use->set(resized);
    if (padded != trueResult) {
      trueTypes[resized] = trueResult;
      ++numPadded;
    }
  }
  if (!shardings.empty())
    setShardings(op, shardings);
}

Sharding UnevenPadder::shardingAt(const ShardingRule &rule, unsigned tensor, Sharding sharding,
                                  RankedTensorType type) const {
  const SmallVector<Atoms, 4> before = sharding.dims;
  sharding.makeDivisible(type, mesh);
  const DimFactors &factors = rule.getTensor(tensor);
  auto kindOf = [&](size_t dim) { return rule.factors[factors[dim].front()].kind; };
  for (size_t dim = 0; dim < before.size(); ++dim) {
    if (sharding.dims[dim] == before[dim] || kindOf(dim) != FactorKind::NeedReplication)
      continue;
    sharding.dims[dim].clear();
    for (size_t other = 0; other < before.size(); ++other) {
      Atoms longer = sharding.dims[other];
      longer.append(before[dim]);
      if (factors[other].size() == 1 && kindOf(other) == FactorKind::PassThrough &&
          type.getDimSize(other) % mesh.getSize(longer) == 0) {
        sharding.dims[other] = longer;
        break;
      }
    }
  }
  return sharding;
}

void UnevenPadder::fit(OpOperand &operand, ArrayRef<int64_t> shape) {
  Sharding sharding = shardingOf(operand.get());
  sharding.makeDivisible(withShape(typeOf(operand.get()), shape), mesh);
  fit(operand, shape, sharding);
}

void UnevenPadder::fit(OpOperand &operand, ArrayRef<int64_t> shape, const Sharding &sharding) {
  Value value = operand.get();
  RankedTensorType type = typeOf(value);
  if (type.getShape() == shape)
    return;
  b.setInsertionPoint(operand.getOwner());
  numCut += type.getNumElements() > withShape(type, shape).getNumElements();
  operand.set(
      resize(value, Shape(type.getRank(), 0), shape, sharding, operand.getOwner()->getLoc()));
}

Value UnevenPadder::resize(Value value, ArrayRef<int64_t> begin, ArrayRef<int64_t> shape,
                           const Sharding &sharding, Location loc) {
  RankedTensorType type = typeOf(value);
  Shape low, high, none(type.getRank(), 0);
  for (auto [from, size, wanted] : llvm::zip_equal(begin, type.getShape(), shape)) {
    low.push_back(-from);
    high.push_back(wanted + from - size);
  }
  Location cause = withCause(
      loc, makeCause(b.getContext(), "size of an uneven dimension", describeArray(value), {}));
  Value zero = scalar(
      getSplatAttr(RankedTensorType::get({}, type.getElementType()), 0).getSplatValue<Attribute>(),
      type.getElementType(), cause);
  Operation *op = stablehlo::PadOp::create(
      b, cause, withShape(type, shape), value, zero, b.getDenseI64ArrayAttr(low),
      b.getDenseI64ArrayAttr(high), b.getDenseI64ArrayAttr(none));
  setShardings(op, {sharding});
  return op->getResult(0);
}

Value UnevenPadder::scalar(Attribute value, Type element, Location loc) {
  auto type = RankedTensorType::get({}, element);
  Operation *op = stablehlo::ConstantOp::create(
      b, loc, cast<ElementsAttr>(DenseElementsAttr::get(type, value)));
  setShardings(op, {Sharding(0)});
  return op->getResult(0);
}

Value UnevenPadder::isBefore(Value value, int64_t dim, int64_t size, Location loc) {
  RankedTensorType type = typeOf(value);
  Sharding sharding = shardingOf(value);
  auto own = [&](Operation *op) {
    setShardings(op, {sharding});
    return op->getResult(0);
  };
  Type i32 = b.getI32Type();
  Value at = own(stablehlo::IotaOp::create(b, loc, type.clone(i32), b.getI64IntegerAttr(dim)));
  Value end = own(stablehlo::BroadcastInDimOp::create(b, loc, type.clone(i32),
                                                      scalar(b.getI32IntegerAttr(size), i32, loc),
                                                      b.getDenseI64ArrayAttr({})));
  return own(stablehlo::CompareOp::create(
      b, loc, type.clone(b.getI1Type()), at, end,
      stablehlo::ComparisonDirectionAttr::get(b.getContext(), stablehlo::ComparisonDirection::LT),
      stablehlo::ComparisonTypeAttr::get(b.getContext(), stablehlo::ComparisonType::SIGNED)));
}

Value UnevenPadder::mask(Value value, int64_t dim, int64_t size, Value fill, Location loc) {
  RankedTensorType type = typeOf(value);
  Sharding sharding = shardingOf(value);
  Location cause = withCause(
      loc, makeCause(b.getContext(), "mask of an uneven dimension", describeArray(value), {}));
  auto own = [&](Operation *op) {
    setShardings(op, {sharding});
    return op->getResult(0);
  };
  Value inside = isBefore(value, dim, size, cause);
  Value other =
      own(stablehlo::BroadcastInDimOp::create(b, cause, type, fill, b.getDenseI64ArrayAttr({})));
  return own(stablehlo::SelectOp::create(b, cause, type, inside, value, other));
}

/// Indices in [0, most], as the op would clamp them that sees the true size.
void UnevenPadder::clampIndex(OpOperand &index, int64_t most) {
  Operation *op = index.getOwner();
  auto element = cast<IntegerType>(typeOf(index.get()).getElementType());
  unsigned bits = element.getWidth() - !element.isUnsigned();
  if (bits < 63)
    most = std::min(most, (int64_t(1) << bits) - 1);
  Location cause =
      withCause(op->getLoc(), makeCause(b.getContext(), "index of an uneven dimension", "", {}));
  Operation *clamp = stablehlo::ClampOp::create(
      b, cause, index.get().getType(), scalar(b.getIntegerAttr(element, 0), element, cause),
      index.get(), scalar(b.getIntegerAttr(element, most), element, cause));
  setShardings(clamp, {shardingOf(index.get())});
  index.set(clamp->getResult(0));
}

void UnevenPadder::clampComponent(OpOperand &indices, int64_t vectorDim, int64_t component,
                                  int64_t most) {
  Operation *op = indices.getOwner();
  RankedTensorType type = typeOf(indices.get());
  auto element = cast<IntegerType>(type.getElementType());
  unsigned width = element.getWidth(), bits = width - !element.isUnsigned();
  APInt lowest = element.isUnsigned() ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  APInt highest =
      element.isUnsigned() ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  SmallVector<APInt> low(type.getDimSize(vectorDim), lowest), high(low.size(), highest);
  low[component] = APInt::getZero(width);
  if (bits >= 63 || most < (int64_t(1) << bits))
    high[component] = APInt(width, most);
  Location cause =
      withCause(op->getLoc(), makeCause(b.getContext(), "index of an uneven dimension", "", {}));
  auto spread = [&](ArrayRef<APInt> values) {
    auto vector = RankedTensorType::get({static_cast<int64_t>(values.size())}, element);
    Operation *constant = stablehlo::ConstantOp::create(
        b, cause, cast<ElementsAttr>(DenseElementsAttr::get(vector, values)));
    setShardings(constant, {Sharding(1)});
    Operation *all = stablehlo::BroadcastInDimOp::create(b, cause, type, constant->getResult(0),
                                                         b.getDenseI64ArrayAttr({vectorDim}));
    setShardings(all, {shardingOf(indices.get())});
    return all->getResult(0);
  };
  Operation *clamp =
      stablehlo::ClampOp::create(b, cause, type, spread(low), indices.get(), spread(high));
  setShardings(clamp, {shardingOf(indices.get())});
  indices.set(clamp->getResult(0));
}

} // namespace tandem
