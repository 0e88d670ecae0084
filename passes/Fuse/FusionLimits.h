// The numbers that fusion decides by, in one place, until the cost model takes over.
//
// Costs are in units of one addition of two registers. They need only tell cheap from dear:
// below the memory traffic of an element (a few units) arithmetic is hidden.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem {

/// Products of at most this many multiply-adds stay in kernels: a library call costs more.
constexpr int64_t kSmallProduct = 4096;

/// An expression without operands in memory (constants, iota and what is computed from
/// them) is rebuilt wherever it is used if one element costs no more than this.
constexpr int64_t kMaxRootCost = 6;

/// A value used in several kernels is rebuilt in at most so many, if it costs no more than
/// kMaxRebuildCost and reads no more bytes than its own.
constexpr unsigned kMaxRebuilds = 4;
constexpr int64_t kMaxRebuildCost = 4;
/// Longest chain of values that are all rebuilt.
constexpr unsigned kMaxRebuildChain = 4;

/// What rebuilding elements within a kernel (a row's value once per element of the row) may add,
/// as a multiple of the kernel's other work.
constexpr double kMaxExtraWork = 1.0;

/// Ops in a kernel, and different places from which one value is read there.
constexpr size_t kMaxKernelOps = 200;
constexpr size_t kMaxReads = 8;

/// Ops that the search for a cycle visits before it gives up (and nothing is merged).
constexpr size_t kMaxSearch = 4096;

/// Constants of up to so many elements go into kernels even if their elements differ.
constexpr int64_t kMaxInlineElements = 16;
/// Splats of up to so many bytes are kept in memory for uses outside of kernels; larger ones are
/// written by a kernel.
constexpr int64_t kMaxSplatBytes = 1024;

/// Cost of one element of an elemental op's result, operands not counted; of a looping op (reduce,
/// product, convolution), of one turn of its loop.
int64_t elementCost(mlir::Operation *op);

/// Turns of the loop that computes one element of a looping op's result; 1 for elemental ops.
int64_t loopTurns(mlir::Operation *op);

} // namespace tandem
