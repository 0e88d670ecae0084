// Orders against values worked out by hand, and against the optimum of small problems.
#include "tandem/Schedule/Search.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "tandem/Schedule/Flights.h"
#include "tandem/Schedule/ListScheduler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tandem {
namespace {

using Engine = ScheduleProblem::Engine;
using testing::ElementsAre;

// Builds a problem in program order; every value is a class of its own.
struct Builder {
  ScheduleProblem problem;

  unsigned add(Engine engine, int64_t time, const std::vector<unsigned> &inputs,
               int64_t bytes = 0) {
    unsigned index = problem.size();
    problem.nodes.emplace_back();
    ScheduleProblem::Node &node = problem.nodes.back();
    node.engine = engine;
    node.picoseconds = time;
    node.defines.push_back(problem.classBytes.size());
    valueOf.push_back(problem.classBytes.size());
    problem.classBytes.push_back(bytes);
    for (unsigned input : inputs) {
      problem.addEdge(input, index);
      problem.nodes[index].reads.push_back(valueOf[input]);
    }
    return index;
  }
  unsigned kernel(int64_t time, const std::vector<unsigned> &inputs = {}, int64_t bytes = 0) {
    return add(Engine::Compute, time, inputs, bytes);
  }
  unsigned start(int64_t time, const std::vector<unsigned> &inputs = {}, int64_t bytes = 0) {
    return add(Engine::Wire, time, inputs, bytes);
  }
  // Gives the bytes of the start; what the start reads is live to here.
  unsigned done(unsigned start) {
    unsigned index = add(Engine::Wait, 0, {start});
    problem.nodes[index].awaits = start;
    for (unsigned cls : problem.nodes[start].reads)
      problem.nodes[index].reads.push_back(cls);
    valueOf[index] = valueOf[start];
    return index;
  }

  std::vector<unsigned> valueOf;
};

TEST(Problem, TimesAnOrder) {
  Builder b;
  unsigned start = b.start(5);           // 0 to 5
  unsigned kernel = b.kernel(3);         // 0 to 3
  unsigned done = b.done(start);         // compute waits from 3 to 5
  unsigned reader = b.kernel(4, {done}); // 5 to 9
  std::vector<int64_t> idle;
  EXPECT_EQ(stepTime(b.problem, {start, kernel, done, reader}, 100, &idle), 9);
  EXPECT_THAT(idle, ElementsAre(0, 0, 2, 0));
  // The wait comes first: 5, then 3, then 4.
  EXPECT_EQ(stepTime(b.problem, {start, done, kernel, reader}), 12);
  // Compute takes 6 and 8: the wire is hidden, 14.
  EXPECT_EQ(stepTime(b.problem, {start, kernel, done, reader}, 200), 14);
  // The chain of wire and reader: 9; compute alone: 7.
  EXPECT_EQ(stepBound(b.problem), 9);
}

TEST(Problem, WiresAreSerialEachForItself) {
  Builder b;
  unsigned first = b.start(5), second = b.start(5), third = b.start(4);
  b.problem.nodes[third].wire = 1;
  unsigned end = b.kernel(1, {b.done(first), b.done(second), b.done(third)});
  ScheduleOrder order{first, second, third, 3, 4, 5, end};
  EXPECT_EQ(stepTime(b.problem, order), 11); // 5 + 5, the other wire meanwhile, 1
}

TEST(Problem, ALoopKeepsItsWiresAndTheHost) {
  Builder b;
  unsigned before = b.start(6);
  unsigned loop = b.kernel(10);
  b.problem.nodes[loop].heldWires = 1;
  b.problem.nodes[loop].holdsHost = true;
  unsigned after = b.start(3);
  b.problem.nodes[after].wire = 1;
  b.done(before), b.done(after);
  // The wire is free at 6, the loop ends at 16, only then is the other start issued.
  EXPECT_EQ(stepTime(b.problem, {before, loop, after, 3, 4}), 19);
}

TEST(Problem, BytesLiveFromDefinitionToLastRead) {
  Builder b;
  unsigned x = b.kernel(1, {}, 100), y = b.kernel(1, {x}, 10), z = b.kernel(1, {x}, 1);
  b.kernel(1, {y, z}, 1000);
  b.problem.nodes[z].heldBytes = 500;
  EXPECT_EQ(peakBytes(b.problem, {0, 1, 2, 3}), 1011); // y, z and the result
  b.problem.classBytes.back() = 0;
  EXPECT_EQ(peakBytes(b.problem, {0, 1, 2, 3}), 611); // x, y, z and what z holds
}

TEST(Problem, WhatIsWrittenInPlaceCountsOnceWhenNothingReadsItLater) {
  Builder b;
  unsigned x = b.kernel(1, {}, 100), y = b.kernel(1, {x}, 100);
  b.kernel(1, {x}, 10);
  b.kernel(1, {y}, 1);
  b.problem.nodes[y].inPlace = {{1, 0}};
  EXPECT_EQ(peaks(b.problem, {0, 1, 2, 3}).inPlaceBytes, 210); // x is read again
  EXPECT_EQ(peaks(b.problem, {0, 2, 1, 3}).inPlaceBytes, 110);
  EXPECT_EQ(peaks(b.problem, {0, 2, 1, 3}).bytes, 200);
}

TEST(Search, CountsOnWritingInPlaceWhenAskedTo) {
  Builder b;
  unsigned x = b.kernel(1, {}, 100), y = b.kernel(1, {x}, 100);
  unsigned z = b.kernel(1, {x}, 10);
  b.kernel(1, {y, z}, 1);
  b.problem.nodes[y].inPlace = {{1, 0}};
  SearchOptions options{.capBytes = 120, .inPlace = true};
  EXPECT_EQ(searchOrder(b.problem, options).peak, 111);
  options.inPlace = false;
  EXPECT_EQ(searchOrder(b.problem, options).peak, 210);
}

TEST(Search, WaitsForWhatIsOnTheLongerChain) {
  // Two flights, the second of what the first brought, and two products that need neither.
  Builder b;
  unsigned first = b.start(25), landed = b.done(first), slice = b.kernel(0, {landed});
  unsigned second = b.start(25, {slice});
  b.done(second);
  unsigned product = b.kernel(16);
  b.kernel(16, {product});
  SearchResult result = searchOrder(b.problem, {});
  EXPECT_EQ(result.step, 50);
  EXPECT_TRUE(isAllowed(b.problem, result.order));
}

TEST(Search, SpreadsComputationOverFlightsThatTakeLonger) {
  // Six flights, each of what the one before brought, and twelve products beside them: two to a
  // flight keep all six hidden, and the step at 6 * 70, even if products take twice as long.
  Builder b;
  unsigned landed = b.kernel(0);
  for (int i = 0; i < 6; ++i)
    landed = b.kernel(0, {b.done(b.start(70, {landed}))});
  unsigned product = b.kernel(16);
  for (int i = 1; i < 12; ++i)
    product = b.kernel(16, {product});
  SearchResult result = searchOrder(b.problem, {});
  EXPECT_EQ(result.step, 6 * 70);
  EXPECT_EQ(stepTime(b.problem, result.order, 200), 6 * 70);
  int besides = 0, flights = 0;
  for (unsigned node : result.order) {
    const ScheduleProblem::Node &info = b.problem.nodes[node];
    if (info.engine == Engine::Wire)
      besides = 0;
    else if (info.engine == Engine::Wait)
      flights += besides > 0;
    else
      besides += info.picoseconds > 0;
  }
  EXPECT_EQ(flights, 6);
}

TEST(Search, KeepsUnderTheCap) {
  // Four gathers of 100 bytes, each read by a product of its own: all at once would be fastest
  // to issue, but takes 400 bytes.
  Builder b;
  for (int i = 0; i < 4; ++i)
    b.kernel(10, {b.done(b.start(10, {}, 100))});
  EXPECT_EQ(searchOrder(b.problem, {}).step, 50);
  SearchResult capped = searchOrder(b.problem, {200});
  EXPECT_LE(capped.peak, 200);
  EXPECT_EQ(capped.step, 50); // one flies while one is read
  SearchResult tight = searchOrder(b.problem, {100});
  EXPECT_LE(tight.peak, 100); // a gather is issued when the product before it has been
  EXPECT_GT(searchOrder(b.problem, {50}).peak, 50); // there is no such order
}

TEST(Flights, WaitsGoToWhereTheirTransferHasLanded) {
  Builder b;
  unsigned source = b.kernel(1, {}, 80), start = b.start(15, {source}, 10);
  unsigned first = b.kernel(10, {}), second = b.kernel(10, {first}), third = b.kernel(10, {second});
  unsigned done = b.done(start), last = b.kernel(1, {done, third});
  ScheduleOrder order{source, start, first, second, third, done, last};
  ScheduleOrder early{source, start, first, second, done, third, last}; // landed at 16, not at 11
  EXPECT_EQ(withEarlyWaits(b.problem, order), early);
  EXPECT_EQ(withEarlyWaits(b.problem, early), early);
  EXPECT_EQ(withLateWaits(b.problem, early), order);
  EXPECT_EQ(stepTime(b.problem, early), stepTime(b.problem, order));
}

// A gather before what hides it, although nothing else wants it yet; a reduce-scatter late,
// although its operand is large.
TEST(Flights, StartsThatMakeBytesGoLaterAndThoseThatFreeThemEarlier) {
  Builder b;
  unsigned source = b.kernel(1, {}, 800), scatter = b.start(10, {source}, 100);
  unsigned gather = b.start(10, {}, 400);
  std::vector<unsigned> kernels;
  for (int i = 0; i < 6; ++i)
    kernels.push_back(b.kernel(10, {}, i == 0 ? 300 : 0));
  unsigned gathered = b.done(gather), scattered = b.done(scatter);
  unsigned last = b.kernel(1, {gathered, scattered, kernels[0]});
  ScheduleOrder order{source, gather};
  order.insert(order.end(), kernels.begin(), kernels.end());
  order.insert(order.end(), {scatter, gathered, scattered, last});
  ASSERT_TRUE(isAllowed(b.problem, order));
  const int64_t before = queuedStepTime(b.problem, order);
  int64_t effort = 10000;
  moveStarts(b.problem, order, effort, [&](const ScheduleOrder &changed) {
    return isAllowed(b.problem, changed) && queuedStepTime(b.problem, changed) <= before;
  });
  // Only the reduce-scatter is in flight at first; the gather starts a kernel before its wait.
  EXPECT_THAT(order, ElementsAre(source, scatter, kernels[0], scattered, kernels[1], kernels[2],
                                 kernels[3], kernels[4], gather, kernels[5], gathered, last));
  EXPECT_LT(queuedStepTime(b.problem, order), before);
}

TEST(Flights, StartsAreHiddenWithWhatTheyDependOn) {
  Builder b;
  unsigned kernel = b.kernel(20), source = b.kernel(1), start = b.start(15, {source});
  unsigned done = b.done(start), last = b.kernel(5, {kernel, done});
  ScheduleOrder order{kernel, source, start, done, last};
  int64_t effort = 1000, step = stepTime(b.problem, order);
  auto accepts = [&](const ScheduleOrder &changed) {
    int64_t time = stepTime(b.problem, changed);
    return time < step ? (step = time, true) : false;
  };
  hideStarts(b.problem, order, effort, accepts);
  EXPECT_THAT(order, ElementsAre(source, start, kernel, done, last));
  EXPECT_EQ(step, 26);
  EXPECT_LT(effort, 1000);
  ScheduleOrder program{kernel, source, start, done, last}, same = program;
  effort = 0;
  hideStarts(b.problem, same, effort, accepts);
  EXPECT_EQ(same, program);
}

TEST(Search, OfOrdersAlmostAsFastTheOneWithFewerBytes) {
  // Two transfers of 100 bytes; where a start waits for the kernel issued before it, 4 of 200 are
  // exposed if both are never there at once.
  Builder b;
  unsigned first = b.done(b.start(2000, {}, 100)), kernel = b.kernel(94000, {first});
  b.kernel(100000, {b.done(b.start(4000, {}, 100)), kernel});
  SearchOptions options;
  options.queuedWeight = 64;
  SearchResult fast = searchOrder(b.problem, options);
  EXPECT_EQ(queuedStepTime(b.problem, fast.order), 196000);
  EXPECT_EQ(fast.peak, 200);
  options.slackPermille = 10; // 20 would do
  EXPECT_EQ(searchOrder(b.problem, options).order, fast.order);
  options.slackPermille = 50;
  SearchResult small = searchOrder(b.problem, options);
  EXPECT_EQ(queuedStepTime(b.problem, small.order), 200000);
  EXPECT_EQ(small.peak, 100);
}

// The least step of all orders under the cap, by going through all of them; of two ways to the
// same set of placed nodes, one that is nowhere later rules the other out.
class Exhaustive {
public:
  // `known`: the step of some order under the cap.
  Exhaustive(const ScheduleProblem &problem, int64_t cap, int64_t known)
      : problem(problem), cap(cap), best(known), tail(problem.size(), 0) {
    for (unsigned i = problem.size(); i-- > 0;) {
      for (unsigned next : problem.nodes[i].successors)
        tail[i] = std::max(tail[i], tail[next]);
      tail[i] += problem.nodes[i].picoseconds;
    }
  }

  int64_t run() {
    State state;
    state.finish.assign(problem.size(), 0);
    visit(state);
    return best;
  }

private:
  struct State {
    uint64_t placed = 0;
    int64_t compute = 0, wire = 0, step = 0;
    std::vector<int64_t> finish;
  };

  bool isLive(uint64_t placed, unsigned cls) const {
    bool defined = false, needed = false;
    for (unsigned i = 0; i < problem.size(); ++i) {
      const ScheduleProblem::Node &node = problem.nodes[i];
      bool isPlaced = placed >> i & 1;
      for (unsigned c : node.defines)
        if (c == cls)
          (isPlaced ? defined : needed) = true;
      for (unsigned c : node.reads)
        if (c == cls && !isPlaced)
          needed = true;
    }
    return defined && needed;
  }

  int64_t bytesWith(uint64_t placed, unsigned next) const {
    int64_t bytes = problem.nodes[next].heldBytes;
    for (unsigned cls = 0; cls < problem.classBytes.size(); ++cls) {
      const std::vector<unsigned> &defines = problem.nodes[next].defines;
      if (isLive(placed, cls) || std::count(defines.begin(), defines.end(), cls))
        bytes += problem.classBytes[cls];
    }
    return bytes;
  }

  // No way on from here takes less.
  int64_t bound(const State &state) const {
    int64_t compute = state.compute, wire = state.wire, chain = state.step;
    for (unsigned i = 0; i < problem.size(); ++i) {
      const ScheduleProblem::Node &node = problem.nodes[i];
      if (state.placed >> i & 1)
        continue;
      int64_t ready = 0;
      for (unsigned before : node.predecessors)
        ready = std::max(ready, state.finish[before]);
      if (node.engine == Engine::Compute) {
        compute += node.picoseconds;
        ready = std::max(ready, state.compute);
      } else if (node.engine == Engine::Wire) {
        wire += node.picoseconds;
        ready = std::max(ready, state.wire);
      }
      chain = std::max(chain, ready + tail[i]);
    }
    return std::max({compute, wire, chain});
  }

  void visit(const State &state) {
    if (bound(state) >= best)
      return;
    if (state.placed == (uint64_t(1) << problem.size()) - 1) {
      best = state.step;
      return;
    }
    // What the future depends on: engines, and nodes that are still waited for.
    std::vector<int64_t> key{state.compute, state.wire, state.step};
    for (unsigned i = 0; i < problem.size(); ++i) {
      bool awaited = false;
      if (state.placed >> i & 1)
        for (unsigned next : problem.nodes[i].successors)
          awaited |= !(state.placed >> next & 1);
      key.push_back(awaited ? state.finish[i] : 0);
    }
    std::vector<std::vector<int64_t>> &seen = visited[state.placed];
    for (const std::vector<int64_t> &other : seen)
      if (std::equal(other.begin(), other.end(), key.begin(), std::less_equal<>()))
        return;
    seen.push_back(key);

    for (unsigned i = 0; i < problem.size(); ++i) {
      const ScheduleProblem::Node &node = problem.nodes[i];
      if (state.placed >> i & 1)
        continue;
      bool allowed = true;
      int64_t ready = 0;
      for (unsigned before : node.predecessors) {
        allowed &= state.placed >> before & 1;
        ready = std::max(ready, state.finish[before]);
      }
      if (!allowed || bytesWith(state.placed, i) > cap)
        continue;
      State next = state;
      next.placed |= uint64_t(1) << i;
      if (node.engine == Engine::Compute)
        ready = next.compute = std::max(next.compute, ready) + node.picoseconds;
      else if (node.engine == Engine::Wire)
        ready = next.wire = std::max(next.wire, ready) + node.picoseconds;
      else if (node.engine == Engine::Wait)
        next.compute = std::max(next.compute, ready);
      next.finish[i] = ready;
      next.step = std::max({next.step, ready, next.compute});
      visit(next);
    }
  }

  const ScheduleProblem &problem;
  const int64_t cap;
  int64_t best;
  std::vector<int64_t> tail; // the longest chain from a node to the end
  std::map<uint64_t, std::vector<std::vector<int64_t>>> visited;
};

// Up to 14 ops, 1 to 4 of them collectives, each of up to two values before it.
ScheduleProblem randomProblem(std::mt19937 &random) {
  auto draw = [&](int from, int to) { return from + static_cast<int>(random() % (to - from + 1)); };
  int numOps = draw(6, 14), numCollectives = draw(1, 4);
  std::vector<bool> collective(numOps, false);
  for (int i = 0; i < numCollectives; ++i)
    collective[draw(0, numOps - 1)] = true;
  Builder b;
  std::vector<unsigned> values;
  for (int i = 0; i < numOps; ++i) {
    std::vector<unsigned> inputs;
    for (int k = draw(0, 2); k > 0 && !values.empty(); --k) {
      unsigned value = values[draw(0, values.size() - 1)];
      if (std::find(inputs.begin(), inputs.end(), value) == inputs.end())
        inputs.push_back(value);
    }
    int64_t bytes = draw(1, 10) * 10;
    if (collective[i])
      values.push_back(b.done(b.start(draw(5, 40), inputs, bytes)));
    else
      values.push_back(b.kernel(draw(1, 20), inputs, bytes));
  }
  return b.problem;
}

// What a scheduler without lookahead and without search does: the first op of the program that
// can be issued without waiting for a flight, else the first.
int64_t plainGreedy(const ScheduleProblem &problem) {
  return stepTime(problem,
                  listSchedule(problem, {ScheduleDirection::Forward, SchedulePriority::Program}));
}

TEST(Search, NearTheOptimumOfSmallProblems) {
  std::mt19937 random(20);
  int problems = 0, near = 0, hard = 0;
  const int wanted = 1000, wantedHard = 300;
  while (problems < wanted) {
    ScheduleProblem problem = randomProblem(random);
    bool capped = random() % 2;
    SearchResult free = searchOrder(problem, {});
    int64_t cap = std::numeric_limits<int64_t>::max();
    if (capped) {
      // Between the least that the search finds and what the fastest order takes.
      int64_t least = searchOrder(problem, {0}).peak;
      cap = least + (free.peak - least) / 2;
    }
    SearchResult found = searchOrder(problem, {cap});
    ASSERT_TRUE(isAllowed(problem, found.order));
    ASSERT_EQ(stepTime(problem, found.order), found.step);
    ASSERT_EQ(peakBytes(problem, found.order), found.peak);
    ASSERT_LE(found.peak, cap);
    if (found.greedyPeak <= cap) {
      ASSERT_LE(found.step, found.greedyStep);
    }
    int64_t optimum = Exhaustive(problem, cap, found.step).run();
    bool isHard = plainGreedy(problem) > optimum + optimum / 20;
    // Leave room for the hard ones.
    if (!isHard && wanted - problems <= wantedHard - hard)
      continue;
    ++problems;
    hard += isHard;
    near += found.step <= optimum + optimum / 100;
  }
  EXPECT_GE(hard, wantedHard);
  EXPECT_GE(near, wanted * 95 / 100) << "of " << wanted << " within 1 % of the optimum";
  RecordProperty("near", near);
  RecordProperty("hard", hard);
}

TEST(Search, TheSameEveryTime) {
  std::mt19937 random(7);
  for (int i = 0; i < 20; ++i) {
    ScheduleProblem problem = randomProblem(random);
    EXPECT_EQ(searchOrder(problem, {}).order, searchOrder(problem, {}).order);
  }
}

// A copy is free where every reader of the bytes comes before what it copies is written.
TEST(Copies, AnOrderThatNeedsNoneIsFound) {
  Builder b;
  unsigned writer = b.kernel(10, {}, 100), reader = b.kernel(10, {}, 100);
  unsigned copy = b.kernel(5, {writer, reader}, 100);
  b.problem.copies.push_back({copy, writer, {reader}});
  EXPECT_EQ(stepTime(b.problem, {writer, reader, copy}), 25);
  EXPECT_EQ(stepTime(b.problem, {reader, writer, copy}), 20);
  EXPECT_EQ(copyTime(b.problem, {writer, reader, copy}), 5);
  SearchResult result = searchOrder(b.problem, {});
  EXPECT_EQ(result.step, 20);
  EXPECT_EQ(neededCopies(b.problem, result.order), std::vector<bool>{false});
}

// The transfer feeds the reader, so the writer that could hide it would have to wait: an order that
// copies is faster, and the edges that save the copy are no part of the problem.
TEST(Copies, WhatHidesATransferIsNotHeldBackForACopy) {
  Builder b;
  unsigned start = b.start(100, {}, 10), writer = b.kernel(90, {}, 10);
  unsigned reader = b.kernel(10, {b.done(start)}, 10);
  unsigned copy = b.kernel(5, {writer, reader}, 10);
  b.problem.copies.push_back({copy, writer, {reader}});
  SearchResult result = searchOrder(b.problem, {});
  EXPECT_EQ(result.step, 115);
  std::vector<unsigned> numbers;
  std::vector<bool> kept;
  ScheduleProblem ordered = withCopyEdges(b.problem, numbers, &kept);
  EXPECT_EQ(kept, std::vector<bool>{true});
  EXPECT_EQ(searchOrder(ordered, {}).step, 200);
}

TEST(Copies, EdgesThatWouldCloseACircleAreLeftOut) {
  Builder b;
  unsigned writer = b.kernel(10, {}, 1), reader = b.kernel(10, {writer}, 1);
  unsigned other = b.kernel(10, {}, 1);
  unsigned dear = b.kernel(7, {writer, reader}, 1), cheap = b.kernel(3, {writer, other}, 1);
  b.problem.copies.push_back({dear, writer, {reader}});
  b.problem.copies.push_back({cheap, writer, {other}});
  std::vector<unsigned> numbers;
  std::vector<bool> kept;
  ScheduleProblem ordered = withCopyEdges(b.problem, numbers, &kept);
  EXPECT_EQ(kept, (std::vector<bool>{false, true}));
  EXPECT_EQ(numbers.front(), other);
  EXPECT_EQ(ordered.size(), b.problem.size());
  ScheduleOrder order(ordered.size());
  for (unsigned i = 0; i < order.size(); ++i)
    order[i] = i;
  EXPECT_TRUE(isAllowed(ordered, order));
}

// Layers as a sharded training step has them: a gather for each, used once.
ScheduleProblem layers(int count) {
  Builder b;
  unsigned previous = b.kernel(10, {}, 100);
  for (int i = 0; i < count; ++i) {
    unsigned weight = b.done(b.start(30, {}, 1000));
    for (int k = 0; k < 7; ++k)
      previous = b.kernel(10, {previous, weight}, 100);
  }
  return b.problem;
}

TEST(Search, HidesTheGathersOfManyLayers) {
  ScheduleProblem problem = layers(1000);
  SearchResult result = searchOrder(problem, {3000});
  EXPECT_LE(result.peak, 3000);
  // All compute, and the first gather, which nothing can hide beyond the first kernel.
  EXPECT_EQ(result.step, 7000 * 10 + 30);
}

} // namespace
} // namespace tandem
