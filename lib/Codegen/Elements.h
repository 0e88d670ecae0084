//===- Elements.h - One element of a value, wherever it is needed ---*- C++ -*-===//
//
// A kernel is compiled by asking for elements: "the element of value V at index I" is emitted by
// asking for the elements of V's operands that it reads, down to what lies in memory (the
// kernel's operands, scratch buffers, results already written). Fusion needs nothing else: an
// elemental op costs what it computes, at the place where it is used.
//
//   %s = reduce max %x over dim 1;  %b = broadcast %s;  %d = subtract %x, %b;  yield %d
//
//   for i:                                   element(%d, [i, j])
//     m = -inf; for k: m = max(m, x[i, k])     element(%b, [i, j]) = element(%s, [i]),
//     for j: d[i, j] = x[i, j] - m             which stands where [i] is known
//
// Elements are remembered per value and index while the scope that computes them is open.
//
// An index may stand for several elements at once (lanes): consecutive steps along one of its
// dimensions. The element is then a vector. An index without lanes gives a scalar; where both
// meet, the scalar is splat.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_LIB_CODEGEN_ELEMENTS_H
#define TANDEM_LIB_CODEGEN_ELEMENTS_H

#include "IndexMaps.h"
#include "ScalarEmitter.h"

#include "llvm/ADT/MapVector.h"

namespace tandem::codegen {

/// How an index changes from lane to lane: `stride` steps along dimension `dim`, -1 for none. Of
/// an index that is one row-major position, the dimension is 0.
struct Lane {
  int dim = -1;
  int64_t stride = 0;
  bool operator==(const Lane &) const = default;
  explicit operator bool() const { return dim >= 0; }
};

struct Index {
  /// Per dimension, i64; of the first lane.
  Values dims;
  /// Instead of `dims`: the row-major position. The shape does not matter then.
  Value linear;
  Lane lane;
  /// With a lane dimension: how many, and which of them exist (null: all).
  int64_t lanes = 1;
  Value mask;
  bool operator==(const Index &) const = default;
};

/// A dense row-major tensor in memory.
struct Buffer {
  Value base;
  llvm::SmallVector<int64_t> shape;
  ElementKind kind;
};

class Elements {
public:
  Elements(KernelBuilder &builder, ScalarEmitter &scalars) : k(builder), s(scalars) {}

  /// The elements of `value` are those in `buffer` from now on.
  void bind(Value value, Buffer buffer) {
    memory[value] = std::move(buffer);
    laneAnswers.clear();
    linearAnswers.clear();
    weights.clear();
  }
  bool isBound(Value value) const { return memory.contains(value); }
  const Buffer &bufferOf(Value value) const { return memory.find(value)->second; }

  /// Keeps the elements of `value` along dimension `dim`, which `reduce` reduces: while that runs
  /// over a row of them it stores them in `row`, and until the row is left they are read there.
  /// `row` has the place of one row, or of all that `value` has.
  void keepRow(Value value, mlir::stablehlo::ReduceOp reduce, int dim, Buffer row) {
    kept[value] = {std::move(row), dim, reduce, {}, {}, KeptRow::Empty};
  }
  bool isKept(Value value) const { return kept.contains(value); }

  /// The element of `value` at `index`: a register, a vector if the index has lanes and the
  /// element differs between them (splat makes sure).
  Value element(Value value, const Index &index);
  /// The only element of a scalar.
  Value scalar(Value value) { return element(value, Index()); }
  /// The values that a region of scalar ops returns.
  Values inlineRegion(mlir::Region &region, mlir::ValueRange arguments);

  /// A start index of a dynamic slice or update: min(max(scalar, 0), maxStart).
  Value clampedStart(Value scalar, int64_t maxStart);

  Value load(const Buffer &buffer, const Index &index, bool invariant = true);
  void store(Value value, const Buffer &buffer, const Index &index);
  /// Has the element `distance` places behind that at `index` fetched, which need not exist.
  void prefetch(const Buffer &buffer, const Index &index, int64_t distance);
  /// The row-major position of an index (of its first lane).
  Value positionOf(llvm::ArrayRef<int64_t> shape, const Index &index);

  //===--- Lanes.cpp ---===//

  /// True if element(value, index) can be emitted for an index with such lanes. Without
  /// `mayGather`, only if it reads neighbours from memory.
  bool supportsLanes(Value value, Lane lane, bool mayGather = true);
  /// True if it can for an index that is a position.
  bool supportsLinear(Value value);
  /// True if it can for one that is a position with lanes.
  bool supportsLinearLanes(Value value) { return supportsLinear(value) && !usesComplex(value); }
  /// Number of ops that one element takes, roughly; what lies in memory is free.
  int64_t weightOf(Value value);
  /// The same for what an element takes that stands where lanes run along `lane`: what is known
  /// once for all of them is free.
  int64_t weightAlong(Value value, Lane lane);
  /// Lanes of a vector register of 32-bit elements.
  int64_t lanes() const { return k.target().vectorBytes / 4; }
  /// A mask of `count` lanes of lanes().
  Value maskOf(int64_t count);

private:
  bool usesComplex(Value value);
  Value compute(Value value, const Index &index);
  Value constantElement(mlir::stablehlo::ConstantOp op, const Index &index);
  Value iotaElement(mlir::stablehlo::IotaOp op, const Index &index);
  Value bitcastComplex(mlir::stablehlo::BitcastConvertOp op, const Index &index);
  Value bitcastElement(mlir::stablehlo::BitcastConvertOp op, const Index &index);
  Value guardedElement(Value result, const Index &index);
  /// The index into an operand of an op that reads it in one place, and the condition under
  /// which it does (null: always).
  std::pair<Index, Value> operandIndex(mlir::Operation *op, unsigned number, const Index &index,
                                       llvm::ArrayRef<Value> inner = {});
  /// Sets the element of each result of `op`, at its least depth.
  void loopingElement(mlir::Operation *op, const Index &index);
  Index linearOperandIndex(mlir::Operation *op, const Index &index);

  // Reductions.cpp
  Values reduceElement(mlir::stablehlo::ReduceOp op, const Index &index);
  Values reduceSerially(mlir::stablehlo::ReduceOp op, const Index &index);
  Value reduceInLanes(mlir::stablehlo::ReduceOp op, const Index &index, mlir::Operation *combiner);
  Values reduceWindowElement(mlir::stablehlo::ReduceWindowOp op, const Index &index);
  Value productElement(mlir::Operation *op, const Index &index);
  Value multiplyAdd(Value a, Value b, Value sum, const ElementKind &kind);
  Value splatFor(Value value, const Index &index) {
    return s.splat(value, index.lane ? index.lanes : 1);
  }

  /// A row of elements that a reduction leaves behind, see keepRow.
  struct KeptRow {
    Buffer row;
    int dim;
    mlir::Operation *reduce;
    /// Where the row lies (without `dim`), and for how long it does.
    Values outer;
    KernelBuilder::Place place;
    enum { Empty, Filling, Full } state;
  };
  /// The kept row's element at `index`; null if it is not in the row.
  Value keptElement(Value value, const Index &index);
  void keepElement(Value value, const Index &index, Value element);
  /// Where in the row the element at `index` lies, if it does.
  std::optional<Index> withinRow(const KeptRow &row, const Index &index) const;

  struct Remembered {
    Index index;
    Value element;
    KernelBuilder::Place place;
  };
  KernelBuilder &k;
  ScalarEmitter &s;
  llvm::DenseMap<Value, Buffer> memory;
  llvm::DenseMap<Value, llvm::SmallVector<Remembered, 2>> remembered;
  llvm::MapVector<Value, KeptRow> kept;
  llvm::DenseMap<Value, Value> regionArguments;
  llvm::DenseMap<std::tuple<Value, int, int64_t, int>, bool> laneAnswers;
  llvm::DenseMap<Value, bool> linearAnswers, complexAnswers;
  llvm::DenseMap<Value, int64_t> weights;
};

/// The op that a reducer consists of (add, multiply, maximum, minimum, and, or, xor of its two
/// arguments), or null. Such a reduction may be taken apart and put together in any order.
mlir::Operation *combinerOf(mlir::Region &region);
/// How the index into operand `number` changes from lane to lane, when `lane` says how the result's
/// does, or (innerLane) the lanes are steps of an inner loop. Nothing if not evenly.
std::optional<Lane> operandLane(mlir::Operation *op, unsigned number, Lane lane,
                                std::optional<unsigned> innerLane = std::nullopt);
/// True if `op` moves data only where its index map says, unconditionally: the element is the
/// operand's.
bool isPureMove(mlir::Operation *op);

} // namespace tandem::codegen

#endif // TANDEM_LIB_CODEGEN_ELEMENTS_H
