// How elements are held in registers and memory.

#include "ElementKind.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tandem::codegen {

ElementKind elementKind(Type element) {
  MLIRContext *context = element.getContext();
  ElementKind kind;
  kind.element = element;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    kind.reg = complex;
    kind.memory = complex.getElementType();
    kind.bytes = 2 * complex.getElementType().getIntOrFloatBitWidth() / 8;
    return kind;
  }
  unsigned width = element.getIntOrFloatBitWidth();
  unsigned bits = std::max<unsigned>(8, llvm::PowerOf2Ceil(width));
  kind.bytes = bits / 8;
  if (isa<IntegerType>(element)) {
    kind.reg = IntegerType::get(context, width);
    kind.memory = IntegerType::get(context, bits);
  } else if (element.isF32() || element.isF64()) {
    kind.reg = kind.memory = element;
  } else {
    kind.reg = Float32Type::get(context);
    kind.memory = IntegerType::get(context, bits);
  }
  return kind;
}

} // namespace tandem::codegen
