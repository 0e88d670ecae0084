// The tandem dialect: registration, constants, and the checks of its discardable attributes.

#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tandem;

#include "tandem/IR/Tandem/TandemDialect.cpp.inc"

void TandemDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerOps();
}

Operation *TandemDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                              Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

int64_t tandem::getByteSize(RankedTensorType type) {
  Type element = type.getElementType();
  int64_t parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    element = complex.getElementType();
    parts = 2;
  }
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return type.getNumElements() * parts * ((bits + 7) / 8);
}

SmallVector<RankedTensorType> tandem::flattenToTensors(TypeRange types) {
  SmallVector<RankedTensorType> tensors;
  for (Type type : types) {
    if (auto future = dyn_cast<FutureType>(type))
      for (Type element : future.getTypes())
        tensors.push_back(cast<RankedTensorType>(element));
    else if (auto tensor = dyn_cast<RankedTensorType>(type))
      tensors.push_back(tensor);
  }
  return tensors;
}

/// One buffer that holds `type`.
static LogicalResult verifyBuffer(Operation *op, Attribute attr, RankedTensorType type,
                                  StringRef name) {
  auto buffer = dyn_cast<BufferAttr>(attr);
  if (!buffer)
    return op->emitError() << name << ": expected a #tandem.buffer, found " << attr;
  if (type && buffer.getBytes() < getByteSize(type))
    return op->emitError() << name << ": a " << type << " needs " << getByteSize(type)
                           << " bytes, found a buffer of " << buffer.getBytes();
  return success();
}

/// An array with one buffer for each tensor in `types`.
static LogicalResult verifyBuffers(Operation *op, NamedAttribute attr, TypeRange types) {
  StringRef name = attr.getName();
  auto buffers = dyn_cast<ArrayAttr>(attr.getValue());
  if (!buffers)
    return op->emitError() << name << ": expected an array of #tandem.buffer, found "
                           << attr.getValue();
  SmallVector<RankedTensorType> tensors = flattenToTensors(types);
  if (buffers.size() != tensors.size())
    return op->emitError() << name << ": expected " << tensors.size()
                           << " buffers, one per tensor (futures flattened), found "
                           << buffers.size();
  for (auto [buffer, tensor] : llvm::zip_equal(buffers, tensors))
    if (failed(verifyBuffer(op, buffer, tensor, name)))
      return failure();
  return success();
}

LogicalResult TandemDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kBuffersAttr)
    return verifyBuffers(op, attr, op->getResultTypes());
  if (name == kArgBuffersAttr) {
    auto loop = dyn_cast<LoopOp>(op);
    if (!loop)
      return op->emitError() << name << " belongs on a tandem.loop";
    if (loop.getBody().empty())
      return success(); // the op's own verifier objects
    return verifyBuffers(op, attr, loop.getBody().getArgumentTypes());
  }
  if (name == kStreamAttr && !isa<StreamAttr>(attr.getValue()))
    return op->emitError() << name << ": expected a #tandem.stream, found " << attr.getValue();
  if (name == kBufferAttr)
    return op->emitError() << name << " belongs on function arguments; ops have " << kBuffersAttr;
  return success();
}

LogicalResult TandemDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                                      unsigned argIndex, NamedAttribute attr) {
  if (attr.getName() != kBufferAttr)
    return success();
  RankedTensorType type;
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[argIndex]);
  return verifyBuffer(op, attr.getValue(), type, attr.getName());
}
