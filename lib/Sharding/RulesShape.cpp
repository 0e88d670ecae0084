// Rules of ops that rearrange, cut, join or create elements.
#include <numeric>

#include "mlir/IR/BuiltinTypes.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Sharding/Halo.h"
#include "tandem/Sharding/Neutral.h"
#include "tandem/Sharding/Rule.h"

namespace tandem {
using namespace mlir;

namespace {

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Splits both shapes into common factors: 6x4 -> 3x8 has factors 3, 2, 4. Where sizes do
/// not nest, the rest of that group of dimensions is left without factors.
void addReshape(stablehlo::ReshapeOp op, RuleBuilder &b) {
  ArrayRef<int64_t> in = shapeOf(op.getOperand()), out = shapeOf(op.getResult());
  if (llvm::is_contained(in, 0))
    return;
  // Sizes still to be covered in the current dimensions; dimensions of size one are passed
  // over, except where both sides have one.
  size_t i = 0, o = 0;
  int64_t inRest = 1, outRest = 1;
  while (true) {
    if (inRest == 1 && outRest == 1) {
      if (i < in.size() && o < out.size() && in[i] == 1 && out[o] == 1) {
        b.add({static_cast<int64_t>(i++)}, {static_cast<int64_t>(o++)}, 1);
        continue;
      }
    }
    while (inRest == 1 && i < in.size())
      inRest = in[i++];
    while (outRest == 1 && o < out.size())
      outRest = out[o++];
    if (inRest == 1 || outRest == 1)
      return;
    // The smaller rest must be a whole chunk of the larger.
    int64_t factor = std::min(inRest, outRest);
    if (std::max(inRest, outRest) % factor != 0)
      factor = std::gcd(inRest, outRest);
    if (factor == 1)
      return;
    b.add({static_cast<int64_t>(i) - 1}, {static_cast<int64_t>(o) - 1}, factor);
    if (factor != inRest && factor != outRest)
      return;
    inRest /= factor;
    outRest /= factor;
  }
}

/// A dimension that a window op does not touch.
bool windowIsTrivial(int64_t dim, std::optional<ArrayRef<int64_t>> window,
                     std::optional<ArrayRef<int64_t>> strides,
                     std::optional<ArrayRef<int64_t>> baseDilations,
                     std::optional<ArrayRef<int64_t>> windowDilations,
                     std::optional<DenseIntElementsAttr> padding) {
  auto isOne = [&](std::optional<ArrayRef<int64_t>> values) {
    return !values || values->empty() || (*values)[dim] == 1;
  };
  if (!isOne(window) || !isOne(strides) || !isOne(baseDilations) || !isOne(windowDilations))
    return false;
  if (padding && *padding) {
    auto values = llvm::to_vector(padding->getValues<int64_t>());
    return values[2 * dim] == 0 && values[2 * dim + 1] == 0;
  }
  return true;
}

/// How many elements of the sorted dimension are read, all reads being slices of the first ones
/// (what top_k becomes); 0 if any other use reads more.
int64_t countFirsts(stablehlo::SortOp sort, int64_t sorted) {
  int64_t most = 0;
  for (Operation *user : sort->getUsers()) {
    auto slice = dyn_cast<stablehlo::SliceOp>(user);
    if (!slice || llvm::any_of(slice.getStartIndices(), [](int64_t at) { return at != 0; }) ||
        llvm::any_of(slice.getStrides(), [](int64_t step) { return step != 1; }))
      return 0;
    for (auto [dim, limit] : llvm::enumerate(slice.getLimitIndices()))
      if (static_cast<int64_t>(dim) != sorted && limit != shapeOf(slice.getOperand())[dim])
        return 0;
    most = std::max(most, slice.getLimitIndices()[sorted]);
  }
  return most;
}

/// Windows that lie side by side and cover the dimension: it is windows x elements of each.
void addDisjointWindows(stablehlo::SelectAndScatterOp op, int64_t dim, RuleBuilder &b) {
  int64_t size = shapeOf(op->getResult(0))[dim], count = shapeOf(op.getSource())[dim];
  int64_t window = op.getWindowDimensions() ? (*op.getWindowDimensions())[dim] : 1;
  int64_t stride = op.getWindowStrides() ? (*op.getWindowStrides())[dim] : 1;
  if (window != stride || count * window != size)
    return;
  if (auto padding = op.getPadding())
    if (llvm::any_of(padding->getValues<int64_t>(), [](int64_t amount) { return amount != 0; }))
      return;
  b.add({dim, dim, -1}, {dim}, count);
  b.add({dim, -1, -1}, {dim}, window, FactorKind::NeedReplication, /*blocked=*/true);
}

} // namespace

bool addShapeRule(Operation *op, RuleBuilder &b) {
  if (isa<stablehlo::ConstantOp, sdy::ConstantOp, stablehlo::IotaOp>(op)) {
    for (auto [dim, size] : llvm::enumerate(shapeOf(op->getResult(0))))
      b.add(SmallVector<int64_t>(op->getNumOperands(), -1), {static_cast<int64_t>(dim)}, size);
    return true;
  }
  if (isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp>(op))
    return true;
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    ArrayRef<int64_t> in = shapeOf(broadcast.getOperand()), out = shapeOf(op->getResult(0));
    ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
    for (auto [dim, size] : llvm::enumerate(out)) {
      auto it = llvm::find(dims, static_cast<int64_t>(dim));
      int64_t inDim = it == dims.end() ? -1 : it - dims.begin();
      if (inDim >= 0 && in[inDim] != size)
        inDim = -1;
      b.add({inDim}, {static_cast<int64_t>(dim)}, size);
    }
    return true;
  }
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) {
    addReshape(reshape, b);
    return true;
  }
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
    for (auto [dim, inDim] : llvm::enumerate(transpose.getPermutation()))
      b.add({inDim}, {static_cast<int64_t>(dim)}, shapeOf(op->getOperand(0))[inDim]);
    return true;
  }
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
    for (auto [dim, size] : llvm::enumerate(shapeOf(slice.getOperand()))) {
      int64_t d = dim;
      bool whole = size == shapeOf(op->getResult(0))[dim];
      unsigned factor =
          b.add({d}, {d}, size, whole ? FactorKind::PassThrough : FactorKind::Permutation);
      b.getFactor(factor).halo = !whole;
    }
    return true;
  }
  if (auto pad = dyn_cast<stablehlo::PadOp>(op)) {
    for (auto [dim, size] : llvm::enumerate(shapeOf(op->getResult(0)))) {
      int64_t d = dim;
      bool whole = pad.getEdgePaddingLow()[dim] == 0 && pad.getEdgePaddingHigh()[dim] == 0 &&
                   pad.getInteriorPadding()[dim] == 0;
      unsigned factor =
          b.add({d, -1}, {d}, size, whole ? FactorKind::PassThrough : FactorKind::Permutation);
      b.getFactor(factor).halo = !whole && pad.getInteriorPadding()[dim] == 0;
    }
    return true;
  }
  if (auto concat = dyn_cast<stablehlo::ConcatenateOp>(op)) {
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    for (auto [dim, size] : llvm::enumerate(shape)) {
      bool joined = concat.getDimension() == dim;
      unsigned factor =
          b.addAll(dim, shape, joined ? FactorKind::Permutation : FactorKind::PassThrough);
      b.getFactor(factor).halo = joined;
    }
    return true;
  }
  if (auto reverse = dyn_cast<stablehlo::ReverseOp>(op)) {
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim) {
      bool reversed = llvm::is_contained(reverse.getDimensions(), dim);
      unsigned factor =
          b.addAll(dim, shape, reversed ? FactorKind::Permutation : FactorKind::PassThrough);
      b.getFactor(factor).halo = reversed;
    }
    return true;
  }
  if (auto sort = dyn_cast<stablehlo::SortOp>(op)) {
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    int64_t sorted = static_cast<int64_t>(sort.getDimension());
    if (sorted < 0)
      sorted += shape.size();
    for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim) {
      unsigned factor = b.addAll(
          dim, shape, dim == sorted ? FactorKind::NeedReplication : FactorKind::PassThrough);
      if (dim == sorted)
        b.getFactor(factor).firsts = countFirsts(sort, sorted);
    }
    return true;
  }
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    unsigned n = op->getNumResults();
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim) {
      SmallVector<int64_t> in(n, dim);
      in.append(n, -1);
      bool trivial = windowIsTrivial(dim, window.getWindowDimensions(), window.getWindowStrides(),
                                     window.getBaseDilations(), window.getWindowDilations(),
                                     window.getPadding());
      unsigned factor = b.add(in, SmallVector<int64_t>(n, dim), shape[dim],
                              trivial ? FactorKind::PassThrough : FactorKind::Permutation);
      // What lies outside is the initial value, which must change nothing however often it counts.
      bool padded = window.getPadding() && llvm::any_of(window.getPadding()->getValues<int64_t>(),
                                                        [](int64_t size) { return size != 0; });
      Combiner combiner = n == 1 ? getCombiner(window.getBody()) : Combiner::None;
      bool mayPad = combiner != Combiner::None &&
                    (isIdempotent(combiner) || isNeutral(op->getOperand(1), combiner));
      b.getFactor(factor).halo = !trivial && (!padded || mayPad);
      if (b.getFactor(factor).halo && padded)
        b.getFactor(factor).cumulative = getCumulative(op, dim);
    }
    return true;
  }
  if (auto select = dyn_cast<stablehlo::SelectAndScatterOp>(op)) {
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim)
      if (windowIsTrivial(dim, select.getWindowDimensions(), select.getWindowStrides(),
                          std::nullopt, std::nullopt, select.getPadding()))
        b.add({dim, dim, -1}, {dim}, shape[dim]);
      else
        addDisjointWindows(select, dim, b);
    return true;
  }
  if (auto bitcast = dyn_cast<stablehlo::BitcastConvertOp>(op)) {
    ArrayRef<int64_t> in = shapeOf(op->getOperand(0)), out = shapeOf(op->getResult(0));
    for (int64_t dim = 0; dim < static_cast<int64_t>(std::min(in.size(), out.size())); ++dim)
      b.add({dim}, {dim}, in[dim]);
    return true;
  }
  if (isa<stablehlo::RngBitGeneratorOp>(op)) {
    // Bits depend on the whole shape: the mask may be split, its computation may not.
    for (auto [dim, size] : llvm::enumerate(shapeOf(op->getResult(1))))
      b.add({-1}, {-1, static_cast<int64_t>(dim)}, size, FactorKind::Permutation);
    return true;
  }
  if (isa<stablehlo::OptimizationBarrierOp>(op)) {
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      SmallVector<int64_t> dims(op->getNumResults(), -1);
      for (auto [dim, size] : llvm::enumerate(shapeOf(op->getResult(i)))) {
        dims[i] = dim;
        b.add(dims, dims, size);
      }
    }
    return true;
  }
  return false;
}

} // namespace tandem
