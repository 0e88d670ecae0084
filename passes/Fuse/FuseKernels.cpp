// Groups ops into kernels: FusionPlan decides, this edits.
//
//   1. Cheap roots (constants, iota and what is made of them) are rebuilt in the loops and
//      branches whose kernels use them.
//   2. Each block gets its plan, and its kernels in an order that keeps the program's as far as
//      possible.
//   3. Equal computations of one kernel become one; results that may be written over an operand
//      are marked.
//   4. Barriers have done their work and go.

#include "passes/Fuse/FusionPlan.h"
#include "passes/Fuse/Passes.h"

#include "tandem/Codegen/KernelOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/InPlace.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

#include <queue>

using namespace mlir;

namespace tandem {
#define GEN_PASS_DEF_FUSEKERNELSPASS
#include "passes/Fuse/Passes.h.inc"

namespace {

/// Operands of `op` and what its regions use from outside of it, each once.
llvm::SetVector<Value> inputsOf(Operation *op) {
  llvm::SetVector<Value> inputs;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
        inputs.insert(operand);
  });
  return inputs;
}

/// 1. Clones into `block` the cheap roots from above that its kernels will use.
void rebuildRoots(Block &block) {
  if (block.empty())
    return;
  IRMapping rebuilt;
  // One place for all: an expression may use what an earlier one has cloned.
  OpBuilder builder(&block.front());
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!canEmit(&op))
      continue;
    for (Value input : inputsOf(&op)) {
      Operation *root = input.getDefiningOp();
      if (!root || root->getBlock() == &block || !isRebuiltRoot(root))
        continue;
      if (!rebuilt.contains(input)) {
        // Operands first; the expression is short and lies in one block.
        auto clone = [&](auto &&self, Operation *source) -> void {
          for (Value operand : source->getOperands())
            if (!rebuilt.contains(operand))
              self(self, operand.getDefiningOp());
          builder.clone(*source, rebuilt);
        };
        clone(clone, root);
      }
      op.walk([&](Operation *inner) { inner->replaceUsesOfWith(input, rebuilt.lookup(input)); });
    }
  }
}

/// Puts the ops of `block` into an order in which definitions precede uses, close to `keys`.
void sortBlock(Block &block, const llvm::DenseMap<Operation *, double> &keys) {
  struct Entry {
    double key;
    unsigned number;
    Operation *op;
    bool operator>(const Entry &other) const {
      return std::tie(key, number) > std::tie(other.key, other.number);
    }
  };
  llvm::DenseMap<Operation *, unsigned> missing, numbers;
  llvm::DenseMap<Operation *, SmallVector<Operation *, 4>> followers;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  Operation *lastEffect = nullptr;
  for (Operation &op : block.without_terminator()) {
    numbers.try_emplace(&op, numbers.size());
    llvm::SetVector<Operation *> before;
    for (Value input : inputsOf(&op))
      if (Operation *from = input.getDefiningOp(); from && from->getBlock() == &block)
        before.insert(from);
    if (hasOrderedEffects(&op)) {
      if (lastEffect)
        before.insert(lastEffect);
      lastEffect = &op;
    }
    missing[&op] = before.size();
    for (Operation *from : before)
      followers[from].push_back(&op);
  }
  for (Operation &op : block.without_terminator())
    if (missing[&op] == 0)
      ready.push({keys.lookup(&op), numbers[&op], &op});
  SmallVector<Operation *> order;
  while (!ready.empty()) {
    Operation *op = ready.top().op;
    ready.pop();
    order.push_back(op);
    for (Operation *next : followers.lookup(op))
      if (--missing[next] == 0)
        ready.push({keys.lookup(next), numbers[next], next});
  }
  assert(order.size() == numbers.size() && "the plan has a cycle");
  for (Operation *op : order)
    op->moveBefore(&block, block.mightHaveTerminator() ? block.getTerminator()->getIterator()
                                                       : block.end());
}

/// Whether another result than `result` is computed from argument `argument`.
bool othersRead(KernelOp kernel, unsigned result, unsigned argument) {
  SmallVector<Value> worklist = {kernel.getBody().front().getArgument(argument)};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      if (use.getOwner() == kernel.getYield()) {
        if (use.getOperandNumber() != result)
          return true;
        continue;
      }
      Operation *user = kernel.getBody().front().findAncestorOpInBlock(*use.getOwner());
      if (seen.insert(user).second)
        worklist.append(user->result_begin(), user->result_end());
    }
  return false;
}

/// 3. The operand that result `result` may be written over, if any, among those not `taken`: one
/// that nothing else uses before others, one that no other result reads before others, then one of
/// its shape.
std::optional<unsigned> findInPlace(KernelOp kernel, unsigned result,
                                    const llvm::SmallDenseSet<unsigned> &taken) {
  Type type = kernel.getOutputs()[result].getType();
  std::optional<unsigned> best;
  auto rankOf = [&](unsigned operand) {
    Value input = kernel.getInputs()[operand];
    return std::tuple(!input.hasOneUse(), othersRead(kernel, result, operand),
                      input.getType() != type);
  };
  for (auto [i, input] : llvm::enumerate(kernel.getInputs())) {
    if (!haveSameElements(input.getType(), type) || taken.contains(i) ||
        (best && rankOf(*best) <= rankOf(i)))
      continue;
    Operation *from = input.getDefiningOp();
    if ((from && matchPattern(from, m_Constant())) || whyNotInPlace(kernel, result, i))
      continue;
    best = i;
  }
  return best;
}

struct FuseKernelsPass : impl::FuseKernelsPassBase<FuseKernelsPass> {
  void runOnOperation() override {
    // Outer blocks first: what an inner one rebuilds need not be written outside.
    SmallVector<Block *> blocks;
    SmallVector<stablehlo::OptimizationBarrierOp> barriers;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto barrier = dyn_cast<stablehlo::OptimizationBarrierOp>(op))
        barriers.push_back(barrier);
      if (!isa<FunctionOpInterface, LoopOp, CaseOp>(op))
        return op->hasTrait<OpTrait::SymbolTable>() ? WalkResult::advance() : WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
      return WalkResult::advance();
    });
    for (Block *block : blocks)
      rebuildRoots(*block); // 1
    for (Block *block : blocks)
      fuse(*block);                                             // 2
    for (stablehlo::OptimizationBarrierOp barrier : barriers) { // 4
      barrier.replaceAllUsesWith(barrier.getOperand());
      barrier.erase();
    }
    for (Block *block : blocks)
      for (Operation &op : *block)
        if (!isa<TandemDialect>(op.getDialect()) && !isa<func::ReturnOp>(op) && !canEmit(&op)) {
          op.emitOpError(
              "cannot be compiled: neither a kernel nor a library call holds it; expected "
              "the program without it");
          signalPassFailure();
        }
  }

  void fuse(Block &block) {
    FusionPlan plan(block);
    llvm::DenseMap<Operation *, double> position;
    for (Operation &op : block)
      position.try_emplace(&op, position.size());

    // Kernels come before those that use their results: after them in the list of groups.
    llvm::MapVector<Value, Value> written; // to the kernel's result
    llvm::DenseMap<Operation *, double> keys = position;
    SmallVector<bool> done(plan.getGroups().size());
    auto emit = [&](auto &&self, unsigned index) -> void {
      if (done[index])
        return;
      done[index] = true;
      for (Operation *op : plan.getGroups()[index].ops)
        for (Value input : inputsOf(op))
          if (Operation *from = input.getDefiningOp(); from && from->getBlock() == &block)
            if (std::optional<unsigned> home = plan.getHome(from); home && *home != index)
              if (!plan.getGroups()[index].ops.contains(from))
                self(self, *home);
      KernelOp kernel = build(block, plan, index, position, written);
      double key = 0;
      for (Operation *op : plan.getGroups()[index].ops)
        key = std::max(key, position.lookup(op));
      keys[kernel] = key;
    };
    for (unsigned index = plan.getGroups().size(); index-- > 0;)
      emit(emit, index);

    for (auto [value, result] : written)
      value.replaceUsesWithIf(result, [&](OpOperand &use) {
        Operation *user = block.findAncestorOpInBlock(*use.getOwner());
        return !plan.isFused(user) && !plan.isDead(user);
      });
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if ((plan.isFused(&op) || plan.isDead(&op)) && op.use_empty())
        op.erase();
    sortBlock(block, keys);
    for (Operation &op : block)
      if (auto kernel = dyn_cast<KernelOp>(op)) {
        shareIndices(kernel);
        markInPlace(kernel); // 3
      }
  }

  /// Equal computations of a kernel become one, so that a slice is seen to be at the same indices
  /// as the update that follows it. Regions of its ops stay as they are: they use nothing from
  /// around them.
  static void shareIndices(KernelOp kernel) {
    llvm::DenseMap<unsigned, SmallVector<Operation *, 1>> known; // by hash
    for (Operation &op :
         llvm::make_early_inc_range(kernel.getBody().front().without_terminator())) {
      if (op.getNumRegions() || !isMemoryEffectFree(&op))
        continue;
      auto hash = static_cast<unsigned>(OperationEquivalence::computeHash(
          &op, OperationEquivalence::directHashValue, OperationEquivalence::ignoreHashValue,
          OperationEquivalence::IgnoreLocations));
      SmallVector<Operation *, 1> &candidates = known[hash];
      Operation **same = llvm::find_if(candidates, [&](Operation *other) {
        return OperationEquivalence::isEquivalentTo(&op, other,
                                                    OperationEquivalence::IgnoreLocations);
      });
      if (same == candidates.end()) {
        candidates.push_back(&op);
        continue;
      }
      op.replaceAllUsesWith(*same);
      op.erase();
    }
  }

  /// The kernel of group `index`, at the block's end.
  KernelOp build(Block &block, const FusionPlan &plan, unsigned index,
                 const llvm::DenseMap<Operation *, double> &position,
                 llvm::MapVector<Value, Value> &written) {
    const FusionPlan::Group &group = plan.getGroups()[index];
    SmallVector<Operation *> ops(group.ops.begin(), group.ops.end());
    llvm::sort(ops,
               [&](Operation *a, Operation *b) { return position.lookup(a) < position.lookup(b); });

    llvm::SetVector<Value> inputs; // as the block has them
    SmallVector<Value> outputs;
    for (Operation *op : ops) {
      for (Value input : inputsOf(op))
        if (!input.getDefiningOp() || !group.ops.contains(input.getDefiningOp()))
          inputs.insert(input);
      if (plan.getHome(op) != index)
        continue;
      for (Value result : op->getResults())
        if (op == group.root() || isUsedOutside(block, plan, index, result))
          outputs.push_back(result);
    }
    // Of several results of the root, those that nobody uses are not written.
    llvm::erase_if(outputs, [](Value output) { return output.use_empty(); });

    SmallVector<Value> operands;
    for (Value input : inputs) {
      auto it = written.find(input);
      operands.push_back(it == written.end() ? input : it->second);
    }
    OpBuilder builder(&block, block.mightHaveTerminator() ? block.getTerminator()->getIterator()
                                                          : block.end());
    Location loc = group.root()->getLoc();
    auto kernel = KernelOp::create(builder, loc, operands, TypeRange(ValueRange(outputs)));
    Block &body = kernel.getBody().front();
    IRMapping mapping;
    mapping.map(inputs.getArrayRef(), body.getArguments());
    builder.setInsertionPointToEnd(&body);
    for (Operation *op : ops)
      builder.clone(*op, mapping);
    YieldOp::create(builder, loc, llvm::map_to_vector(outputs, [&](Value output) {
                      return mapping.lookup(output);
                    }));
    for (auto [output, result] : llvm::zip_equal(outputs, kernel.getOutputs()))
      written[output] = result;

    ++numKernels;
    numFused += ops.size();
    for (Operation *op : ops)
      numRebuilt += plan.getGroupsOf(op).front() != index;
    return kernel;
  }

  /// Whether another kernel, or something that is no kernel, uses `value`, which `index` writes.
  static bool isUsedOutside(Block &block, const FusionPlan &plan, unsigned index, Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      Operation *inBlock = block.findAncestorOpInBlock(*user);
      if (isa<KernelOp>(inBlock) || plan.isDead(inBlock))
        return false;
      ArrayRef<unsigned> groups = plan.getGroupsOf(inBlock);
      return groups.empty() || llvm::any_of(groups, [&](unsigned g) { return g != index; });
    });
  }

  void markInPlace(KernelOp kernel) {
    SmallVector<int64_t> pairs;
    llvm::SmallDenseSet<unsigned> taken;
    for (unsigned result = 0, e = kernel.getOutputs().size(); result < e; ++result) {
      if (std::optional<unsigned> operand = findInPlace(kernel, result, taken)) {
        taken.insert(*operand);
        pairs.push_back(result);
        pairs.push_back(*operand);
        ++numInPlace;
      }
    }
    if (!pairs.empty())
      kernel.setInPlace(pairs);
  }
};

} // namespace
} // namespace tandem
