//===- KernelBuilder.h - Builds one kernel's loops and ops ----------*- C++ -*-===//
//
// An op builder that puts every op where it runs least often. The function under construction
// is a stack of scopes (its body, then the loops and branches being filled). A pure op goes to
// the end of the innermost scope that defines one of its operands, and an equal op that is
// still visible is taken instead: loop-invariant code motion and common subexpressions at the
// time of construction, since LLVM's optimiser does not run over kernels.
//
//   scope 0  llvm.func          %c = constant, loads at constant places
//   scope 1    scf.for %i         %row = %i * 128, reductions over the row
//   scope 2      scf.for %j         %at = %row + %j, load, arithmetic, store
//
// Loads move the same way, but never out of a branch (a guard), where their address may be bad.
//
// Indices and loop variables are i64. A Place names a scope that may have been left since.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_LIB_CODEGEN_KERNELBUILDER_H
#define TANDEM_LIB_CODEGEN_KERNELBUILDER_H

#include "ElementKind.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tandem::codegen {

using mlir::Type;
using mlir::Value;
using Values = llvm::SmallVector<Value>;

/// What is known of the machine that the kernel will run on.
struct KernelTarget {
  /// Bytes of the widest vector registers: 64, 32 or 16.
  unsigned vectorBytes = 16;
  /// Whether one instruction multiplies sixteen floats by powers of two (AVX-512's vscalefps).
  bool scalesByPowers = false;
  /// Whether one gives the greater or smaller of sixteen floats, 0 and -0 apart (AVX-512's
  /// vrangeps).
  bool ordersZeros = false;
};

class KernelBuilder {
public:
  /// Starts filling `function`, which has an empty entry block.
  KernelBuilder(mlir::LLVM::LLVMFuncOp function, KernelTarget target);

  mlir::MLIRContext *context() { return builder.getContext(); }
  const KernelTarget &target() const { return machine; }
  mlir::OpBuilder &raw() { return builder; }
  mlir::Location loc() { return builder.getLoc(); }

  //===--- Scopes ---===//

  struct Place {
    unsigned depth = 0, id = 0;
  };
  unsigned depth() const { return scopes.size() - 1; }
  /// The scope that defines `value`.
  Place placeOf(Value value) const;
  Place here() const { return {depth(), scopes.back().id}; }
  /// True if what `place` holds can be used here.
  bool isVisible(Place place) const {
    return place.depth < scopes.size() && scopes[place.depth].id == place.id;
  }
  /// The depth of the innermost branch, above which nothing may be loaded.
  unsigned guardDepth() const;
  /// The least depth that sees all `values`.
  unsigned depthOf(mlir::ValueRange values) const;
  /// Runs `fill` as if all scopes below `depth` had not been opened yet.
  void atDepth(unsigned depth, llvm::function_ref<void()> fill);

  //===--- Ops ---===//

  /// Creates a pure op at its best place, or finds an equal one.
  template <typename Op, typename... Args> Value make(Args &&...args) {
    return place(Op::create(builder, std::forward<Args>(args)...), 0);
  }
  /// Creates an op right here.
  template <typename Op, typename... Args> Op put(Args &&...args) {
    return Op::create(builder, std::forward<Args>(args)...);
  }

  /// for (iv = low; iv < high; iv += step), carrying `inits`. Returns the final values.
  /// Runs `body` once without a loop when there is exactly one trip, and not at all for none.
  using LoopBody = llvm::function_ref<Values(Value iv, mlir::ValueRange carried)>;
  Values loop(Value low, Value high, int64_t step, mlir::ValueRange inits, LoopBody body);
  /// One that runs at least once, or over addresses that are good in any case: loads may move out
  /// of it.
  void loopOverSlice(Value low, Value high, int64_t step, llvm::function_ref<void(Value iv)> body);
  Values loop(int64_t low, int64_t high, int64_t step, mlir::ValueRange inits, LoopBody body);
  /// A loop that carries nothing.
  void loop(int64_t low, int64_t high, int64_t step, llvm::function_ref<void(Value iv)> body);
  /// A loop nest with index variables over `shape`, in row-major order.
  void nest(llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(mlir::ValueRange ivs)> body);
  /// while (condition(carried)) carried = body(carried).
  Values whileLoop(mlir::ValueRange inits, llvm::function_ref<Value(mlir::ValueRange)> condition,
                   llvm::function_ref<Values(mlir::ValueRange)> body);
  /// condition ? then() : otherwise(), both guards, yielding values of `types`.
  Values branch(Value condition, mlir::TypeRange types, llvm::function_ref<Values()> then,
                llvm::function_ref<Values()> otherwise);
  /// if (condition) then().
  void when(Value condition, llvm::function_ref<void()> then);

  //===--- Index arithmetic: i64 scalars, folded ---===//

  Value index(int64_t value);
  std::optional<int64_t> constantOf(Value value) const;
  Value addI(Value a, Value b);
  Value addI(Value a, int64_t b) { return addI(a, index(b)); }
  Value subI(Value a, Value b);
  Value mulI(Value a, Value b);
  Value mulI(Value a, int64_t b) { return mulI(a, index(b)); }
  /// Of values that are not negative.
  Value divI(Value a, int64_t b);
  Value remI(Value a, int64_t b);
  /// min(max(a, low), high), signed.
  Value clampI(Value a, int64_t low, int64_t high);
  /// low <= a && a < high, signed.
  Value isBetween(Value a, int64_t low, int64_t high);
  Value andI1(Value a, Value b);

  //===--- Memory ---===//

  /// Elements of type `memory` at `base[offset]`, `lanes` of them (1: a scalar). A stride other
  /// than 1 gathers. `mask` (may be null) says which lanes exist; others read as zero.
  /// Invariant loads may move out of loops.
  struct Access {
    Value base, offset;
    Type memory;
    int64_t lanes = 1, laneStride = 1;
    Value mask = {};
  };
  Value load(const Access &access, bool invariant);
  void store(Value value, const Access &access);
  /// Has the second cache fetch what such a load would read, which may lie outside of any array.
  void prefetch(const Access &access);
  /// Uninitialised bytes that live as long as the function runs: on the stack, unless large.
  Value allocate(int64_t bytes);
  /// Constant bytes that outlive the function.
  Value constantBytes(llvm::StringRef bytes);
  void copyBytes(Value to, Value from, int64_t bytes);

  /// A call of the pure function `name` on scalars, declared in the module at its first use.
  Value call(llvm::StringRef name, Type type, mlir::ValueRange arguments);

  /// Ends the function: frees what `allocate` took from the heap, and returns.
  void finish();

private:
  struct Scope {
    mlir::Block *block;
    mlir::Operation *holder;
    bool guard;
    unsigned id;
    /// What ends the part of the block being filled; null: the block's end.
    mlir::Operation *before = nullptr;
  };
  void push(mlir::Block *block, mlir::Operation *holder, bool guard);
  void pop();
  void resetInsertion();
  Value place(mlir::Operation *op, unsigned minDepth);
  Value addressOf(const Access &access);

  mlir::ImplicitLocOpBuilder builder;
  mlir::LLVM::LLVMFuncOp function;
  KernelTarget machine;
  llvm::SmallVector<Scope> scopes;
  unsigned nextScope = 0;
  llvm::DenseMap<mlir::Block *, Place> placeOfBlock;
  /// Visible pure ops by hash, for reuse.
  llvm::DenseMap<unsigned, llvm::SmallVector<std::pair<mlir::Operation *, Place>, 1>> known;
  int64_t stackBytes = 0, nextConstant = 0;
  Values heap;
};

} // namespace tandem::codegen

#endif // TANDEM_LIB_CODEGEN_KERNELBUILDER_H
