// Zip archives of .npy arrays, by libzip.
#include "tandem/Runtime/Npz.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "tandem/Runtime/AtomicFile.h"

namespace tandem::runtime {
namespace {

// numpy's (ml_dtypes') names of the types that are stored as raw bits.
constexpr struct {
  absl::string_view name;
  DType dtype;
} kRawTypes[] = {{"bfloat16", DType::BF16},
                 {"int2", DType::I2},
                 {"int4", DType::I4},
                 {"uint2", DType::UI2},
                 {"uint4", DType::UI4},
                 {"float8_e3m4", DType::F8E3M4},
                 {"float8_e4m3", DType::F8E4M3},
                 {"float8_e4m3fn", DType::F8E4M3FN},
                 {"float8_e4m3fnuz", DType::F8E4M3FNUZ},
                 {"float8_e4m3b11fnuz", DType::F8E4M3B11FNUZ},
                 {"float8_e5m2", DType::F8E5M2},
                 {"float8_e5m2fnuz", DType::F8E5M2FNUZ}};

// Closes without writing.
struct ZipDiscarder {
  void operator()(zip_t *archive) const { zip_discard(archive); }
};
using ZipHandle = std::unique_ptr<zip_t, ZipDiscarder>;

absl::Status applySuffix(std::string &name, HostArray &array, absl::string_view where) {
  size_t at = name.rfind('@');
  if (at == std::string::npos)
    return absl::OkStatus();
  absl::string_view suffix = absl::string_view(name).substr(at + 1);
  for (const auto &raw : kRawTypes) {
    if (raw.name != suffix)
      continue;
    if (absl::Status status = adaptTo(array, raw.dtype, array.dims, where); !status.ok())
      return status;
    name.resize(at);
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(where, ": unknown type suffix '@", suffix, "'"));
}

absl::Status openError(const std::string &path, int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  struct stat info;
  if (stat(path.c_str(), &info) != 0)
    return fileError(path, "cannot open", errno);
  return absl::DataLossError(absl::StrCat(path, ": not a readable .npz archive (", text,
                                          "); found ", info.st_size,
                                          " bytes: is the file truncated?"));
}

// `most`: bytes that an archive of its length can hold.
absl::StatusOr<std::string> readEntry(zip_t *archive, zip_uint64_t index, uint64_t size,
                                      uint64_t most, absl::string_view where) {
  if (size > most)
    return absl::DataLossError(
        absl::StrCat(where, ": corrupt: claims to hold ", size, " bytes, more than the file can"));
  zip_file_t *file = zip_fopen_index(archive, index, 0);
  if (!file)
    return absl::DataLossError(absl::StrCat(where, ": cannot read: ", zip_strerror(archive)));
  std::string bytes;
  std::string problem;
  try {
    bytes.resize(size);
  } catch (const std::exception &) {
    problem = absl::StrCat("claims to hold ", size, " bytes, more than memory");
  }
  uint64_t done = 0;
  while (problem.empty()) {
    // One byte more than expected, so that the end and the checksum are seen.
    char extra;
    zip_int64_t count = done < size ? zip_fread(file, bytes.data() + done, size - done)
                                    : zip_fread(file, &extra, 1);
    if (count < 0)
      problem = absl::StrCat("corrupt: ", zip_file_strerror(file));
    else if (count == 0 && done < size)
      problem = absl::StrCat("truncated: found ", done, " bytes, expected ", size);
    else if (count > 0 && done == size)
      problem = absl::StrCat("corrupt: more than the ", size, " bytes announced");
    else if (count == 0)
      break;
    else
      done += static_cast<uint64_t>(count);
  }
  zip_fclose(file);
  if (!problem.empty())
    return absl::DataLossError(absl::StrCat(where, ": ", problem));
  return bytes;
}

} // namespace

std::string formatNpyHeader(const HostArray &array);

absl::StatusOr<std::vector<NamedArray>> readNpz(const std::string &path) {
  int code = 0;
  ZipHandle archive(zip_open(path.c_str(), ZIP_RDONLY, &code));
  if (!archive)
    return openError(path, code);
  // Deflate makes no more than 1032 bytes of one: a length that is claimed is checked before there
  // is memory for it. (Technical details of zlib, https://zlib.net/zlib_tech.html)
  constexpr uint64_t kMostPerByte = 1032;
  struct stat file;
  if (stat(path.c_str(), &file) != 0)
    return fileError(path, "cannot open", errno);
  const uint64_t most = kMostPerByte * static_cast<uint64_t>(file.st_size);
  std::vector<NamedArray> arrays;
  zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t info;
    if (zip_stat_index(archive.get(), static_cast<zip_uint64_t>(i), 0, &info) != 0 ||
        !(info.valid & ZIP_STAT_NAME) || !(info.valid & ZIP_STAT_SIZE))
      return absl::DataLossError(
          absl::StrCat(path, ": entry ", i, " is corrupt: ", zip_strerror(archive.get())));
    std::string name(absl::StripSuffix(info.name, ".npy"));
    std::string where = absl::StrCat(path, ": ", name);
    absl::StatusOr<std::string> bytes =
        readEntry(archive.get(), static_cast<zip_uint64_t>(i), info.size, most, where);
    if (!bytes.ok())
      return bytes.status();
    absl::StatusOr<HostArray> array = parseNpy(*bytes, where);
    if (!array.ok())
      return array.status();
    if (absl::Status status = applySuffix(name, *array, where); !status.ok())
      return status;
    arrays.push_back({std::move(name), std::move(*array)});
  }
  return arrays;
}

absl::StatusOr<std::map<int64_t, HostArray>> readIndexedNpz(const std::string &path,
                                                            absl::string_view prefix) {
  absl::StatusOr<std::vector<NamedArray>> arrays = readNpz(path);
  if (!arrays.ok())
    return arrays.status();
  std::map<int64_t, HostArray> result;
  for (NamedArray &entry : *arrays) {
    absl::string_view digits = entry.name;
    if (!absl::ConsumePrefix(&digits, prefix) || digits.empty() ||
        digits.find_first_not_of("0123456789") != absl::string_view::npos)
      continue;
    int64_t index = 0;
    if (!absl::SimpleAtoi(digits, &index))
      return absl::InvalidArgumentError(absl::StrCat(path, ": ", entry.name, ": no such number"));
    if (!result.emplace(index, std::move(entry.array)).second)
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": ", entry.name, ": ", prefix, index, " is given twice"));
  }
  return result;
}

absl::Status writeNpz(const std::string &path, absl::Span<const NamedArray> arrays) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return absl::InvalidArgumentError(absl::StrCat(path, ": not a regular file"));
  std::string temporary = temporaryNameBeside(path);
  int code = 0;
  ZipHandle archive(zip_open(temporary.c_str(), ZIP_CREATE | ZIP_EXCL, &code));
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    return absl::InvalidArgumentError(absl::StrCat(path, ": cannot create: ", text));
  }
  // libzip reads the sources when the archive is closed: headers must live until then.
  std::vector<std::string> headers;
  headers.reserve(arrays.size());
  for (const NamedArray &entry : arrays) {
    std::string name = entry.name;
    for (const auto &raw : kRawTypes)
      if (raw.dtype == entry.array.dtype)
        absl::StrAppend(&name, "@", raw.name);
    name += ".npy";
    headers.push_back(formatNpyHeader(entry.array));
    zip_buffer_fragment_t fragments[2] = {
        {reinterpret_cast<zip_uint8_t *>(headers.back().data()), headers.back().size()},
        {reinterpret_cast<zip_uint8_t *>(const_cast<std::byte *>(entry.array.bytes.data())),
         entry.array.bytes.size()}};
    zip_uint64_t used = entry.array.bytes.empty() ? 1 : 2;
    zip_source_t *source = zip_source_buffer_fragment(archive.get(), fragments, used, 0);
    zip_int64_t index =
        source ? zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
      if (source)
        zip_source_free(source);
      return absl::InternalError(
          absl::StrCat(path, ": ", entry.name, ": ", zip_strerror(archive.get())));
    }
    zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    // 1980-01-01, zip's earliest date: the bytes depend on the arrays alone.
    zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(index), 0, 0x21, 0);
  }
  if (zip_close(archive.get()) != 0) {
    zip_error_t *error = zip_get_error(archive.get());
    int system = zip_error_code_system(error);
    absl::Status status = zip_error_system_type(error) == ZIP_ET_SYS && system != 0
                              ? fileError(path, "cannot write", system)
                              : absl::InternalError(absl::StrCat(
                                    path, ": cannot write: ", zip_error_strerror(error)));
    archive.reset();
    unlink(temporary.c_str());
    return status;
  }
  archive.release();
  // An archive without entries is not written at all by libzip: write its end record.
  if (arrays.empty()) {
    constexpr char kEmptyArchive[22] = {'P', 'K', 5, 6};
    return writeFileAtomically(path, {absl::string_view(kEmptyArchive, sizeof(kEmptyArchive))});
  }
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    int error = errno;
    unlink(temporary.c_str());
    return fileError(path, "cannot rename the temporary file", error);
  }
  return absl::OkStatus();
}

} // namespace tandem::runtime
