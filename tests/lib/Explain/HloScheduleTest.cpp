// Schedules of HLO text: costs, pairs, loops and memory, with the arithmetic written out.
#include "tandem/Explain/HloSchedule.h"
#include "tandem/Explain/Provenance.h"
#include "tandem/Explain/Reschedule.h"
#include "tandem/Explain/ScheduleReport.h"
#include "tandem/Import/HloText.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tandem {
namespace {

using testing::HasSubstr;

// Launch 10, memory 1 B/ps, f32 products 2 flops/ps, wire 100 + 1 a step + 1 B/ps.
constexpr const char *kTarget = R"({
  "name": "test", "device": "gpu", "launch_ps": 10, "memory_bytes_per_second": 1000000000000,
  "matmul_flops_per_second": {"default": 2000000000000}, "default_trip_count": 1,
  "links": [{"name": "link", "devices": 0, "latency_ps": 100, "hop_ps": 1, "bytes_per_second": 1000000000000}]})";

class HloScheduleTest : public testing::Test {
protected:
  const ScheduleReport &judge(const std::string &text) {
    auto parsed = hlo::parse(text, "test.hlo.txt");
    if (!parsed) {
      ADD_FAILURE() << llvm::toString(parsed.takeError());
      return report;
    }
    module = std::move(*parsed);
    schedule = scheduleOfHlo(*module, target);
    nameArrays(schedule);
    report = reportOn(schedule, target);
    return report;
  }

  Target target = *Target::fromJson(kTarget);
  std::unique_ptr<hlo::Module> module;
  Schedule schedule;
  ScheduleReport report;
};

TEST_F(HloScheduleTest, AGatherBehindAProduct) {
  const ScheduleReport &r = judge(R"(HloModule m, is_scheduled=true, num_partitions=4

ENTRY %main (x: f32[100], w: f32[32,32]) -> (f32[400], f32[32,32]) {
  %x = f32[100]{0} parameter(0)
  %w = f32[32,32]{1,0} parameter(1)
  %ags = (f32[100]{0}, f32[400]{0}) all-gather-start(%x), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true
  %dot = f32[32,32]{1,0} dot(%w, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %agd = f32[400]{0} all-gather-done(%ags)
  ROOT %t = (f32[400]{0}, f32[32,32]{1,0}) tuple(%agd, %dot)
}
)");
  EXPECT_THAT(r.errors, testing::IsEmpty());
  // 10 + max(2 x 32^3 / 2, 3 x 4096) = 32778.
  EXPECT_EQ(r.times.busy[kComputeEngine], 10 + 32768);
  // 3/4 of 1600 bytes at 1 B/ps after 100 + 3 steps.
  EXPECT_EQ(r.times.linkBusy(), 103 + 1200);
  EXPECT_EQ(r.times.step, 32778);
  EXPECT_EQ(r.times.hidden, 1303);
  EXPECT_EQ(r.times.exposed, 0);
  EXPECT_EQ(r.times.wireBytes, 1200);
  EXPECT_EQ(r.pairs.async, 1);
  EXPECT_EQ(r.pairs.overlapped, 1);
  // Arguments 400 + 4096, results as much as 1600 + 4096.
  EXPECT_EQ(r.peak.bytes, 400 + 4096 + 1600 + 4096);
  EXPECT_EQ(schedule.collectives[0].array, "x");
}

TEST_F(HloScheduleTest, ASynchronousOneSaysWhatCouldHideIt) {
  const ScheduleReport &r = judge(R"(HloModule m, is_scheduled=true, num_partitions=4

ENTRY %main (x: f32[100], w: f32[32,32]) -> (f32[400], f32[32,32]) {
  %x = f32[100]{0} parameter(0)
  %w = f32[32,32]{1,0} parameter(1)
  %ags = (f32[100]{0}, f32[400]{0}) all-gather-start(%x), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, backend_config={"collective_backend_config":{"is_sync":true}}
  %agd = f32[400]{0} all-gather-done(%ags)
  %dot = f32[32,32]{1,0} dot(%w, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT %t = (f32[400]{0}, f32[32,32]{1,0}) tuple(%agd, %dot)
}
)");
  EXPECT_EQ(r.times.exposed, 1303);
  EXPECT_EQ(r.pairs.synchronous, 1);
  EXPECT_EQ(r.limits[0].why, TransferLimit::Why::Synchronous);
  EXPECT_EQ(r.limits[0].independent, 32778);
  EXPECT_EQ(r.bound, 32778);
}

TEST_F(HloScheduleTest, ReschedulingHidesWhatItCan) {
  judge(R"(HloModule m, is_scheduled=true, num_partitions=4

ENTRY %main (x: f32[100], w: f32[32,32]) -> (f32[400], f32[32,32]) {
  %x = f32[100]{0} parameter(0)
  %w = f32[32,32]{1,0} parameter(1)
  %ags = (f32[100]{0}, f32[400]{0}) all-gather-start(%x), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, backend_config={"collective_backend_config":{"is_sync":true}}
  %agd = f32[400]{0} all-gather-done(%ags)
  %dot = f32[32,32]{1,0} dot(%w, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT %t = (f32[400]{0}, f32[32,32]{1,0}) tuple(%agd, %dot)
}
)");
  auto gain = reschedule(*module, target, {});
  ASSERT_TRUE(bool(gain)) << llvm::toString(gain.takeError());
  EXPECT_EQ(gain->stepBefore, 1303 + 32778);
  EXPECT_EQ(gain->stepAfter, 32778);
  // The text says the same.
  const ScheduleReport &r = judge(hlo::print(*module));
  EXPECT_THAT(r.errors, testing::IsEmpty());
  EXPECT_EQ(r.times.step, 32778);
  EXPECT_EQ(r.pairs.synchronous, 0);
}

TEST_F(HloScheduleTest, ReschedulingKeepsReadsBeforeWritesInPlace) {
  // The product waits for nothing and could hide the gather, were its operand not overwritten by
  // the update, which the gather needs.
  const char *text =
      R"(HloModule m, is_scheduled=true, num_partitions=4, input_output_alias={ {0}: (0, {}, may-alias) }

ENTRY %main (x: f32[32,32], u: f32[1,32], i: s32[]) -> (f32[32,32], f32[32,32], f32[128,32]) {
  %x = f32[32,32]{1,0} parameter(0)
  %u = f32[1,32]{1,0} parameter(1)
  %i = s32[] parameter(2)
  %dot = f32[32,32]{1,0} dot(%x, %x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %write = f32[32,32]{1,0} dynamic-update-slice(%x, %u, %i, %i)
  %ags = (f32[32,32]{1,0}, f32[128,32]{1,0}) all-gather-start(%write), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true
  %agd = f32[128,32]{1,0} all-gather-done(%ags)
  ROOT %t = (f32[32,32]{1,0}, f32[32,32]{1,0}, f32[128,32]{1,0}) tuple(%write, %dot, %agd)
}
)";
  judge(text);
  auto gain = reschedule(*module, target, {});
  ASSERT_TRUE(bool(gain)) << llvm::toString(gain.takeError());
  EXPECT_EQ(gain->stepAfter, gain->stepBefore);
}

TEST_F(HloScheduleTest, OnlyScheduledModulesAreRescheduled) {
  judge("HloModule m\n\nENTRY %main (x: f32[]) -> f32[] {\n  ROOT %x = f32[] parameter(0)\n}\n");
  auto gain = reschedule(*module, target, {});
  ASSERT_FALSE(bool(gain));
  EXPECT_THAT(llvm::toString(gain.takeError()), HasSubstr("expected a scheduled module"));
}

TEST_F(HloScheduleTest, AnOrderingEdgeIsNamedWithTheCopyItSaves) {
  const ScheduleReport &r = judge(
      R"(HloModule m, is_scheduled=true, num_partitions=4, input_output_alias={ {0}: (0, {}, may-alias) }

ENTRY %main (x: f32[100], u: f32[4], i: s32[]) -> (f32[100], f32[100]) {
  %x = f32[100]{0} parameter(0)
  %u = f32[4]{0} parameter(1)
  %i = s32[] parameter(2)
  %read = f32[100]{0} negate(%x)
  %write = f32[100]{0} dynamic-update-slice(%x, %u, %i), control-predecessors={%read}
  ROOT %t = (f32[100]{0}, f32[100]{0}) tuple(%write, %read)
}
)");
  ASSERT_EQ(r.edges.size(), 1u);
  EXPECT_EQ(r.edges[0].savedCopyBytes, 400);
  EXPECT_THAT(formatTransfers(r) + formatSummary(r), HasSubstr("1 edges"));
  // Negate reads and writes 400; the update writes 16, and reads 16 and the index.
  EXPECT_EQ(r.times.step, 10 + 800 + 10 + 36);
}

TEST_F(HloScheduleTest, LoopsRunAsOftenAsTheirCounterSays) {
  const ScheduleReport &r = judge(R"(HloModule m, is_scheduled=true

%body (p: (s32[], f32[100])) -> (s32[], f32[100]) {
  %p = (s32[], f32[100]{0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  %x = f32[100]{0} get-tuple-element(%p), index=1
  %copy = f32[100]{0} copy(%x)
  ROOT %t = (s32[], f32[100]{0}) tuple(%next, %copy)
}

%cond (p: (s32[], f32[100])) -> pred[] {
  %p = (s32[], f32[100]{0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %n = s32[] constant(7)
  ROOT %less = pred[] compare(%i, %n), direction=LT
}

ENTRY %main (x: f32[100]) -> f32[100] {
  %x = f32[100]{0} parameter(0)
  %zero = s32[] constant(0)
  %init = (s32[], f32[100]{0}) tuple(%zero, %x)
  %loop = (s32[], f32[100]{0}) while(%init), condition=%cond, body=%body
  ROOT %out = f32[100]{0} get-tuple-element(%loop), index=1
}
)");
  EXPECT_THAT(r.errors, testing::IsEmpty());
  EXPECT_EQ(r.times.copies, 7);
  EXPECT_EQ(r.times.copyBytes, 2800);
  // A trip: the add moves 12 bytes, the copy 800.
  EXPECT_EQ(r.times.step, 7 * (10 + 12 + 10 + 800));
}

} // namespace
} // namespace tandem
