// Sums over devices that wait until something other than a linear op needs them.
//
//   %a = dot (partial over x)          %a, %b parts
//   %b = dot (partial over x)          %c = add of the parts
//   %c = add %a, %b                    one all-reduce over x, of %c
#include "passes/Partition/Partitioner.h"
#include "tandem/Sharding/Projection.h"

namespace tandem {
using namespace mlir;

namespace {

/// A whole value is made parts of a sum, so that the sum can wait longer, up to this size.
constexpr int64_t kMostPartialBytes = 4096;

/// f(sum of parts) = sum of f(part), and no larger than its operand.
bool isLinear(Operation *op) {
  return isa<stablehlo::AddOp, stablehlo::SubtractOp, stablehlo::NegOp, stablehlo::TransposeOp>(op);
}

} // namespace

bool Partitioner::delaySum(Value old, Value local, const Sharding &sharding, AtomsRef atoms) {
  if (!old.hasOneUse())
    return false;
  Operation *user = *old.getUsers().begin();
  if (!isLinear(user) || user->getBlock() != old.getParentBlock())
    return false;
  partials[old] = {local, sharding, Atoms(atoms)};
  return true;
}

/// A small value that every device of the sum has, as parts: the first device's is the value, the
/// others' are zero. Null if it is not at hand in that sharding.
Value Partitioner::makePartial(Value old, const Partial &like, Location loc) {
  auto type = cast<RankedTensorType>(like.local.getType());
  if (getByteSize(type) > kMostPartialBytes)
    return {};
  if (!isRebuildable(old.getDefiningOp()) &&
      llvm::none_of(getVersions(old), [&](const Version &version) {
        return version.sharding.sameTiles(like.sharding);
      }))
    return {};
  Location cause = spmd->getLoc({loc, "share of a sum", describeArray(old)}, like.atoms);
  Value local = get(old, like.sharding, loc);
  return stablehlo::SelectOp::create(spmd->getBuilder(), cause, type,
                                     spmd->isFirst(like.atoms, cause), local,
                                     spmd->createSplat(cause, type, 0));
}

bool Partitioner::emitAccumulation(Operation *op) {
  if (!isa<stablehlo::AddOp>(op))
    return false;
  for (unsigned i : {0u, 1u}) {
    auto accumulator = accumulators.find(op->getOperand(i));
    auto part = partials.find(op->getOperand(1 - i));
    if (accumulator == accumulators.end() || part == partials.end() ||
        !accumulator->second.sharding.sameTiles(part->second.sharding))
      continue;
    accumulator->second.atoms = part->second.atoms;
    Value local = stablehlo::AddOp::create(spmd->getBuilder(), op->getLoc(),
                                           accumulator->second.local, part->second.local);
    partials.erase(part);
    addVersion(op->getResult(0), local, accumulator->second.sharding);
    return true;
  }
  return false;
}

bool Partitioner::emitOnPartials(Operation *op) {
  if (!isLinear(op))
    return false;
  if (emitAccumulation(op))
    return true;
  const Partial *like = nullptr;
  for (Value operand : op->getOperands())
    if (auto it = partials.find(operand); it != partials.end()) {
      if (like &&
          (like->atoms != it->second.atoms || !like->sharding.sameTiles(it->second.sharding)))
        return false;
      like = &it->second;
    }
  if (!like)
    return false;
  const Partial parts = *like; // the map may change below
  Assignment assignment;
  assignment.reduced = parts.atoms;
  SmallVector<Value> locals;
  for (Value operand : op->getOperands()) {
    auto it = partials.find(operand);
    Value local =
        it != partials.end() ? it->second.local : makePartial(operand, parts, op->getLoc());
    if (!local)
      return false;
    locals.push_back(local);
    assignment.operands.push_back(parts.sharding);
  }
  ShardingRule rule = getShardingRule(op);
  TensorProjection view = project(assignment.operands.front(), rule.operands.front(), rule, mesh);
  if (llvm::is_contained(view.overflows, true))
    return false;
  bool dropped = false;
  assignment.atoms = view.atoms;
  assignment.results.push_back(unproject(view.atoms, rule.results.front(), rule, mesh, &dropped));
  if (dropped)
    return false;
  Value local = createLocal(op, locals, assignment)->getResult(0);
  for (Value operand : op->getOperands())
    partials.erase(operand);
  Value result = op->getResult(0);
  partials[result] = {local, assignment.results.front(), assignment.reduced};
  if (!delaySum(result, local, assignment.results.front(), assignment.reduced))
    settle(result);
  return true;
}

void Partitioner::settle(Value old) {
  auto it = partials.find(old);
  if (it == partials.end())
    return;
  Partial partial = it->second;
  partials.erase(old);
  FailureOr<Sharding> declared = getDeclared(old);
  Sharding wanted = succeeded(declared) ? *declared : partial.sharding;
  Operation *op = old.getDefiningOp();
  Value local =
      combinePartials(op, partial.local, partial.sharding, wanted, partial.atoms, Combiner::Add);
  addVersion(old, local, partial.sharding);
  get(old, wanted, op->getLoc());
}

void Partitioner::settleAll() {
  while (!partials.empty())
    settle(partials.front().first);
}

} // namespace tandem
