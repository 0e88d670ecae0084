// Registry and calls through the C ABI.
#include "runtime/cpu/CustomCalls.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace tandem::runtime {

void CustomCallRegistry::add(std::string target, TandemCustomCall function, void *userData) {
  std::lock_guard lock(mutex);
  entries[std::move(target)] = {function, userData, /*isBuiltin=*/false};
}

void CustomCallRegistry::addBuiltin(std::string target, TandemCustomCall function, void *userData) {
  std::lock_guard lock(mutex);
  entries[std::move(target)] = {function, userData, /*isBuiltin=*/true};
}

absl::StatusOr<CustomCallRegistry::Entry> CustomCallRegistry::find(absl::string_view target) const {
  std::lock_guard lock(mutex);
  auto entry = entries.find(std::string(target));
  if (entry != entries.end())
    return entry->second;
  std::string known;
  for (const auto &[name, registered] : entries)
    if (!registered.isBuiltin)
      absl::StrAppend(&known, known.empty() ? "" : ", ", name);
  return absl::NotFoundError(absl::StrCat("no kernel is registered for custom call target '",
                                          target, "' (registered: ", known.empty() ? "none" : known,
                                          "); register one with Client::registerCustomCall"));
}

absl::StatusOr<CustomCallPlan> CustomCallPlan::create(const program::CustomCallT &call,
                                                      const CustomCallRegistry &registry) {
  absl::StatusOr<CustomCallRegistry::Entry> entry = registry.find(call.target);
  if (!entry.ok())
    return entry.status();
  CustomCallPlan plan;
  plan.call = &call;
  plan.entry = *entry;
  for (const auto *types : {&call.operand_types, &call.result_types})
    for (const auto &type : *types)
      plan.prototypes.push_back({nullptr, type->dims.data(),
                                 static_cast<int32_t>(type->dims.size()),
                                 static_cast<int32_t>(type->dtype)});
  return plan;
}

absl::Status CustomCallPlan::run(void *const *buffers, uint32_t device, uint32_t numDevices,
                                 TandemArray *scratch) const {
  for (size_t i = 0; i < prototypes.size(); ++i) {
    scratch[i] = prototypes[i];
    scratch[i].data = buffers[i];
  }
  char message[512] = "";
  size_t operands = call->operands.size();
  TandemCustomCallFrame frame;
  frame.frame_size = sizeof(frame);
  frame.target = call->target.c_str();
  frame.attributes = call->attributes.c_str();
  frame.operands = scratch;
  frame.num_operands = operands;
  frame.results = scratch + operands;
  frame.num_results = prototypes.size() - operands;
  frame.device = device;
  frame.num_devices = numDevices;
  frame.user_data = entry.userData;
  frame.message = message;
  frame.message_size = sizeof(message);
  int code = entry.function(&frame);
  if (code == 0)
    return absl::OkStatus();
  message[sizeof(message) - 1] = '\0';
  if (entry.isBuiltin && code == kCheckFailed)
    return absl::OutOfRangeError(
        absl::StrCat("'", call->target, "' does not hold on device ", device, ": ", message));
  // The kernel, which is the caller's, judged what the program gives it.
  return absl::FailedPreconditionError(absl::StrCat("custom call '", call->target,
                                                    "' failed on device ", device, " with code ",
                                                    code, message[0] ? ": " : "", message));
}

} // namespace tandem::runtime
