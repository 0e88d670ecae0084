// Takes tokens out of the program: what they order keeps the program's order.
//
// All uses of tokens are first given one value, so that in what follows no op depends on another
// by a token; then every op and region loses its token operands, arguments and results, inner ops
// first.
#include "mlir/IR/Builders.h"
#include "passes/Import/Passes.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {
#define GEN_PASS_DEF_DROPTOKENSPASS
#include "passes/Import/Passes.h.inc"

using namespace mlir;
namespace {

bool isToken(Type type) { return isa<stablehlo::TokenType>(type); }

bool hasTokens(Operation *op) {
  auto hasArguments = [](Region &region) {
    return llvm::any_of(region,
                        [](Block &b) { return llvm::any_of(b.getArgumentTypes(), isToken); });
  };
  return llvm::any_of(op->getOperandTypes(), isToken) ||
         llvm::any_of(op->getResultTypes(), isToken) ||
         llvm::any_of(op->getRegions(), hasArguments);
}

bool canLoseTokens(Operation *op) {
  return isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp, stablehlo::ReturnOp,
             stablehlo::OptimizationBarrierOp, stablehlo::CustomCallOp, func::ReturnOp,
             stablehlo::AfterAllOp, stablehlo::CreateTokenOp>(op);
}

/// Where each of `types` is once those before it that are tokens are gone.
SmallVector<int64_t> placesOf(TypeRange types) {
  SmallVector<int64_t> places;
  int64_t next = 0;
  for (Type type : types)
    places.push_back(isToken(type) ? -1 : next++);
  return places;
}

/// The elements of a list that has one per type, without those of tokens.
ArrayAttr without(ArrayAttr list, TypeRange types) {
  if (!list || list.size() != types.size())
    return list;
  SmallVector<Attribute> kept;
  for (auto [element, type] : llvm::zip_equal(list, types))
    if (!isToken(type))
      kept.push_back(element);
  return ArrayAttr::get(list.getContext(), kept);
}

class Dropper {
public:
  explicit Dropper(func::FuncOp main) : main(main) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    LogicalResult result = success();
    main.getBody().walk([&](Operation *op) { // inner ones first
      if (!hasTokens(op))
        return;
      if (!canLoseTokens(op)) {
        op->emitError() << "'" << op->getName()
                        << "' moves values to or from the host while the program runs, which is "
                           "not supported; expected arguments, results, or a custom call";
        result = failure();
      }
      ops.push_back(op);
    });
    if (failed(result))
      return failure();
    if (ops.empty() && !llvm::any_of(main.getArgumentTypes(), isToken))
      return success();

    OpBuilder b = OpBuilder::atBlockBegin(&main.getBody().front());
    auto token = stablehlo::CreateTokenOp::create(b, main.getLoc(),
                                                  stablehlo::TokenType::get(main.getContext()));
    auto useOne = [&](ValueRange values) {
      for (Value value : values)
        if (isToken(value.getType()))
          value.replaceAllUsesWith(token);
    };
    useOne(main.getArguments());
    for (Operation *op : ops) {
      useOne(op->getResults());
      for (Region &region : op->getRegions())
        useOne(region.getArguments());
    }
    for (Operation *op : ops)
      drop(op);
    dropFromMain();
    token.erase();
    return success();
  }

  unsigned numDropped = 0;

private:
  static void eraseArguments(Region &region) {
    for (Block &block : region)
      block.eraseArguments([](BlockArgument argument) { return isToken(argument.getType()); });
  }

  void drop(Operation *op) {
    ++numDropped;
    if (isa<stablehlo::AfterAllOp, stablehlo::CreateTokenOp>(op))
      return op->erase();
    llvm::BitVector operands(op->getNumOperands());
    for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
      operands[index] = isToken(type);
    auto call = dyn_cast<stablehlo::CustomCallOp>(op);
    if (call)
      renumber(call);
    op->eraseOperands(operands);
    for (Region &region : op->getRegions())
      eraseArguments(region);
    if (llvm::none_of(op->getResultTypes(), isToken))
      return;

    auto isKept = [](OpResult result) { return !isToken(result.getType()); };
    auto kept = llvm::to_vector(llvm::make_filter_range(op->getResults(), isKept));
    if (isa<stablehlo::OptimizationBarrierOp>(op) && kept.empty())
      return op->erase();
    OperationState state(op->getLoc(), op->getName(), op->getOperands(),
                         TypeRange(ValueRange(SmallVector<Value>(kept.begin(), kept.end()))),
                         op->getAttrs());
    if (auto shardings = op->getAttrOfType<sdy::TensorShardingPerValueAttr>(sdy::kShardingAttr);
        shardings && shardings.getShardings().size() == op->getNumResults()) {
      SmallVector<sdy::TensorShardingAttr> list;
      for (OpResult result : kept)
        list.push_back(shardings.getShardings()[result.getResultNumber()]);
      state.attributes.set(sdy::kShardingAttr,
                           sdy::TensorShardingPerValueAttr::get(op->getContext(), list));
    }
    for (Region &region : op->getRegions())
      state.addRegion()->takeBody(region);
    OpBuilder b(op);
    Operation *smaller = b.create(state);
    for (auto [old, result] : llvm::zip_equal(kept, smaller->getResults()))
      old.replaceAllUsesWith(result);
    op->erase();
  }

  /// Layouts and aliases without tokens. What a token orders has an effect.
  static void renumber(stablehlo::CustomCallOp op) {
    op.setHasSideEffect(true);
    TypeRange inputs = op.getInputs().getTypes(), results = op->getResultTypes();
    SmallVector<int64_t> inputPlaces = placesOf(inputs), resultPlaces = placesOf(results);
    if (op.getOperandLayouts()) {
      op.setOperandLayoutsAttr(without(op.getOperandLayoutsAttr(), inputs));
      op.setResultLayoutsAttr(without(op.getResultLayoutsAttr(), results));
    }
    SmallVector<Attribute> aliases;
    auto numKept = llvm::count_if(resultPlaces, [](int64_t place) { return place >= 0; });
    for (auto alias :
         op.getOutputOperandAliases().getAsRange<stablehlo::OutputOperandAliasAttr>()) {
      SmallVector<int64_t> path(alias.getOutputTupleIndices());
      int64_t result = results.size() > 1 ? resultPlaces[path.front()] : resultPlaces.front();
      int64_t operand = inputPlaces[alias.getOperandIndex()];
      if (result < 0 || operand < 0)
        continue;
      if (results.size() > 1)
        path.erase(path.begin());
      if (numKept > 1)
        path.insert(path.begin(), result);
      aliases.push_back(stablehlo::OutputOperandAliasAttr::get(op.getContext(), path, operand,
                                                               alias.getOperandTupleIndices()));
    }
    op.setOutputOperandAliasesAttr(ArrayAttr::get(op.getContext(), aliases));
  }

  void dropFromMain() {
    FunctionType type = main.getFunctionType();
    SmallVector<int64_t> places = placesOf(type.getResults());
    llvm::BitVector arguments(type.getNumInputs()), results(type.getNumResults());
    for (unsigned index = 0; index < type.getNumInputs(); ++index) {
      arguments[index] = isToken(type.getInput(index));
      auto alias = main.getArgAttrOfType<IntegerAttr>(index, "tf.aliasing_output");
      if (alias && !arguments[index] && alias.getValue().ult(places.size()))
        main.setArgAttr(index, "tf.aliasing_output",
                        IntegerAttr::get(alias.getType(), places[alias.getInt()]));
    }
    for (unsigned index = 0; index < type.getNumResults(); ++index)
      results[index] = isToken(type.getResult(index));
    numDropped += arguments.count();
    (void)main.eraseArguments(arguments);
    (void)main.eraseResults(results);
  }

  func::FuncOp main;
};

struct DropTokensPass : impl::DropTokensPassBase<DropTokensPass> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main || !main.getBody().hasOneBlock())
      return; // tandem-verify-import says so
    Dropper dropper(main);
    if (failed(dropper.run()))
      return signalPassFailure();
    numTokens += dropper.numDropped;
  }
};

} // namespace
} // namespace tandem
