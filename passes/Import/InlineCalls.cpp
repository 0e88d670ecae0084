// Inlines calls and composites into @main.
//
// A module without @main whose only public function has a body enters there.
//
// Callees are handled before their callers, so each body is cloned already flat:
//   1. order the functions by the call graph, refusing recursion;
//   2. in each, replace every call (at any nesting) by a clone of the callee's block;
//   3. replace composites by their decomposition likewise;
//   4. drop every function but @main, except those that custom calls name.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/Import/Passes.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tandem {
#define GEN_PASS_DEF_INLINECALLSPASS
#include "passes/Import/Passes.h.inc"

using namespace mlir;
namespace {

/// Calls double what they call: some lines of text can ask for more than any memory holds.
constexpr int64_t kMaxOps = 2'000'000;
/// How deeply functions may call each other; each takes stack here.
constexpr size_t kMaxDepth = 10'000;

/// The function a call or composite op refers to; null for any other op.
FlatSymbolRefAttr calleeOf(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCalleeAttr();
  if (auto composite = dyn_cast<stablehlo::CompositeOp>(op))
    return FlatSymbolRefAttr::get(op->getContext(), composite.getDecomposition());
  return {};
}

class Inliner {
public:
  explicit Inliner(ModuleOp module) : module(module), symbols(module) {}

  LogicalResult flatten(func::FuncOp func) {
    if (done.contains(func))
      return success();
    if (!open.insert(func))
      return func.emitError() << "function @" << func.getName()
                              << " is recursive; recursion cannot be compiled";
    if (open.size() > kMaxDepth)
      return func.emitError() << "calls are nested deeper than " << kMaxDepth << " functions";
    SmallVector<Operation *> calls;
    func.walk([&](Operation *op) {
      if (calleeOf(op))
        calls.push_back(op);
    });
    for (Operation *call : calls) {
      auto callee = symbols.lookup<func::FuncOp>(calleeOf(call).getValue());
      if (!callee)
        return call->emitError() << "calls @" << calleeOf(call).getValue()
                                 << ", which is not a function of this module";
      if (failed(flatten(callee)) || failed(inlineAt(call, callee)))
        return failure();
    }
    open.remove(func);
    int64_t &ops = done[func];
    func.walk([&](Operation *) { ++ops; });
    return success();
  }

  unsigned numCalls = 0, numComposites = 0;

private:
  LogicalResult inlineAt(Operation *call, func::FuncOp callee) {
    if (!callee.getBody().hasOneBlock())
      return call->emitError() << "callee @" << callee.getName()
                               << " must have exactly one block to be inlined";
    if (callee.getFunctionType().getInputs() != call->getOperandTypes() ||
        callee.getFunctionType().getResults() != call->getResultTypes())
      return call->emitError() << "operand or result types differ from those of @"
                               << callee.getName() << ", " << callee.getFunctionType();
    if ((inlinedOps += done.lookup(callee)) > kMaxOps)
      return call->emitError() << "the program has more than " << kMaxOps
                               << " ops with its calls inlined; expected fewer";
    (isa<func::CallOp>(call) ? numCalls : numComposites)++;
    OpBuilder b(call);
    IRMapping map;
    Block &body = callee.getBody().front();
    map.map(body.getArguments(), call->getOperands());
    for (Operation &op : body.without_terminator()) {
      Operation *clone = b.clone(op, map);
      if (!isa<UnknownLoc>(op.getLoc()) && !isa<UnknownLoc>(call->getLoc()))
        clone->setLoc(CallSiteLoc::get(op.getLoc(), call->getLoc()));
    }
    for (auto [result, value] :
         llvm::zip_equal(call->getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(map.lookupOrDefault(value));
    call->erase();
    return success();
  }

  ModuleOp module;
  SymbolTable symbols;
  llvm::SetVector<func::FuncOp> open;
  llvm::DenseMap<Operation *, int64_t> done; // flat functions and how many ops they have
  int64_t inlinedOps = 0;
};

/// The one public function with a body of a module without @main, renamed; null if there are more.
func::FuncOp onlyEntry(ModuleOp module) {
  func::FuncOp entry;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isPrivate() || func.isExternal())
      continue;
    if (entry)
      return nullptr;
    entry = func;
  }
  if (entry && failed(SymbolTable(module).rename(entry, "main")))
    return nullptr;
  return entry;
}

struct InlineCallsPass : impl::InlineCallsPassBase<InlineCallsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      main = onlyEntry(module);
    if (!main) {
      module.emitError() << "no function @main; expected the entry point of the program "
                            "to be named @main";
      return signalPassFailure();
    }
    Inliner inliner(module);
    if (failed(inliner.flatten(main)))
      return signalPassFailure();
    numCalls += inliner.numCalls;
    numComposites += inliner.numComposites;

    llvm::SmallPtrSet<Attribute, 4> kept;
    main.walk([&](stablehlo::CustomCallOp op) {
      for (Attribute callee : op.getCalledComputations())
        kept.insert(cast<FlatSymbolRefAttr>(callee).getAttr());
    });
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (func != main && !kept.contains(func.getSymNameAttr())) {
        func.erase();
        ++numFunctions;
      }

    // Scalar reducer bodies carry no sharding; JAX writes constraints into some.
    SmallVector<Operation *> scalars;
    main.walk([&](sdy::ShardingConstraintOp op) {
      Operation *parent = op->getParentOp();
      if (!isa<func::FuncOp, sdy::ManualComputationOp, stablehlo::WhileOp, stablehlo::CaseOp,
               stablehlo::IfOp>(parent))
        scalars.push_back(op);
    });
    for (Operation *op : scalars) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  }
};

} // namespace
} // namespace tandem
