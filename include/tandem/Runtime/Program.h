// The serialised Program: load, save, check.
//
//   auto program = loadProgram("step.tandem");     // absl::StatusOr<std::unique_ptr<ProgramT>>
//   absl::Status s = verifyProgram(**program);     // loadProgram has done this already
//   s = saveProgram(**program, "step.tandem");     // atomic
//
// The structs (ProgramT, CommandT, ...) are flatc's object API for runtime/program/Program.fbs,
// whose comments are the specification. They are plain values: movable, not synchronised.
#ifndef TANDEM_RUNTIME_PROGRAM_H
#define TANDEM_RUNTIME_PROGRAM_H

#include "absl/strings/string_view.h"
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tandem/Runtime/Program_generated.h"

namespace tandem::runtime {

inline constexpr uint32_t kProgramVersion = 1;

// Streams of a device, as numbered in Command.stream.
inline constexpr uint32_t kComputeStream = 0;
inline constexpr uint32_t kCopyStream = 1;
inline constexpr uint32_t kFirstCommunicationStream = 2;

// Checks everything a runtime relies on: indices in range, buffers inside their arenas and large
// enough for what reads or writes them, layouts that cover the global array, every device in
// exactly one group, jump targets, shapes and types of collectives and matrix products. The
// message names the table and index, e.g. "commands[12] 'dot.3' (Gemm): ...". Linear time.
[[nodiscard]] absl::Status verifyProgram(const program::ProgramT &program);

// Bytes of a Program, and back. `name` stands for the origin in messages. Parsing verifies.
std::string serializeProgram(const program::ProgramT &program);
absl::StatusOr<std::unique_ptr<program::ProgramT>> parseProgram(absl::string_view bytes,
                                                                absl::string_view name);

// True when the bytes begin like a serialised Program (the "TNDM" identifier).
bool looksLikeProgram(absl::string_view bytes);

absl::StatusOr<std::unique_ptr<program::ProgramT>> loadProgram(const std::string &path);
[[nodiscard]] absl::Status saveProgram(const program::ProgramT &program, const std::string &path);

// Local bytes of an argument or result on one device.
int64_t localBytes(const program::ArgumentT &argument);
int64_t localBytes(const program::ResultT &result);

// "all-reduce", "all-gather", ...
absl::string_view collectiveKindName(program::CollectiveKind kind);

// "commands[12] 'dot.3' (Gemm)", for messages.
std::string describeCommand(const program::ProgramT &program, uint32_t index);

} // namespace tandem::runtime

#endif
