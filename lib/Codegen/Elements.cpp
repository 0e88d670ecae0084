// One element of a value: elemental ops and memory.

#include "Elements.h"

#include "tandem/Codegen/KernelOps.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
namespace hlo = mlir::stablehlo;

namespace tandem::codegen {
namespace {

/// Index maps over values: emits.
struct EmittedIndex {
  using Expr = Value;
  KernelBuilder &k;
  Elements &elements;
  /// What all guards so far ask for; null if nothing.
  Value condition;

  Expr constant(int64_t c) { return k.index(c); }
  Expr add(Expr a, Expr b) { return k.addI(a, b); }
  Expr add(Expr a, int64_t b) { return k.addI(a, b); }
  Expr sub(Expr a, Expr b) { return k.subI(a, b); }
  Expr mul(Expr a, int64_t b) { return k.mulI(a, b); }
  Expr div(Expr a, int64_t b) { return k.divI(a, b); }
  Expr rem(Expr a, int64_t b) { return k.remI(a, b); }
  Expr loaded(Value indices, ArrayRef<Value> at, int64_t maxStart) {
    Index index;
    index.dims = Values(at);
    Value start = elements.element(indices, index);
    ElementKind kind = elementKind(indices);
    unsigned width = kind.width();
    if (width < 64) {
      Type i64 = IntegerType::get(k.context(), 64);
      start = kind.isUnsigned() ? k.make<arith::ExtUIOp>(i64, start)
                                : k.make<arith::ExtSIOp>(i64, start);
    }
    Value capped = kind.isUnsigned() ? k.make<arith::MinUIOp>(start, k.index(maxStart))
                                     : k.make<arith::MinSIOp>(start, k.index(maxStart));
    return kind.isUnsigned() ? capped : k.make<arith::MaxSIOp>(capped, k.index(0));
  }
  Expr guarded(Expr position, int64_t size, int64_t dilation, bool needsCheck) {
    if (needsCheck) {
      int64_t end = size == 0 ? 0 : (size - 1) * dilation + 1;
      condition = k.andI1(condition, k.isBetween(position, 0, end));
      if (dilation > 1)
        condition =
            k.andI1(condition, k.make<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                                     k.remI(position, dilation), k.index(0)));
    }
    return k.divI(position, dilation);
  }
};

/// Index maps over the change from lane to lane: nothing where it is not even.
struct LaneStep {
  using Expr = std::optional<int64_t>;
  Expr constant(int64_t) { return 0; }
  Expr add(Expr a, Expr b) { return a && b ? Expr(*a + *b) : std::nullopt; }
  Expr add(Expr a, int64_t) { return a; }
  Expr sub(Expr a, Expr b) { return a && b ? Expr(*a - *b) : std::nullopt; }
  Expr mul(Expr a, int64_t b) { return a ? Expr(*a * b) : std::nullopt; }
  Expr div(Expr a, int64_t b) { return a == 0 || b == 1 ? a : std::nullopt; }
  Expr rem(Expr a, int64_t) { return a == 0 ? a : std::nullopt; }
  Expr loaded(Value, ArrayRef<Expr> at, int64_t) {
    return llvm::all_of(at, [](Expr e) { return e == 0; }) ? Expr(0) : std::nullopt;
  }
  Expr guarded(Expr position, int64_t, int64_t dilation, bool needsCheck) {
    return position == 0 || (!needsCheck && dilation == 1) ? position : std::nullopt;
  }
};

} // namespace

std::optional<Lane> operandLane(Operation *op, unsigned number, Lane lane,
                                std::optional<unsigned> innerLane) {
  LaneStep steps;
  llvm::SmallVector<LaneStep::Expr> index(
      cast<RankedTensorType>(op->getResult(0).getType()).getRank(), 0);
  if (lane)
    index[lane.dim] = lane.stride;
  llvm::SmallVector<LaneStep::Expr> inner(innerExtents(op).size(), 0);
  if (innerLane)
    inner[*innerLane] = 1;
  Lane result;
  for (auto [d, step] : llvm::enumerate(IndexMap(steps).operand(op, number, index, inner))) {
    if (!step || (*step != 0 && result))
      return std::nullopt;
    if (*step != 0)
      result = {int(d), *step};
  }
  return result;
}

//===--- Dispatch ---===//

Value Elements::element(Value value, const Index &index) {
  if (Value bound = regionArguments.lookup(value))
    return bound;
  auto found = remembered.find(value);
  if (found != remembered.end())
    for (const Remembered &entry : found->second)
      if (entry.index == index && k.isVisible(entry.place))
        return entry.element;
  auto buffer = memory.find(value);
  Value result;
  if (buffer != memory.end()) {
    result = load(buffer->second, index);
  } else if (Value inRow = keptElement(value, index)) {
    result = inRow;
  } else {
    result = compute(value, index);
    if (!result) {
      // A looping op has set the elements of all its results.
      for (const Remembered &entry : remembered[value])
        if (entry.index == index && k.isVisible(entry.place))
          return entry.element;
      llvm_unreachable("looping op without an element");
    }
    keepElement(value, index, result);
  }
  auto &entries = remembered[value];
  llvm::erase_if(entries, [&](const Remembered &entry) {
    return entry.index == index || (entry.place.depth <= k.depth() && !k.isVisible(entry.place));
  });
  entries.push_back({index, result, k.placeOf(result)});
  return result;
}

Value Elements::compute(Value value, const Index &index) {
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast<hlo::ConstantOp>(op))
    return constantElement(constant, index);
  if (auto iota = dyn_cast<hlo::IotaOp>(op))
    return iotaElement(iota, index);
  if (auto bitcast = dyn_cast<hlo::BitcastConvertOp>(op))
    return bitcastElement(bitcast, index);
  if (isa<hlo::PadOp, hlo::ConcatenateOp, hlo::DynamicUpdateSliceOp>(op))
    return guardedElement(value, index);
  if (isPureMove(op)) {
    if (index.linear)
      return element(op->getOperand(0), linearOperandIndex(op, index));
    return element(op->getOperand(0), operandIndex(op, 0, index).first);
  }
  if (isElementwise(op)) {
    Values operands;
    for (Value operand : op->getOperands()) {
      bool isScalar = shapeOf(operand).empty() && !shapeOf(value).empty();
      operands.push_back(element(operand, isScalar ? Index() : index));
    }
    return s.emit(op, operands);
  }
  k.atDepth(std::max({k.guardDepth(), k.depthOf(index.dims),
                      index.mask ? k.placeOf(index.mask).depth : 0}),
            [&] { loopingElement(op, index); });
  return nullptr;
}

void Elements::loopingElement(Operation *op, const Index &index) {
  for (auto &[value, row] : kept)
    if (row.reduce == op && !index.lane) {
      row.state = KeptRow::Filling;
      row.outer = index.dims;
    }
  Values results;
  if (auto reduce = dyn_cast<hlo::ReduceOp>(op))
    results = reduceElement(reduce, index);
  else if (auto window = dyn_cast<hlo::ReduceWindowOp>(op))
    results = reduceWindowElement(window, index);
  else
    results = {productElement(op, index)};
  for (auto [result, element] : llvm::zip_equal(op->getResults(), results))
    remembered[result].push_back({index, element, k.placeOf(element)});
  for (auto &[value, row] : kept)
    if (row.reduce == op && row.state == KeptRow::Filling) {
      row.state = KeptRow::Full;
      row.place = k.here();
    }
}

std::optional<Index> Elements::withinRow(const KeptRow &row, const Index &index) const {
  if (index.linear || (index.lane && index.lane.dim != row.dim))
    return std::nullopt;
  Values outer = index.dims;
  outer.erase(outer.begin() + row.dim);
  if (outer != row.outer)
    return std::nullopt;
  if (row.row.shape.size() == index.dims.size())
    return index;
  Index within;
  within.dims = {index.dims[row.dim]};
  if (index.lane) {
    within.lane = {0, index.lane.stride};
    within.lanes = index.lanes;
    within.mask = index.mask;
  }
  return within;
}

Value Elements::keptElement(Value value, const Index &index) {
  auto found = kept.find(value);
  if (found == kept.end() || found->second.state != KeptRow::Full ||
      !k.isVisible(found->second.place))
    return nullptr;
  std::optional<Index> within = withinRow(found->second, index);
  return within ? load(found->second.row, *within, /*invariant=*/false) : nullptr;
}

void Elements::keepElement(Value value, const Index &index, Value element) {
  auto found = kept.find(value);
  if (found == kept.end() || found->second.state != KeptRow::Filling)
    return;
  if (std::optional<Index> within = withinRow(found->second, index))
    store(element, found->second.row, *within);
}

Values Elements::inlineRegion(Region &region, ValueRange arguments) {
  Block &block = region.front();
  // The region's values may have been computed before, for other arguments.
  for (Operation &op : block)
    for (Value result : op.getResults())
      remembered.erase(result);
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    regionArguments[argument] = value;
  Values results;
  for (Value returned : block.getTerminator()->getOperands())
    results.push_back(scalar(returned));
  for (Operation &op : block)
    for (Value result : op.getResults())
      remembered.erase(result);
  return results;
}

//===--- Memory ---===//

Value Elements::positionOf(ArrayRef<int64_t> shape, const Index &index) {
  if (index.linear)
    return index.linear;
  // The outermost dimensions first, so that what depends on them alone is computed once.
  Value position = k.index(0);
  llvm::SmallVector<int64_t> strides = stridesOf(shape);
  for (auto [i, stride] : llvm::zip_equal(index.dims, strides))
    position = k.addI(position, k.mulI(i, stride));
  return position;
}

Value Elements::load(const Buffer &buffer, const Index &index, bool invariant) {
  Value position = positionOf(buffer.shape, index);
  const ElementKind &kind = buffer.kind;
  if (kind.isComplex()) {
    Value at = k.mulI(position, 2);
    Value re = k.load({buffer.base, at, kind.memory}, invariant);
    Value im = k.load({buffer.base, k.addI(at, 1), kind.memory}, invariant);
    return k.make<complex::CreateOp>(kind.reg, re, im);
  }
  KernelBuilder::Access access{buffer.base, position, kind.memory};
  if (index.lane) {
    access.lanes = index.lanes;
    access.laneStride =
        index.lane.stride * (index.linear ? 1 : stridesOf(buffer.shape)[index.lane.dim]);
    access.mask = index.mask;
  }
  return s.fromMemory(k.load(access, invariant), kind);
}

void Elements::store(Value value, const Buffer &buffer, const Index &index) {
  Value position = positionOf(buffer.shape, index);
  const ElementKind &kind = buffer.kind;
  if (kind.isComplex()) {
    Value at = k.mulI(position, 2);
    k.store(k.make<complex::ReOp>(value), {buffer.base, at, kind.memory});
    k.store(k.make<complex::ImOp>(value), {buffer.base, k.addI(at, 1), kind.memory});
    return;
  }
  KernelBuilder::Access access{buffer.base, position, kind.memory};
  if (index.lane) {
    access.lanes = index.lanes;
    access.laneStride =
        index.lane.stride * (index.linear ? 1 : stridesOf(buffer.shape)[index.lane.dim]);
    access.mask = index.mask;
    value = splatFor(value, index);
  }
  k.store(s.toMemory(value, kind), access);
}

void Elements::prefetch(const Buffer &buffer, const Index &index, int64_t distance) {
  Value position = k.addI(positionOf(buffer.shape, index), distance);
  k.prefetch({buffer.base, position, buffer.kind.memory, index.lanes});
}

//===--- Elemental ops ---===//

std::pair<Index, Value> Elements::operandIndex(Operation *op, unsigned number, const Index &index,
                                               ArrayRef<Value> inner) {
  EmittedIndex emitted{k, *this, Value()};
  Index result;
  result.dims = IndexMap(emitted).operand(op, number, index.dims, inner);
  if (index.lane) {
    result.lane = *operandLane(op, number, index.lane, std::nullopt);
    if (result.lane) {
      result.lanes = index.lanes;
      result.mask = index.mask;
    }
  }
  return {result, emitted.condition};
}

Value Elements::clampedStart(Value scalar, int64_t maxStart) {
  EmittedIndex emitted{k, *this, Value()};
  return IndexMap(emitted).start(scalar, maxStart);
}

Index Elements::linearOperandIndex(Operation *op, const Index &index) {
  if (shapeOf(op->getOperand(0)).empty())
    return Index();
  Index result = index;
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  llvm::SmallVector<int64_t> strides = stridesOf(shape);
  if (auto slice = dyn_cast<hlo::SliceOp>(op)) {
    int64_t offset = 0;
    for (auto [start, stride] : llvm::zip(slice.getStartIndices(), strides))
      offset += start * stride;
    result.linear = k.addI(index.linear, offset);
  } else if (auto slice = dyn_cast<hlo::DynamicSliceOp>(op)) {
    Value offset = k.index(0);
    for (auto [d, start] : llvm::enumerate(slice.getStartIndices()))
      offset = k.addI(offset,
                      k.mulI(clampedStart(start, shape[d] - slice.getSliceSizes()[d]), strides[d]));
    result.linear = k.addI(offset, index.linear);
  }
  return result;
}

Value Elements::constantElement(hlo::ConstantOp op, const Index &index) {
  auto elements = cast<DenseElementsAttr>(op.getValue());
  ElementKind kind = elementKind(op.getResult());
  if (elements.isSplat())
    return s.literal(elements.getSplatValue<Attribute>(), kind);
  Buffer buffer{Value(), llvm::SmallVector<int64_t>(shapeOf(op.getResult())), kind};
  // The elements as bytes of memory, in a global.
  std::string bytes;
  auto append = [&](const llvm::APInt &bits, int64_t size) {
    uint64_t raw = kind.isUnsigned() ? bits.getZExtValue() : uint64_t(bits.getSExtValue());
    bytes.append(reinterpret_cast<const char *>(&raw), size);
  };
  if (kind.isInteger()) {
    for (const llvm::APInt &value : elements.getValues<llvm::APInt>())
      append(value, kind.bytes);
  } else if (kind.isComplex()) {
    for (const auto &value : elements.getValues<std::complex<llvm::APFloat>>()) {
      append(value.real().bitcastToAPInt(), kind.bytes / 2);
      append(value.imag().bitcastToAPInt(), kind.bytes / 2);
    }
  } else {
    for (const llvm::APFloat &value : elements.getValues<llvm::APFloat>())
      append(value.bitcastToAPInt(), kind.bytes);
  }
  buffer.base = k.constantBytes(bytes);
  bind(op.getResult(), buffer);
  return load(buffer, index);
}

Value Elements::iotaElement(hlo::IotaOp op, const Index &index) {
  ElementKind kind = elementKind(op.getResult());
  int dim = op.getIotaDimension();
  // Positions count one dimension only (supportsLinear).
  Value at = index.linear ? index.linear : index.dims[dim];
  if (index.lane && (index.linear || index.lane.dim == dim)) {
    llvm::SmallVector<int64_t> steps;
    for (int64_t lane = 0; lane < index.lanes; ++lane)
      steps.push_back(lane * index.lane.stride);
    Value offsets = k.make<arith::ConstantOp>(k.raw().getI64VectorAttr(steps));
    // In 32 bits where that is wide enough: half as many registers.
    bool isNarrow =
        kind.reg.isInteger() ? kind.width() <= 32 : shapeOf(op.getResult())[dim] < (1 << 24);
    if (isNarrow) {
      Type i32 = s.intType(32);
      at = k.make<arith::TruncIOp>(i32, at);
      llvm::SmallVector<int32_t> narrow(steps.begin(), steps.end());
      offsets = k.make<arith::ConstantOp>(k.raw().getI32VectorAttr(narrow));
    }
    at = s.addi(s.splat(at, index.lanes), offsets);
  }
  Type integer = k.raw().getIntegerType(s.widthOf(at));
  if (kind.isInteger())
    return s.resizeInt(at, kind.width(), /*isUnsigned=*/true);
  return s.convert(at, elementKind(integer), kind);
}

Value Elements::bitcastElement(hlo::BitcastConvertOp op, const Index &index) {
  ElementKind from = elementKind(op.getOperand()), to = elementKind(op.getResult());
  if (from.isComplex())
    return bitcastComplex(op, index);
  if (from.width() == to.width())
    return s.bitcastConvert(element(op.getOperand(), index), from, to);
  Type fromBits = s.intType(from.width()), toBits = s.intType(to.width());
  if (from.width() > to.width()) {
    // The last index chooses bits of the wider element, the least significant first.
    Index wide;
    wide.dims = Values(ArrayRef<Value>(index.dims).drop_back());
    Value bits = s.bitcastConvert(element(op.getOperand(), wide), from, elementKind(fromBits));
    Value amount = k.mulI(index.dims.back(), to.width());
    Value shifted = k.make<arith::ShRUIOp>(s.resizeInt(bits, 64, true), amount);
    return s.bitcastConvert(s.resizeInt(shifted, to.width(), true), elementKind(toBits), to);
  }
  int64_t parts = to.width() / from.width();
  Value bits = s.i(toBits, 0);
  for (int64_t part = 0; part < parts; ++part) {
    Index narrow = index;
    narrow.dims.push_back(k.index(part));
    Value piece = s.bitcastConvert(element(op.getOperand(), narrow), from, elementKind(fromBits));
    bits = s.ori(bits, s.shl(s.resizeInt(piece, to.width(), true), part * from.width()));
  }
  return s.bitcastConvert(bits, elementKind(toBits), to);
}

/// A part of the wider number is the narrower one, its low bits the real part.
Value Elements::bitcastComplex(hlo::BitcastConvertOp op, const Index &index) {
  ElementKind from = elementKind(op.getOperand()), to = elementKind(op.getResult());
  if (from.bytes == to.bytes)
    return element(op.getOperand(), index);
  Type i32 = s.intType(32), i64 = s.intType(64), f32 = k.raw().getF32Type();
  if (from.bytes > to.bytes) {
    Index wide;
    wide.dims = Values(ArrayRef<Value>(index.dims).drop_back());
    Value z = element(op.getOperand(), wide);
    Value isReal = s.cmp(arith::CmpIPredicate::eq, index.dims.back(), k.index(0));
    Value bits = s.bitsOf(s.select(isReal, k.make<complex::ReOp>(z), k.make<complex::ImOp>(z)));
    auto half = [&](Value word) { return s.bitcast(k.make<arith::TruncIOp>(i32, word), f32); };
    return k.make<complex::CreateOp>(to.reg, half(bits), half(s.lshr(bits, 32)));
  }
  Value parts[2];
  for (int64_t part = 0; part < 2; ++part) {
    Index narrow = index;
    narrow.dims.push_back(k.index(part));
    Value z = element(op.getOperand(), narrow);
    auto word = [&](Value half) { return k.make<arith::ExtUIOp>(i64, s.bitsOf(half)); };
    Value low = word(k.make<complex::ReOp>(z)), high = word(k.make<complex::ImOp>(z));
    parts[part] = s.bitcast(s.ori(low, s.shl(high, 32)), k.raw().getF64Type());
  }
  return k.make<complex::CreateOp>(to.reg, parts[0], parts[1]);
}

Value Elements::guardedElement(Value result, const Index &index) {
  Operation *op = result.getDefiningOp();
  Type type = elementKind(result).reg;
  if (index.lane)
    type = VectorType::get({index.lanes}, type);
  // The operands in the order in which they are tried; the last needs no condition.
  llvm::SmallVector<unsigned> order;
  if (isa<hlo::DynamicUpdateSliceOp>(op))
    order = {1, 0};
  else if (isa<hlo::PadOp>(op))
    order = {0, 1};
  else
    for (unsigned number = 0; number < op->getNumOperands(); ++number)
      if (elementsOf(shapeOf(op->getOperand(number))) > 0)
        order.push_back(number);
  std::function<Value(ArrayRef<unsigned>)> choose = [&](ArrayRef<unsigned> rest) {
    unsigned number = rest.front();
    auto [at, condition] = operandIndex(op, number, index);
    Value operand = op->getOperand(number);
    if (rest.size() == 1 || !condition)
      return splatFor(element(operand, at), index);
    if (elementsOf(shapeOf(operand)) == 0)
      return choose(rest.drop_front());
    return k.branch(
        condition, TypeRange{type},
        [&, at = at] { return Values{splatFor(element(operand, at), index)}; },
        [&] { return Values{choose(rest.drop_front())}; })[0];
  };
  Value chosen;
  k.atDepth(std::max(k.guardDepth(), k.depthOf(index.dims)), [&] { chosen = choose(order); });
  return chosen;
}

} // namespace tandem::codegen
