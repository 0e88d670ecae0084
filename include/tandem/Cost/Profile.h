// Measured times of ops, which replace what the cost model predicts, op by op.
//
//   llvm::Expected<Profile> profile = Profile::parse(text, "step.profile.json");
//   if (std::optional<int64_t> ps = profile->find(profileKey(op))) ...
//
// `tandem run --profile-out F.json` writes one, `--profile F.json` of the commands that compile
// takes it. An op is known by what it does: its name, types, attributes and region. Where it is in
// the program, its stream, its buffers and what feeds it are left out, so that a profile outlives
// another order. Ops that a profile has no time for are predicted; entries that no op asks for do
// no harm.
//
//   {"tandem_profile": 1,
//    "ops": {"tandem.gemm 1f0c...": {"picoseconds": 1650000, "samples": 40, "name": "gemm
//    f.py:12"}}}
//
// Immutable; any thread.
#ifndef TANDEM_COST_PROFILE_H
#define TANDEM_COST_PROFILE_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"

namespace tandem {

struct ProfileEntry {
  int64_t picoseconds = 0; // of one execution on its engine: the median
  int64_t samples = 0;
  std::string name; // for readers of the file
};

class Profile {
public:
  // Errors name `source` and what was found and expected.
  static llvm::Expected<Profile> parse(llvm::StringRef text, llvm::StringRef source);
  static llvm::Expected<Profile> load(llvm::StringRef path);
  std::string toJson() const;

  void add(std::string key, ProfileEntry entry) { entries[std::move(key)] = std::move(entry); }
  std::optional<int64_t> find(llvm::StringRef key) const;
  const std::map<std::string, ProfileEntry, std::less<>> &getEntries() const { return entries; }

private:
  std::map<std::string, ProfileEntry, std::less<>> entries;
};

// Name and fingerprint of an op; the same on every machine and in every run. Empty for ops that are
// not profiled: loops, branches and what takes no time.
std::string profileKey(mlir::Operation *op);

// How far a profile tells of a program.
struct ProfileUse {
  unsigned measured = 0, predicted = 0; // ops in the program's text
  unsigned unused = 0;                  // entries that no op asks for
};
ProfileUse useOf(const Profile &profile, mlir::Operation *root);

} // namespace tandem

#endif // TANDEM_COST_PROFILE_H
