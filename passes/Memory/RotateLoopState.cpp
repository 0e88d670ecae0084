// Lets loop state rotate over two slots in the place of copies that the order has turned out to
// need: the next value is written into one while the present one is read in the other.
//
// It wants the bytes for itself: what enters the loop must be made for it, and what leaves it must
// not have to be in a given place. Where that is not so, a copy before or after the loop makes it
// so, if the loop has more trips than that takes copies.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "passes/Memory/Passes.h"
#include "tandem/Analysis/ByteSharing.h"
#include "tandem/IR/Tandem/Buffers.h"
#include "tandem/IR/Tandem/Cause.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {
#define GEN_PASS_DEF_ROTATELOOPSTATEPASS
#include "passes/Memory/Passes.h.inc"

namespace {

using mlir::Block;
using mlir::Operation;
using mlir::Value;

// Whether `user` takes over the bytes of `value`, or fixes their place.
bool tiesBytes(Operation *user, Value value) {
  if (auto loop = llvm::dyn_cast<LoopOp>(user))
    return llvm::is_contained(loop.getInits(), value);
  if (auto call = llvm::dyn_cast<CallOp>(user))
    return llvm::any_of(call.getAliasedPairs(),
                        [&](auto pair) { return call->getOperand(pair.second) == value; });
  return user->hasTrait<mlir::OpTrait::IsTerminator>();
}

// Whether a read of `value` may end in a later trip.
bool isReadBeyond(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    auto start = llvm::dyn_cast<StartOp>(user);
    if (!start)
      return false;
    llvm::SmallVector<LoopOp> loops;
    DoneOp done = doneOf(start.getFuture(), loops);
    return !done || !loops.empty() || done->getBlock() != start->getBlock();
  });
}

// Whether `value` is in bytes of its own, that its definition chose: not those of an argument, a
// constant, a loop's state.
bool hasOwnBytes(Value value) {
  Operation *def = value.getDefiningOp();
  if (auto done = llvm::dyn_cast_or_null<DoneOp>(def)) {
    auto start = done.getFuture().getDefiningOp<StartOp>();
    return start && start->getBlock() == done->getBlock();
  }
  return def && llvm::isa<KernelOp, GemmOp, ConvOp, CopyOp, DeviceIdOp>(def);
}

struct RotateLoopState : impl::RotateLoopStatePassBase<RotateLoopState> {
  void runOnOperation() override {
    mlir::ModuleOp module = getOperation();
    // With a limit the bytes of a second slot may not be there.
    if (module->hasAttr("tandem.memory_limit"))
      return;
    if (copyRegionAnalysis(module) != CopyRegionAnalysis::AfterSchedule)
      return;
    for (auto func : module.getOps<mlir::func::FuncOp>())
      if (!func.isExternal() &&
          func.walk([](LoopOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted())
        rotate(func);
  }

  struct Change {
    LoopOp loop;
    unsigned number; // among the carried values
    CopyOp copy;     // that falls away
    bool ownInit = true, ownResult = true;
  };

  void rotate(mlir::func::FuncOp func) {
    Aliasing aliasing(func);
    Liveness liveness(func, aliasing);
    Rotation rotation(func, aliasing);
    ByteSharing sharing(func, aliasing, liveness, rotation);
    if (sharing.conflict())
      return; // tandem-assign-buffers reports it
    llvm::SmallVector<Change> changes;
    func.walk([&](LoopOp loop) { // inner loops first
      for (auto [number, next] : llvm::enumerate(loop.getYieldedValues())) {
        auto copy = next.getDefiningOp<CopyOp>();
        if (!copy || !next.hasOneUse() || copy->getNumOperands() != 1 || copy->getNumResults() != 1)
          continue;
        if (sharing.share(aliasing.id(copy.getInput()), aliasing.id(copy.getOutput())) ||
            rotation.slots(aliasing.id(next)) != 1 ||
            rotation.slots(aliasing.id(copy.getInput())) != 1)
          continue;
        Change change{loop, static_cast<unsigned>(number), copy};
        if (mayRotate(change))
          changes.push_back(change);
      }
    });
    for (const Change &change : changes)
      apply(change, sharing, aliasing);
  }

  static bool mayRotate(Change &change) {
    LoopOp loop = change.loop;
    Block &body = loop.getBody().front();
    Value argument = loop.getIterArgs()[change.number];
    Value next = change.copy.getInput();
    if (!hasOwnBytes(next) || next.getParentBlock() != &body)
      return false;
    for (Value value : {argument, next})
      if (isReadBeyond(value) ||
          llvm::any_of(value.getUsers(), [&](Operation *user) { return tiesBytes(user, value); }))
        return false;
    Value init = loop.getInits()[change.number], result = loop.getOutputs()[change.number];
    change.ownInit = hasOwnBytes(init) && init.getParentBlock() == loop->getBlock() &&
                     !isReadBeyond(init) && llvm::none_of(init.getUsers(), [&](Operation *user) {
                       return user != loop && tiesBytes(user, init);
                     });
    change.ownResult =
        !isReadBeyond(result) &&
        llvm::none_of(result.getUsers(), [&](Operation *user) { return tiesBytes(user, result); });
    uint64_t copies = !change.ownInit + !change.ownResult;
    return !loop.getTripCount() || *loop.getTripCount() > copies;
  }

  void apply(const Change &change, const ByteSharing &sharing, const Aliasing &aliasing) {
    LoopOp loop = change.loop;
    mlir::OpOperand &init = loop.getInitsMutable()[change.number];
    Value result = loop.getOutputs()[change.number];
    if (!change.ownInit) {
      init.set(copyOf(init.get(), loop, "copy: into the first slot of rotating loop state"));
    } else if (auto copy = init.get().getDefiningOp<CopyOp>();
               copy && copy->getNumOperands() == 1 && copy->getNumResults() == 1 &&
               sharing.share(aliasing.id(copy.getInput()), aliasing.id(copy.getOutput())) &&
               hasOwnBytes(copy.getInput()) &&
               copy.getInput().getParentBlock() == loop->getBlock() &&
               !isReadBeyond(copy.getInput()) &&
               llvm::none_of(copy.getInput().getUsers(),
                             [&](Operation *user) { return tiesBytes(user, copy.getInput()); })) {
      // It was free; between slots and other bytes it would not be.
      init.set(copy.getInput());
      if (copy->use_empty())
        copy.erase();
    }
    if (!change.ownResult) {
      mlir::OpBuilder builder(loop->getContext());
      builder.setInsertionPointAfter(loop);
      llvm::SmallVector<mlir::OpOperand *> uses;
      for (mlir::OpOperand &use : result.getUses())
        uses.push_back(&use);
      Value moved = copyOf(result, builder, "copy: out of rotating loop state");
      for (mlir::OpOperand *use : uses)
        use->set(moved);
    }
    CopyOp copy = change.copy;
    copy.getOutput().replaceAllUsesWith(copy.getInput());
    copy.erase();
    llvm::SmallVector<int64_t> numbers;
    if (auto before = loop->getAttrOfType<mlir::DenseI64ArrayAttr>(kRotatingAttr))
      llvm::append_range(numbers, before.asArrayRef());
    numbers.push_back(change.number);
    loop->setAttr(kRotatingAttr, mlir::DenseI64ArrayAttr::get(loop->getContext(), numbers));
    ++numRotating;
  }

  static Value copyOf(Value value, mlir::OpBuilder builder, llvm::StringRef rule) {
    CauseAttr cause = makeCause(value.getContext(), rule.str(), "loop state");
    return CopyOp::create(builder, withCause(value.getLoc(), cause), value).getOutput();
  }
  static Value copyOf(Value value, Operation *before, llvm::StringRef rule) {
    return copyOf(value, mlir::OpBuilder(before), rule);
  }
};

} // namespace
} // namespace tandem
