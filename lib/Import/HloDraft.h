// Computations in the making, for what writes programs as HLO.
#pragma once

#include "tandem/Import/Hlo.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <memory>

namespace tandem::hlo {

using Attrs = llvm::SmallVector<Attribute, 6>;

// What all computations of a module share: names, shapes, values in its arena.
class ModuleDraft {
public:
  explicit ModuleDraft(Module &module) : module(module) {}

  Module &getModule() { return module; }

  // `base`, or with a number behind it if it is taken. Characters that names cannot have become _.
  StringRef uniqueName(StringRef base);
  // Of a tensor, row-major; null for an element type that HLO does not have.
  const Shape *shapeOf(mlir::Type type);
  const Shape *array(DType type, ArrayRef<int64_t> dims);
  const Shape *tuple(ArrayRef<const Shape *> elements);
  // The one element, or a tuple of several.
  const Shape *oneOrTuple(ArrayRef<const Shape *> elements);
  const Literal *literal(const Shape *shape, mlir::ElementsAttr value, bool elide);

  Attribute word(StringRef name, StringRef text) { return {name, Word{module.save(text)}}; }
  Attribute ints(StringRef name, ArrayRef<int64_t> values) { return {name, module.save(values)}; }
  Attribute called(StringRef name, ArrayRef<Computation *> computations, bool braced = false) {
    return {name, Called{module.save(computations), braced}};
  }
  // `"text"` with what needs it escaped.
  StringRef quoted(StringRef text);
  int64_t nextChannel() { return ++channels; }

private:
  Module &module;
  llvm::StringMap<unsigned> names;
  llvm::DenseMap<mlir::Type, const Shape *> shapes;
  llvm::SmallVector<const Layout *> layouts; // by rank
  int64_t channels = 0;
};

class ComputationDraft {
public:
  ComputationDraft(ModuleDraft &draft, StringRef name);

  // Appends `opcode(operands), attributes`; the name is the opcode's unless given.
  Instruction *add(StringRef opcode, const Shape *shape, ArrayRef<Instruction *> operands,
                   ArrayRef<Attribute> attributes = {}, StringRef name = "");
  Instruction *addParameter(const Shape *shape, StringRef name = "parameter");
  Instruction *addConstant(const Literal *literal);
  Instruction *addScalar(DType type, double value);
  Instruction *addTuple(ArrayRef<Instruction *> elements);
  Instruction *addElement(Instruction *tuple, unsigned index);
  // The elements of what `oneOrTuple` gave the shape of.
  llvm::SmallVector<Instruction *> addElements(Instruction *result, size_t count);
  // Adds op_name, source_file and source_line to an instruction.
  void describe(Instruction *instruction, mlir::Location location, ArrayRef<Attribute> more = {});

  ModuleDraft &getModule() { return draft; }
  size_t size() const { return computation->instructions.size(); }
  Instruction *last() { return computation->instructions.back(); }
  // Ends the computation with its result and puts it behind the module's others.
  Computation *finish(Instruction *root);

private:
  ModuleDraft &draft;
  std::unique_ptr<Computation> computation;
};

// The instruction that stands for each value of a block.
using Values = llvm::DenseMap<mlir::Value, Instruction *>;

// Appends what `op` of a kernel's body is in HLO, and notes its results in `values`. False: HLO has
// no form of it.
bool exportOp(mlir::Operation *op, ComputationDraft &draft, Values &values);
// A region of scalars: the `to_apply` of a reduction or a comparison; null as above.
Computation *exportScalars(mlir::Region &region, ModuleDraft &draft, StringRef name);

} // namespace tandem::hlo
