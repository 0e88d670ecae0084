// Reads a program's bytes and tells their kind from the content.
#include "tandem/Compiler/Source.h"

#include "tandem/Runtime/AtomicFile.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <tuple>
#include <vector>
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

// The first bytes of a file, unpacked; empty where it cannot be read.
std::string beginningOf(const std::string &path) {
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  std::string bytes(4096, '\0');
  const int count = file ? gzread(file.get(), bytes.data(), bytes.size()) : 0;
  bytes.resize(std::max(count, 0));
  return bytes;
}

// The file of a dump directory to read, and how many it was chosen from.
absl::StatusOr<std::pair<std::string, size_t>> chooseOfDump(const std::string &directory,
                                                            DumpStage stage) {
  namespace fs = std::filesystem;
  using Rank = std::tuple<bool, bool, uintmax_t>;
  std::vector<std::pair<std::string, uintmax_t>> files;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    if (std::error_code ignored; at->is_regular_file(ignored))
      files.emplace_back(at->path().string(), at->file_size(ignored));
  if (error)
    return absl::ErrnoToStatus(error.value(), absl::StrCat("cannot list '", directory, "'"));
  std::sort(files.begin(), files.end());
  std::string best;
  Rank bestRank;
  size_t count = 0;
  for (const auto &[path, bytes] : files) {
    const std::string beginning = beginningOf(path);
    if (kindOf(beginning) != Source::Kind::HloText)
      continue;
    const bool scheduled = absl::StrContains(beginning, "is_scheduled=true");
    const std::string name = fs::path(path).filename().string();
    const Rank rank =
        stage == DumpStage::Scheduled
            ? Rank{scheduled, absl::StrContains(name, "after_optimizations"), bytes}
            : Rank{!scheduled, absl::StrContains(name, "before_optimizations"), bytes};
    if (count++ == 0 || rank > bestRank)
      best = path, bestRank = rank;
  }
  if (count == 0)
    return absl::InvalidArgumentError(
        absl::StrCat("'", directory, "': a directory without HLO text among its ", files.size(),
                     " files, expected a program, or a dump as --xla_dump_to writes it"));
  return std::pair(best, count);
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

absl::StatusOr<Source> readSource(absl::string_view path, DumpStage stage) {
  if (std::error_code ignored; std::filesystem::is_directory(std::string(path), ignored)) {
    auto chosen = chooseOfDump(std::string(path), stage);
    if (!chosen.ok())
      return chosen.status();
    absl::StatusOr<Source> source = readSource(chosen->first);
    if (source.ok() && chosen->second > 1)
      source->note =
          absl::StrCat(path, ": reading ", source->name, ", one of ", chosen->second, " HLO texts");
    return source;
  }
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
