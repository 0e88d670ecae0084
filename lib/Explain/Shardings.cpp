// Asks propagation what it decided; draws tilings; groups arrays that lie alike.
#include "tandem/Explain/Shardings.h"

#include "tandem/Cost/CostModel.h"
#include "tandem/Explain/Place.h"
#include "tandem/Explain/Table.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "tandem/Sharding/Names.h"
#include "tandem/Sharding/Propagation.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Shard/Passes.h"
#include "llvm/Support/raw_ostream.h"
#include <nlohmann/json.hpp>

#include <map>

namespace tandem {
namespace {

template <typename T> std::string print(T &&thing) {
  std::string text;
  llvm::raw_string_ostream(text) << thing;
  return text;
}

// [{"data"}, {}] of an attribute that is printed as #sdy.sharding<@mesh, [{"data"}, {}]>.
std::string dimsText(mlir::sdy::TensorShardingAttr attr) {
  const std::string text = print(attr);
  const size_t from = text.find('['), to = text.rfind(']');
  return from == std::string::npos || to == std::string::npos ? text
                                                              : text.substr(from, to - from + 1);
}

// 0-3, or 0,2..14 for steps, else all of them, the middle left out when there are many.
std::string devicesText(llvm::ArrayRef<int64_t> devices) {
  const size_t n = devices.size();
  if (n > 2) {
    const int64_t step = devices[1] - devices[0];
    bool even = true;
    for (size_t i = 1; i < n; ++i)
      even &= devices[i] - devices[i - 1] == step;
    if (even && step == 1)
      return absl::StrCat(devices.front(), "-", devices.back());
    if (even && n > 3)
      return absl::StrCat(devices[0], ",", devices[1], "..", devices.back());
    if (n > 6)
      return absl::StrCat(devices[0], ",", devices[1], ",..", devices.back());
  }
  return absl::StrJoin(devices, ",");
}

// The tiles to show of so many: all, or the first ones and the last (-1: dots).
std::vector<int64_t> shownTiles(int64_t count, int64_t most) {
  std::vector<int64_t> tiles;
  if (count <= most) {
    for (int64_t i = 0; i < count; ++i)
      tiles.push_back(i);
    return tiles;
  }
  for (int64_t i = 0; i + 1 < most - 1; ++i)
    tiles.push_back(i);
  tiles.push_back(-1);
  tiles.push_back(count - 1);
  return tiles;
}

// The first split dimension runs across when it is the only one, else downwards with the second
// across; devices of further dimensions share a cell.
TilingPicture draw(const Sharding &sharding, const DeviceMesh &mesh, std::string text) {
  TilingPicture picture;
  picture.sharding = std::move(text);
  std::vector<int64_t> split;
  for (size_t dim = 0; dim < sharding.dims.size(); ++dim)
    if (sharding.getNumTiles(mesh, dim) > 1)
      split.push_back(dim);
  std::vector<std::string> legend;
  for (int64_t dim : split)
    legend.push_back(
        absl::StrCat("dimension ", dim, " in ", sharding.getNumTiles(mesh, dim), " tiles"));
  picture.legend = legend.empty() ? "whole on every device" : absl::StrJoin(legend, ", ");
  if (split.empty())
    return picture;
  const int64_t down = split.size() > 1 ? split[0] : -1;
  const int64_t across = split.size() > 1 ? split[1] : split[0];
  auto tileOf = [&](int64_t position, int64_t dim) {
    return dim < 0 ? 0 : mesh.getCoordinate(position, sharding.dims[dim]);
  };
  std::map<std::pair<int64_t, int64_t>, llvm::SmallVector<int64_t>> holders;
  for (int64_t p = 0; p < mesh.getNumDevices(); ++p)
    holders[{tileOf(p, down), tileOf(p, across)}].push_back(mesh.getDeviceId(p));
  const std::vector<int64_t> rows =
      shownTiles(down < 0 ? 1 : sharding.getNumTiles(mesh, down), /*most=*/8);
  const std::vector<int64_t> columns = shownTiles(sharding.getNumTiles(mesh, across), /*most=*/8);
  std::vector<std::vector<std::string>> cells;
  std::vector<size_t> width(columns.size(), 1);
  for (int64_t row : rows) {
    cells.emplace_back();
    for (size_t i = 0; i < columns.size(); ++i) {
      cells.back().push_back(row < 0 || columns[i] < 0 ? ".."
                                                       : devicesText(holders[{row, columns[i]}]));
      width[i] = std::max(width[i], cells.back().back().size());
    }
  }
  for (const std::vector<std::string> &row : cells) {
    std::string line = "|";
    for (size_t i = 0; i < row.size(); ++i)
      absl::StrAppend(&line, " ", row[i], std::string(width[i] - row[i].size(), ' '), " |");
    picture.rows.push_back(std::move(line));
  }
  if (split.size() > 2)
    picture.legend += "; a cell holds the tiles of the dimensions after the second";
  return picture;
}

class Reporter {
public:
  Reporter(mlir::func::FuncOp main, const Propagation &propagation, const DeviceMesh &mesh)
      : main(main), propagation(propagation), mesh(mesh) {
    std::vector<std::string> axes;
    for (mlir::sdy::MeshAxisAttr axis : mesh.getAttr().getAxes())
      axes.push_back(absl::StrCat(axis.getName().str(), "=", axis.getSize()));
    report.mesh = absl::StrCat("@", mesh.getName().str(), ": ", absl::StrJoin(axes, ", "));
    report.devices = mesh.getNumDevices();
  }

  ShardingReport run() {
    for (mlir::BlockArgument arg : main.getArguments())
      add("argument", nameArgument(main, arg.getArgNumber()), "", propagation.getSharded(arg),
          ShardingOrigin::Argument, arg.getArgNumber());
    main.getBody().walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      const bool isLoop = mlir::isa<mlir::stablehlo::WhileOp>(op);
      const bool isConstraint = mlir::isa<mlir::sdy::ShardingConstraintOp>(op);
      for (mlir::Value result : op->getResults())
        if (propagation.knows(result))
          add(isLoop         ? "loop"
              : isConstraint ? "constraint"
                             : "value",
              isLoop ? absl::StrCat("carried value ",
                                    mlir::cast<mlir::OpResult>(result).getResultNumber())
                     : op->getName().getStringRef().str(),
              describePlace(op->getLoc()), propagation.getSharded(result),
              ShardingOrigin::Constraint, 0, op);
    });
    for (unsigned i = 0; i < main.getNumResults(); ++i)
      add("result", nameResult(main, i), "", propagation.getShardedResult(i),
          ShardingOrigin::Result, i);
    return std::move(report);
  }

private:
  std::string describe(const ShardingOrigin &origin, ShardingOrigin::Kind kind, unsigned index,
                       mlir::Operation *op) const {
    if (origin.kind == kind && origin.index == index && origin.op == op)
      return "as given";
    const std::string place = origin.op ? describePlace(origin.op->getLoc()) : "";
    const std::string at = place.empty() ? "" : " at " + place;
    switch (origin.kind) {
    case ShardingOrigin::None:
      return "nobody";
    case ShardingOrigin::Argument: {
      std::string name = nameArgument(main, origin.index);
      return name.starts_with("argument ") ? name : "argument " + name;
    }
    case ShardingOrigin::Result: {
      std::string name = nameResult(main, origin.index);
      return name.starts_with("result") ? name : "result " + name;
    }
    case ShardingOrigin::Constraint:
      return (mlir::isa<mlir::sdy::ShardingConstraintOp>(origin.op)
                  ? "constraint"
                  : "sharding of " + origin.op->getName().getStringRef().str()) +
             at;
    case ShardingOrigin::Boundary:
      return "manual computation" + at;
    }
    llvm_unreachable("unknown origin");
  }

  void add(std::string role, std::string name, std::string place,
           const Propagation::Sharded &sharded, ShardingOrigin::Kind kind, unsigned index,
           mlir::Operation *op = nullptr) {
    ShardedArray array;
    array.role = std::move(role);
    array.name = std::move(name);
    array.place = std::move(place);
    array.type = print(sharded.type);
    array.sharding = dimsText(sharded.sharding.getAttr(mesh));
    array.bytes = getByteSize(sharded.type);
    array.localBytes = getByteSize(sharded.sharding.getLocalType(sharded.type, mesh));
    for (size_t dim = 0; dim < sharded.sharding.dims.size(); ++dim)
      for (uint16_t atom : sharded.sharding.dims[dim]) {
        std::string axis = print(mesh.getAxisNames({atom}).front());
        std::string origin = describe(sharded.origins[atom], kind, index, op);
        if (array.axes.empty() || array.axes.back().dim != static_cast<int64_t>(dim) ||
            array.axes.back().axis != axis || array.axes.back().origin != origin)
          array.axes.push_back({static_cast<int64_t>(dim), std::move(axis), std::move(origin)});
      }
    auto [it, isNew] = tilings.try_emplace(array.sharding, report.pictures.size());
    if (isNew)
      report.pictures.push_back(draw(sharded.sharding, mesh, array.sharding));
    array.tiling = it->second;
    report.arrays.push_back(std::move(array));
  }

  mlir::func::FuncOp main;
  const Propagation &propagation;
  const DeviceMesh &mesh;
  ShardingReport report;
  std::map<std::string, size_t> tilings;
};

// "a, b, c and 12 more"
std::string someOf(const std::vector<std::string> &names, size_t most) {
  std::vector<std::string> shown(names.begin(), names.begin() + std::min(most, names.size()));
  std::string text = absl::StrJoin(shown, ", ");
  if (names.size() > most)
    absl::StrAppend(&text, " and ", names.size() - most, " more");
  return text;
}

} // namespace

llvm::Expected<ShardingReport> explainShardings(mlir::ModuleOp module) {
  auto fail = [](const char *message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  };
  mlir::FailureOr<MeshSet> meshes = MeshSet::get(module);
  if (llvm::failed(meshes))
    return fail("the meshes of the module do not fit each other");
  if (meshes->empty())
    return ShardingReport{};
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  if (!main)
    return fail("no function @main");
  mlir::PassManager passes(module.getContext());
  passes.addPass(createSplitConstantsPass());
  if (llvm::failed(passes.run(module)))
    return fail("tandem-split-constants failed");
  mlir::FailureOr<CostModel> cost = CostModel::forModule(module);
  if (llvm::failed(cost))
    return fail("the target is not known");
  mlir::FailureOr<PropagationChoice> choice =
      propagateShardings(main, *meshes, WorkWeights::of(cost->getTarget()));
  if (llvm::failed(choice))
    return fail("propagation failed");
  return Reporter(main, *choice->propagation, meshes->getMain()).run();
}

std::string formatShardings(const ShardingReport &report) {
  if (report.arrays.empty())
    return "no mesh of several devices: nothing is split\n";
  std::string text = absl::StrCat("mesh ", report.mesh, " (", report.devices, " devices)\n");
  constexpr size_t kMostNames = 6, kMostOrigins = 6;
  for (const auto &[number, picture] : llvm::enumerate(report.pictures)) {
    absl::StrAppend(&text, "\n", picture.sharding, ": ", picture.legend, "\n");
    for (const std::string &row : picture.rows)
      absl::StrAppend(&text, "    ", row, "\n");
    std::map<std::string, std::vector<std::string>> names; // by role
    std::map<std::string, size_t> values;
    int64_t bytes = 0, localBytes = 0;
    // By dimension and axis, then by origin: how many arrays.
    std::map<std::pair<int64_t, std::string>, std::map<std::string, size_t>> decisions;
    for (const ShardedArray &array : report.arrays) {
      if (array.tiling != number)
        continue;
      if (array.role == "argument" || array.role == "result") {
        names[array.role].push_back(absl::StrCat(array.name, " ", array.type));
        if (array.role == "argument") {
          bytes += array.bytes;
          localBytes += array.localBytes;
        }
      } else {
        ++values[array.role];
      }
      for (const AxisDecision &decision : array.axes)
        ++decisions[{decision.dim, decision.axis}][decision.origin];
    }
    for (const auto &[role, list] : names)
      absl::StrAppend(&text, "  ", list.size(), " ", role,
                      list.size() == 1 ? ": " : "s: ", someOf(list, kMostNames), "\n");
    if (bytes > 0)
      absl::StrAppend(&text, "  arguments take ", bytesText(localBytes), " of ", bytesText(bytes),
                      " on each device\n");
    for (const auto &[role, count] : values)
      absl::StrAppend(&text, "  ", count, " ",
                      role == "loop"    ? "loop-carried value"
                      : role == "value" ? (count == 1 ? "value inside" : "values inside")
                                        : role,
                      count == 1 || role == "value" ? "" : "s", "\n");
    for (const auto &[where, origins] : decisions) {
      std::vector<std::pair<size_t, std::string>> sorted;
      for (const auto &[origin, count] : origins)
        sorted.push_back({count, origin});
      llvm::sort(sorted, [](const auto &a, const auto &b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
      });
      std::vector<std::string> parts;
      for (const auto &[count, origin] : sorted)
        parts.push_back(absl::StrCat(origin, " (", count, ")"));
      absl::StrAppend(&text, "  dimension ", where.first, " by ", where.second,
                      ", decided by: ", someOf(parts, kMostOrigins), "\n");
    }
  }
  return text;
}

std::string shardingsJson(const ShardingReport &report) {
  nlohmann::json arrays = nlohmann::json::array(), pictures = nlohmann::json::array();
  for (const ShardedArray &array : report.arrays) {
    nlohmann::json axes = nlohmann::json::array();
    for (const AxisDecision &decision : array.axes)
      axes.push_back(
          {{"dim", decision.dim}, {"axis", decision.axis}, {"decided_by", decision.origin}});
    arrays.push_back({{"role", array.role},
                      {"name", array.name},
                      {"place", array.place},
                      {"type", array.type},
                      {"sharding", array.sharding},
                      {"bytes", array.bytes},
                      {"local_bytes", array.localBytes},
                      {"axes", axes}});
  }
  for (const TilingPicture &picture : report.pictures)
    pictures.push_back(
        {{"sharding", picture.sharding}, {"legend", picture.legend}, {"rows", picture.rows}});
  return nlohmann::json{{"mesh", report.mesh},
                        {"devices", report.devices},
                        {"pictures", pictures},
                        {"arrays", arrays}}
             .dump(2) +
         "\n";
}

} // namespace tandem
