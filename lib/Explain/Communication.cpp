// Collects the rows from the module, then prints them as a table or as JSON.
#include "tandem/Explain/Communication.h"

#include "tandem/Cost/CostModel.h"
#include "tandem/Explain/Place.h"
#include "tandem/IR/Tandem/Cause.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>

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

} // namespace

std::vector<CommunicationRow> explainCommunication(mlir::ModuleOp module) {
  std::vector<CommunicationRow> rows;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (CostModel::isCollective(op))
      rows.push_back(describe(op));
  });
  return rows;
}

std::string formatCommunication(const std::vector<CommunicationRow> &rows) {
  if (rows.empty())
    return "no collectives\n";
  constexpr size_t kColumns = 8;
  using Cells = std::array<std::string, kColumns>;
  const std::array<bool, kColumns> right = {false, false, true, true, true, false, false, false};
  std::vector<Cells> table = {
      {"kind", "dtype", "bytes", "wire bytes", "runs", "groups", "axes", "cause"}};
  for (const CommunicationRow &row : rows)
    table.push_back({row.kind, row.dtype, absl::StrCat(row.bytes), absl::StrCat(row.wireBytes),
                     runsText(row), absl::StrCat(row.groups, " of ", row.groupSize),
                     row.axes.empty() ? "-" : absl::StrJoin(row.axes, ","), causeText(row)});
  Cells::size_type width[kColumns] = {};
  for (const Cells &cells : table)
    for (size_t i = 0; i < kColumns; ++i)
      width[i] = std::max(width[i], cells[i].size());
  std::string text;
  for (const Cells &cells : table)
    for (size_t i = 0; i < kColumns; ++i) {
      const std::string padding(width[i] - cells[i].size(), ' ');
      if (i + 1 == kColumns)
        absl::StrAppend(&text, cells[i], "\n");
      else
        absl::StrAppend(&text, right[i] ? padding : "", cells[i], right[i] ? "" : padding, "  ");
    }
  text += "\nin total per device:\n";
  for (const auto &[key, total] : sumUp(rows))
    absl::StrAppend(&text, "  ", total.collectives, " ", key.first, " of ", key.second, ", run ",
                    total.runs, total.runs == 1 ? " time, " : " times, ", total.wireBytes,
                    " wire bytes", total.exact ? "" : " (loops of unknown length counted once)",
                    "\n");
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
