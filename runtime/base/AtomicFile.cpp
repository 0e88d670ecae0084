// Temporary file, then rename.
#include "tandem/Runtime/AtomicFile.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

namespace tandem::runtime {

absl::Status fileError(const std::string &path, absl::string_view what, int errorNumber) {
  absl::Status status = absl::ErrnoToStatus(errorNumber, absl::StrCat(path, ": ", what));
  switch (status.code()) {
  case absl::StatusCode::kNotFound:
  case absl::StatusCode::kPermissionDenied:
  case absl::StatusCode::kResourceExhausted:
  case absl::StatusCode::kInvalidArgument:
    return status;
  default: // too many symbolic links, a device that fails: nothing of ours is broken
    return absl::FailedPreconditionError(status.message());
  }
}

std::string temporaryNameBeside(const std::string &path) {
  static std::atomic<unsigned> counter{0};
  return absl::StrCat(path, ".tmp", getpid(), "-", counter.fetch_add(1));
}

absl::Status writeFileAtomically(const std::string &path,
                                 absl::Span<const absl::string_view> parts) {
  // Devices and pipes are written in place: a rename would replace them.
  struct stat info;
  bool inPlace = stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  std::string temporary = inPlace ? path : temporaryNameBeside(path);
  int file = open(temporary.c_str(), O_WRONLY | O_CLOEXEC | (inPlace ? 0 : O_CREAT | O_EXCL), 0666);
  if (file < 0)
    return fileError(path, "cannot create", errno);
  auto fail = [&](absl::string_view what) {
    int error = errno;
    if (file >= 0)
      close(file);
    if (!inPlace)
      unlink(temporary.c_str());
    return fileError(path, what, error);
  };
  for (absl::string_view part : parts) {
    while (!part.empty()) {
      ssize_t written = write(file, part.data(), part.size());
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return fail("cannot write");
      part.remove_prefix(static_cast<size_t>(written));
    }
  }
  // Delayed allocation reports a full disk here.
  if (!inPlace && fsync(file) != 0)
    return fail("cannot write");
  int closed = close(file);
  file = -1;
  if (closed != 0)
    return fail("cannot write");
  if (!inPlace && rename(temporary.c_str(), path.c_str()) != 0)
    return fail("cannot rename the temporary file");
  return absl::OkStatus();
}

absl::StatusOr<std::string> readFile(const std::string &path, size_t mostBytes) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fileError(path, "cannot open", errno);
  std::string text;
  struct stat info;
  if (fstat(file, &info) == 0 && S_ISREG(info.st_mode))
    text.reserve(static_cast<size_t>(info.st_size) + 1);
  constexpr size_t kChunkBytes = 1 << 20;
  for (;;) {
    size_t size = text.size();
    text.resize(size + kChunkBytes);
    ssize_t count = read(file, text.data() + size, kChunkBytes);
    if (count < 0 && errno == EINTR)
      count = 0, text.resize(size);
    else if (count < 0) {
      int error = errno;
      close(file);
      return fileError(path, "cannot read", error);
    } else {
      text.resize(size + static_cast<size_t>(count));
      if (count == 0)
        break;
      if (text.size() > mostBytes) {
        close(file);
        return absl::ResourceExhaustedError(
            absl::StrCat(path, ": more than ", mostBytes, " bytes, expected fewer"));
      }
    }
  }
  close(file);
  return text;
}

} // namespace tandem::runtime
