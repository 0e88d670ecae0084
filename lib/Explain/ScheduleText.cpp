// Prints reports on schedules: a screen of summary, then tables.
#include "tandem/Explain/ScheduleReport.h"
#include "tandem/Explain/Table.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

namespace tandem {
namespace {

using Kind = ScheduledItem::Kind;
constexpr size_t kMostParts = 10, kMostNotes = 5, kLongestName = 48;

std::string percent(double part, double whole) {
  return whole > 0 ? absl::StrFormat("%.1f %%", 100 * part / whole) : "-";
}

std::string shortened(llvm::StringRef text) {
  return text.size() <= kLongestName ? text.str() : "..." + text.take_back(kLongestName - 3).str();
}

std::string types(const CollectiveInfo &info) {
  return absl::StrJoin(info.wireBytes, ",", [](std::string *out, const auto &entry) {
    absl::StrAppend(out, entry.first.str());
  });
}

std::string nameOf(const ScheduleReport &report, ItemId id) {
  return id == ~0u ? "-" : report.schedule->items[id].name.str();
}

// What an item of the compute engine spends its time on.
std::string natureOf(const ScheduledItem &item) {
  const ItemCost &cost = item.cost;
  if (cost.isCopy)
    return absl::StrCat("copy of ", bytesText(cost.copyBytes));
  if (cost.matmulPicoseconds * 2 > cost.picoseconds)
    return absl::StrFormat("matmul, %.3g TFLOP", static_cast<double>(cost.flops) / 1e12);
  return absl::StrCat("moves ", bytesText(cost.memoryBytes + cost.hostBytes));
}

struct Part {
  int64_t time, count;
  std::string name, what;
};

// Kernels by their time and transfers by what of them is exposed, dearest first.
std::vector<Part> partsOf(const ScheduleReport &report) {
  std::vector<Part> parts;
  const Schedule &schedule = *report.schedule;
  for (ItemId id = 0; id < schedule.items.size(); ++id) {
    const ScheduledItem &item = schedule.items[id];
    if (item.kind != Kind::Work &&
        !(item.kind == Kind::Start && item.cost.engine == kComputeEngine))
      continue;
    if (report.times.itemTimes[id] > 0)
      parts.push_back({report.times.itemTimes[id], report.times.itemCounts[id], item.name.str(),
                       absl::StrCat(item.opcode.str(), ": ", natureOf(item),
                                    item.place.empty() ? "" : ", ", shortened(item.place))});
  }
  for (auto [row, limit] : llvm::zip(report.times.transfers, report.limits))
    if (row.exposed > 0)
      parts.push_back(
          {row.exposed, row.count, schedule.items[row.item].name.str(), "exposed: " + limit.text});
  llvm::stable_sort(parts, [](const Part &a, const Part &b) { return a.time > b.time; });
  return parts;
}

std::string notes(const ScheduleReport &report) {
  std::string text;
  for (auto [list, kind] : {std::pair(&report.errors, "error: "), {&report.warnings, "warning: "}})
    for (size_t i = 0; i < list->size() && i < kMostNotes; ++i)
      absl::StrAppend(&text, kind, (*list)[i], "\n",
                      i + 1 == kMostNotes && list->size() > kMostNotes
                          ? absl::StrCat(kind, "... and ", list->size() - kMostNotes, " more\n")
                          : "");
  return text;
}

std::string_view whyText(LiveTensor::Why why) {
  switch (why) {
  case LiveTensor::Why::Argument:
    return "argument: lives throughout; donate it to free it";
  case LiveTensor::Why::Constant:
    return "constant: lives throughout";
  case LiveTensor::Why::Result:
    return "result: its bytes are kept throughout";
  case LiveTensor::Why::InFlight:
    return "in flight from its start to its done";
  case LiveTensor::Why::Used:
    return "used later";
  }
  return "";
}

} // namespace

std::string formatSummary(const ScheduleReport &report) {
  const SimulationResult &times = report.times;
  const Schedule &schedule = *report.schedule;
  const int64_t compute = times.busy[kComputeEngine], links = times.linkBusy();
  std::string text = absl::StrCat(
      schedule.name, " on ", report.target, "\n  step         ", timeText(times.step), "   bound ",
      timeText(report.bound), ", gap ", absl::StrFormat("%.1f %%", 100 * report.gap()),
      "\n  compute      ", timeText(compute), " (", percent(compute, times.step),
      " of the step), matrix arithmetic alone ", timeText(times.matmulBusy), "; ", times.kernels,
      " kernels\n");
  absl::StrAppend(&text, "  links        ", timeText(links), ": hidden ",
                  percent(times.hidden, links), ", exposed ", timeText(times.exposed), " (",
                  percent(times.exposed, times.step), " of the step); ", bytesText(times.wireBytes),
                  " on the wire\n");
  if (times.busy[kCopyEngine])
    absl::StrAppend(&text, "  host copies  ", timeText(times.busy[kCopyEngine]), ", exposed ",
                    timeText(times.exposedHost), "\n");
  absl::StrAppend(
      &text, "  pairs        ", report.pairs.async, " asynchronous (", report.pairs.overlapped,
      " with computation between), ", report.pairs.synchronous, " synchronous",
      times.depth ? absl::StrCat("; pipelined over ", times.depth, " trips") : "", "\n");
  int64_t copyTime = 0;
  for (ItemId id = 0; id < schedule.items.size(); ++id)
    copyTime += schedule.items[id].cost.isCopy ? times.itemTimes[id] : 0;
  absl::StrAppend(&text, "  copies       ", times.copies, " a step, ", bytesText(times.copyBytes),
                  ", ", timeText(copyTime), "\n");
  absl::StrAppend(
      &text, "  peak memory  ", bytesText(report.peak.bytes), " at ",
      nameOf(report, report.peak.at), ", of it arguments ", bytesText(schedule.argumentBytes()),
      report.hostPeakBytes ? absl::StrCat("; on the host ", bytesText(report.hostPeakBytes)) : "",
      "\n");
  if (!report.edges.empty())
    absl::StrAppend(&text, "  ordering     ", report.edges.size(), " edges besides the data's\n");
  text += notes(report);

  std::vector<Part> parts = partsOf(report);
  if (parts.empty())
    return text;
  text += "\nwhat the step is made of, dearest first:\n";
  TextTable table({">time", ">share", ">times", "name", "what"});
  int64_t shown = 0;
  for (size_t i = 0; i < parts.size() && i < kMostParts; ++i) {
    shown += parts[i].time;
    table.add({timeText(parts[i].time), percent(parts[i].time, times.step),
               absl::StrCat(parts[i].count), shortened(parts[i].name), parts[i].what});
  }
  if (parts.size() > kMostParts)
    table.add({timeText(times.step - shown), percent(times.step - shown, times.step), "",
               absl::StrCat("(", parts.size() - kMostParts, " others)"), ""});
  return text + table.text("  ");
}

// Ordering edges: what each saves, and costs.
static std::string formatEdges(const ScheduleReport &report) {
  if (report.edges.empty())
    return "";
  const Schedule &schedule = *report.schedule;
  TextTable table({"waits", "for", ">saves a copy of", ">costs a run", "why the edge is there"});
  for (const OrderingEdge &edge : report.edges) {
    std::string after = nameOf(report, edge.after), before = nameOf(report, edge.before), why;
    if (edge.savedCopyBytes && edge.buffer != ~0u)
      why = absl::StrCat(before, " reads the buffer of ", schedule.values[edge.buffer].name.str(),
                         ", which ", after, " writes over: no copy is needed in this order");
    else if (edge.savedCopyBytes)
      why = absl::StrCat(before, " reads bytes that the result of ", after,
                         " takes over: no copy is needed in this order");
    else
      why = absl::StrCat(after, " must come after ", before, ", though it needs nothing of it");
    table.add({after, before, edge.savedCopyBytes ? bytesText(edge.savedCopyBytes) : "-",
               edge.cost < 0 ? "-" : timeText(edge.cost), why});
  }
  return "\nordering edges besides the data's:\n" + table.text("  ");
}

std::string formatTransfers(const ScheduleReport &report) {
  if (report.times.transfers.empty())
    return "no transfers\n";
  const Schedule &schedule = *report.schedule;
  TextTable table({"transfer", "dtype", ">MB", "groups", ">runs", ">each", ">hidden", ">exposed",
                   "for", "what limits it"});
  for (auto [row, limit] : llvm::zip(report.times.transfers, report.limits)) {
    const ScheduledItem &item = schedule.items[row.item];
    const CollectiveInfo *info =
        item.collective < 0 ? nullptr : &schedule.collectives[item.collective];
    int64_t bytes = info ? info->bytes : item.cost.hostBytes;
    std::string serves = info && !info->array.empty() ? info->array.str() : "";
    if (serves.empty())
      serves = shortened(!item.place.empty() ? item.place : info ? info->cause : llvm::StringRef());
    table.add({shortened(item.name), info ? types(*info) : "",
               absl::StrFormat("%.2f", static_cast<double>(bytes) / 1e6),
               info ? absl::StrCat(info->groups, " of ", info->groupSize) : "host",
               absl::StrCat(row.count), timeText(row.each), timeText(row.hidden),
               timeText(row.exposed), serves.empty() ? "-" : serves,
               row.exposed ? limit.text : "hidden"});
  }
  std::string text =
      "\ntransfers, in order of issue (hidden and exposed over all runs):\n" + table.text("  ");
  return text + formatEdges(report);
}

std::string formatCopies(const ScheduleReport &report) {
  const Schedule &schedule = *report.schedule;
  struct Sum {
    int64_t places = 0, runs = 0, bytes = 0, time = 0;
  };
  std::map<std::string, Sum> causes;
  TextTable table({"copy", ">runs", ">bytes each", ">time", "cause"});
  for (ItemId id = 0; id < schedule.items.size(); ++id) {
    const ScheduledItem &item = schedule.items[id];
    if (!item.cost.isCopy || !report.times.itemCounts[id])
      continue;
    // Where the copy goes says why it is there.
    bool toResult = false, inLoop = schedule.blocks[item.block].parent != ~0u, fromState = false;
    for (ValueId value : item.results)
      toResult |= llvm::is_contained(schedule.blocks[item.block].results, value);
    for (ValueId value : item.operands)
      fromState |= llvm::is_contained(schedule.blocks[item.block].parameters, value);
    std::string cause;
    if (inLoop && toResult)
      cause = fromState ? "loop state passed on to another slot"
                        : "loop state: the next value must not overwrite the current one";
    else if (inLoop)
      cause = fromState ? "loop state that is written while it is still read" : "inside a loop";
    else if (toResult)
      cause =
          fromState ? "an argument returned as a result" : "a result that needs a place of its own";
    else if (fromState)
      cause = "an argument that is written in place and not donated";
    else
      cause = "a value that goes into a loop or is written in place, and is needed again";
    int64_t runs = report.times.itemCounts[id];
    Sum &sum = causes[cause];
    ++sum.places;
    sum.runs += runs;
    sum.bytes += runs * item.cost.copyBytes;
    sum.time += report.times.itemTimes[id];
    table.add({shortened(item.name), absl::StrCat(runs), bytesText(item.cost.copyBytes),
               timeText(report.times.itemTimes[id]), cause});
  }
  if (table.empty())
    return "\nno copies\n" + formatEdges(report);
  TextTable sums({"cause", ">copies", ">runs", ">bytes a step", ">time a step"});
  for (auto &[cause, sum] : causes)
    sums.add({cause, absl::StrCat(sum.places), absl::StrCat(sum.runs), bytesText(sum.bytes),
              timeText(sum.time)});
  return "\ncopies by cause:\n" + sums.text("  ") + "\ncopies:\n" + table.text("  ") +
         formatEdges(report);
}

std::string formatMemory(const ScheduleReport &report, size_t most) {
  const Schedule &schedule = *report.schedule;
  std::string text = absl::StrCat("\npeak ", bytesText(report.peak.bytes), " at ",
                                  nameOf(report, report.peak.at), "; live there:\n");
  TextTable table({">bytes", ">share", "tensor", "place", "live until", "why"});
  int64_t shown = 0;
  for (size_t i = 0; i < report.peak.tensors.size() && i < most; ++i) {
    const LiveTensor &tensor = report.peak.tensors[i];
    shown += tensor.bytes;
    llvm::StringRef place = tensor.definedBy == ~0u ? "" : schedule.items[tensor.definedBy].place;
    bool throughout =
        tensor.why != LiveTensor::Why::Used && tensor.why != LiveTensor::Why::InFlight;
    table.add({bytesText(tensor.bytes), percent(tensor.bytes, report.peak.bytes),
               shortened(schedule.values[tensor.value].name), shortened(place),
               throughout ? "the end" : nameOf(report, tensor.lastUser),
               std::string(whyText(tensor.why))});
  }
  if (report.peak.tensors.size() > most)
    table.add({bytesText(report.peak.bytes - shown),
               percent(report.peak.bytes - shown, report.peak.bytes),
               absl::StrCat("(", report.peak.tensors.size() - most, " smaller ones)"), "", "", ""});
  return text + table.text("  ");
}

std::string formatComparison(const std::string &nameA, const ScheduleReport &a,
                             const std::string &nameB, const ScheduleReport &b) {
  TextTable table({"", ">" + nameA, ">" + nameB, ">B / A"});
  auto add = [&](const char *what, int64_t x, int64_t y, auto text) {
    table.add({what, text(x), text(y),
               x   ? absl::StrFormat("%.4g", static_cast<double>(y) / static_cast<double>(x))
               : y ? "-"
                   : "1"});
  };
  auto number = [](int64_t n) { return absl::StrCat(n); };
  add("step", a.times.step, b.times.step, timeText);
  add("lower bound", a.bound, b.bound, timeText);
  add("compute", a.times.busy[kComputeEngine], b.times.busy[kComputeEngine], timeText);
  add("links", a.times.linkBusy(), b.times.linkBusy(), timeText);
  add("exposed", a.times.exposed, b.times.exposed, timeText);
  add("hidden", a.times.hidden, b.times.hidden, timeText);
  add("wire bytes", a.times.wireBytes, b.times.wireBytes, bytesText);
  add("peak", a.peak.bytes, b.peak.bytes, bytesText);
  add("peak minus arguments", a.peak.bytes - a.schedule->argumentBytes(),
      b.peak.bytes - b.schedule->argumentBytes(), bytesText);
  add("copies", a.times.copies, b.times.copies, number);
  add("copied bytes", a.times.copyBytes, b.times.copyBytes, bytesText);
  add("kernels", a.times.kernels, b.times.kernels, number);
  add("synchronous pairs", a.pairs.synchronous, b.pairs.synchronous, number);
  // By kind and type: runs and wire bytes.
  using Key = std::pair<std::string, std::string>;
  struct Sum {
    int64_t runs[2] = {0, 0}, wire[2] = {0, 0}, exposed[2] = {0, 0};
  };
  std::map<Key, Sum> kinds;
  for (int side : {0, 1}) {
    const ScheduleReport &report = side ? b : a;
    for (const TransferTimes &row : report.times.transfers) {
      const ScheduledItem &item = report.schedule->items[row.item];
      if (item.collective < 0)
        continue;
      const CollectiveInfo &info = report.schedule->collectives[item.collective];
      for (auto &[type, wire] : info.wireBytes) {
        Sum &sum = kinds[{info.kind.str(), type.str()}];
        sum.runs[side] += row.count;
        sum.wire[side] += row.count * wire;
        sum.exposed[side] += row.exposed;
      }
    }
  }
  std::string text = table.text() + notes(a) + notes(b);
  if (kinds.empty())
    return text;
  TextTable rows({"collective", "dtype", ">runs A", ">runs B", ">wire A", ">wire B", ">exposed A",
                  ">exposed B"});
  for (auto &[key, sum] : kinds)
    rows.add({key.first, key.second, absl::StrCat(sum.runs[0]), absl::StrCat(sum.runs[1]),
              bytesText(sum.wire[0]), bytesText(sum.wire[1]), timeText(sum.exposed[0]),
              timeText(sum.exposed[1])});
  return text + "\n" + rows.text();
}

} // namespace tandem
