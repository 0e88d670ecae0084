// Classes of pieces that must share bytes.
#include "tandem/Analysis/Aliasing.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/MapVector.h"

namespace tandem {

using mlir::Operation;
using mlir::Value;

bool holdsProgramOrder(Operation *op) { return llvm::isa<LoopOp, CaseOp>(op); }

static void forEachOp(mlir::Block &block, llvm::function_ref<void(Operation *)> visit) {
  for (Operation &op : block) {
    visit(&op);
    if (!holdsProgramOrder(&op))
      continue;
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &inner : region)
        forEachOp(inner, visit);
  }
}

void forEachOp(mlir::func::FuncOp func, llvm::function_ref<void(Operation *)> visit) {
  for (mlir::Block &block : func.getBody())
    forEachOp(block, visit);
}

bool isSameArray(mlir::func::FuncOp func, unsigned argument, unsigned result) {
  return func.getArgumentTypes()[argument] == func.getResultTypes()[result] &&
         llvm::all_of(llvm::ArrayRef<llvm::StringRef>{"tandem.global_type", "tandem.sharding"},
                      [&](llvm::StringRef name) {
                        return func.getArgAttr(argument, name) == func.getResultAttr(result, name);
                      });
}

std::optional<unsigned> donatedResult(mlir::func::FuncOp func, unsigned index) {
  auto alias = func.getArgAttrOfType<mlir::IntegerAttr>(index, "tf.aliasing_output");
  if (!alias || alias.getInt() < 0 || alias.getInt() >= func.getNumResults())
    return std::nullopt;
  unsigned result = static_cast<unsigned>(alias.getInt());
  if (!isSameArray(func, index, result))
    return std::nullopt;
  // A result takes the first argument that names it.
  for (unsigned other = 0; other < index; ++other)
    if (auto earlier = func.getArgAttrOfType<mlir::IntegerAttr>(other, "tf.aliasing_output"))
      if (earlier.getInt() == alias.getInt() && donatedResult(func, other))
        return std::nullopt;
  return result;
}

std::optional<int64_t> memoryBesideArguments(mlir::func::FuncOp func) {
  auto module = func->getParentOfType<mlir::ModuleOp>();
  auto limit = module->getAttrOfType<mlir::IntegerAttr>("tandem.memory_limit");
  if (!limit)
    return std::nullopt;
  int64_t bytes = limit.getInt();
  if (auto margin = module->getAttrOfType<mlir::IntegerAttr>(kMemoryMarginAttr))
    bytes -= margin.getInt();
  for (mlir::Type type : func.getArgumentTypes())
    bytes -= getByteSize(llvm::cast<mlir::RankedTensorType>(type));
  return bytes;
}

Operation *ancestorIn(mlir::Block *block, Operation *op) {
  while (op && op->getBlock() != block)
    op = op->getParentOp();
  return op;
}

unsigned Aliasing::numPieces(mlir::Type type) {
  if (auto future = llvm::dyn_cast<FutureType>(type))
    return static_cast<unsigned>(future.getTypes().size());
  return llvm::isa<mlir::RankedTensorType>(type) ? 1 : 0;
}

void Aliasing::number(Value value) {
  unsigned count = numPieces(value.getType());
  if (count == 0)
    return;
  firstIds[value] = size();
  for (unsigned element = 0; element < count; ++element)
    pieces.push_back({value, element});
}

mlir::RankedTensorType Aliasing::type(unsigned id) const {
  mlir::Type type = pieces[id].value.getType();
  if (auto future = llvm::dyn_cast<FutureType>(type))
    type = future.getTypes()[pieces[id].element];
  return llvm::cast<mlir::RankedTensorType>(type);
}

unsigned Aliasing::id(Value value, unsigned element) const {
  auto it = firstIds.find(value);
  assert(it != firstIds.end() && "not a tensor or future of this function");
  return it->second + element;
}

void Aliasing::tie(Value a, Value b) {
  for (unsigned element = 0, e = numPieces(a.getType()); element < e; ++element)
    classes.join(id(a, element), id(b, element));
}

Aliasing::Aliasing(mlir::func::FuncOp func) {
  for (Value argument : func.getArguments())
    number(argument);
  forEachOp(func, [&](Operation *op) {
    for (Value result : op->getResults())
      number(result);
    if (holdsProgramOrder(op))
      for (mlir::Region &region : op->getRegions())
        for (Value argument : region.getArguments())
          number(argument);
  });
  classes.grow(size());

  forEachOp(func, [&](Operation *op) {
    if (auto done = llvm::dyn_cast<DoneOp>(op)) {
      for (auto [element, output] : llvm::enumerate(done.getOutputs()))
        classes.join(id(done.getFuture(), element), id(output));
      return;
    }
    if (auto alias = llvm::dyn_cast<AliasOpInterface>(op)) {
      for (const AliasPair &pair : alias.getAliasPairs())
        if (pair.kind == AliasKind::Must)
          tie(op->getOperand(pair.operandIndex), op->getResult(pair.resultIndex));
      for (const llvm::SmallVector<Value> &tied : alias.getTiedValues())
        for (Value value : llvm::drop_begin(tied))
          tie(tied.front(), value);
    }
    if (auto ret = llvm::dyn_cast<mlir::func::ReturnOp>(op))
      for (auto [index, argument] : llvm::enumerate(func.getArguments()))
        if (std::optional<unsigned> result = donatedResult(func, index))
          tie(argument, ret.getOperand(*result));
  });

  leaders.resize(size());
  for (unsigned piece = 0; piece < size(); ++piece)
    leaders[piece] = classes.findLeader(piece);
}

void Aliasing::print(llvm::raw_ostream &os) const {
  llvm::MapVector<unsigned, llvm::SmallVector<unsigned>> members;
  for (unsigned piece = 0; piece < size(); ++piece)
    members[leader(piece)].push_back(piece);
  for (auto &[first, ids] : members) {
    if (ids.size() < 2)
      continue;
    os << "share:";
    for (unsigned piece : ids) {
      os << ' ' << piece;
      if (llvm::isa<FutureType>(pieces[piece].value.getType()))
        os << 'f';
      if (llvm::isa<mlir::BlockArgument>(pieces[piece].value))
        os << 'a';
    }
    os << '\n';
  }
}

} // namespace tandem
