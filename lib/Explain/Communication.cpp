// Collects the rows from the module, then prints them as a table or as JSON.
#include "tandem/Explain/Communication.h"

#include "tandem/Cost/CostModel.h"
#include "tandem/Explain/Place.h"
#include "tandem/Explain/Table.h"
#include "tandem/IR/Tandem/Cause.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace tandem {
namespace {

std::string typeName(mlir::Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

// How often the loops around `op` run it.
void countRuns(mlir::Operation *op, CommunicationRow &row) {
  row.runs = 1;
  for (mlir::Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp()) {
    if (mlir::isa<CaseOp>(parent))
      row.conditional = true;
    auto loop = mlir::dyn_cast<LoopOp>(parent);
    if (!loop)
      continue;
    std::optional<uint64_t> trips = loop.getTripCount();
    if (!trips)
      row.runs.reset();
    else if (row.runs)
      *row.runs *= static_cast<int64_t>(*trips);
  }
}

CommunicationRow describe(mlir::Operation *collective) {
  CommunicationRow row;
  row.kind = collective->getName().stripDialect().str();
  std::replace(row.kind.begin(), row.kind.end(), '_', '-');
  for (mlir::Value operand : collective->getOperands())
    if (auto type = mlir::dyn_cast<mlir::RankedTensorType>(operand.getType())) {
      row.bytes += getByteSize(type);
      if (row.dtype.empty())
        row.dtype = typeName(type.getElementType());
    }
  row.wireBytes = CostModel::wireBytes(collective);
  countRuns(collective, row);
  // [groups, devices of a group]; of a permute [pairs, 2].
  for (llvm::StringRef name : {"replica_groups", "source_target_pairs"})
    if (auto groups = collective->getAttrOfType<mlir::DenseIntElementsAttr>(name);
        groups && groups.getType().getRank() == 2) {
      row.groups = groups.getType().getDimSize(0);
      row.groupSize = groups.getType().getDimSize(1);
    }
  if (CauseAttr cause = getCause(collective->getLoc())) {
    row.rule = cause.getRule().str();
    row.array = cause.getArray().str();
    for (mlir::StringAttr axis : cause.getAxes())
      row.axes.push_back(axis.str());
  }
  row.place = describePlace(stripCauses(collective->getLoc()));
  return row;
}

std::string runsText(const CommunicationRow &row) {
  if (!row.runs)
    return "?";
  return absl::StrCat(row.conditional ? "<=" : "", *row.runs);
}

std::string causeText(const CommunicationRow &row) {
  std::string text = row.rule.empty() ? "in the program" : row.rule;
  if (!row.array.empty())
    absl::StrAppend(&text, " for ", row.array);
  if (!row.place.empty())
    absl::StrAppend(&text, " (", row.place, ")");
  return text;
}

struct Total {
  int64_t collectives = 0;
  int64_t runs = 0;
  int64_t wireBytes = 0;
  bool exact = true; // false: a loop's trip count is not known or a branch may not run
};

std::map<std::pair<std::string, std::string>, Total>
sumUp(const std::vector<CommunicationRow> &rows) {
  std::map<std::pair<std::string, std::string>, Total> totals;
  for (const CommunicationRow &row : rows) {
    Total &total = totals[{row.kind, row.dtype}];
    const int64_t runs = row.runs.value_or(1);
    ++total.collectives;
    total.runs += runs;
    total.wireBytes += runs * row.wireBytes;
    total.exact = total.exact && row.runs && !row.conditional;
  }
  return totals;
}

// More rows than this are told by groups.
constexpr size_t kMostRows = 40, kMostSums = 30;

std::string groupsText(const CommunicationRow &row) {
  return absl::StrCat(row.groups, " of ", row.groupSize);
}

std::string axesText(const CommunicationRow &row) {
  return row.axes.empty() ? "-" : absl::StrJoin(row.axes, ",");
}

bool reduces(llvm::StringRef kind) { return kind == "all-reduce" || kind == "reduce-scatter"; }

bool isNarrowFloat(llvm::StringRef dtype) {
  return dtype == "bf16" || dtype.starts_with("f16") || dtype.starts_with("f8");
}

// layers[3]['w'] and layers[12]['w'] are alike: layers[*]['w'].
std::string pattern(llvm::StringRef name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    if (!llvm::isDigit(name[i]) || (i > 0 && llvm::isAlnum(name[i - 1]))) {
      text += name[i];
      continue;
    }
    text += '*';
    while (i + 1 < name.size() && llvm::isDigit(name[i + 1]))
      ++i;
  }
  return text;
}

// One row for all collectives that are alike but for the layer, the dearest first.
std::string formatAlike(const std::vector<CommunicationRow> &rows) {
  struct Group {
    const CommunicationRow *first = nullptr;
    size_t count = 0, order = 0;
    int64_t wireBytes = 0;
    std::string name;
  };
  std::map<std::string, Group> groups;
  for (const CommunicationRow &row : rows) {
    const std::string name = pattern(row.array);
    Group &group = groups[absl::StrJoin(
        std::vector<std::string>{row.kind, row.dtype, absl::StrCat(row.bytes), runsText(row),
                                 groupsText(row), axesText(row), row.rule, name},
        "|")];
    group.name = group.count == 0 || group.name == row.array ? row.array : name;
    ++group.count;
    if (!group.first)
      group.first = &row;
    group.wireBytes += row.runs.value_or(1) * row.wireBytes;
  }
  std::vector<const Group *> sorted;
  for (auto &[key, group] : groups) {
    group.order = sorted.size();
    sorted.push_back(&group);
  }
  llvm::sort(sorted, [](const Group *a, const Group *b) {
    return a->wireBytes != b->wireBytes ? a->wireBytes > b->wireBytes : a->order < b->order;
  });
  TextTable table({">count", "kind", "dtype", ">bytes", ">runs", "groups", "axes",
                   ">wire bytes in all", "cause"});
  size_t shown = 0;
  for (const Group *group : sorted) {
    if (++shown > kMostRows)
      break;
    const CommunicationRow &row = *group->first;
    table.add(
        {absl::StrCat(group->count), row.kind, row.dtype, absl::StrCat(row.bytes), runsText(row),
         groupsText(row), axesText(row), absl::StrCat(group->wireBytes),
         absl::StrCat(row.rule.empty() ? "in the program" : row.rule,
                      group->name.empty() ? "" : " for " + group->name,
                      row.place.empty() ? ""
                                        : " (" + row.place + (group->count > 1 ? ", ..)" : ")"))});
  }
  std::string text = table.text();
  if (sorted.size() > kMostRows)
    absl::StrAppend(&text, "and ", sorted.size() - kMostRows, " more groups; --json has all\n");
  return text;
}

// Which arrays are summed over devices, and what of it each costs.
std::string formatSums(const std::vector<CommunicationRow> &rows) {
  struct Sum {
    size_t count = 0;
    int64_t wireBytes = 0;
    std::map<std::string, size_t> ways; // "reduce-scatter of f32 over data"
  };
  std::set<std::string> names;
  for (const CommunicationRow &row : rows)
    if (reduces(row.kind))
      names.insert(row.array);
  const bool byLayer = names.size() <= kMostSums;
  std::map<std::string, Sum> sums;
  for (const CommunicationRow &row : rows) {
    if (!reduces(row.kind) || row.array.empty())
      continue;
    Sum &sum = sums[byLayer ? row.array : pattern(row.array)];
    ++sum.count;
    sum.wireBytes += row.runs.value_or(1) * row.wireBytes;
    ++sum.ways[absl::StrCat(row.kind, " of ", row.dtype, row.axes.empty() ? "" : " over ",
                            absl::StrJoin(row.axes, ","))];
  }
  if (sums.empty())
    return "";
  std::vector<std::pair<std::string, const Sum *>> sorted;
  for (const auto &[name, sum] : sums)
    sorted.push_back({name, &sum});
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return a.second->wireBytes != b.second->wireBytes ? a.second->wireBytes > b.second->wireBytes
                                                      : a.first < b.first;
  });
  TextTable table({"array summed over devices", ">sums", ">wire bytes in all", "how"});
  for (size_t i = 0; i < std::min(sorted.size(), kMostSums); ++i) {
    std::vector<std::string> ways;
    for (const auto &[way, count] : sorted[i].second->ways)
      ways.push_back(count == 1 ? way : absl::StrCat(count, " ", way));
    table.add({sorted[i].first, absl::StrCat(sorted[i].second->count),
               absl::StrCat(sorted[i].second->wireBytes), absl::StrJoin(ways, ", ")});
  }
  std::string text = "\n" + table.text();
  if (sorted.size() > kMostSums)
    absl::StrAppend(&text, "and ", sorted.size() - kMostSums, " more arrays; --json has all\n");
  return text;
}

} // namespace

std::vector<CommunicationRow> explainCommunication(mlir::ModuleOp module) {
  std::vector<CommunicationRow> rows;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (CostModel::isCollective(op))
      rows.push_back(describe(op));
  });
  return rows;
}

std::string formatCommunication(const std::vector<CommunicationRow> &rows,
                                llvm::StringRef reductionDtype) {
  if (rows.empty())
    return "no collectives\n";
  std::string text;
  if (rows.size() <= kMostRows) {
    TextTable table({"kind", "dtype", ">bytes", ">wire bytes", ">runs", "groups", "axes", "cause"});
    for (const CommunicationRow &row : rows)
      table.add({row.kind, row.dtype, absl::StrCat(row.bytes), absl::StrCat(row.wireBytes),
                 runsText(row), groupsText(row), axesText(row), causeText(row)});
    text = table.text();
  } else {
    text = formatAlike(rows);
  }
  text += "\nin total per device:\n";
  bool narrow = false;
  for (const auto &[key, total] : sumUp(rows)) {
    const bool sums = reduces(key.first) && isNarrowFloat(key.second);
    narrow |= sums;
    absl::StrAppend(&text, "  ", total.collectives, " ", key.first, " of ", key.second, ", run ",
                    total.runs, total.runs == 1 ? " time, " : " times, ", total.wireBytes,
                    " wire bytes", total.exact ? "" : " (loops of unknown length counted once)",
                    sums ? absl::StrCat(" (parts of sums, rounded to ", key.second, ")") : "",
                    "\n");
  }
  text += formatSums(rows);
  if (narrow)
    text += "\nparts of sums across devices are rounded to a narrow type before they are sent; "
            "--reduction-dtype=f32 sends them as f32\n";
  if (!reductionDtype.empty())
    absl::StrAppend(&text, "\nsums across devices of narrower floats are sent and formed in ",
                    reductionDtype.str(), " (--reduction-dtype)\n");
  return text;
}

std::string communicationJson(const std::vector<CommunicationRow> &rows) {
  nlohmann::json collectives = nlohmann::json::array();
  for (const CommunicationRow &row : rows)
    collectives.push_back({{"kind", row.kind},
                           {"dtype", row.dtype},
                           {"bytes", row.bytes},
                           {"wire_bytes", row.wireBytes},
                           {"runs", row.runs ? nlohmann::json(*row.runs) : nlohmann::json()},
                           {"conditional", row.conditional},
                           {"groups", row.groups},
                           {"group_size", row.groupSize},
                           {"axes", row.axes},
                           {"rule", row.rule},
                           {"array", row.array},
                           {"place", row.place}});
  nlohmann::json totals = nlohmann::json::array();
  for (const auto &[key, total] : sumUp(rows))
    totals.push_back({{"kind", key.first},
                      {"dtype", key.second},
                      {"collectives", total.collectives},
                      {"runs", total.runs},
                      {"wire_bytes", total.wireBytes},
                      {"exact", total.exact}});
  return nlohmann::json{{"collectives", collectives}, {"totals", totals}}.dump(2) + "\n";
}

} // namespace tandem
