// Emits the commands of one function: block order, control as jumps, and for each command the
// bytes it touches, from which EventWaits derives the waits.
#ifndef TANDEM_PASSES_LOWER_COMMANDEMITTER_H
#define TANDEM_PASSES_LOWER_COMMANDEMITTER_H

#include <map>
#include <vector>

#include "passes/Lower/EventWaits.h"
#include "passes/Lower/ProgramParts.h"
#include "tandem/Analysis/Rotation.h"
#include "tandem/Cost/EventSimulation.h"

namespace tandem {

class CommandEmitter {
public:
  // `kernels` maps symbols to indices of program.kernels.
  CommandEmitter(mlir::func::FuncOp func, const CostModel &cost,
                 const llvm::DenseMap<mlir::StringAttr, unsigned> &kernels,
                 program::ProgramT &program);

  // Appends buffers, collectives and commands to the program. Errors are emitted.
  llvm::LogicalResult emit();

private:
  using Items = std::vector<ProgramItem>;

  llvm::LogicalResult emitBlock(mlir::Block &block, Items &items);
  llvm::LogicalResult emitOp(mlir::Operation *op, Items &items);
  llvm::LogicalResult emitStart(StartOp start, Items &items);
  llvm::LogicalResult emitGemm(GemmOp gemm, Items &items);
  llvm::LogicalResult emitCall(CallOp call, Items &items);
  llvm::LogicalResult emitLoop(LoopOp loop, Items &items);
  llvm::LogicalResult emitCase(CaseOp branches, Items &items);

  // Adds a command for `op` on the stream of the op (or the host); notes its accesses.
  template <typename Body>
  program::CommandT &add(Body body, mlir::Operation *op, Items &items,
                         llvm::ArrayRef<mlir::Value> reads, llvm::ArrayRef<mlir::Value> writes,
                         bool host = false, llvm::StringRef name = "");
  program::BufferRef ref(unsigned piece);
  program::BufferRef ref(mlir::Value value) { return ref(aliasing.id(value)); }
  std::vector<program::BufferRef> refs(mlir::ValueRange values);
  ByteAccess access(unsigned piece, bool write);
  BufferAttr bufferOf(unsigned piece);
  int streamOf(mlir::Operation *op);
  void noteBuffers();
  uint32_t next() const { return static_cast<uint32_t>(program.commands.size()); }

  mlir::func::FuncOp func;
  const CostModel &cost;
  EventSimulation simulation;
  const llvm::DenseMap<mlir::StringAttr, unsigned> &kernels;
  program::ProgramT &program;
  Aliasing aliasing;
  Rotation rotation;
  std::vector<BufferAttr> buffers; // by piece
  std::map<std::tuple<int, unsigned, int64_t, int64_t, int64_t, int64_t, int>, uint32_t> bufferIds;
  llvm::DenseMap<mlir::Operation *, int> loopIds;
  std::map<std::pair<int, unsigned>, unsigned> spaces;
  std::vector<IssuedCommand> issued;
  // Commands behind a token: complete when all of them are.
  llvm::DenseMap<mlir::Operation *, std::vector<unsigned>> commandsOf;
};

} // namespace tandem

#endif // TANDEM_PASSES_LOWER_COMMANDEMITTER_H
