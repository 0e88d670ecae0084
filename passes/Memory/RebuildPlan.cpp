// Plays the choice of RebuildPlan.h on numbers; no op is changed.
#include "passes/Memory/RebuildPlan.h"

#include <map>

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {
namespace {

using mlir::Operation;
using mlir::Value;

// A hundredth of the step more for three hundredths of the bytes less.
constexpr int64_t kTimeWeight = 3;
constexpr int64_t kMaxWork = 8'000'000;
// Candidates are taken that many at once for each of so many ops and values.
constexpr size_t kSizeOfOne = 4096;
// Fewer bytes are not worth another kernel, unless there are too many.
constexpr int64_t kMinGainBytes = 1 << 20;

using Slot = int64_t;

// From the slot at which the op reads it to the one until which it does so.
struct Use {
  unsigned place;
  Slot until;
  std::optional<unsigned> rebuild; // that is computed before `place`; none: the op itself
};

// A value from one computation of it to the last use of that.
struct Part {
  Slot begin;
  std::vector<Use> uses;
  std::optional<unsigned> rebuild; // that computes it; none: the kernel itself
  Slot end() const {
    Slot last = begin;
    for (const Use &use : uses)
      last = std::max(last, use.until);
    return last;
  }
};

struct Tracked {
  Value value;
  int64_t bytes = 0;
  bool isFixed = false;    // shares bytes with other values, or ends in the function's result
  std::vector<Part> parts; // in order of begin
};

// One block.
struct Level {
  mlir::Block *block;
  std::vector<Operation *> ops;
  llvm::MapVector<Value, unsigned> numbers; // into `values`
  std::vector<Tracked> values;
  llvm::DenseMap<unsigned, std::vector<unsigned>> inner; // place -> levels of its regions
  int64_t trips = 1;                                     // how often it runs a step
};

struct Candidate {
  unsigned level = 0;
  KernelOp kernel;
  llvm::SmallVector<unsigned> results;
  unsigned place = 0; // before which it is computed again
  Slot peak = 0;
  int64_t gain = 0, time = 0;
};

class Planner {
public:
  Planner(mlir::func::FuncOp func, const CostModel &cost)
      : func(func), cost(cost), aliasing(func), simulation(cost) {
    for (unsigned id = 0; id < aliasing.size(); ++id) {
      ++classSize[aliasing.leader(id)];
      Value value = aliasing.piece(id).value;
      if (llvm::isa<mlir::BlockArgument>(value) || value.getDefiningOp<ConstantOp>())
        elsewhere.insert(aliasing.leader(id));
    }
    addLevel(func.getBody().front(), 1);
    for (const Level &level : levels)
      for (auto [place, op] : llvm::enumerate(level.ops))
        placesOf[op] = place;
  }

  std::vector<Rebuild> run(const RebuildOptions &options) {
    const int64_t step = std::max<int64_t>(simulation.run(func.getBody().front()).step, 1);
    size_t size = 0;
    for (const Level &level : levels)
      size += level.ops.size() + level.values.size();
    // The best number of candidates to take.
    const std::vector<Level> asItIs = levels;
    std::vector<Candidate> taken;
    int64_t added = 0, bytes = peakOf(0).bytes;
    size_t best = 0;
    auto price = [&] { // bytes above the limit first
      return std::pair(std::max<int64_t>(bytes - options.limitBytes, 0),
                       static_cast<double>(bytes) *
                           static_cast<double>(step + kTimeWeight * added));
    };
    std::pair<int64_t, double> bestPrice = price();
    for (int64_t work = 0; work < kMaxWork; work += 4 * static_cast<int64_t>(size)) {
      minGain = bytes > options.limitBytes ? 1 : kMinGainBytes;
      std::vector<Candidate> candidates = findCandidates();
      size_t before = taken.size();
      for (Candidate &candidate : candidates) {
        if (taken.size() - before > size / kSizeOfOne)
          break;
        // The ones before it may have changed what it reads.
        if (taken.size() > before) {
          std::optional<Candidate> again =
              candidateOf(candidate.level, candidate.kernel, candidate.peak);
          if (!again)
            continue;
          candidate = std::move(*again);
        }
        take(candidate, taken.size());
        added += candidate.time;
        taken.push_back(std::move(candidate));
      }
      if (taken.size() == before)
        break;
      bytes = peakOf(0).bytes;
      if (price() < bestPrice) {
        bestPrice = price();
        best = taken.size();
      }
    }
    taken.resize(best);
    levels = asItIs;
    for (auto [number, candidate] : llvm::enumerate(taken))
      take(candidate, number);
    return describe(taken);
  }

private:
  struct Peak {
    int64_t bytes = 0;
    Slot slot = 0;
    std::optional<unsigned> inner; // the level that is at its peak then
  };

  unsigned addLevel(mlir::Block &block, int64_t trips) {
    unsigned index = levels.size();
    levels.emplace_back();
    levels[index].block = &block;
    levels[index].trips = trips;
    std::vector<std::pair<unsigned, mlir::Block *>> blocks;
    llvm::DenseMap<Operation *, unsigned> places;
    for (Operation &op : block) {
      unsigned place = levels[index].ops.size();
      places[&op] = place;
      levels[index].ops.push_back(&op);
      if (holdsProgramOrder(&op))
        for (mlir::Region &region : op.getRegions())
          blocks.push_back({place, &region.front()});
    }
    Level &level = levels[index];
    const bool isFunction = llvm::isa<mlir::func::FuncOp>(block.getParentOp());
    for (auto [place, op] : llvm::enumerate(level.ops)) {
      if (llvm::isa<ConstantOp>(op))
        continue;
      for (Value result : op->getResults()) {
        if (Aliasing::numPieces(result.getType()) == 0)
          continue;
        Tracked tracked;
        tracked.value = result;
        Part part{2 * static_cast<Slot>(place), {}, {}};
        for (unsigned e = 0; e < Aliasing::numPieces(result.getType()); ++e) {
          unsigned piece = aliasing.id(result, e);
          if (!elsewhere.contains(aliasing.leader(piece)))
            tracked.bytes += aliasing.bytes(piece);
          tracked.isFixed |= classSize[aliasing.leader(piece)] > 1;
        }
        llvm::SmallDenseSet<Operation *> seen;
        for (Operation *user : result.getUsers()) {
          Operation *here = ancestorIn(&block, user);
          if (!here || !seen.insert(here).second)
            continue;
          Slot until = 2 * static_cast<Slot>(places[here]);
          if (auto start = llvm::dyn_cast<StartOp>(here))
            for (Operation *done : start->getResult(0).getUsers())
              until =
                  std::max(until, 2 * static_cast<Slot>(places.lookup(ancestorIn(&block, done))));
          if (here->hasTrait<mlir::OpTrait::IsTerminator>() && isFunction)
            tracked.isFixed = true;
          part.uses.push_back({places[here], until, {}});
        }
        tracked.parts.push_back(std::move(part));
        level.numbers.insert({result, level.values.size()});
        level.values.push_back(std::move(tracked));
      }
    }
    // What takes over the bytes of an operand comes after it.
    for (auto [place, op] : llvm::enumerate(level.ops))
      if (auto aliases = llvm::dyn_cast<AliasOpInterface>(op))
        for (const AliasPair &pair : aliases.getAliasPairs()) {
          auto operand = level.numbers.find(op->getOperand(pair.operandIndex));
          auto result = level.numbers.find(op->getResult(pair.resultIndex));
          if (operand != level.numbers.end() && result != level.numbers.end() &&
              level.values[operand->second].parts[0].end() == 2 * static_cast<Slot>(place))
            level.values[result->second].parts[0].begin = 2 * static_cast<Slot>(place) + 1;
        }
    for (auto [place, inner] : blocks) {
      int64_t times = trips;
      if (auto loop = llvm::dyn_cast<LoopOp>(inner->getParentOp()))
        times *= cost.tripCount(loop);
      unsigned number = addLevel(*inner, times);
      levels[index].inner[place].push_back(number);
    }
    return index;
  }

  Peak peakOf(unsigned index) const {
    const Level &level = levels[index];
    std::vector<int64_t> change(2 * level.ops.size() + 2, 0);
    for (const Tracked &value : level.values)
      for (const Part &part : value.parts) {
        change[part.begin] += value.bytes;
        change[part.end() + 1] -= value.bytes;
      }
    Peak peak;
    int64_t live = 0;
    for (size_t slot = 0; slot < 2 * level.ops.size(); ++slot) {
      live += change[slot];
      int64_t held = 0;
      std::optional<unsigned> which;
      if (slot % 2 == 0)
        if (auto it = level.inner.find(slot / 2); it != level.inner.end())
          for (unsigned number : it->second)
            if (int64_t bytes = peakOf(number).bytes; bytes > held)
              held = bytes, which = number;
      if (live + held > peak.bytes)
        peak = {live + held, static_cast<Slot>(slot), which};
    }
    return peak;
  }

  // Those along the way to the peak, the best first.
  std::vector<Candidate> findCandidates() {
    std::vector<Candidate> found;
    std::optional<unsigned> next = 0;
    while (next) {
      unsigned index = *next;
      Peak peak = peakOf(index);
      next = peak.inner;
      const Level &level = levels[index];
      for (auto [place, op] : llvm::enumerate(level.ops)) {
        if (2 * static_cast<Slot>(place) >= peak.slot)
          break;
        if (auto kernel = llvm::dyn_cast<KernelOp>(op))
          if (std::optional<Candidate> one = candidateOf(index, kernel, peak.slot))
            found.push_back(std::move(*one));
      }
    }
    std::stable_sort(found.begin(), found.end(), isBetter);
    return found;
  }

  static bool isBetter(const Candidate &a, const Candidate &b) {
    return static_cast<double>(a.gain) * static_cast<double>(b.time) >
           static_cast<double>(b.gain) * static_cast<double>(a.time);
  }

  // The part that is alive at `slot` (slots at which it begins or ends included); null: none.
  static const Part *partAt(const Tracked &value, Slot slot) {
    for (const Part &part : value.parts)
      if (part.begin <= slot && slot <= part.end())
        return &part;
    return nullptr;
  }
  // The part that an op at `place` reads.
  static size_t partFor(const Tracked &value, unsigned place) {
    size_t found = 0;
    for (size_t i = 0; i < value.parts.size(); ++i)
      if (value.parts[i].begin <= 2 * static_cast<Slot>(place))
        found = i;
    return found;
  }

  std::optional<Candidate> candidateOf(unsigned index, KernelOp kernel, Slot slot) {
    const Level &level = levels[index];
    if (kernel.getToken() || !kernel.getAfter().empty())
      return std::nullopt;
    Candidate candidate;
    candidate.level = index;
    candidate.kernel = kernel;
    candidate.peak = slot;
    candidate.place = ~0u;
    for (auto [number, output] : llvm::enumerate(kernel.getOutputs())) {
      const Tracked &value = level.values[level.numbers.lookup(output)];
      const Part *part = value.isFixed ? nullptr : partAt(value, slot);
      if (!part || part->begin >= slot)
        continue;
      unsigned first = ~0u;
      bool isUsedThere = false;
      for (const Use &use : part->uses) {
        Slot from = 2 * static_cast<Slot>(use.place);
        isUsedThere |= from <= slot && slot <= use.until;
        if (from > slot)
          first = std::min(first, use.place);
      }
      if (isUsedThere || first == ~0u)
        continue;
      candidate.results.push_back(number);
      candidate.place = std::min(candidate.place, first);
      candidate.gain += value.bytes;
    }
    if (candidate.results.empty())
      return std::nullopt;
    // What it reads is there until then.
    const Slot until = 2 * static_cast<Slot>(candidate.place);
    llvm::SmallDenseSet<Value> seen;
    for (Value input : kernel.getInputs()) {
      if (!seen.insert(input).second || isConstant(input))
        continue;
      auto it = level.numbers.find(input);
      if (it == level.numbers.end()) {
        if (!outlives(input, *level.block, candidate.place))
          return std::nullopt;
        continue;
      }
      const Tracked &value = level.values[it->second];
      const Part &part = value.parts[partFor(value, candidate.place)];
      if (part.end() >= until)
        continue;
      if (value.isFixed)
        return std::nullopt; // other values may be in its bytes by then
      if (part.begin <= slot && part.end() < slot)
        candidate.gain -= value.bytes;
    }
    if (candidate.gain < minGain)
      return std::nullopt;
    candidate.time = std::max<int64_t>(timeOf(kernel, candidate.results) * level.trips, 1);
    return candidate;
  }

  static bool isConstant(Value value) {
    return value.getDefiningOp() && llvm::isa<ConstantOp>(value.getDefiningOp());
  }

  // Whether a value from outside the block is still in its bytes at `place`: an argument that no
  // other value takes the bytes of, or one that is read by then or later anyway.
  bool outlives(Value value, mlir::Block &block, unsigned place) {
    for (unsigned e = 0; e < Aliasing::numPieces(value.getType()); ++e)
      if (classSize[aliasing.leader(aliasing.id(value, e))] > 1) {
        bool isRead = false;
        for (Operation *user : value.getUsers())
          if (Operation *here = ancestorIn(&block, user))
            isRead |=
                !here->hasTrait<mlir::OpTrait::IsTerminator>() && placesOf.lookup(here) >= place;
        if (!isRead)
          return false;
      } else if (!llvm::isa<mlir::BlockArgument>(value)) {
        return value.getParentBlock() != &block; // captured: alive throughout
      }
    return true;
  }

  // Of the kernel with these results only.
  int64_t timeOf(KernelOp kernel, llvm::ArrayRef<unsigned> results) {
    if (results.size() == kernel.getOutputs().size())
      return simulation.duration(kernel);
    std::vector<unsigned> key(results.begin(), results.end());
    auto [it, isNew] = times[kernel].insert({key, 0});
    if (isNew) {
      mlir::OpBuilder builder(kernel->getContext());
      KernelOp clone = cloneWithResults(builder, kernel, results);
      it->second = cost.picoseconds(clone);
      clone->erase();
    }
    return it->second;
  }

  void take(const Candidate &candidate, unsigned number) {
    Level &level = levels[candidate.level];
    const Slot until = 2 * static_cast<Slot>(candidate.place);
    KernelOp kernel = candidate.kernel;
    for (unsigned result : candidate.results) {
      Tracked &value = level.values[level.numbers.lookup(kernel.getOutputs()[result])];
      auto part = llvm::find_if(value.parts, [&](const Part &one) {
        return one.begin <= candidate.peak && candidate.peak <= one.end();
      });
      Part later{until, {}, number};
      llvm::erase_if(part->uses, [&](const Use &use) {
        if (2 * static_cast<Slot>(use.place) <= candidate.peak)
          return false;
        later.uses.push_back(use);
        return true;
      });
      value.parts.insert(std::next(part), std::move(later));
    }
    llvm::SmallDenseSet<Value> seen;
    for (Value input : kernel.getInputs())
      if (auto it = level.numbers.find(input);
          it != level.numbers.end() && seen.insert(input).second) {
        Tracked &value = level.values[it->second];
        value.parts[partFor(value, candidate.place)].uses.push_back(
            {candidate.place, until, number});
      }
  }

  std::vector<Rebuild> describe(llvm::ArrayRef<Candidate> taken) const {
    std::vector<Rebuild> rebuilds;
    for (const Candidate &candidate : taken)
      rebuilds.push_back({candidate.kernel,
                          candidate.results,
                          levels[candidate.level].ops[candidate.place],
                          std::vector<llvm::SmallVector<Operation *>>(candidate.results.size()),
                          {}});
    for (const Level &level : levels)
      for (const Tracked &value : level.values)
        for (const Part &part : value.parts) {
          if (!part.rebuild)
            continue;
          Rebuild &rebuild = rebuilds[*part.rebuild];
          unsigned number = llvm::cast<mlir::OpResult>(value.value).getResultNumber();
          size_t at = llvm::find(rebuild.results, number) - rebuild.results.begin();
          for (const Use &use : part.uses)
            if (use.rebuild)
              rebuilds[*use.rebuild].inputs.insert({value.value, *part.rebuild});
            else
              rebuild.users[at].push_back(level.ops[use.place]);
        }
    return rebuilds;
  }

  mlir::func::FuncOp func;
  const CostModel &cost;
  Aliasing aliasing;
  EventSimulation simulation;
  llvm::DenseMap<unsigned, unsigned> classSize; // by leader
  llvm::DenseSet<unsigned> elsewhere;           // classes in bytes of arguments and constants
  std::vector<Level> levels;
  int64_t minGain = kMinGainBytes;
  llvm::DenseMap<Operation *, unsigned> placesOf;
  llvm::DenseMap<Operation *, std::map<std::vector<unsigned>, int64_t>> times;
};

} // namespace

KernelOp cloneWithResults(mlir::OpBuilder &builder, KernelOp kernel,
                          llvm::ArrayRef<unsigned> results) {
  mlir::Block &body = kernel.getBody().front();
  // What the results are computed from.
  llvm::SmallDenseSet<Operation *> needed;
  llvm::SmallDenseSet<Value> reads;
  llvm::SmallVector<Value> worklist;
  for (unsigned result : results)
    worklist.push_back(kernel.getYield().getValues()[result]);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *def = value.getDefiningOp();
    if (!def) {
      reads.insert(value);
    } else if (needed.insert(def).second) {
      def->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (operand.getParentBlock() == &body)
            worklist.push_back(operand);
      });
    }
  }
  llvm::SmallVector<Value> inputs;
  llvm::DenseMap<unsigned, unsigned> newInput;
  for (auto [number, argument] : llvm::enumerate(body.getArguments()))
    if (reads.contains(argument)) {
      newInput[number] = inputs.size();
      inputs.push_back(kernel.getInputs()[number]);
    }
  llvm::SmallVector<mlir::Type> types;
  for (unsigned result : results)
    types.push_back(kernel.getOutputs()[result].getType());
  auto clone = KernelOp::create(builder, kernel.getLoc(), inputs, types);
  mlir::Block &newBody = clone.getBody().front();
  mlir::IRMapping mapping;
  for (auto [number, argument] : llvm::enumerate(body.getArguments()))
    if (auto it = newInput.find(number); it != newInput.end())
      mapping.map(argument, newBody.getArgument(it->second));
  auto inside = mlir::OpBuilder::atBlockEnd(&newBody);
  for (Operation &op : body.without_terminator())
    if (needed.contains(&op))
      inside.clone(op, mapping);
  llvm::SmallVector<Value> yielded;
  for (unsigned result : results)
    yielded.push_back(mapping.lookup(kernel.getYield().getValues()[result]));
  YieldOp::create(inside, kernel.getLoc(), yielded);
  llvm::SmallVector<int64_t> pairs;
  for (auto [result, operand] : kernel.getInPlacePairs())
    if (auto at = llvm::find(results, result); at != results.end() && newInput.contains(operand))
      pairs.append({at - results.begin(), newInput[operand]});
  if (!pairs.empty())
    clone.setInPlace(pairs);
  return clone;
}

std::vector<Rebuild> planRebuilds(mlir::func::FuncOp func, const CostModel &cost,
                                  const RebuildOptions &options) {
  return Planner(func, cost).run(options);
}

} // namespace tandem
