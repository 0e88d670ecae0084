// .npz files: zip archives of .npy arrays.
//
//   auto inputs = readIndexedNpz("step.inputs.npz", "arg");     // {0: HostArray, 1: ...}
//   absl::Status s = writeNpz("out.npz", {{"out0", array}});
//
// Arrays are named arg0, arg1, ... and out0, ...; any zero padding is read. Element types that
// numpy lacks are raw bits under a suffix naming the true type: "arg003@bfloat16" is stored as
// uint16. Reading takes npy versions 1 to 3, C and Fortran order, either byte order, stored and
// deflated entries; every size in a file is checked against its content. Writing is atomic and
// its bytes depend on nothing but the arrays. Blocking; safe to call from any thread.
#ifndef TANDEM_RUNTIME_NPZ_H
#define TANDEM_RUNTIME_NPZ_H

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tandem/Runtime/HostArray.h"

namespace tandem::runtime {

struct NamedArray {
  std::string name; // without ".npy" and without the type suffix
  HostArray array;
};

// All arrays in the order of the file. Errors name the file and the array.
absl::StatusOr<std::vector<NamedArray>> readNpz(const std::string &path);

// The arrays named prefix + number, by number, e.g. prefix "arg" or "dev0_arg". Other names are
// left alone; a number given twice is an error.
absl::StatusOr<std::map<int64_t, HostArray>> readIndexedNpz(const std::string &path,
                                                            absl::string_view prefix);

[[nodiscard]] absl::Status writeNpz(const std::string &path, absl::Span<const NamedArray> arrays);

// One array as the bytes of a .npy file, and back. `where` stands in front of messages.
std::string formatNpy(const HostArray &array);
absl::StatusOr<HostArray> parseNpy(absl::string_view bytes, absl::string_view where);

} // namespace tandem::runtime

#endif
