// How a matrix library sees a dot_general: one batched row-major product with strides.
//
//   out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, k, n]
//
// The operands and the result stay where they are, dense and row-major; roles of dimensions
// are told by strides, so a dot_general that contracts other dimensions than the last needs no
// transpose as long as the dimensions of a role collapse to one stride. Example:
//
//   %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [3] x [3]
//       : (tensor<2x5x3x8xf32>, tensor<2x7x4x8xf32>) -> tensor<2x5x3x7x4xf32>
//   batch [2], m 15, n 28, k 8; lhs strides [120], 8, 1; rhs [224], k 1, n 8; out [420], 28, 1
//
// All shapes are local. Pure functions of the op, safe from any thread.
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mlir::stablehlo {
class DotGeneralOp;
}

namespace tandem {

/// Sizes and strides in elements, as table Gemm of Program.fbs. `batch` has the outermost
/// dimension first; neighbours that collapse in both operands and the result are one, and those
/// of size 1 are left out.
struct GemmShape {
  llvm::SmallVector<int64_t> batch;
  int64_t m = 1, n = 1, k = 1;
  llvm::SmallVector<int64_t> lhsBatchStrides;
  int64_t lhsMStride = 1, lhsKStride = 1;
  llvm::SmallVector<int64_t> rhsBatchStrides;
  int64_t rhsKStride = 1, rhsNStride = 1;
  llvm::SmallVector<int64_t> outBatchStrides;
  int64_t outMStride = 1, outNStride = 1;

  /// Multiply-adds of the whole product.
  int64_t getMultiplies() const;
};

/// The library's view of `dot`, or nullopt if the dimensions of a role do not collapse, or if an
/// operand has neither of its matrix dimensions contiguous. Looks at shapes only.
std::optional<GemmShape> getGemmShape(mlir::stablehlo::DotGeneralOp dot);

/// Whether the library multiplies these element types: both operands f32, f64, bf16 or f16, the
/// result the same type or f32.
bool hasGemmTypes(mlir::stablehlo::DotGeneralOp dot);

} // namespace tandem
