// A scheduled program as the simulator sees it: items in issue order, what each costs, and which
// bytes it reads, writes, shares and holds. Made from the tandem dialect (ScheduleOfModule.h)
// and from scheduled HLO text (tandem/Explain/HloSchedule.h), so that both are judged alike.
//
//   start f (a) | kernel b | done r = f | kernel c (r)
//
// is four items: a Start with the operand a, held operands and results as its leaves; Work; a
// Done; Work. A value is one array's bytes on one device. A future is the leaves of its start:
// any of them, carried through loops by position, names the transfer to a done.
//
// Conventions:
// - A block lists items in issue order; parameters and results tie to a loop's carried values
//   by position. Blocks nest; the blocks of a call stand in line.
// - Times in picoseconds, bytes local.
// - Names are the program's; strings live in the Schedule. Plain data: build, then read from
//   any thread.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tandem {

// Engines of a device: one computes, one copies to and from the host, and one per link level.
constexpr unsigned kComputeEngine = 0, kCopyEngine = 1, kFirstLinkEngine = 2;

using ValueId = uint32_t;
using ItemId = uint32_t;
using BlockId = uint32_t;

struct ScheduledValue {
  int64_t bytes = 0;
  bool onHost = false;  // in the host's memory
  ItemId item = ~0u;    // that defines it; ~0: a parameter
  llvm::StringRef name; // "%x", "argument 3", "dot.12"
};

// What one execution of an item asks for.
struct ItemCost {
  unsigned engine = kComputeEngine;
  int64_t picoseconds = 0;
  int64_t matmulPicoseconds = 0; // arithmetic of dots and convolutions alone
  int64_t flops = 0;             // of dots and convolutions
  int64_t memoryBytes = 0, hostBytes = 0;
  bool isKernel = false; // launches something on the compute engine
  bool isCopy = false;
  int64_t copyBytes = 0;
};

struct CollectiveInfo {
  llvm::StringRef kind;                                                // "all-gather"
  llvm::SmallVector<std::pair<llvm::StringRef, int64_t>, 1> wireBytes; // by element type
  int64_t bytes = 0; // whole payload: gathered for all-gather
  int64_t groups = 0, groupSize = 0, operands = 0;
  llvm::StringRef algorithm;
  llvm::StringRef array; // the argument or result that it serves, if known
  llvm::StringRef cause; // the rule that inserted it, or op_name
  llvm::StringRef place; // source line, if known

  int64_t wire() const {
    int64_t sum = 0;
    for (auto &[type, bytes] : wireBytes)
      sum += bytes;
    return sum;
  }
};

struct ScheduledItem {
  // Mark: takes no time, uses and defines values (constants, tokens).
  enum class Kind : uint8_t { Work, Start, Done, Loop, Branches, Mark };
  Kind kind = Kind::Work;
  bool isConstant = false;         // its results live throughout
  bool synchronous = false;        // a Start that the program awaits at once: no Done, or marked so
  bool awaited = false;            // of a synchronous Start: no Done follows
  bool isInPlaceReduction = false; // of an all-reduce: sharing with a busy operand is given up
  bool tripsKnown = true;          // of a Loop
  BlockId block = 0;               // that lists it
  ItemCost cost;                   // Work, Start
  int64_t trips = 1;               // Loop
  llvm::StringRef name, opcode;
  llvm::StringRef place;        // source line or op_name
  int32_t collective = -1;      // index into collectives
  const void *source = nullptr; // the op or instruction, for those who made the schedule

  // Loop: initial values; Branches: unused, its blocks use values from above directly.
  llvm::SmallVector<ValueId, 4> operands;
  llvm::SmallVector<ValueId, 2> results;
  // Start: leaves that are the operands' own bytes, first those that the operands begin with,
  // and leaves that are neither operand nor result (contexts).
  llvm::SmallVector<ValueId, 2> heldOperands, handles;
  bool holdsSources = false; // Start: operands stay live to the done
  // (operand, result): bytes that must be one buffer; that may be, if the operand dies here.
  llvm::SmallVector<std::pair<ValueId, ValueId>, 1> mustShare, mayShare;
  llvm::SmallVector<ValueId, 0> captures; // Loop, Branches: values from above used inside
  llvm::SmallVector<BlockId, 1>
      blocks; // Loop: body, and the condition if it is apart; Branches: each
  llvm::SmallVector<ItemId, 0> after; // ordering edges: control predecessors, tokens
  // Of them, those known to be there only so that a copy is saved, and what that costs.
  struct CopyEdge {
    ItemId before;
    int64_t savedBytes, picoseconds;
  };
  llvm::SmallVector<CopyEdge, 0> copyEdges;
};

struct ScheduledBlock {
  std::vector<ItemId> items;
  std::vector<ValueId> parameters, results;
  ItemId parent = ~0u; // the loop or branches that run it
};

struct Schedule {
  std::string name;
  unsigned engines = kFirstLinkEngine + 1;
  int64_t computeDuringTransfersPermille = 1000;
  std::vector<ScheduledValue> values;
  std::vector<ScheduledItem> items;
  std::vector<ScheduledBlock> blocks;
  std::vector<CollectiveInfo> collectives;
  BlockId entry = 0;
  bool isScheduled = true; // the text says that its order is the order of issue
  // (result leaf, parameter leaf): donated. `given`: parameters that may be overwritten.
  std::vector<std::pair<ValueId, ValueId>> donated;
  std::vector<ValueId> given;
  std::vector<std::string> warnings, errors; // found while it was made

  llvm::StringRef save(llvm::StringRef text) { return text.copy(strings); }
  ValueId addValue(int64_t bytes, llvm::StringRef valueName, ItemId item = ~0u,
                   bool onHost = false) {
    values.push_back({bytes, onHost, item, valueName});
    return static_cast<ValueId>(values.size() - 1);
  }
  ItemId addItem(BlockId block, ScheduledItem item) {
    item.block = block;
    items.push_back(std::move(item));
    blocks[block].items.push_back(static_cast<ItemId>(items.size() - 1));
    return static_cast<ItemId>(items.size() - 1);
  }
  BlockId addBlock(ItemId parent = ~0u) {
    blocks.emplace_back();
    blocks.back().parent = parent;
    return static_cast<BlockId>(blocks.size() - 1);
  }
  int64_t argumentBytes() const {
    int64_t sum = 0;
    for (ValueId value : blocks[entry].parameters)
      sum += values[value].onHost ? 0 : values[value].bytes;
    return sum;
  }

  Schedule() = default;
  Schedule(Schedule &&) noexcept = default;
  Schedule &operator=(Schedule &&) noexcept = default;

private:
  llvm::BumpPtrAllocator strings;
};

} // namespace tandem
