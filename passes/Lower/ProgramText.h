// A Program as text, one line per command, for tests and for people:
//
//   program main devices=2 streams=3 events=1 temp=256 constants=4
//   argument 0 'x' f32[8,4] local [4,4]
//   kernel 0 k0_add object 0 flops 16 bytes 192
//   collective 0 all-reduce add f32 groups {0,1} f32[4] level 0 wire 16 cause 'partial sums'
//     0 stream 0            launch k0_add (argument 0+0:64, temp 0+0:64) -> e0   # add
//     1 stream 2 wait e0    collective 0 (temp 0+0:64) (temp 0+64:64)
//     2 return
#ifndef TANDEM_PASSES_LOWER_PROGRAMTEXT_H
#define TANDEM_PASSES_LOWER_PROGRAMTEXT_H

#include "tandem/Runtime/Program_generated.h"
#include "llvm/Support/raw_ostream.h"

namespace tandem {

void printProgram(const program::ProgramT &program, llvm::raw_ostream &os);

} // namespace tandem

#endif // TANDEM_PASSES_LOWER_PROGRAMTEXT_H
