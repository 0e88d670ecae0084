// LLVM ORC with the JITLink object layer; the only place of the runtime that uses LLVM.
#include "runtime/cpu/KernelLibrary.h"

#include <bit>
#include <cmath>
#include <mutex>
#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/base/SmallFloat.h"
#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tandem::runtime {
namespace {

absl::Status toStatus(llvm::Error error, absl::string_view what) {
  if (!error)
    return absl::OkStatus();
  return absl::InternalError(absl::StrCat(what, ": ", llvm::toString(std::move(error))));
}

// Conversions that LLVM leaves to compiler-rt. On x86-64 small floats travel in vector registers
// as _Float16; the bits are what counts.
_Float16 smallFromBits(uint16_t bits) { return std::bit_cast<_Float16>(bits); }
uint16_t bitsOfSmall(_Float16 value) { return std::bit_cast<uint16_t>(value); }

_Float16 truncateToBf16(float value) { return smallFromBits(floatToBf16(value)); }
_Float16 truncateToF16(float value) { return smallFromBits(floatToF16(value)); }
float extendF16(_Float16 value) { return f16ToFloat(bitsOfSmall(value)); }

// f64 to a small type through f32 would round twice: make the f32 odd where it is inexact.
float roundToOdd(double value) {
  float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || std::isnan(value) || std::isinf(nearest))
    return nearest;
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if (bits & 1)
    return nearest;
  bool away = std::fabs(static_cast<double>(nearest)) > std::fabs(value);
  return std::bit_cast<float>(away ? bits - 1 : bits + 1);
}
_Float16 truncateF64ToBf16(double value) { return truncateToBf16(roundToOdd(value)); }
_Float16 truncateF64ToF16(double value) { return truncateToF16(roundToOdd(value)); }

} // namespace

struct KernelLibrary::Jit {
  explicit Jit(std::unique_ptr<llvm::orc::ExecutorProcessControl> control)
      : session(std::move(control)) {}
  ~Jit() { llvm::consumeError(session.endSession()); }

  llvm::orc::ExecutionSession session;
  std::unique_ptr<llvm::orc::ObjectLinkingLayer> objects;
};

KernelLibrary::KernelLibrary() = default;
KernelLibrary::~KernelLibrary() = default;

absl::StatusOr<std::unique_ptr<KernelLibrary>>
KernelLibrary::load(const program::ProgramT &program) {
  std::unique_ptr<KernelLibrary> library(new KernelLibrary);
  if (program.kernels.empty())
    return library;

  auto control = llvm::orc::SelfExecutorProcessControl::Create();
  if (!control)
    return toStatus(control.takeError(), "cannot start the kernel linker");
  library->jit = std::make_unique<Jit>(std::move(*control));
  llvm::orc::ExecutionSession &session = library->jit->session;
  // The session reports details here (which symbols are missing) and a summary to the caller.
  std::string details;
  std::mutex detailsMutex;
  session.setErrorReporter([&](llvm::Error error) {
    std::lock_guard lock(detailsMutex);
    absl::StrAppend(&details, details.empty() ? "" : "; ", llvm::toString(std::move(error)));
  });
  library->jit->objects = std::make_unique<llvm::orc::ObjectLinkingLayer>(session);
  auto dylib = session.createJITDylib("kernels");
  if (!dylib)
    return toStatus(dylib.takeError(), "cannot start the kernel linker");

  // What the process has comes first; a conversion it lacks is ours.
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0');
  if (!process)
    return toStatus(process.takeError(), "cannot search the process's symbols");
  dylib->addGenerator(std::move(*process));
  llvm::orc::SymbolMap conversions;
  auto define = [&](const char *name, auto *function) {
    conversions[session.intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                         llvm::JITSymbolFlags::Exported |
                                             llvm::JITSymbolFlags::Callable};
  };
  define("__truncsfbf2", &truncateToBf16);
  define("__truncdfbf2", &truncateF64ToBf16);
  define("__truncsfhf2", &truncateToF16);
  define("__truncdfhf2", &truncateF64ToF16);
  define("__extendhfsf2", &extendF16);
  define("__gnu_f2h_ieee", &truncateToF16);
  define("__gnu_h2f_ieee", &extendF16);
  if (absl::Status status = toStatus(dylib->define(llvm::orc::absoluteSymbols(conversions)),
                                     "cannot define the conversion routines");
      !status.ok())
    return status;

  for (size_t i = 0; i < program.objects.size(); ++i) {
    const std::vector<uint8_t> &data = program.objects[i]->data;
    std::string name = absl::StrCat("objects[", i, "]");
    // JITLink edits nothing in place, but wants the alignment of a copy.
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(
        llvm::StringRef(reinterpret_cast<const char *>(data.data()), data.size()), name);
    if (absl::Status status = toStatus(library->jit->objects->add(*dylib, std::move(buffer)),
                                       absl::StrCat("cannot read the kernels in ", name));
        !status.ok())
      return status;
  }

  llvm::orc::SymbolLookupSet symbols;
  std::vector<llvm::orc::SymbolStringPtr> names;
  for (const auto &kernel : program.kernels) {
    names.push_back(session.intern(kernel->symbol));
    symbols.add(names.back());
  }
  symbols.sortByAddress();
  symbols.removeDuplicates();
  auto found = session.lookup({{&*dylib, llvm::orc::JITDylibLookupFlags::MatchExportedSymbolsOnly}},
                              std::move(symbols));
  // Kernels are linked now: nothing is reported later.
  session.setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); });
  if (!found) {
    absl::Status status = toStatus(found.takeError(), "cannot link the program's kernels");
    std::lock_guard lock(detailsMutex);
    return absl::Status(status.code(),
                        absl::StrCat(status.message(), details.empty() ? "" : ": ", details));
  }
  for (const llvm::orc::SymbolStringPtr &name : names)
    library->functions.push_back((*found)[name].getAddress().toPtr<KernelFunction>());
  return library;
}

} // namespace tandem::runtime
