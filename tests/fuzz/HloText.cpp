// libFuzzer: any bytes are an error or a module that comes back the same from its own text.
#include "tandem/Import/HloText.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tandem;
  llvm::Expected<std::unique_ptr<hlo::Module>> module =
      hlo::parse(std::string(reinterpret_cast<const char *>(data), size), "fuzz");
  if (!module) {
    llvm::consumeError(module.takeError());
    return 0;
  }
  const std::string text = hlo::print(**module);
  llvm::Expected<std::unique_ptr<hlo::Module>> again = hlo::parse(text, "again");
  if (!again || hlo::print(**again) != text)
    std::abort();
  return 0;
}
