//===- KernelEmitter.h - One kernel's function ----------------------*- C++ -*-===//
//
// Emits, for a tandem.kernel, the function `<symbol>.body(operands..., results..., begin, end)`
// over bare pointers, and the entry `<symbol>(void *const *buffers, begin, end)` that loads and
// passes them.
//
// A kernel that is one loop nest (or windows that lie apart) can be run in slices, on several
// threads: its outermost loops count units from `begin` to `end`. Every element is computed as it
// is in the whole, so the slices change no bit. It stays whole if a reduction stands before the
// nest, which each slice would repeat.
//
// The steps of the Plan are written one after the other: loop nests, whose innermost loop runs
// in vector registers where all that it reads allows (Elements::supportsLanes); parts into windows;
// and ops that write whole buffers. What is only needed inside lies in scratch: on the stack up
// to 64 KiB in all, beyond that from malloc and free, which the loader must then resolve, as the
// functions of the C library that ScalarMath.cpp calls.
//
// In-place pairs: the two pointers may or may not be the same. Where the pair is not one that
// whyNotInPlace allows, the result is made in scratch and copied at the end.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_LIB_CODEGEN_KERNELEMITTER_H
#define TANDEM_LIB_CODEGEN_KERNELEMITTER_H

#include "Elements.h"
#include "Plan.h"

namespace tandem::codegen {

class KernelEmitter {
public:
  /// Adds both functions to `module`; returns how many units there are, 1 where it is not sliced.
  static int64_t emit(KernelOp kernel, llvm::StringRef symbol, mlir::ModuleOp module,
                      KernelTarget target);

private:
  KernelEmitter(KernelOp kernel, mlir::LLVM::LLVMFuncOp function, KernelTarget target);
  void run();

  /// Where elements go: all of a buffer, or element i of them to offsets + i * steps.
  struct Window {
    Buffer buffer;
    Values offsets;
    llvm::SmallVector<int64_t> steps;
    bool isWhole() const { return offsets.empty(); }
  };
  Window wholeOf(Buffer buffer) { return {std::move(buffer), {}, {}}; }
  Window within(const Window &outer, llvm::ArrayRef<Value> offsets,
                llvm::ArrayRef<int64_t> steps = {});

  //===--- Nests (KernelEmitter.cpp) ---===//

  /// Whether all results that read `operand` are written by the step that writes `result`.
  bool isReadInOneStep(mlir::Value operand, mlir::Value result);
  /// What `value` is only another shape of.
  mlir::Value behindReshapes(mlir::Value value) const;
  void emitStep(const Plan::Step &step);
  bool canBeSliced(const Plan::Step &step) const;
  /// Writes all elements of `value`, in whichever way is best.
  void emitInto(mlir::Value value, const Window &to);
  void emitNest(llvm::ArrayRef<mlir::Value> values, llvm::ArrayRef<Window> to, bool sliced = false);
  void emitParts(mlir::Value value, const Window &to);
  void fill(Value scalar, const Window &to, llvm::ArrayRef<int64_t> shape);
  /// Visits [0, count): many lanes at a time if `inLanes`, and the rest under a mask.
  using Visit = llvm::function_ref<void(Value at, int64_t lanes, Value mask)>;
  void visitChunks(int64_t count, bool inLanes, int64_t unroll, Visit visit);
  /// The same, of a slice only.
  void visitSlicedChunks(int64_t count, bool inLanes, int64_t unroll, Visit visit);
  /// The indices of `shape`; of a slice of the outermost ones if `sliced`.
  void visitRows(llvm::ArrayRef<int64_t> shape, bool sliced,
                 llvm::function_ref<void(mlir::ValueRange outer)> body);
  Value sliceBegin() { return function.getArgument(function.getNumArguments() - 2); }
  Value sliceEnd() { return function.getArgument(function.getNumArguments() - 1); }
  void storeAt(Value element, const Window &to, const Index &index);
  bool isContiguous(const Window &to, int dim) const;
  /// The reductions over rows along `dim` that `values`, written row by row, are computed from.
  llvm::SmallVector<mlir::stablehlo::ReduceOp> rowReductions(llvm::ArrayRef<mlir::Value> values,
                                                             int dim);
  /// Whether `value` is computed from others at its own index, in the rows of `shape`.
  bool isInRow(mlir::Value value, llvm::ArrayRef<int64_t> shape) const;
  /// What the input of `reduce` is computed from at its own index, itself included.
  llvm::SetVector<mlir::Value> inputsInRow(mlir::stablehlo::ReduceOp reduce) const;
  /// Of values written row by row along `dim`: has the dear elements that one of `reductions`, over
  /// the same row, computes as well kept, and returns those that must come before the row.
  llvm::SmallVector<mlir::stablehlo::ReduceOp>
  keepRows(llvm::ArrayRef<mlir::Value> values, llvm::ArrayRef<Window> to, int dim,
           llvm::ArrayRef<mlir::stablehlo::ReduceOp> reductions);
  /// What `reductions` read from memory, of which the next row is worth fetching while the last
  /// turn through a row leaves memory idle.
  llvm::SmallVector<mlir::Value>
  rowsToFetch(llvm::ArrayRef<mlir::stablehlo::ReduceOp> reductions) const;
  /// Which of `known`, reductions of rows, read `value`; nothing if anything but those and what
  /// reads it at its own index does.
  std::optional<llvm::SmallVector<mlir::stablehlo::ReduceOp>>
  reductionsReading(mlir::Value value, llvm::ArrayRef<mlir::stablehlo::ReduceOp> known) const;
  /// Which of the places of `values`, those `taken` left out, can hold the rows of `value` until
  /// they are written.
  std::optional<unsigned> rowsFor(mlir::Value value, llvm::ArrayRef<mlir::Value> values,
                                  llvm::ArrayRef<Window> to,
                                  const llvm::SmallBitVector &taken) const;
  /// Copies bytes unless both pointers are the same.
  void copy(const Buffer &to, const Buffer &from);
  Buffer scratch(mlir::Type element, llvm::ArrayRef<int64_t> shape);
  /// Whether `value` is computed from `source`, or is it.
  bool dependsOn(mlir::Value value, mlir::Value source) const;

  //===--- Ops that write buffers (RandomBits.cpp, Scatter.cpp, ...) ---===//

  void emitRandomBits(mlir::stablehlo::RngBitGeneratorOp op, llvm::ArrayRef<Buffer> to);
  void emitScatter(mlir::stablehlo::ScatterOp op, llvm::ArrayRef<Buffer> to);
  void emitSort(mlir::stablehlo::SortOp op, llvm::ArrayRef<Buffer> to);
  void emitSelectAndScatter(mlir::stablehlo::SelectAndScatterOp op, Buffer to);
  /// Whether its windows are inside and apart, along whole rows.
  static bool scattersApart(mlir::stablehlo::SelectAndScatterOp op);
  /// Whether such windows leave no place out.
  static bool coversAll(mlir::stablehlo::SelectAndScatterOp op);
  void emitScatterApart(mlir::stablehlo::SelectAndScatterOp op, Buffer to, bool sliced);

  KernelOp kernel;
  mlir::LLVM::LLVMFuncOp function;
  KernelBuilder k;
  ScalarEmitter s;
  Elements elements;
  Plan plan;
  bool mayBeSliced = false;
  int64_t units = 1;
  /// Where each value of a step is written.
  llvm::DenseMap<mlir::Value, Buffer> homes;
  /// Operand that a value may be written over.
  llvm::DenseMap<mlir::Value, mlir::Value> inPlaceOperands;
};

} // namespace tandem::codegen

#endif // TANDEM_LIB_CODEGEN_KERNELEMITTER_H
