//===- KernelOps.h - What the kernel compiler can compile -------*- C++ -*-===//
//
// The questions that fusion asks before it puts an op into a tandem.kernel. They depend only
// on the op, its types and its regions; shapes are local. All are O(ops in the regions), touch
// no state, and may be called from any thread.
//
// Three nested classes of stablehlo/chlo ops:
//
//   elementwise   result[i] reads operand[i] only: add, select, convert, chlo.erf, ...
//   elemental     result[i] reads a fixed number of elements of each operand, at places worked
//                 out from i: elementwise ops, constants, iota, and what only moves data
//                 (broadcast_in_dim, slice, transpose, gather, dynamic_slice, concatenate, ...).
//                 An elemental op adds no loop to its kernel: it is computed where it is used.
//   emittable     everything a kernel may hold: elemental ops, and those that loop for one element
//                 (reduce, dot_general, convolution, reduce_window), or write a whole buffer
//                 in some order of their own (scatter, sort, select_and_scatter,
//                 rng_bit_generator).
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_CODEGEN_KERNELOPS_H
#define TANDEM_CODEGEN_KERNELOPS_H

#include "mlir/IR/Operation.h"

namespace tandem {

/// True if a kernel's region may hold `op`: a known op, ranked and static shapes, element types
/// with an encoding, and regions (reducers, comparators) of scalar elementwise ops only.
bool canEmit(mlir::Operation *op);

/// True if `op` can be emitted and is elemental (see above). The cost of one element is constant.
bool isElemental(mlir::Operation *op);

/// True if `op` can be emitted and is elementwise (see above): operands are scalars or have the
/// result's shape.
bool isElementwise(mlir::Operation *op);

/// True if a kernel can hold elements of `type`: i1, i2, i4, ... i64 of any signedness, f64, f32,
/// f16, bf16, the 8-bit floats with a sign, complex<f32> and complex<f64>.
bool isKernelElementType(mlir::Type type);

} // namespace tandem

#endif // TANDEM_CODEGEN_KERNELOPS_H
