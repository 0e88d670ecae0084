// Abstract execution of a per-device program for all devices at once.

#include "tandem/Analysis/Uniformity.h"

#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;

namespace tandem {
namespace {

/// Ops that trace() may execute in all, so that long loops end.
constexpr int64_t kTraceOps = 200000;

/// Gives equal keys equal numbers, in order of appearance.
template <typename Key> SmallVector<unsigned> number(ArrayRef<Key> keys) {
  std::map<Key, unsigned> numbers;
  SmallVector<unsigned> classes;
  for (const Key &key : keys)
    classes.push_back(numbers.try_emplace(key, numbers.size()).first->second);
  return classes;
}

SmallVector<SmallVector<int64_t>> rowsOf(DenseIntElementsAttr attr) {
  SmallVector<SmallVector<int64_t>> rows;
  auto type = cast<RankedTensorType>(attr.getType());
  if (type.getRank() != 2)
    return rows;
  int64_t column = 0;
  for (APInt id : attr.getValues<APInt>()) {
    if (column++ % type.getDimSize(1) == 0)
      rows.emplace_back();
    if (id.getSExtValue() >= 0) // -1 fills up uneven groups
      rows.back().push_back(id.getSExtValue());
  }
  return rows;
}

DenseIntElementsAttr replicaGroups(Operation *collective) {
  return collective->getAttrOfType<DenseIntElementsAttr>("replica_groups");
}

bool isInteger(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<IntegerType>(type.getElementType());
}

} // namespace

//===-- Classes -------------------------------------------------------------------------------===//

Uniformity::Info Uniformity::uniform() const {
  return {SmallVector<unsigned>(numDevices, 0), std::nullopt};
}

Uniformity::Info Uniformity::distinct() const {
  return {llvm::to_vector(llvm::seq<unsigned>(0, numDevices)), std::nullopt};
}

void Uniformity::refine(Info &info, const Info &by) const {
  SmallVector<std::pair<unsigned, unsigned>> keys;
  for (auto [a, b] : llvm::zip_equal(info.classes, by.classes))
    keys.emplace_back(a, b);
  info.classes = number<std::pair<unsigned, unsigned>>(keys);
}

void Uniformity::join(Infos &into, const Infos &other) const {
  for (auto [a, b] : llvm::zip_equal(into, other)) {
    refine(a, b);
    if (a.known != b.known)
      a.known.reset();
  }
}

const Uniformity::Infos &Uniformity::lookup(Value value) {
  auto [it, isNew] = infos.try_emplace(value);
  if (isNew)
    it->second = Infos(
        isa<FutureType>(value.getType()) ? cast<FutureType>(value.getType()).getTypes().size() : 1,
        distinct());
  return it->second;
}

Uniformity::Info Uniformity::ofArgument(FunctionOpInterface function, unsigned index) const {
  auto sharding = function.getArgAttrOfType<sdy::TensorShardingAttr>(index, "tandem.sharding");
  if (numDevices == 1)
    return uniform();
  sdy::MeshAttr mesh = sharding ? sharding.getMesh(function) : sdy::MeshAttr();
  if (!mesh || mesh.isMaximal() || mesh.getTotalSize() != numDevices)
    return distinct();
  // Devices that agree on all axes that split a dimension hold the same tile.
  SmallVector<bool> used(mesh.getAxes().size());
  for (sdy::DimensionShardingAttr dim : sharding.getDimShardings())
    for (sdy::AxisRefAttr axis : dim.getAxes())
      used[mesh.getAxisIndex(axis.getName())] = true;
  SmallVector<SmallVector<int64_t>> keys(numDevices);
  for (int64_t linear = 0; linear < numDevices; ++linear) {
    SmallVector<int64_t> &key = keys[mesh.getDeviceId(linear)];
    int64_t rest = linear;
    for (size_t i = used.size(); i-- > 0;) {
      int64_t size = mesh.getAxes()[i].getSize();
      if (used[i])
        key.push_back(rest % size);
      rest /= size;
    }
  }
  return {number<SmallVector<int64_t>>(keys), std::nullopt};
}

//===-- Execution -----------------------------------------------------------------------------===//

Uniformity::Uniformity(FunctionOpInterface function, int64_t numDevices)
    : numDevices(numDevices), traceBudget(kTraceOps) {
  if (function.isExternal())
    return;
  Block &entry = function.getFunctionBody().front();
  for (BlockArgument arg : entry.getArguments())
    infos[arg] = {ofArgument(function, arg.getArgNumber())};
  execute(entry);
}

void Uniformity::execute(Block &block) {
  for (Operation &op : block)
    execute(&op);
}

void Uniformity::execute(Operation *op) {
  if (auto start = dyn_cast<StartOp>(op))
    return executeStart(start);
  if (auto loop = dyn_cast<LoopOp>(op))
    return executeLoop(loop);
  if (auto caseOp = dyn_cast<CaseOp>(op))
    return executeCase(caseOp);
  if (auto done = dyn_cast<DoneOp>(op)) {
    Infos elements = lookup(done.getFuture());
    for (auto [result, info] : llvm::zip_equal(done.getOutputs(), elements))
      infos[result] = {info};
    return;
  }

  Info info = uniform();
  if (isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp, DeviceIdOp, stablehlo::RngOp>(op))
    info = distinct();
  auto call = dyn_cast<CallOp>(op);
  auto customCall = dyn_cast<stablehlo::CustomCallOp>(op);
  if ((call && call.getHasSideEffect()) || (customCall && customCall.getHasSideEffect()))
    info = distinct();
  // Operands, and what regions use from outside: a reducer's captures, a kernel's nothing.
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (auto it = infos.find(operand); it != infos.end())
        for (const Info &operandInfo : it->second)
          refine(info, operandInfo);
  });
  if (op->getNumResults() == 1 && isInteger(op->getResult(0)))
    info.known = evaluate(op);
  if (info.known) {
    SmallVector<int64_t> keys;
    for (const APInt &value : *info.known)
      keys.push_back(value.getSExtValue());
    info.classes = number<int64_t>(keys);
  }
  for (Value result : op->getResults())
    if (!isa<TokenType>(result.getType()))
      infos[result] = {info};
}

void Uniformity::executeStart(StartOp start) {
  Block &body = start.getBody().front();
  for (auto [arg, input] : llvm::zip_equal(body.getArguments(), start.getInputs()))
    infos[arg] = {lookup(input).front()};
  for (Operation &op : body.without_terminator()) {
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      Info operand = lookup(op.getOperand(std::min<size_t>(i, op.getNumOperands() - 1))).front();
      operand.known.reset();
      infos[result] = {isa<CopyOp>(op) ? operand : collective(&op, operand)};
    }
  }
  Infos elements;
  for (Value value : start.getYield().getValues())
    elements.push_back(lookup(value).front());
  infos[start.getFuture()] = elements;
}

Uniformity::Info Uniformity::collective(Operation *op, const Info &operand) const {
  // A key per device; those that no group names keep a key of their own.
  SmallVector<SmallVector<int64_t>> keys;
  for (int64_t device = 0; device < numDevices; ++device)
    keys.push_back({-1, device});
  auto isKnown = [&](int64_t device) { return device >= 0 && device < numDevices; };
  if (auto permute = dyn_cast<stablehlo::CollectivePermuteOp>(op)) {
    for (SmallVector<int64_t> &key : keys)
      key = {-2}; // zeros
    for (ArrayRef<int64_t> pair :
         rowsOf(cast<DenseIntElementsAttr>(permute.getSourceTargetPairs())))
      if (pair.size() == 2 && isKnown(pair[0]) && isKnown(pair[1]))
        keys[pair[1]] = {operand.classes[pair[0]]};
    return {number<SmallVector<int64_t>>(keys), std::nullopt};
  }
  DenseIntElementsAttr attr = replicaGroups(op);
  if (!attr)
    return distinct();
  bool ranked = isa<stablehlo::ReduceScatterOp, stablehlo::AllToAllOp>(op);
  for (ArrayRef<int64_t> group : rowsOf(attr)) {
    if (!llvm::all_of(group, isKnown))
      continue;
    SmallVector<int64_t> key;
    for (int64_t device : group)
      key.push_back(operand.classes[device]);
    if (isa<stablehlo::CollectiveBroadcastOp>(op))
      key.resize(1);
    for (auto [rank, device] : llvm::enumerate(group)) {
      keys[device] = key;
      if (ranked)
        keys[device].push_back(rank);
    }
  }
  return {number<SmallVector<int64_t>>(keys), std::nullopt};
}

void Uniformity::executeLoop(LoopOp loop) {
  Block &body = loop.getBody().front();
  SmallVector<Infos> carried;
  for (Value init : loop.getInits())
    carried.push_back(lookup(init));
  SmallVector<Infos> before;
  do {
    before = carried;
    for (auto [arg, info] : llvm::zip_equal(body.getArguments(), carried))
      infos[arg] = info;
    execute(body);
    for (auto [info, next] : llvm::zip_equal(carried, loop.getYieldedValues()))
      join(info, lookup(next));
  } while (carried != before);

  // Devices that leave the loop at different times hold different values.
  Info predicate = lookup(loop.getPredicate()).front();
  refine(predicate, lookup(loop.getNextPredicate()).front());
  for (auto [result, info] : llvm::zip_equal(loop.getOutputs(), carried)) {
    for (Info &element : info)
      refine(element, predicate);
    infos[result] = info;
  }
  bool isUniform = llvm::all_equal(predicate.classes);
  bool hasCollective = loop->walk([](StartOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!isUniform && hasCollective)
    trace(loop);
}

void Uniformity::trace(LoopOp loop) {
  // Works on a copy of what is known, so that the fixpoint stays.
  llvm::DenseMap<Value, Infos> fixpoint = infos;
  Block &body = loop.getBody().front();
  SmallVector<Info> &predicates = traces[loop];
  predicates.clear();
  int64_t opsOfBody = 0;
  body.walk([&](Operation *) { ++opsOfBody; });

  Info predicate = lookup(loop.getPredicate()).front();
  SmallVector<Infos> carried;
  for (Value init : loop.getInits())
    carried.push_back(lookup(init));
  while (true) {
    predicates.push_back(predicate);
    // Stop where nothing is known, the loop ends, or devices part.
    if (!predicate.known || !llvm::all_equal(*predicate.known) ||
        predicate.known->front().isZero() || (traceBudget -= opsOfBody) < 0)
      break;
    for (auto [arg, info] : llvm::zip_equal(body.getArguments(), carried))
      infos[arg] = info;
    execute(body);
    predicate = lookup(loop.getNextPredicate()).front();
    for (auto [info, next] : llvm::zip_equal(carried, loop.getYieldedValues()))
      info = lookup(next);
  }
  infos = std::move(fixpoint);
}

void Uniformity::executeCase(CaseOp op) {
  Info index = lookup(op.getIndex()).front();
  index.known.reset();
  SmallVector<Infos> results;
  for (Region &branch : op.getBranches()) {
    execute(branch.front());
    for (auto [i, value] :
         llvm::enumerate(cast<YieldOp>(branch.front().getTerminator()).getValues())) {
      if (results.size() <= i)
        results.push_back(lookup(value));
      else
        join(results[i], lookup(value));
    }
  }
  for (auto [result, info] : llvm::zip_equal(op.getOutputs(), results)) {
    for (Info &element : info)
      refine(element, index);
    infos[result] = info;
  }
}

//===-- Answers -------------------------------------------------------------------------------===//

ArrayRef<unsigned> Uniformity::getClasses(Value value) const {
  return infos.find(value)->second.front().classes;
}

Uniformity::Answer Uniformity::judge(Operation *loopOrCase, ArrayRef<int64_t> group) const {
  SmallVector<Info> predicates;
  bool exact = false; // the predicates are all there are
  if (auto it = traces.find(loopOrCase); it != traces.end()) {
    predicates = it->second;
    const Info &last = predicates.back();
    exact = last.known && llvm::all_equal(*last.known) && last.known->front().isZero();
  }
  auto add = [&](Value value) {
    if (auto it = infos.find(value); it != infos.end())
      predicates.push_back(it->second.front());
  };
  if (auto loop = dyn_cast<LoopOp>(loopOrCase)) {
    if (!exact) {
      add(loop.getPredicate());
      add(loop.getNextPredicate());
    }
  } else {
    add(cast<CaseOp>(loopOrCase).getIndex());
  }

  auto isKnown = [&](int64_t device) { return device >= 0 && device < numDevices; };
  if (!llvm::all_of(group, isKnown))
    return {Verdict::Unknown};
  bool proved = true;
  for (const Info &info : predicates) {
    for (int64_t device : group) {
      if (info.classes[device] == info.classes[group.front()])
        continue;
      proved = false;
      if (info.known)
        return {Verdict::Differs, group.front(), device,
                static_cast<int64_t>((*info.known)[group.front()].getZExtValue()),
                static_cast<int64_t>((*info.known)[device].getZExtValue())};
    }
  }
  return {proved ? Verdict::Uniform : Verdict::Unknown};
}

SmallVector<SmallVector<int64_t>> Uniformity::getGroups(StartOp start) {
  Operation *op = start.getCollective();
  if (DenseIntElementsAttr groups = replicaGroups(op))
    return rowsOf(groups);
  if (auto permute = dyn_cast<stablehlo::CollectivePermuteOp>(op))
    return rowsOf(cast<DenseIntElementsAttr>(permute.getSourceTargetPairs()));
  return {};
}

//===-- Known integers
//--------------------------------------------------------------------------===//

/// One device's result of an integer op on scalars or splats; nullopt if not known.
static std::optional<APInt> evaluateOn(Operation *op, ArrayRef<APInt> in) {
  auto resultType =
      cast<IntegerType>(cast<RankedTensorType>(op->getResult(0).getType()).getElementType());
  unsigned width = resultType.getWidth();
  bool isUnsigned =
      op->getNumOperands() > 0 && isInteger(op->getOperand(0)) &&
      (cast<RankedTensorType>(op->getOperand(0).getType()).getElementType().isUnsignedInteger() ||
       in.front().getBitWidth() == 1);
  if (isa<stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp>(op))
    return in[0];
  if (isa<stablehlo::ConvertOp>(op)) {
    if (width == 1)
      return APInt(1, !in[0].isZero());
    return isUnsigned ? in[0].zextOrTrunc(width) : in[0].sextOrTrunc(width);
  }
  if (isa<stablehlo::AddOp>(op))
    return width == 1 ? in[0] | in[1] : in[0] + in[1];
  if (isa<stablehlo::SubtractOp>(op))
    return in[0] - in[1];
  if (isa<stablehlo::MulOp>(op))
    return in[0] * in[1];
  if (isa<stablehlo::DivOp, stablehlo::RemOp>(op)) {
    if (in[1].isZero() || (!isUnsigned && in[0].isMinSignedValue() && in[1].isAllOnes()))
      return std::nullopt;
    if (isa<stablehlo::DivOp>(op))
      return isUnsigned ? in[0].udiv(in[1]) : in[0].sdiv(in[1]);
    return isUnsigned ? in[0].urem(in[1]) : in[0].srem(in[1]);
  }
  if (isa<stablehlo::AndOp>(op))
    return in[0] & in[1];
  if (isa<stablehlo::OrOp>(op))
    return in[0] | in[1];
  if (isa<stablehlo::XorOp>(op))
    return in[0] ^ in[1];
  if (isa<stablehlo::NotOp>(op))
    return ~in[0];
  if (isa<stablehlo::MaxOp, stablehlo::MinOp>(op)) {
    bool less = isUnsigned ? in[0].ult(in[1]) : in[0].slt(in[1]);
    return less == isa<stablehlo::MinOp>(op) ? in[0] : in[1];
  }
  if (isa<stablehlo::SelectOp>(op))
    return in[0].isZero() ? in[2] : in[1];
  if (auto compare = dyn_cast<stablehlo::CompareOp>(op)) {
    bool less = isUnsigned ? in[0].ult(in[1]) : in[0].slt(in[1]);
    bool equal = in[0] == in[1];
    switch (compare.getComparisonDirection()) {
    case stablehlo::ComparisonDirection::EQ:
      return APInt(1, equal);
    case stablehlo::ComparisonDirection::NE:
      return APInt(1, !equal);
    case stablehlo::ComparisonDirection::LT:
      return APInt(1, less);
    case stablehlo::ComparisonDirection::LE:
      return APInt(1, less || equal);
    case stablehlo::ComparisonDirection::GT:
      return APInt(1, !less && !equal);
    case stablehlo::ComparisonDirection::GE:
      return APInt(1, !less);
    }
  }
  return std::nullopt;
}

std::optional<SmallVector<APInt>> Uniformity::evaluate(Operation *op) {
  SmallVector<APInt> values;
  if (isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp, DeviceIdOp>(op)) {
    for (int64_t device = 0; device < numDevices; ++device)
      values.emplace_back(32, device);
    return values;
  }
  DenseIntElementsAttr attr;
  if (matchPattern(op, m_Constant(&attr))) {
    if (!attr.isSplat() && attr.getNumElements() != 1)
      return std::nullopt;
    return SmallVector<APInt>(numDevices, *attr.begin());
  }

  // One element of a table, such as a device's coordinate on an axis.
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op)) {
    auto type = cast<RankedTensorType>(slice.getOperand().getType());
    if (!matchPattern(slice.getOperand(), m_Constant(&attr)) ||
        cast<RankedTensorType>(slice.getType()).getNumElements() != 1)
      return std::nullopt;
    for (int64_t device = 0; device < numDevices; ++device) {
      int64_t position = 0;
      for (auto [size, start] : llvm::zip_equal(type.getShape(), slice.getStartIndices())) {
        const Info &index = lookup(start).front();
        if (!index.known)
          return std::nullopt;
        int64_t at = (*index.known)[device].getSExtValue();
        position = position * size + std::clamp<int64_t>(at, 0, size - 1);
      }
      values.push_back(attr.getValues<APInt>()[position]);
    }
    return values;
  }

  if (op->getNumRegions() != 0 || op->getNumOperands() == 0)
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (!lookup(operand).front().known)
      return std::nullopt;
  SmallVector<const Info *> operands; // no look-up that could move them from here on
  for (Value operand : op->getOperands())
    operands.push_back(&infos.find(operand)->second.front());
  for (int64_t device = 0; device < numDevices; ++device) {
    SmallVector<APInt> in;
    for (const Info *operand : operands)
      in.push_back((*operand->known)[device]);
    std::optional<APInt> value = evaluateOn(op, in);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

} // namespace tandem
