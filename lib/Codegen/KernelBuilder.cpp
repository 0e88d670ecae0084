// Builds one kernel's loops and ops.

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace tandem::codegen {
namespace {

/// Scratch up to this many bytes in all lies on the stack.
constexpr int64_t maxStackBytes = 64 << 10;

} // namespace

KernelBuilder::KernelBuilder(LLVM::LLVMFuncOp function, KernelTarget target)
    : builder(function.getLoc(), function.getContext()), function(function), machine(target) {
  push(&function.getBody().front(), function, /*guard=*/false);
}

//===--- Scopes ---===//

void KernelBuilder::push(Block *block, Operation *holder, bool guard) {
  scopes.push_back({block, holder, guard, nextScope++});
  placeOfBlock[block] = here();
  resetInsertion();
}

void KernelBuilder::pop() {
  scopes.pop_back();
  resetInsertion();
}

void KernelBuilder::resetInsertion() {
  Block *block = scopes.back().block;
  if (Operation *before = scopes.back().before)
    builder.setInsertionPoint(before);
  else if (block->mightHaveTerminator())
    builder.setInsertionPoint(block->getTerminator());
  else
    builder.setInsertionPointToEnd(block);
}

KernelBuilder::Place KernelBuilder::placeOf(Value value) const {
  return placeOfBlock.lookup(value.getParentBlock());
}

unsigned KernelBuilder::guardDepth() const {
  for (unsigned d = depth(); d > 0; --d)
    if (scopes[d].guard)
      return d;
  return 0;
}

unsigned KernelBuilder::depthOf(ValueRange values) const {
  unsigned result = 0;
  for (Value value : values)
    result = std::max(result, placeOf(value).depth);
  return result;
}

void KernelBuilder::atDepth(unsigned target, llvm::function_ref<void()> fill) {
  assert(target <= depth());
  if (target == depth())
    return fill();
  llvm::SmallVector<Scope> suspended(scopes.begin() + target + 1, scopes.end());
  Operation *before = std::exchange(scopes[target].before, suspended.front().holder);
  scopes.truncate(target + 1);
  resetInsertion();
  fill();
  scopes.back().before = before;
  scopes.append(suspended);
  resetInsertion();
}

//===--- Ops ---===//

Value KernelBuilder::place(Operation *op, unsigned minDepth) {
  unsigned target = std::max(minDepth, depthOf(op->getOperands()));
  llvm::hash_code hash = OperationEquivalence::computeHash(
      op, OperationEquivalence::directHashValue, OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations);
  auto &candidates = known[unsigned(size_t(hash) & 0x3fffffff)];
  llvm::erase_if(candidates, [&](const auto &candidate) {
    // Gone for good once another scope took its depth, unless its scope is only suspended.
    return candidate.second.depth < scopes.size() && !isVisible(candidate.second);
  });
  for (auto &[other, where] : candidates) {
    if (!isVisible(where) ||
        !OperationEquivalence::isEquivalentTo(op, other, OperationEquivalence::IgnoreLocations))
      continue;
    op->erase();
    return other->getResult(0);
  }
  if (target < depth())
    op->moveBefore(scopes[target + 1].holder);
  candidates.push_back({op, {target, scopes[target].id}});
  return op->getResult(0);
}

Values KernelBuilder::loop(Value low, Value high, int64_t step, ValueRange inits, LoopBody body) {
  std::optional<int64_t> first = constantOf(low), last = constantOf(high);
  bool isStatic = first && last;
  if (isStatic && *last <= *first)
    return Values(inits);
  if (isStatic && *first + step >= *last)
    return body(low, inits);
  auto loop = put<scf::ForOp>(low, high, index(step), inits);
  push(loop.getBody(), loop, /*guard=*/!isStatic);
  Values results = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!inits.empty())
    put<scf::YieldOp>(results);
  pop();
  return Values(loop.getResults());
}

void KernelBuilder::loopOverSlice(Value low, Value high, int64_t step,
                                  llvm::function_ref<void(Value)> body) {
  auto loop = put<scf::ForOp>(low, high, index(step));
  push(loop.getBody(), loop, /*guard=*/false);
  body(loop.getInductionVar());
  pop();
}

Values KernelBuilder::loop(int64_t low, int64_t high, int64_t step, ValueRange inits,
                           LoopBody body) {
  return loop(index(low), index(high), step, inits, body);
}

void KernelBuilder::loop(int64_t low, int64_t high, int64_t step,
                         llvm::function_ref<void(Value)> body) {
  loop(low, high, step, ValueRange(), [&](Value iv, ValueRange) {
    body(iv);
    return Values();
  });
}

void KernelBuilder::nest(ArrayRef<int64_t> shape, llvm::function_ref<void(ValueRange)> body) {
  Values ivs;
  std::function<void()> descend = [&] {
    if (ivs.size() == shape.size())
      return body(ivs);
    loop(0, shape[ivs.size()], 1, [&](Value iv) {
      ivs.push_back(iv);
      descend();
      ivs.pop_back();
    });
  };
  descend();
}

Values KernelBuilder::whileLoop(ValueRange inits, llvm::function_ref<Value(ValueRange)> condition,
                                llvm::function_ref<Values(ValueRange)> body) {
  auto loop = put<scf::WhileOp>(TypeRange(inits), inits);
  llvm::SmallVector<Location> locs(inits.size(), loc());
  Block *before = new Block, *after = new Block;
  loop.getBefore().push_back(before);
  loop.getAfter().push_back(after);
  before->addArguments(TypeRange(inits), locs);
  after->addArguments(TypeRange(inits), locs);
  push(before, loop, /*guard=*/true);
  Value goOn = condition(before->getArguments());
  put<scf::ConditionOp>(goOn, before->getArguments());
  pop();
  push(after, loop, /*guard=*/true);
  Values results = body(after->getArguments());
  put<scf::YieldOp>(results);
  pop();
  return Values(loop.getResults());
}

Values KernelBuilder::branch(Value condition, TypeRange types, llvm::function_ref<Values()> then,
                             llvm::function_ref<Values()> otherwise) {
  auto branch = put<scf::IfOp>(types, condition, /*addThenBlock=*/true, /*addElseBlock=*/true);
  auto fill = [&](Block *block, llvm::function_ref<Values()> body) {
    push(block, branch, /*guard=*/true);
    Values results = body();
    put<scf::YieldOp>(results);
    pop();
  };
  fill(branch.thenBlock(), then);
  fill(branch.elseBlock(), otherwise);
  return Values(branch.getResults());
}

void KernelBuilder::when(Value condition, llvm::function_ref<void()> then) {
  auto branch = put<scf::IfOp>(condition, /*withElseRegion=*/false);
  push(branch.thenBlock(), branch, /*guard=*/true);
  then();
  pop();
}

//===--- Index arithmetic ---===//

Value KernelBuilder::index(int64_t value) {
  return make<arith::ConstantOp>(builder.getI64IntegerAttr(value));
}

std::optional<int64_t> KernelBuilder::constantOf(Value value) const {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    if (auto attr = dyn_cast<IntegerAttr>(constant.getValue()))
      return attr.getInt();
  return std::nullopt;
}

Value KernelBuilder::addI(Value a, Value b) {
  auto ca = constantOf(a), cb = constantOf(b);
  if (ca && cb)
    return index(*ca + *cb);
  if (ca == 0)
    return b;
  if (cb == 0)
    return a;
  return make<arith::AddIOp>(a, b);
}

Value KernelBuilder::subI(Value a, Value b) {
  auto ca = constantOf(a), cb = constantOf(b);
  if (ca && cb)
    return index(*ca - *cb);
  if (cb)
    return addI(a, -*cb);
  return make<arith::SubIOp>(a, b);
}

Value KernelBuilder::mulI(Value a, Value b) {
  auto ca = constantOf(a), cb = constantOf(b);
  if (ca && cb)
    return index(*ca * *cb);
  if (ca == 0 || cb == 1)
    return a;
  if (cb == 0 || ca == 1)
    return b;
  return make<arith::MulIOp>(a, b);
}

Value KernelBuilder::divI(Value a, int64_t b) {
  if (auto ca = constantOf(a))
    return index(*ca / b);
  if (b == 1)
    return a;
  return make<arith::DivUIOp>(a, index(b));
}

Value KernelBuilder::remI(Value a, int64_t b) {
  if (auto ca = constantOf(a))
    return index(*ca % b);
  if (b == 1)
    return index(0);
  return make<arith::RemUIOp>(a, index(b));
}

Value KernelBuilder::clampI(Value a, int64_t low, int64_t high) {
  if (auto ca = constantOf(a))
    return index(std::min(std::max(*ca, low), high));
  if (low == high)
    return index(low);
  Value capped = make<arith::MinSIOp>(a, index(high));
  return make<arith::MaxSIOp>(capped, index(low));
}

Value KernelBuilder::isBetween(Value a, int64_t low, int64_t high) {
  // Unsigned, so that one comparison is enough.
  Value offset = addI(a, -low);
  return make<arith::CmpIOp>(arith::CmpIPredicate::ult, offset, index(high - low));
}

Value KernelBuilder::andI1(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return make<arith::AndIOp>(a, b);
}

//===--- Memory ---===//

Value KernelBuilder::addressOf(const Access &access) {
  if (constantOf(access.offset) == 0)
    return access.base;
  auto pointer = LLVM::LLVMPointerType::get(context());
  return make<LLVM::GEPOp>(pointer, access.memory, access.base,
                           llvm::ArrayRef<LLVM::GEPArg>{access.offset});
}

Value KernelBuilder::load(const Access &access, bool invariant) {
  unsigned align = access.memory.getIntOrFloatBitWidth() / 8;
  Operation *op;
  if (access.lanes == 1) {
    op = put<LLVM::LoadOp>(access.memory, addressOf(access), align);
  } else {
    auto vector = VectorType::get({access.lanes}, access.memory);
    if (access.laneStride == 1 && !access.mask) {
      op = put<LLVM::LoadOp>(vector, addressOf(access), align);
    } else {
      Value zero = make<arith::ConstantOp>(builder.getZeroAttr(vector));
      auto alignAttr = builder.getI32IntegerAttr(align);
      if (access.laneStride == 1) {
        op = put<LLVM::MaskedLoadOp>(vector, addressOf(access), access.mask, zero, alignAttr,
                                     UnitAttr());
      } else {
        llvm::SmallVector<int64_t> steps;
        for (int64_t lane = 0; lane < access.lanes; ++lane)
          steps.push_back(lane * access.laneStride);
        Value offsets = make<arith::ConstantOp>(builder.getI64VectorAttr(steps));
        auto pointer = LLVM::LLVMPointerType::get(context());
        Value addresses =
            make<LLVM::GEPOp>(VectorType::get({access.lanes}, pointer), access.memory,
                              addressOf(access), llvm::ArrayRef<LLVM::GEPArg>{offsets});
        Value mask = access.mask;
        if (!mask)
          mask = make<arith::ConstantOp>(
              DenseElementsAttr::get(VectorType::get({access.lanes}, builder.getI1Type()), true));
        op = put<LLVM::masked_gather>(vector, addresses, mask, ValueRange{zero}, alignAttr);
      }
    }
  }
  unsigned target = std::max(guardDepth(), depthOf(op->getOperands()));
  if (invariant && target < depth())
    op->moveBefore(scopes[target + 1].holder);
  return op->getResult(0);
}

void KernelBuilder::store(Value value, const Access &access) {
  unsigned align = access.memory.getIntOrFloatBitWidth() / 8;
  assert(access.laneStride == 1 && "stores are contiguous");
  if (access.mask)
    put<LLVM::MaskedStoreOp>(value, addressOf(access), access.mask,
                             builder.getI32IntegerAttr(align));
  else
    put<LLVM::StoreOp>(value, addressOf(access), align);
}

void KernelBuilder::prefetch(const Access &access) {
  constexpr int64_t lineBytes = 64;
  constexpr unsigned secondCache = 2;
  int64_t bytes = access.memory.getIntOrFloatBitWidth() / 8;
  for (int64_t lane = 0; lane < access.lanes; lane += lineBytes / bytes) {
    Access line = access;
    line.offset = addI(access.offset, lane);
    put<LLVM::Prefetch>(addressOf(line), /*rw=*/0, /*hint=*/secondCache, /*cache=*/1);
  }
}

Value KernelBuilder::allocate(int64_t bytes) {
  Value result;
  auto pointer = LLVM::LLVMPointerType::get(context());
  atDepth(0, [&] {
    int64_t rounded = (std::max<int64_t>(bytes, 1) + 63) / 64 * 64;
    if (stackBytes + rounded <= maxStackBytes) {
      stackBytes += rounded;
      OpBuilder::InsertionGuard guard(builder);
      // In the entry block's front, so that the frame is static.
      builder.setInsertionPointToStart(scopes[0].block);
      Value count = put<LLVM::ConstantOp>(builder.getI64IntegerAttr(rounded));
      result = put<LLVM::AllocaOp>(pointer, builder.getI8Type(), count, 64);
      return;
    }
    auto module = function->getParentOfType<ModuleOp>();
    auto callee = LLVM::lookupOrCreateMallocFn(builder, module, builder.getI64Type());
    Value size = index(rounded);
    result = put<LLVM::CallOp>(*callee, ValueRange{size}).getResult();
    heap.push_back(result);
  });
  return result;
}

Value KernelBuilder::constantBytes(StringRef bytes) {
  auto module = function->getParentOfType<ModuleOp>();
  // Modules hold several kernels: the function's name makes this one's unique.
  std::string name = (function.getName() + ".constant." + llvm::Twine(nextConstant++)).str();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  auto global = put<LLVM::GlobalOp>(type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                                    builder.getStringAttr(bytes), /*alignment=*/64);
  builder.setInsertionPointToStart(scopes[0].block);
  return put<LLVM::AddressOfOp>(global).getResult();
}

void KernelBuilder::copyBytes(Value to, Value from, int64_t bytes) {
  put<LLVM::MemcpyOp>(to, from, index(bytes), /*isVolatile=*/false);
}

Value KernelBuilder::call(StringRef name, Type type, ValueRange arguments) {
  auto module = function->getParentOfType<ModuleOp>();
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!callee) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto signature = LLVM::LLVMFunctionType::get(type, llvm::to_vector(arguments.getTypes()));
    callee = put<LLVM::LLVMFuncOp>(name, signature);
  }
  Value result;
  atDepth(std::max(guardDepth(), depthOf(arguments)),
          [&] { result = put<LLVM::CallOp>(callee, arguments).getResult(); });
  return result;
}

void KernelBuilder::finish() {
  assert(depth() == 0);
  auto module = function->getParentOfType<ModuleOp>();
  for (Value buffer : heap) {
    auto callee = LLVM::lookupOrCreateFreeFn(builder, module);
    put<LLVM::CallOp>(*callee, ValueRange{buffer});
  }
  put<LLVM::ReturnOp>(ValueRange());
}

} // namespace tandem::codegen
