// Timelines in the format that chrome://tracing and Perfetto read.
//
//   Trace trace;
//   trace.setStreamName(0, "compute");
//   trace.add({.name = trace.intern("dot.3"), .category = "gemm", .device = 0, .stream = 0,
//              .beginNanoseconds = 0, .endNanoseconds = 1500});
//   absl::Status s = trace.write("trace.json");
//
// A device is a process, its streams are the process's threads: one track per device and stream.
// Times count from any common origin. Not synchronised; events may be added in any order and
// are written by device, stream and begin.
#ifndef TANDEM_RUNTIME_TRACE_H
#define TANDEM_RUNTIME_TRACE_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tandem::runtime {

struct TraceEvent {
  absl::string_view name;     // must outlive the trace: see intern
  absl::string_view category; // a literal: "kernel", "gemm", "copy", "all-reduce", ...
  uint32_t device = 0;
  uint32_t stream = 0;
  int64_t beginNanoseconds = 0;
  int64_t endNanoseconds = 0;
  uint64_t bytes = 0; // moved, 0: not shown
  // When the last participant of a collective arrived, i.e. its transfer began; negative: none.
  int64_t transferNanoseconds = -1;
  int64_t step = 0;      // which of several steps
  absl::string_view key; // of the op in a profile (Cost/Profile.h); outlives the trace; not written
};

class Trace {
public:
  void add(const TraceEvent &event) { events.push_back(event); }
  void setStreamName(uint32_t stream, std::string name);
  // A copy of `name` that lives as long as the trace.
  absl::string_view intern(absl::string_view name);

  const std::vector<TraceEvent> &getEvents() const { return events; }
  void clear() { events.clear(); }

  std::string toJson() const;
  // Atomic: see AtomicFile.h.
  [[nodiscard]] absl::Status write(const std::string &path) const;

private:
  std::vector<TraceEvent> events;
  std::map<uint32_t, std::string> streamNames;
  std::set<std::string> names;
};

} // namespace tandem::runtime

#endif
