// Structural equality of kernels.

#include "tandem/Codegen/Kernels.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace tandem {
namespace {

llvm::ArrayRef<uint8_t> asBytes(llvm::ArrayRef<char> data) {
  return {reinterpret_cast<const uint8_t *>(data.data()), data.size()};
}

} // namespace

bool kernelsEqual(KernelOp a, KernelOp b) {
  return TypeRange(a.getInputs()) == TypeRange(b.getInputs()) &&
         TypeRange(a.getOutputs()) == TypeRange(b.getOutputs()) &&
         a.getInPlaceAttr() == b.getInPlaceAttr() &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

llvm::hash_code kernelHash(KernelOp kernel) {
  // Names, types and numbers in order; other attributes are left to kernelsEqual. Pointers differ
  // from run to run, text does not.
  std::string text;
  llvm::raw_string_ostream out(text);
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    out << op->getName();
    for (Value operand : op->getOperands())
      if (auto result = dyn_cast<OpResult>(operand))
        out << ' ' << result.getOwner()->getName() << result.getResultNumber();
      else
        out << " %" << cast<BlockArgument>(operand).getArgNumber();
    out << ':';
    llvm::interleaveComma(op->getResultTypes(), out);
    // What the kernels of an unrolled loop differ in: offsets, constants.
    for (NamedAttribute attribute : op->getAttrDictionary()) {
      if (auto elements = dyn_cast<DenseElementsAttr>(attribute.getValue()))
        out << llvm::xxh3_64bits(asBytes(elements.getRawData())) << ' ';
      else if (auto numbers = dyn_cast<DenseArrayAttr>(attribute.getValue()))
        out << llvm::xxh3_64bits(asBytes(numbers.getRawData())) << ' ';
      else if (auto number = dyn_cast<IntegerAttr>(attribute.getValue()))
        out << number.getValue() << ' ';
    }
    out << ';';
  });
  llvm::interleaveComma(kernel.getInputs().getTypes(), out);
  return llvm::hash_code(llvm::xxh3_64bits(text));
}

} // namespace tandem
