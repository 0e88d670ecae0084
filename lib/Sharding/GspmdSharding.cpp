// Reads the string form of shardings and finds the mesh they share.
#include "tandem/Sharding/GspmdSharding.h"

#include "llvm/ADT/StringExtras.h"

namespace tandem {
using namespace mlir;

namespace {

/// A cursor over the text; every function leaves it behind what it has read.
class Reader {
public:
  explicit Reader(StringRef text) : text(text) {}

  bool eat(StringRef word) {
    text = text.ltrim();
    return text.consume_front(word);
  }
  bool atEnd() const { return text.trim().empty(); }
  StringRef rest() const { return text; }

  std::optional<int64_t> number() {
    text = text.ltrim();
    int64_t value;
    if (text.consumeInteger(10, value))
      return std::nullopt;
    return value;
  }
  /// Numbers between `open` and `close`, separated by commas.
  bool list(StringRef open, StringRef close, SmallVectorImpl<int64_t> &values) {
    if (!eat(open))
      return false;
    while (!eat(close)) {
      std::optional<int64_t> value = number();
      if (!value)
        return false;
      values.push_back(*value);
      eat(",");
    }
    return true;
  }

private:
  StringRef text;
};

int64_t product(ArrayRef<int64_t> values) {
  int64_t result = 1;
  for (int64_t value : values)
    result *= value;
  return result;
}

/// Takes `size` devices' worth of the major end of `blocks`.
bool carve(SmallVectorImpl<GspmdSharding::Block> &blocks, int64_t size,
           GspmdSharding::Blocks &taken) {
  while (size > 1) {
    if (blocks.empty())
      return false;
    GspmdSharding::Block &front = blocks.front();
    if (front.size == 1) {
      blocks.erase(blocks.begin());
    } else if (size % front.size == 0) {
      taken.push_back(front);
      size /= front.size;
      blocks.erase(blocks.begin());
    } else if (front.size % size == 0) {
      front.size /= size;
      taken.push_back({front.stride * front.size, size});
      size = 1;
    } else {
      return false;
    }
  }
  return true;
}

} // namespace

FailureOr<GspmdSharding> GspmdSharding::parse(StringRef text,
                                              function_ref<InFlightDiagnostic()> fail) {
  GspmdSharding result;
  Reader in(text);
  auto bad = [&](const Twine &expected) -> FailureOr<GspmdSharding> {
    return fail() << "cannot read the sharding \"" << text << "\": expected " << expected
                  << (in.atEnd() ? "" : " before \"") << in.rest() << (in.atEnd() ? "" : "\"");
  };
  if (!in.eat("{"))
    return bad("'{'");
  SmallVector<int64_t> tile, iota, permutation, list;
  bool replicateLast = false;
  SmallVector<char> lastTypes; // 'r' or 'm', of the trailing tile dimensions
  bool isTiled = false;
  if (in.eat("replicated")) {
    result.kind = Replicated;
  } else if (in.eat("manual")) {
    result.kind = Manual;
  } else if (in.eat("maximal")) {
    result.kind = Maximal;
    if (!in.eat("device=") || !in.number())
      return bad("'device=' and a number");
  } else if (in.eat("unknown")) {
    if (in.eat("shard_as") || in.eat("shard_like")) {
      std::optional<int64_t> group = in.number();
      if (!group)
        return bad("a number of a group");
      result.kind = ShardAlike;
      result.group = *group;
    }
  } else if (in.eat("devices=")) {
    isTiled = true;
    if (!in.list("[", "]", tile) || tile.empty())
      return bad("a tile such as [2,4]");
    if (in.eat("<=")) {
      if (!in.list("[", "]", iota))
        return bad("sizes such as [8] after '<='");
      if (in.eat("T") && !in.list("(", ")", permutation))
        return bad("a permutation such as (1,0) after 'T'");
    } else {
      do {
        std::optional<int64_t> device = in.number();
        if (!device)
          return bad("'<=' or device numbers");
        list.push_back(*device);
      } while (in.eat(","));
    }
    while (!in.eat("}")) {
      if (in.eat("last_tile_dim_replicate")) {
        replicateLast = true;
      } else if (in.eat("last_tile_dims=")) {
        if (!in.eat("{"))
          return bad("'{'");
        while (!in.eat("}")) {
          if (in.eat("replicated"))
            lastTypes.push_back('r');
          else if (in.eat("manual"))
            lastTypes.push_back('m');
          else
            return bad("'replicated' or 'manual'");
          in.eat(",");
        }
      } else {
        return bad("'}'");
      }
    }
  } else {
    return bad("'replicated', 'manual', 'maximal', 'unknown' or 'devices='");
  }
  if (!isTiled) {
    if (!in.eat("}"))
      return bad("'}'");
    return result;
  }

  result.kind = Tiled;
  result.numDevices = product(tile);
  if (iota.empty()) {
    for (auto [index, device] : llvm::enumerate(list))
      if (device != static_cast<int64_t>(index))
        return fail() << "sharding \"" << text << "\" lists devices out of order; expected the "
                      << "form devices=[..]<=[..]T(..)";
    iota.push_back(list.size());
  }
  if (llvm::any_of(tile, [](int64_t size) { return size < 1; }) ||
      llvm::any_of(iota, [](int64_t size) { return size < 1; }) ||
      product(iota) != result.numDevices)
    return fail() << "sharding \"" << text << "\" has " << result.numDevices << " tiles for "
                  << product(iota) << " devices; expected as many";
  if (permutation.empty())
    for (size_t i = 0; i < iota.size(); ++i)
      permutation.push_back(i);
  SmallVector<bool> seen(iota.size());
  for (int64_t axis : permutation)
    if (permutation.size() != iota.size() || axis < 0 ||
        axis >= static_cast<int64_t>(iota.size()) || std::exchange(seen[axis], true))
      return fail() << "sharding \"" << text << "\" transposes by something that is not a "
                    << "permutation of " << iota.size() << " axes";
  SmallVector<Block> blocks;
  for (int64_t axis : permutation)
    blocks.push_back({product(ArrayRef(iota).drop_front(axis + 1)), iota[axis]});
  if (replicateLast)
    lastTypes.push_back('r');
  if (lastTypes.size() > tile.size())
    return fail() << "sharding \"" << text << "\" has more kinds than tile dimensions";
  size_t rank = tile.size() - lastTypes.size();
  for (auto [index, size] : llvm::enumerate(tile)) {
    Blocks taken;
    if (!carve(blocks, size, taken))
      return fail() << "sharding \"" << text << "\" splits axes of " << product(iota)
                    << " devices unevenly";
    if (index < rank)
      result.dims.push_back(std::move(taken));
    else if (lastTypes[index - rank] == 'm')
      result.manual.append(taken.begin(), taken.end());
  }
  return result;
}

void GspmdMesh::add(const GspmdSharding &sharding) {
  auto addBlocks = [&](const GspmdSharding::Blocks &blocks) {
    for (const GspmdSharding::Block &block : blocks) {
      cuts.insert(block.stride);
      cuts.insert(block.stride * block.size);
    }
  };
  for (const GspmdSharding::Blocks &blocks : sharding.dims)
    addBlocks(blocks);
  addBlocks(sharding.manual);
}

bool GspmdMesh::finish() {
  strides.clear();
  sizes.clear();
  int64_t outer = numDevices;
  for (int64_t cut : llvm::reverse(cuts)) {
    if (cut == outer)
      continue;
    if (cut > outer || outer % cut != 0)
      return false;
    strides.push_back(cut);
    sizes.push_back(outer / cut);
    outer = cut;
  }
  return true;
}

sdy::MeshAttr GspmdMesh::getAttr(MLIRContext *ctx) const {
  SmallVector<sdy::MeshAxisAttr> axes;
  for (auto [name, size] : llvm::zip_equal(getAllAxes(ctx), sizes))
    axes.push_back(sdy::MeshAxisAttr::get(ctx, name.getValue(), size));
  return sdy::MeshAttr::get(ctx, axes, ArrayRef<int64_t>());
}

SmallVector<StringAttr> GspmdMesh::getAllAxes(MLIRContext *ctx) const {
  SmallVector<StringAttr> names;
  for (size_t i = 0; i < sizes.size(); ++i)
    names.push_back(StringAttr::get(ctx, "axis_" + std::to_string(i)));
  return names;
}

SmallVector<StringAttr> GspmdMesh::getAxes(MLIRContext *ctx,
                                           const GspmdSharding::Blocks &blocks) const {
  SmallVector<StringAttr> names, all = getAllAxes(ctx);
  for (const GspmdSharding::Block &block : blocks)
    for (auto [name, stride] : llvm::zip_equal(all, strides))
      if (stride >= block.stride && stride < block.stride * block.size)
        names.push_back(name);
  return names;
}

sdy::TensorShardingAttr GspmdMesh::getSharding(MLIRContext *ctx, StringRef mesh,
                                               const GspmdSharding &sharding, int64_t rank,
                                               ArrayRef<int64_t> openDims) const {
  SmallVector<sdy::DimensionShardingAttr> dims;
  for (int64_t dim = 0; dim < rank; ++dim) {
    SmallVector<sdy::AxisRefAttr> axes;
    if (dim < static_cast<int64_t>(sharding.dims.size()))
      for (StringAttr name : getAxes(ctx, sharding.dims[dim]))
        axes.push_back(sdy::AxisRefAttr::get(ctx, name.getValue()));
    dims.push_back(sdy::DimensionShardingAttr::get(ctx, axes, !llvm::is_contained(openDims, dim)));
  }
  return sdy::TensorShardingAttr::get(ctx, StringAttr::get(ctx, mesh), dims,
                                      ArrayRef<sdy::AxisRefAttr>(), ArrayRef<sdy::AxisRefAttr>());
}

} // namespace tandem
