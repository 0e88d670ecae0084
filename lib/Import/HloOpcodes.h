// What reader and verifier share about opcodes and values.
#pragma once

#include "tandem/Import/Hlo.h"

namespace tandem::hlo {

// `all-gather-start` is (AllGather, Start); `dynamic-update-slice` has no phase.
std::pair<Opcode, Phase> opcodeFromName(StringRef name);

// Bytes that a Literal holds for an element.
inline size_t literalBytes(DType type) { return bitsOf(type) <= 8 ? 1 : bitsOf(type) / 8; }

// Encodes a number of a float type, rounded to nearest even, and decodes it. Little endian.
void encodeFloat(DType type, double value, char *bytes);
double decodeFloat(DType type, const char *bytes);

} // namespace tandem::hlo
