// Foreign modules through our scheduler.
#include "tandem/Explain/Reschedule.h"

#include <algorithm>
#include <map>
#include <set>

#include "tandem/Cost/LiveBytes.h"
#include "tandem/Cost/Simulation.h"
#include "tandem/Explain/HloSchedule.h"
#include "tandem/Import/HloText.h"
#include "tandem/Schedule/Search.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {

using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using Engine = ScheduleProblem::Engine;
using Kind = ScheduledItem::Kind;

namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
using Orders = std::map<Computation *, std::vector<Instruction *>>;

unsigned wireOf(unsigned engine) { return engine - kCopyEngine; }

struct Judgement {
  int64_t step = 0, peak = 0;
  size_t errors = 0, warnings = 0;
};

Judgement judge(const hlo::Module &module, const Target &target) {
  Schedule schedule = scheduleOfHlo(module, target);
  SimulationResult times = simulate(schedule);
  LiveBytes live(schedule);
  return {times.step, live.peak().bytes,
          schedule.errors.size() + times.errors.size() + live.getErrors().size(),
          live.getWarnings().size()};
}

Orders currentOrders(hlo::Module &module) {
  Orders orders;
  for (Computation *computation : module.computations)
    orders[computation] = computation->instructions;
  return orders;
}

void apply(const Orders &orders) {
  for (auto &[computation, instructions] : orders) {
    computation->instructions = instructions;
    for (auto [index, instruction] : llvm::enumerate(instructions))
      instruction->index = static_cast<uint32_t>(index);
  }
}

// ---- one block as a problem

struct BlockProblem {
  ScheduleProblem problem;
  std::vector<ItemId> items; // by node
};

// How a pass over the module's blocks goes.
struct Variant {
  bool loopsHoldWires = true; // transfers that are in flight end before a loop begins
  int64_t cap = kNoLimit;     // of the module's peak
};

class Rescheduler {
public:
  Rescheduler(const hlo::Module &module, const Target &target, const Variant &variant,
              int64_t effort)
      : schedule(scheduleOfHlo(module, target)), live(schedule), variant(variant), effort(effort) {
    for (auto [item, bytes] : live.curve())
      bytesAt[item] = std::max(bytesAt[item], bytes);
  }

  Orders run() {
    ofBlock(schedule.entry);
    return std::move(orders);
  }

private:
  struct Summary {
    int64_t picoseconds = 0;
    uint64_t wires = 0;
    int64_t most = 0; // bytes live at its worst place
  };

  const Instruction *sourceOf(ItemId item) const {
    return static_cast<const Instruction *>(schedule.items[item].source);
  }

  // Schedules what is inside an item; what one execution of it takes.
  Summary ofInner(const ScheduledItem &item) {
    Summary sum;
    for (BlockId inner : item.blocks) {
      Summary one = ofBlock(inner);
      // A loop's condition takes no time of its own when the trips are known.
      if (item.kind == Kind::Loop && inner != item.blocks.front())
        continue;
      sum.picoseconds = std::max(sum.picoseconds, one.picoseconds);
      sum.wires |= one.wires;
      sum.most = std::max(sum.most, one.most);
    }
    if (item.kind == Kind::Loop)
      sum.picoseconds *= item.trips;
    return sum;
  }

  Summary ofBlock(BlockId id) {
    BlockProblem block = problemOf(id);
    Summary summary;
    for (const ScheduleProblem::Node &node : block.problem.nodes)
      summary.wires |= node.engine == Engine::Wire ? uint64_t(1) << node.wire : node.heldWires;
    for (ItemId item : block.items)
      summary.most = std::max({summary.most, bytesAt.lookup(item), innerMost.lookup(item)});

    ScheduleOrder program(block.problem.size());
    for (unsigned node = 0; node < program.size(); ++node)
      program[node] = node;
    SearchOptions options;
    options.effort = effort;
    if (variant.cap != kNoLimit)
      options.capBytes =
          std::max<int64_t>(variant.cap - summary.most + peakBytes(block.problem, program), 0);
    Computation *computation = computationOf(block);
    if (!computation) {
      summary.picoseconds = stepTime(block.problem, program);
      return summary;
    }
    SearchResult found = searchOrder(block.problem, options);
    summary.picoseconds = found.step;
    orders[computation] = emit(*computation, block, found.order);
    return summary;
  }

  // The computation that the block is, if its items are that computation's own.
  Computation *computationOf(const BlockProblem &block) const {
    Computation *computation = nullptr;
    for (ItemId item : block.items) {
      Computation *parent = sourceOf(item)->parent;
      if (computation && parent != computation)
        return nullptr;
      computation = parent;
    }
    return computation;
  }

  BlockProblem problemOf(BlockId id) {
    const ScheduledBlock &block = schedule.blocks[id];
    BlockProblem result;
    ScheduleProblem &problem = result.problem;
    llvm::DenseMap<ItemId, unsigned> nodeOf;
    for (ItemId item : block.items) {
      if (schedule.items[item].isConstant)
        continue;
      nodeOf[item] = static_cast<unsigned>(result.items.size());
      result.items.push_back(item);
    }
    problem.nodes.resize(result.items.size());
    problem.startsFollowCompute = true;
    for (unsigned node = 0; node < result.items.size(); ++node)
      price(schedule.items[result.items[node]], result.items[node], problem.nodes[node]);
    addEdges(block, result, nodeOf);
    countBytes(block, id == schedule.entry, result);
    return result;
  }

  void price(const ScheduledItem &item, ItemId id, ScheduleProblem::Node &node) {
    switch (item.kind) {
    case Kind::Mark:
      return;
    case Kind::Done:
      node.engine = Engine::Wait;
      return;
    case Kind::Work:
      node.engine = Engine::Compute;
      node.picoseconds = item.cost.picoseconds;
      return;
    case Kind::Start:
      node.picoseconds = item.cost.picoseconds;
      node.engine = Engine::Compute;
      if (item.cost.engine == kComputeEngine)
        return;
      if (item.awaited) {
        node.heldWires = uint64_t(1) << wireOf(item.cost.engine);
        return;
      }
      node.engine = Engine::Wire;
      node.wire = wireOf(item.cost.engine);
      return;
    case Kind::Loop:
    case Kind::Branches: {
      Summary inner = ofInner(item);
      node.engine = Engine::Compute;
      node.holdsHost = true;
      node.picoseconds = inner.picoseconds;
      node.heldWires = variant.loopsHoldWires ? inner.wires : 0;
      innerMost[id] = inner.most;
      node.heldBytes = std::max<int64_t>(inner.most - bytesAt.lookup(id), 0);
      return;
    }
    }
  }

  // Of an item's results, those that it writes: a loop hands on what its body leaves alone.
  template <typename Visit> void forEachWritten(const ScheduledItem &item, Visit visit) const {
    for (auto [k, value] : llvm::enumerate(item.results)) {
      if (item.kind == Kind::Done)
        continue; // its start wrote it
      if (item.kind == Kind::Loop) {
        const ScheduledBlock &body = schedule.blocks[item.blocks.front()];
        if (k < body.results.size() && k < body.parameters.size() &&
            body.results[k] == body.parameters[k])
          continue;
      }
      visit(value);
    }
  }

  void addEdges(const ScheduledBlock &block, BlockProblem &result,
                const llvm::DenseMap<ItemId, unsigned> &nodeOf) {
    std::map<int, std::set<unsigned>> readers; // of what a buffer holds now
    std::map<int, unsigned> writer;
    auto edge = [&](unsigned from, unsigned to) {
      if (from < to)
        result.problem.addEdge(from, to);
    };
    for (unsigned node = 0; node < result.items.size(); ++node) {
      const ScheduledItem &item = schedule.items[result.items[node]];
      auto depend = [&](ItemId on) {
        if (auto it = nodeOf.find(on); it != nodeOf.end())
          edge(it->second, node);
      };
      for (ItemId before : item.after)
        depend(before);
      auto read = [&](ValueId value) {
        if (int buffer = live.bufferOf(value); buffer >= 0) {
          if (auto it = writer.find(buffer); it != writer.end())
            edge(it->second, node);
          readers[buffer].insert(node);
        }
      };
      for (ValueId value : llvm::concat<const ValueId>(item.operands, item.captures)) {
        if (ItemId on = schedule.values[value].item; on != ~0u)
          depend(on);
        read(value);
      }
      if (item.kind == Kind::Done)
        for (ValueId value : item.operands)
          if (ItemId on = schedule.values[value].item; on != ~0u) {
            if (auto it = nodeOf.find(on); it != nodeOf.end())
              result.problem.nodes[node].awaits = it->second;
            for (ValueId source : schedule.items[on].operands)
              read(source);
          }
      forEachWritten(item, [&](ValueId value) {
        int buffer = live.bufferOf(value);
        if (buffer < 0)
          return;
        for (unsigned reader : readers[buffer])
          edge(reader, node);
        readers[buffer].clear();
        if (auto it = writer.find(buffer); it != writer.end())
          edge(it->second, node);
        writer[buffer] = node;
      });
    }
  }

  void countBytes(const ScheduledBlock &block, bool isEntry, BlockProblem &result) {
    std::map<int, unsigned> classOf; // ~0u: live whatever the order
    auto leaveOut = [&](llvm::ArrayRef<ValueId> values) {
      for (ValueId value : values)
        if (int buffer = live.bufferOf(value); buffer >= 0)
          classOf[buffer] = ~0u;
    };
    leaveOut(block.parameters);
    if (isEntry)
      leaveOut(block.results);
    for (ItemId item : block.items)
      if (schedule.items[item].isConstant)
        leaveOut(schedule.items[item].results);
    auto add = [&](ValueId value, std::vector<unsigned> &list) {
      int buffer = live.bufferOf(value);
      if (buffer < 0 || schedule.values[value].onHost)
        return;
      auto [it, isNew] =
          classOf.try_emplace(buffer, static_cast<unsigned>(result.problem.classBytes.size()));
      if (it->second == ~0u)
        return;
      if (isNew)
        result.problem.classBytes.push_back(0);
      int64_t &bytes = result.problem.classBytes[it->second];
      bytes = std::max(bytes, schedule.values[value].bytes);
      if (!llvm::is_contained(list, it->second))
        list.push_back(it->second);
    };
    for (unsigned node = 0; node < result.items.size(); ++node) {
      const ScheduledItem &item = schedule.items[result.items[node]];
      ScheduleProblem::Node &info = result.problem.nodes[node];
      for (const auto *values : {&item.results, &item.handles})
        for (ValueId value : *values)
          add(value, info.defines);
      for (ValueId value : llvm::concat<const ValueId>(item.operands, item.captures))
        add(value, info.reads);
      if (item.kind == Kind::Done)
        for (ValueId value : item.operands)
          if (ItemId on = schedule.values[value].item; on != ~0u && schedule.items[on].holdsSources)
            for (ValueId source : schedule.items[on].operands)
              add(source, info.reads);
    }
    // What a trip leaves behind is live to its end.
    if (!isEntry && !result.items.empty()) {
      std::set<unsigned> left;
      for (ValueId value : block.results)
        if (auto it = classOf.find(live.bufferOf(value)); it != classOf.end() && it->second != ~0u)
          left.insert(it->second);
      // As a node of its own would be last in every order, the bytes are simply left out.
      for (unsigned cls : left)
        result.problem.classBytes[cls] = 0;
    }
  }

  // The instructions in the order of the nodes: what takes no time right before its first reader.
  std::vector<Instruction *> emit(Computation &computation, const BlockProblem &block,
                                  const ScheduleOrder &order) const {
    std::vector<Instruction *> result;
    llvm::DenseSet<const Instruction *> emitted;
    auto put = [&](Instruction *instruction) {
      if (emitted.insert(instruction).second)
        result.push_back(instruction);
    };
    auto place = [&](Instruction *top) {
      // Depth first, without recursion: operands, then the instruction.
      std::vector<std::pair<Instruction *, size_t>> stack = {{top, 0}};
      while (!stack.empty()) {
        auto &[instruction, next] = stack.back();
        llvm::ArrayRef<Instruction *> operands = instruction->operands;
        llvm::ArrayRef<Instruction *> control = instruction->controlPredecessors();
        if (emitted.contains(instruction)) {
          stack.pop_back();
        } else if (next < operands.size() + control.size()) {
          Instruction *before =
              next < operands.size() ? operands[next] : control[next - operands.size()];
          ++next;
          if (!emitted.contains(before))
            stack.push_back({before, 0});
        } else {
          put(instruction);
          stack.pop_back();
        }
      }
    };
    for (Instruction *parameter : computation.parameters)
      put(parameter);
    for (unsigned node : order)
      place(const_cast<Instruction *>(sourceOf(block.items[node])));
    for (Instruction *instruction : computation.instructions)
      if (instruction != computation.root)
        place(instruction);
    place(computation.root);
    return result;
  }

  Schedule schedule;
  LiveBytes live;
  Variant variant;
  int64_t effort;
  llvm::DenseMap<ItemId, int64_t> bytesAt, innerMost;
  Orders orders;
};

// Pairs that run as one instruction: theirs to start with, ours are asynchronous.
void makeAsynchronous(hlo::Module &module) {
  for (Computation *computation : module.computations)
    for (Instruction *instruction : computation->instructions) {
      if (instruction->phase != hlo::Phase::Start)
        continue;
      llvm::SmallVector<hlo::Attribute> attributes(instruction->attributes.begin(),
                                                   instruction->attributes.end());
      for (hlo::Attribute &attribute : attributes) {
        auto *raw = std::get_if<hlo::RawText>(&attribute.value);
        if (attribute.name != "backend_config" || !raw)
          continue;
        size_t flag = findSyncFlag(raw->text);
        if (flag == llvm::StringRef::npos)
          continue;
        std::string text = raw->text.str();
        text.replace(flag, llvm::StringRef("true").size(), "false");
        raw->text = module.save(llvm::StringRef(text));
        instruction->attributes = module.save(llvm::ArrayRef<hlo::Attribute>(attributes));
        break;
      }
    }
}

} // namespace

llvm::Expected<Rescheduled> reschedule(hlo::Module &module, const Target &target,
                                       const RescheduleOptions &options) {
  if (!module.isScheduled())
    return llvm::createStringError("expected a scheduled module (is_scheduled=true): this one "
                                   "gives no order to compare with");
  Rescheduled result;
  Judgement before = judge(module, target);
  if (before.errors)
    return llvm::createStringError("the module's own schedule is wrong; 'tandem simulate' says "
                                   "where");
  result.stepBefore = before.step;
  result.peakBefore = before.peak;

  Orders original = currentOrders(module);
  makeAsynchronous(module);
  Judgement best = judge(module, target);
  Orders bestOrders = original;
  auto excess = [&](const Judgement &judgement) {
    return std::max<int64_t>(judgement.peak - options.memoryLimit, 0);
  };
  std::set<int64_t> caps = {kNoLimit, before.peak, options.memoryLimit};
  if (options.memoryLimit < before.peak)
    caps.insert(options.memoryLimit - (before.peak - options.memoryLimit) / 2);
  // Keeps the orders of `changed` if the module gets better by them.
  auto consider = [&](const Orders &changed) {
    Orders orders = bestOrders;
    for (auto &[computation, instructions] : changed)
      orders[computation] = instructions;
    apply(orders);
    Judgement judgement = judge(module, target);
    if (judgement.errors || judgement.warnings > before.warnings ||
        std::tuple(excess(judgement), judgement.step, judgement.peak) >=
            std::tuple(excess(best), best.step, best.peak))
      return;
    best = judgement;
    bestOrders = std::move(orders);
  };
  for (int64_t cap : caps)
    for (bool hold : {true, false}) {
      apply(original);
      const Orders orders = Rescheduler(module, target, {hold, cap}, options.effort).run();
      consider(orders);
      for (auto &one : orders)
        consider({one});
    }
  apply(bestOrders);
  result.changed = bestOrders != original;
  result.stepAfter = best.step;
  result.peakAfter = best.peak;
  if (llvm::Error error = hlo::verify(module))
    return std::move(error);
  return result;
}

} // namespace tandem
