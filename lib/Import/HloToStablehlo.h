// Computations as StableHLO: what the parts of toStablehlo() share.
#pragma once

#include "tandem/Import/HloText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

// A namespace beside hlo: both HLO and MLIR have a Value and an Attribute.
namespace tandem::hloimport {

using namespace mlir;
using hlo::Alias;
using hlo::appendLeaves;
using hlo::bitsOf;
using hlo::Computation;
using hlo::ConvDims;
using hlo::Dict;
using hlo::DictEntry;
using hlo::Donor;
using hlo::DType;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::PadDim;
using hlo::Pairs;
using hlo::Phase;
using hlo::print;
using hlo::ReplicaGroups;
using hlo::Shape;
using hlo::Shapes;
using hlo::Sharding;
using hlo::SliceDim;
using hlo::WindowDim;
using hlo::Words;

// The values that one instruction gives: an array, or the leaves of a tuple in order.
using Leaves = llvm::SmallVector<Value, 1>;

// Null, with an error, for types that our IR does not have.
llvm::Expected<RankedTensorType> tensorType(const hlo::Module &module, const Shape &shape,
                                            MLIRContext *context, const char *position);

// `\"` and `\\` as what they stand for.
std::string unescape(StringRef text);

class Importer {
public:
  Importer(const hlo::Module &module, ModuleOp target);

  // The function of a computation, made when first asked for.
  llvm::Expected<func::FuncOp> functionOf(const Computation &computation);
  // Appends the computation's ops to the builder's block and gives its result.
  llvm::Expected<Leaves> importBody(OpBuilder &b, const Computation &computation,
                                    ArrayRef<Leaves> arguments);

  // Of the leaves of a shape: tensors and tokens.
  llvm::Expected<llvm::SmallVector<Type>> typesOf(const Shape &shape, const char *position);
  Location locationOf(const Instruction &instruction);
  llvm::Error error(const Instruction &instruction, const llvm::Twine &message);
  const hlo::Module &getModule() const { return module; }

  // ---- instructions, by file
  // Control flow, calls and what stands for shardings; nothing where it is none of these.
  llvm::Expected<std::optional<Leaves>> importControl(OpBuilder &b, const Instruction &i,
                                                      ArrayRef<Leaves> operands);
  // Everything else.
  llvm::Expected<Leaves> importOp(OpBuilder &b, const Instruction &i, ArrayRef<Leaves> operands);
  // Fills a region whose arguments are the parameters of the computation, ended by a return.
  llvm::Error fillRegion(Region &region, const Computation &computation, ArrayRef<Type> types,
                         ArrayRef<unsigned> leavesOfParameters);

  // Shardings that the text gives in Shardy's form; null: it gives none there.
  Attribute sdyAttribute(const Instruction &i, StringRef name, llvm::Error &error);
  bool hasMeshes = false; // Shardy's form; else shardings are strings

private:
  llvm::Expected<Leaves> importWhile(OpBuilder &b, const Instruction &i, const Leaves &inits);
  llvm::Expected<Leaves> importConditional(OpBuilder &b, const Instruction &i,
                                           ArrayRef<Leaves> operands);
  llvm::Expected<Leaves> importConstraint(OpBuilder &b, const Instruction &i,
                                          const Leaves &operand);
  llvm::Expected<Leaves> enterManual(OpBuilder &b, const Instruction &i, const Leaves &globals);
  llvm::Expected<Leaves> leaveManual(OpBuilder &b, const Instruction &i, const Leaves &locals);

  const hlo::Module &module;
  ModuleOp target;
  MLIRContext *context;
  llvm::DenseMap<const Computation *, func::FuncOp> functions; // look-ups only
  // Per-device values at the begin of a manual computation, by what stands for them meanwhile.
  struct Shard {
    Value global;
    Attribute sharding;
  };
  llvm::DenseMap<Value, Shard> shards; // look-ups only
};

} // namespace tandem::hloimport
