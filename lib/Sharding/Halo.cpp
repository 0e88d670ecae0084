// Ranges per op, and how to bring them together.
#include "tandem/Sharding/Halo.h"

#include <algorithm>

#include "mlir/IR/BuiltinTypes.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "llvm/Support/MathExtras.h"

namespace tandem {
using namespace mlir;

namespace {

/// Output j of a device reads [first + j * stride, first + j * stride + window) from its start.
std::optional<HaloRanges> windows(int64_t inSize, int64_t outSize, int64_t tiles, int64_t first,
                                  int64_t stride, int64_t window) {
  if (inSize % tiles != 0 || outSize % tiles != 0 || outSize == 0)
    return std::nullopt;
  int64_t outTile = outSize / tiles;
  HaloRanges ranges;
  ranges.length = (outTile - 1) * stride + window;
  for (int64_t p = 0; p < tiles; ++p)
    ranges.starts.push_back(first + p * outTile * stride);
  return ranges;
}

int64_t sizeOf(Value value, int64_t dim) {
  return cast<RankedTensorType>(value.getType()).getDimSize(dim);
}

int64_t at(std::optional<ArrayRef<int64_t>> values, int64_t index) {
  return values && !values->empty() ? (*values)[index] : 1;
}

int64_t lowPadding(std::optional<DenseIntElementsAttr> padding, int64_t index) {
  return padding && *padding ? padding->getValues<int64_t>()[2 * index] : 0;
}

} // namespace

std::optional<HaloRanges> getHaloRanges(Operation *op, int64_t dim, int64_t tiles) {
  int64_t size = sizeOf(op->getOperand(0), dim);
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op))
    return windows(size, sizeOf(op->getResult(0), dim), tiles, slice.getStartIndices()[dim],
                   slice.getStrides()[dim], 1);
  if (auto pad = dyn_cast<stablehlo::PadOp>(op)) {
    if (pad.getInteriorPadding()[dim] != 0)
      return std::nullopt;
    return windows(size, sizeOf(op->getResult(0), dim), tiles, -pad.getEdgePaddingLow()[dim], 1, 1);
  }
  if (isa<stablehlo::ReverseOp>(op)) {
    if (size % tiles != 0)
      return std::nullopt;
    HaloRanges ranges;
    ranges.length = size / tiles;
    for (int64_t p = 0; p < tiles; ++p)
      ranges.starts.push_back(size - (p + 1) * ranges.length);
    return ranges;
  }
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    if (at(window.getBaseDilations(), dim) != 1)
      return std::nullopt;
    int64_t extent =
        (window.getWindowDimensions()[dim] - 1) * at(window.getWindowDilations(), dim) + 1;
    return windows(size, sizeOf(op->getResult(0), dim), tiles,
                   -lowPadding(window.getPadding(), dim), at(window.getWindowStrides(), dim),
                   extent);
  }
  if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    auto dn = convolution.getDimensionNumbers();
    ArrayRef<int64_t> spatial = dn.getInputSpatialDimensions();
    auto it = llvm::find(spatial, dim);
    if (it == spatial.end())
      return std::nullopt;
    int64_t index = it - spatial.begin();
    if (at(convolution.getLhsDilation(), index) != 1)
      return std::nullopt;
    int64_t kernel = sizeOf(convolution.getRhs(), dn.getKernelSpatialDimensions()[index]);
    return windows(size, sizeOf(op->getResult(0), dn.getOutputSpatialDimensions()[index]), tiles,
                   -lowPadding(convolution.getPadding(), index),
                   at(convolution.getWindowStrides(), index),
                   (kernel - 1) * at(convolution.getRhsDilation(), index) + 1);
  }
  return std::nullopt;
}

int getCumulative(Operation *op, int64_t dim) {
  auto window = dyn_cast<stablehlo::ReduceWindowOp>(op);
  if (!window || !window.getPadding() || at(window.getWindowStrides(), dim) != 1 ||
      at(window.getBaseDilations(), dim) != 1 || at(window.getWindowDilations(), dim) != 1)
    return 0;
  int64_t size = sizeOf(op->getOperand(0), dim), others = size - 1;
  auto padding = window.getPadding()->getValues<int64_t>();
  int64_t low = padding[2 * dim], high = padding[2 * dim + 1];
  if (size < 2 || window.getWindowDimensions()[dim] != size || low + high != others)
    return 0;
  return low == others ? 1 : high == others ? -1 : 0;
}

HaloPlan planHalo(const HaloRanges &ranges, int64_t tileSize) {
  int64_t tiles = ranges.starts.size();
  HaloPlan plan;
  plan.length = ranges.length;
  int64_t count = 0; // of pieces
  SmallVector<int64_t> firsts;
  for (int64_t start : ranges.starts) {
    firsts.push_back(llvm::divideFloorSigned(start, tileSize));
    plan.offsets.push_back(start - firsts.back() * tileSize);
    count = std::max(count, llvm::divideCeilSigned(plan.offsets.back() + ranges.length, tileSize));
  }
  bool uniform = plan.isUniform();
  for (int64_t j = 0; j < count; ++j) {
    HaloPlan::Piece piece;
    piece.end = tileSize;
    if (uniform) {
      // Only what is read of the tile.
      piece.begin = std::max<int64_t>(plan.offsets.front() - j * tileSize, 0);
      piece.end = std::min(plan.offsets.front() + ranges.length - j * tileSize, tileSize);
    }
    piece.own.assign(tiles, false);
    for (int64_t p = 0; p < tiles; ++p) {
      int64_t tile = firsts[p] + j;
      bool isRead =
          plan.offsets[p] < (j + 1) * tileSize && plan.offsets[p] + ranges.length > j * tileSize;
      if (!isRead || tile < 0 || tile >= tiles)
        continue;
      if (tile == p) {
        piece.own[p] = true;
        continue;
      }
      // The first round in which the tile is not sent yet.
      auto isFree = [&](ArrayRef<std::pair<int64_t, int64_t>> round) {
        return llvm::none_of(round, [&](auto pair) { return pair.first == tile; });
      };
      auto round = llvm::find_if(piece.rounds, isFree);
      if (round == piece.rounds.end()) {
        piece.rounds.emplace_back();
        round = &piece.rounds.back();
      }
      round->push_back({tile, p});
    }
    plan.sent += static_cast<int64_t>(piece.rounds.size()) * (piece.end - piece.begin);
    plan.pieces.push_back(std::move(piece));
  }
  if (uniform)
    plan.offsets.assign(tiles, 0);
  return plan;
}

} // namespace tandem
