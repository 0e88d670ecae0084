//===- Register.h - the dialects a program may be written in -------------------===//
//
//   mlir::DialectRegistry registry;
//   tandem::registerAllDialects(registry);
//   mlir::MLIRContext context(registry);
//
// Registers func, stablehlo, chlo, sdy and tandem; loading is left to whoever parses or
// creates operations. Attributes of unknown dialects (mhlo., jax., tf.) on known operations
// are kept as they are and need no registration.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_IR_REGISTER_H
#define TANDEM_IR_REGISTER_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tandem {

void registerAllDialects(mlir::DialectRegistry &registry);

} // namespace tandem

#endif // TANDEM_IR_REGISTER_H
