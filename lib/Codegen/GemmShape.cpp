// Sorts the dimensions of a dot_general into roles and collapses each role to one stride.

#include "tandem/Codegen/GemmShape.h"

#include "tandem/IR/StableHLO/StablehloOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace tandem {
namespace {

using Dims = llvm::SmallVector<int64_t>;

/// Row-major strides in elements.
Dims stridesOf(ArrayRef<int64_t> shape) {
  Dims strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

/// A dimension of the product as each of up to two arrays sees it.
struct Dim {
  int64_t size;
  int64_t stride[2];
};

/// The dimensions as one of size `size` in both arrays, or false. They are listed outermost
/// first; size-1 dimensions do not matter.
bool collapse(ArrayRef<Dim> dims, int64_t &size, int64_t (&stride)[2]) {
  size = 1;
  stride[0] = stride[1] = 1;
  for (const Dim &dim : llvm::reverse(dims)) {
    if (dim.size == 1)
      continue;
    for (int array : {0, 1}) {
      if (size == 1)
        stride[array] = dim.stride[array];
      else if (dim.stride[array] != stride[array] * size)
        return false;
    }
    size *= dim.size;
  }
  return true;
}

Dims remainingDims(int64_t rank, ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  Dims dims;
  for (int64_t dim : llvm::seq(rank))
    if (!llvm::is_contained(a, dim) && !llvm::is_contained(b, dim))
      dims.push_back(dim);
  return dims;
}

/// A stride that fits a dimension of size 1 beside one of `size` and `stride`: as if the matrix
/// were dense.
int64_t strideBeside(int64_t size, int64_t stride) { return stride == 1 ? size : 1; }

void settleUnitDims(int64_t rows, int64_t &rowStride, int64_t columns, int64_t &columnStride) {
  if (columns == 1)
    columnStride = strideBeside(rows, rows == 1 ? 0 : rowStride);
  if (rows == 1)
    rowStride = strideBeside(columns, columnStride);
}

} // namespace

int64_t GemmShape::getMultiplies() const {
  int64_t product = m * n * k;
  for (int64_t size : batch)
    product *= size;
  return product;
}

std::optional<GemmShape> getGemmShape(stablehlo::DotGeneralOp dot) {
  auto lhs = cast<RankedTensorType>(dot.getLhs().getType());
  auto rhs = cast<RankedTensorType>(dot.getRhs().getType());
  auto out = cast<RankedTensorType>(dot.getType());
  auto numbers = dot.getDotDimensionNumbers();
  ArrayRef<int64_t> lhsBatch = numbers.getLhsBatchingDimensions();
  ArrayRef<int64_t> rhsBatch = numbers.getRhsBatchingDimensions();
  ArrayRef<int64_t> lhsContracting = numbers.getLhsContractingDimensions();
  ArrayRef<int64_t> rhsContracting = numbers.getRhsContractingDimensions();
  Dims lhsStrides = stridesOf(lhs.getShape()), rhsStrides = stridesOf(rhs.getShape()),
       outStrides = stridesOf(out.getShape());
  Dims lhsFree = remainingDims(lhs.getRank(), lhsBatch, lhsContracting);
  Dims rhsFree = remainingDims(rhs.getRank(), rhsBatch, rhsContracting);

  // The result's dimensions: batch, then lhs's free ones, then rhs's.
  GemmShape shape;
  llvm::SmallVector<Dim> dims;
  int64_t strides[2];
  for (auto [i, dim] : llvm::enumerate(lhsFree))
    dims.push_back({lhs.getDimSize(dim), {lhsStrides[dim], outStrides[lhsBatch.size() + i]}});
  if (!collapse(dims, shape.m, strides))
    return std::nullopt;
  shape.lhsMStride = strides[0];
  shape.outMStride = strides[1];

  dims.clear();
  size_t firstRhsDim = lhsBatch.size() + lhsFree.size();
  for (auto [i, dim] : llvm::enumerate(rhsFree))
    dims.push_back({rhs.getDimSize(dim), {rhsStrides[dim], outStrides[firstRhsDim + i]}});
  if (!collapse(dims, shape.n, strides))
    return std::nullopt;
  shape.rhsNStride = strides[0];
  shape.outNStride = strides[1];

  // The order of the contracting dimensions is free as long as it is the same on both sides.
  dims.clear();
  for (auto [l, r] : llvm::zip_equal(lhsContracting, rhsContracting))
    dims.push_back({lhs.getDimSize(l), {lhsStrides[l], rhsStrides[r]}});
  llvm::sort(dims, [](const Dim &a, const Dim &b) {
    return std::make_pair(a.stride[0], a.stride[1]) > std::make_pair(b.stride[0], b.stride[1]);
  });
  if (!collapse(dims, shape.k, strides))
    return std::nullopt;
  shape.lhsKStride = strides[0];
  shape.rhsKStride = strides[1];

  for (auto [i, l, r] : llvm::enumerate(lhsBatch, rhsBatch)) {
    int64_t size = lhs.getDimSize(l);
    if (size == 1)
      continue;
    if (!shape.batch.empty() && shape.lhsBatchStrides.back() == lhsStrides[l] * size &&
        shape.rhsBatchStrides.back() == rhsStrides[r] * size &&
        shape.outBatchStrides.back() == outStrides[i] * size) {
      shape.batch.back() *= size;
    } else {
      shape.batch.push_back(size);
      shape.lhsBatchStrides.emplace_back();
      shape.rhsBatchStrides.emplace_back();
      shape.outBatchStrides.emplace_back();
    }
    shape.lhsBatchStrides.back() = lhsStrides[l];
    shape.rhsBatchStrides.back() = rhsStrides[r];
    shape.outBatchStrides.back() = outStrides[i];
  }

  settleUnitDims(shape.m, shape.lhsMStride, shape.k, shape.lhsKStride);
  settleUnitDims(shape.k, shape.rhsKStride, shape.n, shape.rhsNStride);
  settleUnitDims(shape.m, shape.outMStride, shape.n, shape.outNStride);
  if ((shape.lhsMStride != 1 && shape.lhsKStride != 1) ||
      (shape.rhsKStride != 1 && shape.rhsNStride != 1))
    return std::nullopt;
  return shape;
}

bool hasGemmTypes(stablehlo::DotGeneralOp dot) {
  Type lhs = cast<RankedTensorType>(dot.getLhs().getType()).getElementType();
  Type rhs = cast<RankedTensorType>(dot.getRhs().getType()).getElementType();
  Type out = cast<RankedTensorType>(dot.getType()).getElementType();
  bool known = lhs.isF32() || lhs.isF64() || lhs.isBF16() || lhs.isF16();
  return known && lhs == rhs && (out == lhs || (out.isF32() && !lhs.isF64()));
}

} // namespace tandem
