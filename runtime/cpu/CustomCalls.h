// Custom-call kernels by target name.
#ifndef TANDEM_RUNTIME_CPU_CUSTOMCALLS_H
#define TANDEM_RUNTIME_CPU_CUSTOMCALLS_H

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tandem/Runtime/CustomCall.h"
#include "tandem/Runtime/Program.h"

namespace tandem::runtime {

// What a built-in call returns when a check that the program makes of its values does not hold.
inline constexpr int kCheckFailed = 1000;

// What a client knows. Safe to use from any thread.
class CustomCallRegistry {
public:
  struct Entry {
    TandemCustomCall function = nullptr;
    void *userData = nullptr;
    bool isBuiltin = false;
  };

  void add(std::string target, TandemCustomCall function, void *userData);
  // One that comes with the runtime: messages do not list it.
  void addBuiltin(std::string target, TandemCustomCall function, void *userData = nullptr);
  // NotFound names the target and what is registered.
  absl::StatusOr<Entry> find(absl::string_view target) const;

private:
  mutable std::mutex mutex;
  std::map<std::string, Entry, std::less<>> entries;
};

// One custom-call command, ready to run on any device and thread.
class CustomCallPlan {
public:
  // `call` must outlive the plan.
  static absl::StatusOr<CustomCallPlan> create(const program::CustomCallT &call,
                                               const CustomCallRegistry &registry);

  size_t numArrays() const { return prototypes.size(); }
  // `buffers`: operands, then results. `scratch`: numArrays() arrays, overwritten.
  absl::Status run(void *const *buffers, uint32_t device, uint32_t numDevices,
                   TandemArray *scratch) const;

private:
  const program::CustomCallT *call = nullptr;
  CustomCallRegistry::Entry entry;
  std::vector<TandemArray> prototypes; // operands, then results, without data
};

} // namespace tandem::runtime

#endif
