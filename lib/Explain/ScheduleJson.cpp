// Reports on schedules as JSON, and as Perfetto traces.
#include "tandem/Explain/ScheduleReport.h"

#include "llvm/ADT/STLExtras.h"
#include <nlohmann/json.hpp>

namespace tandem {

using nlohmann::json;

std::string reportJson(const ScheduleReport &report) {
  const Schedule &schedule = *report.schedule;
  const SimulationResult &times = report.times;
  json transfers = json::array(), tensors = json::array(), edges = json::array();
  for (auto [row, limit] : llvm::zip(times.transfers, report.limits)) {
    const ScheduledItem &item = schedule.items[row.item];
    json entry{
        {"name", item.name.str()}, {"opcode", item.opcode.str()}, {"runs", row.count},
        {"each_ps", row.each},     {"hidden_ps", row.hidden},     {"exposed_ps", row.exposed},
        {"queued_ps", row.queued}, {"place", item.place.str()},   {"synchronous", item.synchronous},
        {"limit", limit.text}};
    if (item.collective >= 0) {
      const CollectiveInfo &info = schedule.collectives[item.collective];
      json wire = json::object();
      for (auto &[type, bytes] : info.wireBytes)
        wire[type.str()] = bytes;
      entry.update({{"kind", info.kind.str()},
                    {"bytes", info.bytes},
                    {"wire_bytes", wire},
                    {"groups", info.groups},
                    {"group_size", info.groupSize},
                    {"algorithm", info.algorithm.str()},
                    {"for", info.array.str()},
                    {"cause", info.cause.str()}});
    }
    transfers.push_back(std::move(entry));
  }
  for (const LiveTensor &tensor : report.peak.tensors)
    tensors.push_back(
        {{"name", schedule.values[tensor.value].name.str()}, {"bytes", tensor.bytes}});
  for (const OrderingEdge &edge : report.edges)
    edges.push_back({{"item", schedule.items[edge.after].name.str()},
                     {"waits_for", schedule.items[edge.before].name.str()},
                     {"saved_copy_bytes", edge.savedCopyBytes},
                     {"cost_ps", edge.cost < 0 ? json() : json(edge.cost)}});
  json result{{"program", schedule.name},
              {"target", report.target},
              {"step_ps", times.step},
              {"bound_ps", report.bound},
              {"compute_ps", times.busy[kComputeEngine]},
              {"matmul_ps", times.matmulBusy},
              {"links_ps", times.linkBusy()},
              {"hidden_ps", times.hidden},
              {"exposed_ps", times.exposed},
              {"host_copies_ps", times.busy[kCopyEngine]},
              {"exposed_host_ps", times.exposedHost},
              {"flops", times.flops},
              {"kernels", times.kernels},
              {"copies", times.copies},
              {"copy_bytes", times.copyBytes},
              {"wire_bytes", times.wireBytes},
              {"peak_bytes", report.peak.bytes},
              {"argument_bytes", schedule.argumentBytes()},
              {"host_peak_bytes", report.hostPeakBytes},
              {"pipeline_depth", times.depth},
              {"n_async", report.pairs.async},
              {"n_sync", report.pairs.synchronous},
              {"n_overlapped", report.pairs.overlapped},
              {"transfers", transfers},
              {"peak_tensors", tensors},
              {"edges", edges},
              {"errors", report.errors},
              {"warnings", report.warnings}};
  return result.dump(2) + "\n";
}

std::string traceJson(const ScheduleReport &report, const std::string &measured) {
  // Processes of a measured trace are its devices; the prediction gets a number apart.
  constexpr int kPredicted = 1'000'000;
  constexpr double kPicosecondsPerMicrosecond = 1e6;
  json trace = measured.empty() ? json::object()
                                : json::parse(measured, nullptr, /*allow_exceptions=*/false);
  if (trace.is_discarded() || (!trace.is_object() && !trace.is_array()))
    trace = json::object();
  json events = json::array();
  if (trace.is_array())
    events = std::move(trace);
  else if (trace.contains("traceEvents"))
    events = trace["traceEvents"];
  events.push_back({{"ph", "M"},
                    {"pid", kPredicted},
                    {"name", "process_name"},
                    {"args", {{"name", "predicted on " + report.target}}}});
  const Schedule &schedule = *report.schedule;
  for (unsigned engine = 0; engine < schedule.engines; ++engine) {
    std::string name = engine == kComputeEngine ? "compute"
                       : engine == kCopyEngine
                           ? "host copies"
                           : "link " + std::to_string(engine - kFirstLinkEngine);
    events.push_back({{"ph", "M"},
                      {"pid", kPredicted},
                      {"tid", engine},
                      {"name", "thread_name"},
                      {"args", {{"name", name}}}});
  }
  for (const SimulatedSpan &span : report.times.spans) {
    const ScheduledItem &item = schedule.items[span.item];
    events.push_back(
        {{"ph", "X"},
         {"pid", kPredicted},
         {"tid", span.engine},
         {"name", item.name.str()},
         {"cat", item.opcode.str()},
         {"ts", static_cast<double>(span.begin) / kPicosecondsPerMicrosecond},
         {"dur", static_cast<double>(span.end - span.begin) / kPicosecondsPerMicrosecond}});
  }
  return json{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}}.dump() + "\n";
}

} // namespace tandem
