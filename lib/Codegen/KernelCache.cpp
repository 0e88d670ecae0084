// Compiled kernels on disk.

#include "KernelCache.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace mlir;

namespace tandem::codegen {
namespace {

constexpr StringRef magic = "TandemK1";
constexpr size_t sumBytes = 32;

std::string sumOf(StringRef bytes) {
  auto sum = llvm::SHA256::hash(
      ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  return std::string(sum.begin(), sum.end());
}

/// What tells this compiler from others.
std::string compilerIdentity() {
  static int anchor;
  std::string path = llvm::sys::fs::getMainExecutable(nullptr, &anchor);
  llvm::sys::fs::file_status status;
  std::string identity = "LLVM " LLVM_VERSION_STRING;
  if (!llvm::sys::fs::status(path, status))
    identity += ";" + std::to_string(status.getSize()) + ";" +
                std::to_string(status.getLastModificationTime().time_since_epoch().count());
  return identity;
}

void appendNumber(std::string &text, int64_t number) {
  text.append(reinterpret_cast<const char *>(&number), sizeof(number));
}

std::optional<int64_t> takeNumber(StringRef &text) {
  int64_t number;
  if (text.size() < sizeof(number))
    return std::nullopt;
  std::memcpy(&number, text.data(), sizeof(number));
  text = text.drop_front(sizeof(number));
  return number;
}

/// Whether a file of this name in the folder is one of ours: a key, or what store() left behind.
bool isOwnName(StringRef name) {
  return name.consume_front("new-")
             ? name.size() == 12
             : name.size() == 2 * sumBytes && llvm::all_of(name, llvm::isHexDigit);
}

} // namespace

KernelCache::KernelCache() {
  llvm::SmallString<128> path;
  if (const char *chosen = std::getenv("TANDEM_CACHE_DIR")) {
    path = chosen;
  } else if (llvm::sys::path::cache_directory(path)) {
    llvm::sys::path::append(path, "tandem", "kernels");
  }
  if (!path.empty() && !llvm::sys::fs::create_directories(path))
    folder = std::string(path);
}

std::string KernelCache::keyOf(ArrayRef<KernelOp> kernels, ArrayRef<std::string> symbols,
                               const TargetFeatures &features) {
  static const std::string identity = compilerIdentity();
  std::string text = identity;
  llvm::raw_string_ostream out(text);
  out << '\n' << features.triple << '\n' << features.cpu << '\n' << features.features << '\n';
  // All of every constant, whatever the command line says about printing.
  OpPrintingFlags flags;
  flags.useLocalScope().elideLargeElementsAttrs(std::numeric_limits<int64_t>::max());
  for (auto [kernel, symbol] : llvm::zip_equal(kernels, symbols)) {
    out << symbol << '\n';
    llvm::interleaveComma(KernelOp(kernel).getInPlacePairs(), out,
                          [&](auto pair) { out << pair.first << ":" << pair.second; });
    // Neither the kernel's own attributes nor what surrounds it matters.
    for (Value argument : KernelOp(kernel).getBody().getArguments())
      out << argument.getType() << ',';
    AsmState state(kernel, flags);
    for (Operation &op : KernelOp(kernel).getBody().front()) {
      op.print(out, state);
      out << '\n';
    }
  }
  return llvm::toHex(sumOf(text), /*LowerCase=*/true);
}

std::optional<CachedObject> KernelCache::find(StringRef key) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, key);
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  StringRef text = (*file)->getBuffer();
  if (!text.consume_front(magic) || text.size() < sumBytes ||
      sumOf(text.drop_front(sumBytes)) != text.take_front(sumBytes))
    return std::nullopt;
  text = text.drop_front(sumBytes);
  CachedObject object;
  std::optional<int64_t> count = takeNumber(text);
  for (int64_t i = 0; count && i < *count; ++i) {
    std::optional<int64_t> units = takeNumber(text);
    if (!units)
      return std::nullopt;
    object.units.push_back(*units);
  }
  object.bytes = text.str();
  return object;
}

void KernelCache::store(StringRef key, const CachedObject &object) const {
  std::string payload;
  appendNumber(payload, object.units.size());
  for (int64_t units : object.units)
    appendNumber(payload, units);
  payload += object.bytes;

  llvm::SmallString<128> path(folder), pattern(folder);
  llvm::sys::path::append(path, key);
  llvm::sys::path::append(pattern, "new-%%%%%%%%%%%%");
  auto file = llvm::sys::fs::TempFile::create(pattern);
  if (!file)
    return llvm::consumeError(file.takeError());
  bool failed;
  {
    llvm::raw_fd_ostream out(file->FD, /*shouldClose=*/false);
    out << magic << sumOf(payload) << payload;
    out.flush();
    failed = out.has_error();
    out.clear_error();
  }
  if (failed)
    llvm::consumeError(file->discard());
  else
    llvm::consumeError(file->keep(path));
  // Now and then.
  if (key.starts_with("00"))
    removeOld();
}

void KernelCache::removeOld() const {
  using namespace std::chrono;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error)) {
    llvm::ErrorOr<llvm::sys::fs::basic_file_status> status = at->status();
    if (status && isOwnName(llvm::sys::path::filename(at->path())) &&
        status->type() == llvm::sys::fs::file_type::regular_file &&
        system_clock::now() - status->getLastModificationTime() > hours(24 * 30))
      (void)llvm::sys::fs::remove(at->path()); // another process may have been first
  }
}

} // namespace tandem::codegen
