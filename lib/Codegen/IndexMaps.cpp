// Shapes, windows and reshapes: what index maps are made of.

#include "IndexMaps.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tandem::codegen {

llvm::SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t d = int64_t(shape.size()) - 2; d >= 0; --d)
    strides[d] = strides[d + 1] * shape[d + 1];
  return strides;
}

int64_t elementsOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

llvm::SmallVector<int64_t> innerExtents(Operation *op) {
  llvm::SmallVector<int64_t> extents;
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op)) {
    // In the order of the operand's dimensions.
    for (auto [d, size] : llvm::enumerate(shapeOf(reduce.getInputs()[0])))
      if (llvm::is_contained(reduce.getDimensions(), int64_t(d)))
        extents.push_back(size);
  } else if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
    for (int64_t d : dot.getDotDimensionNumbers().getLhsContractingDimensions())
      extents.push_back(shapeOf(dot.getLhs())[d]);
  } else if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    auto numbers = convolution.getDimensionNumbers();
    for (int64_t d : numbers.getKernelSpatialDimensions())
      extents.push_back(shapeOf(convolution.getRhs())[d]);
    extents.push_back(shapeOf(convolution.getRhs())[numbers.getKernelInputFeatureDimension()]);
  } else if (isa<stablehlo::ReduceWindowOp>(op)) {
    for (const WindowDim &dim : windowOf(op))
      extents.push_back(dim.size);
  }
  return extents;
}

llvm::SmallVector<WindowDim> windowOf(Operation *op) {
  llvm::SmallVector<WindowDim> window;
  auto apply = [&](std::optional<ArrayRef<int64_t>> values, int64_t WindowDim::*member) {
    if (values)
      for (auto [dim, value] : llvm::zip(window, *values))
        dim.*member = value;
  };
  auto applyPadding = [&](std::optional<DenseIntElementsAttr> padding) {
    if (!padding)
      return;
    auto values = llvm::to_vector(padding->getValues<int64_t>());
    for (auto [d, dim] : llvm::enumerate(window)) {
      dim.padLow = values[2 * d];
      dim.padHigh = values[2 * d + 1];
    }
  };
  if (auto reduce = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    window.resize(reduce.getWindowDimensions().size());
    apply(reduce.getWindowDimensions(), &WindowDim::size);
    apply(reduce.getWindowStrides(), &WindowDim::stride);
    apply(reduce.getBaseDilations(), &WindowDim::baseDilation);
    apply(reduce.getWindowDilations(), &WindowDim::windowDilation);
    applyPadding(reduce.getPadding());
  } else if (auto select = dyn_cast<stablehlo::SelectAndScatterOp>(op)) {
    window.resize(shapeOf(select.getOperand()).size());
    apply(select.getWindowDimensions(), &WindowDim::size);
    apply(select.getWindowStrides(), &WindowDim::stride);
    applyPadding(select.getPadding());
  } else if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    auto spatial = convolution.getDimensionNumbers().getKernelSpatialDimensions();
    window.resize(spatial.size());
    for (auto [dim, d] : llvm::zip(window, spatial))
      dim.size = shapeOf(convolution.getRhs())[d];
    apply(convolution.getWindowStrides(), &WindowDim::stride);
    apply(convolution.getLhsDilation(), &WindowDim::baseDilation);
    apply(convolution.getRhsDilation(), &WindowDim::windowDilation);
    applyPadding(convolution.getPadding());
    if (auto reversal = convolution.getWindowReversal())
      for (auto [dim, reversed] : llvm::zip(window, *reversal))
        dim.reversed = reversed;
  }
  return window;
}

llvm::SmallVector<ReshapeGroup> reshapeGroups(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  llvm::SmallVector<ReshapeGroup> groups;
  unsigned f = 0, t = 0;
  auto skipOnes = [&] {
    while (f < from.size() && from[f] == 1)
      ++f;
    while (t < to.size() && to[t] == 1)
      ++t;
  };
  for (skipOnes(); f < from.size() && t < to.size(); skipOnes()) {
    ReshapeGroup group;
    int64_t fromCount = from[f], toCount = to[t];
    group.from.push_back(f++);
    group.to.push_back(t++);
    while (fromCount != toCount) {
      if (fromCount < toCount && f < from.size()) {
        if (from[f] != 1)
          group.from.push_back(f);
        fromCount *= from[f++];
      } else if (t < to.size()) {
        if (to[t] != 1)
          group.to.push_back(t);
        toCount *= to[t++];
      } else {
        break; // Without elements.
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

} // namespace tandem::codegen
