// libFuzzer: any bytes are an error or arrays, as a .npy file and as an .npz archive; an array that
// was read comes back the same from the bytes that it is written as.
#include "tandem/Runtime/Npz.h"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tandem::runtime;
  absl::string_view bytes(reinterpret_cast<const char *>(data), size);
  if (absl::StatusOr<HostArray> array = parseNpy(bytes, "fuzz"); array.ok()) {
    const std::string text = formatNpy(*array);
    absl::StatusOr<HostArray> again = parseNpy(text, "again");
    if (!again.ok() || formatNpy(*again) != text)
      std::abort();
  }
  // The reader of archives takes a path.
  static const int file = memfd_create("fuzz", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size))
    std::abort();
  (void)readNpz(path);
  return 0;
}
