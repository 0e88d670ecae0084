// The simulator, the bound and live bytes on schedules small enough to work out by hand.
#include "tandem/Cost/Simulation.h"
#include "tandem/Cost/LiveBytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tandem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = ScheduledItem::Kind;

// Builds schedules in issue order; values are named by what addX returns.
struct Maker {
  Schedule schedule;
  BlockId block = 0;

  Maker() { schedule.entry = block = schedule.addBlock(); }

  ValueId argument(int64_t bytes) {
    ValueId value = schedule.addValue(bytes, "argument");
    schedule.blocks[schedule.entry].parameters.push_back(value);
    return value;
  }
  ScheduledItem item(Kind kind, const char *name, llvm::ArrayRef<ValueId> operands) {
    ScheduledItem item;
    item.kind = kind;
    item.name = item.opcode = name;
    item.operands.assign(operands.begin(), operands.end());
    return item;
  }
  ValueId result(ScheduledItem &item, int64_t bytes) {
    ValueId value = schedule.addValue(bytes, item.name, static_cast<ItemId>(schedule.items.size()));
    item.results.push_back(value);
    return value;
  }
  ValueId work(const char *name, int64_t time, llvm::ArrayRef<ValueId> operands,
               int64_t bytes = 4) {
    ScheduledItem made = item(Kind::Work, name, operands);
    made.cost.picoseconds = time;
    made.cost.isKernel = true;
    ValueId value = result(made, bytes);
    schedule.addItem(block, std::move(made));
    return value;
  }
  ValueId start(const char *name, int64_t time, llvm::ArrayRef<ValueId> operands,
                unsigned level = 0, bool sync = false, int64_t bytes = 4) {
    ScheduledItem made = item(Kind::Start, name, operands);
    made.cost.picoseconds = time;
    made.cost.engine = kFirstLinkEngine + level;
    made.synchronous = sync;
    made.holdsSources = true;
    ValueId value = result(made, bytes);
    schedule.addItem(block, std::move(made));
    return value;
  }
  ValueId done(const char *name, ValueId future, int64_t bytes = 4) {
    ScheduledItem made = item(Kind::Done, name, {future});
    ValueId value = result(made, bytes);
    schedule.addItem(block, std::move(made));
    return value;
  }
  // A loop over `inits`; returns the parameters, with `block` set to the body.
  ItemId loop(int64_t trips, llvm::ArrayRef<ValueId> inits, std::vector<ValueId> &parameters) {
    ScheduledItem made = item(Kind::Loop, "loop", inits);
    made.trips = trips;
    ItemId id = schedule.addItem(block, std::move(made));
    block = schedule.addBlock(id);
    schedule.items[id].blocks.push_back(block);
    for (ValueId init : inits)
      parameters.push_back(schedule.addValue(schedule.values[init].bytes, "state", id));
    schedule.blocks[block].parameters = parameters;
    return id;
  }
  std::vector<ValueId> endLoop(ItemId id, std::vector<ValueId> results) {
    std::vector<ValueId> out;
    for (ValueId value : results)
      out.push_back(schedule.addValue(schedule.values[value].bytes, "out", id));
    schedule.items[id].results.assign(out.begin(), out.end());
    schedule.blocks[block].results = std::move(results);
    block = schedule.items[id].block;
    return out;
  }
};

TEST(Simulation, TheHeadersExample) {
  Maker m;
  ValueId x = m.argument(4);
  ValueId f = m.start("f", 5, {x});
  m.work("a", 3, {x});
  m.work("b", 3, {m.done("d", f)});
  SimulationResult r = simulate(m.schedule);
  EXPECT_EQ(r.step, 8); // 3, waits to 5, 3 more
  EXPECT_EQ(r.exposed, 2);
  EXPECT_EQ(r.hidden, 3);
  EXPECT_EQ(r.busy[kComputeEngine], 6);
  EXPECT_EQ(r.linkBusy(), 5);
  EXPECT_EQ(lowerBound(m.schedule), 8); // the transfer, then b
}

TEST(Simulation, OneLinkQueuesAndTwoDoNot) {
  for (unsigned level : {0u, 1u}) {
    Maker m;
    m.schedule.engines = kFirstLinkEngine + 2;
    ValueId x = m.argument(4);
    ValueId f = m.start("f", 5, {x}), g = m.start("g", 7, {x}, level);
    m.done("df", f);
    m.done("dg", g);
    SimulationResult r = simulate(m.schedule);
    EXPECT_EQ(r.step, level ? 7 : 12);
    EXPECT_EQ(r.transfers[1].queued, level ? 0 : 5);
    // Exposed while the compute engine waits, each transfer for the time it runs.
    EXPECT_EQ(r.transfers[0].exposed, 5);
    EXPECT_EQ(r.transfers[1].exposed, 7);
    EXPECT_EQ(r.exposed, level ? 7 : 12);
  }
}

TEST(Simulation, SynchronousStartsAreAwaitedAtOnce) {
  Maker m;
  ValueId x = m.argument(4);
  ValueId f = m.start("f", 5, {x}, 0, /*sync=*/true);
  m.work("a", 3, {x});
  m.done("d", f);
  SimulationResult r = simulate(m.schedule);
  EXPECT_EQ(r.step, 8);
  EXPECT_EQ(r.exposed, 5);
  EXPECT_EQ(lowerBound(m.schedule), 5); // another order would hide it
}

TEST(Simulation, LoopsCountTripsAndSettle) {
  Maker m;
  ValueId x = m.argument(4);
  std::vector<ValueId> state;
  ItemId loop = m.loop(100, {x}, state);
  ValueId f = m.start("f", 5, {state[0]});
  m.work("a", 3, {state[0]});
  ValueId next = m.work("b", 1, {m.done("d", f)});
  m.endLoop(loop, {next});
  SimulationResult r = simulate(m.schedule);
  EXPECT_EQ(r.step, 600); // each trip: 3, waits 2, 1
  EXPECT_EQ(r.exposed, 200);
  EXPECT_EQ(r.hidden, 300);
  EXPECT_EQ(r.kernels, 200);
  EXPECT_EQ(r.transfers[0].count, 100);
  EXPECT_EQ(r.depth, 0); // awaited in the trip that starts them
}

// f is started before the loop and in each trip for the next one, awaited at the trip's begin.
TEST(Simulation, FuturesAreCarriedAroundALoop) {
  Maker m;
  ValueId x = m.argument(4);
  ValueId first = m.start("f0", 5, {x});
  std::vector<ValueId> state;
  ItemId loop = m.loop(10, {first}, state);
  ValueId got = m.done("d", state[0]);
  ValueId next = m.start("f", 5, {x});
  m.work("a", 7, {got});
  std::vector<ValueId> out = m.endLoop(loop, {next});
  m.done("last", out[0]);
  SimulationResult r = simulate(m.schedule);
  // Only the first is waited for, 5; then every trip takes the kernel's 7 and hides 5.
  EXPECT_EQ(r.step, 5 + 10 * 7);
  EXPECT_EQ(r.exposed, 5);
  EXPECT_EQ(r.hidden, 50);
  EXPECT_TRUE(r.errors.empty());
}

TEST(Simulation, TheDearestBranchIsKept) {
  Maker m;
  ValueId x = m.argument(4);
  ScheduledItem made = m.item(Kind::Branches, "case", {});
  ItemId id = m.schedule.addItem(m.block, std::move(made));
  for (int64_t time : {3, 9, 4}) {
    m.block = m.schedule.addBlock(id);
    m.schedule.items[id].blocks.push_back(m.block);
    m.schedule.blocks[m.block].results = {m.work("k", time, {x})};
  }
  m.schedule.items[id].results.push_back(m.schedule.addValue(4, "out", id));
  SimulationResult r = simulate(m.schedule);
  EXPECT_EQ(r.step, 9);
  EXPECT_EQ(r.kernels, 1);
  EXPECT_EQ(lowerBound(m.schedule), 9);
}

TEST(Simulation, TransfersSlowComputationWhereTheTargetSaysSo) {
  Maker m;
  m.schedule.computeDuringTransfersPermille = 500;
  ValueId x = m.argument(4);
  ValueId f = m.start("f", 6, {x});
  m.work("a", 5, {x}); // 3 of it in the transfer's 6, then 2
  m.done("d", f);
  SimulationResult r = simulate(m.schedule);
  EXPECT_EQ(r.step, 8);
  EXPECT_EQ(r.hidden, 6);
}

TEST(Simulation, LostAndDoubledFuturesAreErrors) {
  Maker m;
  ValueId x = m.argument(4);
  ValueId f = m.start("f", 5, {x});
  m.done("d", f);
  m.done("again", f);
  m.start("lost", 5, {x});
  m.done("stray", x);
  EXPECT_THAT(simulate(m.schedule).errors,
              ElementsAre(HasSubstr("again awaits f, which was awaited before"),
                          HasSubstr("stray awaits a transfer whose start cannot be found"),
                          HasSubstr("lost is never awaited")));
}

TEST(LowerBound, AnEnginesHeadAndTailCount) {
  Maker m;
  ValueId x = m.argument(4);
  // a(3) feeds both transfers (5 each, one link); b(2) needs the second: 3 + 10 + 0 or more.
  ValueId a = m.work("a", 3, {x});
  ValueId f = m.start("f", 5, {a}), g = m.start("g", 5, {a});
  m.work("b", 2, {m.done("df", f)});
  m.work("c", 2, {m.done("dg", g)});
  EXPECT_EQ(lowerBound(m.schedule), 3 + 10 + 2);
}

TEST(LowerBound, WhatDependsOnAChainComesAfterIt) {
  Maker m;
  ValueId x = m.argument(4);
  // Two transfers in a chain, with two products of 2 between them that are no chain, and 3 x 2
  // behind: 5 + 4 + 5 + 6.
  ValueId f = m.done("df", m.start("f", 5, {x}));
  ValueId a = m.work("a", 2, {f}), b = m.work("b", 2, {f});
  ValueId g = m.done("dg", m.start("g", 5, {a, b}));
  for (const char *name : {"c", "d", "e"})
    m.work(name, 2, {g});
  EXPECT_EQ(simulate(m.schedule).step, 20);
  EXPECT_EQ(lowerBound(m.schedule), 20);
}

TEST(LowerBound, ALoopRepeatsWhatLiesBetweenAValueAndItsNextOne) {
  Maker m;
  ValueId x = m.argument(4), y = m.argument(4);
  // x goes through a transfer and a product in each of 10 trips; y's product of 4 may overlap.
  std::vector<ValueId> state;
  ItemId loop = m.loop(10, {x, y}, state);
  ValueId next = m.work("a", 3, {m.done("df", m.start("f", 5, {state[0]}))});
  ValueId other = m.work("b", 4, {state[1]});
  m.endLoop(loop, {next, other});
  EXPECT_EQ(lowerBound(m.schedule), 10 * 8);
}

TEST(LiveBytes, AValueLivesFromDefinitionToLastUse) {
  Maker m;
  ValueId x = m.argument(100);
  ValueId a = m.work("a", 1, {x}, 10);
  ValueId b = m.work("b", 1, {a}, 20);
  ValueId c = m.work("c", 1, {b}, 40); // a is dead; x stays
  m.schedule.blocks[0].results = {c};
  // The result's 40 bytes are kept throughout; a sits in them before c is written, and b, which c
  // reads, beside them.
  MemoryPeak peak = LiveBytes(m.schedule).peak();
  EXPECT_EQ(peak.bytes, 100 + 40 + 20);
  ASSERT_EQ(peak.tensors.size(), 3u);
  EXPECT_EQ(peak.tensors[0].why, LiveTensor::Why::Argument);
  EXPECT_EQ(peak.tensors[1].why, LiveTensor::Why::Result);
  EXPECT_EQ(peak.tensors[2].value, b);
}

TEST(LiveBytes, DonatedArgumentsAreTakenOver) {
  Maker m;
  ValueId x = m.argument(100);
  ValueId a = m.work("a", 1, {x}, 100);
  m.schedule.blocks[0].results = {a};
  EXPECT_EQ(LiveBytes(m.schedule).peak().bytes, 200);
  m.schedule.items[0].mustShare = {{x, a}};
  m.schedule.donated = {{a, x}};
  m.schedule.given = {x};
  EXPECT_EQ(LiveBytes(m.schedule).peak().bytes, 100);
}

TEST(LiveBytes, TransfersHoldTheirOperands) {
  Maker m;
  ValueId x = m.argument(1);
  ValueId a = m.work("a", 1, {x}, 10);
  ValueId f = m.start("f", 5, {a}, 0, false, 80);
  ValueId b = m.work("b", 1, {x}, 300); // a is held: 1 + 10 + 80 + 300
  ValueId r = m.done("d", f, 80);
  m.work("c", 1, {r, b}, 0);
  EXPECT_EQ(LiveBytes(m.schedule).peak().bytes, 391);
}

TEST(LiveBytes, LoopStateIsOneBufferUnlessBothAreLive) {
  for (bool reads : {false, true}) {
    Maker m;
    ValueId x = m.argument(1);
    ValueId init = m.work("init", 1, {x}, 100);
    std::vector<ValueId> state;
    ItemId loop = m.loop(3, {init}, state);
    ValueId next = m.work("next", 1, {state[0]}, 100);
    if (reads)
      m.work("late", 1, {state[0]}, 0); // the old value after the new one is there
    m.endLoop(loop, {next});
    EXPECT_EQ(LiveBytes(m.schedule).peak().bytes, reads ? 201 : 101);
  }
}

TEST(LiveBytes, WritingIntoATransferInFlightIsAnError) {
  Maker m;
  ValueId x = m.argument(1);
  ValueId a = m.work("a", 1, {x}, 10);
  ValueId f = m.start("f", 5, {a});
  ValueId over = m.work("over", 1, {a}, 10);
  m.schedule.items.back().mustShare = {{a, over}};
  m.done("d", f);
  // `a` is an operand that the start holds as its own leaf.
  ScheduledItem &start = m.schedule.items[1];
  ValueId held = m.schedule.addValue(10, "held", 1);
  start.heldOperands = {held};
  EXPECT_THAT(LiveBytes(m.schedule).getErrors(),
              ElementsAre(HasSubstr("over writes into a buffer of f, which is in flight")));
}

} // namespace
} // namespace tandem
