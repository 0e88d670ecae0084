// A wire for collectives that really move memory inside one process.
//
//   EmulatedLink::parse("latency=20us,bandwidth=25GB/s")
//
// A collective over an emulated link completes no earlier than
//   max over its devices of (arrival) + latency + wireBytes / bandwidth.
// Every device has one link per level; transfers on one communication stream are serial.
#ifndef TANDEM_RUNTIME_EMULATEDLINK_H
#define TANDEM_RUNTIME_EMULATEDLINK_H

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tandem::runtime {

struct EmulatedLink {
  int64_t latencyNanoseconds = 0;
  double bytesPerSecond = 0; // 0: infinite

  // Comma-separated latency (ns, us, ms, s) and bandwidth (B/s, KB/s, MB/s, GB/s, TB/s, powers
  // of 1000; KiB/s, ... powers of 1024), each at most once, at least one.
  static absl::StatusOr<EmulatedLink> parse(absl::string_view text);

  int64_t transferNanoseconds(uint64_t wireBytes) const;
};

} // namespace tandem::runtime

#endif
