// Writes down what each op of the tandem dialect is to the simulator.
#include "tandem/Cost/ScheduleOfModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tandem/IR/Tandem/Buffers.h"
#include "tandem/IR/Tandem/Cause.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace tandem {

using mlir::Operation;
using mlir::Value;

namespace {

using Leaves = llvm::SmallVector<ValueId, 2>;

class Builder {
public:
  explicit Builder(const CostModel &cost) : cost(cost) {}

  Schedule build(mlir::ModuleOp module) {
    const Target &target = cost.getTarget();
    schedule.name = module.getSymName().value_or("module").str();
    schedule.engines = kFirstLinkEngine + static_cast<unsigned>(target.links.size());
    schedule.computeDuringTransfersPermille = target.computeDuringTransfersPermille;
    schedule.entry = schedule.addBlock();
    auto func = module.lookupSymbol<mlir::func::FuncOp>("main");
    if (!func && !module.getOps<mlir::func::FuncOp>().empty())
      func = *module.getOps<mlir::func::FuncOp>().begin();
    if (!func || func.isExternal())
      return std::move(schedule);
    mlir::Block &block = func.getBody().front();
    for (mlir::BlockArgument argument : block.getArguments())
      llvm::append_range(
          schedule.blocks[schedule.entry].parameters,
          fresh(argument, ("argument " + llvm::Twine(argument.getArgNumber())).str(), ~0u));
    walk(block, schedule.entry, block.getTerminator()->getOperands());
    for (mlir::BlockArgument argument : block.getArguments()) {
      unsigned number = argument.getArgNumber();
      ValueId mine = leaves[argument].front();
      if (auto result = func.getArgAttrOfType<mlir::IntegerAttr>(number, "tf.aliasing_output")) {
        schedule.donated.push_back(
            {schedule.blocks[schedule.entry].results[result.getInt()], mine});
        schedule.given.push_back(mine);
      } else if (func.getArgAttr(number, "jax.buffer_donor")) {
        schedule.given.push_back(mine);
      }
    }
    return std::move(schedule);
  }

private:
  const Leaves &fresh(Value value, llvm::StringRef name, ItemId item) {
    Leaves &list = leaves[value];
    list.clear();
    for (mlir::RankedTensorType type : flattenToTensors(value.getType()))
      list.push_back(schedule.addValue(getByteSize(type), schedule.save(name), item));
    return list;
  }

  void walk(mlir::Block &block, BlockId id, mlir::OperandRange results) {
    for (Operation &op : block.without_terminator()) {
      auto next = static_cast<ItemId>(schedule.items.size());
      issue(&op, id);
      itemAt[&block].push_back(schedule.items.size() > next ? next : ~0u);
    }
    for (Value value : results)
      llvm::append_range(schedule.blocks[id].results, leaves[value]);
  }

  void issue(Operation *op, BlockId block) {
    if (auto copy = llvm::dyn_cast<CopyOp>(op); copy && isElided(copy)) {
      leaves[copy.getOutput()] = Leaves(leaves[copy.getInput()]);
      return;
    }
    ScheduledItem item;
    llvm::StringRef mnemonic = op->getName().stripDialect();
    item.opcode = mnemonic;
    item.name = schedule.save((mnemonic + "." + llvm::Twine(++counters[mnemonic])).str());
    item.source = op;
    for (Value operand : op->getOperands()) {
      if (llvm::isa<TokenType>(operand.getType())) {
        if (auto it = tokens.find(operand); it != tokens.end())
          item.after.push_back(it->second);
        continue;
      }
      llvm::append_range(item.operands, leaves[operand]);
    }
    ItemId id = static_cast<ItemId>(schedule.items.size());
    for (Value result : op->getResults()) {
      if (llvm::isa<TokenType>(result.getType()))
        tokens[result] = id;
      else if (!llvm::isa<LoopOp, CaseOp>(op))
        llvm::append_range(item.results, fresh(result, item.name, id));
    }
    if (auto edges = op->getAttrOfType<mlir::DenseI64ArrayAttr>(kOrderedAfterAttr))
      for (size_t k = 0; k + 2 < edges.asArrayRef().size(); k += 3) {
        llvm::ArrayRef<ItemId> places = itemAt[op->getBlock()];
        if (edges[k] >= static_cast<int64_t>(places.size()) || places[edges[k]] == ~0u)
          continue;
        item.after.push_back(places[edges[k]]);
        item.copyEdges.push_back({places[edges[k]], edges[k + 1], edges[k + 2]});
      }
    describe(op, item);
    schedule.addItem(block, std::move(item));
    if (llvm::isa<LoopOp, CaseOp>(op))
      enter(op, id);
  }

  void describe(Operation *op, ScheduledItem &item) {
    using Kind = ScheduledItem::Kind;
    auto pair = [&](auto pairs, auto &list) {
      for (auto [result, operand] : pairs)
        list.push_back(
            {leaves[op->getOperand(operand)].front(), leaves[op->getResult(result)].front()});
    };
    if (llvm::isa<ConstantOp>(op)) {
      item.kind = Kind::Mark;
      item.isConstant = true;
    } else if (llvm::isa<DoneOp>(op)) {
      item.kind = Kind::Done;
    } else if (auto start = llvm::dyn_cast<StartOp>(op)) {
      describeStart(start, item);
    } else if (auto loop = llvm::dyn_cast<LoopOp>(op)) {
      item.kind = Kind::Loop;
      item.tripsKnown = loop.getTripCount().has_value();
      item.trips = cost.tripCount(loop);
      // Carried values only: the predicate is no slot.
      item.operands.clear();
      for (Value init : loop.getInits())
        llvm::append_range(item.operands, leaves[init]);
    } else if (llvm::isa<CaseOp>(op)) {
      item.kind = Kind::Branches;
    } else {
      Work work = cost.work(op);
      item.cost.picoseconds = cost.picoseconds(op);
      item.cost.flops = work.matmulFlops;
      item.cost.matmulPicoseconds = work.matmulPicoseconds;
      item.cost.memoryBytes = work.memoryBytes;
      item.cost.isKernel = true;
      if (auto copy = llvm::dyn_cast<CopyOp>(op)) {
        item.cost.isCopy = true;
        item.cost.copyBytes = work.memoryBytes / 2;
      }
      if (auto kernel = llvm::dyn_cast<KernelOp>(op))
        pair(kernel.getInPlacePairs(), item.mayShare);
      if (auto call = llvm::dyn_cast<CallOp>(op))
        pair(call.getAliasedPairs(), item.mustShare);
    }
  }

  void describeStart(StartOp start, ScheduledItem &item) {
    item.kind = ScheduledItem::Kind::Start;
    item.holdsSources = true;
    item.cost.picoseconds = cost.picoseconds(start);
    Operation *first = start.getCollective();
    if (!CostModel::isCollective(first)) {
      item.cost.engine = kCopyEngine;
      item.cost.isCopy = true;
      for (ValueId result : item.results)
        item.cost.copyBytes += schedule.values[result].bytes;
      item.opcode = "copy-start";
      return;
    }
    item.cost.engine = kFirstLinkEngine + cost.linkLevel(first);
    CollectiveInfo info;
    info.kind = nameOf(CostModel::kindOf(first));
    llvm::SmallVector<Operation *> collectives;
    for (Operation &inner : start.getBody().front().without_terminator()) {
      collectives.push_back(&inner);
      info.bytes += CostModel::fullBytes(&inner);
      std::string type;
      llvm::raw_string_ostream(type)
          << llvm::cast<mlir::RankedTensorType>(inner.getOperand(0).getType()).getElementType();
      auto known = llvm::find_if(info.wireBytes, [&](auto &entry) { return entry.first == type; });
      if (known == info.wireBytes.end())
        info.wireBytes.push_back({schedule.save(type), CostModel::wireBytes(&inner)});
      else
        known->second += CostModel::wireBytes(&inner);
    }
    info.operands = static_cast<int64_t>(collectives.size());
    info.groups = static_cast<int64_t>(CostModel::deviceGroups(first).size());
    info.groupSize = CostModel::groupSize(first);
    info.algorithm = cost.price(collectives).algorithm;
    if (CauseAttr cause = getCause(first->getLoc())) {
      info.cause = schedule.save(cause.getRule());
      info.array = schedule.save(cause.getArray());
    }
    item.opcode = schedule.save((info.kind + "-start").str());
    item.name = schedule.save((info.kind + "." + llvm::Twine(++counters[info.kind])).str());
    for (ValueId result : item.results)
      schedule.values[result].name = item.name;
    item.collective = static_cast<int32_t>(schedule.collectives.size());
    schedule.collectives.push_back(std::move(info));
  }

  void enter(Operation *op, ItemId id) {
    for (mlir::Region &region : op->getRegions()) {
      mlir::Block &body = region.front();
      BlockId inner = schedule.addBlock(id);
      schedule.items[id].blocks.push_back(inner);
      for (mlir::BlockArgument argument : body.getArguments())
        llvm::append_range(schedule.blocks[inner].parameters,
                           fresh(argument, schedule.items[id].name, id));
      auto loop = llvm::dyn_cast<LoopOp>(op);
      walk(body, inner,
           loop ? loop.getYieldedValues()
                : mlir::OperandRange(body.getTerminator()->getOperands()));
      if (!loop)
        continue;
      // The next predicate is read at the trip's end.
      ScheduledItem test;
      test.kind = ScheduledItem::Kind::Work;
      test.opcode = test.name = "predicate";
      test.operands.assign(leaves[loop.getNextPredicate()].begin(),
                           leaves[loop.getNextPredicate()].end());
      schedule.addItem(inner, std::move(test));
    }
    llvm::SetVector<Value> captured;
    mlir::getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      llvm::append_range(schedule.items[id].captures, leaves[value]);
    for (Value result : op->getResults())
      if (!llvm::isa<TokenType>(result.getType()))
        llvm::append_range(schedule.items[id].results, fresh(result, schedule.items[id].name, id));
  }

  const CostModel &cost;
  Schedule schedule;
  llvm::DenseMap<Value, Leaves> leaves;
  llvm::DenseMap<Value, ItemId> tokens;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<ItemId>>
      itemAt; // by place in the block; ~0u: elided
  std::map<llvm::StringRef, int> counters;
};

} // namespace

Schedule scheduleOfModule(mlir::ModuleOp module, const CostModel &cost) {
  return Builder(cost).build(module);
}

llvm::FailureOr<Schedule> scheduleOfModule(mlir::ModuleOp module) {
  llvm::FailureOr<CostModel> cost = CostModel::forModule(module);
  if (mlir::failed(cost))
    return mlir::failure();
  return scheduleOfModule(module, *cost);
}

} // namespace tandem
