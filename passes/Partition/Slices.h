// Slices and joins of arrays along one dimension.
#ifndef TANDEM_PASSES_PARTITION_SLICES_H
#define TANDEM_PASSES_PARTITION_SLICES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem {

mlir::RankedTensorType typeOf(mlir::Value value);
/// `type` with another size of one dimension.
mlir::RankedTensorType withSize(mlir::RankedTensorType type, int64_t dim, int64_t size);

/// `value`[start, start + size) along `dim`.
mlir::Value createSlice(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, int64_t dim,
                        int64_t start, int64_t size);
/// Values side by side along `dim`.
mlir::Value createConcat(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<mlir::Value> values,
                         int64_t dim);

} // namespace tandem

#endif // TANDEM_PASSES_PARTITION_SLICES_H
