// Reads the attributes that hold addresses.
#include "tandem/IR/Tandem/Buffers.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tandem {

using mlir::Operation;
using mlir::Value;

CopyRegionAnalysis copyRegionAnalysis(mlir::ModuleOp module) {
  auto mode = module->getAttrOfType<mlir::StringAttr>("tandem.copy_region_analysis");
  if (mode && mode.getValue() == "off")
    return CopyRegionAnalysis::Off;
  return mode && mode.getValue() == "on" ? CopyRegionAnalysis::On
                                         : CopyRegionAnalysis::AfterSchedule;
}

BufferAttr assignedBuffer(Value value) {
  mlir::ArrayAttr buffers;
  mlir::ValueRange before;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto func = llvm::dyn_cast<mlir::FunctionOpInterface>(parent))
      return func.getArgAttrOfType<BufferAttr>(argument.getArgNumber(), kBufferAttr);
    buffers = parent->getAttrOfType<mlir::ArrayAttr>(kArgBuffersAttr);
    before = argument.getOwner()->getArguments().take_front(argument.getArgNumber());
  } else {
    auto result = llvm::cast<mlir::OpResult>(value);
    buffers = result.getOwner()->getAttrOfType<mlir::ArrayAttr>(kBuffersAttr);
    before = result.getOwner()->getResults().take_front(result.getResultNumber());
  }
  if (!buffers)
    return {};
  const size_t index = flattenToTensors(mlir::TypeRange(before)).size();
  return index < buffers.size() ? llvm::dyn_cast<BufferAttr>(buffers[index]) : BufferAttr();
}

bool isElided(CopyOp copy) {
  if (copy->getNumOperands() != 1 || copy->getNumResults() != 1)
    return false; // tokens want an op
  BufferAttr from = assignedBuffer(copy.getInput());
  return from && from.getSlots() == 1 && from == assignedBuffer(copy.getOutput());
}

} // namespace tandem
