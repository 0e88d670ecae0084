// Gives every value the smallest type that its sharding divides evenly.
//
//   %y = tanh %x : tensor<7xf32>, split in 4      tensor<8xf32>, whose last element is anything
//   %s = reduce add %y across 0                   reduce add of select(iota < 7, %y, 0)
//
// What lies behind a dimension's elements is undefined; ops that would read it mask it, ops that
// cannot do without the true size read the value cut to it. One factor of an op's sharding rule
// (tandem/Sharding/Rule.h) has one padded size in all its tensors: that of the result, else, of a
// reduction, the largest of the operands'.
#ifndef TANDEM_PASSES_SHARD_UNEVENPADDER_H
#define TANDEM_PASSES_SHARD_UNEVENPADDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Sharding/Rule.h"
#include "tandem/Sharding/Sharding.h"
#include "llvm/ADT/DenseMap.h"

namespace tandem {

/// Edits the function in place; reads the `sdy.sharding` of every value and keeps them complete.
class UnevenPadder {
public:
  UnevenPadder(mlir::func::FuncOp main, const MeshSet &meshes)
      : main(main), meshes(meshes), mesh(meshes.getMain()), b(main.getContext()) {}

  /// Does nothing where every sharding divides.
  void run();

  unsigned numPadded = 0; // values of a larger type
  unsigned numCut = 0;    // operands that had to be cut to their true size

private:
  using Shape = llvm::SmallVector<int64_t>;
  /// An op whose operands or results are padded, while it is rewritten. Shapes are global.
  struct Work {
    mlir::Operation *op;
    const ShardingRule &rule;
    llvm::SmallVector<Shape> wanted; // of operands
    llvm::SmallVector<Shape> made;   // of results, by the op itself
    llvm::SmallVector<Shape> shift;  // of results: where the true elements begin
    struct Mask {
      unsigned operand;
      int64_t dim;
      mlir::Attribute fill;     // null: the operand
      unsigned fillOperand = 1; // a scalar
    };
    llvm::SmallVector<Mask> masks;
  };

  // --- The walk (UnevenPadder.cpp) ---
  /// Whether any value is split unevenly; notes the rules of the ops that touch one.
  bool collect(mlir::Block &block);
  void padBlock(mlir::Block &block);
  void padOp(mlir::Operation *op);
  void padByRule(mlir::Operation *op, const ShardingRule &rule);
  void padControl(mlir::Operation *op);
  Sharding shardingOf(mlir::Value value) const;
  Sharding resultSharding(unsigned index) const;
  mlir::RankedTensorType paddedType(mlir::Value value) const;
  /// The type before padding.
  mlir::RankedTensorType trueType(mlir::Value value) const;
  void setType(mlir::Value value, mlir::RankedTensorType type);
  void setShardings(mlir::Operation *op, llvm::ArrayRef<Sharding> shardings);
  /// Makes an operand of another shape.
  void fit(mlir::OpOperand &operand, llvm::ArrayRef<int64_t> shape);
  void fit(mlir::OpOperand &operand, llvm::ArrayRef<int64_t> shape, const Sharding &sharding);
  /// What is left of a tensor's sharding at a shape that the op asks for. Where the op needs a
  /// dimension whole, what split it splits another one (rule A10), if there is one.
  Sharding shardingAt(const ShardingRule &rule, unsigned tensor, Sharding sharding,
                      mlir::RankedTensorType type) const;
  /// The elements from `begin` on, as many as `shape` says; behind the value's own come zeros.
  mlir::Value resize(mlir::Value value, llvm::ArrayRef<int64_t> begin,
                     llvm::ArrayRef<int64_t> shape, const Sharding &sharding, mlir::Location loc);
  mlir::Value scalar(mlir::Attribute value, mlir::Type element, mlir::Location loc);
  /// Whether an element of a dimension is one of the first `size`; of the type and sharding of the
  /// value.
  mlir::Value isBefore(mlir::Value value, int64_t dim, int64_t size, mlir::Location loc);
  /// `fill` (a scalar) from element `size` of a dimension on.
  mlir::Value mask(mlir::Value value, int64_t dim, int64_t size, mlir::Value fill,
                   mlir::Location loc);
  void clampIndex(mlir::OpOperand &index, int64_t most);
  /// The same for one of the components of index vectors.
  void clampComponent(mlir::OpOperand &indices, int64_t vectorDim, int64_t component, int64_t most);

  // --- Ops that do more than pass dimensions on (PadUneven.cpp) ---
  /// What a reduction over a padded dimension needs; false if it must see the true size.
  bool prepareReduction(Work &work, unsigned factor, int64_t size);
  /// Ranges of a padded dimension; sizes stay the true ones where an op cannot take part.
  void prepareRange(Work &work, unsigned factor);
  /// A join along a dimension that is padded somewhere, as pads and updates (UnevenJoins.cpp).
  void padJoin(mlir::stablehlo::ConcatenateOp op);
  /// Makes attributes that hold sizes fit the new types; may replace the op by another.
  mlir::Operation *updateAttributes(Work &work);

  mlir::func::FuncOp main;
  const MeshSet &meshes;
  const DeviceMesh &mesh;
  mlir::OpBuilder b;
  llvm::SmallVector<mlir::RankedTensorType> resultTypes;         // of the function, padded
  llvm::DenseMap<mlir::Value, mlir::RankedTensorType> trueTypes; // look-ups only
  llvm::DenseMap<mlir::Operation *, ShardingRule> rules;         // look-ups only
};

} // namespace tandem

#endif // TANDEM_PASSES_SHARD_UNEVENPADDER_H
