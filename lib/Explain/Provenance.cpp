// Follows arrays through a schedule.
#include "tandem/Explain/Provenance.h"

#include "tandem/Explain/Place.h"
#include "tandem/IR/Tandem/Cause.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"

#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace tandem {
namespace {

constexpr size_t kMostVisited = 400;
constexpr int64_t kIndexBytes = 64;

class Follower {
public:
  explicit Follower(Schedule &schedule) : schedule(schedule) {
    const ScheduledBlock &entry = schedule.blocks[schedule.entry];
    for (auto [number, value] : llvm::enumerate(entry.parameters))
      arguments[value] = schedule.values[value].name.str();
    for (auto [number, value] : llvm::enumerate(entry.results))
      results.try_emplace(value, "result " + std::to_string(number));
    for (const ScheduledItem &item : schedule.items) {
      for (BlockId id : item.blocks) {
        const ScheduledBlock &block = schedule.blocks[id];
        tie(item.operands, block.parameters);
        tie(block.results, item.results);
        if (item.kind == ScheduledItem::Kind::Loop && id == item.blocks.front())
          tie(block.results, block.parameters);
      }
      if (!item.blocks.empty())
        continue;
      for (ValueId operand : item.operands)
        if (schedule.values[operand].bytes > kIndexBytes)
          for (ValueId result : item.results)
            connect(operand, result);
    }
  }

  std::string nearest(llvm::ArrayRef<ValueId> from, bool back) const {
    const auto &ends = back ? arguments : results;
    const auto &edges = back ? sources : uses;
    std::deque<ValueId> todo(from.begin(), from.end());
    std::unordered_set<ValueId> seen(from.begin(), from.end());
    while (!todo.empty() && seen.size() < kMostVisited) {
      ValueId value = todo.front();
      todo.pop_front();
      if (auto it = ends.find(value); it != ends.end())
        return it->second;
      if (auto it = edges.find(value); it != edges.end())
        for (ValueId next : it->second)
          if (seen.insert(next).second)
            todo.push_back(next);
    }
    return "";
  }

private:
  void connect(ValueId from, ValueId to) {
    uses[from].push_back(to);
    sources[to].push_back(from);
  }
  void tie(llvm::ArrayRef<ValueId> from, llvm::ArrayRef<ValueId> to) {
    for (size_t i = 0; i < from.size() && i < to.size(); ++i)
      connect(from[i], to[i]);
  }

  Schedule &schedule;
  std::unordered_map<ValueId, std::string> arguments, results;
  std::unordered_map<ValueId, std::vector<ValueId>> uses, sources;
};

} // namespace

void nameArrays(Schedule &schedule) {
  Follower follower(schedule);
  for (const ScheduledItem &item : schedule.items) {
    if (item.collective < 0)
      continue;
    CollectiveInfo &info = schedule.collectives[item.collective];
    if (!info.array.empty())
      continue;
    const bool reduces = info.kind == "all-reduce" || info.kind == "reduce-scatter";
    std::string name = reduces ? follower.nearest(item.results, /*back=*/false) : "";
    if (name.empty())
      name = follower.nearest(item.operands, /*back=*/true);
    info.array = schedule.save(name);
  }
}

void describePlaces(Schedule &schedule) {
  for (ScheduledItem &item : schedule.items)
    if (item.source) {
      auto *op = const_cast<mlir::Operation *>(static_cast<const mlir::Operation *>(item.source));
      item.place = schedule.save(describePlace(stripCauses(op->getLoc())));
    }
}

} // namespace tandem
