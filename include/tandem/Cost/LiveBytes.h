// Which bytes are live when, in a schedule: peak memory and the tensors that make it.
//
// A value is live from its definition to its last use on the flattened schedule, in which a
// loop's body stands once, before the loop. These share one buffer, which is live when any of
// them is: what must share (in-place updates, donation), initial value, parameter, result and
// outcome of a loop's slot, outcomes of branches. A slot whose old and new values are live at
// once rotates through two buffers. A result takes over the buffer of an operand that dies there
// and is as large, where the item allows it. A transfer holds its leaves, and its operands, from
// start to done, across back edges too. Arguments, constants and results of the program occupy
// memory throughout; temporaries may sit in a donated argument's or a result's bytes while no
// value of it is live. No alignment, no fragmentation.
//
//   LiveBytes live(schedule);
//   live.peak().bytes, live.peak().tensors.front().value
//
// Near linear in uses; the placement into results' bytes is quadratic in these.
#pragma once

#include "tandem/Cost/Schedule.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>

namespace tandem {

struct LiveTensor {
  enum class Why { Argument, Constant, Result, InFlight, Used };
  ValueId value = 0; // the largest of those that share the bytes, live at the peak
  int64_t bytes = 0;
  Why why = Why::Used;
  ItemId definedBy = ~0u, lastUser = ~0u; // ~0: at the program's begin, end
};

struct MemoryPeak {
  int64_t bytes = 0;
  ItemId at = ~0u;                 // the item at which the peak is reached
  std::vector<LiveTensor> tensors; // largest first
};

class LiveBytes {
public:
  explicit LiveBytes(const Schedule &schedule);

  // Of device memory, or of the host's.
  MemoryPeak peak(bool host = false) const;
  // Live bytes of device memory at each item, in the flattened order.
  std::vector<std::pair<ItemId, int64_t>> curve() const;
  // Whether two values are one buffer.
  bool shareBytes(ValueId a, ValueId b) const {
    return now[a] >= 0 && now[b] >= 0 && find(now[a]) == find(now[b]);
  }
  // Number of the buffer that holds a value; -1: none does.
  int bufferOf(ValueId value) const { return now[value] < 0 ? -1 : find(now[value]); }
  const std::vector<std::string> &getErrors() const { return errors; }
  const std::vector<std::string> &getWarnings() const { return warnings; }

private:
  using Live = int; // number of a live value
  struct Flight {
    ItemId item;
    int begin;
    std::vector<Live> leaves, result, sources;
    std::vector<Live> buffers;
    int end = -1;
  };
  struct Span {
    int begin, end;
  };
  using Spans = std::vector<Span>;
  using Flying = std::map<Live, int>; // leaf -> flight, up to the done

  Live fresh(ValueId value);
  std::vector<Live> freshAll(llvm::ArrayRef<ValueId> list);
  std::vector<Live> current(llvm::ArrayRef<ValueId> list) const;
  void bind(llvm::ArrayRef<ValueId> list, llvm::ArrayRef<Live> lives);
  Live find(Live x) const;
  void join(Live a, Live b) { parent[find(b)] = find(a); }
  void use(llvm::ArrayRef<Live> lives);
  bool busy(Live value) const;

  std::vector<Live> walk(BlockId block, llvm::ArrayRef<Live> parameters);
  void define(ItemId id, const ScheduledItem &item, llvm::ArrayRef<Live> operands);
  void start(ItemId id, const ScheduledItem &item, llvm::ArrayRef<Live> operands);
  void land(const ScheduledItem &item, llvm::ArrayRef<Live> operands);
  void loop(const ScheduledItem &item, llvm::ArrayRef<Live> inits);
  void branch(const ScheduledItem &item);
  void fly(Flight flight);
  std::map<Live, Live> carry(llvm::ArrayRef<Live> after, llvm::ArrayRef<Live> before,
                             const Flying &flights);
  void guard(llvm::ArrayRef<std::pair<Live, Live>> slots, const std::map<Live, Live> &pairs,
             const std::map<Live, int> &held, const std::map<Live, Live> &origin);
  void alike(const std::map<Live, Live> &pairs, const std::map<Live, Live> &origin);
  void share(const std::map<Live, Live> &pairs, Live since, const std::map<Live, int> &held);
  void enter();
  void checkWrites();
  static bool meet(const Spans &a, const Spans &b);
  void sweep(bool host, std::vector<int64_t> &steps,
             std::map<Live, Spans> *occupied = nullptr) const;

  const Schedule &schedule;
  int pos = 0;
  mutable std::vector<Live> parent;
  std::vector<ValueId> valueOf;
  std::vector<int> begins, ends;
  std::vector<Live> now; // by value: the live value that it is
  std::vector<ItemId> itemAt;
  std::vector<Live> parameters, outs, constants;
  std::set<Live> lent; // arguments that stay the caller's
  struct Takeover {
    int at;
    Live from, to;
  };
  struct Write {
    int at;
    Live value;
    ItemId item;
  };
  std::vector<Takeover> takeovers;
  std::vector<Write> writes;
  Flying flying;
  std::vector<Flight> flights;
  std::vector<std::pair<Live, Live>> entries; // new leaf of a flight -> old one
  std::vector<std::string> errors, warnings;
};

} // namespace tandem
