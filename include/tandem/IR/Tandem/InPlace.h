// When a kernel's result may be written over one of its operands.
//
// A kernel computes result element I for each I and writes it before it is done reading its
// operands. Writing over operand P is right only if P is read nowhere but at the index being
// written, by that result or by those computed along with it. Reads that qualify, as paths from P's
// block argument to the yielded value (row-major linear index preserved at every step):
//   1. elementwise ops, reshapes and broadcasts of P's size;
//   2. the first operand of dynamic_update_slice;
//   3. dynamic_slice of P, then steps 1, then the update of a dynamic_update_slice at the
//      same start indices and of the same size;
//   4. the input of a scatter that is yielded directly, if P is used nowhere else;
//   5. steps 1 to another result of the same shape, as where momentum and parameter are updated
//      together. Where code generation writes that one in other loops, it does not use the
//      permission.
//
// Example: both reads of %s below are at the index written, so in_place = array<i64: 0, 0>:
//   %old = stablehlo.dynamic_slice %s, %i, sizes = [1] : (tensor<8xf32>, tensor<i32>) ->
//   tensor<1xf32> %new = stablehlo.add %old, %u : tensor<1xf32> %0 = stablehlo.dynamic_update_slice
//   %s, %new, %i : ... tandem.yield %0 : tensor<8xf32>
#pragma once

#include "tandem/IR/Tandem/Tandem.h"

#include <optional>
#include <string>

namespace tandem {

/// Whether arrays of both types are the same bytes: one element type, equally many elements.
bool haveSameElements(mlir::Type a, mlir::Type b);

/// Why result `result` of `kernel` must not be written over input `operand`; nullopt if it
/// may be. Looks at the body only; linear in the number of ops that read the operand.
std::optional<std::string> whyNotInPlace(KernelOp kernel, unsigned result, unsigned operand);

} // namespace tandem
