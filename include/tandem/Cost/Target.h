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

// amount x permille / 1000 without overflow for any int64 amount.
int64_t scaled(int64_t amount, int64_t permille);

// One level of the interconnect. How a collective uses it: tandem/Cost/Collectives.h.
struct Link {
  std::string name;
  int64_t devices = 0;            // consecutive device ids joined by this level; 0: all of them
  int64_t latencyPicoseconds = 0; // of any transfer
  int64_t hopPicoseconds = 0;     // more for each step of a collective's algorithm
  int64_t bytesPerSecond = 1;     // one device's, each way, at peak
  int64_t efficiencyPermille = 1000;

  int64_t effectiveBytesPerSecond() const { return scaled(bytesPerSecond, efficiencyPermille); }
  // Of one message: latency + bytes / bandwidth (R. Hockney, Parallel Computing 20, 1994).
  int64_t picoseconds(int64_t wireBytes) const {
    return latencyPicoseconds + picosecondsFor(wireBytes, effectiveBytesPerSecond());
  }
};

// Rates are peaks; the efficiencies beside them say what of it is reached.
struct Target {
  std::string name;
  std::string comment;
  std::vector<std::string> sources; // where the figures come from
  std::string device = "cpu";       // cpu or gpu
  int64_t devices = 0;              // how many the machine has; 0: any number
  int64_t memoryBytes = 0;          // of one device; 0: not known
  int64_t launchPicoseconds = 0;    // issue of one kernel, library call or copy
  int64_t memoryBytesPerSecond = 1; // one device's memory, reads and writes together
  int64_t memoryEfficiencyPermille = 1000;
  int64_t copyBytesPerSecond = 0; // bytes copied (each read and written once); 0: as memory allows
  int64_t hostBytesPerSecond = 0; // to and from offloaded buffers; 0: as memory
  int64_t hostEfficiencyPermille = 1000;
  int64_t scalarOpsPerSecond = 0; // element operations of kernels; 0: hidden behind memory traffic
  // By element type ("f32", "bf16", ..., "default"), in the order of the file's sorted keys.
  std::vector<std::pair<std::string, int64_t>> matmulFlopsPerSecond;
  int64_t matmulEfficiencyPermille = 1000;
  // Dots in kernels are plain loops at this rate, on top of the kernel's traffic; 0: they run as
  // fast as a library's and hide behind traffic as these do.
  int64_t kernelMatmulFlopsPerSecond = 0;
  int64_t defaultTripCount = 1; // of loops whose trip count is not known
  // What is left of the compute rate while a transfer is on a wire.
  int64_t computeDuringTransfersPermille = 1000;
  std::vector<std::string> algorithms = {
      "ring"};             // of ring, tree, hierarchical: the cheapest is taken
  std::vector<Link> links; // innermost level first; never empty
  // Of a CPU: LLVM's name and features ("+avx2,..."); `host` resolves once.
  std::string cpu, features;

  // FLOP/s reached for elements of a type, by MLIR's or HLO's name of it.
  int64_t matmulRate(llvm::StringRef elementType) const;
  int64_t memoryRate() const { return scaled(memoryBytesPerSecond, memoryEfficiencyPermille); }
  int64_t hostRate() const {
    return hostBytesPerSecond ? scaled(hostBytesPerSecond, hostEfficiencyPermille) : memoryRate();
  }
  int64_t copyPicoseconds(int64_t bytes) const;

  // The embedded target of that name; `host` comes with its CPU resolved. A description itself,
  // text that begins with '{', is read instead.
  static llvm::Expected<Target> named(llvm::StringRef nameOrJson);
  // The same for what --target takes: a name, a description, or the path of a .json file.
  static llvm::Expected<Target> load(llvm::StringRef nameOrPath);
  static llvm::Expected<Target> fromJson(llvm::StringRef text);
  static std::vector<std::string> names();
  // One line, keys sorted: what the Program records.
  std::string toJson() const;
  // For files: keys sorted, two blanks of indentation.
  std::string toPrettyJson() const;
};

// "latency=20us,bandwidth=25GB/s", in any order; units ps ns us ms s and B KB MB GB TB per
// second (powers of ten). Both are required.
llvm::Expected<Link> parseLink(llvm::StringRef text);

} // namespace tandem

#endif // TANDEM_COST_TARGET_H
