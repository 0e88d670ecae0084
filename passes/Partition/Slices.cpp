// Slices and joins along one dimension.
#include "passes/Partition/Slices.h"

#include "tandem/IR/StableHLO/StablehloOps.h"

namespace tandem {
using namespace mlir;

RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

RankedTensorType withSize(RankedTensorType type, int64_t dim, int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return RankedTensorType::get(shape, type.getElementType());
}

Value createSlice(OpBuilder &b, Location loc, Value value, int64_t dim, int64_t start,
                  int64_t size) {
  RankedTensorType type = typeOf(value);
  if (start == 0 && size == type.getDimSize(dim))
    return value;
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()),
      strides(type.getRank(), 1);
  starts[dim] = start;
  limits[dim] = start + size;
  return stablehlo::SliceOp::create(b, loc, withSize(type, dim, size), value,
                                    b.getDenseI64ArrayAttr(starts), b.getDenseI64ArrayAttr(limits),
                                    b.getDenseI64ArrayAttr(strides));
}

Value createConcat(OpBuilder &b, Location loc, ArrayRef<Value> values, int64_t dim) {
  if (values.size() == 1)
    return values.front();
  int64_t size = 0;
  for (Value value : values)
    size += typeOf(value).getDimSize(dim);
  return stablehlo::ConcatenateOp::create(b, loc, withSize(typeOf(values.front()), dim, size),
                                          values, b.getI64IntegerAttr(dim));
}

} // namespace tandem
