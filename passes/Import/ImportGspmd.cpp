// Shardings written as strings and custom calls become sdy.
//
//   1. read every `mhlo.sharding`, find the mesh they share, add it to the module;
//   2. arguments and results: the attribute becomes `sdy.sharding`;
//   3. @Sharding: a constraint, a sharding group, or nothing where the axes are manual;
//   4. a call whose operands come from @SPMDFullToShardShape and whose results go to
//      @SPMDShardToFullShape becomes a manual_computation around that call.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Import/Passes.h"
#include "tandem/IR/Shardy/ShardingAccess.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Sharding/GspmdSharding.h"

namespace tandem {
#define GEN_PASS_DEF_IMPORTGSPMDPASS
#include "passes/Import/Passes.h.inc"

using namespace mlir;
namespace {

constexpr StringRef kSharding = "mhlo.sharding";
constexpr StringRef kMesh = "mesh";

bool isCall(Operation *op, StringRef target) {
  auto call = dyn_cast_or_null<stablehlo::CustomCallOp>(op);
  return call && call.getCallTargetName() == target && op->getNumOperands() == 1 &&
         op->getNumResults() == 1;
}

int64_t rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

class Importer {
public:
  Importer(ModuleOp module, int64_t numDevices)
      : module(module), ctx(module.getContext()), mesh(numDevices), numDevices(numDevices) {}

  LogicalResult run() {
    if (failed(readAll()))
      return failure();
    if (!mesh.finish())
      return module.emitError() << "the mhlo.sharding strings split " << numDevices
                                << " devices in ways that no single mesh has";
    OpBuilder b(module.getBodyRegion());
    sdy::MeshOp::create(b, module.getLoc(), kMesh, mesh.getAttr(ctx));
    for (auto func : module.getOps<func::FuncOp>())
      importSignature(func);
    // Manual calls first: they read the strings of the ops around them.
    SmallVector<func::CallOp> calls;
    module.walk([&](func::CallOp op) { calls.push_back(op); });
    for (func::CallOp op : calls)
      if (failed(importManual(op)))
        return failure();
    SmallVector<stablehlo::CustomCallOp> constraints;
    module.walk([&](stablehlo::CustomCallOp op) { constraints.push_back(op); });
    for (stablehlo::CustomCallOp op : constraints)
      if (failed(importCall(op)))
        return failure();
    return success();
  }

  unsigned numConstraints = 0, numManual = 0;

private:
  LogicalResult read(Operation *op, Attribute attr) {
    auto text = dyn_cast_or_null<StringAttr>(attr);
    if (!text || parsed.contains(text))
      return success();
    FailureOr<GspmdSharding> sharding =
        GspmdSharding::parse(text.getValue(), [&] { return op->emitError(); });
    if (failed(sharding))
      return failure();
    if (sharding->kind == GspmdSharding::Tiled && sharding->numDevices != numDevices)
      return op->emitError() << "sharding \"" << text.getValue() << "\" is over "
                             << sharding->numDevices << " devices; the module has " << numDevices
                             << " (mhlo.num_partitions)";
    mesh.add(*sharding);
    parsed.try_emplace(text, std::move(*sharding));
    return success();
  }

  LogicalResult readAll() {
    WalkResult result = module.walk([&](Operation *op) {
      if (failed(read(op, op->getAttr(kSharding))))
        return WalkResult::interrupt();
      if (auto func = dyn_cast<func::FuncOp>(op)) {
        for (unsigned i = 0; i < func.getNumArguments(); ++i)
          if (failed(read(op, func.getArgAttr(i, kSharding))))
            return WalkResult::interrupt();
        for (unsigned i = 0; i < func.getNumResults(); ++i)
          if (failed(read(op, func.getResultAttr(i, kSharding))))
            return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  const GspmdSharding *lookup(Attribute attr) const {
    auto text = dyn_cast_or_null<StringAttr>(attr);
    auto it = text ? parsed.find(text) : parsed.end();
    return it == parsed.end() ? nullptr : &it->second;
  }

  sdy::TensorShardingAttr toAttr(const GspmdSharding &sharding, int64_t rank,
                                 ArrayRef<int64_t> openDims = {}) const {
    return mesh.getSharding(ctx, kMesh, sharding, rank, openDims);
  }

  /// What a string says about an array of the program; null where it says nothing.
  sdy::TensorShardingAttr toAttr(Attribute attr, Type type) const {
    const GspmdSharding *sharding = lookup(attr);
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!sharding || !ranked ||
        (sharding->kind != GspmdSharding::Tiled && sharding->kind != GspmdSharding::Replicated))
      return {};
    return toAttr(*sharding, ranked.getRank());
  }

  void importSignature(func::FuncOp func) {
    auto name = StringAttr::get(ctx, kSharding);
    for (BlockArgument arg : func.getArguments()) {
      if (auto attr = toAttr(func.getArgAttr(arg.getArgNumber(), kSharding), arg.getType());
          attr && func.isPublic())
        sdy::setSharding(arg, attr);
      func.removeArgAttr(arg.getArgNumber(), name);
    }
    for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
      if (auto attr = toAttr(func.getResultAttr(index, kSharding), type); attr && func.isPublic())
        sdy::setFuncResultSharding(func, index, attr);
      func.removeResultAttr(index, name);
    }
  }

  /// Dimensions that "unspecified_dims=[..]" leaves to the compiler.
  SmallVector<int64_t> getOpenDims(stablehlo::CustomCallOp op) const {
    SmallVector<int64_t> dims;
    auto config = op->getAttrOfType<StringAttr>("backend_config");
    if (!config)
      return dims;
    StringRef text = config.getValue();
    if (!text.consume_front("unspecified_dims=["))
      return dims;
    int64_t dim;
    while (!text.consumeInteger(10, dim)) {
      dims.push_back(dim);
      text.consume_front(",");
    }
    return dims;
  }

  LogicalResult importCall(stablehlo::CustomCallOp op) {
    if (isCall(op, "SPMDFullToShardShape") || isCall(op, "SPMDShardToFullShape")) {
      if (op->use_empty()) {
        op->erase();
        return success();
      }
      return op.emitError() << "@" << op.getCallTargetName()
                            << " must stand before or behind one call of the function that is "
                               "written per device; other uses are not understood";
    }
    const GspmdSharding *sharding = lookup(op->getAttr(kSharding));
    if (!isCall(op, "Sharding")) {
      op->removeAttr(kSharding);
      return success();
    }
    OpBuilder b(op);
    Value input = op->getOperand(0), output = input;
    ++numConstraints;
    if (!sharding)
      return op.emitError() << "@Sharding has no mhlo.sharding string";
    if (sharding->kind == GspmdSharding::ShardAlike)
      sdy::ShardingGroupOp::create(b, op.getLoc(), input, sharding->group);
    else if (sharding->kind == GspmdSharding::Tiled || sharding->kind == GspmdSharding::Replicated)
      output = sdy::ShardingConstraintOp::create(b, op.getLoc(), input,
                                                 toAttr(*sharding, rankOf(input), getOpenDims(op)));
    op->getResult(0).replaceAllUsesWith(output);
    op->erase();
    return success();
  }

  /// Follows a value back through @Sharding ops that only say it is manual.
  Operation *getShardMaker(Value value) const {
    Operation *op = value.getDefiningOp();
    while (isCall(op, "Sharding") && !isCall(op, "SPMDFullToShardShape")) {
      value = op->getOperand(0);
      op = value.getDefiningOp();
    }
    return isCall(op, "SPMDFullToShardShape") ? op : nullptr;
  }

  LogicalResult importManual(func::CallOp call) {
    SmallVector<Operation *> inputs;
    for (Value operand : call.getOperands())
      inputs.push_back(getShardMaker(operand));
    SmallVector<SmallVector<Operation *>> outputs(call.getNumResults());
    bool isManual = llvm::any_of(inputs, [](Operation *op) { return op != nullptr; });
    for (auto [index, result] : llvm::enumerate(call.getResults())) {
      SmallVector<Value> frontier{result};
      while (!frontier.empty())
        for (Operation *user : frontier.pop_back_val().getUsers()) {
          if (isCall(user, "SPMDShardToFullShape"))
            outputs[index].push_back(user);
          else if (isCall(user, "Sharding"))
            frontier.push_back(user->getResult(0));
        }
      isManual |= !outputs[index].empty();
    }
    if (!isManual)
      return success();

    SmallVector<Value> operands;
    SmallVector<sdy::TensorShardingAttr> inShardings, outShardings;
    SmallVector<StringAttr> manualAxes = mesh.getAllAxes(ctx);
    for (auto [index, maker] : llvm::enumerate(inputs)) {
      if (!maker)
        return call.emitError() << "operand " << index << " of the per-device function @"
                                << call.getCallee() << " is not made by @SPMDFullToShardShape";
      if (const GspmdSharding *local = lookup(maker->getAttr(kSharding));
          local && !local->manual.empty())
        manualAxes = mesh.getAxes(ctx, local->manual);
      Operation *def = maker->getOperand(0).getDefiningOp();
      const GspmdSharding *sharding =
          isCall(def, "Sharding") ? lookup(def->getAttr(kSharding)) : nullptr;
      if (!sharding)
        return maker->emitError() << "the operand of @SPMDFullToShardShape is not the result of "
                                     "@Sharding, so how it is cut is not known";
      operands.push_back(def->getOperand(0));
      inShardings.push_back(toAttr(*sharding, rankOf(operands.back())));
    }
    SmallVector<Type> types;
    for (auto [index, users] : llvm::enumerate(outputs)) {
      if (users.empty()) {
        if (!call.getResult(index).use_empty())
          return call.emitError() << "result " << index << " of the per-device function @"
                                  << call.getCallee() << " is used without @SPMDShardToFullShape";
        continue;
      }
      const GspmdSharding *sharding = lookup(users.front()->getAttr(kSharding));
      if (!sharding)
        return users.front()->emitError() << "@SPMDShardToFullShape has no mhlo.sharding string";
      types.push_back(users.front()->getResult(0).getType());
      outShardings.push_back(toAttr(*sharding, rankOf(users.front()->getResult(0))));
    }
    OpBuilder b(call);
    auto manual = sdy::ManualComputationOp::create(
        b, call.getLoc(), types, operands, sdy::TensorShardingPerValueAttr::get(ctx, inShardings),
        sdy::TensorShardingPerValueAttr::get(ctx, outShardings),
        sdy::ManualAxesAttr::get(ctx, manualAxes));
    Block *body = b.createBlock(&manual.getBody());
    SmallVector<Value> args;
    for (Value operand : call.getOperands())
      args.push_back(body->addArgument(operand.getType(), call.getLoc()));
    auto local =
        func::CallOp::create(b, call.getLoc(), call.getCalleeAttr(), call.getResultTypes(), args);
    SmallVector<Value> yielded;
    unsigned next = 0;
    SmallVector<Operation *> dead;
    for (auto [index, users] : llvm::enumerate(outputs)) {
      if (users.empty())
        continue;
      yielded.push_back(local.getResult(index));
      for (Operation *user : users) {
        user->getResult(0).replaceAllUsesWith(manual.getResult(next));
        dead.push_back(user);
      }
      ++next;
    }
    sdy::ReturnOp::create(b, call.getLoc(), yielded);
    // What told the shardings is told now.
    auto eraseChain = [](Operation *op) {
      while (op && op->use_empty() &&
             (isCall(op, "Sharding") || isCall(op, "SPMDFullToShardShape") ||
              isCall(op, "SPMDShardToFullShape"))) {
        Operation *def = op->getOperand(0).getDefiningOp();
        op->erase();
        op = def;
      }
    };
    for (Operation *op : dead)
      eraseChain(op);
    SmallVector<Value> before(call.getOperands());
    call.erase();
    llvm::SmallPtrSet<Operation *, 8> seen;
    for (Value operand : before)
      if (Operation *def = operand.getDefiningOp(); def && seen.insert(def).second)
        eraseChain(def);
    ++numManual;
    return success();
  }

  ModuleOp module;
  MLIRContext *ctx;
  GspmdMesh mesh;
  int64_t numDevices;
  llvm::DenseMap<Attribute, GspmdSharding> parsed; // look-ups only
};

struct ImportGspmdPass : impl::ImportGspmdPassBase<ImportGspmdPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto count = module->getAttrOfType<IntegerAttr>("mhlo.num_partitions");
    if (!count || count.getInt() <= 1 || !module.getOps<sdy::MeshOp>().empty())
      return;
    Importer importer(module, count.getInt());
    if (failed(importer.run()))
      return signalPassFailure();
    numConstraints += importer.numConstraints;
    numManual += importer.numManual;
  }
};

} // namespace
} // namespace tandem
