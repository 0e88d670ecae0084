// Output files that are either whole or absent.
//
//   absl::Status s = writeFileAtomically("out.json", {text});
//
// The bytes go to a temporary file beside `path`, which is renamed over `path` only once every
// byte has reached the disk's file system. On any failure (full disk, no permission) nothing is
// left behind and an earlier `path` is untouched. Blocking; safe to call from any thread, two
// writers of one path end with one of the two contents.
#ifndef TANDEM_RUNTIME_ATOMICFILE_H
#define TANDEM_RUNTIME_ATOMICFILE_H

#include "absl/strings/string_view.h"
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace tandem::runtime {

// Writes the parts one after the other.
[[nodiscard]] absl::Status writeFileAtomically(const std::string &path,
                                               absl::Span<const absl::string_view> parts);

// The whole file; ResourceExhausted when it has more than `mostBytes` (a device may have no end).
absl::StatusOr<std::string> readFile(const std::string &path, size_t mostBytes = SIZE_MAX);

// A name for a temporary file in the folder of `path`, unique in this process and machine.
std::string temporaryNameBeside(const std::string &path);

// From an errno value, e.g. "out.npz: cannot write: No space left on device": NotFound,
// PermissionDenied, ResourceExhausted, InvalidArgument, or FailedPrecondition for all others.
absl::Status fileError(const std::string &path, absl::string_view what, int errorNumber);

} // namespace tandem::runtime

#endif
