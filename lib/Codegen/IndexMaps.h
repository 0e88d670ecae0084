//===- IndexMaps.h - Where an op reads its operands -----------------*- C++ -*-===//
//
// For one element of an op's result, at `index`, the index of the element of an operand that it
// reads: the meaning of slice, gather, reduce and the others, written once over any algebra of
// index expressions, and used
//
//   to emit        Expr = Value, with an op for each step                       (Elements.cpp)
//   for lanes      Expr = how the index changes from lane to lane               (Lanes.cpp)
//   to count       Expr = the innermost loop on which the index depends         (Plan.cpp)
//   for aliasing   Expr = is it the index being written?                        (InPlace.cpp)
//
// An algebra A has a type A::Expr and
//
//   Expr constant(int64_t);            Expr add(Expr, Expr);       Expr add(Expr, int64_t);
//   Expr mul(Expr, int64_t);           Expr div(Expr, int64_t);    Expr rem(Expr, int64_t);
//   Expr sub(Expr, Expr);
//   Expr loaded(Value indices, ArrayRef<Expr> at, int64_t maxStart);
//        the integer indices[at], clamped to [0, maxStart]
//   Expr guarded(Expr position, int64_t size, int64_t dilation, bool needsCheck);
//        the index position / dilation. If needsCheck, the operand is read only where that is
//        whole and in [0, size)
//
// `inner` holds the indices of the loops that one element takes (innerExtents).
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_LIB_CODEGEN_INDEXMAPS_H
#define TANDEM_LIB_CODEGEN_INDEXMAPS_H

#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tandem::codegen {

inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value tensor) {
  return mlir::cast<mlir::RankedTensorType>(tensor.getType()).getShape();
}

/// Row-major distances between neighbours.
llvm::SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape);
int64_t elementsOf(llvm::ArrayRef<int64_t> shape);

/// Extents of the loops that compute one element of a looping op: the reduced or contracted
/// dimensions, the window; of a convolution, the kernel's spatial dimensions and the input
/// features of a group. Empty for elemental ops.
llvm::SmallVector<int64_t> innerExtents(mlir::Operation *op);

/// Of a reduce_window, convolution or select_and_scatter: one dimension of its window.
struct WindowDim {
  int64_t size = 1, stride = 1, padLow = 0, padHigh = 0, baseDilation = 1, windowDilation = 1;
  bool reversed = false;
};
llvm::SmallVector<WindowDim> windowOf(mlir::Operation *op);

/// Pairs of factor groups of two shapes with equal products: [2, 12, 1] and [2, 3, 4] give
/// {0}x{0}, {1}x{1, 2}. Dimensions of one are left out.
struct ReshapeGroup {
  llvm::SmallVector<unsigned> from, to;
};
llvm::SmallVector<ReshapeGroup> reshapeGroups(llvm::ArrayRef<int64_t> from,
                                              llvm::ArrayRef<int64_t> to);

template <typename A> class IndexMap {
public:
  using Expr = typename A::Expr;
  using Exprs = llvm::SmallVector<Expr>;
  explicit IndexMap(A &algebra) : a(algebra) {}

  /// Index into operand `number` of `op`.
  Exprs operand(mlir::Operation *op, unsigned number, llvm::ArrayRef<Expr> index,
                llvm::ArrayRef<Expr> inner = {}) {
    mlir::Value value = op->getOperand(number);
    if (shapeOf(value).empty())
      return {};
    using namespace mlir::stablehlo;
    return llvm::TypeSwitch<mlir::Operation *, Exprs>(op)
        .template Case<BroadcastInDimOp>([&](auto o) { return broadcast(o, index); })
        .template Case<BroadcastOp>(
            [&](auto o) { return Exprs(index.take_back(shapeOf(value).size())); })
        .template Case<ReshapeOp>(
            [&](auto o) { return reshape(shapeOf(o.getResult()), shapeOf(value), index); })
        .template Case<TransposeOp>([&](auto o) {
          Exprs at(index.size(), a.constant(0));
          for (auto [d, from] : llvm::enumerate(o.getPermutation()))
            at[from] = index[d];
          return at;
        })
        .template Case<SliceOp>([&](auto o) {
          Exprs at;
          for (auto [i, start, stride] : llvm::zip(index, o.getStartIndices(), o.getStrides()))
            at.push_back(a.add(a.mul(i, stride), start));
          return at;
        })
        .template Case<ReverseOp>([&](auto o) {
          Exprs at(index);
          for (int64_t d : o.getDimensions())
            at[d] = a.add(a.mul(index[d], -1), shapeOf(value)[d] - 1);
          return at;
        })
        .template Case<PadOp>([&](auto o) {
          Exprs at;
          for (auto [d, i] : llvm::enumerate(index)) {
            int64_t low = o.getEdgePaddingLow()[d], high = o.getEdgePaddingHigh()[d],
                    dilation = o.getInteriorPadding()[d] + 1;
            bool needsCheck = low > 0 || high > 0 || dilation > 1;
            at.push_back(a.guarded(a.add(i, -low), shapeOf(value)[d], dilation, needsCheck));
          }
          return at;
        })
        .template Case<ConcatenateOp>([&](auto o) {
          int64_t d = o.getDimension(), offset = 0;
          for (mlir::Value before : o.getInputs().take_front(number))
            offset += shapeOf(before)[d];
          Exprs at(index);
          at[d] =
              a.guarded(a.add(index[d], -offset), shapeOf(value)[d], 1, o.getInputs().size() > 1);
          return at;
        })
        .template Case<DynamicSliceOp>([&](auto o) {
          Exprs at;
          for (auto [d, i] : llvm::enumerate(index))
            at.push_back(
                a.add(i, start(o.getStartIndices()[d], shapeOf(value)[d] - o.getSliceSizes()[d])));
          return at;
        })
        .template Case<DynamicUpdateSliceOp>([&](auto o) { return update(o, number, index); })
        .template Case<BitcastConvertOp>([&](auto o) {
          // Between elements of two sizes one side has a last dimension more, the pieces of an
          // element of the other: any of them.
          size_t rank = shapeOf(value).size();
          Exprs at(index.take_front(std::min(rank, index.size())));
          at.resize(rank, a.constant(0));
          return at;
        })
        .template Case<GatherOp>([&](auto o) { return gather(o, index); })
        .template Case<ReduceOp>([&](auto o) {
          Exprs at;
          unsigned kept = 0, reduced = 0;
          for (unsigned d = 0; d < shapeOf(value).size(); ++d)
            at.push_back(llvm::is_contained(o.getDimensions(), int64_t(d)) ? inner[reduced++]
                                                                           : index[kept++]);
          return at;
        })
        .template Case<DotGeneralOp>([&](auto o) { return dot(o, number, index, inner); })
        .template Case<ConvolutionOp>([&](auto o) {
          return number == 0 ? convolutionInput(o, index, inner)
                             : convolutionKernel(o, index, inner);
        })
        .template Case<ReduceWindowOp>([&](auto o) {
          llvm::SmallVector<WindowDim> window = windowOf(o);
          Exprs at;
          for (auto [d, i] : llvm::enumerate(index))
            at.push_back(
                inWindow(window[d], i, inner[d], shapeOf(value)[d], shapeOf(o.getResult(0))[d]));
          return at;
        })
        // Elementwise ops, and those that write one buffer over another.
        .Default([&](mlir::Operation *) { return Exprs(index); });
  }

  /// A dynamic start index, clamped.
  Expr start(mlir::Value scalar, int64_t maxStart) {
    return maxStart <= 0 ? a.constant(0) : a.loaded(scalar, {}, maxStart);
  }

  /// reduce_window's and convolution's position in the padded, dilated input.
  Expr inWindow(const WindowDim &w, Expr out, Expr at, int64_t size, int64_t outSize) {
    Expr inWindow = w.reversed ? a.add(a.mul(at, -1), w.size - 1) : at;
    Expr position =
        a.add(a.add(a.mul(out, w.stride), a.mul(inWindow, w.windowDilation)), -w.padLow);
    int64_t last = (outSize - 1) * w.stride + (w.size - 1) * w.windowDilation - w.padLow;
    bool needsCheck = w.padLow > 0 || w.baseDilation > 1 || last >= size;
    return a.guarded(position, size, w.baseDilation, needsCheck);
  }

  /// The same position in another shape of as many elements.
  Exprs reshape(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to,
                llvm::ArrayRef<Expr> index) {
    Exprs at(to.size(), a.constant(0));
    for (const ReshapeGroup &group : reshapeGroups(from, to)) {
      if (group.from.empty() || group.to.empty())
        continue;
      Expr position = index[group.from.front()];
      for (unsigned d : llvm::ArrayRef(group.from).drop_front())
        position = a.add(a.mul(position, from[d]), index[d]);
      for (unsigned d : llvm::reverse(llvm::ArrayRef(group.to).drop_front())) {
        at[d] = a.rem(position, to[d]);
        position = a.div(position, to[d]);
      }
      at[group.to.front()] = position;
    }
    return at;
  }

private:
  Exprs broadcast(mlir::stablehlo::BroadcastInDimOp o, llvm::ArrayRef<Expr> index) {
    Exprs at;
    for (auto [size, to] : llvm::zip(shapeOf(o.getOperand()), o.getBroadcastDimensions()))
      at.push_back(size == 1 ? a.constant(0) : index[to]);
    return at;
  }

  Exprs update(mlir::stablehlo::DynamicUpdateSliceOp o, unsigned number,
               llvm::ArrayRef<Expr> index) {
    if (number == 0)
      return Exprs(index);
    Exprs at;
    for (auto [d, i] : llvm::enumerate(index)) {
      int64_t size = shapeOf(o.getOperand())[d], window = shapeOf(o.getUpdate())[d];
      at.push_back(
          size == window
              ? i
              : a.guarded(a.sub(i, start(o.getStartIndices()[d], size - window)), window, 1, true));
    }
    return at;
  }

  Exprs gather(mlir::stablehlo::GatherOp o, llvm::ArrayRef<Expr> index) {
    auto numbers = o.getDimensionNumbers();
    int64_t vectorDim = numbers.getIndexVectorDim();
    llvm::ArrayRef<int64_t> operandShape = shapeOf(o.getOperand());
    int64_t indicesRank = shapeOf(o.getStartIndices()).size();
    // The part of the result's index that walks over the start indices.
    Exprs batch;
    for (auto [d, i] : llvm::enumerate(index))
      if (!llvm::is_contained(numbers.getOffsetDims(), int64_t(d)))
        batch.push_back(i);
    Exprs at;
    unsigned nextOffset = 0;
    for (int64_t d = 0; d < int64_t(operandShape.size()); ++d) {
      Expr i = a.constant(0);
      auto mapped = llvm::find(numbers.getStartIndexMap(), d);
      if (mapped != numbers.getStartIndexMap().end()) {
        Exprs where(batch);
        if (vectorDim < indicesRank)
          where.insert(where.begin() + vectorDim,
                       a.constant(mapped - numbers.getStartIndexMap().begin()));
        int64_t maxStart = operandShape[d] - o.getSliceSizes()[d];
        if (maxStart > 0)
          i = a.loaded(o.getStartIndices(), where, maxStart);
      }
      auto batching = llvm::find(numbers.getOperandBatchingDims(), d);
      if (batching != numbers.getOperandBatchingDims().end()) {
        int64_t dim =
            numbers
                .getStartIndicesBatchingDims()[batching - numbers.getOperandBatchingDims().begin()];
        i = batch[dim > vectorDim ? dim - 1 : dim];
      } else if (!llvm::is_contained(numbers.getCollapsedSliceDims(), d)) {
        i = a.add(i, index[numbers.getOffsetDims()[nextOffset++]]);
      }
      at.push_back(i);
    }
    return at;
  }

  Exprs dot(mlir::stablehlo::DotGeneralOp o, unsigned number, llvm::ArrayRef<Expr> index,
            llvm::ArrayRef<Expr> inner) {
    auto numbers = o.getDotDimensionNumbers();
    bool isLhs = number == 0;
    auto batching = isLhs ? numbers.getLhsBatchingDimensions() : numbers.getRhsBatchingDimensions();
    auto contracting =
        isLhs ? numbers.getLhsContractingDimensions() : numbers.getRhsContractingDimensions();
    int64_t rank = shapeOf(o->getOperand(number)).size();
    int64_t lhsRank = shapeOf(o.getLhs()).size();
    // The result: batch dimensions, the lhs' free ones, the rhs' free ones.
    unsigned nextFree = isLhs ? batching.size() : lhsRank - contracting.size();
    Exprs at;
    for (int64_t d = 0; d < rank; ++d) {
      auto batch = llvm::find(batching, d), contract = llvm::find(contracting, d);
      if (batch != batching.end())
        at.push_back(index[batch - batching.begin()]);
      else if (contract != contracting.end())
        at.push_back(inner[contract - contracting.begin()]);
      else
        at.push_back(index[nextFree++]);
    }
    return at;
  }

  Exprs convolutionInput(mlir::stablehlo::ConvolutionOp o, llvm::ArrayRef<Expr> index,
                         llvm::ArrayRef<Expr> inner) {
    auto numbers = o.getDimensionNumbers();
    llvm::ArrayRef<int64_t> shape = shapeOf(o.getLhs()), outShape = shapeOf(o.getResult());
    llvm::SmallVector<WindowDim> window = windowOf(o);
    Exprs at(shape.size(), a.constant(0));
    for (auto [s, d] : llvm::enumerate(numbers.getInputSpatialDimensions())) {
      int64_t out = numbers.getOutputSpatialDimensions()[s];
      at[d] = inWindow(window[s], index[out], inner[s], shape[d], outShape[out]);
    }
    Expr feature = index[numbers.getOutputFeatureDimension()];
    int64_t features = outShape[numbers.getOutputFeatureDimension()];
    // A group of output features reads its own group of input features, or of batches.
    int64_t groupFeatures = shapeOf(o.getRhs())[numbers.getKernelInputFeatureDimension()];
    Expr in = inner.back();
    if (o.getFeatureGroupCount() > 1) {
      Expr group = a.div(feature, features / o.getFeatureGroupCount());
      in = a.add(in, a.mul(group, groupFeatures));
    }
    at[numbers.getInputFeatureDimension()] = in;
    Expr batch = index[numbers.getOutputBatchDimension()];
    if (o.getBatchGroupCount() > 1) {
      Expr group = a.div(feature, features / o.getBatchGroupCount());
      int64_t groupBatches =
          shape[numbers.getInputBatchDimension()] / int64_t(o.getBatchGroupCount());
      batch = a.add(batch, a.mul(group, groupBatches));
    }
    at[numbers.getInputBatchDimension()] = batch;
    return at;
  }

  Exprs convolutionKernel(mlir::stablehlo::ConvolutionOp o, llvm::ArrayRef<Expr> index,
                          llvm::ArrayRef<Expr> inner) {
    auto numbers = o.getDimensionNumbers();
    Exprs at(shapeOf(o.getRhs()).size(), a.constant(0));
    for (auto [s, d] : llvm::enumerate(numbers.getKernelSpatialDimensions()))
      at[d] = inner[s];
    at[numbers.getKernelInputFeatureDimension()] = inner.back();
    at[numbers.getKernelOutputFeatureDimension()] = index[numbers.getOutputFeatureDimension()];
    return at;
  }

  A &a;
};

} // namespace tandem::codegen

#endif // TANDEM_LIB_CODEGEN_INDEXMAPS_H
