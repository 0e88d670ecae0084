// Walks an HLO module in issue order and writes down what each instruction is to the simulator.
#include "tandem/Explain/HloSchedule.h"

#include "tandem/Explain/HloWork.h"

#include "llvm/ADT/STLExtras.h"

namespace tandem {

using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Phase;
using hlo::Shape;

namespace {

using Leaves = llvm::SmallVector<ValueId, 2>;

// Leaves of elements [0, index) and of element `index` of a tuple.
std::pair<size_t, size_t> elementLeaves(const Shape &shape, int64_t index) {
  size_t before = 0, own = 0;
  for (int64_t k = 0; k <= index && k < static_cast<int64_t>(shape.elements.size()); ++k) {
    std::vector<const Shape *> leaves;
    appendLeaves(*shape.elements[k], leaves);
    before += own;
    own = leaves.size();
  }
  return {before, own};
}

bool isSync(const Instruction &i) {
  return findSyncFlag(i.backendConfig()) != llvm::StringRef::npos;
}

class Builder {
public:
  Builder(const hlo::Module &module, const Target &target)
      : module(module), target(target), work(module, target) {}

  Schedule build() {
    schedule.name = module.name.str();
    schedule.isScheduled = module.isScheduled();
    schedule.engines = kFirstLinkEngine + static_cast<unsigned>(target.links.size());
    schedule.computeDuringTransfersPermille = target.computeDuringTransfersPermille;
    schedule.entry = schedule.addBlock();
    std::vector<Leaves> parameters;
    for (const Instruction *parameter : module.entry->parameters)
      parameters.push_back(fresh(*parameter->shape, parameter->name, ~0u));
    for (const Leaves &leaves : parameters)
      llvm::append_range(schedule.blocks[schedule.entry].parameters, leaves);
    Leaves root = walk(*module.entry, parameters, schedule.entry);
    llvm::append_range(schedule.blocks[schedule.entry].results, root);
    donate(parameters, root);
    if (!module.isScheduled())
      schedule.warnings.push_back("module is not scheduled: its order is taken as it stands");
    for (auto &[text, times] : work.warnings)
      schedule.warnings.push_back(text + " (x" + std::to_string(times) + ")");
    return std::move(schedule);
  }

private:
  using Env = llvm::DenseMap<const Instruction *, Leaves>;

  Leaves fresh(const Shape &shape, llvm::StringRef name, ItemId item) {
    std::vector<const Shape *> shapes;
    appendLeaves(shape, shapes);
    Leaves leaves;
    for (const Shape *leaf : shapes)
      leaves.push_back(schedule.addValue(leaf->byteSize(), name, item, leaf->onHost()));
    return leaves;
  }

  // Leaves of a path into a value.
  static llvm::ArrayRef<ValueId> at(const Shape *shape, llvm::ArrayRef<ValueId> leaves,
                                    llvm::ArrayRef<int64_t> path) {
    for (int64_t index : path) {
      if (!shape->isTuple() || index >= static_cast<int64_t>(shape->elements.size()))
        break;
      auto [begin, count] = elementLeaves(*shape, index);
      leaves = leaves.slice(begin, count);
      shape = shape->elements[index];
    }
    return leaves;
  }

  void donate(llvm::ArrayRef<Leaves> parameters, llvm::ArrayRef<ValueId> root) {
    auto parameter = [&](int64_t number, llvm::ArrayRef<int64_t> index) -> llvm::ArrayRef<ValueId> {
      if (number >= static_cast<int64_t>(parameters.size()))
        return {};
      return at(module.entry->parameters[number]->shape, parameters[number], index);
    };
    for (const hlo::Alias &alias : module.aliases()) {
      llvm::ArrayRef<ValueId> from = parameter(alias.parameter, alias.parameterIndex);
      for (auto [result, argument] :
           llvm::zip(at(module.entry->root->shape, root, alias.outputIndex), from))
        schedule.donated.push_back({result, argument});
      llvm::append_range(schedule.given, from);
    }
    for (const hlo::Donor &donor : module.donors())
      llvm::append_range(schedule.given, parameter(donor.parameter, donor.parameterIndex));
  }

  Leaves walk(const Computation &computation, llvm::ArrayRef<Leaves> arguments, BlockId block) {
    Env env;
    for (const Instruction *i : computation.instructions) {
      for (const Instruction *operand : i->operands)
        if (!env.count(operand))
          complain(*i, "operand", *operand);
      for (const Instruction *before : i->controlPredecessors())
        if (!env.count(before))
          complain(*i, "control predecessor", *before);
      Leaves leaves = define(*i, env, arguments, block);
      env[i] = std::move(leaves);
    }
    return env[computation.root];
  }

  void complain(const Instruction &i, const char *kind, const Instruction &other) {
    std::string text = (i.parent->name + ": " + i.name + " has the " + kind + " " + other.name +
                        ", which comes later")
                           .str();
    if (!llvm::is_contained(schedule.errors, text))
      schedule.errors.push_back(text);
  }

  Leaves define(const Instruction &i, Env &env, llvm::ArrayRef<Leaves> arguments, BlockId block) {
    auto operand = [&](size_t k) {
      return k < i.operands.size() ? env.lookup(i.operands[k]) : Leaves();
    };
    switch (i.base) {
    case Opcode::Parameter:
      if (i.parameter < static_cast<int64_t>(arguments.size()))
        return arguments[i.parameter];
      break;
    case Opcode::Tuple: {
      Leaves leaves;
      for (const Instruction *o : i.operands)
        llvm::append_range(leaves, env.lookup(o));
      return leaves;
    }
    case Opcode::GetTupleElement: {
      auto [begin, count] = elementLeaves(*i.operands[0]->shape, i.integer("index").value_or(0));
      Leaves whole = operand(0);
      if (begin + count > whole.size())
        return whole;
      return Leaves(llvm::ArrayRef<ValueId>(whole).slice(begin, count));
    }
    case Opcode::While:
      return loop(i, operand(0), block);
    case Opcode::Conditional:
      return branches(i, env, block);
    case Opcode::Call:
      if (i.phase == Phase::None && i.callee("to_apply")) {
        std::vector<Leaves> inner;
        for (const Instruction *o : i.operands)
          inner.push_back(env.lookup(o));
        return walk(*i.callee("to_apply"), inner, block);
      }
      break;
    default:
      break;
    }
    if ((HloWork::isAlias(i.base) || i.phase == Phase::Update) && !i.operands.empty())
      return operand(0);
    return item(i, env, block);
  }

  ScheduledItem describe(const Instruction &i, Env &env) {
    ScheduledItem item;
    item.name = schedule.save(i.name);
    item.opcode = schedule.save(i.opcode);
    item.place = schedule.save(i.opName());
    item.source = &i;
    for (const Instruction *o : i.operands)
      llvm::append_range(item.operands, env.lookup(o));
    for (const Instruction *before : i.controlPredecessors())
      if (auto it = itemOf.find(before); it != itemOf.end())
        item.after.push_back(it->second);
    return item;
  }

  Leaves item(const Instruction &i, Env &env, BlockId block) {
    ScheduledItem item = describe(i, env);
    ItemId id = static_cast<ItemId>(schedule.items.size());
    Leaves leaves = fresh(*i.shape, item.name, id);
    item.results.assign(leaves.begin(), leaves.end());
    if (i.base == Opcode::Constant || i.base == Opcode::AfterAll) {
      item.kind = ScheduledItem::Kind::Mark;
      item.isConstant = i.base == Opcode::Constant;
    } else if (i.phase == Phase::Done) {
      item.kind = ScheduledItem::Kind::Done;
    } else {
      price(i, item);
      if (i.phase == Phase::Start)
        splitLeaves(i, item, leaves);
      shareBytes(i, env, item);
    }
    itemOf[&i] = schedule.addItem(block, std::move(item));
    return leaves;
  }

  void price(const Instruction &i, ScheduledItem &item) {
    bool isStart = i.phase == Phase::Start;
    if (auto collective = work.collective(i)) {
      item.kind = ScheduledItem::Kind::Start;
      item.awaited = !isStart;
      item.synchronous = !isStart || isSync(i);
      item.isInPlaceReduction = i.base == Opcode::AllReduce;
      item.cost.engine = kFirstLinkEngine + collective->shape.level;
      item.cost.picoseconds = collective->picoseconds;
      CollectiveInfo info;
      info.kind = schedule.save(collective->name);
      for (auto &[type, bytes] : collective->wireBytes)
        info.wireBytes.push_back({type, bytes});
      info.bytes = collective->bytes;
      info.groups = static_cast<int64_t>(collective->groups.size());
      info.groupSize = collective->shape.size;
      info.operands = collective->operands;
      info.algorithm = collective->algorithm;
      info.cause = item.place;
      item.collective = static_cast<int32_t>(schedule.collectives.size());
      schedule.collectives.push_back(std::move(info));
      return;
    }
    item.cost = work.compute(i);
    item.kind = isStart ? ScheduledItem::Kind::Start : ScheduledItem::Kind::Work;
    if (!isStart)
      return;
    item.synchronous = isSync(i);
    if (item.cost.hostBytes)
      item.cost.engine = kCopyEngine;
    else
      ++work.warnings[i.opcode.str() + " run on the compute engine"];
  }

  // Which leaves of a start are operands, results, handles.
  void splitLeaves(const Instruction &i, ScheduledItem &item, llvm::ArrayRef<ValueId> leaves) {
    const Shape &shape = *i.shape;
    if (i.base != Opcode::Send && (i.base == Opcode::Recv || i.base == Opcode::AllReduce ||
                                   !shape.isTuple() || shape.elements.size() < 2)) {
      if (i.base == Opcode::Recv && shape.isTuple()) {
        // Data, handle, token.
        auto [begin, count] = elementLeaves(shape, 1);
        item.results.clear();
        for (size_t k = 0; k < leaves.size(); ++k)
          (k >= begin && k < begin + count
               ? static_cast<llvm::SmallVectorImpl<ValueId> &>(item.handles)
               : item.results)
              .push_back(leaves[k]);
      }
      return;
    }
    item.results.clear();
    item.holdsSources = true;
    for (size_t part = 0; part < shape.elements.size(); ++part) {
      auto [begin, count] = elementLeaves(shape, static_cast<int64_t>(part));
      llvm::ArrayRef<ValueId> own = leaves.slice(begin, count);
      bool isCopy = i.base == Opcode::Copy, isSend = i.base == Opcode::Send;
      size_t heldPart = isCopy ? 1 : 0, resultPart = isCopy ? 0 : 1;
      if (part == heldPart)
        llvm::append_range(item.heldOperands, own);
      else if (part == resultPart && !isSend)
        llvm::append_range(item.results, own);
      else
        llvm::append_range(item.handles, own);
    }
  }

  void shareBytes(const Instruction &i, Env &env, ScheduledItem &item) {
    auto pairUp = [&](llvm::ArrayRef<std::pair<int64_t, int64_t>> pairs, auto &list, bool arrays) {
      for (auto [number, leaf] : pairs) {
        if (number >= static_cast<int64_t>(i.operands.size()) ||
            leaf >= static_cast<int64_t>(item.results.size()))
          continue;
        Leaves operand = env.lookup(i.operands[number]);
        if (!operand.empty() && (!arrays || !i.operands[number]->shape->isTuple()))
          list.push_back({operand[0], item.results[leaf]});
      }
    };
    pairUp(work.inPlace(i), item.mustShare, false);
    pairUp(work.mayTakeOver(i), item.mayShare, true);
  }

  Leaves loop(const Instruction &i, const Leaves &init, BlockId block) {
    ScheduledItem item;
    item.kind = ScheduledItem::Kind::Loop;
    item.name = schedule.save(i.name);
    item.opcode = "while";
    item.place = schedule.save(i.opName());
    item.source = &i;
    item.operands.assign(init.begin(), init.end());
    std::optional<int64_t> trips = work.tripCount(i);
    item.tripsKnown = trips.has_value();
    item.trips = trips.value_or(target.defaultTripCount);
    ItemId id = schedule.addItem(block, std::move(item));
    itemOf[&i] = id;
    for (const char *key : {"body", "condition"}) {
      const Computation *computation = i.callee(key);
      if (!computation)
        continue;
      BlockId inner = schedule.addBlock(id);
      Leaves state = fresh(*i.shape, schedule.items[id].name, id);
      schedule.blocks[inner].parameters.assign(state.begin(), state.end());
      Leaves root = walk(*computation, {state}, inner);
      schedule.blocks[inner].results.assign(root.begin(), root.end());
      schedule.items[id].blocks.push_back(inner);
    }
    Leaves results = fresh(*i.shape, schedule.items[id].name, id);
    schedule.items[id].results.assign(results.begin(), results.end());
    return results;
  }

  Leaves branches(const Instruction &i, Env &env, BlockId block) {
    ScheduledItem item = describe(i, env);
    item.kind = ScheduledItem::Kind::Branches;
    ItemId id = schedule.addItem(block, std::move(item));
    itemOf[&i] = id;
    size_t argument = 1;
    for (const char *key : {"branch_computations", "true_computation", "false_computation"})
      for (const Computation *computation : i.called(key)) {
        BlockId inner = schedule.addBlock(id);
        Leaves given = argument < i.operands.size() ? env.lookup(i.operands[argument]) : Leaves();
        ++argument;
        Leaves root = walk(*computation, {given}, inner);
        schedule.blocks[inner].results.assign(root.begin(), root.end());
        schedule.items[id].blocks.push_back(inner);
      }
    Leaves results = fresh(*i.shape, schedule.items[id].name, id);
    schedule.items[id].results.assign(results.begin(), results.end());
    return results;
  }

  const hlo::Module &module;
  const Target &target;
  HloWork work;
  Schedule schedule;
  llvm::DenseMap<const Instruction *, ItemId> itemOf;
};

} // namespace

size_t findSyncFlag(llvm::StringRef config) {
  size_t key = config.find("is_sync");
  if (key == llvm::StringRef::npos)
    return key;
  // Quotes are escaped in some dumps.
  size_t value = config.find_first_not_of("\\\" :", key + 7);
  return config.substr(value).starts_with("true") ? value : llvm::StringRef::npos;
}

Schedule scheduleOfHlo(const hlo::Module &module, const Target &target) {
  return Builder(module, target).build();
}

} // namespace tandem
