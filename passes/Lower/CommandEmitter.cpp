// Ops to commands.
#include "passes/Lower/CommandEmitter.h"

#include "tandem/Codegen/GemmShape.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "llvm/Support/JSON.h"

namespace tandem {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;
using program::BufferRef;

CommandEmitter::CommandEmitter(mlir::func::FuncOp func, const CostModel &cost,
                               const llvm::DenseMap<mlir::StringAttr, unsigned> &kernels,
                               program::ProgramT &program)
    : func(func), cost(cost), simulation(cost), kernels(kernels), program(program), aliasing(func),
      rotation(func, aliasing) {}

void CommandEmitter::noteBuffers() {
  buffers.resize(aliasing.size());
  auto take = [&](mlir::ValueRange values, mlir::ArrayAttr list) {
    size_t next = 0;
    for (Value value : values)
      for (unsigned e = 0; e < Aliasing::numPieces(value.getType()); ++e)
        if (list && next < list.size())
          buffers[aliasing.id(value, e)] = llvm::dyn_cast<BufferAttr>(list[next++]);
  };
  for (auto [index, argument] : llvm::enumerate(func.getArguments()))
    if (Aliasing::numPieces(argument.getType()))
      buffers[aliasing.id(argument)] = func.getArgAttrOfType<BufferAttr>(index, kBufferAttr);
  forEachOp(func, [&](Operation *op) {
    take(op->getResults(), op->getAttrOfType<mlir::ArrayAttr>(kBuffersAttr));
    if (auto loop = llvm::dyn_cast<LoopOp>(op)) {
      loopIds[op] = static_cast<int>(loopIds.size());
      take(mlir::ValueRange(loop.getBody().getArguments()),
           op->getAttrOfType<mlir::ArrayAttr>(kArgBuffersAttr));
    }
  });
}

BufferAttr CommandEmitter::bufferOf(unsigned piece) { return buffers[piece]; }

BufferRef CommandEmitter::ref(unsigned piece) {
  BufferAttr buffer = bufferOf(piece);
  bool rotates = buffer.getSlots() > 1;
  int loop = rotates ? loopIds.lookup(rotation.loop(piece)) : -1;
  auto key = std::tuple(static_cast<int>(buffer.getArena()), buffer.getIndex(), buffer.getOffset(),
                        buffer.getBytes(), buffer.getSlots(), buffer.getStride(), loop);
  auto [it, isNew] = bufferIds.try_emplace(key, program.buffers.size());
  if (isNew) {
    auto entry = std::make_unique<program::BufferT>();
    entry->arena = static_cast<program::Arena>(buffer.getArena());
    entry->index = buffer.getIndex();
    entry->offset = buffer.getOffset();
    entry->bytes = buffer.getBytes();
    entry->slots = static_cast<uint32_t>(buffer.getSlots());
    entry->stride = buffer.getStride();
    entry->loop = loop;
    program.buffers.push_back(std::move(entry));
  }
  return BufferRef(it->second, rotates ? static_cast<int32_t>(rotation.rotation(piece)) : 0);
}

std::vector<BufferRef> CommandEmitter::refs(mlir::ValueRange values) {
  std::vector<BufferRef> result;
  for (Value value : values)
    for (unsigned e = 0; e < Aliasing::numPieces(value.getType()); ++e)
      result.push_back(ref(aliasing.id(value, e)));
  return result;
}

ByteAccess CommandEmitter::access(unsigned piece, bool write) {
  BufferAttr buffer = bufferOf(piece);
  unsigned space =
      spaces.try_emplace({static_cast<int>(buffer.getArena()), buffer.getIndex()}, spaces.size())
          .first->second;
  int64_t begin = buffer.getOffset();
  if (buffer.getSlots() > 1)
    begin += rotation.rotation(piece) % buffer.getSlots() * buffer.getStride();
  return {space, begin, begin + buffer.getBytes(), write};
}

int CommandEmitter::streamOf(Operation *op) {
  auto stream = op->getAttrOfType<StreamAttr>(kStreamAttr);
  if (!stream || stream.getKind() == StreamKind::Compute)
    return 0;
  return stream.getKind() == StreamKind::Copy ? 1 : 2 + static_cast<int>(stream.getLevel());
}

template <typename Body>
program::CommandT &CommandEmitter::add(Body body, Operation *op, Items &items,
                                       llvm::ArrayRef<Value> reads, llvm::ArrayRef<Value> writes,
                                       bool host, llvm::StringRef name) {
  unsigned index = next();
  auto command = std::make_unique<program::CommandT>();
  command->body.Set(std::move(body));
  command->name = commandName(op, name);
  command->key = profileKey(op);
  IssuedCommand info;
  info.stream = host ? IssuedCommand::kHost : streamOf(op);
  command->stream = host ? 0 : static_cast<uint8_t>(info.stream);
  for (auto [values, write] : {std::pair(reads, false), std::pair(writes, true)})
    for (Value value : values)
      for (unsigned e = 0; e < Aliasing::numPieces(value.getType()); ++e)
        info.accesses.push_back(access(aliasing.id(value, e), write));
  // Tokens of starts say "issued", which the order of issue gives; others say "complete".
  if (!llvm::isa<DoneOp>(op))
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && llvm::isa<TokenType>(operand.getType()) && !llvm::isa<StartOp>(def))
        for (unsigned earlier : commandsOf[def])
          info.after.push_back(earlier);
  commandsOf[op].push_back(index);
  issued.push_back(std::move(info));
  items.push_back({ProgramItem::Kind::Command, index, {}, {}});
  program.commands.push_back(std::move(command));
  return *program.commands.back();
}

llvm::LogicalResult CommandEmitter::emit() {
  noteBuffers();
  for (unsigned piece = 0; piece < buffers.size(); ++piece)
    if (!buffers[piece])
      return mlir::emitError(aliasing.piece(piece).value.getLoc())
             << "a value has no buffer (run tandem-assign-buffers)";
  Items items;
  if (mlir::failed(emitBlock(func.getBody().front(), items)))
    return mlir::failure();
  program.num_loops = loopIds.size();
  unsigned streams = 2 + cost.getTarget().links.size();
  program.num_streams = streams;

  EventWaits(issued, streams).run(items);
  program.num_events = 0;
  for (unsigned index = 0; index < issued.size(); ++index)
    for (unsigned waited : issued[index].waits) {
      program::CommandT &source = *program.commands[waited];
      if (source.signal < 0)
        source.signal = static_cast<int32_t>(program.num_events++);
      program.commands[index]->waits.push_back(source.signal);
    }
  return mlir::success();
}

llvm::LogicalResult CommandEmitter::emitBlock(mlir::Block &block, Items &items) {
  for (Operation &op : block)
    if (mlir::failed(emitOp(&op, items)))
      return mlir::failure();
  return mlir::success();
}

llvm::LogicalResult CommandEmitter::emitOp(Operation *op, Items &items) {
  if (llvm::isa<ConstantOp, YieldOp>(op))
    return mlir::success();
  if (auto start = llvm::dyn_cast<StartOp>(op))
    return emitStart(start, items);
  if (auto gemm = llvm::dyn_cast<GemmOp>(op))
    return emitGemm(gemm, items);
  if (auto call = llvm::dyn_cast<CallOp>(op))
    return emitCall(call, items);
  if (auto loop = llvm::dyn_cast<LoopOp>(op))
    return emitLoop(loop, items);
  if (auto branches = llvm::dyn_cast<CaseOp>(op))
    return emitCase(branches, items);
  if (auto kernel = llvm::dyn_cast<KernelOp>(op)) {
    auto it = kernels.find(kernel.getSymbolAttr());
    if (!kernel.getSymbolAttr() || it == kernels.end())
      return op->emitOpError("has no compiled symbol (run tandem-share-kernels)");
    program::LaunchT launch;
    launch.kernel = it->second;
    launch.operands = refs(kernel.getInputs());
    for (BufferRef result : refs(kernel.getOutputs()))
      launch.operands.push_back(result);
    add(std::move(launch), op, items, llvm::to_vector(kernel.getInputs()),
        llvm::SmallVector<Value>(kernel.getOutputs()), false, *kernel.getSymbol())
        .picoseconds = cost.picoseconds(op);
    return mlir::success();
  }
  if (auto copy = llvm::dyn_cast<CopyOp>(op)) {
    // Elided: both sides are the same bytes.
    if (bufferOf(aliasing.id(copy.getInput())) == bufferOf(aliasing.id(copy.getOutput())) &&
        rotation.slots(aliasing.id(copy.getInput())) == 1)
      return mlir::success();
    program::CopyT body;
    body.src = std::make_unique<BufferRef>(ref(copy.getInput()));
    body.dst = std::make_unique<BufferRef>(ref(copy.getOutput()));
    body.bytes = aliasing.bytes(aliasing.id(copy.getInput()));
    add(std::move(body), op, items, Value(copy.getInput()), Value(copy.getOutput())).picoseconds =
        cost.picoseconds(op);
    return mlir::success();
  }
  if (auto id = llvm::dyn_cast<DeviceIdOp>(op)) {
    program::WriteDeviceIdT body;
    body.dst = std::make_unique<BufferRef>(ref(id.getOutput()));
    add(std::move(body), op, items, {}, Value(id.getOutput()));
    return mlir::success();
  }
  if (auto done = llvm::dyn_cast<DoneOp>(op)) {
    // The compute stream waits where the done stands: block order is issue order, so what a
    // schedule hides is decided by the schedule alone.
    if (Aliasing::numPieces(done.getFuture().getType()))
      add(program::NopT(), op, items, Value(done.getFuture()), {});
    return mlir::success();
  }
  if (auto ret = llvm::dyn_cast<mlir::func::ReturnOp>(op)) {
    add(program::ReturnT(), op, items, {}, {}, /*host=*/true);
    return mlir::success();
  }
  return op->emitOpError("cannot be lowered to a command; expected an op of the tandem dialect "
                         "that phase 5 leaves in a block");
}

llvm::LogicalResult CommandEmitter::emitStart(StartOp start, Items &items) {
  if (auto copy = llvm::dyn_cast<CopyOp>(start.getCollective())) {
    program::CopyT body;
    body.src = std::make_unique<BufferRef>(ref(start.getInputs()[0]));
    body.dst = std::make_unique<BufferRef>(ref(aliasing.id(start.getFuture())));
    body.bytes = aliasing.bytes(aliasing.id(start.getFuture()));
    add(std::move(body), start, items, llvm::to_vector(start.getInputs()), Value(start.getFuture()))
        .picoseconds = cost.picoseconds(start);
    return mlir::success();
  }
  auto collective = collectiveOf(start, cost, program.num_devices);
  if (mlir::failed(collective))
    return mlir::failure();
  program::CollectiveT body;
  body.collective = static_cast<uint32_t>(program.collectives.size());
  // Operands and results in the order of the collectives of the region.
  mlir::Block &block = start.getBody().front();
  YieldOp yield = start.getYield();
  for (Operation &inner : block.without_terminator()) {
    for (Value operand : inner.getOperands()) {
      auto argument = llvm::dyn_cast<mlir::BlockArgument>(operand);
      if (!argument)
        return inner.emitOpError("reads another collective of its start");
      body.operands.push_back(ref(start.getInputs()[argument.getArgNumber()]));
    }
    for (Value result : inner.getResults()) {
      auto yielded = llvm::find(yield.getValues(), result);
      if (yielded == yield.getValues().end())
        return inner.emitOpError("has a result that its start does not yield");
      unsigned element = std::distance(yield.getValues().begin(), yielded);
      body.results.push_back(ref(aliasing.id(start.getFuture(), element)));
    }
  }
  program.collectives.push_back(std::move(*collective));
  llvm::StringRef kind = start.getCollective()->getName().stripDialect();
  add(std::move(body), start, items, llvm::to_vector(start.getInputs()), Value(start.getFuture()),
      false, kind)
      .picoseconds = cost.picoseconds(start);
  return mlir::success();
}

llvm::LogicalResult CommandEmitter::emitGemm(GemmOp gemm, Items &items) {
  auto dot = llvm::dyn_cast<mlir::stablehlo::DotGeneralOp>(gemm.getBody().front().front());
  std::optional<GemmShape> shape = dot ? getGemmShape(dot) : std::nullopt;
  if (!shape || gemm.getBody().front().getOperations().size() != 2)
    return gemm.emitOpError("expected one dot_general that a library reads in place");
  auto typeOf = [](Value value) {
    return *dtypeOf(llvm::cast<RankedTensorType>(value.getType()).getElementType());
  };
  program::GemmT body;
  body.lhs_type = typeOf(dot.getLhs());
  body.rhs_type = typeOf(dot.getRhs());
  body.out_type = typeOf(dot.getResult());
  auto copy = [](std::vector<int64_t> &to, llvm::ArrayRef<int64_t> from) {
    to.assign(from.begin(), from.end());
  };
  copy(body.batch, shape->batch);
  body.m = shape->m;
  body.n = shape->n;
  body.k = shape->k;
  copy(body.lhs_batch_strides, shape->lhsBatchStrides);
  body.lhs_m_stride = shape->lhsMStride;
  body.lhs_k_stride = shape->lhsKStride;
  copy(body.rhs_batch_strides, shape->rhsBatchStrides);
  body.rhs_k_stride = shape->rhsKStride;
  body.rhs_n_stride = shape->rhsNStride;
  copy(body.out_batch_strides, shape->outBatchStrides);
  body.out_m_stride = shape->outMStride;
  body.out_n_stride = shape->outNStride;
  // Block arguments stand for the operand of the same number.
  auto operandOf = [&](Value value) {
    return gemm.getInputs()[llvm::cast<mlir::BlockArgument>(value).getArgNumber()];
  };
  body.lhs = std::make_unique<BufferRef>(ref(operandOf(dot.getLhs())));
  body.rhs = std::make_unique<BufferRef>(ref(operandOf(dot.getRhs())));
  body.out = std::make_unique<BufferRef>(ref(gemm.getOutputs()[0]));
  add(std::move(body), gemm, items, llvm::to_vector(gemm.getInputs()),
      llvm::SmallVector<Value>(gemm.getOutputs()))
      .picoseconds = cost.picoseconds(gemm);
  return mlir::success();
}

// Attributes of a call as JSON: numbers, booleans and strings as such, arrays of them, the rest
// as text.
static llvm::json::Value toJson(mlir::Attribute attr) {
  if (auto boolean = llvm::dyn_cast<mlir::BoolAttr>(attr))
    return boolean.getValue();
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(attr)) {
    if (integer.getType().isUnsignedInteger())
      return integer.getUInt();
    return integer.getValue().getSExtValue();
  }
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(attr))
    return number.getValueAsDouble();
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(attr))
    return text.getValue();
  if (auto list = llvm::dyn_cast<mlir::ArrayAttr>(attr)) {
    llvm::json::Array array;
    for (mlir::Attribute element : list)
      array.push_back(toJson(element));
    return array;
  }
  if (auto dictionary = llvm::dyn_cast<mlir::DictionaryAttr>(attr)) {
    llvm::json::Object object;
    for (mlir::NamedAttribute entry : dictionary)
      object[entry.getName().strref()] = toJson(entry.getValue());
    return object;
  }
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return text;
}

llvm::LogicalResult CommandEmitter::emitCall(CallOp call, Items &items) {
  program::CustomCallT body;
  body.target = call.getCallTargetName().str();
  llvm::raw_string_ostream(body.attributes)
      << (call.getConfigAttr() ? toJson(call.getConfigAttr())
                               : llvm::json::Value(llvm::json::Object()));
  body.operands = refs(call.getInputs());
  body.results = refs(call.getOutputs());
  for (Value operand : call.getInputs())
    body.operand_types.push_back(tensorTypeOf(llvm::cast<RankedTensorType>(operand.getType())));
  for (Value result : call.getOutputs())
    body.result_types.push_back(tensorTypeOf(llvm::cast<RankedTensorType>(result.getType())));
  add(std::move(body), call, items, llvm::to_vector(call.getInputs()),
      llvm::SmallVector<Value>(call.getOutputs()), false, call.getCallTargetName())
      .picoseconds = cost.picoseconds(call);
  return mlir::success();
}

//   loop-begin | jump-if-not p -> exit | top: body | loop-next | jump-if-not p' -> exit | jump top
llvm::LogicalResult CommandEmitter::emitLoop(LoopOp loop, Items &items) {
  uint32_t id = static_cast<uint32_t>(loopIds.lookup(loop));
  program::LoopBeginT begin;
  begin.loop = id;
  add(begin, loop, items, {}, {}, /*host=*/true);
  auto test = [&](Value predicate, Operation *op, Items &where) {
    program::JumpIfNotT body;
    body.predicate = std::make_unique<BufferRef>(ref(predicate));
    uint32_t index = next();
    add(std::move(body), op, where, predicate, {}, /*host=*/true, "while");
    return index;
  };
  uint32_t first = test(loop.getPredicate(), loop, items);
  uint32_t top = next();
  ProgramItem item;
  item.kind = ProgramItem::Kind::Loop;
  item.bodies.resize(1);
  if (mlir::failed(emitBlock(loop.getBody().front(), item.bodies[0])))
    return mlir::failure();
  Operation *yield = loop.getYield();
  program::LoopNextT advance;
  advance.loop = id;
  add(advance, loop, item.bodies[0], {}, {}, /*host=*/true);
  uint32_t second = test(loop.getNextPredicate(), yield, item.bodies[0]);
  program::JumpT back;
  back.target = top;
  add(back, loop, item.bodies[0], {}, {}, /*host=*/true);
  for (uint32_t branch : {first, second})
    program.commands[branch]->body.AsJumpIfNot()->target = next();
  for (unsigned piece = 0; piece < aliasing.size(); ++piece)
    if (rotation.loop(piece) == loop && !rotation.fixed(piece)) {
      BufferAttr buffer = bufferOf(piece);
      unsigned space = access(piece, false).space;
      bool known = llvm::any_of(item.rotating, [&](const RotatingRegion &region) {
        return region.space == space && region.begin == buffer.getOffset();
      });
      if (!known && buffer.getSlots() > 1)
        item.rotating.push_back({space, buffer.getOffset(), buffer.getStride(),
                                 static_cast<unsigned>(buffer.getSlots())});
    }
  std::set<unsigned> inside;
  items.push_back(std::move(item));
  for (uint32_t index = top; index < next(); ++index)
    commandsOf[loop].push_back(index);
  return mlir::success();
}

llvm::LogicalResult CommandEmitter::emitCase(CaseOp branches, Items &items) {
  uint32_t choice = next();
  program::SwitchT body;
  body.index = std::make_unique<BufferRef>(ref(branches.getIndex()));
  add(std::move(body), branches, items, Value(branches.getIndex()), {}, /*host=*/true);
  ProgramItem item;
  item.kind = ProgramItem::Kind::Branches;
  std::vector<uint32_t> ends;
  for (mlir::Region &region : branches.getBranches()) {
    program.commands[choice]->body.AsSwitch()->targets.push_back(next());
    item.bodies.emplace_back();
    if (mlir::failed(emitBlock(region.front(), item.bodies.back())))
      return mlir::failure();
    ends.push_back(next());
    add(program::JumpT(), branches, item.bodies.back(), {}, {}, /*host=*/true);
  }
  for (uint32_t end : ends)
    program.commands[end]->body.AsJump()->target = next();
  items.push_back(std::move(item));
  for (uint32_t index = choice; index < next(); ++index)
    commandsOf[branches].push_back(index);
  return mlir::success();
}

} // namespace tandem
