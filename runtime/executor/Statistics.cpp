// Sums over devices, and the overlap of communication with computing.
#include "runtime/executor/Statistics.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"

namespace tandem::runtime {

using namespace program;

namespace {

// Part of [begin, end) that the intervals (ascending, disjoint) cover.
int64_t coveredNanoseconds(const std::vector<Interval> &intervals, int64_t begin, int64_t end) {
  auto first =
      std::partition_point(intervals.begin(), intervals.end(),
                           [&](const Interval &interval) { return interval.end <= begin; });
  int64_t covered = 0;
  for (auto it = first; it != intervals.end() && it->begin < end; ++it)
    covered += std::min(end, it->end) - std::max(begin, it->begin);
  return covered;
}

double seconds(int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

absl::string_view categoryOf(const ProgramT &program, const CommandT &command) {
  switch (command.body.type) {
  case CommandBody::Launch:
    return "kernel";
  case CommandBody::Gemm:
    return "gemm";
  case CommandBody::CustomCall:
    return "custom-call";
  case CommandBody::Copy:
    return "copy";
  case CommandBody::Collective:
    return collectiveKindName(program.collectives[command.body.AsCollective()->collective]->kind);
  default:
    return "other";
  }
}

} // namespace

RunStats collectStatistics(const Step &step, const ProgramT &program) {
  RunStats stats;
  stats.stepSeconds = seconds(step.endNanoseconds - step.beginNanoseconds);
  for (const auto &argument : program.arguments)
    stats.argumentBytes += static_cast<uint64_t>(localBytes(*argument));
  for (const auto &result : program.results)
    if (result->alias_argument < 0)
      stats.resultBytes += static_cast<uint64_t>(localBytes(*result));
  stats.tempBytes = program.temp_bytes;
  stats.constantBytes = program.constants.size();

  using Key = std::pair<CollectiveKind, DType>;
  std::map<Key, RunStats::CollectiveRow> rows;
  for (const Device &device : step.devices) {
    std::map<Key, RunStats::CollectiveRow> ofDevice;
    for (size_t i = 0; i < program.collectives.size(); ++i) {
      const CollectiveOpT &op = *program.collectives[i];
      uint64_t count = device.collectiveCounts[i];
      if (count == 0)
        continue;
      RunStats::CollectiveRow &row = ofDevice[{op.kind, op.operand_types[0]->dtype}];
      row.count += count;
      row.operands += count * op.operand_types.size();
      row.wireBytes += count * op.wire_bytes;
    }
    for (const auto &[key, row] : ofDevice) {
      RunStats::CollectiveRow &largest = rows[key];
      largest.kind = key.first;
      largest.dtype = key.second;
      largest.count = std::max(largest.count, row.count);
      largest.operands = std::max(largest.operands, row.operands);
      largest.wireBytes = std::max(largest.wireBytes, row.wireBytes);
    }
    stats.commands += device.executed.load(std::memory_order_relaxed);
    stats.copies += device.copies;
    stats.copyBytes += device.copyBytes;

    int64_t computing = 0, communicating = 0, hidden = 0, waiting = 0;
    for (const Interval &interval : device.computing)
      computing += interval.end - interval.begin;
    for (const Execution &execution : device.communicating) {
      communicating += execution.end - execution.transfer;
      hidden += coveredNanoseconds(device.computing, execution.transfer, execution.end);
      waiting += execution.transfer - execution.begin;
    }
    stats.computeSeconds += seconds(computing);
    stats.communicationSeconds += seconds(communicating);
    stats.hiddenSeconds += seconds(hidden);
    stats.waitSeconds += seconds(waiting);
  }
  for (const auto &[key, row] : rows)
    stats.collectives.push_back(row);
  return stats;
}

void collectTrace(const Step &step, const ProgramT &program, int64_t origin, int64_t stepNumber,
                  Trace &trace) {
  trace.setStreamName(kComputeStream, "compute");
  trace.setStreamName(kCopyStream, "copy");
  for (uint32_t stream = kFirstCommunicationStream; stream < program.num_streams; ++stream)
    trace.setStreamName(stream, absl::StrCat("communication ", stream - kFirstCommunicationStream));
  std::vector<absl::string_view> names(program.commands.size());
  for (const Device &device : step.devices)
    for (const Execution &execution : device.trace) {
      const CommandT &command = *program.commands[execution.command];
      absl::string_view &name = names[execution.command];
      if (name.empty())
        name = trace.intern(command.name.empty() ? EnumNameCommandBody(command.body.type)
                                                 : command.name);
      TraceEvent event;
      event.name = name;
      event.key = command.key;
      event.category = categoryOf(program, command);
      event.device = device.index;
      event.stream = command.stream;
      event.beginNanoseconds = execution.begin - origin;
      event.endNanoseconds = execution.end - origin;
      event.step = stepNumber;
      if (execution.transfer >= 0)
        event.transferNanoseconds = execution.transfer - origin;
      if (const CopyT *copy = command.body.AsCopy())
        event.bytes = copy->bytes;
      if (const CollectiveT *collective = command.body.AsCollective())
        event.bytes = program.collectives[collective->collective]->wire_bytes;
      trace.add(event);
    }
}

} // namespace tandem::runtime
