// Short commands that run as one.
//
// Dispatching a command takes a few hundred nanoseconds: the queue, the lock, the clock. Commands
// of the compute stream that stand together and are short are dispatched once, and so is a loop
// that consists of such commands: it goes on by itself while its predicate holds.
//
//   loop-begin | jump-if-not p -> exit | a | b | loop-next | jump-if-not p' -> exit | jump a
//                                        -----  one sequence, a b a b ... until p' is false
//
// What a sequence may not do, since others could tell:
//   - commands of other streams, or long ones that are worth sharing with idle workers
//   - buffers that rotate
//   - a jump to its middle; a wait in its middle for what another stream signals, unless it is
//     known before it begins; a signal in its middle, unless it is a loop's, whose commands nobody
//     waits for but its own predicate or what follows
//
// A loop's sequence ends early now and then, for urgent tasks and a fair share of the worker; the
// program counter goes round the loop then, as it would without sequences. Traced steps run
// every command by itself.
#ifndef TANDEM_RUNTIME_EXECUTOR_SEQUENCES_H
#define TANDEM_RUNTIME_EXECUTOR_SEQUENCES_H

#include "runtime/executor/Commands.h"

namespace tandem::runtime {

// Finds the sequences of `program` and appends a command for each. O(commands + references).
void findSequences(ResolvedProgram &program);

} // namespace tandem::runtime

#endif
