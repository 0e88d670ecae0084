//===- KernelCache.h - Compiled kernels on disk ---------------------*- C++ -*-===//
//
// Objects by the content that they were compiled from: the kernels' text and symbols, the target's
// features, and the program that compiles (its file's size and time, so that a rebuilt compiler
// does not meet what an older one left). A hit gives the very bytes that compiling gives.
//
// The folder is $TANDEM_CACHE_DIR; else tandem/kernels under $XDG_CACHE_HOME or ~/.cache. Set but
// empty, or without a home, nothing is cached; nor is it an error if the folder cannot be written.
//
// Entries are written to a file of their own that is then renamed, and carry a checksum: a reader
// sees a whole entry or none, whoever writes at the same time or was cut off. Entries that nobody
// has written for a month go when others come.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_LIB_CODEGEN_KERNELCACHE_H
#define TANDEM_LIB_CODEGEN_KERNELCACHE_H

#include "tandem/Codegen/Kernels.h"

#include <optional>

namespace tandem::codegen {

struct CachedObject {
  std::string bytes;
  /// KernelInfo::units of its kernels, in order.
  std::vector<int64_t> units;
};

class KernelCache {
public:
  /// Finds the folder.
  KernelCache();
  bool isEnabled() const { return !folder.empty(); }

  /// The name of the object with these kernels, called `symbols`.
  static std::string keyOf(llvm::ArrayRef<KernelOp> kernels, llvm::ArrayRef<std::string> symbols,
                           const TargetFeatures &features);
  std::optional<CachedObject> find(llvm::StringRef key) const;
  void store(llvm::StringRef key, const CachedObject &object) const;

  /// Removes entries that nobody has written for 30 days; store() does so now and then. Files that
  /// are not the cache's stay.
  void removeOld() const;

private:
  std::string folder;
};

} // namespace tandem::codegen

#endif // TANDEM_LIB_CODEGEN_KERNELCACHE_H
