// Runs Programs on the virtual CPU devices of this process.
//
//   ClientOptions options;
//   options.devices = 8;
//   absl::StatusOr<std::unique_ptr<Client>> client = Client::create(options);
//   absl::StatusOr<std::unique_ptr<Executable>> step = (*client)->load(std::move(program));
//   std::vector<Buffer> arguments;
//   for (...) arguments.push_back(*(*step)->makeArgument(i, hostArray));   // global arrays
//   RunOptions run;
//   run.donate = (*step)->aliasedArguments();
//   absl::StatusOr<std::vector<Buffer>> results = (*step)->run(absl::MakeSpan(arguments), run);
//   absl::StatusOr<HostArray> loss = (*results)[0].toHost();
//
// Repeated steps: (*step)->feedBack(*results, arguments) moves aliased results back into their
// arguments without a copy.
//
// Threads: a Client owns its worker threads; they sleep between steps. All functions may be
// called from any thread; steps of one client run one after the other. A Buffer is a handle that
// must not be used by two threads at once. Executables must not outlive their client; buffers may.
// Blocking: run() returns when the step has ended on all devices; nothing else waits for devices.
#ifndef TANDEM_RUNTIME_CLIENT_H
#define TANDEM_RUNTIME_CLIENT_H

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tandem/Runtime/CustomCall.h"
#include "tandem/Runtime/EmulatedLink.h"
#include "tandem/Runtime/HostArray.h"
#include "tandem/Runtime/Program.h"
#include "tandem/Runtime/RunStats.h"
#include "tandem/Runtime/Trace.h"

namespace tandem::runtime {

class Executable;

inline constexpr int kMaxDevices = 65536, kMaxThreads = 4096; // of one client

struct ClientOptions {
  int devices = 1;
  int threads = 0;                  // worker threads; 0: one per core this process may use
  std::optional<EmulatedLink> link; // a wire for the in-process collectives
};

// One global array, placed on the devices of a client: every device has its own allocation of
// its tile. Empty after it was donated.
class Buffer {
public:
  Buffer();
  Buffer(Buffer &&) noexcept;
  Buffer &operator=(Buffer &&) noexcept;
  ~Buffer();

  bool isEmpty() const;
  DType dtype() const;
  absl::Span<const int64_t> dims() const; // global
  int64_t bytesPerDevice() const;
  int numDevices() const;
  // One device's tile: bytesPerDevice() bytes, local shape, row-major. Valid while the buffer is
  // neither donated nor destroyed.
  const void *data(int device) const;

  // The global array. Replicated tiles must agree bit for bit; where they do not, the error
  // names two devices and the first element.
  absl::StatusOr<HostArray> toHost() const;

  struct Storage;
  explicit Buffer(std::unique_ptr<Storage> storage);

private:
  friend class Executable;
  std::unique_ptr<Storage> storage;
};

struct RunProgress {
  double seconds = 0;    // since the step began
  uint64_t commands = 0; // stream commands completed so far, all devices
};

struct RunOptions {
  // Per argument: may the program overwrite it? Only arguments that a result aliases are
  // affected; the Buffer is then empty after run() and its bytes belong to that result. An
  // aliased argument that is not donated is copied first. Empty: none is donated.
  std::vector<bool> donate;
  // Filled with one event per command when set.
  Trace *trace = nullptr;
  RunStats *stats = nullptr;
  // Debugging: before the step, fills what must be written before it is read (temporaries, results
  // with bytes of their own) with one-bits, NaN in every float type.
  bool poison = false;
  // Called on the thread that called run(), about every `progressSeconds`.
  std::function<void(const RunProgress &)> progress;
  double progressSeconds = 0.1;
};

// A loaded program. Loading resolves kernels, library primitives and addresses, so that a step
// allocates nothing but its results.
class Executable {
public:
  ~Executable();

  const program::ProgramT &getProgram() const;

  // Places a global array by the argument's (result's) layout; padding is zero. The array must
  // have the argument's type (see adaptTo). `where` stands in front of messages.
  absl::StatusOr<Buffer> makeArgument(size_t index, const HostArray &array,
                                      absl::string_view where = "") const;

  // As makeArgument, but where a device's tile is one stretch of the array it stays there: nothing
  // is copied of an array that one device or every device holds, or that is cut along its outermost
  // dimension. `array` must outlive the buffer and keep its values; it is never written, so that
  // the buffer cannot be donated: as an aliased argument it is copied first.
  absl::StatusOr<Buffer> borrowArgument(size_t index, const HostArray &array,
                                        absl::string_view where = "") const;

  // As makeArgument, from one local array per device, for programs that are already per device.
  absl::StatusOr<Buffer> makeArgumentFromShards(size_t index, absl::Span<const HostArray> shards,
                                                absl::string_view where = "") const;

  // Which arguments a result aliases: what `tandem run` donates.
  std::vector<bool> aliasedArguments() const;

  // One step. On an error (a collective that cannot complete, a failed custom call; OutOfRange: a
  // check of the program that does not hold) no device is
  // left running; donated arguments are lost.
  absl::StatusOr<std::vector<Buffer>> run(absl::Span<Buffer> arguments, const RunOptions &options);

  // Moves results that alias arguments into `arguments`; they become empty in `results`.
  void feedBack(absl::Span<Buffer> results, absl::Span<Buffer> arguments) const;

  struct Impl;

private:
  friend class Client;
  absl::StatusOr<Buffer> place(size_t index, const HostArray &array, absl::string_view where,
                               bool borrows) const;
  explicit Executable(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

class Client {
public:
  static absl::StatusOr<std::unique_ptr<Client>> create(const ClientOptions &options);
  ~Client();

  int numDevices() const;
  int numThreads() const;

  // Makes a custom-call kernel known to executables loaded afterwards; replaces an earlier one.
  void registerCustomCall(std::string target, TandemCustomCall function, void *userData = nullptr);

  // The program may use fewer devices than the client has, not more.
  absl::StatusOr<std::unique_ptr<Executable>> load(std::unique_ptr<program::ProgramT> program);

  struct Impl;

private:
  explicit Client(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tandem::runtime

#endif
