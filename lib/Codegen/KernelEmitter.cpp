// One kernel's function: buffers, steps, loop nests.

#include "KernelEmitter.h"

#include "tandem/Codegen/KernelOps.h"
#include "tandem/IR/Tandem/InPlace.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
namespace hlo = mlir::stablehlo;

namespace tandem::codegen {
namespace {

/// The function over bare pointers. Operands and results do not alias, but for in-place pairs.
LLVM::LLVMFuncOp createBody(KernelOp kernel, StringRef symbol, ModuleOp module) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  unsigned operands = kernel.getInputs().size(), results = kernel.getOutputs().size();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  llvm::SmallVector<Type> types(operands + results, pointer);
  types.append(2, b.getI64Type());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), types);
  auto function = LLVM::LLVMFuncOp::create(b, kernel.getLoc(), (symbol + ".body").str(), type,
                                           LLVM::Linkage::Internal);
  Block *entry = new Block;
  function.getBody().push_back(entry);
  llvm::SmallVector<bool> mayAlias(types.size());
  for (auto [result, operand] : kernel.getInPlacePairs())
    mayAlias[operand] = mayAlias[operands + result] = true;
  for (auto [i, argument] : llvm::enumerate(types)) {
    entry->addArgument(argument, kernel.getLoc());
    if (argument == pointer && !mayAlias[i])
      function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
  }
  return function;
}

/// extern "C" void symbol(void *const *buffers, int64_t begin, int64_t end).
void createEntry(LLVM::LLVMFuncOp body, StringRef symbol, ModuleOp module) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = body.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                          {pointer, b.getI64Type(), b.getI64Type()});
  auto function = LLVM::LLVMFuncOp::create(b, loc, symbol, type);
  Block *entry = new Block;
  function.getBody().push_back(entry);
  Value buffers = entry->addArgument(pointer, loc);
  b.setInsertionPointToStart(entry);
  llvm::SmallVector<Value> arguments;
  for (unsigned i = 0; i + 2 < body.getNumArguments(); ++i) {
    Value slot = LLVM::GEPOp::create(b, loc, pointer, pointer, buffers,
                                     llvm::ArrayRef<LLVM::GEPArg>{int32_t(i)});
    arguments.push_back(LLVM::LoadOp::create(b, loc, pointer, slot));
  }
  arguments.push_back(entry->addArgument(b.getI64Type(), loc));
  arguments.push_back(entry->addArgument(b.getI64Type(), loc));
  LLVM::CallOp::create(b, loc, body, arguments);
  LLVM::ReturnOp::create(b, loc, ValueRange());
}

} // namespace

int64_t KernelEmitter::emit(KernelOp kernel, StringRef symbol, ModuleOp module,
                            KernelTarget target) {
  LLVM::LLVMFuncOp body = createBody(kernel, symbol, module);
  KernelEmitter emitter(kernel, body, target);
  emitter.run();
  createEntry(body, symbol, module);
  return emitter.units;
}

KernelEmitter::KernelEmitter(KernelOp kernel, LLVM::LLVMFuncOp function, KernelTarget target)
    : kernel(kernel), function(function), k(function, target), s(k), elements(k, s), plan(kernel) {}

Buffer KernelEmitter::scratch(Type element, ArrayRef<int64_t> shape) {
  ElementKind kind = elementKind(element);
  return {k.allocate(elementsOf(shape) * kind.bytes), llvm::SmallVector<int64_t>(shape), kind};
}

void KernelEmitter::run() {
  Block &body = kernel.getBody().front();
  auto bufferAt = [&](Value tensor, unsigned argument) {
    return Buffer{function.getArgument(argument), llvm::SmallVector<int64_t>(shapeOf(tensor)),
                  elementKind(tensor)};
  };
  for (auto [i, argument] : llvm::enumerate(body.getArguments()))
    elements.bind(argument, bufferAt(argument, i));

  // Results go to their buffers; values yielded twice, operands yielded as they are, and what
  // must not be written in place are copied there at the end.
  llvm::SmallVector<std::pair<Buffer, Value>> copies;
  OperandRange yielded = body.getTerminator()->getOperands();
  llvm::DenseMap<unsigned, unsigned> inPlace;
  for (auto [result, operand] : kernel.getInPlacePairs())
    inPlace[result] = operand;
  for (auto [r, value] : llvm::enumerate(yielded)) {
    Buffer buffer = bufferAt(value, body.getNumArguments() + r);
    bool isHome = isa<OpResult>(value) && !homes.contains(value);
    if (isHome && inPlace.contains(r)) {
      isHome = !whyNotInPlace(kernel, r, inPlace[r]) &&
               isReadInOneStep(body.getArgument(inPlace[r]), value);
      if (isHome)
        inPlaceOperands[value] = body.getArgument(inPlace[r]);
    }
    if (isHome)
      homes[value] = buffer;
    else
      copies.push_back({buffer, value});
  }
  mayBeSliced = plan.steps().size() == 1 && copies.empty() && canBeSliced(plan.steps().front());
  for (const Plan::Step &step : plan.steps())
    for (Value value : step.values)
      if (!homes.contains(value))
        homes[value] = scratch(elementKind(value).element, shapeOf(value));

  for (const Plan::Step &step : plan.steps()) {
    emitStep(step);
    for (Value value : step.values)
      elements.bind(value, homes[value]);
  }
  for (auto &[to, value] : copies)
    copy(to, elements.bufferOf(value));
  k.finish();
}

bool KernelEmitter::canBeSliced(const Plan::Step &step) const {
  if (step.kind == Plan::Step::Nest)
    return true;
  auto scatter = step.values.front().getDefiningOp<hlo::SelectAndScatterOp>();
  return scatter && scattersApart(scatter) && coversAll(scatter);
}

Value KernelEmitter::behindReshapes(Value value) const {
  while (!elements.isBound(value) && value.getDefiningOp<hlo::ReshapeOp>())
    value = value.getDefiningOp<hlo::ReshapeOp>().getOperand();
  return value;
}

bool KernelEmitter::isReadInOneStep(Value operand, Value result) {
  auto step = llvm::find_if(plan.steps(), [&](const Plan::Step &step) {
    return llvm::is_contained(step.values, result);
  });
  llvm::SmallVector<Value> worklist = {operand};
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (Operation *user : value.getUsers()) {
      Operation *op = kernel.getBody().front().findAncestorOpInBlock(*user);
      if (op == kernel.getYield()) {
        if (value != result &&
            (step == plan.steps().end() || !llvm::is_contained(step->values, value)))
          return false;
        continue;
      }
      for (Value next : op->getResults())
        if (seen.insert(next).second)
          worklist.push_back(next);
    }
  }
  return true;
}

void KernelEmitter::emitStep(const Plan::Step &step) {
  Operation *op = step.values.front().getDefiningOp();
  llvm::SmallVector<Buffer> to;
  for (Value value : step.values)
    to.push_back(homes[value]);
  if (step.kind == Plan::Step::Nest) {
    // What is only looked at in another shape lies there already, if it does.
    if (Value over = inPlaceOperands.lookup(step.values.front());
        over && step.values.size() == 1 && behindReshapes(step.values.front()) == over) {
      Value differs = k.make<LLVM::ICmpOp>(LLVM::ICmpPredicate::ne, to.front().base,
                                           elements.bufferOf(over).base);
      return k.when(differs, [&] { emitNest(step.values, {wholeOf(to.front())}, mayBeSliced); });
    }
    llvm::SmallVector<Window> windows;
    for (Buffer &buffer : to)
      windows.push_back(wholeOf(buffer));
    emitNest(step.values, windows, mayBeSliced);
  } else if (step.kind == Plan::Step::Windows) {
    emitInto(step.values.front(), wholeOf(to.front()));
  } else if (auto scatter = dyn_cast<hlo::ScatterOp>(op)) {
    emitScatter(scatter, to);
  } else if (auto sort = dyn_cast<hlo::SortOp>(op)) {
    emitSort(sort, to);
  } else if (auto random = dyn_cast<hlo::RngBitGeneratorOp>(op)) {
    emitRandomBits(random, to);
  } else {
    emitSelectAndScatter(cast<hlo::SelectAndScatterOp>(op), to.front());
  }
}

//===--- Whole values ---===//

KernelEmitter::Window KernelEmitter::within(const Window &outer, ArrayRef<Value> offsets,
                                            ArrayRef<int64_t> steps) {
  Window inner = outer;
  size_t rank = outer.buffer.shape.size();
  if (outer.isWhole()) {
    inner.offsets.assign(rank, k.index(0));
    inner.steps.assign(rank, 1);
  }
  for (size_t d = 0; d < rank; ++d) {
    inner.offsets[d] = k.addI(inner.offsets[d], k.mulI(offsets[d], inner.steps[d]));
    if (!steps.empty())
      inner.steps[d] *= steps[d];
  }
  return inner;
}

void KernelEmitter::emitInto(Value value, const Window &to) {
  if (elementsOf(shapeOf(value)) == 0)
    return;
  Value source = behindReshapes(value);
  if (elements.isBound(source) && to.isWhole())
    return copy(to.buffer, elements.bufferOf(source));
  if (!elements.isBound(value) && isWindowOp(value.getDefiningOp())) {
    // Writing parts over an operand, one after the other, is right only if no part but the
    // first reads it, and that only at its own index.
    Value over = inPlaceOperands.lookup(value);
    auto update = value.getDefiningOp<hlo::DynamicUpdateSliceOp>();
    bool isSafe = !over || (update && behindReshapes(update.getOperand()) == over);
    for (Value at = value; over && !isSafe; at = update.getOperand()) {
      update = at.getDefiningOp<hlo::DynamicUpdateSliceOp>();
      if (!update || dependsOn(update.getUpdate(), over))
        break;
      isSafe = behindReshapes(update.getOperand()) == over;
    }
    if (isSafe)
      return emitParts(value, to);
  }
  emitNest({value}, {to});
}

void KernelEmitter::emitParts(Value value, const Window &to) {
  Operation *op = value.getDefiningOp();
  ArrayRef<int64_t> shape = shapeOf(value);
  if (auto update = dyn_cast<hlo::DynamicUpdateSliceOp>(op)) {
    Values starts;
    for (auto [d, start] : llvm::enumerate(update.getStartIndices()))
      starts.push_back(elements.clampedStart(start, shape[d] - shapeOf(update.getUpdate())[d]));
    emitInto(update.getOperand(), to);
    emitInto(update.getUpdate(), within(to, starts));
  } else if (auto concatenate = dyn_cast<hlo::ConcatenateOp>(op)) {
    Values offsets(shape.size(), k.index(0));
    int64_t offset = 0, dim = concatenate.getDimension();
    for (Value input : concatenate.getInputs()) {
      offsets[dim] = k.index(offset);
      emitInto(input, within(to, offsets));
      offset += shapeOf(input)[dim];
    }
  } else {
    auto pad = cast<hlo::PadOp>(op);
    if (elementsOf(shape) != elementsOf(shapeOf(pad.getOperand())))
      fill(elements.scalar(pad.getPaddingValue()), to, shape);
    Values offsets;
    llvm::SmallVector<int64_t> steps;
    for (auto [low, interior] : llvm::zip(pad.getEdgePaddingLow(), pad.getInteriorPadding())) {
      offsets.push_back(k.index(low));
      steps.push_back(interior + 1);
    }
    emitInto(pad.getOperand(), within(to, offsets, steps));
  }
}

void KernelEmitter::copy(const Buffer &to, const Buffer &from) {
  int64_t bytes = elementsOf(to.shape) * to.kind.bytes;
  if (bytes == 0 || to.base == from.base)
    return;
  Value differs = k.make<LLVM::ICmpOp>(LLVM::ICmpPredicate::ne, to.base, from.base);
  k.when(differs, [&] { k.copyBytes(to.base, from.base, bytes); });
}

bool KernelEmitter::dependsOn(Value value, Value argument) const {
  llvm::SmallVector<Value> work(1, value);
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value at = work.pop_back_val();
    if (at == argument)
      return true;
    if (Operation *op = at.getDefiningOp(); op && seen.insert(at).second)
      work.append(op->operand_begin(), op->operand_end());
  }
  return false;
}

//===--- Loop nests ---===//

void KernelEmitter::visitChunks(int64_t count, bool inLanes, int64_t unroll, Visit visit) {
  if (!inLanes) {
    k.loop(0, count, 1, [&](Value at) { visit(at, 1, Value()); });
    return;
  }
  int64_t lanes = elements.lanes();
  if (count < 2 * lanes * unroll)
    unroll = 1;
  int64_t mainEnd = count - count % (lanes * unroll), wholeEnd = count - count % lanes;
  k.loop(0, mainEnd, lanes * unroll, [&](Value at) {
    for (int64_t u = 0; u < unroll; ++u)
      visit(k.addI(at, u * lanes), lanes, Value());
  });
  k.loop(mainEnd, wholeEnd, lanes, [&](Value at) { visit(at, lanes, Value()); });
  if (wholeEnd < count)
    visit(k.index(wholeEnd), lanes, elements.maskOf(count - wholeEnd));
}

void KernelEmitter::visitSlicedChunks(int64_t count, bool inLanes, int64_t unroll, Visit visit) {
  // A unit is worth a microsecond or so.
  constexpr int64_t unitElements = 4096;
  int64_t lanes = inLanes ? elements.lanes() : 1;
  if (count < 2 * lanes * unroll)
    unroll = 1;
  int64_t step = lanes * (inLanes ? unroll : 1), unit = std::max(step, unitElements / step * step);
  units = (count + unit - 1) / unit;
  if (units == 1)
    return visitChunks(count, inLanes, unroll, visit);
  int64_t mainEnd = count - count % step, wholeEnd = count - count % lanes;
  Value begin = k.mulI(sliceBegin(), unit);
  Value end = k.make<arith::MinSIOp>(k.mulI(sliceEnd(), unit), k.index(mainEnd));
  k.loopOverSlice(begin, end, step, [&](Value at) {
    for (int64_t u = 0; u < step / lanes; ++u)
      visit(k.addI(at, u * lanes), lanes, Value());
  });
  if (mainEnd == count)
    return;
  Value isLast = k.make<arith::CmpIOp>(arith::CmpIPredicate::eq, sliceEnd(), k.index(units));
  k.when(isLast, [&] {
    k.loop(mainEnd, wholeEnd, lanes, [&](Value at) { visit(at, lanes, Value()); });
    if (wholeEnd < count)
      visit(k.index(wholeEnd), lanes, elements.maskOf(count - wholeEnd));
  });
}

void KernelEmitter::visitRows(ArrayRef<int64_t> shape, bool sliced,
                              llvm::function_ref<void(ValueRange)> body) {
  // As many of the outermost loops as it takes to have enough slices, made one.
  constexpr int64_t enough = 64;
  int64_t rows = 1;
  unsigned joined = 0;
  while (sliced && joined < shape.size() && rows < enough)
    rows *= shape[joined++];
  if (rows == 1 || plan.outermostLoopingLevel() < int(joined) - 1)
    return k.nest(shape, body);
  units = rows;
  k.loopOverSlice(sliceBegin(), sliceEnd(), 1, [&](Value row) {
    Values outer(joined);
    for (unsigned d = joined; d-- > 0;) {
      outer[d] = d == 0 ? row : k.remI(row, shape[d]);
      row = k.divI(row, shape[d]);
    }
    k.nest(shape.drop_front(joined), [&](ValueRange inner) {
      Values all(outer);
      all.append(inner.begin(), inner.end());
      body(all);
    });
  });
}

bool KernelEmitter::isContiguous(const Window &to, int dim) const {
  return stridesOf(to.buffer.shape)[dim] == 1 && (to.isWhole() || to.steps[dim] == 1);
}

void KernelEmitter::storeAt(Value element, const Window &to, const Index &index) {
  if (to.isWhole())
    return elements.store(element, to.buffer, index);
  Index at = index;
  for (auto [d, i] : llvm::enumerate(at.dims))
    i = k.addI(to.offsets[d], k.mulI(i, to.steps[d]));
  elements.store(element, to.buffer, at);
}

void KernelEmitter::emitNest(ArrayRef<Value> values, ArrayRef<Window> to, bool sliced) {
  ArrayRef<int64_t> shape = shapeOf(values.front());
  int64_t count = elementsOf(shape);
  if (count == 0)
    return;
  auto visit = [&](const Index &index) {
    // All elements before the first store: one of them may lie where another is written.
    Values computed;
    for (Value value : values)
      computed.push_back(elements.element(value, index));
    for (auto [element, window] : llvm::zip_equal(computed, to))
      storeAt(element, window, index);
  };
  auto unrollFor = [&](int64_t weight) -> int64_t {
    return count < 8192 ? 1 : weight <= 6 ? 4 : weight <= 24 ? 2 : 1;
  };
  int64_t weight = 0;
  for (Value value : values)
    weight += elements.weightOf(value);
  int64_t unroll = unrollFor(weight);
  int64_t fewest = elements.lanes() / 2;

  // As one row of elements, where the shape does not matter.
  bool isLinear = count > 1 &&
                  llvm::all_of(values, [&](Value v) { return elements.supportsLinear(v); }) &&
                  llvm::all_of(to, [](const Window &window) { return window.isWhole(); });
  if (isLinear) {
    bool inLanes = count >= fewest &&
                   llvm::all_of(values, [&](Value v) { return elements.supportsLinearLanes(v); });
    auto visitLinear = [&](Value at, int64_t lanes, Value mask) {
      Index index;
      index.linear = at;
      if (inLanes) {
        index.lane = {0, 1};
        index.lanes = lanes;
        index.mask = mask;
      }
      visit(index);
    };
    // A looping op is a scalar here, which stands before the loop.
    if (sliced && plan.outermostLoopingLevel() >= int(shape.size()))
      visitSlicedChunks(count, inLanes, unroll, visitLinear);
    else
      visitChunks(count, inLanes, unroll, visitLinear);
    return;
  }

  int laneDim = int(shape.size()) - 1;
  while (laneDim >= 0 && shape[laneDim] == 1)
    --laneDim;
  if (laneDim < 0) {
    Index index;
    index.dims.assign(shape.size(), k.index(0));
    return visit(index);
  }
  bool inLanes =
      shape[laneDim] >= fewest &&
      llvm::all_of(values, [&](Value v) { return elements.supportsLanes(v, {laneDim, 1}); }) &&
      llvm::all_of(to, [&](const Window &window) { return isContiguous(window, laneDim); });
  llvm::SmallVector<hlo::ReduceOp> before;
  llvm::SmallVector<Value> fetched;
  if (inLanes) {
    llvm::SmallVector<hlo::ReduceOp> reductions = rowReductions(values, laneDim);
    before = keepRows(values, to, laneDim, reductions);
    fetched = rowsToFetch(reductions);
    weight = 0;
    for (Value value : values)
      weight += elements.weightAlong(value, {laneDim, 1});
    unroll = unrollFor(weight);
  }
  auto visitRow = [&](ValueRange outer, bool isSliced) {
    for (hlo::ReduceOp reduce : before) {
      Index index;
      index.dims.assign(outer.begin(), outer.end());
      index.dims.resize(shape.size() - 1, k.index(0));
      elements.element(reduce->getResult(0), index);
    }
    auto visitLanes = [&](Value at, int64_t lanes, Value mask) {
      Index index;
      index.dims.assign(outer.begin(), outer.end());
      index.dims.push_back(at);
      index.dims.resize(shape.size(), k.index(0));
      if (inLanes) {
        index.lane = {laneDim, 1};
        index.lanes = lanes;
        index.mask = mask;
      }
      for (Value value : fetched)
        elements.prefetch(elements.bufferOf(value), index, shape[laneDim]);
      visit(index);
    };
    if (isSliced)
      visitSlicedChunks(shape[laneDim], inLanes, unroll, visitLanes);
    else
      visitChunks(shape[laneDim], inLanes, unroll, visitLanes);
  };
  // Of a single row the elements are sliced.
  if (elementsOf(shape.take_front(laneDim)) == 1)
    return visitRow(Values(laneDim, k.index(0)), sliced && plan.outermostLoopingLevel() >= laneDim);
  visitRows(shape.take_front(laneDim), sliced, [&](ValueRange outer) { visitRow(outer, false); });
}

std::optional<llvm::SmallVector<hlo::ReduceOp>>
KernelEmitter::reductionsReading(Value value, ArrayRef<hlo::ReduceOp> known) const {
  llvm::SmallVector<hlo::ReduceOp> found;
  llvm::SmallVector<Value> worklist = {value};
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<YieldOp>(user))
        continue;
      if (auto reduce = dyn_cast<hlo::ReduceOp>(user); reduce && llvm::is_contained(known, reduce))
        found.push_back(reduce);
      else if (!isElementwise(user) || shapeOf(user->getResult(0)) != shapeOf(value))
        return std::nullopt;
      else if (seen.insert(user->getResult(0)).second)
        worklist.push_back(user->getResult(0));
    }
  }
  return found;
}

std::optional<unsigned> KernelEmitter::rowsFor(Value value, ArrayRef<Value> values,
                                               ArrayRef<Window> to,
                                               const llvm::SmallBitVector &taken) const {
  std::optional<unsigned> found;
  for (auto [i, window] : llvm::enumerate(to)) {
    if (taken[i] || !window.isWhole() || inPlaceOperands.contains(values[i]) ||
        window.buffer.kind.bytes != elementKind(value).bytes ||
        ArrayRef<int64_t>(window.buffer.shape) != shapeOf(value))
      continue;
    if (values[i] == value)
      return i;
    if (!found)
      found = i;
  }
  return found;
}

bool KernelEmitter::isInRow(Value value, ArrayRef<int64_t> shape) const {
  Operation *op = value.getDefiningOp();
  return op && !elements.isBound(value) && isElementwise(op) && shapeOf(value) == shape;
}

llvm::SmallVector<hlo::ReduceOp> KernelEmitter::rowReductions(ArrayRef<Value> values, int dim) {
  llvm::SmallVector<hlo::ReduceOp> reductions;
  for (Operation &op : kernel.getBody().front()) {
    auto reduce = dyn_cast<hlo::ReduceOp>(op);
    if (!reduce || reduce.getInputs().size() != 1 || elements.isBound(reduce->getResult(0)) ||
        reduce.getDimensions() != ArrayRef<int64_t>(dim) ||
        shapeOf(reduce.getInputs()[0]) != shapeOf(values.front()) ||
        combinerOf(reduce.getBody()) == nullptr)
      continue;
    if (llvm::any_of(values, [&](Value value) { return dependsOn(value, reduce->getResult(0)); }))
      reductions.push_back(reduce);
  }
  return reductions;
}

llvm::SetVector<Value> KernelEmitter::inputsInRow(hlo::ReduceOp reduce) const {
  Value input = reduce.getInputs()[0];
  llvm::SetVector<Value> inputs;
  inputs.insert(input);
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (Value value = inputs[i]; isInRow(value, shapeOf(input)))
      for (Value operand : value.getDefiningOp()->getOperands())
        inputs.insert(operand);
  return inputs;
}

llvm::SmallVector<Value> KernelEmitter::rowsToFetch(ArrayRef<hlo::ReduceOp> reductions) const {
  // Shorter rows the processor foresees by itself; of longer ones too little would be left, as
  // nothing is won with arrays that stay in the second cache.
  constexpr int64_t least = 2 << 10, most = 256 << 10, cache = 1 << 20;
  llvm::SetVector<Value> fetched;
  for (hlo::ReduceOp reduce : reductions) {
    ArrayRef<int64_t> shape = shapeOf(reduce.getInputs()[0]);
    for (Value value : inputsInRow(reduce)) {
      int64_t elementBytes = elementKind(value).bytes;
      int64_t rowBytes = shape[reduce.getDimensions()[0]] * elementBytes;
      if (elements.isBound(value) && shapeOf(value) == shape && rowBytes >= least &&
          rowBytes <= most && elementsOf(shape) * elementBytes > cache)
        fetched.insert(value);
    }
  }
  return fetched.takeVector();
}

llvm::SmallVector<hlo::ReduceOp> KernelEmitter::keepRows(ArrayRef<Value> values,
                                                         ArrayRef<Window> to, int dim,
                                                         ArrayRef<hlo::ReduceOp> reductions) {
  // A row lies where the result's will, whose lines are fetched while it is computed, and stays in
  // the second cache; or on the stack, and in the nearest one.
  constexpr int64_t maxResultBytes = 1 << 20, maxStackBytes = 32 << 10, dear = 12;
  ArrayRef<int64_t> shape = shapeOf(values.front());
  llvm::DenseSet<Operation *> early;
  llvm::SmallBitVector taken(to.size());
  auto keep = [&](Value value, hlo::ReduceOp reduce) {
    ElementKind kind = elementKind(value);
    int64_t bytes = llvm::alignTo(shape[dim], elements.lanes()) * kind.bytes;
    if (kind.isComplex() || elements.weightAlong(value, {dim, 1}) < dear)
      return false;
    if (auto readers = reductionsReading(value, reductions); readers && bytes <= maxResultBytes) {
      if (std::optional<unsigned> i = rowsFor(value, values, to, taken)) {
        elements.keepRow(value, reduce, dim, {to[*i].buffer.base, to[*i].buffer.shape, kind});
        taken.set(*i);
        early.insert(readers->begin(), readers->end());
        return true;
      }
    }
    if (bytes > maxStackBytes)
      return false;
    elements.keepRow(value, reduce, dim, scratch(kind.element, {bytes / kind.bytes}));
    return true;
  };
  for (hlo::ReduceOp reduce : reductions) {
    llvm::SetVector<Value> reduced = inputsInRow(reduce), visited;
    auto descend = [&](Value value, auto &&self) -> void {
      if (!isInRow(value, shape) || !visited.insert(value))
        return;
      if (reduced.contains(value) && (elements.isKept(value) || keep(value, reduce))) {
        early.insert(reduce);
        return;
      }
      for (Value operand : value.getDefiningOp()->getOperands())
        self(operand, self);
    };
    for (Value value : values)
      descend(value, descend);
  }
  return llvm::to_vector(llvm::make_filter_range(
      reductions, [&](hlo::ReduceOp reduce) { return early.contains(reduce); }));
}

void KernelEmitter::fill(Value scalar, const Window &to, ArrayRef<int64_t> shape) {
  int last = int(shape.size()) - 1;
  bool inLanes = last >= 0 && isContiguous(to, last) && !isa<ComplexType>(scalar.getType()) &&
                 shape[last] >= elements.lanes() / 2;
  if (last < 0)
    return storeAt(scalar, to, Index());
  k.nest(shape.take_front(last), [&](ValueRange outer) {
    visitChunks(shape[last], inLanes, 1, [&](Value at, int64_t lanes, Value mask) {
      Index index;
      index.dims.assign(outer.begin(), outer.end());
      index.dims.push_back(at);
      if (inLanes) {
        index.lane = {last, 1};
        index.lanes = lanes;
        index.mask = mask;
      }
      storeAt(scalar, to, index);
    });
  });
}

} // namespace tandem::codegen
