// Reads a program's bytes and tells their kind from the content.
#include "tandem/Compiler/Source.h"

#include "tandem/Runtime/AtomicFile.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

#include <array>
#include <memory>
#include <zlib.h>

namespace tandem {
namespace {

// No program is as long: a device without end, or a gzip file made to fill memory.
constexpr size_t kMostBytes = size_t{4} << 30;

// Unpacks one or more gzip members.
absl::StatusOr<std::string> unpack(const std::string &packed, absl::string_view name) {
  z_stream stream = {};
  constexpr int kGzip = 16 + MAX_WBITS;
  if (inflateInit2(&stream, kGzip) != Z_OK)
    return absl::InternalError("zlib does not start");
  std::unique_ptr<z_stream, int (*)(z_stream *)> guard(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  stream.avail_in = packed.size();
  std::string bytes;
  std::array<char, 1 << 16> block;
  while (true) {
    stream.next_out = reinterpret_cast<Bytef *>(block.data());
    stream.avail_out = block.size();
    const int code = inflate(&stream, Z_NO_FLUSH);
    bytes.append(block.data(), block.size() - stream.avail_out);
    if (bytes.size() > kMostBytes)
      return absl::ResourceExhaustedError(
          absl::StrCat(name, ": unpacks to more than ", kMostBytes, " bytes, expected fewer"));
    if (code == Z_STREAM_END) {
      if (stream.avail_in == 0)
        return bytes;
      if (inflateReset(&stream) != Z_OK)
        break;
    } else if (code != Z_OK) {
      break;
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("'", name, "': damaged or truncated gzip data after ", bytes.size(),
                   " unpacked bytes", stream.msg ? absl::StrCat(" (", stream.msg, ")") : "",
                   "; check that the file was copied whole"));
}

} // namespace

Source::Kind kindOf(absl::string_view bytes) {
  constexpr absl::string_view kBytecodeMagic = "ML\xefR";
  constexpr absl::string_view kProgramIdentifier = "TNDM"; // bytes 4 to 7, as FlatBuffers does
  if (absl::StartsWith(bytes, kBytecodeMagic))
    return Source::Kind::Mlir;
  if (bytes.size() >= 8 && bytes.substr(4, 4) == kProgramIdentifier)
    return Source::Kind::Program;
  const size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == absl::string_view::npos || bytes.find('\0') != absl::string_view::npos)
    return Source::Kind::Unknown;
  if (absl::StartsWith(bytes.substr(start), "HloModule"))
    return Source::Kind::HloText;
  return Source::Kind::Mlir;
}

absl::StatusOr<Source> readSource(absl::string_view path) {
  absl::StatusOr<std::string> bytes =
      runtime::readFile(path == "-" ? "/dev/stdin" : std::string(path), kMostBytes);
  if (!bytes.ok())
    return bytes.status();
  Source source;
  source.name = path == "-" ? "<stdin>" : std::string(path);
  if (absl::StartsWith(*bytes, "\x1f\x8b")) {
    bytes = unpack(*bytes, source.name);
    if (!bytes.ok())
      return bytes.status();
  }
  source.bytes = *std::move(bytes);
  source.kind = kindOf(source.bytes);
  return source;
}

} // namespace tandem
