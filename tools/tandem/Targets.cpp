// tandem targets: the machine descriptions that come with the compiler.
#include "Commands.h"

#include "tandem/Cost/Target.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace tandem::tool {

int targetsCommand(const std::vector<std::string> &arguments) {
  OptionTable table("targets", "", "Lists the machines that programs can be compiled for.");
  std::vector<std::string> positionals;
  int exitCode = kGood;
  if (!parseArguments(table, arguments, &positionals, 0, &exitCode))
    return exitCode;
  size_t width = 0;
  for (const std::string &name : Target::names())
    width = std::max(width, name.size());
  for (const std::string &name : Target::names()) {
    llvm::Expected<Target> target = Target::named(name);
    if (!target)
      return fail(absl::InternalError(llvm::toString(target.takeError())));
    llvm::outs() << llvm::left_justify(name, width + 2) << target->comment << "\n";
  }
  return kGood;
}

} // namespace tandem::tool
