// Follows values to the arguments and results that have names.
#include "tandem/Sharding/Names.h"

#include <deque>

#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Cause.h"
#include "llvm/ADT/DenseSet.h"

namespace tandem {
using namespace mlir;

namespace {

constexpr unsigned kMostVisited = 400;

/// The name a front end gave a location: "params['w']" of loc("params['w']").
StringRef nameOf(Location loc) {
  StringRef name;
  loc->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner)) {
      name = named.getName().getValue();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return name;
}

std::string nameOp(Operation *op) {
  // What a pass made on the way is named for what it was made of.
  if (CauseAttr cause = getCause(op->getLoc()); cause && !cause.getArray().empty())
    return cause.getArray().str();
  StringRef name = nameOf(op->getLoc());
  return name.empty() ? op->getName().getStringRef().str() : name.str();
}

StringRef resultInfo(func::FuncOp func, unsigned index) {
  auto info = func.getResultAttrOfType<StringAttr>(index, "jax.result_info");
  return info ? info.getValue() : StringRef();
}

/// Whether a value passes on what it is made of, one element for one element.
bool passesOn(Operation *op) {
  return isa<stablehlo::ConvertOp, stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::SliceOp,
             stablehlo::PadOp, stablehlo::BroadcastInDimOp, stablehlo::DynamicSliceOp,
             sdy::ShardingConstraintOp>(op);
}

} // namespace

std::string nameArgument(func::FuncOp func, unsigned index) {
  StringRef name = nameOf(func.getArgument(index).getLoc());
  if (!name.empty())
    return name.str();
  std::string text = "argument " + std::to_string(index);
  auto alias = func.getArgAttrOfType<IntegerAttr>(index, "tf.aliasing_output");
  if (alias && alias.getInt() >= 0 && alias.getInt() < static_cast<int64_t>(func.getNumResults()))
    if (StringRef info = resultInfo(func, alias.getInt()); !info.empty())
      text += " (" + info.str() + ")";
  return text;
}

std::string nameResult(func::FuncOp func, unsigned index) {
  StringRef info = resultInfo(func, index);
  return info.empty() ? "result " + std::to_string(index) : info.str();
}

std::string describeArray(Value value) {
  for (unsigned depth = 0; depth < 64; ++depth) {
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      Operation *parent = arg.getOwner()->getParentOp();
      if (auto func = dyn_cast<func::FuncOp>(parent))
        return nameArgument(func, arg.getArgNumber());
      // What a loop carries unchanged is what it starts from.
      if (auto loop = dyn_cast<stablehlo::WhileOp>(parent)) {
        Value next = loop.getBody().front().getTerminator()->getOperand(arg.getArgNumber());
        if (next == loop.getBody().getArgument(arg.getArgNumber())) {
          value = loop->getOperand(arg.getArgNumber());
          continue;
        }
      }
      StringRef name = nameOf(arg.getLoc());
      return name.empty() ? "carried value " + std::to_string(arg.getArgNumber()) : name.str();
    }
    Operation *op = value.getDefiningOp();
    if (op->getNumOperands() == 0 || !passesOn(op))
      return nameOp(op);
    value = op->getOperand(0);
  }
  return "";
}

std::string describeSum(Value value) {
  std::deque<Value> todo{value};
  llvm::DenseSet<Value> seen;
  while (!todo.empty() && seen.size() < kMostVisited) {
    Value next = todo.front();
    todo.pop_front();
    if (!seen.insert(next).second)
      continue;
    // Uses are listed last first.
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : next.getUses())
      uses.push_back(&use);
    for (OpOperand *use : llvm::reverse(uses)) {
      Operation *user = use->getOwner();
      unsigned index = use->getOperandNumber();
      if (isa<func::ReturnOp>(user))
        return nameResult(user->getParentOfType<func::FuncOp>(), index);
      if (auto loop = dyn_cast<stablehlo::WhileOp>(user)) {
        todo.push_back(loop.getBody().getArgument(index));
        todo.push_back(loop->getResult(index));
      } else if (user->hasTrait<OpTrait::IsTerminator>()) {
        Operation *parent = user->getParentOp();
        if (index < parent->getNumResults())
          todo.push_back(parent->getResult(index));
        if (auto loop = dyn_cast<stablehlo::WhileOp>(parent);
            loop && user->getBlock() == &loop.getBody().front())
          todo.push_back(loop.getBody().getArgument(index));
      } else if (auto manual = dyn_cast<sdy::ManualComputationOp>(user)) {
        todo.push_back(manual.getBody().getArgument(index));
      } else {
        todo.insert(todo.end(), user->result_begin(), user->result_end());
      }
    }
  }
  Operation *op = value.getDefiningOp();
  return op ? nameOp(op) : describeArray(value);
}

} // namespace tandem
