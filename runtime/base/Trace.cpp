// Chrome trace events as JSON.
#include "tandem/Runtime/Trace.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tandem/Runtime/AtomicFile.h"

namespace tandem::runtime {
namespace {

void appendQuoted(std::string &out, absl::string_view text) {
  out.push_back('"');
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      absl::StrAppendFormat(&out, "\\u%04x", static_cast<int>(c));
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

// Microseconds with all the nanoseconds.
void appendMicroseconds(std::string &out, int64_t nanoseconds) {
  absl::StrAppendFormat(&out, "%d.%03d", nanoseconds / 1000, nanoseconds % 1000);
}

} // namespace

void Trace::setStreamName(uint32_t stream, std::string name) {
  streamNames[stream] = std::move(name);
}

absl::string_view Trace::intern(absl::string_view name) {
  return *names.insert(std::string(name)).first;
}

std::string Trace::toJson() const {
  std::vector<const TraceEvent *> ordered;
  ordered.reserve(events.size());
  for (const TraceEvent &event : events)
    ordered.push_back(&event);
  std::sort(ordered.begin(), ordered.end(), [](const TraceEvent *a, const TraceEvent *b) {
    return std::tie(a->device, a->stream, a->beginNanoseconds, a) <
           std::tie(b->device, b->stream, b->beginNanoseconds, b);
  });

  std::string out = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  absl::string_view separator = "\n";
  const TraceEvent *previous = nullptr;
  for (const TraceEvent *event : ordered) {
    bool newDevice = !previous || previous->device != event->device;
    if (newDevice) {
      absl::StrAppend(&out, separator,
                      "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":", event->device,
                      ",\"args\":{\"name\":\"device ", event->device, "\"}}");
      separator = ",\n";
      absl::StrAppend(&out, separator,
                      "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":", event->device,
                      ",\"args\":{\"sort_index\":", event->device, "}}");
    }
    if (newDevice || previous->stream != event->stream) {
      auto name = streamNames.find(event->stream);
      absl::StrAppend(&out, separator,
                      "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":", event->device,
                      ",\"tid\":", event->stream, ",\"args\":{\"name\":");
      appendQuoted(out, name != streamNames.end() ? name->second
                                                  : absl::StrCat("stream ", event->stream));
      absl::StrAppend(&out, "}}", separator,
                      "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":", event->device,
                      ",\"tid\":", event->stream, ",\"args\":{\"sort_index\":", event->stream,
                      "}}");
    }
    previous = event;
    absl::StrAppend(&out, separator, "{\"ph\":\"X\",\"name\":");
    appendQuoted(out, event->name);
    absl::StrAppend(&out, ",\"cat\":");
    appendQuoted(out, event->category);
    absl::StrAppend(&out, ",\"pid\":", event->device, ",\"tid\":", event->stream, ",\"ts\":");
    appendMicroseconds(out, event->beginNanoseconds);
    absl::StrAppend(&out, ",\"dur\":");
    appendMicroseconds(out, std::max<int64_t>(0, event->endNanoseconds - event->beginNanoseconds));
    absl::StrAppend(&out, ",\"args\":{\"step\":", event->step);
    if (event->bytes != 0)
      absl::StrAppend(&out, ",\"bytes\":", event->bytes);
    if (event->transferNanoseconds >= 0) {
      absl::StrAppend(&out, ",\"transfer_begin_us\":");
      appendMicroseconds(out, event->transferNanoseconds);
    }
    absl::StrAppend(&out, "}}");
  }
  absl::StrAppend(&out, "\n]}\n");
  return out;
}

absl::Status Trace::write(const std::string &path) const {
  std::string text = toJson();
  return writeFileAtomically(path, {text});
}

} // namespace tandem::runtime
