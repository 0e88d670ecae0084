// Which slot of a rotating buffer a piece is in (DESIGN.md, D2).
//
// A future that a loop carries across d back edges owns d + 1 slots: in iteration i a piece with
// rotation k is in slot (i + k) mod slots. A future started in iteration i and awaited in i + 1
// (slots 2): started with k = 1, carried in with k = 0. What was started before the loop is in a
// fixed slot, that of the argument in iteration 0; what leaves the loop is where the argument of
// the next iteration would be. What such a start reads, when the body makes it anew in every
// iteration, rotates likewise.
//
// Loop state (tensors) rotates over two slots where the loop's attribute `tandem.rotating` lists
// its number among the carried values: the next value is written while the present one is read,
// and neither is copied (tandem-rotate-loop-state).
//
// Cost: linear in ops.
#ifndef TANDEM_ANALYSIS_ROTATION_H
#define TANDEM_ANALYSIS_ROTATION_H

#include "tandem/Analysis/Aliasing.h"

namespace tandem {

// On a loop: array<i64> of the numbers of the carried tensors that rotate.
inline constexpr llvm::StringLiteral kRotatingAttr = "tandem.rotating";

class Rotation {
public:
  Rotation(mlir::func::FuncOp func, const Aliasing &aliasing);

  // Slots of the bytes of a piece; 1: it does not rotate.
  unsigned slots(unsigned piece) const { return info(piece).slots; }
  // The loop whose iterations count; null without rotation.
  LoopOp loop(unsigned piece) const { return info(piece).loop; }
  // k above; for a piece in a fixed slot, that slot.
  unsigned rotation(unsigned piece) const { return rotations.lookup(piece); }
  // Whether the piece stays in slot `rotation` of the buffer: it is made before the loop.
  bool fixed(unsigned piece) const;

private:
  struct Info {
    unsigned slots = 1;
    LoopOp loop;
  };
  const Info &info(unsigned piece) const;
  unsigned argumentRotation(LoopOp loop, unsigned index, unsigned slots, unsigned depth) const;

  const Aliasing &aliasing;
  llvm::DenseMap<unsigned, Info> infos; // by leader
  llvm::DenseMap<unsigned, unsigned> rotations;
};

} // namespace tandem

#endif // TANDEM_ANALYSIS_ROTATION_H
