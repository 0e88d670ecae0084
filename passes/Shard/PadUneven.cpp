// The pass, and what ops do about a padded dimension that they reduce or read ranges of.
#include "passes/Shard/Passes.h"
#include "passes/Shard/UnevenPadder.h"
#include "tandem/Sharding/Neutral.h"

namespace tandem {
#define GEN_PASS_DEF_PADUNEVENPASS
#include "passes/Shard/Passes.h.inc"

using namespace mlir;
namespace {

int64_t sizeOf(Value value, int64_t dim) {
  return cast<RankedTensorType>(value.getType()).getDimSize(dim);
}

Attribute neutral(Value like, Combiner combiner) {
  auto type = RankedTensorType::get({}, cast<RankedTensorType>(like.getType()).getElementType());
  return getNeutralAttr(type, combiner).getSplatValue<Attribute>();
}

int64_t entry(std::optional<ArrayRef<int64_t>> values, int64_t index) {
  return values && !values->empty() ? (*values)[index] : 1;
}

/// [low, high] of each dimension; zeros where there is none.
SmallVector<int64_t> paddingOf(std::optional<DenseIntElementsAttr> padding, int64_t rank) {
  return padding && *padding ? SmallVector<int64_t>(padding->getValues<int64_t>())
                             : SmallVector<int64_t>(2 * rank, 0);
}

/// The dimension of a tensor that has the factor, or -1.
int64_t dimOf(const DimFactors &dims, unsigned factor) {
  for (auto [dim, factors] : llvm::enumerate(dims))
    if (factors.front() == factor)
      return dim;
  return -1;
}

/// What to pad behind `size` elements so that windows of `extent` make `count` results.
int64_t highPadding(int64_t size, int64_t count, int64_t low, int64_t stride, int64_t extent) {
  return (count - 1) * stride + extent - size - low;
}

struct PadUnevenPass : impl::PadUnevenPassBase<PadUnevenPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<MeshSet> meshes = MeshSet::get(module);
    if (failed(meshes))
      return signalPassFailure();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (meshes->empty() || !main || module->hasAttr("tandem.unpartitioned"))
      return;
    UnevenPadder padder(main, *meshes);
    padder.run();
    numPadded += padder.numPadded;
    numCut += padder.numCut;
  }
};

} // namespace

bool UnevenPadder::prepareReduction(Work &work, unsigned factor, int64_t size) {
  Operation *op = work.op;
  const ShardingRule &rule = work.rule;
  int64_t trueSize = rule.factors[factor].size;
  auto maskOperand = [&](unsigned operand, Combiner combiner) {
    int64_t dim = dimOf(rule.operands[operand], factor);
    if (dim < 0)
      return;
    work.masks.push_back({operand, dim, neutral(op->getOperand(operand), combiner)});
  };
  if (rule.combiner == Combiner::Body) {
    unsigned n = op->getNumResults();
    for (unsigned i = 0; i < n; ++i)
      work.masks.push_back({i, dimOf(rule.operands[i], factor), {}, n + i});
    return true;
  }
  if (isa<stablehlo::ReduceOp, stablehlo::DotOp, stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(
          op)) {
    // Undefined elements may be NaN, so both sides of a product are masked.
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      maskOperand(i, rule.combiner);
    return true;
  }
  if (isa<stablehlo::ScatterOp>(op)) {
    maskOperand(2, rule.combiner);
    return true;
  }
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op)) {
    auto dn = gather.getDimensionNumbers();
    if (dn.getStartIndexMap().size() > 1)
      clampComponent(op->getOpOperand(1), dn.getIndexVectorDim(),
                     llvm::find(dn.getStartIndexMap(), dimOf(rule.operands[0], factor)) -
                         dn.getStartIndexMap().begin(),
                     trueSize - 1);
    else
      clampIndex(op->getOpOperand(1), trueSize - 1);
    return true;
  }
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op)) {
    int64_t dim = dimOf(rule.operands[0], factor);
    clampIndex(op->getOpOperand(1 + dim), trueSize - slice.getSliceSizes()[dim]);
    return true;
  }
  return false;
}

void UnevenPadder::prepareRange(Work &work, unsigned factor) {
  Operation *op = work.op;
  int64_t in = dimOf(work.rule.operands[0], factor), out = dimOf(work.rule.results[0], factor);
  int64_t have = sizeOf(op->getOperand(0), in), trueIn = work.wanted[0][in];
  int64_t padded = paddedType(op->getResult(0)).getDimSize(out), trueOut = work.made[0][out];
  if (have == trueIn && padded == trueOut)
    return;
  auto take = [&](int64_t made) {
    work.wanted[0][in] = have;
    work.made[0][out] = made;
  };
  auto maskInput = [&](Attribute fill) {
    if (have != trueIn)
      work.masks.push_back({0, in, fill});
  };
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op))
    return take(slice.getStrides()[in] == 1 ? padded : trueOut);
  if (auto pad = dyn_cast<stablehlo::PadOp>(op)) {
    if (pad.getInteriorPadding()[in] != 0)
      return;
    if (pad.getEdgePaddingHigh()[in] > 0)
      maskInput({});
    return take(padded);
  }
  if (isa<stablehlo::ReverseOp>(op)) {
    work.shift[0][out] = have - trueIn;
    return take(have);
  }
  if (isa<stablehlo::DynamicUpdateSliceOp>(op)) {
    clampIndex(op->getOpOperand(2 + in), trueIn - work.wanted[1][in]);
    work.wanted[0][in] = work.made[0][out] = padded;
    return;
  }
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    if (op->getNumResults() != 1 || getCombiner(window.getBody()) == Combiner::None ||
        entry(window.getBaseDilations(), in) != 1)
      return;
    int64_t extent =
        (window.getWindowDimensions()[in] - 1) * entry(window.getWindowDilations(), in) + 1;
    int64_t low = paddingOf(window.getPadding(), work.made[0].size())[2 * in];
    if (highPadding(have, padded, low, entry(window.getWindowStrides(), in), extent) < 0)
      return;
    maskInput({});
    return take(padded);
  }
  if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    auto dn = convolution.getDimensionNumbers();
    int64_t index =
        llvm::find(dn.getInputSpatialDimensions(), in) - dn.getInputSpatialDimensions().begin();
    if (entry(convolution.getLhsDilation(), index) != 1)
      return;
    int64_t kernel = work.wanted[1][dn.getKernelSpatialDimensions()[index]];
    int64_t extent = (kernel - 1) * entry(convolution.getRhsDilation(), index) + 1;
    int64_t low =
        paddingOf(convolution.getPadding(), dn.getInputSpatialDimensions().size())[2 * index];
    if (highPadding(have, padded, low, entry(convolution.getWindowStrides(), index), extent) < 0)
      return;
    maskInput(neutral(convolution.getLhs(), Combiner::Add));
    return take(padded);
  }
}

Operation *UnevenPadder::updateAttributes(Work &work) {
  Operation *op = work.op;
  auto shapeOf = [&](unsigned operand) {
    return cast<RankedTensorType>(op->getOperand(operand).getType()).getShape();
  };
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
    if (constant.getValue().isSplat())
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue())
                                .resizeSplat(RankedTensorType::get(
                                    work.made[0], constant.getValue().getElementType())));
  } else if (auto gather = dyn_cast<stablehlo::GatherOp>(op)) {
    SmallVector<int64_t> sizes(gather.getSliceSizes());
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (work.rule.factors[work.rule.operands[0][dim].front()].kind == FactorKind::PassThrough &&
          size != 1)
        size = shapeOf(0)[dim];
    gather.setSliceSizes(sizes);
  } else if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op)) {
    slice.setSliceSizes(work.made[0]);
  } else if (auto pad = dyn_cast<stablehlo::PadOp>(op)) {
    SmallVector<int64_t> high(pad.getEdgePaddingHigh());
    for (auto [dim, size] : llvm::enumerate(high)) {
      int64_t in = shapeOf(0)[dim];
      size = work.made[0][dim] - pad.getEdgePaddingLow()[dim] - in -
             pad.getInteriorPadding()[dim] * std::max<int64_t>(in - 1, 0);
    }
    pad.setEdgePaddingHigh(high);
  } else if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    int64_t rank = work.made[0].size();
    SmallVector<int64_t> padding = paddingOf(window.getPadding(), rank);
    // What is cumulative (F19) stays so.
    SmallVector<int64_t> sizes(window.getWindowDimensions());
    for (auto [dim, factors] : llvm::enumerate(work.rule.results[0]))
      if (int direction = work.rule.factors[factors.front()].cumulative;
          direction && shapeOf(0)[dim] == work.made[0][dim]) {
        sizes[dim] = work.made[0][dim];
        padding[2 * dim] = direction > 0 ? sizes[dim] - 1 : 0;
      }
    window.setWindowDimensions(sizes);
    for (int64_t dim = 0; dim < rank; ++dim) {
      int64_t extent =
          (window.getWindowDimensions()[dim] - 1) * entry(window.getWindowDilations(), dim) + 1;
      if (entry(window.getBaseDilations(), dim) == 1)
        padding[2 * dim + 1] = highPadding(shapeOf(0)[dim], work.made[0][dim], padding[2 * dim],
                                           entry(window.getWindowStrides(), dim), extent);
    }
    window.setPaddingAttr(
        DenseIntElementsAttr::get(RankedTensorType::get({rank, 2}, b.getI64Type()), padding));
  } else if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    auto dn = convolution.getDimensionNumbers();
    int64_t rank = dn.getInputSpatialDimensions().size();
    SmallVector<int64_t> padding = paddingOf(convolution.getPadding(), rank);
    for (int64_t index = 0; index < rank; ++index) {
      int64_t kernel = sizeOf(convolution.getRhs(), dn.getKernelSpatialDimensions()[index]);
      if (entry(convolution.getLhsDilation(), index) == 1)
        padding[2 * index + 1] =
            highPadding(shapeOf(0)[dn.getInputSpatialDimensions()[index]],
                        work.made[0][dn.getOutputSpatialDimensions()[index]], padding[2 * index],
                        entry(convolution.getWindowStrides(), index),
                        (kernel - 1) * entry(convolution.getRhsDilation(), index) + 1);
    }
    convolution.setPaddingAttr(
        DenseIntElementsAttr::get(RankedTensorType::get({rank, 2}, b.getI64Type()), padding));
  } else if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
    // Dimensions cut with a stride, or to their true size, are cut here; the others by one pad
    // behind it, which may read beyond the end.
    SmallVector<int64_t> starts(slice.getStartIndices()), limits(slice.getLimitIndices());
    for (auto [dim, limit] : llvm::enumerate(limits)) {
      int64_t trueOut = sizeOf(op->getResult(0), dim), in = shapeOf(0)[dim];
      bool whole = starts[dim] == 0 && slice.getStrides()[dim] == 1;
      if (work.made[0][dim] == trueOut && !(whole && in == trueOut))
        continue; // true elements only
      work.shift[0][dim] = starts[dim];
      starts[dim] = 0;
      limit = in;
    }
    SmallVector<int64_t> shape;
    for (auto [dim, limit] : llvm::enumerate(limits))
      shape.push_back(llvm::divideCeil(limit - starts[dim], slice.getStrides()[dim]));
    slice.setStartIndices(starts);
    slice.setLimitIndices(limits);
    work.made[0] = shape;
  }
  return op;
}

} // namespace tandem
