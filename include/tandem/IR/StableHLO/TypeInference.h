// How stablehlo ops check their operands and infer their result types.
//
// One function per op does both, OpTy::inferTypes(error, adaptor, types). A builder without result
// types calls it (through InferTypeOpInterface) before the op exists, the verifier when it does;
// ErrorReporter hides the difference, so that each constraint is written, and reported, once.
// Constraints carry the label they have in the StableHLO specification, `// C1`; tests are named
// after it. Shapes are static throughout.

#ifndef TANDEM_IR_STABLEHLO_TYPEINFERENCE_H
#define TANDEM_IR_STABLEHLO_TYPEINFERENCE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace mlir::stablehlo {

/// A message under construction. Converts to failure.
class Error {
public:
  explicit Error(std::optional<InFlightDiagnostic> diagnostic = std::nullopt)
      : diagnostic(std::move(diagnostic)) {}
  template <typename T> Error &&operator<<(T &&value) && {
    if (diagnostic)
      *diagnostic << std::forward<T>(value);
    return std::move(*this);
  }
  operator LogicalResult() const { return failure(); }
  template <typename T> operator FailureOr<T>() const { return failure(); }

private:
  std::optional<InFlightDiagnostic> diagnostic;
};

/// Starts messages "'stablehlo.op' op ...": on the op, or at the location where one is being built.
/// Without a location, messages vanish.
class ErrorReporter {
public:
  explicit ErrorReporter(Operation *op) : op(op) {}
  ErrorReporter(MLIRContext *context, std::optional<Location> location, StringRef opName)
      : context(context), location(location), opName(opName) {}
  Error operator()() const;
  MLIRContext *getContext() const { return op ? op->getContext() : context; }

private:
  Operation *op = nullptr;
  MLIRContext *context = nullptr;
  std::optional<Location> location;
  StringRef opName;
};

/// Each tensor type has a static shape.
LogicalResult verifyStaticShapes(const ErrorReporter &error, TypeRange types);

/// The results of `op` have the expected types.
LogicalResult verifyResultTypes(Operation *op, TypeRange expected);

template <typename ConcreteType>
class StaticShapes : public OpTrait::TraitBase<ConcreteType, StaticShapes> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    ErrorReporter error(op);
    if (failed(verifyStaticShapes(error, op->getOperandTypes())))
      return failure();
    return verifyStaticShapes(error, op->getResultTypes());
  }
};

template <typename ConcreteType>
class TypesInferred : public OpTrait::TraitBase<ConcreteType, TypesInferred> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    SmallVector<Type> types;
    auto concrete = cast<ConcreteType>(op);
    if (failed(ConcreteType::inferTypes(ErrorReporter(op), typename ConcreteType::Adaptor(concrete),
                                        types)))
      return failure();
    return verifyResultTypes(op, types);
  }
};

template <typename ConcreteType>
class TypesInferable : public OpTrait::TraitBase<ConcreteType, TypesInferable> {};

} // namespace mlir::stablehlo

#endif // TANDEM_IR_STABLEHLO_TYPEINFERENCE_H
