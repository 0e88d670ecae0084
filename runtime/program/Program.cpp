// Reading and writing of Programs.
#include "tandem/Runtime/Program.h"

#include "absl/strings/str_cat.h"
#include "tandem/Runtime/AtomicFile.h"
#include "tandem/Runtime/DType.h"

namespace tandem::runtime {
namespace {

// FNV-1a, 64 bits. Finds damage, not malice: a Program holds machine code and is trusted.
uint64_t checksum(absl::string_view bytes) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (char byte : bytes)
    sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return sum;
}

constexpr size_t kChecksumBytes = sizeof(uint64_t); // after the FlatBuffer

std::string checksumText(absl::string_view bytes) {
  std::string text;
  for (uint64_t sum = checksum(bytes); text.size() < kChecksumBytes; sum >>= 8)
    text.push_back(static_cast<char>(sum & 0xFF));
  return text;
}

} // namespace

std::string serializeProgram(const program::ProgramT &program) {
  flatbuffers::FlatBufferBuilder builder(1 << 16);
  program::FinishProgramBuffer(builder, program::Program::Pack(builder, &program));
  std::string bytes(reinterpret_cast<const char *>(builder.GetBufferPointer()), builder.GetSize());
  return bytes + checksumText(bytes);
}

bool looksLikeProgram(absl::string_view bytes) {
  return bytes.size() >= 8 && program::ProgramBufferHasIdentifier(bytes.data());
}

absl::StatusOr<std::unique_ptr<program::ProgramT>> parseProgram(absl::string_view bytes,
                                                                absl::string_view name) {
  if (!looksLikeProgram(bytes))
    return absl::InvalidArgumentError(absl::StrCat(name, ": not a Tandem program"));
  const size_t size = bytes.size() - kChecksumBytes;
  if (bytes.substr(size) != checksumText(bytes.substr(0, size)))
    return absl::DataLossError(absl::StrCat(name, ": the program is corrupt or truncated (",
                                            bytes.size(), " bytes); compile it again"));
  bytes = bytes.substr(0, size);
  constexpr size_t kMaxDepth = 64;
  constexpr size_t kMaxTables = 100'000'000;
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(),
                                 kMaxDepth, kMaxTables);
  if (!program::VerifyProgramBuffer(verifier))
    return absl::DataLossError(
        absl::StrCat(name, ": not of this version of Tandem; compile it again"));
  std::unique_ptr<program::ProgramT> result = program::UnPackProgram(bytes.data());
  if (absl::Status status = verifyProgram(*result); !status.ok())
    return absl::Status(status.code(), absl::StrCat(name, ": ", status.message()));
  return result;
}

absl::StatusOr<std::unique_ptr<program::ProgramT>> loadProgram(const std::string &path) {
  absl::StatusOr<std::string> bytes = readFile(path);
  if (!bytes.ok())
    return bytes.status();
  return parseProgram(*bytes, path);
}

absl::Status saveProgram(const program::ProgramT &program, const std::string &path) {
  std::string bytes = serializeProgram(program);
  return writeFileAtomically(path, {bytes});
}

int64_t localBytes(const program::ArgumentT &argument) {
  return elementCount(argument.layout->local) * dtypeBytes(argument.type->dtype);
}

int64_t localBytes(const program::ResultT &result) {
  return elementCount(result.layout->local) * dtypeBytes(result.type->dtype);
}

absl::string_view collectiveKindName(program::CollectiveKind kind) {
  switch (kind) {
  case program::CollectiveKind::AllReduce:
    return "all-reduce";
  case program::CollectiveKind::AllGather:
    return "all-gather";
  case program::CollectiveKind::ReduceScatter:
    return "reduce-scatter";
  case program::CollectiveKind::AllToAll:
    return "all-to-all";
  case program::CollectiveKind::CollectivePermute:
    return "collective-permute";
  case program::CollectiveKind::CollectiveBroadcast:
    return "collective-broadcast";
  }
  return "invalid";
}

std::string describeCommand(const program::ProgramT &program, uint32_t index) {
  if (index >= program.commands.size() || !program.commands[index])
    return absl::StrCat("commands[", index, "]");
  const program::CommandT &command = *program.commands[index];
  return absl::StrCat("commands[", index, "] '", command.name, "' (",
                      program::EnumNameCommandBody(command.body.type), ")");
}

} // namespace tandem::runtime
