// The description of a machine that the cost model prices against (DESIGN.md, D4).
//
// A target is a JSON file under lib/Cost/targets, embedded at build time; nothing is ever
// measured during a compile. Units are integers: picoseconds, bytes per second, operations
// per second, so that the same input and target give the same plan on every machine.
//
//   llvm::Expected<Target> target = Target::named("host");
//   int64_t ps = target->links[0].picoseconds(/*wireBytes=*/1 << 20);
#ifndef TANDEM_COST_TARGET_H
#define TANDEM_COST_TARGET_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tandem {

// amount / perSecond in picoseconds, rounded up, without overflow for any int64 amount.
int64_t picosecondsFor(int64_t amount, int64_t perSecond);

// One level of the interconnect. Time of a collective = latency + wire bytes / bandwidth
// (the alpha-beta model; R. Hockney, Parallel Computing 20, 1994). The wire bytes carry the
// algorithm (CostModel::wireBytes).
struct Link {
  std::string name;
  int64_t devices = 0;  // consecutive device ids joined by this level; 0: all of them
  int64_t latencyPicoseconds = 0;
  int64_t bytesPerSecond = 1;

  int64_t picoseconds(int64_t wireBytes) const {
    return latencyPicoseconds + picosecondsFor(wireBytes, bytesPerSecond);
  }
};

struct Target {
  std::string name;
  std::string comment;
  int64_t launchPicoseconds = 0;     // issue of one kernel, library call or copy
  int64_t memoryBytesPerSecond = 1;  // one device's memory, reads and writes together
  int64_t copyBytesPerSecond = 1;    // bytes copied (each read once and written once)
  int64_t scalarOpsPerSecond = 1;    // element operations of kernels
  // By element type ("f32", "bf16", ..., "default"), in the order of the file's sorted keys.
  std::vector<std::pair<std::string, int64_t>> matmulFlopsPerSecond;
  int64_t defaultTripCount = 1;  // of loops whose trip count is not known
  std::vector<Link> links;       // innermost level first; never empty
  // Only for `host`: LLVM's name and features ("+avx2,...") of the CPU, resolved once.
  std::string cpu, features;

  int64_t matmulRate(llvm::StringRef elementType) const;

  // The embedded target of that name; `host` comes with its CPU resolved.
  static llvm::Expected<Target> named(llvm::StringRef name);
  static llvm::Expected<Target> fromJson(llvm::StringRef text);
  static std::vector<std::string> names();
  // One line, keys sorted: what the Program records.
  std::string toJson() const;
};

// "latency=20us,bandwidth=25GB/s", in any order; units ps ns us ms s and B KB MB GB TB per
// second (powers of ten). Both are required.
llvm::Expected<Link> parseLink(llvm::StringRef text);

}  // namespace tandem

#endif  // TANDEM_COST_TARGET_H
